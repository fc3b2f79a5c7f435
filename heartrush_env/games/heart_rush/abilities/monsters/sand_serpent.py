"""The abilities of the Sand Serpent: Ambusher."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.conditions import restraint
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import PRONE

ADVANTAGE = figure("sand_serpent.ambusher", "advantage")


@ability("sand_serpent.ambusher", rulings=["R-53"])
class Ambusher:
    """The owner's attacks on restrained or prone targets have advantage; a hold or a net restrains, too."""

    def attack(fight, i, slot, target, stance):
        other = fight.fighters[target]
        return ADVANTAGE if restraint(fight, other) > 0 or has(other, PRONE) else 0
