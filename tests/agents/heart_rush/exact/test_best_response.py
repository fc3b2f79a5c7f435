"""Agents that play best responses: their ids, their results in the engine against exact values, what they refuse."""

import pickle

import numpy as np
import pytest
from heartrush_agents import AgentError, available, load
from heartrush_agents.heart_rush.exact.best_response import readings
from heartrush_agents.heart_rush.exact.equilibrium import solution
from heartrush_agents.tournament.cross_table import rate
from heartrush_agents.tournament.play import LOSS, WIN

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.best_response import best_response, head_to_head
from heartrush_env.research.recall.policies import read_recall, seated_player
from tests.reference.solver import Duelist, Table
from tests.research.duels import LONG, check_pay, game_of

UNEVEN = Duelist(might=6, hp=5, heart=6, weapon=8, damage_type="slashing"), Duelist(cunning=8, hp=4, heart=8, armor=2)
PLAIN = {"profile": "plain"}
FIGHTS = 600
LEAST = 8 / FIGHTS  # the least variance
PLAYERS = ("counter_last", "shrugs_never", "turtle", "in_and_out")


def duel(table: Table | None = None, **options: int) -> HeartRush:
    """Return a small duel in which observations show all reveals."""
    return HeartRush(game_of(*UNEVEN, table, **(LONG | options)).scenario)


@pytest.mark.long
@pytest.mark.parametrize("mutual", [False, True])
@pytest.mark.parametrize("id", PLAYERS)
def test_fights_pay_what_best_answers_are_worth(id: str, mutual: bool) -> None:
    game = duel(Table(mutual=mutual))
    first, second = readings(load(id), game)
    exact = best_response(second).value, best_response(first).value
    check_pay(load(f"best_response:{id}"), game, {id: exact}, FIGHTS, LEAST)


@pytest.mark.long
@pytest.mark.parametrize(
    "id", ["counter_last", *(pytest.param(id, marks=pytest.mark.long) for id in ("turtle", "cycle_up", "copycat_2"))]
)
def test_an_answer_that_is_read_in_turn_is_worth_the_same(id: str) -> None:
    """The player's policy, read through observations in every state, is worth as much as the best response."""
    game = duel()
    player, recall = seated_player(load(f"best_response:{id}").seat, game)
    table = solution(game)
    own = read_recall(player, table.duel, recall), read_recall(player, table.duel.turned(), recall)
    first, second = readings(load(id), game)
    assert head_to_head(own[0], second) == pytest.approx(best_response(second).value, abs=1e-9)
    assert -head_to_head(first, own[1]) == pytest.approx(best_response(first).value, abs=1e-9)


@pytest.mark.long
def test_a_cap_that_counts_is_played_by_the_rounds_that_are_left() -> None:
    game = duel(max_rounds=5)
    agent = load("best_response:counter_last")
    _, second = readings(load("counter_last"), game)
    exact = best_response(second, 5).value
    rated = rate([agent], game, against=["counter_last"], fights=FIGHTS, match=1, processes=1)
    counts = rated.outcomes[agent.id, "counter_last"][:, 0].sum(axis=0)
    assert (counts[WIN] - counts[LOSS]) / counts.sum() == pytest.approx(exact, abs=4 / np.sqrt(counts.sum()))
    with pytest.raises(AgentError, match="the round cap of 5 matters, but memory=0"):
        load("best_response:uniform").seat(HeartRush(game.scenario, memory=0))


@pytest.mark.long
def test_answers_to_answers() -> None:
    """A best response to a best response wins at least the value that its opponent wins from its own model."""
    game = duel()
    first, _ = readings(load("best_response:mostly_might"), game)
    model, _ = readings(load("mostly_might"), game)
    own = load("best_response:best_response:mostly_might")
    assert own.plays(game) is None and own.id == "best_response:best_response:mostly_might"
    assert best_response(first).value >= -best_response(readings(load("mostly_might"), game)[1]).value
    assert best_response(model).value <= 1


def test_ids_are_explained_and_not_listed() -> None:
    assert not any(":" in id for id in available())
    assert pickle.loads(pickle.dumps(load("best_response:turtle"))).id == "best_response:turtle"
    with pytest.raises(AgentError, match="best_response:ID, restricted_nash:ID@P, thinker:ID, or a folder"):
        load("best_answer")
    with pytest.raises(AgentError, match="did you mean 'turtle'"):
        load("best_response:turtel")


@pytest.mark.parametrize(
    ("id", "scenario", "rules", "said"),
    [
        ("best_response:turtle", "duel", {}, "the setting maneuvers is on"),
        ("best_response:turtle", "melee", PLAIN, "8 fighters"),
        (
            "best_response:frequency",
            "duel",
            PLAIN,
            "'frequency' cannot be analysed exactly .*remembers the whole match",
        ),
        ("best_response:copycat_4", "duel", PLAIN, "uses the last 4 reveals, but at most 2 can be handled"),
        ("best_response:copycat_2", "duel", PLAIN, "273 modes in each of the 19200 states"),
        ("best_response:duelist", "duel", PLAIN, "trained by other rules"),
        ("restricted_nash:turtle@0.5", "duel", {}, "the setting maneuvers is on"),
        ("equilibrium", "duel", {}, "the setting maneuvers is on"),
        ("equilibrium", "melee", {}, "8 fighters"),
    ],
)
def test_what_is_not_read_is_refused_in_a_sentence(id: str, scenario: str, rules: dict[str, str], said: str) -> None:
    with pytest.raises(AgentError, match=f"The agent '{id}' cannot take a seat at '{scenario}': .*{said}"):
        load(id).seat(HeartRush(scenario, rules))
