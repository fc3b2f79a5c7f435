"""The page of a JavaScript bundle, opened from its file in a real browser. Skipped where no Chromium is installed."""

from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.cli.main import main
from tests.browsing import DESKTOP, PHONE, by_key, fits, needs_browser, play

pytestmark = [needs_browser, pytest.mark.usefixtures("asks_for_itself")]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("export") / "duelist"
    assert main(["agent", "export", "duelist", "--to", "js", "--out", str(folder)]) == 0
    alone = Path(tmp_path_factory.mktemp("alone")) / "duel.html"
    (folder / "index.html").rename(alone)  # the page needs none of the other files
    return alone.as_uri()


@pytest.mark.parametrize(
    "page", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.long)], indirect=True, ids=["desktop", "phone"]
)
def test_a_whole_duel_is_played_from_a_file(page: Any, file: str) -> None:
    page.goto(file)
    page.click("#begin")
    keys = cycle("121")
    play(page, lambda page: by_key(page, next(keys)))
    log = page.locator("#log").inner_text()
    assert "Round 1" in log and "Stances: Knight " in log and "Duelist had mixed " in log
    assert " defends: heart d" in log or " rolls heart d" in log, "an attack that the target contests has no defense"
    ending = page.locator("#moment").inner_text()
    fallen = page.locator("#fighters .out h3").all_inner_texts()
    names = {"You win": ["Duelist"], "You lose": ["Knight"], "A draw": ["Knight", "Duelist"]}
    assert [text.split()[0] for text in fallen] == names[ending]
    assert fits(page)


def test_the_other_seat_and_an_easier_enemy_can_be_chosen(page: Any, file: str) -> None:
    page.goto(file)
    page.select_option("#seat", "duelist_0")
    page.select_option("#level", "easy")
    page.click("#begin")
    assert page.locator("#asked").inner_text() == "Duelist: choose"
    page.keyboard.press("3")
    page.locator("#reveal").click()
    log = page.locator("#log").inner_text()
    assert "Duelist cunning" in log
    mixed = next(line for line in log.splitlines() if "Knight had mixed" in line)
    assert "defensive" in mixed, "an easy enemy makes mistakes in 65 % of its decisions"


def test_nothing_of_the_enemy_shows_before_the_reveal(page: Any, file: str) -> None:
    page.goto(file)
    page.click("#begin")
    shown = page.locator("body").inner_text()
    assert "had mixed" not in shown and "Stances:" not in shown


def test_a_key_that_turns_the_reveal_away_chooses_nothing(page: Any, file: str) -> None:
    page.goto(file)
    page.click("#begin")
    page.evaluate("window.chosen = 0; document.getElementById('offers').addEventListener('click', () => chosen++)")
    for turn in range(1, 30):
        page.keyboard.press("1")
        page.locator("#reveal[open]").or_(page.locator("#offers > button")).first.wait_for()
        if page.locator("#reveal[open]").count():
            page.keyboard.press("1")
            page.locator("#offers > button").first.wait_for()
            assert page.evaluate("chosen") == turn
            return
    raise AssertionError("no stances were revealed")


def test_an_agent_that_was_exported_with_a_level_plays_at_that_level(page: Any, tmp_path: Path) -> None:
    assert main(["agent", "export", "duelist@easy", "--to", "js", "--out", str(tmp_path / "easy")]) == 0
    page.goto((tmp_path / "easy" / "index.html").as_uri())
    assert not page.locator("#level").is_visible()
    page.click("#begin")
    page.keyboard.press("1")
    page.locator("#reveal").click()
    mixed = next(line for line in page.locator("#log").inner_text().splitlines() if "Duelist had mixed" in line)
    assert "defensive" in mixed, "an easy enemy makes mistakes in 65 % of its decisions"


def test_the_page_can_be_read_aloud(page: Any, file: str) -> None:
    """Every control has a name for screen readers, and the focus moves on after a choice."""
    page.goto(file)
    assert page.get_by_label("You are").count() == 1 and page.get_by_label("Level of your enemy, duelist").count() == 1
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "asked"
    names = [page.get_by_role("button", name=stance, exact=True) for stance in ("might", "agility", "cunning")]
    assert all(button.count() == 1 for button in names)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("dialog", name="The reveal").wait_for()
    assert page.get_by_role("log").inner_text().startswith("Round 1")
