"""The abilities of the Skittering Horror's heart: Sealed, Mend, Stillness, Vitality Drain."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figure, term
from heartrush_env.games.heart_rush.rules.conditions import spread
from heartrush_env.games.heart_rush.rules.cover import is_enemy_within
from heartrush_env.games.heart_rush.rules.healing import heal
from heartrush_env.games.heart_rush.rules.hits import add_late_hit
from heartrush_env.games.heart_rush.rules.parts import body_of
from heartrush_env.games.heart_rush.rules.saves import roll_save
from heartrush_env.games.heart_rush.rules.terms import ABILITIES, FROM_ABILITY, NOBODY, STANDING, STUNNED
from heartrush_env.tabletop.rng import roll_sum
from heartrush_env.tabletop.rule import compiled

MENDS = dice("skittering_horror_heart.mend", "heal")[0]
RADIUS = figure("skittering_horror_heart.stillness", "radius_ft")
SAVE, AGAINST = (
    term("skittering_horror_heart.stillness", "save", ABILITIES),
    figure("skittering_horror_heart.stillness", "against"),
)
DRAINS_WITHIN = figure("skittering_horror_heart.vitality_drain", "radius_ft")
DRAINS = dice("skittering_horror_heart.vitality_drain", "damage")[0]


@ability("skittering_horror_heart.sealed", rulings=["R-189"])
class Sealed:
    """No creature can attack the owner while its carapace has hit points."""

    def bars(fight, i, slot, striker, target):
        carapace = carapace_of(fight, i)
        return target == i and carapace != NOBODY and fight.fighters[carapace].hp > 0


@ability("skittering_horror_heart.mend", rulings=["R-189"])
class Mend:
    """As each round starts, the carapace of the owner heals, if both stand."""

    def round_starts(fight, i, slot, log):
        carapace = carapace_of(fight, i)
        if carapace != NOBODY and fight.fighters[i].status == STANDING and fight.fighters[carapace].status == STANDING:
            heal(fight, log, carapace, i, roll_sum(fight, MENDS[0], MENDS[1]))


@ability("skittering_horror_heart.stillness", rulings=["R-189"])
class Stillness:
    """As each round starts, enemies near the owner are stunned unless they save with presence."""

    def round_starts(fight, i, slot, log):
        for j in range(fight.n if fight.fighters[i].status == STANDING else 0):
            if is_enemy_within(fight, i, j, RADIUS) and not roll_save(fight, log, j, i, SAVE, AGAINST):
                spread(fight, i, j, STUNNED, 1)


@ability("skittering_horror_heart.vitality_drain", rulings=["R-189"])
class VitalityDrain:
    """Enemies that begin a round near the owner take damage."""

    def round_starts(fight, i, slot, log):
        for j in range(fight.n if fight.fighters[i].status == STANDING else 0):
            if is_enemy_within(fight, i, j, DRAINS_WITHIN):
                add_late_hit(fight, j, i, FROM_ABILITY, roll_sum(fight, DRAINS[0], DRAINS[1]))


@compiled
def carapace_of(fight, i):
    """Return the fighter that the owner is a part of, or else the first of its largest allies, or NOBODY."""
    body = body_of(fight, i)
    if body != NOBODY:
        return body
    fighter, found = fight.fighters[i], NOBODY
    for place in range(fighter.ally_count):
        ally = fighter.allies[place]
        if found == NOBODY or fight.fighters[ally].size_rank > fight.fighters[found].size_rank:
            found = ally
    return found
