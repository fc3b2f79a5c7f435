"""A server shared by the tests of a file."""

from collections.abc import Iterator

import pytest

from tests.app.server.serving import serving


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Yield the address of a server of `AGENTS`."""
    with serving() as address:
        yield address
