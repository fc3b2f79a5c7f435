"""The starter kit for web pages in a real browser, opened from a file, so its origin is not the server's."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from heartrush_env.app.server.limits import Limits
from tests.app.server.serving import serving
from tests.browsing import PHONE, launched, needs_browser
from tests.clients.unreliable import GAPS, told_in, unreliable

pytestmark = needs_browser
KIT = Path(__file__).resolve().parents[2] / "clients" / "browser" / "fight.html"


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    with launched() as browser:
        page = browser.new_page(viewport=PHONE)
        page.set_default_timeout(60_000)
        yield page


def opened(page: Any, address: str) -> None:
    page.goto(f"{KIT.as_uri()}?server={quote(address)}")


def to_the_end(page: Any) -> None:
    """Choose the first offer of every window until the fight is over."""
    offer, over = page.locator("#offers > button"), page.get_by_text("won.")
    while True:
        offer.or_(over).first.wait_for()
        if over.count():
            return
        page.evaluate("document.querySelector('#offers > button')?.click()")


@pytest.mark.parametrize("restart", [False, pytest.param(True, marks=pytest.mark.long)], ids=["cut", "restarted"])
def test_a_fight_of_a_page_goes_on_after_each_lost_connection(restart: bool, page: Any, tmp_path: Path) -> None:
    store = tmp_path / "fights.sqlite"
    with unreliable(store, (8, *GAPS[1:]), restart=restart, origins=("null",)) as relay:
        opened(page, relay.address)
        page.locator("#enemy option").first.wait_for(state="attached")
        page.click("text=Fight >> nth=-1")
        to_the_end(page)
        log = page.locator("#log").inner_text()
        assert relay.cuts > 5
    assert sorted(line for line in log.split("\n") if line) == sorted(line for line in told_in(store) if line)


def test_a_page_of_another_origin_plays_a_fight(page: Any) -> None:
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    with serving(Limits(rate=0, origins=("null",)), agents=("uniform", "random")) as address:
        opened(page, address)
        page.locator("#enemy option").first.wait_for(state="attached")
        assert page.locator("#enemy option").all_inner_texts() == ["uniform", "random"]
        page.click("text=Fight >> nth=-1")
        offer = page.locator("#offers > button")
        offer.first.wait_for()
        assert offer.all_inner_texts() == ["might", "agility", "cunning", "defensive"]
        to_the_end(page)
        lines = page.locator("#log").inner_text().splitlines()
        assert "Round 1" in lines and any("Stances: Knight might, Duelist" in line for line in lines)
        winner = page.locator("#standing").inner_text().removesuffix(" won.")
        assert any(line.startswith(f"{winner.capitalize()} won: ") for line in lines) or winner == "Nobody"
        assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    assert said == []


def test_a_page_that_the_server_does_not_know_is_told_how(page: Any) -> None:
    with serving(Limits(rate=0), agents=("uniform",)) as address:
        opened(page, address)
        page.get_by_text("does not answer this page. Does it run, with --allow-origin null?").wait_for()
