"""Action Surge."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, version

RUSH = figures("action_surge", "rush")


@ability("action_surge", on=[ON_ACTION], rulings=["R-123"])
class ActionSurge:
    """The owner regains its action, and also rush points in the destiny version."""

    def may(fight, i, slot, target):
        """Return whether the owner's action of the round is spent."""
        return not fight.fighters[i].action

    def do(fight, log, i, slot, target):
        fight.fighters[i].action = True
        fight.fighters[i].rush += RUSH[version(fight, i, slot)]
