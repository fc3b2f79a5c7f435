"""A browser for the tests of pages, and a page in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Run a browser for the tests of a file."""
    from tests.browsing import launched  # only here, because it skips a file if no driver of browsers is installed

    with launched() as browser:
        yield browser


@pytest.fixture
def page(browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Yield a page that logs no errors, of the size of a desktop's or of that by which a test is parametrized."""
    from tests.browsing import DESKTOP, flawless_page

    with flawless_page(browser, getattr(request, "param", DESKTOP)) as page:
        yield page


@pytest.fixture
def asks_for_itself(page: Any) -> Iterator[None]:
    """Check that a page asks for at most one file, and for nothing on another machine."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.partition("#")[0]))
    yield
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:", "http://127.0.0.1:"))] == []
    assert len({url for url in asked if url.startswith("file:")}) <= 1
