"""The agent that plays the solution: its policy, and its results in the engine against the solved value."""

import numpy as np
import pytest
from heartrush_agents import AgentError, load

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.best_response import exploitability, head_to_head, read_policies
from heartrush_env.research.plain.policy import read_policy
from heartrush_env.research.solve import solve
from tests.agents.seats import begun, seen_by
from tests.reference.solver import Table
from tests.research.duels import LONG, UNEVEN, check_pay, game_of, worth_against

EQUILIBRIUM = load("equilibrium")
PLAIN = {"profile": "plain"}


@pytest.mark.parametrize("rules", [PLAIN, {**PLAIN, "edition": "december2025"}])
def test_what_it_plays_is_the_solution(rules: dict[str, str]) -> None:
    """The player's policy, read through observations in every state, is an equilibrium."""
    table = solve(game_of(*UNEVEN, rules=rules, **LONG))
    policies = read_policies(EQUILIBRIUM.seat(table.duel.game), table)
    assert abs(exploitability(table, policies).nash_conv) <= 1e-6
    assert head_to_head(*policies) == pytest.approx(table.value, abs=1e-9)


def test_equals_are_told_apart_by_what_they_have_left() -> None:
    """Of two equal fighters, one starts hurt; the player still finds its own seat."""
    shape = HeartRush("mirror_duel", PLAIN).scenario
    fighters = [
        {"id": "fencer", "team": team, "might": 6, "agility": 6, "cunning": 8, "presence": 6, "heart": 8, "hp": 12}
        for team in shape.teams
    ]
    fighters[0]["hp_now"] = 7
    game = HeartRush({"victory": "first_down", "rules": PLAIN, "fighter": fighters}, memory=0)
    table = solve(game)
    policy = read_policy(EQUILIBRIUM.seat(game), table.duel)
    assert policy.stances[7, 12, -1, -1] == pytest.approx(table.mix(0, (7, 12, 8, 8)), abs=1e-6)


@pytest.mark.parametrize("table", [Table(), pytest.param(Table(mutual=True), marks=pytest.mark.long)])
def test_fights_pay_what_was_solved(table: Table) -> None:
    game = game_of(*UNEVEN, table, **LONG)
    solved = solve(game)
    exact = worth_against(EQUILIBRIUM, ["might", "agility", "cunning", "uniform", "random"], solved)
    check_pay(EQUILIBRIUM, game, exact, fights=500)
    for first, second in exact.values():
        assert first >= solved.value - 1e-9 and second >= -solved.value - 1e-9


def test_a_short_cap_is_played_by_the_rounds_that_are_left() -> None:
    scenario = game_of(*UNEVEN, max_rounds=6).scenario
    player = EQUILIBRIUM.seat(HeartRush(scenario))
    batch = begun(HeartRush(scenario))
    for left in range(6, 0, -1):
        seen = seen_by(batch)
        _, places, layers = player._view.where(seen["observation"][None])
        assert layers[0] == left
        mix = player.table.mixes_at(0, places, np.array([left]))[0]
        assert player.policy(seen)[player._layout.stances] == pytest.approx(mix)
        while not batch.terminated[0]:
            before = player._view.where(batch.observations[0, :1])[2]
            batch.step(batch.masks[:, :, ::-1].argmax(axis=2) * -1 + batch.masks.shape[2] - 1)
            if batch.terminated[0] or player._view.where(batch.observations[0, :1])[2] != before:
                break
        if batch.terminated[0]:
            break
    with pytest.raises(AgentError, match="the round cap of 6 matters, but memory=0"):
        EQUILIBRIUM.seat(HeartRush(scenario, memory=0))
