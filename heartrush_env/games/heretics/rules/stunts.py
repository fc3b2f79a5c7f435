"""Stunts: checks of one fighter against an adjacent enemy."""

import numpy as np

from heartrush_env.games.heretics import events, terms, weapons
from heartrush_env.games.heretics.book import action, rule
from heartrush_env.games.heretics.rules import conditions, items
from heartrush_env.games.heretics.rules.dice import begin_check, check_aloud, defense
from heartrush_env.games.heretics.rules.fighters import free_hands, is_able
from heartrush_env.games.heretics.rules.space import distance
from heartrush_env.tabletop.choosing import Target
from heartrush_env.tabletop.grids.places import can_be_pushed, put_behind

HEADING = "Stunts"
HINDER_FREEING = conditions.bits(terms.EXHAUSTED)  # being grappled does not hinder the check to break free
# The ability of each stunt, for the check and for the defense against it.
BY_ABILITY = np.array([terms.STR if stunt in ("shove", "grapple") else terms.DEX for stunt in terms.STUNTS], np.int8)
WORDS = ("trip {target}", "disarm {target}", "shove {target}", "grapple {target}", "throw dirt at {target}")


@rule(HEADING, "R-28")
def may_stunt(fight, i, target, stunt):
    """Return whether fighter i can try a stunt: the enemy is adjacent, and the stunt can have an effect."""
    other = fight.fighters[target]
    if not is_able(fight, target) or distance(fight, i, target) > 1 or conditions.has(fight.fighters[i], terms.CHARMED):
        return False
    if stunt == terms.BY_TRIP:
        return not conditions.has(other, terms.PRONE)
    if stunt == terms.BY_DISARM:
        return other.held != weapons.NO_ITEM
    if stunt == terms.BY_SHOVE:
        return can_be_pushed(fight, i, target)
    if stunt == terms.BY_GRAPPLE:
        return free_hands(fight.fighters[i]) > 0 and not conditions.has(other, terms.GRAPPLED)
    return not conditions.has(other, terms.BLIND)


@rule(HEADING, "R-28")
def try_stunt(fight, log, i, target, stunt):
    """Roll a stunt's check and apply it on a success; a shove ends all grapples of its target."""
    ability = BY_ABILITY[stunt]
    conditions.provoke(fight, log, i, target)
    if not conditions.check_ability(fight, log, i, target, stunt, ability, defense(fight.fighters[target], ability)):
        return
    if stunt == terms.BY_TRIP:
        conditions.afflict_until(fight, log, target, terms.PRONE, 0)
    elif stunt == terms.BY_DISARM:
        items.drop_weapon(fight, log, target)
    elif stunt == terms.BY_SHOVE:
        put_behind(fight, i, target)
        events.tell_push(fight, log, target)
        conditions.release(fight, log, target)
        if not fight.fighters[target].chained:
            conditions.relieve(fight, log, target, terms.GRAPPLED)
    elif stunt == terms.BY_GRAPPLE:
        fight.fighters[target].grappler = i
        conditions.afflict_until(fight, log, target, terms.GRAPPLED, 0)
    else:
        conditions.afflict(fight, log, target, terms.BLIND)


def add_stunt(stunt: int) -> None:
    """Put a stunt that is an action by itself on the shelf."""

    @action(terms.STUNTS[stunt], words=WORDS[stunt], target=Target.ENEMY, heading=HEADING)
    class Stunt:
        """Try a stunt against an adjacent enemy."""

        def may(fight, i, target, detail):
            return may_stunt(fight, i, target, stunt)

        def do(fight, log, i, target, detail):
            try_stunt(fight, log, i, target, stunt)


for _stunt in range(len(terms.STUNTS)):
    add_stunt(_stunt)


@action("break_free", words="break free", heading=HEADING, rulings=("R-28",))
class BreakFree:
    """Roll to break free of a grapple: the better of str and dex against the grappler's str, or int for a spell."""

    def may(fight, i, target, detail):
        return conditions.has(fight.fighters[i], terms.GRAPPLED)

    def do(fight, log, i, target, detail):
        fighter, holder = fight.fighters[i], np.int64(fight.fighters[i].grappler)
        begin_check(fight, fighter.afflicted & HINDER_FREEING)
        bonus = max(np.int64(fighter.ability[terms.STR]), np.int64(fighter.ability[terms.DEX]))
        number = defense(fight.fighters[holder], terms.INT if fighter.chained else terms.STR)
        if check_aloud(fight, log, i, holder, terms.CHECK_FREE, bonus, number):
            conditions.relieve(fight, log, i, terms.GRAPPLED)
