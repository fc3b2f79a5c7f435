"""The page about an encounter is self-contained, well-formed, and true to the findings."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.heart_rush.encounters import plots
from heartrush_env.app.heart_rush.encounters.report import check_report, report, sweep_report, write_report
from heartrush_env.tabletop.errors import HeartRushError
from tests.app.heart_rush.encounters import four_fights

EMPTY = {"meta", "path", "use", "br"}  # elements that never hold anything


class Elements(HTMLParser):
    """A parser that notes the elements of a page, and checks that each one is closed in its place."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.append(tag)
        if tag not in EMPTY:
            self.open.append(tag)
        assert not {"src", "href"} & {name for name, value in attrs if not str(value).startswith("#")}

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY:
            assert self.open.pop() == tag


def read(page: str) -> Elements:
    elements = Elements()
    elements.feed(page)
    assert elements.open == []
    return elements


def cells(page: str) -> list[list[str]]:
    """Return the cells of each table row of a page."""
    rows = re.findall(r"<tr>(.*?)</tr>", page)
    return [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row) for row in rows]


def test_a_page_holds_all_that_it_shows(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    write_report(path, "x", report(four_fights.found()))
    page = path.read_text(encoding="utf-8")
    seen = read(page).seen
    assert seen.count("svg") == 4 and not {"script", "link", "img", "iframe", "object"} & set(seen)
    assert "url(http" not in page and "@import" not in page


def test_a_page_says_what_was_found() -> None:
    page = report(four_fights.found())
    rows = cells(page)
    assert ["the party wins", " 50.0 % [15.0, 85.0]"] in rows
    assert any(row[0] == "rounds" and row[1].strip().startswith("3.5") and row[1].endswith("2 to 5") for row in rows)
    assert ["Knight", "25.0", "cunning opportunity 15.0, might 10.0"] in rows
    assert ["no fighter", "0.5", "burning 0.5"] in rows
    assert '<span class="band">Hard</span>' in page and "zero_hp=all_out" in page


def test_names_cannot_break_a_page() -> None:
    found = four_fights.found()
    found["scenario"] = "<b>bold"
    found["fighters"]["ogre_0"]["name"] = "Ogre & <i>Son"
    page = report(found)
    read(page)
    assert "<h1>&lt;b&gt;bold</h1>" in page and "Ogre &amp; &lt;i&gt;Son" in page


def test_a_page_about_a_sweep() -> None:
    one, two = ({"values": {"ogre.hp": hp}, **four_fights.found()} for hp in (40, 50))
    page = sweep_report([one, two])
    assert read(page).seen.count("svg") == 1
    assert [row[0] for row in cells(page)] == ["ogre.hp", "40", "50"]


def test_the_bars_of_damage_are_the_sources_summed_by_stance() -> None:
    """The knight deals 15 by cunning opportunity attacks and 10 by might; burning counts for no fighter."""
    (axes,) = plots.damage(four_fights.found()).axes
    widths = {group.get_label(): [bar.get_width() for bar in group] for group in axes.containers}
    assert widths == {"might": [10, 0, 0], "cunning": [15, 0, 0]}


def test_the_course_starts_full_and_the_costs_are_shares_of_fights() -> None:
    (axes,) = plots.course(four_fights.found()).axes
    party, monsters = (list(line.get_ydata()) for line in axes.lines)
    assert (party[0], monsters[0], party[3], monsters[2]) == (100, 100, 75, 50)
    (axes,) = plots.cost(four_fights.found()).axes
    assert [bar.get_height() for bar in axes.patches] == [25, 0, 25, 0, 0, 0, 0, 25, 0, 25]


@pytest.mark.parametrize(
    ("path", "says"),
    [("page.txt", "expected a name ending in .html, got '.txt'"), ("no/x.html", "expected an existing folder, got no")],
)
def test_a_path_that_cannot_be_a_report_is_refused(path: str, says: str) -> None:
    with pytest.raises(HeartRushError, match=re.escape(says)):
        check_report(path)
