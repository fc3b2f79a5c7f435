"""Stunts: checks of one fighter against an adjacent enemy."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.book import rule
from heartrush_env.games.heretics.events import tell_check, tell_push
from heartrush_env.games.heretics.rules.conditions import afflict, afflict_until, fall, hinder_check, release, relieve
from heartrush_env.games.heretics.rules.dice import check, clear_causes, defense, has, hinder_by
from heartrush_env.games.heretics.rules.fighters import free_hands, is_able
from heartrush_env.games.heretics.rules.items import drop_weapon
from heartrush_env.games.heretics.rules.space import distance, is_free, on_map
from heartrush_env.games.heretics.weapons import NO_ITEM
from heartrush_env.tabletop.rule import compiled

HEADING = "Stunts"
# The ability of each stunt, for the check and for the defense against it.
BY_ABILITY = np.array([terms.STR if stunt in ("shove", "grapple") else terms.DEX for stunt in terms.STUNTS], np.int8)


@rule(HEADING, "R-28")
def may_stunt(fight, i, target, stunt):
    """Return whether fighter i can try a stunt: the enemy is adjacent, and the stunt can do something."""
    other = fight.fighters[target]
    if not is_able(fight, target) or distance(fight, i, target) > 1:
        return False
    if stunt == terms.BY_TRIP:
        return not has(other, terms.PRONE)
    if stunt == terms.BY_DISARM:
        return other.held != NO_ITEM
    if stunt == terms.BY_SHOVE:
        return can_be_pushed(fight, i, target)
    if stunt == terms.BY_GRAPPLE:
        return free_hands(fight.fighters[i]) > 0 and not has(other, terms.GRAPPLED)
    return not has(other, terms.BLIND)


@rule(HEADING, "R-28")
def try_stunt(fight, log, i, target, stunt):
    """Roll a stunt's check and apply it on a success; failure does nothing."""
    fighter, other = fight.fighters[i], fight.fighters[target]
    ability = BY_ABILITY[stunt]
    number = defense(other, ability)
    hinder_check(fight, i)
    success = check(fight, np.int64(fighter.ability[ability]), number, False)
    tell_check(fight, log, i, target, stunt, fight.exchange.natural, fight.exchange.total, number, success)
    if not success:
        return
    if stunt == terms.BY_TRIP:
        fall(fight, log, target)
    elif stunt == terms.BY_DISARM:
        drop_weapon(fight, log, target)
    elif stunt == terms.BY_SHOVE:
        push(fight, log, i, target)
    elif stunt == terms.BY_GRAPPLE:
        other.grappler = i
        afflict_until(fight, log, target, terms.GRAPPLED, 0)
    else:
        afflict(fight, log, target, terms.BLIND)


@on_map(False)
@compiled
def can_be_pushed(fight, i, target):
    """Return whether the square straight behind the target is free."""
    one, other = fight.fighters[i], fight.fighters[target]
    x, y = np.int64(other.x), np.int64(other.y)
    return is_free(fight, 2 * x - np.int64(one.x), 2 * y - np.int64(one.y))


@on_map(None)
@rule(HEADING, "R-28")
def push(fight, log, i, target):
    """Push the target one square straight away; it lets go, and is let go."""
    if can_be_pushed(fight, i, target):
        one, other = fight.fighters[i], fight.fighters[target]
        x, y = 2 * np.int64(other.x) - np.int64(one.x), 2 * np.int64(other.y) - np.int64(one.y)
        other.x = x
        other.y = y
        tell_push(fight, log, target)
        release(fight, log, target)
        relieve(fight, log, target, terms.GRAPPLED)


@rule(HEADING, "R-28")
def break_free(fight, log, i):
    """Roll to end being grappled: the better of str and dex against the grappler's str."""
    fighter = fight.fighters[i]
    holder = np.int64(fighter.grappler)
    clear_causes(fight)  # being grappled does not hinder this check
    if has(fighter, terms.EXHAUSTED):
        hinder_by(fight, terms.BY_EXHAUSTION)
    number = defense(fight.fighters[holder], terms.STR)
    bonus = max(np.int64(fighter.ability[terms.STR]), np.int64(fighter.ability[terms.DEX]))
    success = check(fight, bonus, number, False)
    tell_check(fight, log, i, holder, terms.CHECK_FREE, fight.exchange.natural, fight.exchange.total, number, success)
    if success:
        relieve(fight, log, i, terms.GRAPPLED)
