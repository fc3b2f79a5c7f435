"""The abilities of the Hydra: Many Heads, Regrowth."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.abilities import WITH_ROUND, memo, remember
from heartrush_env.games.heart_rush.rules.growth import grow_parts
from heartrush_env.games.heart_rush.rules.parts import body_of, has_standing_part
from heartrush_env.games.heart_rush.rules.sheet import halved
from heartrush_env.games.heart_rush.rules.terms import BY_ATTACK, STANDING

HEADS = figure("hydra.regrowth", "heads")


@ability("hydra.many_heads", rulings=["R-10", "R-148"])
class ManyHeads:
    """While any part of the owner is standing, damage to the owner is halved, rounded up.

    Damage from attacks is halved when it is dealt, and all other damage as it lands.
    """

    def cuts(fight, i, slot, striker, cause, damage):
        return halved(damage) if has_standing_part(fight, i) else damage

    def reduces(fight, i, slot, striker, cause, damage):
        return halved(damage) if cause not in BY_ATTACK and has_standing_part(fight, i) else damage


@ability("hydra.regrowth", rulings=["R-147"])
class Regrowth:
    """Two parts grow for each part cut off in the round before last; the memo counts the losses of two rounds."""

    def died(fight, i, slot, victim):
        if body_of(fight, victim) == i and fight.fighters[i].status == STANDING:
            remember(fight, i, slot, memo(fight, i, slot) + 1)

    def round_starts(fight, i, slot, log):
        cut, cut_before = memo(fight, i, slot) % WITH_ROUND, memo(fight, i, slot) // WITH_ROUND
        if fight.fighters[i].status == STANDING:
            grow_parts(fight, log, i, HEADS * cut_before)
        remember(fight, i, slot, WITH_ROUND * cut)
