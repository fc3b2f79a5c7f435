"""The abilities of the Vampire Spawn: Regeneration, Life Drain."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure
from heartrush_env.games.heart_rush.rules.healing import heal
from heartrush_env.games.heart_rush.rules.sheet import halved
from heartrush_env.games.heart_rush.rules.terms import BY_ATTACK, MELEE
from heartrush_env.games.heart_rush.rules.weapons import type_against

HEAL = figure("vampire_spawn.regeneration", "heal")


@ability("vampire_spawn.regeneration")
class Regeneration:
    """The owner heals as a round starts, if it has more than 0 hit points."""

    def round_starts(fight, i, slot, log):
        if fight.fighters[i].hp > 0:
            heal(fight, log, i, i, HEAL)


@ability("vampire_spawn.life_drain", rulings=["R-10"])
class LifeDrain:
    """The owner heals half of the damage that its melee attacks deal, rounded up."""

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        if striker == i and cause in BY_ATTACK and type_against(fight, i, victim) == MELEE:
            heal(fight, log, i, i, halved(damage))
