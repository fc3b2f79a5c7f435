"""Slippery."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability


@ability(
    "slippery", rulings=["R-209"],
    left_out="its answers to traps, areas and nets, and the sidestep of its destiny version",
)  # fmt: skip
class Slippery:
    """No creature can grapple the owner."""

    def unheld(fight, i, slot):
        return True
