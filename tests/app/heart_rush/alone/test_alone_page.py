"""The page without a server in a real browser that reaches no network. Skipped where no Chromium is installed."""

from __future__ import annotations

import functools
import http.server
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.records import parse_record
from heartrush_env.records.replay import check
from tests.app.cli.running import run
from tests.app.server.test_page import DROP, by_click, by_key, lines_of, play
from tests.browsing import DESKTOP, PHONE, flawless_page, launched, needs_browser
from tests.in_node import needs_compiled_kernels

pytestmark = [needs_browser, needs_compiled_kernels]
SECONDS_TO_FIRST_FIGHT = 2.0


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of a page that is one file."""
    file = tmp_path_factory.mktemp("page") / "duel.html"
    assert run("machine page --for duel", file) == 0
    return file.as_uri()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the page and every shipped scenario."""
    folder = tmp_path_factory.mktemp("page") / "public"
    assert run("machine page", folder) == 0
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """Serve the folder as a web space does, which knows nothing of the page."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as space:
        thread = threading.Thread(target=space.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{space.server_port}/"
        space.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with launched() as browser:
        yield browser


@pytest.fixture
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Yield a browser page that may ask for files and for this machine alone."""
    asked: list[str] = []
    with flawless_page(browser, getattr(request, "param", DESKTOP)) as page:
        page.on("request", lambda request: asked.append(request.url))
        yield page
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:", "http://127.0.0.1:"))] == []
    files = {url.partition("#")[0] for url in asked if url.startswith("file:")}
    assert len(files) <= 1, "a page that is one file asks for no other"


def begin(page: Any, address: str, scenario: str, **sides: str) -> float:
    """Begin a fight, and return the seconds from opening the page to its first choice."""
    opened = time.perf_counter()
    page.goto(address)
    page.locator("#begin:enabled").wait_for()
    page.select_option("#scenario", scenario)
    for team, player in sides.items():
        page.select_option(f"select[name={team}]", player)
    page.click("#begin")
    page.locator("#moment:not(:empty)").wait_for()
    return time.perf_counter() - opened


def fits(page: Any) -> None:
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not wide, "nothing may stick out at the side"


@pytest.mark.parametrize(
    "page", [DESKTOP, pytest.param(PHONE, marks=pytest.mark.long)], indirect=True, ids=["desktop", "phone"]
)
def test_a_duel_is_played_from_one_file_saved_and_replayed(page: Any, alone: str, tmp_path: Path) -> None:
    assert begin(page, alone, "duel") < SECONDS_TO_FIRST_FIGHT
    assert "duelist" in page.locator("#fighters").inner_text(), "the network is the suggested enemy"
    play(page, by_key)
    lines = lines_of(page)
    assert lines[0] == "Round 1" and any(line.startswith("Stances: Knight might") for line in lines)
    assert page.locator("#moment").inner_text() in ("blue won", "red won", "A draw")
    assert page.get_by_role("button", name="Review").count() == 0, "only the server solves duels"
    fits(page)
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


def test_two_enemies_are_watched(page: Any, alone: str) -> None:
    begin(page, alone, "mirror_duel", blue="duelist@easy", red="uniform")
    page.locator("#reveal[open]").click()
    page.locator("#log li").get_by_text("Stances: ").first.wait_for()


@pytest.mark.long
@pytest.mark.parametrize("page", [DESKTOP, PHONE], indirect=True, ids=["desktop", "phone"])
@pytest.mark.parametrize("scenario", ["skirmish", "tower"])
def test_a_fight_on_a_map_is_played_from_a_web_space(page: Any, address: str, scenario: str) -> None:
    dashes = 0

    def choose(page: Any) -> None:
        nonlocal dashes
        goals = page.locator("svg .goal")
        if dashes < 3 and goals.count():
            dashes += 1
            goals.last.click(no_wait_after=True)
            page.wait_for_timeout(20)
        else:
            by_click(page)

    assert begin(page, address, scenario) < SECONDS_TO_FIRST_FIGHT
    play(page, choose)
    told = page.locator("#log").inner_text()
    assert dashes == 3 and "runs to" in told and " won" in page.locator("#moment").inner_text()
    fits(page)


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
        page.get_by_text("The fight is over.").wait_for()
        assert "Round 1" in lines_of(page), name
        page.get_by_role("link", name="Another fight").click()
