"""Quick."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability


@ability("quick", rulings=["R-202"])
class Quick:
    """The owner is faster: the speed with which it begins a fight includes this, so it answers no hook."""
