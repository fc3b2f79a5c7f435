"""A server that the tests of a file share."""

from collections.abc import Iterator

import pytest

from tests.app.server.serving import serving


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server of `AGENTS`."""
    with serving() as address:
        yield address
