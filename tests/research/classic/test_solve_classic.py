"""Solutions of classic duels: by hand, against the slow tree of turns, and against duels of June 2025."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.tournament.play import play

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.best_response import (
    best_response,
    exploitability,
    head_to_head,
    read_policies,
    solved_policies,
)
from heartrush_env.research.classic.policy import KINDS, ClassicPolicy, solved_policy
from heartrush_env.research.classic.solve import solve_classic
from heartrush_env.research.classic.turns import ALONE, ANSWER, OPENING
from heartrush_env.research.solve import solve
from heartrush_env.research.zero_sum import SolverError
from tests.reference.classic_solver import classic_values
from tests.reference.solver import Duelist, Table
from tests.research.duels import chances, game_of

MUTUAL, BY_HP = Table(mutual=True), Table(mutual=True, by_hp=True)


def classic(first: Duelist, second: Duelist, table: Table = MUTUAL, **options: Any) -> HeartRush:
    """Return the classic game, with turns, of the reference's duelists."""
    return game_of(first, second, table, rules={"edition": "classic"} | options.pop("rules", {}), **options)


# -- by hand -----------------------------------------------------------------------------------------------------------


def test_one_round_of_equal_abilities_and_unequal_weapons_by_hand() -> None:
    """The first hit decides, and the stances are equally good: in 1/3 of the engagements one fighter strikes, in 1/3
    the other, and 1/3 are contests. The better armed fighter engages once. The other never engages, because the end
    of the round is a draw."""
    table = solve_classic(classic(Duelist(weapon=8), Duelist(), Table(), max_rounds=1))
    strike, _ = chances(4, 4, 8, 4, 4, own=3)
    struck, _ = chances(4, 4, 4, 4, 4, own=3)
    won, lost = chances(4, 4, 8, 4, 4, 4, own=3)
    assert table.rounds == 1
    assert table.value == pytest.approx((strike + won - struck - lost) / 3, abs=1e-12)
    for moment in (OPENING, ANSWER, ALONE):
        assert [bool(table.engages[1, seat, moment][table.duel.start]) for seat in (0, 1)] == [True, False]


def test_without_a_choice_both_engage_by_hand() -> None:
    """If only stances are chosen, both fighters engage, so a second engagement follows if the first hurt no fighter."""
    game = classic(Duelist(weapon=8), Duelist(), Table(), max_rounds=1, decisions="stance")
    strike, _ = chances(4, 4, 8, 4, 4, own=3)
    struck, _ = chances(4, 4, 4, 4, 4, own=3)
    won, lost = chances(4, 4, 8, 4, 4, 4, own=3)
    balance, idle = (strike + won - struck - lost) / 3, 1 - (strike + won + struck + lost) / 3
    assert solve_classic(game).value == pytest.approx(balance * (1 + idle), abs=1e-12)


@pytest.mark.parametrize(("by_hp", "value"), [(False, 0.0), (True, 1.0)])
def test_where_nobody_can_be_hurt_the_cap_decides(by_hp: bool, value: float) -> None:
    safe = Duelist(armor=30, hp=2), Duelist(armor=30)
    table = solve_classic(classic(*safe, Table(armor_in_contest=True, by_hp=by_hp), max_rounds=20))
    assert (table.value, table.rounds) == (value, 20)


# -- against the slow tree ---------------------------------------------------------------------------------------------

DUELS = [
    (Duelist(hp=2), Duelist(might=6, hp=2), MUTUAL, 1),
    (Duelist(hp=2, heart=6), Duelist(might=6, hp=3), MUTUAL, 3),
    (Duelist(hp=3, weapon=8), Duelist(might=6, hp=2, heart=6), BY_HP, 2),
    (Duelist(might=6, hp=2), Duelist(hp=3), Table(by_hp=True), 2),
    (Duelist(hp=2, fights_on=True), Duelist(hp=2, might=6), MUTUAL, 2),
    (Duelist(hp=2, heart=6), Duelist(cunning=6, hp=2, armor=2), Table(mutual=True, defensive_is_beaten=True), 2),
]


@pytest.mark.parametrize(("first", "second", "table", "rounds"), DUELS)
def test_values_by_rounds(first: Duelist, second: Duelist, table: Table, rounds: int) -> None:
    found = solve_classic(classic(first, second, table, max_rounds=rounds), cap_bound=0)
    expected = classic_values(first, second, rounds, table)
    assert found.opened[-1][(slice(None), *found.duel.start)].tolist() == pytest.approx(expected, abs=1e-12)
    assert found.value == pytest.approx(sum(expected) / 2, abs=1e-12)
    assert found.acting_first == pytest.approx(0, abs=1e-14) == expected[0] - expected[1]
    assert found.certificate < 1e-12
    assert exploitability(found).nash_conv == pytest.approx(0, abs=1e-6)  # mixes are kept as floats of 4 bytes
    assert head_to_head(*solved_policies(found)) == pytest.approx(found.value, abs=1e-6)


def test_there_is_a_duel_in_which_each_side_passes_and_engages() -> None:
    """A fighter that is ahead waits for the cap, and a fighter that is behind does not."""
    table = solve_classic(classic(*DUELS[2][:3], max_rounds=2))
    assert {bool(flag) for flag in table.engages[1:, 0, ANSWER, 1:, 1:].ravel()} == {True, False}
    assert {bool(flag) for flag in table.engages[1:, 1, ANSWER, 1:, 1:].ravel()} == {True, False}


def test_stances_alone_by_the_tree() -> None:
    """The default policy always attacks and engages; here no smaller heart die is left, so it cannot shrug off hits."""
    first, second = Duelist(hp=2), Duelist(might=6, hp=3, weapon=8)
    table = solve_classic(classic(first, second, Table(), max_rounds=2, decisions="stance"))
    opened = classic_values(first, second, 2, Table(), decides=False)
    assert table.opened[-1][(slice(None), *table.duel.start)].tolist() == pytest.approx(opened, abs=1e-12)


# -- against June ------------------------------------------------------------------------------------------------------


def test_without_a_cap_it_is_the_duel_of_june() -> None:
    first, second = Duelist(might=6, hp=5, heart=6, weapon=8), Duelist(cunning=8, hp=4, heart=6)
    june = solve(game_of(first, second, MUTUAL, max_rounds=400))
    table = solve_classic(classic(first, second, max_rounds=400))
    assert (table.rounds, table.cap_bound) == (None, june.cap_bound) and june.cap_bound < 1e-5
    assert np.array_equal(table.opened[0], np.stack([june.values[0], june.values[0]]))
    by_rounds = solve_classic(classic(first, second, max_rounds=60), cap_bound=0)
    assert by_rounds.rounds == 60
    assert np.abs(by_rounds.opened[-1] - june.values[0]).max() < 1e-5
    assert np.abs(by_rounds.opened[4] - june.values[0]).max() > 1e-3
    assert exploitability(table).nash_conv < 1e-5


def test_a_solution_without_a_cap_is_exploited_where_the_cap_is_near() -> None:
    """Exploitability is measured with the cap of the game, even if the solution ignores the cap."""
    game = classic(*DUELS[2][:2], BY_HP, max_rounds=2)
    loose, exact = solve_classic(game, cap_bound=2.0), solve_classic(game)
    assert (loose.rounds, exact.rounds) == (None, 2)
    gain = best_response(solved_policy(loose, 0)).value + exact.value
    assert gain > 1e-3
    assert best_response(lambda left: solved_policy(exact, 0, left)).value + exact.value < 1e-6


# -- against the engine ------------------------------------------------------------------------------------------------


def test_players_are_read_as_they_are() -> None:
    """The equilibrium's policy, read through the windows of fights, equals the solution."""
    game = classic(Duelist(hp=2, heart=6, weapon=8), Duelist(might=6, hp=3), max_rounds=400)
    table = solve_classic(game)
    read = read_policies(load("equilibrium").seat(game), table)
    for policy, solved in zip(read, solved_policies(table), strict=True):
        assert isinstance(solved, ClassicPolicy) and isinstance(policy, ClassicPolicy)
        assert np.array_equal(policy.engages[:, 1:, 1:], solved.engages[:, 1:, 1:])
        for kind in KINDS:
            assert np.allclose(policy.fights[kind].stances[1:, 1:], solved.fights[kind].stances[1:, 1:])
    assert exploitability(table, read).nash_conv < 1e-5
    never = read_policies(load("defensive").seat(game), table)
    assert [bool(policy.engages[:, 1:, 1:].any()) for policy in never] == [False, False]  # type: ignore[union-attr]
    with pytest.raises(SolverError, match="policy can be computed only where they may not"):
        brave = classic(Duelist(fights_on=True), Duelist(), max_rounds=400)
        read_policies(load("uniform").seat(brave), solve_classic(brave, cap_bound=2))


@pytest.mark.long
@pytest.mark.parametrize(("first", "second"), [("uniform", "might"), ("defensive", "uniform"), ("might", "defensive")])
def test_values_of_policies_are_those_of_played_fights(first: str, second: str) -> None:
    """The mean of 2000 fights of two rounds has a standard error of at most 0.0224."""
    game = classic(Duelist(hp=2, heart=6, weapon=8), Duelist(might=6, hp=3), BY_HP, max_rounds=2)
    table = solve_classic(game)
    players = load(first).seat(game), load(second).seat(game)
    won, _, lost = play(game, [load(first), load(second)], [1] * 2000, 1, 0).sum(0)[0].tolist()
    assert head_to_head(*read_policies(players, table)) == pytest.approx((won - lost) / 2000, abs=4 * 0.0224)


@pytest.mark.long
def test_the_equilibrium_gets_its_value_in_played_fights() -> None:
    """The cap is near, so the equilibrium engages or passes depending on the rounds left."""
    game = HeartRush(classic(*DUELS[2][:2], BY_HP, max_rounds=2).scenario, memory=4)
    won, _, lost = play(game, [load("equilibrium")] * 2, [1] * 2000, 1, 0).sum(0)[0].tolist()
    assert (won - lost) / 2000 == pytest.approx(solve_classic(game).value, abs=4 * 0.0224)


def test_the_equilibrium_fights_by_the_actions_and_rounds_left() -> None:
    """The mixes are the solution's in the first fighter's engagement, and in the second fighter's after it."""
    duel = classic(*DUELS[2][:2], BY_HP, max_rounds=2)
    game, table = HeartRush(duel.scenario, memory=4), solve_classic(duel)
    players = [load("equilibrium").seat(game) for _ in range(2)]
    fights = game.batch(1)
    engage, hides = (game.action_names.index(word) for word in ("engage 1", "stance defensive"))
    fights.start([0], 0, [next(number for number in range(100) if _begins(fights, number, engage))])
    found = []
    for left, kind in ((2, 1), (2, 2)):  # the second has its action left, then neither
        fights.step(np.where(fights.masks[:, :, engage], engage, 0).astype(np.int64))
        for seat, player in enumerate(players):
            seen: Any = {"observation": fights.observations[0, seat], "action_mask": fights.masks[0, seat]}
            mix = table.engagements[kind].mix(seat, table.duel.state, left)
            assert player.policy(seen)[game.action_names.index("stance might") :][:4].tolist() == pytest.approx(mix)
            found.append(mix.tolist())
        fights.step(np.full((1, 2), hides))
    assert found[0] != pytest.approx(found[2], abs=1e-4)


def _begins(fights: Any, number: int, engage: int) -> bool:
    """Return whether the first fighter has priority at the start of the fight with this number."""
    fights.start([0], 0, [number])
    return bool(fights.masks[0, 0, engage])


# -- refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ({"edition": "june2025"}, "sides take no turns in its edition 'june2025'"),
        ({"profile": "levels"}, "the setting levels is on, and only the profile 'plain' is solved"),
        ({"profile": "full"}, "the setting levels is on, and only the profile 'plain' is solved"),
        ({"shrug_per_round": "once"}, "the setting shrug_per_round is 'once'"),
    ],
)
def test_what_is_not_solved_is_refused(rules: dict[str, Any], why: str) -> None:
    with pytest.raises(SolverError, match=why):
        solve_classic(classic(Duelist(), Duelist(), rules=rules))


def test_fatigue_that_may_come_first_is_refused() -> None:
    weak = Duelist(hp=3, fights_on=True, armor=8), Duelist(hp=3, armor=8)
    with pytest.raises(SolverError, match="expected fatigue and the round cap to change the value by at most"):
        solve_classic(classic(*weak, max_rounds=50, rules={"fatigue_rounds": 2}))
    assert solve_classic(classic(*weak, max_rounds=50, rules={"fatigue_rounds": 60})).rounds == 50


def test_memory_is_limited() -> None:
    with pytest.raises(SolverError, match="with up to 20 rounds left"):
        solve_classic(classic(Duelist(hp=30), Duelist(hp=30), max_rounds=20), memory=10_000, cap_bound=0)
    with pytest.raises(SolverError, match="states with up to 9 rounds left"):  # three tables, each of which would fit
        game = classic(Duelist(), Duelist(), max_rounds=9)
        solve_classic(game, memory=2 * 4 * 10 * (8 + 8 * 4 + 24), cap_bound=0)
