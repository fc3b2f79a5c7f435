"""The page without a server in a real browser that reaches no network. Skipped where no Chromium is installed."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.records import parse_record
from heartrush_env.records.replay import check
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
from tests.in_node import needs_compiled_kernels

pytestmark = [needs_browser, needs_compiled_kernels, pytest.mark.usefixtures("asks_for_itself")]
SECONDS_TO_FIRST_FIGHT = 2.0
USE, ABILITIES = re.compile("^.?use "), ("Feint", "Action Surge", "Maledict", "Tumble", "Rejuvenate", "Cry of Defiance")


def begun_after(page: Any, address: str, scenario: str) -> float:
    """Begin a fight, and return the seconds from opening the page to its first choice."""
    opened = time.perf_counter()
    begin(page, address, scenario)
    page.locator("#moment:not(:empty)").wait_for()
    return time.perf_counter() - opened


@pytest.mark.parametrize(
    "page", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.long)], indirect=True, ids=["desktop", "phone"]
)
def test_a_duel_is_played_from_one_file_saved_and_replayed(page: Any, alone: str, tmp_path: Path) -> None:
    assert begun_after(page, alone, "duel") < SECONDS_TO_FIRST_FIGHT
    assert "duelist" in page.locator("#fighters").inner_text(), "the network is the suggested enemy"
    play(page, by_key)
    lines = lines_of(page)
    assert lines[0] == "Round 1" and any(line.startswith("Stances: Knight might") for line in lines)
    assert page.locator("#moment").inner_text() in ("blue won", "red won", "A draw")
    assert page.get_by_role("button", name="Review").count() == 0, "only the server solves duels"
    assert fits(page)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save the record").click()
    saved = tmp_path / "fight.hrr"
    saving.value.save_as(saved)
    check(parse_record(saved.read_bytes()))
    page.get_by_role("button", name="Replay the fight").click()
    page.locator("#where").get_by_text("0 of").wait_for()
    last = page.locator("#step")
    last.fill(last.get_attribute("max"))
    assert lines_of(page) == lines


def test_a_fight_goes_on_after_the_tab_was_closed_and_from_a_file(page: Any, alone: str, tmp_path: Path) -> None:
    begin(page, alone, "duel", red="uniform")
    by_key(page)
    page.locator("#reveal").click()
    page.locator("#offers > button:enabled").first.wait_for()
    lines, moment = lines_of(page), page.locator("#moment").inner_text()
    page.goto("about:blank")
    page.goto(alone)
    page.locator("#fights a").first.click()
    page.locator("#offers > button:enabled").first.wait_for()
    assert (lines_of(page), page.locator("#moment").inner_text()) == (lines, moment)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save this fight to a file").click()
    saved = tmp_path / "fight.json"
    saving.value.save_as(saved)
    page.evaluate("localStorage.clear()")
    page.goto("about:blank")
    page.goto(alone)
    page.locator("#fights").get_by_text("None yet.").wait_for()
    page.locator("#file").set_input_files(saved)
    page.locator("#offers > button:enabled").first.wait_for()
    assert lines_of(page) == lines
    play(page, by_key)


def test_files_that_do_not_fit_are_refused_in_one_sentence(page: Any, alone: str) -> None:
    page.goto(alone)
    page.locator("#begin:enabled").wait_for()
    edited = json.dumps({"format": "heartrush-page-fight", "version": 9}, separators=(",", ":"))
    for name, content, sentence in (
        ("notes.txt", "<img src=x>", "The record, line 1: expected a line that a recorder wrote, got invalid JSON."),
        ("fight.json", edited, "The fight: expected the format heartrush-page-fight 1, got heartrush-page-fight 9."),
        (
            "fight.hrr",
            '{"format":"<b>"}\n{}',
            "The record, line 1: expected the format heartrush-record 1, got <b> undefined.",
        ),
    ):
        page.evaluate(DROP, [name, content])
        page.locator("#notice").get_by_text(sentence, exact=True).wait_for()


def test_a_key_that_turns_the_reveal_away_chooses_nothing(page: Any, alone: str) -> None:
    begin(page, alone, "duel", red="uniform")
    page.locator("#offers > button:enabled").first.wait_for()
    page.evaluate("window.chosen = 0; document.getElementById('offers').addEventListener('click', () => chosen++)")
    page.keyboard.press("1")
    page.locator("#reveal[open]").wait_for()
    page.keyboard.press("1")
    page.locator("#reveal").wait_for(state="hidden")
    page.wait_for_timeout(50)
    assert page.evaluate("chosen") == 1


def test_two_enemies_are_watched(page: Any, alone: str) -> None:
    begin(page, alone, "mirror_duel", blue="duelist@easy", red="uniform")
    page.locator("#reveal[open]").click()
    page.locator("#log li").get_by_text("Stances: ").first.wait_for()


@pytest.mark.long
@pytest.mark.parametrize("page", [DESKTOP, PHONE], indirect=True, ids=["desktop", "phone"])
@pytest.mark.parametrize("scenario", ["skirmish", "tower"])
def test_a_fight_on_a_map_is_played_from_a_web_space(page: Any, address: str, scenario: str) -> None:
    choose = Dashes()
    assert begun_after(page, address, scenario) < SECONDS_TO_FIRST_FIGHT
    play(page, choose)
    told = page.locator("#log").inner_text()
    assert choose.made == 3 and "runs to" in told and " won" in page.locator("#moment").inner_text()
    assert fits(page)


class Uses:
    """Uses an ability wherever one is offered, and otherwise dashes or takes the first choice."""

    def __init__(self) -> None:
        """Begin without a use."""
        self.dashes, self.used = Dashes(), set[str]()

    def __call__(self, page: Any) -> None:
        use = page.locator("#offers > button:enabled").get_by_text(USE).first
        if not use.count():
            self.dashes(page)
            return
        words = use.inner_text()
        self.used.update(ability for ability in ABILITIES if ability in words)
        use.click(no_wait_after=True)
        page.wait_for_timeout(20)


@pytest.mark.long
@pytest.mark.parametrize("page", [DESKTOP, PHONE], indirect=True, ids=["desktop", "phone"])
def test_a_fight_with_abilities_on_a_map_is_played_from_a_web_space(page: Any, address: str) -> None:
    choose = Uses()
    assert begun_after(page, address, "gatehouse") < SECONDS_TO_FIRST_FIGHT
    play(page, choose)
    told, moment = page.locator("#log").inner_text(), page.locator("#moment").inner_text()
    assert choose.dashes.made == 3 and "runs to" in told
    assert {"Maledict", "Action Surge"} <= choose.used and all(ability in told for ability in choose.used)
    assert " won" in moment or moment == "A draw"
    assert fits(page)


@pytest.mark.long
def test_a_team_is_led_from_a_web_space(page: Any, address: str) -> None:
    begin(page, address, "melee")
    play(page, by_click)
    assert "Archer attacks" in page.locator("#log").inner_text()


@pytest.mark.long
def test_every_scenario_is_watched_to_its_end(page: Any, address: str, folder: Path) -> None:
    names = json.loads((folder / "page.json").read_text(encoding="utf-8"))["scenarios"]
    for name, scenario in names.items():
        page.goto(address)
        page.locator("#begin:enabled").wait_for()
        page.select_option("#scenario", name)
        enemy = "raider" if scenario["ground"] else "uniform"
        for team in scenario["teams"]:
            page.select_option(f"select[name={team}]", enemy)
        page.evaluate("setInterval(() => document.getElementById('reveal').click(), 5)")  # one reveal follows another
        page.click("#begin")
        page.get_by_text(OVER).wait_for()
        assert "Round 1" in lines_of(page), name
        page.get_by_role("link", name="Another fight").click()
