"""The page without a server in Firefox. Skipped where it is not installed."""

import time
from collections.abc import Iterator

import pytest

from tests.browsing import DESKTOP, OVER, PHONE
from tests.firefox import Page, needs_firefox, opened
from tests.in_node import needs_compiled_kernels

pytestmark = [needs_firefox, needs_compiled_kernels]
MOST = 3000  # choices and reveals of a fight
READY = "!document.getElementById('begin').disabled"
ASKED = "document.getElementById('asked').textContent"
WAITS = "!document.querySelector('#reveal[open], #offers > button:enabled')"
# The place of the last square that a dash reaches, where it can be clicked.
GOAL = """(() => {
  const goal = [...document.querySelectorAll("svg .goal")].at(-1);
  if (!goal || document.querySelector("#reveal[open]")) return null;
  goal.scrollIntoView({ block: "start" });
  const { x, y, width, height } = goal.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
})()"""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with opened() as page:
        yield page


def waited(page: Page, condition: str) -> None:
    """Wait until a condition is true in the page."""
    until = time.monotonic() + 60
    while not page.run(condition):
        assert time.monotonic() < until, f"{condition} is still false"


def begin(page: Page, scenario: str) -> None:
    """Begin a fight of a scenario."""
    waited(page, READY)
    chosen = "document.getElementById('scenario')"
    page.run(f"({chosen}.value = '{scenario}', {chosen}.dispatchEvent(new Event('change')))")
    waited(page, READY)
    page.run("document.getElementById('begin').click()")


def play(page: Page, dashes: int = 0) -> str:
    """Play to the end by the key of the first choice, after some dashes by the mouse; return the account."""
    for _ in range(MOST):
        waited(page, f"{ASKED} === '{OVER}' || !({WAITS})")
        if page.run(ASKED) == OVER:
            assert dashes == 0
            return str(page.run("document.getElementById('log').innerText"))
        goal = page.run(GOAL) if dashes else None
        if goal:
            page.click(*goal)
            dashes -= 1
        else:
            page.press("1")
    raise AssertionError("the fight does not end")


def test_a_duel_is_played_from_one_file(page: Page, alone: str) -> None:
    page.open(alone, DESKTOP)
    begin(page, "duel")
    told = play(page)
    assert told.startswith("Round 1") and "Stances: Knight might" in told
    assert page.run("document.getElementById('moment').textContent") in ("blue won", "red won", "A draw")


@pytest.mark.long
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_fight_with_abilities_on_a_map_is_played_from_a_web_space(
    page: Page, address: str, size: dict[str, int]
) -> None:
    page.open(address, size)
    begin(page, "gatehouse")
    assert "Knight runs to" in play(page, dashes=3)
