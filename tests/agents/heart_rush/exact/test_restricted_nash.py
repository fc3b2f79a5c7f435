"""Agents that exploit a model and stay safe: what they are called, and that the engine pays what was worked out."""

from __future__ import annotations

import numpy as np
import pytest
from heartrush_agents import AgentError, load
from heartrush_agents.heart_rush.exact.best_response import readings
from heartrush_agents.heart_rush.exact.equilibrium import solution
from heartrush_agents.tournament.cross_table import rate
from heartrush_agents.tournament.play import LOSS, WIN

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.best_response import best_response, head_to_head
from heartrush_env.research.recall.policies import read_recall, seated_player
from heartrush_env.research.recall.restricted_nash import as_plays, frontier, restricted_response
from tests.agents.heart_rush.exact.test_best_response import FIGHTS, duel


def test_what_it_plays_is_a_point_of_the_frontier() -> None:
    """Read like any player, in both seats: what it gains from the model and what it gives away."""
    game, share = duel(), 0.6
    table, models = solution(game), readings(load("turtle"), game)
    player, recall = seated_player(load(f"restricted_nash:turtle@{share}").seat, game)
    own = read_recall(player, table.duel, recall), read_recall(player, table.duel.turned(), recall)
    (first,) = frontier(models[1], table.value, [share])
    (second,) = frontier(models[0], -table.value, [share])
    assert head_to_head(own[0], models[1]) == pytest.approx(first.against_model, abs=1e-9)
    assert -head_to_head(models[0], own[1]) == pytest.approx(second.against_model, abs=1e-9)
    assert best_response(own[0]).value + table.value == pytest.approx(first.exploitability, abs=1e-9)
    assert best_response(own[1]).value - table.value == pytest.approx(second.exploitability, abs=1e-9)


@pytest.mark.long  # the test above reads the same player exactly
def test_fights_pay_what_the_answer_is_worth() -> None:
    """Through the engine, in both seats: the mean result lies within four standard errors of the exact one."""
    game = duel()
    agent = load("restricted_nash:counter_last@0.4")
    first, second = readings(load("counter_last"), game)
    own = [as_plays(restricted_response(model, 0.4).policies) for model in (second, first)]
    exact = head_to_head(own[0], second), -head_to_head(first, own[1])
    rated = rate([agent], game, against=["counter_last"], fights=2 * FIGHTS, match=1, processes=1)
    for place in (0, 1):
        counts = rated.outcomes[agent.id, "counter_last"][:, place].sum(axis=0)
        error = np.sqrt(max(4 / FIGHTS, 1 - exact[place] ** 2) / FIGHTS)
        assert (counts[WIN] - counts[LOSS]) / FIGHTS == pytest.approx(exact[place], abs=4 * error)


def test_ids() -> None:
    assert load("restricted_nash:turtle").id == "restricted_nash:turtle@0.5"
    assert load("restricted_nash:turtle@0.25").id == "restricted_nash:turtle@0.25"
    assert load("restricted_nash:turtle@1").id == "restricted_nash:turtle@1"


@pytest.mark.parametrize("id", ["restricted_nash:turtle@2", "restricted_nash:turtle@half", "restricted_nash:turtle@"])
def test_a_share_is_a_probability(id: str) -> None:
    with pytest.raises(AgentError, match="expected a probability from 0 to 1 after @"):
        load(id)


def test_rules_beyond_those_solved_are_refused_in_a_sentence() -> None:
    said = "The agent 'restricted_nash:turtle@0.5' cannot take a seat at 'duel': the setting maneuvers is on"
    with pytest.raises(AgentError, match=said):
        load("restricted_nash:turtle").seat(HeartRush("duel"))
