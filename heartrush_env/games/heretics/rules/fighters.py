"""A fighter: its defenses, what it holds, and what puts it out of the fight."""

import numpy as np

from heartrush_env.games.heretics.book import rule
from heartrush_env.games.heretics.events import tell_damage, tell_out
from heartrush_env.games.heretics.rules.conditions import free_all, has
from heartrush_env.games.heretics.terms import ABLE, MOST_HP, OUT, SURPRISED, UNAWARE, WIL
from heartrush_env.games.heretics.weapons import HANDS, NO_ITEM, SHOOTS, VERSATILE
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.rule import compiled, inlined

HEADING = "A fighter"
AGENTS = 1  # a value of the setting retainers_as


@inlined
def is_able(fight, i):
    """Return whether a fighter is still in the fight."""
    return fight.fighters[i].status == ABLE


@rule("Conditions", "R-29", "R-31")
def takes_part(fight, i):
    """Return whether a fighter is able, has not routed, and is aware of the fight."""
    return is_able(fight, i) and not fight.fighters[i].routed and not has(fight.fighters[i], UNAWARE)


@compiled
def decides(fight, i):
    """Return whether a fighter takes part, and its own seat decides for it: scripted retainers obey."""
    return takes_part(fight, i) and (fight.fighters[i].commander == NOBODY or fight.rules.retainers_as == AGENTS)


@rule(HEADING)
def armored_defense(fighter):
    """Return the armored defense (AD): the armor, and 1 for an unbroken shield."""
    return np.int64(fighter.armor) + (1 if fighter.shield else 0)


@rule(HEADING)
def magicked_defense(fighter):
    """Return the magicked defense (MD): 10, wil and the ward."""
    return 10 + np.int64(fighter.ability[WIL]) + np.int64(fighter.ward)


@rule(HEADING, "R-39")
def in_two_hands(fighter):
    """Return whether the weapon is in two hands: it needs both, or may use both and the other hand is empty."""
    if fighter.held == NO_ITEM:
        return False
    return HANDS[fighter.held] == 2 or (VERSATILE[fighter.held] and not fighter.shield)


@compiled
def free_hands(fighter):
    """Return how many hands are free to grapple with; a weapon that fits one hand or two needs only one."""
    used = 1 if fighter.shield else 0
    if fighter.held != NO_ITEM:
        used += np.int64(HANDS[fighter.held])
    return 2 - used


@compiled
def holds_missile_weapon(fighter):
    """Return whether a fighter holds a weapon that shoots."""
    return fighter.held != NO_ITEM and SHOOTS[fighter.held]


@compiled
def strikes_armed(fighter):
    """Return whether a fighter strikes with a weapon in a beat: it holds one, and not a missile weapon."""
    return fighter.held != NO_ITEM and not SHOOTS[fighter.held]


@rule(HEADING, "R-5")
def harm(fight, log, i, amount):
    """Take hit points from a fighter; at 0 it is out, and lets go of any fighter that it holds.

    By a setting, a hero loses as flesh what its grit did not cover, or all if it is surprised. Without flesh it is out.
    """
    fighter = fight.fighters[i]
    fighter.hp = max(0, np.int64(fighter.hp) - amount)
    if fight.rules.two_pools == 1 and fighter.hero:
        flesh = np.int64(fighter.flesh)
        fighter.flesh = max(0, flesh - amount if has(fighter, SURPRISED) else min(flesh, np.int64(fighter.hp)))
        fighter.hp = fighter.hp if fighter.flesh > 0 else 0
    tell_damage(fight, log, i, amount, np.int64(fighter.hp) if fight.rules.public_hp == 0 else np.int64(NOBODY))
    if fighter.hp == 0 and is_able(fight, i):
        fighter.status = OUT
        tell_out(fight, log, i)
        free_all(fight, log, i)


@compiled
def able_of(fight, side):
    """Return how many fighters of a side are able."""
    count = 0
    for i in range(fight.n):
        count += fight.fighters[i].team == side and is_able(fight, i)
    return count


@rule(HEADING, "R-4")
def leader_of(fight, side):
    """Return the leader of a side if it is able, else NOBODY."""
    for i in range(fight.n):
        if fight.fighters[i].team == side and fight.fighters[i].leader and is_able(fight, i):
            return i
    return NOBODY


@compiled
def strongest(fight, side):
    """Return a side's leader if able, else its mightiest fighter."""
    leader = leader_of(fight, side)
    return mightiest(fight, side) if leader == NOBODY else leader


@compiled
def mightiest(fight, side):
    """Return a side's able fighter with the most hit dice, then the most hit points; NOBODY if none is able."""
    best, most = np.int64(NOBODY), np.int64(-1)
    for i in range(fight.n):
        strength = (MOST_HP + 1) * np.int64(fight.fighters[i].hd) + np.int64(fight.fighters[i].hp)
        if fight.fighters[i].team == side and is_able(fight, i) and strength > most:
            best, most = i, strength
    return best
