"""The Engagement > Making Attack Rolls: attack, defense, contest and damage, in and out of the engagement."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.checks import ability_die, clip_net, forget_causes
from heartrush_env.games.heart_rush.rules.conditions import modifiers, use_help
from heartrush_env.games.heart_rush.rules.dice import MAX_HANDFUL, add_die, add_flat, clear_pool, roll
from heartrush_env.games.heart_rush.rules.hooks import there_are_abilities, with_abilities
from heartrush_env.games.heart_rush.rules.sheet import damage_type, halved, note_cause
from heartrush_env.games.heart_rush.rules.stances import may_attack
from heartrush_env.games.heart_rush.rules.terms import (
    ATTACK,
    BY_ABILITY,
    DEFENSE,
    DEFENSIVE,
    MIGHT,
    NO_DAMAGE_TYPE,
    NOBODY,
    OF_ABILITY,
    OF_ARMOR,
    OF_BARE_HANDS,
    OF_BONUS,
    OF_DAMAGE_TYPE,
    OF_HEART,
    OF_SHIELD,
    OF_WEAPON,
    OF_WHIP,
    RANGED,
    THROWN,
    WHIP,
)
from heartrush_env.games.heart_rush.rules.weapons import type_against
from heartrush_env.tabletop.rule import compiled, inlined, rule, unfolded

UNARMED_DIE = 4


@rule("Weapons > Unarmed", hot=True)
def weapon_die(fight, i, o):
    """Return the die of fighter i's weapon against o (or NOBODY): a d4 for bare hands, unless an ability changes it."""
    fighter = fight.fighters[i]
    return hooks.weapon_die(fight, i, o, np.int64(fighter.weapon_die if fighter.armed else UNARMED_DIE))


@rule("Weapons > Damage Type Bonus", hot=True)
def damage_type_die(fight, i, o, stance):
    """Return an extra weapon die for bludgeoning in might, slashing in agility or piercing in cunning; else 0."""
    kind = damage_type_in(fight, i, stance)
    return weapon_die(fight, i, o) if kind != NO_DAMAGE_TYPE and kind == stance else 0


@inlined
def damage_type_in(fight, i, stance):
    """Return the damage type of fighter i's attacks in this stance: its weapon's, unless an ability changes it."""
    return hooks.damage_type(fight, i, stance, np.int64(damage_type(fight.fighters[i])))


@rule("Weapons > Might Bonus > Whip", hot=True)
def whip_die(fight, i, o, beaten, stance):
    """Return an extra weapon die if the attack is made with a whip, in might, and beats the target's stance, else 0."""
    return weapon_die(fight, i, o) if type_against(fight, i, o) == WHIP and stance == MIGHT and beaten else 0


@rule("Weapons > Might Bonus > Ranged", "R-8", hot=True)
def ignores_armor(fight, i, o, beaten, stance):
    """Return whether the attack ignores armor but not shields: a ranged attack in might that beats the target."""
    return type_against(fight, i, o) == RANGED and stance == MIGHT and beaten


@rule("Weapons > Might Bonus > Thrown", "R-35", hot=True)
def earns_follow_up(fight, i, o, beaten, stance, attack, defense):
    """Return whether a throw in might that beats both the target's stance and its defense roll earns another throw."""
    if type_against(fight, i, o) != THROWN or fight.fighters[i].thrown <= 1:
        return False
    return stance == MIGHT and beaten and attack > defense


@rule("Combat > The Engagement > Making Attack Rolls > Your Attack Roll", unfolds=True)
def attack_pool(fight, i, o, stance, beaten):
    """Fill the pool with fighter i's attack on o (or NOBODY): heart, ability and weapon dice, bonuses and advantage."""
    fighter = fight.fighters[i]
    pool = fight.pool
    clear_pool(pool)
    add_die(pool, OF_HEART, heart_die(fight, i, o))
    add_die(pool, OF_ABILITY + stance, fighter.ability[stance] if o == NOBODY else ability_die(fight, i, stance))
    add_die(pool, OF_WEAPON if fighter.armed else OF_BARE_HANDS, weapon_die(fight, i, o))
    add_die(pool, OF_DAMAGE_TYPE + stance, damage_type_die(fight, i, o, stance))
    add_die(pool, OF_WHIP, whip_die(fight, i, o, beaten, stance))
    add_further_whip_dice(fight, i, o, beaten, stance)
    add_flat(pool, OF_BONUS, fighter.attack_bonus)
    net = modifiers(fight, i, ATTACK, stance, o, type_against(fight, i, o)) + fighter.helped
    pool.net = clip_net(fight, balanced(fight, i, o, net + levels_in_attack(fight, i, o, stance)))


@rule("Combat > The Engagement > Making Attack Rolls > Defender's Roll", unfolds=True)
def defense_pool(fight, i, o, stance, armor):
    """Fill the pool with i's defense against o: heart die, ability die for `stance`, armor, shield and advantage."""
    fighter = fight.fighters[i]
    pool = fight.pool
    clear_pool(pool)
    add_die(pool, OF_HEART, heart_die(fight, i, o))
    add_die(pool, OF_ABILITY + stance, ability_die(fight, i, stance))
    add_flat(pool, OF_ARMOR, armor)
    add_flat(pool, OF_SHIELD, fighter.shield)
    net = modifiers(fight, i, DEFENSE, stance, o, type_against(fight, o, i)) + fighter.helped
    pool.net = clip_net(fight, net + levels_in_defense(fight, i, o, stance))


@rule("Combat > The Engagement > Making Attack Rolls > Defender's Roll", "R-184", hot=True)
def armor_against(fighter, striker):
    """Return the fighter's armor against a striker: stat blocks may have another one for some kinds of damage."""
    return np.int64(fighter.armor) + fighter.armor_vs[damage_type(striker)]


@rule("Combat > The Engagement > Making Attack Rolls > Your Attack Roll", "R-13")
def heart_die(fight, i, o):
    """Return fighter i's heart die for a roll against `o`, after abilities have changed it; `o` may be NOBODY."""
    die = np.int64(fight.fighters[i].phase_heart)
    return die if o == NOBODY else hooks.heart(fight, i, die)


@with_abilities(None)
@compiled
def add_further_whip_dice(fight, i, o, beaten, stance):
    """Add more whip dice if abilities repeat the might bonus and the handful has room."""
    die = whip_die(fight, i, o, beaten, stance)
    if die > 0 and o != NOBODY:
        for _ in range(min(hooks.might_bonus(fight, i, o), MAX_HANDFUL - fight.pool.count)):
            add_die(fight.pool, OF_WHIP, die)


@with_abilities(0)
@compiled
def levels_in_attack(fight, i, o, stance):
    """Return the advantage that abilities give an attack on `o` (may be NOBODY), and add their dice to the pool."""
    if o == NOBODY:
        return 0
    levels = hooks.attack(fight, i, o, stance) + hooks.attack_of(fight, i, o, stance)
    return note_cause(fight, BY_ABILITY, levels) if levels != 0 else 0


@compiled
def balanced(fight, i, o, net):
    """Return the net advantage of an attack on `o` (may be NOBODY) after abilities change it."""
    if o == NOBODY or not there_are_abilities(fight):
        return net
    return net + note_cause(fight, BY_ABILITY, hooks.balance(fight, i, o, np.int64(net)) - net)


@with_abilities(0)
@compiled
def levels_in_defense(fight, i, o, stance):
    """Return the advantage that abilities give a defense against `o`, and add their dice and bonuses to the pool."""
    levels = hooks.defense(fight, i, o, stance) + hooks.defense_of(fight, i, o, stance)
    return note_cause(fight, BY_ABILITY, levels) if levels != 0 else 0


@unfolded
def roll_attack(fight, i, o, stance, beaten, out):
    """Roll fighter i's attack on o into `out`, using up any help; return the total."""
    forget_causes(fight)
    attack_pool(fight, i, o, stance, beaten)
    use_help(fight, fight.fighters[i])
    return throw(fight, i, ATTACK, o, out)


@unfolded
def roll_defense(fight, i, o, stance, armor, out):
    """Roll fighter i's defense against o into `out`, using up any help; return the total."""
    forget_causes(fight)
    defense_pool(fight, i, o, stance, armor)
    use_help(fight, fight.fighters[i])
    return throw(fight, i, DEFENSE, o, out)


@inlined
def throw(fight, i, kind, o, out):
    """Roll the pool into `out` against `o`, which may be NOBODY; return the total after abilities have changed it."""
    total = roll(fight.pool, fight, out)
    if o == NOBODY or not there_are_abilities(fight):
        return total
    hooks.rolled(fight, i, kind, o, out)
    hooks.rolled_by(fight, i, kind, o, out)
    return np.int64(out.total)


@inlined
def armor_of(fight, i, o):
    """Return fighter i's armor against an attack of fighter o, after abilities have changed it."""
    return hooks.armor(fight, i, armor_against(fight.fighters[i], fight.fighters[o]))


@rule("Combat > The Engagement > Making Attack Rolls > Damage dealt", hot=True)
def damage_dealt(attack, defense):
    """Return the attack roll minus the defense roll, but at least 0."""
    return max(0, attack - defense)


@rule("Combat > The Engagement > Choosing Your Stance > Defensive Stance", "R-10", hot=True)
def after_defensive(damage, stance):
    """Return the damage that a target in this stance takes: half of it, rounded up, in defensive stance, else all."""
    return halved(damage) if stance == DEFENSIVE else damage


@rule("Combat > The Engagement > Attack Resolution Process > Same Stance Combat", "R-9", "R-160")
def is_contest(fight, i, target, goes_back):
    """Return whether both fighters roll attacks, which requires equal stances.

    By default, the target must also be able to attack fighter i. One setting requires instead that the target does
    attack back (`goes_back`). Another setting requires only equal stances.
    """
    fighter, other = fight.fighters[i], fight.fighters[target]
    if fighter.stance != other.stance:
        return False
    if fight.rules.contested_mutual:
        return goes_back
    if fight.rules.contested_always:
        return True
    return other.able and may_attack(fight, target, i)


@rule("Combat > The Engagement > Attack Resolution Process > Same Stance Combat", "R-41", hot=True)
def contest_damage(fight, difference, loser, winner):
    """Return the damage to a contest's loser: the rolls' difference, less armor and shield if a setting says so."""
    if loser != NOBODY and fight.rules.armor_in_contest:
        return max(0, difference - armor_of(fight, loser, winner) - fight.fighters[loser].shield)
    return difference
