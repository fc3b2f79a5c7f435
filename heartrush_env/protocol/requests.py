"""Requests built from a live environment: the game, a seat's view, its legal actions.

history = History()
observations, _ = env.reset(seed=7)
history.observe(env.events)                    # after each reset and step
request = act_request(env.game, "knight_0", observations["knight_0"], history.reveals, id="1", seed=7)
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from heartrush_env.protocol.views import view_of
from heartrush_env.tabletop.game import Event, Game, Observation, tables_digest
from heartrush_env.tabletop.registry import brief_table
from heartrush_env.tabletop.views import Reveals, short


class History:
    """The stances revealed in a fight, collected from its events; none in a game without stances."""

    def __init__(self) -> None:
        """Start with no reveals."""
        self.round = 0
        self.reveals: list[dict[str, Any]] = []

    def observe(self, events: Sequence[Event]) -> None:
        """Process the events of a step; the start of a fight clears the reveals of the previous fight."""
        for event in events:
            if event["type"] == "round":
                if event["round"] <= self.round:
                    self.reveals = []
                self.round = event["round"]
            elif event["type"] == "reveal" and "stances" in event:
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
    """Return a JSON-able request `act` with everything that an engine needs.

    Args:
        game: The game that is played.
        seat: The seat to choose for.
        observation: The seat's observation, including the mask.
        reveals: All stances revealed in the fight; by default the latest ones, taken from the observation.
        id: Identifier to be echoed in the answer.
        seed: Seed of the engine's random choice; by default the engine chooses at random.
        budget_ms: How long the caller is willing to wait, in milliseconds.
        match: Name of a series of fights against the same opponents, which an engine may remember.
        fight: Number of the fight in the match.
        sealed: Whether to ask for a seal first.
        named: Whether to include the view as named fields; the package's engine needs only the vector.
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
    """Return the legal actions by name, in order."""
    names = game.action_names
    return [names[action] for action in np.flatnonzero(observation["action_mask"])]


def game_fields(game: Game) -> dict[str, Any]:
    """Return a request's field `game`: the scenario in its shortest form, the options, and the digest of the tables."""
    table = brief_table(game)
    options = {name: value for name, value in table.items() if name not in ("game", "scenario")}
    fields = {"game": game.name, "scenario": table["scenario"], **({"options": options} if options else {})}
    return {**fields, "tables": _tables(game)}


@lru_cache(maxsize=16)
def _tables(game: Game) -> str:
    return tables_digest(game)
