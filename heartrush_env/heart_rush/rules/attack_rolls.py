"""The Engagement > Making Attack Rolls: attack, defense, contest and damage, in and out of the engagement."""

from __future__ import annotations

from heartrush_env.core.rule import compiled, rule
from heartrush_env.heart_rush.rules.checks import clip_net, forget_causes
from heartrush_env.heart_rush.rules.conditions import modifiers, use_help
from heartrush_env.heart_rush.rules.dice import add_die, add_flat, clear_pool, roll
from heartrush_env.heart_rush.rules.sheet import attack_type, damage_type, halved
from heartrush_env.heart_rush.rules.stances import may_attack
from heartrush_env.heart_rush.rules.terms import (
    ATTACK,
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

UNARMED_DIE = 4


@rule("Weapons > Unarmed", hot=True)
def weapon_die(fighter):
    """The die of the weapon in hand; bare hands are ultralight."""
    return fighter.weapon_die if fighter.armed else UNARMED_DIE


@rule("Weapons > Damage Type Bonus", hot=True)
def damage_type_die(fighter, stance):
    """Bludgeoning in might, slashing in agility, piercing in cunning: one more weapon die."""
    kind = damage_type(fighter)
    return weapon_die(fighter) if kind != NO_DAMAGE_TYPE and kind == stance else 0


@rule("Weapons > Might Bonus > Whip", hot=True)
def whip_die(fighter, beaten, stance):
    """A whip in might stance that beats its target adds one more weapon die."""
    return weapon_die(fighter) if beaten and stance == MIGHT and attack_type(fighter) == WHIP else 0


@rule("Weapons > Might Bonus > Ranged", "R-8", hot=True)
def ignores_armor(fighter, beaten, stance):
    """A ranged weapon in might stance that beats its target ignores armor, not the shield."""
    return beaten and stance == MIGHT and attack_type(fighter) == RANGED


@rule("Weapons > Might Bonus > Thrown", "R-35", hot=True)
def earns_follow_up(fighter, beaten, stance, attack, defense):
    """A throw in might stance that beats its target and its defense roll earns a throw of another weapon at another."""
    return beaten and stance == MIGHT and attack_type(fighter) == THROWN and attack > defense and fighter.thrown > 1


@rule("Combat > The Engagement > Making Attack Rolls > Your Attack Roll")
def attack_pool(match, i, o, stance, beaten):
    """The heart die, the stance's ability die, the weapon die and the weapon's bonuses; `o` may be NOBODY."""
    fighter = match.fighters[i]
    pool = match.pool
    clear_pool(pool)
    add_die(pool, OF_HEART, fighter.phase_heart)
    add_die(pool, OF_ABILITY + stance, fighter.ability[stance])
    add_die(pool, OF_WEAPON if fighter.armed else OF_BARE_HANDS, weapon_die(fighter))
    add_die(pool, OF_DAMAGE_TYPE + stance, damage_type_die(fighter, stance))
    add_die(pool, OF_WHIP, whip_die(fighter, beaten, stance))
    add_flat(pool, OF_BONUS, fighter.attack_bonus)
    pool.net = clip_net(match, modifiers(match, i, ATTACK, stance, o, attack_type(fighter)) + fighter.helped)


@rule("Combat > The Engagement > Making Attack Rolls > Defender's Roll")
def defense_pool(match, i, o, stance, armor):
    """The heart die, the same ability die as the attacker's, armor and shield."""
    fighter = match.fighters[i]
    pool = match.pool
    clear_pool(pool)
    add_die(pool, OF_HEART, fighter.phase_heart)
    add_die(pool, OF_ABILITY + stance, fighter.ability[stance])
    add_flat(pool, OF_ARMOR, armor)
    add_flat(pool, OF_SHIELD, fighter.shield)
    pool.net = clip_net(match, modifiers(match, i, DEFENSE, stance, o, attack_type(match.fighters[o])) + fighter.helped)


@compiled
def roll_attack(match, i, o, stance, beaten, out):
    """Roll fighter i's attack on o; help is used up."""
    forget_causes(match)
    attack_pool(match, i, o, stance, beaten)
    use_help(match, match.fighters[i])
    return roll(match.pool, match, out)


@compiled
def roll_defense(match, i, o, stance, armor, out):
    """Roll fighter i's defense against o; help is used up."""
    forget_causes(match)
    defense_pool(match, i, o, stance, armor)
    use_help(match, match.fighters[i])
    return roll(match.pool, match, out)


@rule("Combat > The Engagement > Making Attack Rolls > Damage dealt", hot=True)
def damage_dealt(attack, defense):
    """The damage is the attack roll minus the defense roll, but at least 0."""
    return max(0, attack - defense)


@rule("Combat > The Engagement > Choosing Your Stance > Defensive Stance", "R-10", hot=True)
def after_defensive(damage, stance):
    """A defensive target takes half of what gets through, rounded up."""
    return halved(damage) if stance == DEFENSIVE else damage


@rule("Combat > The Engagement > Attack Resolution Process > Same Stance Combat", "R-9")
def is_contest(match, i, target, goes_back):
    """In the target's own stance both roll attacks, if the target could attack back (or, as set, `goes_back`)."""
    fighter, other = match.fighters[i], match.fighters[target]
    if fighter.stance != other.stance:
        return False
    if match.rules.contested_mutual:
        return goes_back
    return other.able and may_attack(match, target, i)


@rule("Combat > The Engagement > Attack Resolution Process > Same Stance Combat", "R-41", hot=True)
def contest_damage(match, difference, loser):
    """The loser of a contest takes the difference; armor counts only if the settings say so."""
    if loser != NOBODY and match.rules.armor_in_contest:
        return max(0, difference - match.fighters[loser].armor - match.fighters[loser].shield)
    return difference
