"""One server for all starter-kit tests of a module; it accepts requests from the pages of a Foundry."""

from collections.abc import Iterator

import pytest

from heartrush_env.app.server.limits import Limits
from tests.app.server.serving import serving

FOUNDRY = "http://localhost:30000"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(Limits(rate=0, origins=(FOUNDRY,)), agents=("uniform", "duelist", "random")) as address:
        yield address
