"""The constants of a tactician's movement on maps, which an agent takes as arguments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from heartrush_agents.base import Argument


class Constants(NamedTuple):
    """Values and prices in fractions of hit points, and weights."""

    nearer: float = 0.02
    fear: float = 0.25
    alone: float = 0.3
    push: float = 0.1
    worth_it: float = 0.05
    crowded: float = 0.01
    action: float = 0.05
    rush: float = 0.02
    swap: float = 0.02


USUAL: Final = Constants()
MEANINGS: Final = {
    "nearer": "The value of each square closer to the nearest enemy for a fighter that cannot strike.",
    "fear": "The weight of an enemy that could still come; an enemy in range has weight 1.",
    "alone": "The weight of a fighter's own losses if it has no ally to hide behind.",
    "push": "The chance that might beats the other's stance while the other is still in reach.",
    "worth_it": "How much better another square must be for a fighter that can strike; it fades in quiet rounds.",
    "crowded": "The price of a square that an ally is likely to take.",
    "action": "The value of the action for other uses: help, opportunity attacks.",
    "rush": "The value of a rush point.",
    "swap": "The value of the free change of weapons.",
}
ARGUMENTS: Final[Mapping[str, Argument]] = {
    name: Argument(0.0, 1.0, usual, MEANINGS[name]) for name, usual in USUAL._asdict().items()
}
