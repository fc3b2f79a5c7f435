"""Requests made from a live environment: which game it is, what a seat sees, what it may do.

history = History()
observations, _ = env.reset(seed=7)
history.observe(env.events)                    # after each reset and step
request = act_request(env.game, "knight_0", observations["knight_0"], history.reveals, id="1", seed=7)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from heartrush_env.core.game import Event, Game, Observation, tables_digest
from heartrush_env.heart_rush.scenario.load import Scenario, load_scenario, shipped_scenarios
from heartrush_env.protocol.views import Reveals, short, view_of
from heartrush_env.records.tables import scenario_table

if TYPE_CHECKING:
    from heartrush_env.heart_rush.game import HeartRush

OPTIONS = {"decisions": "full", "control": "fighter", "shape": None, "memory": None}


class History:
    """The stances revealed in a fight, told from its events."""

    def __init__(self) -> None:
        """Nothing has been revealed."""
        self.round = 0
        self.reveals: list[dict[str, Any]] = []

    def observe(self, events: Sequence[Event]) -> None:
        """See what happened in a step; a fight that begins anew forgets the one before."""
        for event in events:
            if event["type"] == "round":
                if event["round"] <= self.round:
                    self.reveals = []
                self.round = event["round"]
            elif event["type"] == "reveal":
                self.reveals.append({"round": self.round, "stances": dict(event["stances"])})


def act_request(
    game: Game,
    seat: str,
    observation: Observation,
    reveals: Reveals | None = None,
    *,
    id: str = "1",
    seed: int | None = None,
    budget_ms: float | None = None,
    match: str | None = None,
    fight: int = 0,
    sealed: bool = False,
    named: bool = True,
) -> dict[str, Any]:
    """A request `act`, JSON-able, with everything that an engine needs.

    Args:
        game: What is played.
        seat: Who is asked.
        observation: What the environment showed this seat, the mask included.
        reveals: All stances revealed in the fight; the latest, as the observation shows them, unless given.
        id: Echoed in the answer.
        seed: The engine draws its choice from it; by chance unless given.
        budget_ms: How long the caller would like to wait at most.
        match: Fights against the same opponents, which an engine may remember.
        fight: The number of the fight in the match.
        sealed: Ask for a seal first.
        named: Tell the view as named fields too; engines of ours play by the vector and do not need them.
    """
    request: dict[str, Any] = {"type": "act", "id": id, "game": game_fields(game), "seat": seat}
    features = observation["observation"]
    request["view"] = view_of(game, seat, features, reveals) if named else {"observation": short(features)}
    request["legal"] = legal_names(game, observation)
    optional = {"seed": seed, "budget_ms": budget_ms, "match": match}
    request |= {name: value for name, value in optional.items() if value is not None}
    if match is not None:
        request["fight"] = fight
    if sealed:
        request["sealed"] = True
    return request


def legal_names(game: Game, observation: Observation) -> list[str]:
    """The legal actions by name, in order."""
    names = _action_names(cast("HeartRush", game))
    return [names[action] for action in np.flatnonzero(observation["action_mask"])]


def game_fields(game: Game) -> dict[str, Any]:
    """The field `game` of a request: a shipped scenario by its name, any other as a table; options if unusual."""
    heart_rush = cast("HeartRush", game)
    told = {"game": game.name, **_scenario_fields(heart_rush.scenario)}
    told |= {name: game.options[name] for name in OPTIONS if game.options[name] != OPTIONS[name]}
    return {**told, "tables": _tables(heart_rush)}


@lru_cache(maxsize=16)
def _action_names(game: HeartRush) -> tuple[str, ...]:
    return game.action_names


@lru_cache(maxsize=16)
def _tables(game: HeartRush) -> str:
    return tables_digest(game)


@lru_cache(maxsize=16)
def _scenario_fields(scenario: Scenario) -> dict[str, Any]:
    """A name where the scenario is a shipped one, with the settings that differ; else its table."""
    if scenario.name in shipped_scenarios():
        shipped = load_scenario(scenario.name)
        usual, settings = asdict(shipped.settings), asdict(scenario.settings)
        rules = {key: value for key, value in settings.items() if value != usual[key]}
        if load_scenario(scenario.name, rules) == scenario:
            return {"scenario": scenario.name, **({"rules": rules} if rules else {})}
    return {"scenario": scenario_table(scenario)}
