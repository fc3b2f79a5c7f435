"""Taking Damage: hits are queued, then answered one at a time by each fighter, and judged once all have landed."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import ON_DAMAGE, ON_LANDED
from heartrush_env.games.heart_rush.rules.maneuvers.climb_on import climb_down, come_off, hold_on
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import let_go
from heartrush_env.games.heart_rush.rules.parts import defeat_part_of
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.taking_damage import (
    lose_hit_points,
    mark_wound,
    marks_wound,
    may_choose_to_fight_on,
    may_shrug,
    pending_hit,
    shrug_off,
    status_after_damage,
)
from heartrush_env.games.heart_rush.rules.terms import (
    CLIMBED_ON,
    DEAD,
    DEFEATED,
    GRAPPLED,
    NOBODY,
    SHRUG,
    STANDING,
    UNCONSCIOUS,
    YIELD,
)
from heartrush_env.games.heart_rush.state.events import (
    DAMAGE,
    DEATH,
    DOWN,
    SHRUG_EVENT,
    WOUND,
    YIELD_EVENT,
    tell,
    tell_change,
    tell_conditions,
)
from heartrush_env.tabletop.rule import compiled, inlined, rule

LAST_RANK = 1000  # of hits that come after all others
MOST_AT_ONCE = 127  # hits of a batch, whose count is a small number


@inlined
def start_batch(fight):
    """Start collecting hits; all rolls of the batch use the current heart dice."""
    fight.hit_count = 0
    fight.hit_number = 0
    for i in range(fight.n):
        fight.fighters[i].phase_heart = fight.fighters[i].heart


@rule("Combat > Taking Damage", "R-26")
def add_hit(fight, target, striker, cause, amount, rank):
    """Queue a hit behind all hits of equal or lower rank, unless it deals no damage; return the damage."""
    amount = scaled(fight, target, amount)
    if amount <= 0 or fight.hit_count >= min(len(fight.hits), MOST_AT_ONCE):
        return amount
    spot = fight.hit_count
    while spot > 0 and fight.hits[spot - 1].rank > rank:
        before, after = fight.hits[spot - 1], fight.hits[spot]
        after.target, after.striker, after.cause = before.target, before.striker, before.cause
        after.rank, after.amount = before.rank, before.amount
        spot -= 1
    hit = fight.hits[spot]
    hit.target, hit.striker, hit.cause, hit.rank, hit.amount = target, striker, cause, rank, amount
    fight.hit_count += 1
    return amount


@compiled
def scaled(fight, target, amount):
    """Return the damage that a hit on the target deals after abilities have halved or doubled it."""
    return hooks.scales(fight, target, np.int64(amount)) if amount > 0 else np.int64(0)


@compiled
def number_hits(fight):
    """Assign numbers, from 0 up, to the hits on each fighter; all hits with the number 0 are answered first."""
    fight.hit_number = 0
    for i in range(fight.n):
        fight.fighters[i].dropped = False
    for k in range(fight.hit_count):
        number = 0
        for earlier in range(k):
            number += fight.hits[earlier].target == fight.hits[k].target
        fight.hits[k].number = number


@inlined
def hits_left(fight):
    """Return whether any fighter has a hit of the current number."""
    for k in range(fight.hit_count):
        if fight.hits[k].number == fight.hit_number:
            return True
    return False


@rule("Combat > Taking Damage", "R-26", "R-96")
def strike_back(fight, target, striker, cause, amount):
    """Queue a hit while other hits land; the target answers it after all other hits on it."""
    amount = scaled(fight, target, amount)
    if amount <= 0 or fight.hit_count >= min(len(fight.hits), MOST_AT_ONCE):
        return
    number = np.int64(fight.hit_number) + 1
    for k in range(fight.hit_count):
        if fight.hits[k].target == target:
            number = max(number, np.int64(fight.hits[k].number) + 1)
    hit = fight.hits[fight.hit_count]
    hit.target, hit.striker, hit.cause, hit.amount = target, striker, cause, amount
    hit.rank = fight.hits[fight.hit_count - 1].rank if fight.hit_count > 0 else 0
    hit.number = number
    fight.hit_count += 1


@rule("Combat > Taking Damage", "R-33", "R-96", "R-283")
def add_late_hit(fight, target, striker, cause, amount):
    """Queue a hit of an ability behind all others, also while hits land."""
    if fight.occasion == ON_DAMAGE or fight.occasion == ON_LANDED:
        strike_back(fight, target, striker, cause, amount)
    else:
        add_hit(fight, target, striker, cause, amount, LAST_RANK)


# Landing.


@rule("Combat > Taking Damage", "R-26")
def land_hits(fight, log):
    """Land all hits of the current number as their targets chose; then climbers check whether they hold on."""
    for i in range(fight.n):
        k = pending_hit(fight, i)
        if k != NOBODY:
            land(fight, log, i, k)
    for i in range(fight.n):
        k = pending_hit(fight, i) if fight.fighters[i].climbing != NOBODY else NOBODY
        if k != NOBODY and fight.hits[k].amount > 0:
            hold_on(fight, log, i, fight.hits[k].amount)
    fight.hit_number += 1


@compiled
def land(fight, log, i, k):
    """Land one hit: halve it if it is shrugged off, subtract it from the hit points, and mark a wound if one is due."""
    fighter, hit = fight.fighters[i], fight.hits[k]
    if fighter.deed == SHRUG and may_shrug(fight, fighter):
        before = fighter.heart
        hit.amount = shrug_off(fighter, hit.amount)
        tell_change(fight, log, SHRUG_EVENT, i, 0, before, fighter.heart)
        if not fight.engaged:  # within a phase, R-13 keeps the heart die of its start
            fighter.phase_heart = fighter.heart
    hit.amount = max(0, hooks.reduces(fight, i, hit.striker, hit.cause, np.int64(hit.amount)))
    hit.amount = max(0, hooks.reduces_for(fight, i, hit.striker, hit.cause, np.int64(hit.amount)))
    was_up = fighter.hp > 0
    lose_hit_points(fighter, hit.amount)
    if was_up:  # perhaps again, healed after an earlier hit of the batch
        fighter.dropped = fighter.hp <= 0 and fighter.status == STANDING
        if fighter.hp <= 0:
            fighter.rounds_at_zero = 0
    number = tell(fight, log, DAMAGE, i, hit.striker, hit.cause, hit.amount)
    if number != NOBODY:
        log.events[number].after = fighter.hp
    hooks.damaged(fight, log, i, hit.striker, hit.cause, np.int64(hit.amount))
    if marks_wound(fight, fighter, hit.amount):
        rank = max(0, hooks.wound_rank(fight, i, np.int64(hit.amount)))
        mark_wound(fighter, rank)
        tell(fight, log, WOUND, i, NOBODY, 0, rank)
        hooks.wounded(fight, log, i, hit.striker, rank)


@compiled
def has_felled(fight, k):
    """Return whether hit k, which has just landed, took the last hit points of its target.

    The target may have lost more since then, as one that vanishes does.
    """
    hit, victim = fight.hits[k], fight.fighters[fight.hits[k].target]
    return victim.hp <= 0 and (victim.hp + hit.amount > 0 or (victim.dropped and hit.number == 0))


# Judging.


@rule("Combat > Taking Damage > Zero Hit points", "R-32")
def judge_batch(fight, log):
    """Decide, once all hits have landed, which fighters die, are out or may yield; return whether any may yield."""
    anyone = False
    out = 0
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if fighter.hp > 0:
            fighter.dropped = False  # a hit of the same batch may have healed it
            continue
        status = status_after_damage(fight, fighter)
        if status != fighter.status:
            fighter.status = status
            out |= 1 << i
        fighter.dropped = fighter.dropped and fighter.status == STANDING and may_choose_to_fight_on(fight, fighter)
        anyone = anyone or fighter.dropped
    take_out_together(fight, log, out)
    fight.hit_count = 0
    return anyone


@compiled
def answer_yield(fight, log):
    """Let the fighters that have just dropped and have chosen to yield fall unconscious."""
    out = 0
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if fighter.dropped and fighter.deed == YIELD:
            tell(fight, log, YIELD_EVENT, i, NOBODY, 0, 0)
            fighter.status = UNCONSCIOUS
            out |= 1 << i
        fighter.dropped = False
    take_out_together(fight, log, out)


# Leaving the fight.


@compiled
def take_out_together(fight, log, out):
    """Take the fighters in a bit mask out of the fight together; the status of each is set already."""
    for i in range(fight.n):
        if out >> i & 1:
            take_out(fight, log, i, fight.fighters[i].status)


@compiled
def take_out(fight, log, i, status):
    """Take a fighter and its parts out of the fight, and log how."""
    leave(fight, log, i, status)
    for j in range(fight.n):
        if defeat_part_of(fight, i, j):
            leave(fight, log, j, DEFEATED)


@compiled
def leave(fight, log, i, status):
    """Take one fighter out of the fight."""
    throw_off_climbers(fight, log, i)
    go_out(fight, i, status)
    if status != UNCONSCIOUS:
        hooks.died(fight, i)
    tell(fight, log, DEATH if status == DEAD else DOWN, i, NOBODY, status, 0)
    tell_conditions(fight, log)


@on_map(None)
@compiled
def throw_off_climbers(fight, log, i):
    """Make climbers come off a fighter that leaves the fight; they may land in its squares, which are now free."""
    fight.fighters[i].status = UNCONSCIOUS  # its final status is set by go_out
    for climber in range(fight.n):
        if fight.fighters[climber].climbing == i:
            come_off(fight, log, climber)


@rule("Combat > Taking Damage > Zero Hit points", "R-52")
def go_out(fight, i, status):
    """Set the status of a fighter that leaves the fight, and end its holds and climbs and those of others on it."""
    fighter = fight.fighters[i]
    fighter.status = status
    let_go(fight, i)
    climb_down(fight, i)
    if has(fighter, GRAPPLED):
        let_go(fight, fighter.source[GRAPPLED])
    if has(fighter, CLIMBED_ON):
        for j in range(fight.n):
            if fight.fighters[j].climbing == i:
                climb_down(fight, j)
