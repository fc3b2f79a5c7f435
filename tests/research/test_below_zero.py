"""Duels below 0 hit points: against the slow reference, solutions by play and the engine, and with fatigue."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from heartrush_agents import AgentError, load

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research import bounds
from heartrush_env.research.best_response import (
    best_response,
    exploitability,
    head_to_head,
    read_policies,
    solved_policies,
)
from heartrush_env.research.full_rules.solve import solve_by_play
from heartrush_env.research.levels.table import LevelsTablebase
from heartrush_env.research.plain.policy import read_policy
from heartrush_env.research.recall.policies import read_recall, seated_player
from heartrush_env.research.recall.restricted_nash import restricted_response
from heartrush_env.research.solve import load_tablebase, read_duel, solve
from heartrush_env.research.zero_sum import SolverError
from tests.reference.solver import UNHARMED, Duelist, Table, value_with_fatigue, values_of
from tests.research.duels import check_pay, game_of, worth_against

HERO = Duelist(fights_on=True)
NEVER = {"fatigue_rounds": 10_000}  # falls of fatigue, within the usual cap
UNEVEN = (
    Duelist(might=6, hp=5, heart=6, weapon=8, damage_type="slashing", fights_on=True),
    Duelist(cunning=8, hp=4, heart=8, armor=2, fights_on=True),
)

PLAIN_DUELS = [
    (replace(HERO, hp=2, might=6), replace(HERO, hp=2), Table(), None),
    (replace(HERO, hp=2, heart=6), Duelist(hp=3, weapon=8), Table(), None),  # a hero against a monster
    (Duelist(hp=2, agility=6, armor=2), replace(HERO, hp=2, heart=6), Table(mutual=True), None),
    (
        replace(HERO, hp=2, attack_type="whip", armor=3),
        replace(HERO, hp=3, agility=6, damage_type="slashing"),
        Table(mutual=True, armor_in_contest=True, defensive_is_beaten=True),
        None,
    ),
    (replace(HERO, hp=3, might=6), replace(HERO, hp=2, heart=6), Table(by_hp=True), 4),
    (replace(HERO, hp=2), Duelist(hp=3, heart=6), Table(by_hp=True, mutual=True), 3),
]


@pytest.mark.parametrize(("first", "second", "rules", "rounds"), PLAIN_DUELS)
def test_plain_duels_agree_with_the_reference(
    first: Duelist, second: Duelist, rules: Table, rounds: int | None
) -> None:
    game = game_of(first, second, rules, max_rounds=rounds or 200, rules=NEVER)
    table = solve(game, cap_bound=0 if rounds else 2)
    assert table.rounds == rounds
    slow = values_of(first, second, rules, rounds)
    assert len(slow) == table.duel.states
    for state, value in slow.items():
        assert table.values[-1][table.place(state[:4])] == pytest.approx(value, abs=1e-12), state
    assert abs(exploitability(table).nash_conv) <= (1e-6 if rounds else 1e-9)  # mixes by rounds left are of 4 bytes


@pytest.mark.long  # test_play_itself_finds_the_same has quick ones with levels
@pytest.mark.parametrize(
    ("first", "second", "rules", "rounds"),
    [
        (HERO, Duelist(agility=6), Table(mutual=True, cunning_split=False), None),
        (HERO, replace(HERO, cunning=6), Table(by_hp=True), 2),
    ],
)
def test_levels_duels_agree_with_the_reference(
    first: Duelist, second: Duelist, rules: Table, rounds: int | None
) -> None:
    given = {"profile": "levels", "cunning_split": rules.cunning_split, **NEVER}
    table = solve(game_of(first, second, rules, max_rounds=rounds or 200, rules=given), cap_bound=0 if rounds else 2)
    slow = values_of(first, second, replace(rules, levels=True), rounds)
    assert table.value == pytest.approx(slow[first.hp, second.hp, 4, 4, UNHARMED, UNHARMED], abs=1e-11)
    if first.fights_on and not rounds:
        low = (0, second.hp, 4, 4)
        assert table.values[-1][table.place(low)] == pytest.approx(slow[*low, UNHARMED, UNHARMED], abs=1e-11)
    assert abs(exploitability(table).nash_conv) <= 1e-9


@pytest.mark.parametrize(
    ("first", "second", "rules", "decisions"),
    [
        (HERO, HERO, {"profile": "plain"}, "full"),
        (replace(HERO, heart=6), Duelist(might=6), {"profile": "plain"}, "full"),
        (Duelist(), HERO, {"profile": "levels"}, "stance"),
        (Duelist(), replace(HERO, heart=6), {"profile": "levels"}, "stance"),  # a heart die to shrug off with
        pytest.param(HERO, HERO, {"profile": "plain"}, "stance", marks=pytest.mark.long),
        pytest.param(replace(HERO, heart=6), Duelist(might=6), {"profile": "plain"}, "stance", marks=pytest.mark.long),
        pytest.param(Duelist(), HERO, {"profile": "levels"}, "full", marks=pytest.mark.long),
        pytest.param(Duelist(), replace(HERO, heart=6), {"profile": "levels"}, "full", marks=pytest.mark.long),
    ],
)
def test_play_itself_finds_the_same(first: Duelist, second: Duelist, rules: dict[str, Any], decisions: str) -> None:
    """The solution by play includes all choices and rolls of the engine, such as yielding, and the rounds at zero."""
    game = game_of(first, second, rules=rules, max_rounds=2, decisions=decisions)
    played = solve_by_play(game)
    assert played.gap <= 1e-9
    assert solve(game, cap_bound=0).value == pytest.approx(played.value, abs=1e-9)


def test_to_fight_on_is_worth_something() -> None:
    alike = solve(game_of(HERO, HERO, rules=NEVER), cap_bound=2)
    assert alike.value == pytest.approx(0, abs=1e-12)
    assert solve(game_of(HERO, Duelist(), rules=NEVER), cap_bound=2).value > 0.1


def test_a_fighter_that_may_go_on_has_its_maximum_below_zero_as_well() -> None:
    """Only death distinguishes hit points below 0 from those above, so 3 above and 3 below count as 6."""
    twice = solve(game_of(replace(HERO, hp=3, fights_on=False, heart=6), Duelist(hp=4), max_rounds=10_000))
    hero = solve(game_of(replace(HERO, hp=3, heart=6), Duelist(hp=4), max_rounds=10_000), cap_bound=2)
    double = solve(game_of(Duelist(hp=6, heart=6), Duelist(hp=4), max_rounds=10_000))
    assert hero.duel.below == (3, 0) and hero.duel.shape == double.duel.shape
    assert hero.values == pytest.approx(double.values, abs=1e-12)
    assert hero.value > twice.value + 0.01


# -- fatigue -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [2, 4])
@pytest.mark.parametrize("second", [HERO, Duelist(hp=2)])
def test_what_is_left_out_is_no_more_than_the_bound_says(second: Duelist, rounds: int) -> None:
    """The exact value is that of the reference, which counts both fighters' rounds at zero."""
    first = replace(HERO, might=6)
    game = game_of(first, second, max_rounds=40, rules={"fatigue_rounds": rounds})
    table = solve(game, cap_bound=2)
    exact = value_with_fatigue(first, second, Table(), 40, rounds)
    found = bounds.fatigue_bound(table, 0.0)
    assert abs(table.value - exact) <= found + 1e-6  # of which the cap's part is the millionth
    assert found < 2.0 ** (-rounds / 3)
    if rounds == 2:
        assert abs(table.value - exact) > 0.01  # it matters, so the bound is worth its name
        with pytest.raises(SolverError, match=r"got up to 0\.\d+; .* fatigue_rounds, which is 2"):
            solve(game)


def test_usual_fatigue_is_proven_to_change_nothing() -> None:
    table = solve(game_of(*UNEVEN))
    assert table.duel.fatigue == 100 and table.rounds is None and table.cap_bound <= 1e-5
    assert bounds.fatigue_bound(table, 0.0) <= 1e-12


def test_the_bound_holds_in_duels_with_levels() -> None:
    """With fatigue after 3 rounds at zero the bound is noticeable, and after 30 rounds it is below the usual limit."""
    game = game_of(HERO, HERO, rules={"profile": "levels", "fatigue_rounds": 3}, max_rounds=200)
    table = solve(game, cap_bound=2)
    assert isinstance(table, LevelsTablebase)
    found = bounds.fatigue_bound(table, 0.0)
    assert 1e-6 < found < 0.5
    slower = solve(game_of(HERO, HERO, rules={"profile": "levels", "fatigue_rounds": 30}))
    assert slower.cap_bound <= 1e-5


def test_who_is_at_zero_and_held_off_for_ever_falls() -> None:
    """A fighter that never attacks starts at 0 hp; the best response, safe in armor, waits for fatigue to fell it."""
    hides, waits = replace(HERO, hp=3, armor=30), Duelist(armor=30)
    scenario = game_of(waits, hides, Table(armor_in_contest=True)).scenario
    sheets = (scenario.fighters[0], replace(scenario.fighters[1], hp_now=0))
    game = HeartRush(replace(scenario, fighters=sheets), memory=0)
    policy = read_policy(load("defensive").seat(game), read_duel(game).turned())
    assert best_response(policy).value == 1.0
    capped = HeartRush(replace(game.scenario, max_rounds=99), memory=0)  # the cap comes before fatigue
    assert best_response(read_policy(load("defensive").seat(capped), read_duel(capped).turned())).value == 0.0


def test_fatigue_that_comes_after_the_cap_is_none() -> None:
    rounds_left = solve(game_of(*UNEVEN, max_rounds=8, rules={"fatigue_rounds": 9}))
    assert (rounds_left.rounds, rounds_left.cap_bound, rounds_left.duel.fatigue) == (8, 0.0, None)
    with pytest.raises(SolverError, match="fatigue_rounds, which is 8"):
        solve(game_of(*UNEVEN, max_rounds=8, rules={"fatigue_rounds": 8}))


# -- best answers, agents, the engine ----------------------------------------------------------------------------------


@pytest.mark.long  # small duels are held against the same bounds above and below
def test_nobody_gains_against_the_solution_of_the_shipped_duel() -> None:
    scenario = replace(HeartRush("duel", {"profile": "plain"}).scenario, victory="last_standing")
    table = solve(HeartRush(scenario))
    assert table.duel.below == (40, 40) and table.duel.states == 80 * 80 * 3 * 4
    assert table.cap_bound <= 1e-5 and table.certificate <= 1e-12
    assert abs(exploitability(table).nash_conv) <= 1e-9
    assert head_to_head(*solved_policies(table)) == pytest.approx(table.value, abs=1e-12)


@pytest.mark.parametrize("decisions", [pytest.param("full", marks=pytest.mark.long), "stance"])
def test_best_answers_to_agents_are_worth_what_they_claim(decisions: str) -> None:
    table = solve(game_of(*UNEVEN, decisions=decisions))
    for agent in ("might", "uniform", "defensive"):
        policies = read_policies(load(agent).seat(table.duel.game), table)
        found = exploitability(table, policies)
        assert min(found.gains) >= -1e-12
        answer = best_response(policies[0])
        assert head_to_head(policies[0], answer.policy) == pytest.approx(-answer.value, abs=1e-9)
        player, recall = seated_player(load(agent).seat, table.duel.game)
        modes = read_recall(player, table.duel, recall)
        assert best_response(modes).value == pytest.approx(answer.value, abs=1e-9)
        assert restricted_response(modes, 0.0).value == pytest.approx(-table.value, abs=1e-9)


def test_who_yields_is_not_read() -> None:
    table = solve(game_of(*UNEVEN))
    with pytest.raises(
        SolverError, match=r"RandomPlayer: expected a player that never yields, .* yields at -\d hp in some states"
    ):
        read_policies(load("random").seat(table.duel.game), table)
    levels = solve(game_of(HERO, HERO, rules={"profile": "levels"}))
    with pytest.raises(SolverError, match="yields at 0 hp in some states"):
        best_response(read_policies(load("random").seat(levels.duel.game), levels)[0])
    assert best_response(read_policies(load("uniform").seat(levels.duel.game), levels)[0]).value >= 0


@pytest.mark.parametrize("profile", ["plain", "levels"])
@pytest.mark.parametrize("decisions", ["full", "stance"])
def test_what_the_agent_plays_is_the_solution(profile: str, decisions: str) -> None:
    """The player's policy, read in all states above and below 0, is an equilibrium."""
    duelists = UNEVEN if profile == "plain" else (HERO, replace(HERO, might=6))
    table = solve(game_of(*duelists, rules={"profile": profile}, decisions=decisions))
    policies = read_policies(load("equilibrium").seat(table.duel.game), table)
    assert abs(exploitability(table, policies).nash_conv) <= 1e-6
    assert head_to_head(*policies) == pytest.approx(table.value, abs=1e-6)


@pytest.mark.parametrize("profile", ["plain", pytest.param("levels", marks=pytest.mark.long)])
def test_fights_pay_what_was_solved(profile: str) -> None:
    duelists = UNEVEN if profile == "plain" else (HERO, Duelist(hp=2, might=6))
    game = game_of(*duelists, rules={"profile": profile})
    agent = load("equilibrium")
    check_pay(agent, game, worth_against(agent, ["might", "uniform"], solve(game)), fights=500)


@pytest.mark.long
def test_agents_that_answer_best_win_what_they_should() -> None:
    game = game_of(*UNEVEN)
    first, second = read_policies(load("might").seat(game), solve(game))
    exact = best_response(second).value, best_response(first).value
    check_pay(load("best_response:might"), game, {"might": exact}, fights=500)


# -- files and refusals ------------------------------------------------------------------------------------------------


def test_states_are_named_by_their_hit_points_and_kept_in_files(tmp_path: Path) -> None:
    game = game_of(*UNEVEN)
    table = solve(game)
    table.save(tmp_path / "duel.npz")
    again = load_tablebase(tmp_path / "duel.npz", game)
    assert (again.value, again.cap_bound) == (table.value, table.cap_bound)
    assert again.mix(1, (-4, -3, 4, 6)).tolist() == table.mix(1, (-4, -3, 4, 6)).tolist()
    with pytest.raises(SolverError, match=r"hit points from \(-5, -4\) to \(5, 4\) and heart dice"):
        table.place((-6, 1, 4, 4))
    other = game_of(replace(UNEVEN[0], fights_on=False), replace(UNEVEN[1], fights_on=False))
    with pytest.raises(SolverError, match="got one with different scenario"):
        load_tablebase(tmp_path / "duel.npz", other)


def test_the_memory_of_duels_below_zero_is_told_before_it_is_taken() -> None:
    scenario = replace(HeartRush("duel", {"profile": "levels"}).scenario, victory="last_standing")
    with pytest.raises(SolverError, match=r"\(78643200 states\): expected at most 100\.00 MB, got 615\.\d\d MB"):
        solve(HeartRush(scenario), memory=100 * 2**20)


def test_surprise_is_still_refused() -> None:
    fighters = [dict(entry) for entry in ({"surprised": True}, {})]
    scenario = game_of(*UNEVEN).scenario
    sheets = tuple(replace(sheet, **entry) for sheet, entry in zip(scenario.fighters, fighters, strict=True))
    with pytest.raises(AgentError, match="is surprised"):
        load("equilibrium").seat(HeartRush(replace(scenario, fighters=sheets)))
