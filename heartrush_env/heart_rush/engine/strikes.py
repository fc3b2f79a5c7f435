"""One attack: its rolls, its hit, and the event that reports both."""

from __future__ import annotations

from heartrush_env.core.rule import compiled, inlined
from heartrush_env.heart_rush.engine.events import ATTACK_EVENT, tell, tell_attack_roll, tell_defense_roll
from heartrush_env.heart_rush.engine.kept import outer_choice
from heartrush_env.heart_rush.rules.attack_rolls import (
    after_defensive,
    contest_damage,
    damage_dealt,
    earns_follow_up,
    ignores_armor,
    is_contest,
    roll_attack,
    roll_defense,
)
from heartrush_env.heart_rush.rules.hits import add_hit
from heartrush_env.heart_rush.rules.rush_points import be_active
from heartrush_env.heart_rush.rules.sheet import bit
from heartrush_env.heart_rush.rules.stances import beats
from heartrush_env.heart_rush.rules.terms import FROM_ATTACK, FROM_FOLLOW_UP, FROM_OPPORTUNITY, NOBODY, STRIKE
from heartrush_env.heart_rush.rules.weapons import note_lunge, note_shot

FOLLOW_UP_RANK = 1  # a striker's second throw comes right after its first


@compiled
def begin_attack_event(match, log, i, target, stance, cause):
    """Write an attack event without its rolls."""
    number = tell(match, log, ATTACK_EVENT, i, target, cause, 0)
    if number != NOBODY:
        log.events[number].stance = stance
        log.events[number].before = match.fighters[i].detail if cause == FROM_ATTACK else 0  # levels named with it
    return number


@compiled
def strike_in_engagement(match, log, i, target, cause):
    """Carry out an attack, or a contest if the stances make it one."""
    fighter, other = match.fighters[i], match.fighters[target]
    rank = 2 * fighter.turn + (FOLLOW_UP_RANK if cause == FROM_FOLLOW_UP else 0)
    fighter.struck_at |= bit(target)
    be_active(match, i, target)
    note_shot(match, i)
    if is_contest(match, i, target, goes_for(match, target, i, cause)):
        contest(match, log, i, target, cause, rank)
        return
    beaten = beats(match, fighter.stance, other.stance)
    number = begin_attack_event(match, log, i, target, fighter.stance, cause)
    attack = roll_attack(match, i, target, fighter.stance, beaten, match.attack_roll)
    tell_attack_roll(match, log, number)
    armor = 0 if ignores_armor(fighter, beaten, fighter.stance) else other.armor
    defense = roll_defense(match, target, i, fighter.stance, armor, match.defense_roll)
    tell_defense_roll(match, log, number)
    damage = after_defensive(damage_dealt(attack, defense), other.stance)
    add_hit(match, target, i, cause, damage, rank)
    if cause != FROM_FOLLOW_UP:
        fighter.follow_up = earns_follow_up(fighter, beaten, fighter.stance, attack, defense)
    if number != NOBODY:
        log.events[number].amount = damage
        log.events[number].hurt = target if damage > 0 else NOBODY


@inlined
def goes_for(match, i, target, cause):
    """Whether fighter i attacks the target in this phase: now, or before a follow-up."""
    fighter = match.fighters[i]
    if fighter.deed == STRIKE and fighter.target == target:
        return True
    if cause != FROM_FOLLOW_UP:
        return False
    first = outer_choice(match, i)
    return first.deed == STRIKE and first.target == target


@compiled
def contest(match, log, i, target, cause, rank):
    """Carry out a contest: both attack in their shared stance, the earlier first; the loser takes the difference."""
    fighter, other = match.fighters[i], match.fighters[target]
    note_shot(match, target)
    stance = fighter.stance
    mutual = other.deed == STRIKE and other.target == i and not other.rolled
    if mutual:
        other.rolled = True
        other.struck_at |= bit(i)
    else:
        other.answered_at |= bit(i)
    number = begin_attack_event(match, log, i, target, stance, cause)
    if fighter.turn < other.turn:
        own = roll_attack(match, i, target, stance, False, match.attack_roll)
        tell_attack_roll(match, log, number)
        opposing = roll_attack(match, target, i, stance, False, match.defense_roll)
        tell_defense_roll(match, log, number)
    else:
        opposing = roll_attack(match, target, i, stance, False, match.defense_roll)
        tell_defense_roll(match, log, number)
        own = roll_attack(match, i, target, stance, False, match.attack_roll)
        tell_attack_roll(match, log, number)
    loser = NOBODY if own == opposing else (target if own > opposing else i)
    damage = contest_damage(match, abs(own - opposing), loser)
    if loser != NOBODY:
        add_hit(match, loser, i if loser == target else target, cause, damage, rank)
    if number != NOBODY:
        log.events[number].flag = True
        log.events[number].mutual = mutual
        log.events[number].amount = damage
        log.events[number].hurt = loser if damage > 0 else NOBODY


@compiled
def strike_outside(match, log, i, target, stance, rank):
    """Carry out an opportunity attack: no stance is beaten; the target rolls ordinary defense with the same die."""
    note_shot(match, i)
    note_lunge(match, i, target)
    number = begin_attack_event(match, log, i, target, stance, FROM_OPPORTUNITY)
    attack = roll_attack(match, i, target, stance, False, match.attack_roll)
    tell_attack_roll(match, log, number)
    defense = roll_defense(match, target, i, stance, match.fighters[target].armor, match.defense_roll)
    tell_defense_roll(match, log, number)
    damage = damage_dealt(attack, defense)
    add_hit(match, target, i, FROM_OPPORTUNITY, damage, rank)
    if number != NOBODY:
        log.events[number].amount = damage
        log.events[number].hurt = target if damage > 0 else NOBODY
