"""The scenarios that a page may offer, and the agents that play each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from heartrush_agents.base import Agent

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game, is_on_map
from heartrush_env.tabletop.registry import DEFAULT_GAME, open_game, scenario_names
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or
from heartrush_env.tabletop.words import words_of

USUAL: Final = ("duelist", "tactician")  # the enemies that a page suggests first


def scenarios(game: str = DEFAULT_GAME) -> list[dict[str, Any]]:
    """Return the shipped scenarios of a game with their seats as JSON-able data."""
    found = []
    for name in scenario_names(game):
        opened = _game(game, name)
        names = words_of(opened).names
        seats = [
            {"seat": seat, "name": names[seat], "team": team}
            for seat, team in zip(opened.agents, opened.teams, strict=True)
        ]
        found.append({"name": name, "game": game, "map": is_on_map(opened), "seats": seats})
    return found


def who_plays(agents: Mapping[str, Agent], name: str, game: str = DEFAULT_GAME) -> dict[str, Any]:
    """Return the agents that play a shipped scenario, and the suggested one; raise HeartRushError for other names."""
    if name not in scenario_names(game):
        raise HeartRushError(f"scenario: expected {join_or(scenario_names(game))}, got {show(name)}.")
    opened = _game(game, name)
    playing = {id: agent for id, agent in agents.items() if agent.plays(opened) is None}
    return {
        "agents": [{"id": id, "description": agent.description} for id, agent in playing.items()],
        "usual": next((id for id in USUAL if id in playing), next(iter(playing), None)),
    }


@cache
def _game(game: str, scenario: str) -> Game:
    return open_game({"game": game, "scenario": scenario})
