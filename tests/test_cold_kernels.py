"""Kernels of fights that no command has compiled run as plain Python in short tests."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush import SOURCES
from heartrush_env.tabletop.kernels import PLAIN, Kernel
from heartrush_env.tabletop.records import record
from tests import cold_kernels

FIGHT = record([("rounds", "i4")])


@pytest.mark.skipif(PLAIN, reason="nothing is compiled")
@pytest.mark.parametrize("compiles", [False, True])
def test_only_if_asked_a_missing_kernel_of_fights_is_compiled(
    compiles: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def advance(fights: Any) -> None:
        fights[0].rounds += 1
        read.append(int(fights[0].rounds))  # machine code cannot append to this list

    monkeypatch.setenv("HEARTRUSH_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cold_kernels, "compiles", compiles)
    fights = np.zeros(1, FIGHT)
    if compiles:
        with pytest.raises(Exception, match="read"):
            Kernel(advance, SOURCES)(fights)
    else:
        Kernel(advance, SOURCES)(fights)
        assert read == [1]
