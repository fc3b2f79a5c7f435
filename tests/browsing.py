"""A real browser for tests of pages; these tests are skipped if no Chromium is installed."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

sync_api = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed here")
QUIET = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
QUIET += ["--disable-background-networking", "--disable-component-update"]
DESKTOP, PHONE = {"width": 1100, "height": 800}, {"width": 390, "height": 844}


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
