"""The scenarios that a page may offer, and the agents that play each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from heartrush_agents.base import Agent

from heartrush_env.games import open_game
from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or

USUAL: Final = ("duelist", "tactician")  # the enemies that a page suggests first


def scenarios() -> list[dict[str, Any]]:
    """Return the shipped scenarios with their seats, JSON-able."""
    found = []
    for name in shipped_scenarios():
        scenario = load_scenario(name)
        seats = [{"seat": sheet.agent, "name": sheet.name, "team": sheet.team} for sheet in scenario.fighters]
        found.append({"name": name, "map": scenario.battlefield is not None, "seats": seats})
    return found


def who_plays(agents: Mapping[str, Agent], name: str) -> dict[str, Any]:
    """Return the agents that play a shipped scenario and the suggested one; raise HeartRushError for others."""
    if name not in shipped_scenarios():
        raise HeartRushError(f"scenario: found {show(name)}, allowed: {join_or(shipped_scenarios())}.")
    game = _game(name)
    playing = {id: agent for id, agent in agents.items() if agent.plays(game) is None}
    return {
        "agents": [{"id": id, "description": agent.description} for id, agent in playing.items()],
        "usual": next((id for id in USUAL if id in playing), next(iter(playing), None)),
    }


@cache
def _game(name: str) -> Game:
    return open_game({"scenario": name})
