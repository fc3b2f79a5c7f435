"""Tests of rules run in plain Python, so that kernels need not be compiled for fights of a single round.

The long tests run them compiled, too (`make test-long`). Other tests play the usual kinds of fights compiled.
"""

import os
from collections.abc import Iterator

import numpy as np
import pytest

from heartrush_env.tabletop.kernels import noting

COMPILED = "HEARTRUSH_COMPILED_RULES"  # if this variable is set, tests of rules compile kernels


@pytest.fixture(autouse=True)
def plain_rules(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run kernels as plain Python in tests below a folder of rules."""
    if os.environ.get(COMPILED) or "rules" not in request.path.parts:
        yield
        return
    with noting(), np.errstate(over="ignore"):
        yield
