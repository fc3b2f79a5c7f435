"""One attack, step by step: its beginning, its two rolls, its hit, and the event that reports them.

The attack in progress is the fight's `exchange`.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import BEFORE_ANSWER, BEFORE_ATTACK, ON_SECOND_ROLL
from heartrush_env.games.heart_rush.rules.attack_rolls import (
    after_defensive,
    armor_of,
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
from heartrush_env.games.heart_rush.rules.rush_points import mark_active
from heartrush_env.games.heart_rush.rules.sheet import bit
from heartrush_env.games.heart_rush.rules.stances import beats, stance_met
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
from heartrush_env.games.heart_rush.state.choices import outer_choice
from heartrush_env.games.heart_rush.state.events import ATTACK_EVENT, tell, tell_attack_roll, tell_defense_roll
from heartrush_env.tabletop.arrays import copy, fill
from heartrush_env.tabletop.rule import compiled, inlined, unfolded

STRIKE_RANKS = 2  # hit ranks of each striker
FOLLOW_UP_RANK = 1  # a striker's second throw is ranked right after its first


@compiled
def begin_strike(fight, log, i, target, cause):
    """Begin fighter i's attack in the engagement: record everything that is known before the dice are rolled."""
    fighter, other, exchange = fight.fighters[i], fight.fighters[target], fight.exchange
    mark_active(fight, i, target)
    note_shot(fight, i)
    exchange.striker, exchange.target, exchange.cause, exchange.stance = i, target, cause, fighter.stance
    exchange.rank = STRIKE_RANKS * fighter.turn + (FOLLOW_UP_RANK if cause == FROM_FOLLOW_UP else 0)
    goes_back = attacks_target(fight, target, i) or is_shared(fight)
    exchange.contest = not strikes_again(fight) and is_contest(fight, i, target, goes_back)
    exchange.mutual = False
    forget_answers(fight)
    exchange.beaten = not exchange.contest and beats(fight, fighter.stance, other.stance)
    if exchange.contest:
        begin_contest(fight, i, target)
    begin_attack_event(fight, log)


@compiled
def begin_strike_outside(fight, log, i, target, stance, rank):
    """Begin an opportunity attack: no stance is beaten, and the target rolls ordinary defense with the same die."""
    exchange = fight.exchange
    note_shot(fight, i)
    note_lunge(fight, i, target)
    exchange.striker, exchange.target, exchange.cause, exchange.stance = i, target, FROM_OPPORTUNITY, stance
    exchange.rank = rank
    exchange.contest = exchange.mutual = exchange.beaten = False
    forget_answers(fight)
    begin_attack_event(fight, log)


@compiled
def begin_contest(fight, i, target):
    """Mark the contest as mutual if both fighters attack each other; otherwise the target only answers."""
    other = fight.fighters[target]
    note_shot(fight, target)
    chosen = other.deed == STRIKE and other.target == i and not other.rolled
    fight.exchange.mutual = chosen or is_shared(fight)
    if fight.exchange.mutual:
        other.rolled = True
        other.struck_at |= bit(i)
    else:
        other.answered_at |= bit(i)


@with_abilities(False)
@compiled
def is_shared(fight):
    """Return whether the attack in progress is one that abilities have added for both of its fighters."""
    return fight.shared and fight.exchange.cause == FROM_EXTRA


@compiled
def begin_attack_event(fight, log):
    """Write the attack event without its rolls."""
    exchange = fight.exchange
    number = tell(fight, log, ATTACK_EVENT, exchange.striker, exchange.target, exchange.cause, 0)
    if fight.recording:
        log.attack = number
    if number != NOBODY:
        event = log.events[number]
        event.stance, event.flag, event.mutual, event.pending = exchange.stance, exchange.contest, exchange.mutual, True
        chosen = exchange.cause == FROM_ATTACK or exchange.cause == FROM_FOLLOW_UP
        event.before = fight.fighters[exchange.striker].detail if chosen else 0  # levels named


@inlined
def event_of_attack(fight, log):
    """Return the number of the event of the attack in progress, or NOBODY if events are not kept."""
    return np.int64(log.attack) if fight.recording else NOBODY


@inlined
def attacks_target(fight, i, target):
    """Return whether fighter i attacks the target (R-9): by its choice in this window, or earlier in this phase."""
    fighter = fight.fighters[i]
    return (fighter.deed == STRIKE and fighter.target == target) or fighter.struck_at >> target & 1 == 1


@inlined
def opposing_first(fight):
    """Return whether the target rolls first: in a contest, the fighter that is earlier in the timing order does so."""
    exchange = fight.exchange
    return exchange.contest and fight.fighters[exchange.striker].turn >= fight.fighters[exchange.target].turn


@compiled
def roll_own(fight, log):
    """Make the striker's attack roll, unless it reuses the previous roll, and write it into the event."""
    exchange = fight.exchange
    if not strikes_again(fight):
        hooks.treads(fight, log, np.int64(exchange.striker), BEFORE_ATTACK)
        roll_attack(fight, exchange.striker, exchange.target, exchange.stance, exchange.beaten, fight.attack_roll)
    keep_causes(fight)
    tell_attack_roll(fight, log, event_of_attack(fight, log))


@compiled
def roll_opposing(fight, log):
    """Make the target's defense roll, or its attack roll in a contest, and write it into the event."""
    exchange = fight.exchange
    i, target, stance = exchange.striker, exchange.target, exchange.stance
    hooks.treads(fight, log, np.int64(target), BEFORE_ANSWER)
    if exchange.contest:
        roll_attack(fight, target, i, stance, False, fight.defense_roll)
    else:
        ignored = ignores_armor(fight, i, target, exchange.beaten, stance)
        armor = 0 if ignored else armor_of(fight, target, i)
        roll_defense(fight, target, i, stance, armor, fight.defense_roll)
    tell_defense_roll(fight, log, event_of_attack(fight, log))


@compiled
def roll_first(fight, log):
    """Make the first roll of the attack."""
    fight.fighters[fight.exchange.striker].struck_at |= bit(fight.exchange.target)
    keep_aim(fight)
    if opposing_first(fight):
        roll_opposing(fight, log)
    else:
        roll_own(fight, log)


@compiled
def roll_second(fight, log):
    """Make the second roll of the attack."""
    if opposing_first(fight):
        roll_own(fight, log)
    else:
        roll_opposing(fight, log)


@compiled
def settle_strike(fight, log):
    """Compare the rolls and add the hit; the loser of a contest takes the difference as damage."""
    exchange = fight.exchange
    i, target, cause = exchange.striker, exchange.target, exchange.cause
    own, opposing = np.int64(fight.attack_roll.total), np.int64(fight.defense_roll.total)
    loser, damage, lands = target, np.int64(0), np.int64(0)
    if exchange.contest:
        loser = NOBODY if own == opposing else (target if own > opposing else i)
        damage = contest_damage(fight, abs(own - opposing), loser, i if loser == target else target)
    else:
        damage = damage_dealt(own, opposing)
        if cause == FROM_ATTACK:
            fight.fighters[i].follow_up = earns_follow_up(
                fight, i, target, exchange.beaten, exchange.stance, own, opposing
            )
    if loser != NOBODY:
        striker = i if loser == target else target
        damage = hooks.multiplies(fight, striker, loser, damage)
        if not exchange.contest and cause != FROM_OPPORTUNITY:
            damage = after_defensive(damage, stance_met(fight, i, target, True))
        damage = hooks.cuts(fight, loser, striker, cause, damage)
        lands = add_hit(fight, loser, striker, cause, damage, exchange.rank)
    settle_by_abilities(fight, loser, damage)
    number = event_of_attack(fight, log)
    if number != NOBODY:
        event = log.events[number]
        event.pending = False
        event.amount = lands
        event.hurt = loser if lands > 0 else NOBODY
        log.attack = NOBODY


@with_abilities(None)
@compiled
def settle_by_abilities(fight, loser, damage):
    """Let abilities respond to the attack just settled, and grant its fighters any follow-ups."""
    exchange = fight.exchange
    i, target, cause = exchange.striker, exchange.target, exchange.cause
    hooks.attacked(fight, i, target, cause, damage if loser == target else 0)
    if exchange.mutual:
        hooks.attacked(fight, target, i, cause, damage if loser == i else 0)
    if cause == FROM_ATTACK or cause == FROM_FOLLOW_UP:
        fight.fighters[i].follow_up |= hooks.follows_up(fight, i, target)
        if exchange.mutual:
            fight.fighters[target].follow_up |= hooks.follows_up(fight, target, i)


# The attack in progress, for abilities.


@compiled
def has_rolled_attack(fight, i):
    """Return whether fighter i has made its attack roll: as the striker, or as either fighter in a contest."""
    exchange = fight.exchange
    if i == exchange.striker:
        return not strikes_again(fight) and (fight.occasion == ON_SECOND_ROLL or not opposing_first(fight))
    if i == exchange.target and exchange.contest:
        return fight.occasion == ON_SECOND_ROLL or opposing_first(fight)
    return False


@with_abilities(None)
@compiled
def keep_aim(fight):
    """Remember whom the attack in progress is aimed at; another may then defend in its place."""
    fight.aimed_at = fight.exchange.target


@compiled
def aim_of(fight, i, target):
    """Return whom fighter i's attack is aimed at, when the target rolls against it."""
    return np.int64(fight.aimed_at) if i == fight.exchange.striker else np.int64(target)


@compiled
def attacker_on(fight, i):
    """Return the fighter that attacks fighter i in the attack in progress, or NOBODY."""
    exchange = fight.exchange
    if i == exchange.target:
        return np.int64(exchange.striker)
    return np.int64(exchange.target) if i == exchange.striker and exchange.mutual else np.int64(NOBODY)


@compiled
def let_stand_in(fight):
    """Let abilities ask who stands in for the target of an attack that meets a defense; return whether any does."""
    exchange, before = fight.exchange, fight.request_count
    if exchange.contest or exchange.cause == FROM_OPPORTUNITY or strikes_again(fight) or fight.dashing:
        return False
    hooks.threatened(fight, np.int64(exchange.striker), np.int64(exchange.target))
    return fight.request_count > before


@compiled
def stand_in(fight, log, i):
    """Make fighter i the target of the attack in progress, in an answer before its dice are rolled."""
    exchange = fight.exchange
    if exchange.cause == FROM_ATTACK:
        outer_choice(fight, exchange.striker).target = i
    mark_active(fight, exchange.striker, i)
    defend_instead(fight, log, i)


@compiled
def defend_instead(fight, log, i):
    """Make fighter i the one that rolls against the attack in progress and takes its damage."""
    fight.exchange.target = i
    number = event_of_attack(fight, log)
    if number != NOBODY:
        log.events[number].other = i


@compiled
def turn_extras(fight, i, target, other, first):
    """Let the extra attacks of fighter i on a target, with new rolls, from the one with this index, go to another."""
    for k in range(first, fight.extra_count):
        extra = fight.extras[k]
        if extra.striker == i and extra.target == target and not extra.again:
            extra.target = other


@compiled
def let_defend(fight):
    """Let the abilities of the target act before it rolls defense, if it does."""
    exchange = fight.exchange
    if not exchange.contest:
        hooks.defends(fight, exchange.target, np.int64(exchange.striker))


@compiled
def is_own_attack(fight, i):
    """Return whether the attack in progress is fighter i's own, not just one that it answers in a contest."""
    return i == fight.exchange.striker or fight.exchange.mutual


@compiled
def makes_attack(fight, i):
    """Return whether the attack in progress is the one that fighter i has chosen in this phase."""
    exchange = fight.exchange
    return exchange.cause == FROM_ATTACK and (i == exchange.striker or exchange.mutual)


@compiled
def add_extra(fight, i, target, again):
    """Add an attack of fighter i right after the one in progress, with a new roll or, if `again`, the same roll.

    If there are several, the last one added is made first.
    """
    if fight.extra_count < len(fight.extras):
        extra = fight.extras[fight.extra_count]
        extra.striker, extra.target, extra.stance, extra.again, extra.shared = i, target, NO_STANCE, again, False
        fight.extra_count += 1


@compiled
def call_off_extras(fight, i, target):
    """Remove the extra attacks of fighter i on a target, with new rolls and in the stance that it shows."""
    kept = 0
    for k in range(fight.extra_count):
        extra = fight.extras[k]
        if extra.striker != i or extra.target != target or extra.again or extra.stance != NO_STANCE:
            fight.extras[kept] = extra
            kept += 1
    fight.extra_count = kept


@compiled
def share_extra(fight, i, target):
    """Make the target's extra attack on fighter i the extra attack of both; return whether there is one.

    The shared attack is a contest.
    """
    for k in range(fight.extra_count):
        extra = fight.extras[k]
        if extra.striker == target and extra.target == i and not extra.again:
            extra.shared = True
            return True
    return False


@compiled
def play_in_order(fight, first):
    """Let the extra attacks from index `first` on be made in the order in which they were added."""
    last = np.int64(fight.extra_count) - 1
    while first < last:
        one, other = fight.extras[first], fight.extras[last]
        one.striker, other.striker = other.striker, one.striker
        one.target, other.target = other.target, one.target
        one.stance, other.stance = other.stance, one.stance
        one.again, other.again = other.again, one.again
        one.shared, other.shared = other.shared, one.shared
        first, last = first + 1, last - 1


@compiled
def add_open(fight, i, target, stance):
    """Add an opportunity attack that an ability gives fighter i; it is made once the current instants are done."""
    add_extra(fight, i, target, False)
    fight.extras[fight.extra_count - 1].stance = stance


@compiled
def attack_of(fight, i):
    """Return the attack roll of fighter i, which takes part in the attack in progress."""
    return fight.attack_roll if i == fight.exchange.striker else fight.defense_roll


# Attacks that reuse the roll of the previous attack.


@with_abilities(False)
@compiled
def strikes_again(fight):
    """Return whether the attack in progress reuses the roll of the previous attack."""
    return fight.again and fight.exchange.cause == FROM_EXTRA


@compiled
def keep_roll(fight, i):
    """Copy fighter i's roll in the previous attack to the attack roll, unless it is already there.

    In a contest, both fighters may reuse their rolls. The striker's is put aside until the other one's are used.
    """
    if i != fight.exchange.striker:
        if i == fight.set_aside:
            copy_roll(fight.roll_aside, fight.attack_roll)
        else:
            copy_roll(fight.attack_roll, fight.roll_aside)
            fight.set_aside = fight.exchange.striker
            copy_roll(fight.defense_roll, fight.attack_roll)
        fill(fight.attack_causes, 0)


@with_abilities(None)
@compiled
def keep_causes(fight):
    """Save the causes of advantage in an attack roll, or restore them for an attack that reuses the roll."""
    if fight.recording:
        if strikes_again(fight):
            copy(fight.attack_causes, fight.causes)
        else:
            copy(fight.causes, fight.attack_causes)


@compiled
def tell_totals(fight, log):
    """Write the totals of both rolls into the event, after an ability has changed one."""
    number = event_of_attack(fight, log)
    if number != NOBODY:
        log.events[number].attack_total = fight.attack_roll.total
        log.events[number].defense_total = fight.defense_roll.total


@with_abilities(None)
@compiled
def forget_answers(fight):
    """Clear the record of abilities that have answered, and the roll put aside, because a new attack begins."""
    if not strikes_again(fight):
        fight.set_aside = NOBODY
    for i in range(fight.n):
        fight.fighters[i].answered = 0


@unfolded
def finish_strike(fight, log):
    """Roll and settle the attack that has begun, where nothing can interrupt it."""
    roll_first(fight, log)
    roll_second(fight, log)
    settle_strike(fight, log)
