"""One attack, step by step: its beginning, its two rolls, its hit, and the event that reports them.

The attack in progress is the fight's `exchange`.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.engine.events import ATTACK_EVENT, tell, tell_attack_roll, tell_defense_roll
from heartrush_env.games.heart_rush.engine.kept import outer_choice
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import ON_SECOND_ROLL
from heartrush_env.games.heart_rush.rules.attack_rolls import (
    after_defensive,
    contest_damage,
    damage_dealt,
    earns_follow_up,
    ignores_armor,
    is_contest,
    roll_attack,
    roll_defense,
)
from heartrush_env.games.heart_rush.rules.dice import copy_roll
from heartrush_env.games.heart_rush.rules.hits import add_hit
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.rush_points import be_active
from heartrush_env.games.heart_rush.rules.sheet import bit
from heartrush_env.games.heart_rush.rules.stances import beats
from heartrush_env.games.heart_rush.rules.terms import (
    FROM_ATTACK,
    FROM_EXTRA,
    FROM_FOLLOW_UP,
    FROM_OPPORTUNITY,
    NO_STANCE,
    NOBODY,
    STRIKE,
)
from heartrush_env.games.heart_rush.rules.weapons import note_lunge, note_shot
from heartrush_env.tabletop.arrays import copy, fill
from heartrush_env.tabletop.rule import compiled, inlined, unfolded

FOLLOW_UP_RANK = 1  # a striker's second throw is ranked right after its first


@compiled
def begin_strike(match, log, i, target, cause):
    """Begin fighter i's attack in the engagement: record everything that is known before the dice."""
    fighter, other, exchange = match.fighters[i], match.fighters[target], match.exchange
    fighter.struck_at |= bit(target)
    be_active(match, i, target)
    note_shot(match, i)
    exchange.striker, exchange.target, exchange.cause, exchange.stance = i, target, cause, fighter.stance
    exchange.rank = 2 * fighter.turn + (FOLLOW_UP_RANK if cause == FROM_FOLLOW_UP else 0)
    exchange.contest = not strikes_again(match) and is_contest(match, i, target, goes_for(match, target, i, cause))
    exchange.mutual = False
    forget_answers(match)
    exchange.beaten = not exchange.contest and beats(match, fighter.stance, other.stance)
    if exchange.contest:
        begin_contest(match, i, target)
    begin_attack_event(match, log)


@compiled
def begin_strike_outside(match, log, i, target, stance, rank):
    """Begin an opportunity attack: no stance is beaten, and the target rolls ordinary defense with the same die."""
    exchange = match.exchange
    note_shot(match, i)
    note_lunge(match, i, target)
    exchange.striker, exchange.target, exchange.cause, exchange.stance = i, target, FROM_OPPORTUNITY, stance
    exchange.rank = rank
    exchange.contest = exchange.mutual = exchange.beaten = False
    forget_answers(match)
    begin_attack_event(match, log)


@compiled
def begin_contest(match, i, target):
    """Mark the contest as mutual if both fighters attack each other; otherwise the target only answers."""
    other = match.fighters[target]
    note_shot(match, target)
    chosen = other.deed == STRIKE and other.target == i and not other.rolled
    match.exchange.mutual = chosen or is_shared(match)
    if match.exchange.mutual:
        other.rolled = True
        other.struck_at |= bit(i)
    else:
        other.answered_at |= bit(i)


@with_abilities(False)
@compiled
def is_shared(match):
    """Return whether the attack in progress is one that abilities have added for both of its fighters."""
    return match.shared and match.exchange.cause == FROM_EXTRA


@compiled
def begin_attack_event(match, log):
    """Write the attack event without its rolls."""
    exchange = match.exchange
    number = tell(match, log, ATTACK_EVENT, exchange.striker, exchange.target, exchange.cause, 0)
    if match.recording:
        log.attack = number
    if number != NOBODY:
        event = log.events[number]
        event.stance, event.flag, event.mutual, event.pending = exchange.stance, exchange.contest, exchange.mutual, True
        event.before = match.fighters[exchange.striker].detail if exchange.cause == FROM_ATTACK else 0  # levels named


@inlined
def event_of_attack(match, log):
    """Return the number of the event of the attack in progress, or NOBODY if events are not kept."""
    return np.int64(log.attack) if match.recording else NOBODY


@inlined
def goes_for(match, i, target, cause):
    """Return whether fighter i attacks the target in this phase, now or before a follow-up."""
    fighter = match.fighters[i]
    if fighter.deed == STRIKE and fighter.target == target:
        return True
    if cause != FROM_FOLLOW_UP:
        return False
    first = outer_choice(match, i)
    return first.deed == STRIKE and first.target == target


@inlined
def opposing_first(match):
    """Return whether the target rolls first: in a contest, the fighter earlier in the timing order does."""
    exchange = match.exchange
    return exchange.contest and match.fighters[exchange.striker].turn >= match.fighters[exchange.target].turn


@compiled
def roll_own(match, log):
    """Make the striker's attack roll, unless it reuses the previous roll, and write it into the event."""
    exchange = match.exchange
    if not strikes_again(match):
        roll_attack(match, exchange.striker, exchange.target, exchange.stance, exchange.beaten, match.attack_roll)
    keep_causes(match)
    tell_attack_roll(match, log, event_of_attack(match, log))


@compiled
def roll_opposing(match, log):
    """Make the target's defense roll, or its attack roll in a contest, and write it into the event."""
    exchange = match.exchange
    i, target, stance = exchange.striker, exchange.target, exchange.stance
    if exchange.contest:
        roll_attack(match, target, i, stance, False, match.defense_roll)
    else:
        ignored = ignores_armor(match.fighters[i], exchange.beaten, stance)
        armor = 0 if ignored else match.fighters[target].armor
        roll_defense(match, target, i, stance, armor, match.defense_roll)
    tell_defense_roll(match, log, event_of_attack(match, log))


@compiled
def roll_first(match, log):
    """Make the first roll of the attack."""
    if opposing_first(match):
        roll_opposing(match, log)
    else:
        roll_own(match, log)


@compiled
def roll_second(match, log):
    """Make the second roll of the attack."""
    if opposing_first(match):
        roll_own(match, log)
    else:
        roll_opposing(match, log)


@compiled
def settle_strike(match, log):
    """Compare the rolls and add the hit; the loser of a contest takes the difference as damage."""
    exchange = match.exchange
    i, target, cause = exchange.striker, exchange.target, exchange.cause
    own, opposing = np.int64(match.attack_roll.total), np.int64(match.defense_roll.total)
    loser, damage = target, np.int64(0)
    if exchange.contest:
        loser = NOBODY if own == opposing else (target if own > opposing else i)
        damage = contest_damage(match, abs(own - opposing), loser)
    else:
        damage = damage_dealt(own, opposing)
        if cause == FROM_ATTACK:
            fighter = match.fighters[i]
            fighter.follow_up = earns_follow_up(fighter, exchange.beaten, exchange.stance, own, opposing)
    if loser != NOBODY:
        striker = i if loser == target else target
        damage = hooks.multiplies(match, striker, loser, damage)
        if not exchange.contest and cause != FROM_OPPORTUNITY:
            damage = after_defensive(damage, match.fighters[target].stance)
        damage = hooks.cuts(match, loser, striker, cause, damage)
        add_hit(match, loser, striker, cause, damage, exchange.rank)
    settle_by_abilities(match, loser, damage)
    number = event_of_attack(match, log)
    if number != NOBODY:
        event = log.events[number]
        event.pending = False
        event.amount = damage
        event.hurt = loser if damage > 0 else NOBODY
        log.attack = NOBODY


@with_abilities(None)
@compiled
def settle_by_abilities(match, loser, damage):
    """Let abilities respond to the attack just settled, and grant its fighters any follow-ups."""
    exchange = match.exchange
    i, target, cause = exchange.striker, exchange.target, exchange.cause
    hooks.attacked(match, i, target, cause, damage if loser == target else 0)
    if exchange.mutual:
        hooks.attacked(match, target, i, cause, damage if loser == i else 0)
    if cause == FROM_ATTACK or cause == FROM_FOLLOW_UP:
        match.fighters[i].follow_up |= hooks.follows_up(match, i, target)
        if exchange.mutual:
            match.fighters[target].follow_up |= hooks.follows_up(match, target, i)


# The attack in progress, for abilities.


@compiled
def has_rolled_attack(match, i):
    """Return whether fighter i has made its attack roll: as the striker, or as either fighter in a contest."""
    exchange = match.exchange
    if i == exchange.striker:
        return not strikes_again(match) and (match.occasion == ON_SECOND_ROLL or not opposing_first(match))
    if i == exchange.target and exchange.contest:
        return match.occasion == ON_SECOND_ROLL or opposing_first(match)
    return False


@compiled
def is_own_attack(match, i):
    """Return whether the attack in progress is fighter i's own, not just one that it answers in a contest."""
    return i == match.exchange.striker or match.exchange.mutual


@compiled
def makes_attack(match, i):
    """Return whether the attack in progress is the one that fighter i has chosen in this phase."""
    exchange = match.exchange
    return exchange.cause == FROM_ATTACK and (i == exchange.striker or exchange.mutual)


@compiled
def add_extra(match, i, target, again):
    """Add an attack of fighter i right after the one in progress, with a new roll or, if `again`, the same roll.

    If there are several, the last one added is made first.
    """
    if match.extra_count < len(match.extras):
        extra = match.extras[match.extra_count]
        extra.striker, extra.target, extra.stance, extra.again, extra.shared = i, target, NO_STANCE, again, False
        match.extra_count += 1


@compiled
def share_extra(match, i, target):
    """Make the target's extra attack on fighter i the extra attack of both; return whether there is one.

    The shared attack is a contest.
    """
    for k in range(match.extra_count):
        extra = match.extras[k]
        if extra.striker == target and extra.target == i and not extra.again:
            extra.shared = True
            return True
    return False


@compiled
def add_open(match, i, target, stance):
    """Add an opportunity attack that an ability gives fighter i; it is made once the current instants are done."""
    add_extra(match, i, target, False)
    match.extras[match.extra_count - 1].stance = stance


@compiled
def attack_of(match, i):
    """Return the attack roll of fighter i, which takes part in the attack in progress."""
    return match.attack_roll if i == match.exchange.striker else match.defense_roll


# Attacks that reuse the roll of the previous attack.


@with_abilities(False)
@compiled
def strikes_again(match):
    """Return whether the attack in progress has no roll of its own."""
    return match.again and match.exchange.cause == FROM_EXTRA


@compiled
def keep_roll(match, i):
    """Copy fighter i's roll in the previous attack to the attack roll, unless it is already there."""
    if i != match.exchange.striker:
        copy_roll(match.defense_roll, match.attack_roll)
        fill(match.attack_causes, 0)


@with_abilities(None)
@compiled
def keep_causes(match):
    """Save the causes of advantage in an attack roll, or restore them for an attack that reuses the roll."""
    if match.recording:
        if strikes_again(match):
            copy(match.attack_causes, match.causes)
        else:
            copy(match.causes, match.attack_causes)


@compiled
def tell_totals(match, log):
    """Write the totals of both rolls into the event, after an ability has changed one."""
    number = event_of_attack(match, log)
    if number != NOBODY:
        log.events[number].attack_total = match.attack_roll.total
        log.events[number].defense_total = match.defense_roll.total


@with_abilities(None)
@compiled
def forget_answers(match):
    """Clear the record of abilities that have answered, because a new attack begins."""
    for i in range(match.n):
        match.fighters[i].answered = 0


@unfolded
def finish_strike(match, log):
    """Roll and settle the attack that has begun, where nothing can interrupt it."""
    roll_first(match, log)
    roll_second(match, log)
    settle_strike(match, log)
