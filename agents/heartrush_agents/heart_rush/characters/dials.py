"""The dials of a character's personality, and the character itself: a name, a temper, and its taste in prey."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from heartrush_agents.base import Argument


class Dials(NamedTuple):
    """A character's way of fighting, in numbers from 0 to 1."""

    aggression: float = 0.5  # 0.5 weighs damage dealt and suffered equally, as the tactician does
    caution: float = 0.0
    guile: float = 0.5
    loyalty: float = 0.5


MEANINGS: Final = {
    "aggression": "0 weighs only the damage that it suffers, 1 only what it deals; the higher, the faster it comes.",
    "caution": "How readily it hides in the defensive stance, withdraws and shrugs off hits, most of all when hurt.",
    "guile": "How far it trusts its reading of an enemy's habits; with 0 it plays the same against all enemies.",
    "loyalty": "How much it fights for its allies: it stays near them and attacks whoever presses the weakest.",
}


class Prey(NamedTuple):
    """The weights of the traits that draw a character to an enemy; the enemy with the largest sum becomes its prey."""

    hurt: float = 0.0  # the fraction of its hit points that it has lost
    frail: float = 0.0  # few hit points left, ignoring armor and defense
    near: float = 0.0
    strong: float = 0.0  # large dice
    pressing: float = 0.0  # near the player's weakest ally


@dataclass(frozen=True)
class Character:
    """A named way to fight: its dials, its choice of prey, and its favourite stances."""

    name: str
    says: str  # a sentence for players
    text: str  # who it is and how to meet it
    dials: Dials
    prey: Prey = field(default_factory=Prey)
    taste: Mapping[str, float] = field(default_factory=dict)  # fraction of its choices, by favourite stance

    @property
    def arguments(self) -> dict[str, Argument]:
        """The dials as arguments of an agent."""
        return {
            name: Argument(0.0, 1.0, usual, meaning)
            for name, usual, meaning in zip(MEANINGS, self.dials, MEANINGS.values(), strict=True)
        }
