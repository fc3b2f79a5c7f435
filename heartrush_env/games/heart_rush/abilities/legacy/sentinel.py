"""Sentinel."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability


@ability("sentinel", rulings=["R-211"])
class Sentinel:
    """No sidestep escapes the owner's opportunity attacks on those that move or rise, which cost it nothing."""

    def watches(fight, i, slot):
        return True
