"""The page in a real browser: whole fights by mouse, keyboard and touch. Skipped where no Chromium is installed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

from tests.server.serving import serving

sync_api = pytest.importorskip("playwright.sync_api")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed here")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)
DESKTOP, PHONE = {"width": 1100, "height": 800}, {"width": 390, "height": 844}
OVER = "The fight is over."


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(agents=("uniform", "duelist", "charger")) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=[*QUIET])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page that fails the test if anything is written to its console as an error."""
    context = browser.new_context(viewport=getattr(request, "param", DESKTOP), reduced_motion="reduce")
    page, said = context.new_page(), []
    page.set_default_timeout(60_000)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert said == []


def begin(page: Any, address: str, scenario: str, **sides: str) -> None:
    page.goto(address)
    page.select_option("#scenario", scenario)
    for team, player in sides.items():
        page.select_option(f"select[name={team}]", player)
    page.click("#begin")


def play(page: Any, choose: Any) -> None:
    """Play to the end; each time that something may be chosen, `choose` does."""
    choices, ready = page.locator("#offers > button:enabled"), page.locator("#ready")
    over, reveal = page.get_by_text(OVER), page.locator("#reveal[open]")
    while True:
        choices.or_(over).or_(reveal).or_(ready).and_(page.locator(":visible")).first.wait_for()
        if ready.is_visible():
            ready.click()
        elif reveal.count():
            reveal.click()
            reveal.wait_for(state="hidden")
        elif over.count():
            return
        else:
            choose(page)


def by_key(page: Any) -> None:
    before = page.locator("#offers").inner_html()
    page.keyboard.press("1")
    page.wait_for_timeout(20)
    if page.locator("#offers").inner_html() == before:
        page.wait_for_timeout(50)


def by_click(page: Any) -> None:
    button = page.locator("#offers > button:enabled").first
    if button.count():
        button.click(no_wait_after=True)
        page.wait_for_timeout(20)


@pytest.mark.parametrize("page", [DESKTOP, PHONE], indirect=True, ids=["desktop", "phone"])
def test_a_whole_duel_is_played(page: Any, address: str) -> None:
    begin(page, address, "duel", red="uniform")
    play(page, by_key)
    log = page.locator("#log").inner_text()
    assert "Round 1" in log and "Stances: Knight might" in log
    assert page.locator("#moment").inner_text() in ("blue wins", "red wins", "A draw")
    wide = page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert not wide, "nothing may stick out at the side"


def test_two_play_on_one_machine_and_hand_it_over(page: Any, address: str) -> None:
    begin(page, address, "duel", red="you")
    page.get_by_role("button", name="Sit down as Duelist").click()
    play(page, by_click)
    assert "Stances: Knight might, Duelist might" in page.locator("#log").inner_text()


def test_agents_are_watched(page: Any, address: str) -> None:
    begin(page, address, "duel", blue="uniform", red="duelist")
    page.get_by_text(OVER).wait_for()
    assert "wins" in page.locator("#log").inner_text()


@pytest.mark.long
def test_a_fight_on_a_map_is_played_with_dashes(page: Any, address: str) -> None:
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

    begin(page, address, "bridge", red="charger")
    play(page, choose)
    assert dashes == 3 and "dashes" in page.locator("#log").inner_text()
