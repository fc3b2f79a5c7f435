"""Lists of named things; for a game without its own lists, they are made from the properties that every game has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from heartrush_env.tabletop.game import Game, is_on_map
from heartrush_env.tabletop.registry import open_game, scenario_names, usual_games

Item = dict[str, Any]
Column = str | Callable[[Item], Any]  # the item key of a cell, or a function of an item


@dataclass(frozen=True)
class Listing:
    """A list of named things of one kind."""

    about: str  # one sentence
    columns: Mapping[str, Column]  # by their headings
    items: Callable[[], list[Item]]  # JSON-able, each with all facts about one thing

    def rows(self, *more: Column) -> list[list[str]]:
        """Return each item's cells as text: first for the list's own columns, then for the columns `more`."""
        shown = [*self.columns.values(), *more]
        return [[_cell(item[show] if isinstance(show, str) else show(item)) for show in shown] for item in self.items()]


def lists_of(name: str) -> dict[str, Listing]:
    """Return the lists for the game of this name, made from the properties that every game has."""
    return {
        "scenarios": Listing(
            "The scenarios shipped with the game.",
            {"scenario": "name", "shape": "shape", "seats": lambda item: " v ".join(map(str, item["teams"].values())),
             "map": "map"},
            lambda: [_scenario(scenario, open_game({"game": name, "scenario": scenario})) for scenario in
                     scenario_names(name)],
        ),
        "settings": Listing(
            "The settings of the rules, with their values in the first scenario of each shape.",
            {"shape": "shape", "setting": "setting", "value": "value"},
            lambda: [{"shape": shape, "setting": key, "value": value} for shape, game in usual_games(name).items()
                     for key, value in game.rules.items()],
        ),
        "agents": Listing(
            "The agents that play a scenario of the game.", {"agent": "id", "description": "description"},
            lambda: _agents(name),
        ),
        "actions": Listing(
            "The actions of each shape of fights, by number.",
            {"shape": "shape", "number": "action", "action": "name"},
            lambda: [{"shape": shape, "action": number, "name": action} for shape, game in usual_games(name).items()
                     for number, action in enumerate(game.action_names)],
        ),
        "features": Listing(
            "The numbers of an observation of each shape of fights.",
            {"shape": "shape", "feature": "feature",
             "range": lambda item: f"{item['low']:g} to {item['high']:g}"},
            lambda: [item for shape, game in usual_games(name).items() for item in _features(shape, game)],
        ),
    }  # fmt: skip


def _scenario(name: str, game: Game) -> Item:
    return {"name": name, "shape": game.options["shape"], "teams": Counter(game.teams), "map": is_on_map(game)}


def _agents(name: str) -> list[Item]:
    from heartrush_agents import available, load  # imports the agents' code, so only when needed

    games = [open_game({"game": name, "scenario": scenario}) for scenario in scenario_names(name)]
    known = {id: load(id) for id in available()}
    playing = {id: agent for id, agent in known.items() if any(agent.plays(game) is None for game in games)}
    return [{"id": id, "description": agent.description} for id, agent in playing.items()]


def _features(shape: str, game: Game) -> list[dict[str, Any]]:
    bounds = zip(game.feature_names, game.observation_low.tolist(), game.observation_high.tolist(), strict=True)
    return [{"shape": shape, "feature": feature, "low": low, "high": high} for feature, low, high in bounds]


def _cell(value: Any) -> str:
    """Format a value for a table cell."""
    if value is None or value == "":
        return "-"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
