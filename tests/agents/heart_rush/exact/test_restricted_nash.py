"""Agents that exploit a model and stay safe: their ids, and their results in the engine against exact values."""

import pytest
from heartrush_agents import AgentError, load
from heartrush_agents.heart_rush.exact.best_response import readings
from heartrush_agents.heart_rush.exact.equilibrium import solution

from heartrush_env.research.best_response import best_response, head_to_head
from heartrush_env.research.recall.policies import read_recall, seated_player
from heartrush_env.research.recall.restricted_nash import frontier, restricted_response
from tests.agents.heart_rush.exact.test_best_response import FIGHTS, LEAST, duel
from tests.research.duels import check_pay


@pytest.mark.long
def test_what_it_plays_is_a_point_of_the_frontier() -> None:
    """Read through observations in both seats, the player has the frontier's gain from the model and exploitability."""
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
    game = duel()
    first, second = readings(load("counter_last"), game)
    own = [restricted_response(model, 0.4).plays for model in (second, first)]
    exact = head_to_head(own[0], second), -head_to_head(first, own[1])
    check_pay(load("restricted_nash:counter_last@0.4"), game, {"counter_last": exact}, FIGHTS, LEAST)


def test_a_share_is_a_probability() -> None:
    for given, id in (("", "@0.5"), ("@0.25", "@0.25"), ("@1", "@1")):
        assert load(f"restricted_nash:turtle{given}").id == f"restricted_nash:turtle{id}"
    for given in ("@2", "@half", "@"):
        with pytest.raises(AgentError, match="expected a probability from 0 to 1 after @"):
            load(f"restricted_nash:turtle{given}")
