"""Homebrew abilities in fights: functions that every declared ability shares, and the numbers of such abilities.

What an ability declares is a row of the fight's field `made`, in the vocabulary of rules/homebrew.py. No code is made
or compiled for a file of declarations. The number of a homebrew ability says of which kind it is (how it acts or is
used, its aim and its cost, which are columns in all.py) and which slot holds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from heartrush_env.games.heart_rush.engine.strikes import has_rolled_attack, tell_totals
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import (
    ANY_MOMENT,
    OCCASIONS,
    ON_ACTION,
    ON_DAMAGE,
    ON_SECOND_ROLL,
    SLOTS,
    Aim,
    Frequency,
    memo_for,
    remember_now,
)
from heartrush_env.games.heart_rush.rules.conditions import (
    HIGHEST_LEVEL,
    NEEDS_SOURCE,
    inflict,
    inflict_from,
    lose,
    lose_levels,
)
from heartrush_env.games.heart_rush.rules.cover import has_ally_within, has_enemy_within, is_within
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus, add_bonus_dice
from heartrush_env.games.heart_rush.rules.healing import heal
from heartrush_env.games.heart_rush.rules.hits import add_late_hit
from heartrush_env.games.heart_rush.rules.homebrew import (
    ADVANTAGE,
    AFTER_ATTACK,
    ALLY_WITHIN,
    ATTACK_ROLLED,
    ATTACKED,
    ATTACKS,
    BONUS,
    CLEAR,
    DAMAGE_AT_LEAST,
    DAMAGE_AT_MOST,
    DEFENDS,
    DEFENSE_ROLLED,
    DISADVANTAGE,
    EFFECTS,
    ENEMY_WITHIN,
    EXTRA_DICE,
    FIRST_ROUND,
    FROM_ROUND,
    GIVE,
    HALVE_DAMAGE,
    HARM,
    HARMED,
    HARMS,
    HEAL,
    HOOK_OF,
    HURT,
    MORE_DAMAGE,
    NONE,
    OTHER,
    OTHER_BELOW_HALF,
    OTHER_CONDITION,
    OTHER_STANCE,
    OTHER_WITHIN,
    OTHER_WOUNDED,
    OWN_BELOW_HALF,
    OWN_CONDITION,
    OWN_FULL_HEART,
    OWN_STANCE,
    OWN_STANCE_BEATS,
    OWN_WOUNDED,
    REDUCE_DAMAGE,
    RESIST,
    ROLL_AT_MOST,
    ROUND_STARTS,
    RUSH,
    STANCES_SHOWN,
    STRUCK,
    SUFFERS,
    TRIGGERS,
    WHENS,
)
from heartrush_env.games.heart_rush.rules.maneuvers.hinder import blind
from heartrush_env.games.heart_rush.rules.sheet import halved, has
from heartrush_env.games.heart_rush.rules.stances import beats_target, stance_met
from heartrush_env.games.heart_rush.rules.taking_damage import healing_ceiling, pending_hit
from heartrush_env.games.heart_rush.rules.terms import ATTACK, BLINDED, BURNING, DEFENSE, FROM_ABILITY, NOBODY, STANDING
from heartrush_env.games.heart_rush.scenario.homebrew import Homebrew
from heartrush_env.games.heart_rush.scenario.homebrew_fit import ANY
from heartrush_env.games.heart_rush.state.events import RUSH_EVENT, tell
from heartrush_env.tabletop.rng import roll_sum
from heartrush_env.tabletop.rule import compiled, inlined
from heartrush_env.tabletop.units import compile_methods

ARMED = 1  # the memo in the round of a use
NO_FIGURE = -1  # neither a roll of the owner nor damage to it
ALL_CONDITIONS = -1  # in a row, of an effect that concerns every condition


@dataclass(frozen=True)
class Kind:
    """A kind of homebrew ability: what the tables of abilities and the observations of networks hold about it."""

    hook: str = ""  # that an ability without a use answers
    on: tuple[int, ...] = ()
    aim: Aim = Aim.NOBODY
    frequency: Frequency = Frequency.PASSIVE
    per_round: int = 0
    costs_action: bool = False


def _kinds() -> tuple[Kind, ...]:
    """Return all kinds, in an order that must only grow at its end, since observations show the number of a kind."""
    passive = [Kind(hook) for hook in dict.fromkeys(HOOK_OF[1:])]
    moments = [*((occasion,) for occasion in range(len(OCCASIONS))), ANY_MOMENT]
    rates = tuple(product((Frequency.PASSIVE, Frequency.MINOR, Frequency.MAJOR), (0, 1)))
    used = [
        Kind("", on, aim, frequency, per_round, costs_action)
        for on, aim, (frequency, per_round) in product(moments, Aim, rates)
        for costs_action in ((False, True) if on == (ON_ACTION,) else (False,))
    ]
    return (*passive, *used)


KINDS = _kinds()
MOST = len(KINDS) * SLOTS  # numbers of homebrew abilities


def kind_of(made: Homebrew) -> Kind:
    """Return the kind of a declared ability."""
    if not made.use:
        return Kind(HOOK_OF[TRIGGERS.index(made.trigger)])
    on = ANY_MOMENT if made.use == ANY else (OCCASIONS.index(made.use.replace("_", " ")),)
    return Kind("", on, made.aim, made.price_kind, int(made.frequency == "once_a_round"), made.costs_action)


def number_in(made: Homebrew, slot: int) -> int:
    """Return the number of a declared ability in this slot, counted from the first homebrew number."""
    return KINDS.index(kind_of(made)) * SLOTS + slot


def hooks_of_made(made: Homebrew) -> list[str]:
    """Return the hooks that a declared ability answers."""
    return [HOOK_OF[TRIGGERS.index(made.trigger)]] if made.trigger else []


@inlined
def row_of(fight, i, slot):
    """Return what the homebrew ability in fighter i's slot declares."""
    return fight.made[np.int64(i) * SLOTS + slot]


# Conditions.


@compiled
def acts(fight, i, slot, trigger, other, figure):
    """Return whether the ability answers this trigger now; `figure` is the roll or the damage, where there is one."""
    row = row_of(fight, i, slot)
    if row.trigger != trigger or fight.fighters[i].status != STANDING:
        return False
    if row.arms and memo_for(fight, i, slot, 1) == 0:
        return False
    return holds(fight, i, slot, other, figure)


@compiled
def holds(fight, i, slot, other, figure):
    """Return whether all conditions of the ability hold against this fighter, which may be NOBODY."""
    row = row_of(fight, i, slot)
    for k in range(WHENS):
        if row.when[k] != NONE and not is_met(fight, i, other, np.int64(row.when[k]), np.int64(row.than[k]), figure):
            return False
    return True


@compiled
def is_met(fight, i, other, when, than, figure):
    """Return whether one condition holds; one about another fighter does not hold without it."""
    fighter = fight.fighters[i]
    if is_about_other(when):
        return other != NOBODY and is_met_by_other(fight, i, other, when, than)
    if when == OWN_STANCE:
        return fighter.stance == than
    if when == OWN_CONDITION:
        return has(fighter, than)
    if when == OWN_BELOW_HALF:
        return is_below_half(fighter) == (than != 0)
    if when == OWN_WOUNDED:
        return (fighter.wound_count > 0) == (than != 0)
    if when == OWN_FULL_HEART:
        return (fighter.heart == fighter.heart_max) == (than != 0)
    if when == FIRST_ROUND:
        return (fight.round_number == 1) == (than != 0)
    if when == FROM_ROUND:
        return fight.round_number >= than
    if when == ALLY_WITHIN:
        return has_ally_within(fight, i, than)
    if when == ENEMY_WITHIN:
        return has_enemy_within(fight, i, than)
    if figure == NO_FIGURE:
        return False
    if when == ROLL_AT_MOST or when == DAMAGE_AT_MOST:
        return figure <= than
    return when == DAMAGE_AT_LEAST and figure >= than


@compiled
def is_about_other(when):
    """Return whether a condition is about the fighter that the ability acts against."""
    about_it = when == OTHER_STANCE or when == OTHER_CONDITION or when == OTHER_BELOW_HALF or when == OTHER_WOUNDED
    return about_it or when == OTHER_WITHIN or when == OWN_STANCE_BEATS


@compiled
def is_met_by_other(fight, i, other, when, than):
    """Return whether a condition about another fighter holds."""
    one = fight.fighters[other]
    if when == OTHER_STANCE:
        return stance_met(fight, i, other, True) == than
    if when == OTHER_CONDITION:
        return has(one, than)
    if when == OTHER_BELOW_HALF:
        return is_below_half(one) == (than != 0)
    if when == OTHER_WOUNDED:
        return (one.wound_count > 0) == (than != 0)
    if when == OTHER_WITHIN:
        return is_within(fight, i, other, than)
    return beats_target(fight, i, other) == (than != 0)


@compiled
def is_below_half(fighter):
    """Return whether a fighter has less than half of its maximum hit points."""
    return 2 * np.int64(fighter.hp) < np.int64(fighter.hp_max)


# Effects.


@compiled
def levels_gathered(fight, i, slot, trigger, other):
    """Add the ability's dice and bonuses to the pool, and return its levels of advantage."""
    levels = np.int64(0)
    if not acts(fight, i, slot, trigger, other, np.int64(0)):
        return levels
    row = row_of(fight, i, slot)
    for k in range(EFFECTS):
        does, amount = row.does[k], np.int64(row.amount[k])
        if does == EXTRA_DICE:
            add_bonus_dice(fight.pool, amount, np.int64(row.die[k]))
        elif does == BONUS:
            add_ability_bonus(fight.pool, amount)
        elif does == ADVANTAGE:
            levels += amount
        elif does == DISADVANTAGE:
            levels -= amount
    return levels


@compiled
def bonus_of(fight, i, slot):
    """Return the bonus that the ability adds to a roll that has been made."""
    row, bonus = row_of(fight, i, slot), np.int64(0)
    for k in range(EFFECTS):
        if row.does[k] == BONUS:
            bonus += np.int64(row.amount[k])
    return bonus


@compiled
def damage_left(fight, i, slot, damage):
    """Return damage to the owner after the ability's effects, at least 0."""
    row, left = row_of(fight, i, slot), np.int64(damage)
    for k in range(EFFECTS):
        if row.does[k] == REDUCE_DAMAGE:
            left = max(np.int64(0), left - amount_of(fight, i, slot, k))
        elif row.does[k] == HALVE_DAMAGE:
            left = halved(left)
    return left


@compiled
def amount_of(fight, i, slot, k):
    """Return the amount of effect k; dice are rolled."""
    row = row_of(fight, i, slot)
    amount, die = np.int64(row.amount[k]), np.int64(row.die[k])
    return np.int64(roll_sum(fight, amount, die)) if die > 0 else amount


@compiled
def bring_about(fight, log, i, slot, other):
    """Do the effects that change fighters; `other` may be NOBODY, and then effects on it are left out."""
    row = row_of(fight, i, slot)
    for k in range(EFFECTS):
        whom = np.int64(other) if row.whom[k] == OTHER else np.int64(i)
        if row.does[k] != NONE and whom != NOBODY:
            change(fight, log, i, slot, k, whom)


@compiled
def change(fight, log, i, slot, k, whom):
    """Do effect k to a fighter, if it is an effect that changes fighters."""
    row = row_of(fight, i, slot)
    fighter, does, condition = fight.fighters[whom], row.does[k], np.int64(row.condition[k])
    if does == HEAL:
        heal(fight, log, whom, i, amount_of(fight, i, slot, k))
    elif does == RUSH and fighter.status == STANDING:
        fighter.rush += np.int64(row.amount[k])
        tell(fight, log, RUSH_EVENT, whom, NOBODY, 0, fighter.rush)
    elif does == HARM and fighter.status == STANDING:
        add_late_hit(fight, whom, i, FROM_ABILITY, amount_of(fight, i, slot, k))
    elif does == CLEAR:
        if row.amount[k] == 0:
            lose(fighter, condition)
        elif has(fighter, condition):
            lose_levels(fighter, condition, np.int64(row.amount[k]))
    elif does == GIVE and fighter.status == STANDING:
        if condition == BURNING:
            hooks.lights(fight, i, whom)
        if condition == BLINDED and fight.engaged:
            blind(fight, i, whom, np.int64(row.amount[k]))
        elif NEEDS_SOURCE[condition]:
            inflict_from(fight, i, whom, condition, np.int64(row.amount[k]))
        else:
            inflict(fight, i, whom, condition, np.int64(row.amount[k]))


@compiled
def would_help(fight, i, slot, other):
    """Return whether any effect of a use would change anything now."""
    row = row_of(fight, i, slot)
    if row.arms:
        return memo_for(fight, i, slot, 1) == 0
    for k in range(EFFECTS):
        whom = np.int64(other) if row.whom[k] == OTHER else np.int64(i)
        if row.does[k] != NONE and whom != NOBODY and would_change(fight, i, row.does[k], row.condition[k], whom):
            return True
    return False


@compiled
def would_change(fight, i, does, condition, whom):
    """Return whether an effect would change anything about a fighter now."""
    fighter = fight.fighters[whom]
    if does == HEAL:
        return fighter.hp < healing_ceiling(fighter)
    if does == CLEAR:
        return has(fighter, np.int64(condition))
    if does == GIVE:
        capped = fighter.levels[condition] >= HIGHEST_LEVEL[condition]
        return not capped or (NEEDS_SOURCE[condition] and fighter.source[condition] != i)
    if does == REDUCE_DAMAGE or does == HALVE_DAMAGE:
        return pending_hit(fight, i) != NOBODY
    if does == BONUS:
        return has_own_roll(fight, i)
    return True


@compiled
def has_own_roll(fight, i):
    """Return whether fighter i has rolled in the attack in progress, of which both rolls are made."""
    return has_rolled_attack(fight, i) or (i == fight.exchange.target and not fight.exchange.contest)


@compiled
def raise_own_roll(fight, log, i, slot):
    """Add the ability's bonus to the owner's roll in the attack in progress."""
    if fight.exchange.striker == i:
        fight.attack_roll.total += bonus_of(fight, i, slot)
    elif fight.exchange.target == i:
        fight.defense_roll.total += bonus_of(fight, i, slot)
    tell_totals(fight, log)


class Made:
    """The functions that all homebrew abilities share; an ability answers only its own trigger."""

    def may(fight, i, slot, target):
        row = row_of(fight, i, slot)
        if row.once and fight.fighters[i].uses[slot] > 0:
            return False
        if target != NOBODY and row.range > 0 and not is_within(fight, i, target, np.int64(row.range)):
            return False
        figure = np.int64(NO_FIGURE)
        if row.occasion == ON_DAMAGE:
            k = pending_hit(fight, i)
            figure = np.int64(fight.hits[k].amount) if k != NOBODY else np.int64(NO_FIGURE)
        elif row.occasion == ON_SECOND_ROLL and has_own_roll(fight, i):
            own = fight.exchange.striker == i
            figure = np.int64(fight.attack_roll.total if own else fight.defense_roll.total)
        may_now = row.arms or holds(fight, i, slot, np.int64(target), figure)  # else the trigger has the conditions
        return may_now and would_help(fight, i, slot, np.int64(target))

    def do(fight, log, i, slot, target):
        row = row_of(fight, i, slot)
        if row.arms:
            remember_now(fight, i, slot, ARMED)
            return
        k = pending_hit(fight, i)
        if row.occasion == ON_DAMAGE and k != NOBODY:
            fight.hits[k].amount = damage_left(fight, i, slot, np.int64(fight.hits[k].amount))
        if row.occasion == ON_SECOND_ROLL and has_own_roll(fight, i):
            raise_own_roll(fight, log, i, slot)
        bring_about(fight, log, i, slot, np.int64(target))

    def attack(fight, i, slot, target, stance):
        return levels_gathered(fight, i, slot, ATTACKS, np.int64(target))

    def defense(fight, i, slot, striker, stance):
        return levels_gathered(fight, i, slot, DEFENDS, np.int64(striker))

    def attack_of(fight, i, slot, striker, target, stance):
        return levels_gathered(fight, i, slot, ATTACKED, np.int64(striker)) if target == i else np.int64(0)

    def rolled(fight, i, slot, kind, other, roll):
        is_attack = kind == ATTACK and acts(fight, i, slot, ATTACK_ROLLED, np.int64(other), np.int64(roll.total))
        is_defense = kind == DEFENSE and acts(fight, i, slot, DEFENSE_ROLLED, np.int64(other), np.int64(roll.total))
        if is_attack or is_defense:
            roll.total += bonus_of(fight, i, slot)

    def multiplies(fight, i, slot, target, damage):
        if damage <= 0 or not acts(fight, i, slot, HARMS, np.int64(target), np.int64(damage)):
            return damage
        row = row_of(fight, i, slot)
        for k in range(EFFECTS):
            if row.does[k] == MORE_DAMAGE:
                damage += amount_of(fight, i, slot, k)
        return damage

    def reduces(fight, i, slot, striker, cause, damage):
        if damage <= 0 or not acts(fight, i, slot, HARMED, np.int64(striker), np.int64(damage)):
            return damage
        return damage_left(fight, i, slot, damage)

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        if victim == i and damage > 0 and acts(fight, i, slot, HURT, np.int64(striker), np.int64(damage)):
            bring_about(fight, log, i, slot, np.int64(striker))

    def effect(fight, i, slot, log, target):
        if acts(fight, i, slot, AFTER_ATTACK, np.int64(target), np.int64(0)):
            bring_about(fight, log, i, slot, np.int64(target))

    def struck(fight, i, slot, log, striker):
        if acts(fight, i, slot, STRUCK, np.int64(striker), np.int64(0)):
            bring_about(fight, log, i, slot, np.int64(striker))

    def round_starts(fight, i, slot, log):
        if acts(fight, i, slot, ROUND_STARTS, np.int64(NOBODY), np.int64(0)):
            bring_about(fight, log, i, slot, np.int64(NOBODY))

    def revealed(fight, i, slot, log):
        if acts(fight, i, slot, STANCES_SHOWN, np.int64(NOBODY), np.int64(0)):
            bring_about(fight, log, i, slot, np.int64(NOBODY))

    def suffers(fight, i, slot, condition, source, given):
        if given <= 0 or not acts(fight, i, slot, SUFFERS, np.int64(source), np.int64(0)):
            return np.int64(0)
        row, resisted = row_of(fight, i, slot), np.int64(0)
        for k in range(EFFECTS):
            if row.does[k] == RESIST and (row.condition[k] == ALL_CONDITIONS or row.condition[k] == condition):
                resisted += np.int64(row.amount[k])
        return -min(resisted, np.int64(given))


SHARED = compile_methods(Made, [name for name in vars(Made) if not name.startswith("_")], {}, ())
