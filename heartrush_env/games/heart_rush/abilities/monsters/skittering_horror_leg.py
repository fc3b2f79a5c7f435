"""An ability of the Skittering Horror's legs: Tremors."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure, term
from heartrush_env.games.heart_rush.rules.abilities import AFTER_STEP, BEFORE_ANSWER, note, notes
from heartrush_env.games.heart_rush.rules.conditions import spread
from heartrush_env.games.heart_rush.rules.parts import bearer_of
from heartrush_env.games.heart_rush.rules.saves import roll_save, save_before_defense
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import on_map, within
from heartrush_env.games.heart_rush.rules.terms import ABILITIES, FEET, NOBODY, PRONE, STANDING
from heartrush_env.tabletop.rule import compiled

RADIUS, AGAINST = (figure("skittering_horror_leg.tremors", name) for name in ("radius_ft", "against"))
SAVE = term("skittering_horror_leg.tremors", "save", ABILITIES)


@ability("skittering_horror_leg.tremors", rulings=["R-265"])
class Tremors:
    """The ground near the owner is difficult for its enemies, which fall prone there unless they save with agility.

    They save when they move there, and before each of their attack and defense rolls. The first owner of the fight acts
    for all owners; its memo is the set of the fighters that have saved in the dash in progress.
    """

    def roughens(fight, i, slot, mover):
        owner = fight.fighters[i]
        trembles = owner.status == STANDING and owner.team != fight.fighters[mover].team
        return RADIUS // FEET if trembles else 0

    def treads(fight, i, slot, log, who, when):
        fighter = fight.fighters[who]
        if fighter.status != STANDING or has(fighter, PRONE) or bearer_of(fight, who) != NOBODY:
            return
        number = fight.fighters[i].loadout[slot]
        for other in range(i):
            if owns(fight, other, number):
                return
        dashes = when == AFTER_STEP and fight.dashing and who == fight.mover
        if dashes and has_begun_dash(fight):
            note(fight, i, slot, who, False)
        source = shaker_of(fight, who, number)
        if source == NOBODY or (dashes and notes(fight, i, slot, who)):
            return
        if dashes:
            note(fight, i, slot, who, True)
        if when == BEFORE_ANSWER:
            saved = save_before_defense(fight, log, who, source, SAVE, AGAINST)
        else:
            saved = roll_save(fight, log, who, source, SAVE, AGAINST)
        if not saved:
            spread(fight, source, who, PRONE, 1)


@on_map(False)
@compiled
def has_begun_dash(fight):
    """Return whether the step just made is the first of its dash."""
    return fight.path_at == 1


@compiled
def owns(fight, i, number):
    """Return whether fighter i has the ability with this number."""
    for slot in range(fight.fighters[i].slots):
        if fight.fighters[i].loadout[slot] == number:
            return True
    return False


@compiled
def shaker_of(fight, who, number):
    """Return the first standing enemy near fighter `who` that has the ability with this number, or NOBODY."""
    for k in range(fight.n):
        other = fight.fighters[k]
        shakes = other.status == STANDING and other.team != fight.fighters[who].team and owns(fight, k, number)
        if shakes and within(fight, k, who, RADIUS):
            return k
    return NOBODY
