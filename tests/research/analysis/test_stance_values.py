"""The values of stances and shrugs: by hand with 1 and 2 hp, and against the values of best responses."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.analysis.stance_values import mix_exploitability, shrug_values, stance_values
from heartrush_env.research.best_response import best_response
from heartrush_env.research.solve import solve
from heartrush_env.research.zero_sum import SolverError
from tests.reference.solver import Duelist
from tests.research.analysis.duels import GAMES, STRIKE, even_duel, random_policy
from tests.research.duels import UNEVEN, game_of

START = (1, 1, 4, 4)


def test_the_stance_game_of_equals_with_one_hit_point_by_hand() -> None:
    """A stance that beats the other attacks alone, and wins with probability STRIKE. All attacking stances may hit the
    defensive stance, and half a hit of 1 is still 1. Contests of equals and two defensive stances are even."""
    win = STRIKE
    by_hand = [[0, -win, win, win], [win, 0, -win, win], [-win, win, 0, win], [-win, -win, -win, 0]]
    for seat in (0, 1):
        found = stance_values(solve(even_duel()), START, seat)
        assert found.matrix == pytest.approx(np.array(by_hand), abs=1e-12)
        assert found.worth == pytest.approx([0, 0, 0, -win], abs=1e-12)
        assert found.mix == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_the_best_stance_against_somebody_is_worth_what_the_best_answer_is(game: HeartRush, seat: int) -> None:
    table = solve(game)
    theirs = table.duel.turned() if seat == 0 else table.duel
    policy = random_policy(theirs, 2)
    values = best_response(policy, table.rounds).values
    for state in ((9, 7, 6, 8), (3, 5, 4, 6), (1, 1, 4, 4)):
        h1, h2, k1, k2 = table.place(state)
        place = (h1, h2, k1, k2) if seat == 0 else (h2, h1, k2, k1)
        assert stance_values(table, state, seat, policy).worth.max() == pytest.approx(values[place], abs=1e-10)
    with pytest.raises(SolverError, match=f"expected a policy of seat {1 - seat}"):
        stance_values(table, (9, 7, 6, 8), seat, random_policy(theirs.turned(), 2))


def test_what_shrugging_off_is_worth_by_hand() -> None:
    """At 2 hp, a hit of 1 leaves 1 hp even if it is shrugged off, so the heart die is kept. A hit of 2 kills unless it
    is halved to 1. From 3 on, shrugging off does not help."""
    table = solve(game_of(Duelist(hp=2, heart=6), Duelist(hp=2, heart=6), max_rounds=10_000))
    found = shrug_values(table, (2, 2, 6, 6))
    values = table.values[0]
    assert found.damage[:3].tolist() == [1, 2, 3]
    assert found.taken[:3] == pytest.approx([values[1, 2, 1, 1], -1, -1])
    assert found.shrugged[:3] == pytest.approx([values[1, 2, 0, 1], values[1, 2, 0, 1], -1])
    assert found.least == 2
    assert found.worth == pytest.approx(found.chances[1] * (values[1, 2, 0, 1] + 1))
    other = shrug_values(table, (2, 2, 6, 6), 1)
    assert (other.taken, other.worth) == (pytest.approx(found.taken), pytest.approx(found.worth))
    none = shrug_values(table, (2, 2, 4, 6))
    assert none.least is None and none.worth == 0


def test_chances_of_hits_by_all_throws() -> None:
    """Equals mix evenly: a fighter is attacked alone in 1/3 of all rounds, and is in a contest in another 1/3."""
    found = shrug_values(solve(even_duel(hp=2)), (2, 2, 4, 4))
    struck, contested = np.zeros(12), np.zeros(12)
    for throw in product(range(1, 5), repeat=5):
        struck[max(0, sum(throw[:3]) - sum(throw[3:]))] += 1 / 4**5
    for throw in product(range(1, 5), repeat=6):
        contested[max(0, sum(throw[:3]) - sum(throw[3:]))] += 1 / 4**6
    by_hand = struck / 3 + contested / 3
    assert found.chances == pytest.approx(by_hand[found.damage])
    assert found.damage.tolist() == list(range(1, 11))


def test_what_a_mix_loses_by_hand() -> None:
    table = solve(even_duel())
    for seat in (0, 1):
        assert mix_exploitability(table, START, [5, 5, 5, 0], seat) == pytest.approx(0, abs=1e-12)
        assert mix_exploitability(table, START, [1, 0, 0, 0], seat) == pytest.approx(STRIKE)
        assert mix_exploitability(table, START, [1, 1, 0, 0], seat) == pytest.approx(STRIKE / 2)  # to agility
    with pytest.raises(SolverError, match="a probability of at least 0 for each of might"):
        mix_exploitability(table, START, [1, 0, 0])


def test_what_is_no_state_is_refused() -> None:
    table = solve(game_of(*UNEVEN, max_rounds=5))
    with pytest.raises(SolverError, match=", in which the duel is over"):
        stance_values(table, (0, 7, 6, 8))
    with pytest.raises(SolverError, match="Expected a state with hit points from 0 to"):
        shrug_values(table, (10, 7, 6, 8))
    with pytest.raises(SolverError, match="rounds left: expected at least 1, got 0"):
        stance_values(table, (9, 7, 6, 8), rounds_left=0)
    with pytest.raises(SolverError, match="expected 0 to 5"):
        shrug_values(table, (9, 7, 6, 8), rounds_left=6)


def test_levels_are_refused_by_name() -> None:
    from heartrush_env.research.duel import refuse_levels

    with pytest.raises(SolverError, match="the setting levels is on"):
        refuse_levels(HeartRush("duel", {"profile": "levels"}), "analysed")
    refuse_levels(HeartRush("duel", {"profile": "plain"}), "analysed")
