"""The page in a real browser: whole fights by mouse, keyboard and touch. Skipped if no Chromium is installed."""

from collections.abc import Iterator
from typing import Any

import pytest

from heartrush_env.app.server.hosting.host import Host
from heartrush_env.app.server.recorded.review import reviewed
from heartrush_env.app.server.recorded.routes import LARGEST_RECORD
from heartrush_env.app.server.recorded.showing import shown
from tests.app.server.serving import serving
from tests.app.server.test_host import Table
from tests.app.server.test_recorded import PLAIN
from tests.browsing import (
    DESKTOP,
    DROP,
    OVER,
    PHONE,
    Dashes,
    begin,
    by_click,
    by_key,
    fits,
    lines_of,
    needs_browser,
    play,
)

pytestmark = needs_browser


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(agents=("uniform", "duelist", "charger")) as address:
        yield address


@pytest.mark.parametrize(
    "page", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.long)], indirect=True, ids=["desktop", "phone"]
)
def test_a_whole_duel_is_played(page: Any, address: str) -> None:
    begin(page, address, "duel", red="uniform")
    play(page, by_key)
    log = page.locator("#log").inner_text()
    assert "Round 1" in log and "Stances: Knight might" in log
    assert page.locator("#moment").inner_text() in ("blue won", "red won", "A draw")
    assert fits(page)


@pytest.mark.long  # whole duels against an agent are played in the quick tests
def test_two_play_on_one_machine_and_hand_it_over(page: Any, address: str) -> None:
    begin(page, address, "duel", red="you")
    page.get_by_role("button", name="Sit down as Duelist").click()
    play(page, by_click)
    assert "Stances: Knight might, Duelist might" in page.locator("#log").inner_text()


def test_agents_are_watched(page: Any, address: str) -> None:
    begin(page, address, "duel", blue="uniform", red="duelist")
    page.get_by_text(OVER).wait_for()
    assert "won" in page.locator("#log").inner_text()


@pytest.mark.long
def test_a_fight_on_a_map_is_played_with_dashes(page: Any, address: str) -> None:
    choose = Dashes()
    begin(page, address, "bridge", red="charger")
    play(page, choose)
    assert choose.made == 3 and "dashes" in page.locator("#log").inner_text()


# -- records ---------------------------------------------------------------------------------------------------------

CHOICES = "#judged tbody tr"


@pytest.fixture(scope="module")
def record() -> str:
    """Return the record of a duel played by a person, who as the knight always took the first choice offered."""
    table = Table(Host(agents=("uniform",)), seed=5, game=PLAIN, agents={"duelist_0": "uniform"})
    table.play(lambda seat, legal: legal[0])
    return str(table.ask(type="save", fight=table.fight)["record"])


def test_a_dropped_record_is_replayed_step_by_step_and_by_itself(page: Any, address: str, record: str) -> None:
    windows = shown(record.encode())["windows"]
    told = [[line.strip() for each in window["events"] for line in each["lines"] if line.strip()] for window in windows]
    page.goto(address)
    page.evaluate(DROP, ["fight.hrr", record])
    where, moment = page.locator("#where"), page.locator("#moment")
    where.get_by_text(f"0 of {len(windows) - 1}").wait_for()
    assert lines_of(page) == told[0] and page.locator("#back").is_disabled()
    page.keyboard.press("Tab")
    page.click("#forth")
    page.locator("#reveal[open]").wait_for()
    both = page.locator("#stances").inner_text().split()
    assert both[0] == "might" and both[1::2] == ["Knight", "Duelist"], "the stances of the first window"
    page.locator("#reveal").click()
    page.locator("#reveal").wait_for(state="hidden")
    assert lines_of(page) == told[0] + told[1]
    page.click("#back")
    assert lines_of(page) == told[0] and where.inner_text().startswith("0 ")
    page.locator("#step").fill(str(len(windows) - 3))
    assert moment.inner_text().startswith("Round ") and page.get_by_role("button", name="Review").count() == 0
    page.click("#run")
    assert page.locator("#run").inner_text() == "Pause"
    page.get_by_role("button", name="Review the fight").wait_for()
    assert lines_of(page) == [line for lines in told for line in lines]
    assert page.locator("#log li.dice").count() > 5
    assert moment.inner_text().endswith(" won") and page.locator("#run").inner_text() == "Play"
    page.get_by_role("link", name="Another fight").click()
    page.locator("#lobby").wait_for()


@pytest.mark.long  # tests/app/server/test_recorded.py holds the judgement itself
@pytest.mark.parametrize(
    "page", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.long)], indirect=True, ids=["desktop", "phone"]
)
def test_advice_is_read_after_a_fight_and_not_before(page: Any, address: str, record: str) -> None:
    page.goto(address)
    page.locator("#file").set_input_files({"name": "fight.hrr", "mimeType": "", "buffer": record.encode()})
    last = page.locator("#step[max]")
    last.wait_for()
    assert page.get_by_role("button", name="Review").count() == 0 and not page.locator("#review").is_visible()
    last.fill(last.get_attribute("max"))
    page.get_by_role("button", name="Review the fight").click()
    page.locator(CHOICES).first.wait_for()
    mine = reviewed(record.encode())["seats"]["knight_0"]
    rows = [row.locator("th, td").all_inner_texts() for row in page.locator(CHOICES).all()]
    shown = [each for each in mine["choices"] if each["kind"] != "attack" or each["cost"] >= 0.0005]
    for row, choice in zip(rows, shown, strict=True):
        likeliest = max(choice["mix"], key=choice["mix"].__getitem__)
        cost = "nothing" if choice["cost"] < 0.0005 else f"{100 * choice['cost']:.1f} points"
        assert row[:4] == [str(choice["round"]), choice["choice"], choice["facing"], cost]
        assert row[4].startswith(f"{likeliest} {100 * choice['mix'][likeliest]:.0f} %")
    assert {each["kind"] for each in shown} >= {"stance", "shrug"}
    told, rounds = page.locator("#judged").inner_text(), sum(each["kind"] == "stance" for each in shown)
    assert "The equilibrium is that of this duel, exactly." in told
    assert f"Stances: might {rounds} (100 %)." in told and "blind guessing is right 1 time in 4" in told
    assert fits(page)


@pytest.mark.long
def test_a_fight_just_played_is_judged_and_what_has_no_exact_solution_says_so(page: Any, address: str) -> None:
    begin(page, address, "duel", red="uniform")
    play(page, by_key)
    page.get_by_role("button", name="Review the fight").click()
    page.locator(CHOICES).first.wait_for()
    assert page.locator(CHOICES).count() == page.locator("#log").inner_text().count("Stances: ")
    assert "no exact solution" in page.locator("#judged").inner_text()


def test_what_is_no_record_is_refused_in_a_sentence(browser: Any, address: str, record: str) -> None:
    page, sent = browser.new_page(), []
    page.on("request", lambda request: sent.append(request.url))
    page.goto(address)
    notice = page.locator("#notice")
    for content, why in (
        ("a poem", "expected the first line of a record"),
        (record.replace("might", "cunning", 1), "line"),
        ("<img src=x onerror=alert(1)>", "expected the first line of a record"),
    ):
        page.evaluate(DROP, ["fight.hrr", content])
        notice.get_by_text(why).wait_for()
        assert page.locator("#lobby").is_visible() and notice.inner_text().endswith(".")
    asked = len(sent)
    page.evaluate(DROP, ["large.hrr", " " * (LARGEST_RECORD + 1)])
    notice.get_by_text("large.hrr has more than 4 MiB").wait_for()
    assert len(sent) == asked, "what is too large is not sent"
    page.close()


@pytest.mark.long
def test_a_record_of_a_fight_on_a_map_shows_the_map(page: Any, address: str) -> None:
    table = Table(Host(agents=("charger",)), seed=5, game={"scenario": "skirmish"}, agents={})
    table.play(lambda seat, legal: legal[0])
    page.goto(address)
    page.evaluate(DROP, ["fight.hrr", table.ask(type="save", fight=table.fight)["record"]])
    page.locator("svg.ground circle").first.wait_for()
    assert page.locator("svg.ground circle").count() == 4 and page.locator("svg .goal").count() == 0
