"""Every shipped agent plays a whole fight of every shipped scenario that it claims."""

import warnings
from functools import cache

import pytest
from heartrush_agents import available, load

from heartrush_env import heart_rush_v0
from heartrush_env.envs.match_runner import Players, play_fight
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.load import shipped_scenarios
from heartrush_env.tabletop.errors import ScenarioWarning

OF_PROFILES = {"equilibrium", "fencer"}  # of the profiles plain and levels
OF_OTHER_GAMES = {"searcher"}
PLAYED = [id for id in available() if id not in OF_PROFILES | OF_OTHER_GAMES]
BUDGET = {"thinker": "thinker@rollouts=8"}  # searches little, not by the clock, and only the first windows of a fight
ENOUGH = 12  # windows


@cache
def game_of(scenario: str, edition: str) -> HeartRush:
    return HeartRush(scenario, {"edition": edition})


def claimed(id: str) -> list[tuple[str, str]]:
    """Return the scenarios that an agent claims under the rules of June 2025; if it claims none, the classic ones."""
    agent = load(id)
    for edition in ("june2025", "classic"):
        found = [(name, edition) for name in shipped_scenarios() if agent.plays(game_of(name, edition)) is None]
        if found:
            return found
    return []


def play_out(id: str, scenario: str, edition: str) -> None:
    """Check that a fight ends in which the agent takes every seat; an illegal choice would raise an error."""
    env = heart_rush_v0.parallel_env(scenario=scenario, rules={"edition": edition})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScenarioWarning)  # a learned agent was trained on one of them
        players = Players(env.game, {seat: load(BUDGET.get(id, id)).seat(env.game) for seat in env.possible_agents})
    players.new_match()
    for windows, window in enumerate(play_fight(env, players, 20250601, 0)):
        last = window
        if id in BUDGET and windows == ENOUGH:
            return
    assert last.events[-1]["type"] == "end"


def test_every_agent_claims_a_scenario() -> None:
    """The exceptions, for other games and for a rules profile that no scenario sets, have tests of their own."""
    assert {id for id in available() if not claimed(id)} == OF_PROFILES | OF_OTHER_GAMES


@pytest.mark.parametrize("id", PLAYED)
def test_it_plays_one_that_it_claims(id: str) -> None:
    claims = dict(claimed(id))
    scenario = next(name for name in ("duel", *claims) if name in claims)  # the long runs play all others, and maps
    play_out(id, scenario, claims[scenario])


@pytest.mark.long
@pytest.mark.parametrize("id", PLAYED)
def test_it_plays_all_that_it_claims(id: str) -> None:
    for scenario, edition in claimed(id):
        play_out(id, scenario, edition)
