"""The agent that plays the solution: what it plays, and that the engine pays it what was solved."""

import numpy as np
import pytest
from heartrush_agents import AgentError, load
from heartrush_agents.tournament.cross_table import rate
from heartrush_agents.tournament.play import LOSS, WIN

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.best_response import exploitability, head_to_head, read_policies
from heartrush_env.research.plain.policy import read_policy
from heartrush_env.research.solve import solve
from tests.agents.seats import begun, seen_by
from tests.reference.solver import Duelist, Table
from tests.research.duels import game_of

EQUILIBRIUM = load("equilibrium")
PLAIN = {"profile": "plain"}
UNEVEN = Duelist(might=6, hp=9, heart=6, weapon=8, damage_type="slashing"), Duelist(cunning=8, hp=7, heart=8, armor=2)
LONG = {"max_rounds": 10_000}


@pytest.mark.parametrize("rules", [PLAIN, {**PLAIN, "edition": "december2025"}])
def test_what_it_plays_is_the_solution(rules: dict[str, str]) -> None:
    """Read like any player, it is an equilibrium."""
    table = solve(game_of(*UNEVEN, rules=rules, **LONG))
    policies = read_policies(EQUILIBRIUM.seat(table.duel.game), table)
    assert abs(exploitability(table, policies).nash_conv) <= 1e-6
    assert head_to_head(*policies) == pytest.approx(table.value, abs=1e-9)


def test_equals_are_told_apart_by_what_they_have_left() -> None:
    """Two fighters of one kind, one of whom starts hurt."""
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
    """Through the engine, in both seats: the mean result lies within four standard errors of the exact one."""
    game = game_of(*UNEVEN, table, **LONG)
    solved = solve(game)
    opponents = ["might", "agility", "cunning", "uniform", "random"]
    rated = rate([EQUILIBRIUM], game, against=opponents, fights=500, match=1, processes=1)
    own = read_policies(EQUILIBRIUM.seat(solved.duel.game), solved)
    for opponent in opponents:
        theirs = read_policies(load(opponent).seat(solved.duel.game), solved)
        exact = head_to_head(own[0], theirs[1]), -head_to_head(theirs[0], own[1])
        for place in (0, 1):
            counts = rated.outcomes["equilibrium", opponent][:, place].sum(axis=0)
            won, lost, fights = counts[WIN], counts[LOSS], counts.sum()
            error = np.sqrt(max(1e-9, 1 - exact[place] ** 2) / fights)
            assert (won - lost) / fights == pytest.approx(exact[place], abs=4 * error)
            assert exact[place] >= (solved.value, -solved.value)[place] - 1e-9


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
