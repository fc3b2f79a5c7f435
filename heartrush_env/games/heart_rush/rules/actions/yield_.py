"""Taking Damage > Zero Hit points: yielding."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.choices import Cost, action
from heartrush_env.games.heart_rush.rules.hits import take_out
from heartrush_env.games.heart_rush.rules.taking_damage import may_yield
from heartrush_env.games.heart_rush.rules.terms import NOBODY, UNCONSCIOUS
from heartrush_env.games.heart_rush.state.events import YIELD_EVENT, tell


@action(
    "yield",
    words="yield: fall unconscious and be out of it",
    tells="{fighter} yields",
    cost=Cost.NOTHING,
    windows=("action", "yield"),
)
class Yield:
    """A fighter at 0 hit points or less gives up and falls unconscious."""

    def may(fight, i, target, detail):
        return may_yield(fight, fight.fighters[i])

    def may_in_yield(fight, i, target, detail):
        """Return whether the fighter has just dropped to 0 hit points or less."""
        return fight.fighters[i].dropped

    def do(fight, log, i, target, detail):
        tell(fight, log, YIELD_EVENT, i, NOBODY, 0, 0)
        take_out(fight, log, i, UNCONSCIOUS)
