"""Tests of abilities run in plain Python, so that fights with abilities on maps need not be compiled for them.

Long runs compile them, and tests/fights/test_loadouts.py plays compiled fights of random loadouts.
"""

import os
from collections.abc import Iterator

import numpy as np
import pytest

from heartrush_env.tabletop.kernels import noting

COMPILED = "HEARTRUSH_COMPILED_ABILITIES"  # set, tests of abilities compile all the same


@pytest.fixture(autouse=True)
def _plain() -> Iterator[None]:
    if os.environ.get(COMPILED):
        yield
        return
    with noting(), np.errstate(over="ignore"):
        yield
