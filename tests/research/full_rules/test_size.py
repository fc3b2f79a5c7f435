"""The lower bound on a duel's positions, by hand and against the positions found; large duels are refused at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.full_rules import solve as full_rules
from heartrush_env.research.full_rules.size import least_positions
from heartrush_env.research.full_rules.solve import solve_by_play
from heartrush_env.research.zero_sum import SolverError
from tests.reference.solver import Duelist
from tests.research.duels import game_of


def test_a_number_by_hand() -> None:
    """With d4s and ultralight weapons a hit deals up to 4 + 4 + 4 - 2. Of 3 and 2 hit points the fighters may lose 2
    and 1, in one round each: 1 state before any round, 3 more after one, 2 more after two. A d6 may become a d4 by
    shrugging off a hit."""
    game = game_of(Duelist(hp=3), Duelist(hp=2))
    assert [least_positions(game, rounds) for rounds in (1, 2, 3, 9)] == [1, 4, 6, 6]
    game = game_of(Duelist(hp=3, heart=6), Duelist())
    assert [least_positions(game, rounds) for rounds in (1, 2, 9)] == [1, 5, 5]
    assert least_positions(game_of(Duelist(hp=3, armor=10), Duelist(hp=3, armor=10)), 9) == 1


def test_levels_by_hand() -> None:
    """Of two levels of one condition, one is left after a round: three new vectors; in all 32, as in the game notes."""
    levels = {"profile": "levels"}
    game = game_of(Duelist(), Duelist(), rules=levels)
    assert [least_positions(game, rounds) for rounds in (1, 2, 50)] == [1, 4, 32]


@pytest.mark.parametrize(
    ("first", "second", "rules", "rounds"),
    [
        pytest.param(
            Duelist(hp=4, heart=6), Duelist(hp=5, heart=8, armor=2), {"profile": "plain"}, 4, marks=pytest.mark.long
        ),
        pytest.param(Duelist(hp=2, heart=6), Duelist(hp=2), {"profile": "levels"}, 3, marks=pytest.mark.long),
        pytest.param(
            Duelist(fights_on=True),
            Duelist(fights_on=True),
            {"profile": "levels", "cunning_split": False},
            3,
            marks=pytest.mark.long,
        ),
    ],
)
def test_no_fewer_are_found(first: Duelist, second: Duelist, rules: dict[str, Any], rounds: int) -> None:
    game = game_of(first, second, rules=rules, max_rounds=rounds)
    found = len(solve_by_play(game).graph.words)
    assert 1 < least_positions(game, rounds) <= found


def test_what_has_too_many_is_refused_before_any_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def work(*_: object, **__: object) -> None:
        raise AssertionError("it worked")

    game = HeartRush("duel")
    monkeypatch.setattr(full_rules, "Search", work)
    monkeypatch.setattr(HeartRush, "batch", work)
    with pytest.raises(SolverError, match=r"expected at most 200000 positions \(max_positions\), got at least \d+"):
        solve_by_play(game)
    assert np.log10(least_positions(game, 200)) > 5
