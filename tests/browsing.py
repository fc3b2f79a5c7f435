"""A real browser for tests of pages, and fights in it; these tests are skipped if no Chromium is installed."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here")
QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
QUIET += ["--disable-background-networking", "--disable-component-update"]
DESKTOP, PHONE = {"width": 1100, "height": 800}, {"width": 390, "height": 844}
OVER = "The fight is over."
MOST = 3000  # choices and reveals of a fight
DROP = """async ([name, content]) => {
  const given = new DataTransfer();
  given.items.add(new File([content], name));
  for (const type of ["dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(type, { dataTransfer: given, bubbles: true, cancelable: true }));
  }
}"""


@contextmanager
def launched() -> Iterator[Any]:
    """Run a browser for the length of a block."""
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@contextmanager
def flawless_page(browser: Any, size: Mapping[str, int]) -> Iterator[Any]:
    """Open a page for the length of a block, and check at the end that it logged no errors."""
    context = browser.new_context(viewport=size, reduced_motion="reduce")
    page, said = context.new_page(), []
    page.set_default_timeout(60_000)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    yield page
    context.close()
    assert said == []


def begin(page: Any, address: str, scenario: str, **sides: str) -> None:
    """Open a page and begin a fight of a scenario, with these players in place of the suggested ones."""
    page.goto(address)
    page.locator("#begin:enabled").wait_for()
    page.select_option("#scenario", scenario)
    for team, player in sides.items():
        page.select_option(f"select[name={team}]", player)
    page.click("#begin")


def play(page: Any, choose: Callable[[Any], None]) -> None:
    """Play to the end, calling `choose` each time that a choice is offered."""
    choices, ready = page.locator("#offers > button:enabled"), page.locator("#ready")
    over, reveal = page.get_by_text(OVER), page.locator("#reveal[open]")
    for _ in range(MOST):
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
    raise AssertionError("the fight does not end")


def by_key(page: Any, key: str = "1") -> None:
    """Press the key of a choice, once there is one."""
    page.locator("#offers > button:enabled").first.wait_for()
    before = page.locator("#offers").inner_html()
    page.keyboard.press(key)
    page.wait_for_timeout(20)
    if page.locator("#offers").inner_html() == before:
        page.wait_for_timeout(50)


def by_click(page: Any) -> None:
    """Click the first choice."""
    button = page.locator("#offers > button:enabled").first
    if button.count():
        button.click(no_wait_after=True)
        page.wait_for_timeout(20)


class Dashes:
    """Dashes to the last square on the map the first three times that squares are offered, and else clicks."""

    def __init__(self) -> None:
        """Begin without a dash."""
        self.made = 0

    def __call__(self, page: Any) -> None:
        goals = page.locator("svg .goal")
        if self.made < 3 and goals.count():
            self.made += 1
            goals.last.click(no_wait_after=True)
            page.wait_for_timeout(20)
        else:
            by_click(page)


def lines_of(page: Any) -> list[str]:
    """Return the lines of the account."""
    return [str(line) for line in page.locator("#log li").all_inner_texts()]


def fits(page: Any) -> bool:
    """Return whether nothing sticks out at the side of the page."""
    return not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
