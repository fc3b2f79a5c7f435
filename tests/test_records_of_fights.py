"""The kinds of fights: one that begins with all fields of another could be played by code compiled for the other."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from numba import from_dtype

from heartrush_env.heart_rush.engine.state import MAP_MATCH, MATCH, TURN_MAP_MATCH, TURN_MATCH

KINDS = {"plain": MATCH, "map": MAP_MATCH, "turns": TURN_MATCH, "turns on a map": TURN_MAP_MATCH}


def fighter_of(kind: np.dtype[Any]) -> Any:
    fighters = kind["fighters"].subdtype
    assert fighters is not None
    return from_dtype(fighters[0])


@pytest.mark.parametrize(("one", "other"), list(permutations(KINDS, 2)))
def test_no_kind_of_fight_passes_for_another(one: str, other: str) -> None:
    assert from_dtype(KINDS[one]).can_convert_to(None, from_dtype(KINDS[other])) is None
    assert fighter_of(KINDS[one]).can_convert_to(None, fighter_of(KINDS[other])) is None
