"""Where policies lose value: by hand on tiny duels, and the sum of all leaks against exact best responses."""

from __future__ import annotations

import numpy as np
import pytest
from heartrush_agents import load

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.analysis.leaks import leaks
from heartrush_env.research.analysis.round_values import best_answer, solved, visits
from heartrush_env.research.best_response import (
    best_response,
    exploitability,
    head_to_head,
    read_policies,
    solved_policies,
)
from heartrush_env.research.solve import solve
from heartrush_env.research.zero_sum import SolverError
from tests.reference.solver import Duelist, Table
from tests.research.analysis.duels import GAMES, STRIKE, even_duel, random_policy
from tests.research.duels import LONG, UNEVEN, game_of


def test_who_always_takes_might_leaks_the_chance_of_a_strike_each_round() -> None:
    """With 1 hp each, the duel is worth 0. Agility beats might and is not attacked back, so might loses a round with
    probability STRIKE. There are 1 / STRIKE rounds on average, each costs STRIKE, and the total is 1."""
    table = solve(even_duel())
    policy = read_policies(load("might").seat(table.duel.game), table)[0]
    found = leaks(table, policy, best_answer(table, policy)[0])
    assert found.total == pytest.approx(1, abs=1e-12)
    [worst] = found.worst(5)
    assert worst.state == (1, 1, 4, 4)
    assert worst.rounds == pytest.approx(1 / STRIKE)
    assert (worst.loss, worst.regret) == (pytest.approx(1), pytest.approx(STRIKE))


def test_an_even_mix_of_equals_leaks_nothing() -> None:
    table = solve(even_duel(hp=4))
    policy = read_policies(load("uniform").seat(table.duel.game), table)[1]
    found = leaks(table, policy, best_answer(table, policy)[0])
    assert found.total == pytest.approx(0, abs=1e-12)
    assert np.abs(found.regrets).max() < 1e-12


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("seat", [0, 1])
def test_leaks_sum_to_what_is_lost(game: HeartRush, seat: int) -> None:
    """The performance difference identity holds for a random policy against four opponents: its leaks sum to the value
    that it loses. Against the best response, this loss is the exploitability."""
    table = solve(game)
    duel = table.duel if seat == 0 else table.duel.turned()
    policy, sign = random_policy(duel, 7), 1 if seat == 0 else -1
    answer = best_answer(table, policy)[0]
    lost = leaks(table, policy, answer).total
    pair = (policy, solved(table, 1)) if seat == 0 else (solved(table, 0), policy)
    assert lost == pytest.approx(exploitability(table, pair).gains[seat], abs=1e-11)
    for opponent in (solved(table, 1 - seat), random_policy(duel.turned(), 8), answer):
        pair = (policy, opponent) if seat == 0 else (opponent, policy)
        value = head_to_head(*pair, table.rounds)
        assert leaks(table, policy, opponent).total == pytest.approx(sign * (table.value - value), abs=1e-11)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_no_round_costs_more_than_its_regret_nor_less_than_nothing_against_the_solution(game: HeartRush) -> None:
    table = solve(game)
    policy = random_policy(table.duel, 3)
    by_solution = leaks(table, policy, solved(table, 1))
    accuracy = 1e-12 if table.rounds is None else 1e-6  # mixes by rounds left are kept in single precision
    assert by_solution.losses.min() > -accuracy
    for opponent in (solved(table, 1), best_answer(table, policy)[0], random_policy(table.duel.turned(), 4)):
        found = leaks(table, policy, opponent)
        assert (found.losses <= found.regrets + 1e-12).all()


def test_the_solution_leaks_nothing() -> None:
    table = solve(GAMES["mutual contests"])
    for seat, policy in enumerate(solved_policies(table)):
        assert leaks(table, policy, best_answer(table, policy)[0]).total == pytest.approx(0, abs=1e-9)
        assert leaks(table, policy, solved(table, 1 - seat)).total == pytest.approx(0, abs=1e-9)


def test_regions_add_up() -> None:
    table = solve(GAMES["without a cap"])
    policy = random_policy(table.duel, 5)
    found = leaks(table, policy, best_answer(table, policy)[0])
    for regions in (found.by_hearts(), found.by_hit_points(), found.by_hit_points(20)):
        assert sum(leak.loss for leak in regions) == pytest.approx(found.total)
        assert sum(leak.rounds for leak in regions) == pytest.approx(found.visits.sum())
    assert [leak.state for leak in found.by_hearts()] == [(9, 7, one, other) for one in (6, 4) for other in (8, 6, 4)]
    assert [leak.state[:2] for leak in found.by_hit_points(2)] == [(9, 7), (9, 4), (4, 7), (4, 4)]
    worst = found.worst(10)
    assert [leak.loss for leak in worst] == sorted((leak.loss for leak in worst), reverse=True)
    assert worst[0].loss == pytest.approx(found.by_state.max())


def test_who_is_held_off_for_ever_leaks_the_rest_of_the_value_at_once() -> None:
    """A policy that would surely win but never attacks is held off to a draw, and loses the whole value in round 1."""
    table = solve(game_of(Duelist(), Duelist(armor=30, hp=3), Table(armor_in_contest=True), **LONG), cap_bound=2)
    policy = read_policies(load("defensive").seat(table.duel.game), table)[1]
    answer = best_answer(table, policy)[0]
    found = leaks(table, policy, answer)
    assert found.total == pytest.approx(1)
    assert found.visits.sum() == visits(table, policy, answer).held.sum() == 1


def test_rounds_are_as_many_as_the_engine_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """With even mixes of four stances, the mean rounds of 20,000 duels in the engine are within 4.5 standard errors."""
    monkeypatch.setattr("heartrush_env.games.heart_rush.fights.MANY", 20_001)  # compiles no kernel for this test alone
    table = solve(game_of(*UNEVEN, **LONG, decisions="stance"))
    policies = read_policies(load("random").seat(table.duel.game), table)
    exact = visits(table, *policies).rounds.sum()
    fights = table.duel.game.batch(20_000)
    fights.start(range(20_000), 5, range(20_000))
    words = ("might", "agility", "cunning", "defensive")
    stances = [table.duel.game.action_names.index(f"stance {word}") for word in words]
    rng, lasted, going = np.random.default_rng(5), np.zeros(20_000), np.ones(20_000, np.bool_)
    while going.any():
        lasted += going
        fights.step(np.array(stances)[rng.integers(4, size=(20_000, 2))], autoreset=True)
        going &= ~fights.terminated
    assert abs(lasted.mean() - exact) < 4.5 * lasted.std() / np.sqrt(len(lasted))


def test_a_best_answer_by_rounds_left_is_that_of_the_solver() -> None:
    table = solve(GAMES["a cap that counts"])
    policy = random_policy(table.duel, 11)
    answer, values = best_answer(table, policy)
    assert values[-1] == pytest.approx(best_response(policy, table.rounds).values, abs=1e-12)
    with pytest.raises(SolverError, match="depends on the rounds left"):
        answer(None)


def test_both_in_one_seat_are_refused() -> None:
    table = solve(GAMES["without a cap"])
    with pytest.raises(SolverError, match="different seats"):
        leaks(table, solved(table, 0), solved(table, 0))
