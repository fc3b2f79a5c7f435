"""An agent that goes to the nearest enemy and attacks the weakest in reach."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from heartrush_agents.base import Agent, Player, Probabilities
from heartrush_env.tabletop.game import Observation
from heartrush_env.tabletop.table_game import TableGame

# How much it likes each kind of action that has no enemy as a target; it takes the action that it likes best.
LIKES = {
    "intimidate": 95.0, "request": 90.0, "break_free": 85.0, "stand": 60.0, "move": 40.0, "pick_up": 35.0,
    "retrieve": 30.0, "reload": 28.0, "move_again": 25.0, "use": 10.0, "break_shield": 5.0, "keep": 1.0,
    "sunder": -1.0, "unarmed": 20.0, "drop": -2.0, "let_go": -2.0, "break": -5.0, "leave": -5.0, "leave_again": -5.0,
    "throw": -1.0,
}  # fmt: skip
ATTACK, NEAR = 70.0, 50.0
FRAIL = 3  # hit points at which it gives up its shield


class Charger(Player):
    """A player that likes some actions more than others, and always takes the one that it likes best."""

    def policy(self, observation: Observation) -> Probabilities:
        """Return 1 for the legal action that the agent likes best, and 0 for all others."""
        game = cast(TableGame, self.game)
        view = game.layout.read(observation["observation"].tolist())
        names = game.action_names
        legal = [int(action) for action in np.flatnonzero(observation["action_mask"])]
        best = max(legal, key=lambda action: _value(names[action], view))
        chosen: Probabilities = np.zeros(len(names))
        chosen[best] = 1.0
        return chosen


def _value(name: str, view: Mapping[str, Mapping[str, Any]]) -> float:
    """Return how much the agent likes the action with this name, given its view of the fight."""
    deed, _, rest = name.partition(" ")
    if deed == "attack":
        return ATTACK - min(float(view[f"enemy {rest}"]["hp"]), ATTACK)
    if deed == "to":
        east, _, south = rest.partition(",")
        return NEAR - _distance(int(east), int(south), view)
    if deed in ("retrieve", "pick_up", "drop") and view["self"]["held"] is not None:
        return -1.0
    if deed == "break_shield" and view["self"]["hp"] > FRAIL:
        return 0.0
    if deed == "use":
        return LIKES[deed] - (rest != "dice")
    return LIKES.get(deed, 0.0)


def _distance(east: int, south: int, view: Mapping[str, Mapping[str, Any]]) -> int:
    """Return by how much the distance from a square to the nearest able enemy differs from 1; 0 without an enemy."""
    found = [
        int(max(abs(seen["east"] - east), abs(seen["south"] - south)))
        for owner, seen in view.items()
        if owner.startswith("enemy") and seen["status"] == "able"
    ]
    return abs(min(found, default=1) - 1)


CHARGER = Agent(
    "heretics_charger", "Goes to the nearest enemy and attacks the weakest in reach.", Charger, games=("heretics",)
)
