"""Attacks: range, the roll, a sundered weapon, a broken shield, damage, and on-hit effects."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heretics import terms, weapons
from heartrush_env.games.heretics.book import rule
from heartrush_env.games.heretics.events import tell_attack, tell_check, tell_shield, tell_sunder
from heartrush_env.games.heretics.rules import conditions, fighters, space
from heartrush_env.games.heretics.rules.dice import check, has, help_by, hinder_by
from heartrush_env.tabletop.rng import roll_die
from heartrush_env.tabletop.rule import compiled

HEADING = "Attacks"
BLIND_SQUARES = 2  # how far the blind attack
LIGHT_DIE, FIRE_DIE = 4, 6  # of hazards: small things, and fire
MULTIPLY = 0  # the setting doubling


# -------------------------------------------------------------------------------------------------------------- range


@rule("Space", "R-9")
def in_melee_range(fight, i, target, armed):
    """Return whether fighter i reaches the target, with its weapon or without."""
    squares = space.melee_squares(fight, i) if armed or fight.rules.melee_range == 1 else 1
    return space.distance(fight, i, target) <= squares and space.in_sight(fight, i, target)


@rule("Space", "R-10")
def in_flight_range(fight, i, target, far):
    """Return whether fighter i can shoot or throw as far as the target."""
    if space.is_crowded(fight, i, target) or not space.in_sight(fight, i, target):
        return False
    sees = space.distance(fight, i, target) <= BLIND_SQUARES or not has(fight.fighters[i], terms.BLIND)
    return sees and space.distance(fight, i, target) * terms.FEET_A_SQUARE <= far


@compiled
def may_attack(fight, i, target):
    """Return whether fighter i can attack the target with what it holds, or else with its natural weapon or fists."""
    fighter = fight.fighters[i]
    if fighters.holds_missile_weapon(fighter):
        is_ready = fighter.loaded or not weapons.LOADS[fighter.held]
        return is_ready and in_flight_range(fight, i, target, np.int64(weapons.FAR[fighter.held]))
    return in_melee_range(fight, i, target, fighter.held != weapons.NO_ITEM)


@compiled
def may_throw(fight, i, target):
    """Return whether fighter i can throw its melee weapon as far as the target."""
    fighter = fight.fighters[i]
    if fighter.held == weapons.NO_ITEM or fighters.holds_missile_weapon(fighter):
        return False
    return in_flight_range(fight, i, target, np.int64(weapons.THROWN_FAR[fighter.held]))


# ----------------------------------------------------------------------------------------------------------- the roll


@compiled
def mode_of(fighter, deed):
    """Return how an attack is made: hand to hand, with a missile weapon, or by throwing."""
    if deed == terms.UNARMED:
        return terms.MELEE
    return terms.MISSILE if fighters.holds_missile_weapon(fighter) else terms.MELEE


@rule(HEADING, "R-20")
def attack_bonus(fight, i, armed):
    """Return the bonus of an attack: str, dex with a subtle weapon where it is higher, or the fixed one."""
    fighter = fight.fighters[i]
    if fighter.fixed_to_hit:
        return np.int64(fighter.to_hit)
    bonus = np.int64(fighter.ability[terms.STR])
    if armed and weapons.SUBTLE[fighter.held]:
        bonus = max(bonus, np.int64(fighter.ability[terms.DEX]))
    return bonus


@rule("Conditions", "R-29")
def gather_causes(fight, i, target, mode):
    """Find what gives an attack advantage or disadvantage."""
    fighter, other = fight.fighters[i], fight.fighters[target]
    conditions.hinder_check(fight, i)
    if has(fighter, terms.PRONE):
        hinder_by(fight, terms.BY_PRONE)
    if has(fighter, terms.BLIND):
        hinder_by(fight, terms.BY_BLINDNESS)
    if has(other, terms.OPEN):
        help_by(fight, terms.BY_OPENING)
    if has(other, terms.SURPRISED):
        help_by(fight, terms.BY_SURPRISE)
    if has(other, terms.PARALYZED):
        help_by(fight, terms.BY_PARALYSIS)
    if has(other, terms.STUNNED):
        help_by(fight, terms.BY_STUNNING)
    if has(other, terms.BLIND):
        help_by(fight, terms.BY_BLINDNESS)
    if has(other, terms.PRONE):
        if mode == terms.MELEE:
            help_by(fight, terms.BY_PRONE)
        else:
            hinder_by(fight, terms.BY_PRONE)
    if mode != terms.MELEE:
        hinder_shot(fight, i, target, mode)


@rule("Space", "R-10", "R-11")
def hinder_shot(fight, i, target, mode):
    """Give a shot or a throw disadvantage for a long range and for partial cover."""
    held = fight.fighters[i].held
    near = weapons.NEAR[held] if mode == terms.MISSILE else weapons.THROWN_NEAR[held]
    if space.distance(fight, i, target) * terms.FEET_A_SQUARE > near:
        hinder_by(fight, terms.BY_RANGE)
    if 0 < space.blocked_lines(fight, i, target) < space.HIDDEN:
        hinder_by(fight, terms.BY_COVER)


@rule(HEADING, "R-20", "R-27")
def roll_to_hit(fight, log, i, target, mode, armed, plain):
    """Roll an attack; return whether it hits. A `plain` attack forgoes its advantage for a stunt."""
    exchange, other = fight.exchange, fight.fighters[target]
    gather_causes(fight, i, target, mode)
    if plain or fight.rules.advantage_use == 1:
        exchange.helps = 0
    exchange.target = target
    exchange.mode = mode
    exchange.armed = armed
    exchange.sundered = False
    exchange.stopped = False
    bonus = attack_bonus(fight, i, armed)
    if fight.rules.roll_to_defend == 1 and other.hero:
        hit = roll_to_defend(fight, log, i, target, bonus)
    else:
        hit = check(fight, bonus, fighters.armored_defense(other), True)
    tell_attack(fight, log, i, target, mode, exchange.natural, exchange.total, hit, exchange.helps, exchange.hinders)
    conditions.relieve(fight, log, target, terms.OPEN)
    note_opening(fight, log, i)
    return hit


@rule(HEADING, "R-26")
def roll_to_defend(fight, log, i, target, bonus):
    """Roll the hero's defense in place of an attack; its natural 1 is the attacker's natural 20, and the reverse."""
    exchange = fight.exchange
    helps = exchange.helps
    exchange.helps = exchange.hinders
    exchange.hinders = helps
    defended = check(fight, fighters.armored_defense(fight.fighters[target]) - 10, 10 + bonus, True)
    tell_check(fight, log, target, i, terms.CHECK_DEFEND, exchange.natural, exchange.total, 10 + bonus, defended)
    helps = exchange.helps
    exchange.helps = exchange.hinders
    exchange.hinders = helps
    if exchange.natural == 1:
        exchange.natural = 20
    elif exchange.natural == 20:
        exchange.natural = 1
    return not defended


@rule(HEADING, "R-21")
def note_opening(fight, log, i):
    """Open an attacker that rolled a natural 1 to the next attack on it, until the end of the next round."""
    if fight.exchange.natural == 1 and fight.rules.fumble == 0 and not fight.fighters[i].steady:
        conditions.afflict_until(fight, log, i, terms.OPEN, fight.round_number + 1)


@rule(HEADING, "R-21")
def close_openings(fight, log):
    """End the openings that were made in the round before."""
    for i in range(fight.n):
        if has(fight.fighters[i], terms.OPEN) and fight.fighters[i].until[terms.OPEN] <= fight.round_number:
            conditions.relieve(fight, log, i, terms.OPEN)


# ------------------------------------------------------------------------------------------------ sunder, shield, harm


@rule(HEADING, "R-22")
def may_sunder(fight, i):
    """Return whether the hit of fighter i was made hand to hand with a weapon that it holds."""
    return fight.exchange.mode == terms.MELEE and fight.exchange.armed and fight.fighters[i].held != weapons.NO_ITEM


@rule(HEADING, "R-22")
def sunder(fight, log, i):
    """Let the weapon break for twice the dice, if the attacker has chosen to."""
    if fight.fighters[i].deed == terms.SUNDER_WEAPON:
        fight.exchange.sundered = True
        tell_sunder(fight, log, i, fight.exchange.target)


@rule(HEADING, "R-23")
def may_break_shield(fight, i):
    """Return whether fighter i can let its shield break: a reaction of those who may act."""
    fighter = fight.fighters[i]
    acts = not conditions.can_do_nothing(fighter) and not has(fighter, terms.SURPRISED)
    return fighter.shield and acts and fight.rules.shield_break == 0


@rule(HEADING, "R-23", "R-44")
def break_shield(fight, log, i):
    """Stop the blow with the shield, if the target has chosen to."""
    fighter = fight.fighters[i]
    if fighter.deed == terms.BREAK_SHIELD:
        fight.exchange.stopped = True
        fighter.shield = False
        fighter.left[terms.REACTION] -= 1
        tell_shield(fight, log, i)


@rule(HEADING, "R-24", "R-40")
def count_dice(fight, i):
    """Return how often the weapon's die is rolled: a natural 20, a sunder and a subtle weapon multiply."""
    exchange, fighter = fight.exchange, fight.fighters[i]
    times, added = 1, 1
    if exchange.natural == 20:
        times *= 2
        added += 1
    if exchange.sundered:
        times *= 2
        added += 1
    subtle = exchange.armed and weapons.SUBTLE[fighter.held] and has(fight.fighters[exchange.target], terms.SURPRISED)
    if fight.rules.subtle_triples == 1 and subtle:
        times *= 3
        added += 2
    return times if fight.rules.doubling == MULTIPLY else added


@rule(HEADING, "R-6", "R-24")
def roll_damage(fight, i):
    """Roll the dice of a hit; a melee weapon in two hands rolls each twice and keeps the better."""
    fighter, exchange = fight.fighters[i], fight.exchange
    sides = np.int64(weapons.DIE[fighter.held]) if exchange.armed else np.int64(fighter.natural)
    if sides == 0:  # unarmed: no dice, and never doubled
        return max(np.int64(0), np.int64(fighter.ability[terms.STR]))
    twice = exchange.armed and exchange.mode == terms.MELEE and fighters.in_two_hands(fighter)
    amount = np.int64(0)
    for _ in range(count_dice(fight, i)):
        die = roll_die(fight, sides)
        if twice:
            die = max(die, roll_die(fight, sides))
        amount += die
    return amount


@rule(HEADING, "R-22", "R-44")
def land_hit(fight, log, i):
    """Roll and apply the damage of a hit, then its on-hit effect; a sundered weapon is gone all the same."""
    exchange = fight.exchange
    target = np.int64(exchange.target)
    if not exchange.stopped:
        fighters.harm(fight, log, target, roll_damage(fight, i))
        if fighters.is_able(fight, target) and not (exchange.armed or fight.fighters[i].natural == 0):
            save_from_hit(fight, log, i, target)
    if exchange.sundered:
        fight.fighters[i].held = weapons.NO_ITEM


@rule(HEADING, "R-44")
def save_from_hit(fight, log, i, target):
    """Let the target save against the on-hit effect of a natural weapon; failure gives it the condition."""
    fighter, other = fight.fighters[i], fight.fighters[target]
    number = np.int64(fighter.hit_number)
    if number == 0:
        return
    conditions.hinder_check(fight, target)
    saved = check(fight, np.int64(other.ability[fighter.hit_ability]), number, False)
    tell_check(fight, log, target, i, terms.CHECK_SAVE, fight.exchange.natural, fight.exchange.total, number, saved)
    if not saved:
        conditions.afflict(fight, log, target, np.int64(fighter.hit_condition))


# ------------------------------------------------------------------------------------------------------------ hazards


@rule(HEADING, "R-25")
def harm_by_ground(fight, log, i, small, fire):
    """Let a hazard harm a fighter that ends its move in it: one die, without an attack roll."""
    if small:
        fighters.harm(fight, log, i, roll_die(fight, LIGHT_DIE))
    elif fire:
        fighters.harm(fight, log, i, roll_die(fight, FIRE_DIE))


@compiled
def unload(fight, i):
    """Note that a weapon that must be loaded has been shot."""
    if fighters.holds_missile_weapon(fight.fighters[i]) and weapons.LOADS[fight.fighters[i].held]:
        fight.fighters[i].loaded = False
