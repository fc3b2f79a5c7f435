"""Taking Damage: hits are queued, then answered one at a time by each fighter, and judged once all have landed."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.engine.events import (
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
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.maneuvers.climb_on import climb_down, come_off, hold_on
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import let_go
from heartrush_env.games.heart_rush.rules.parts import falls_with_body
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
from heartrush_env.tabletop.rule import compiled, inlined, rule


@inlined
def start_batch(match):
    """Start collecting hits; all rolls of the batch use the current heart dice."""
    match.hit_count = 0
    match.hit_number = 0
    for i in range(match.n):
        match.fighters[i].phase_heart = match.fighters[i].heart


@rule("Combat > Taking Damage", "R-26")
def add_hit(match, target, striker, cause, amount, rank):
    """Queue a hit behind all hits of equal or lower rank, unless it deals no damage."""
    if amount <= 0 or match.hit_count >= len(match.hits):
        return
    spot = match.hit_count
    while spot > 0 and match.hits[spot - 1].rank > rank:
        before, after = match.hits[spot - 1], match.hits[spot]
        after.target, after.striker, after.cause = before.target, before.striker, before.cause
        after.rank, after.amount = before.rank, before.amount
        spot -= 1
    hit = match.hits[spot]
    hit.target, hit.striker, hit.cause, hit.rank, hit.amount = target, striker, cause, rank, amount
    match.hit_count += 1


@compiled
def number_hits(match):
    """Assign numbers, from 0 up, to the hits on each fighter; all hits with the number 0 are answered first."""
    match.hit_number = 0
    for i in range(match.n):
        match.fighters[i].dropped = False
    for k in range(match.hit_count):
        number = 0
        for earlier in range(k):
            number += match.hits[earlier].target == match.hits[k].target
        match.hits[k].number = number


@inlined
def hits_left(match):
    """Return whether any fighter has a hit of the current number."""
    for k in range(match.hit_count):
        if match.hits[k].number == match.hit_number:
            return True
    return False


@rule("Combat > Taking Damage", "R-26", "R-96")
def strike_back(match, target, striker, cause, amount):
    """Queue a hit while other hits land; its target answers it after all its earlier hits."""
    if amount <= 0 or match.hit_count >= len(match.hits):
        return
    number = np.int64(match.hit_number) + 1
    for k in range(match.hit_count):
        if match.hits[k].target == target:
            number = max(number, np.int64(match.hits[k].number) + 1)
    hit = match.hits[match.hit_count]
    hit.target, hit.striker, hit.cause, hit.amount = target, striker, cause, amount
    hit.rank = match.hits[match.hit_count - 1].rank if match.hit_count > 0 else 0
    hit.number = number
    match.hit_count += 1


# Landing.


@rule("Combat > Taking Damage", "R-26")
def land_hits(match, log):
    """Land all hits of the current number as their targets chose; then climbers check whether they hold on."""
    for i in range(match.n):
        k = pending_hit(match, i)
        if k != NOBODY:
            land(match, log, i, k)
    for i in range(match.n):
        k = pending_hit(match, i) if match.fighters[i].climbing != NOBODY else NOBODY
        if k != NOBODY and match.hits[k].amount > 0:
            hold_on(match, log, i, match.hits[k].amount)
    match.hit_number += 1


@compiled
def land(match, log, i, k):
    """Land one hit: halve it if it is shrugged off, subtract it from the hit points, and mark a wound if one is due."""
    fighter, hit = match.fighters[i], match.hits[k]
    if fighter.deed == SHRUG and may_shrug(match, fighter):
        before = fighter.heart
        hit.amount = shrug_off(fighter, hit.amount)
        tell_change(match, log, SHRUG_EVENT, i, 0, before, fighter.heart)
        if not match.engaged:  # within a phase, R-13 keeps the heart die of its start
            fighter.phase_heart = fighter.heart
    hit.amount = max(0, hooks.reduces(match, i, hit.striker, hit.cause, np.int64(hit.amount)))
    hit.amount = max(0, hooks.reduces_for(match, i, hit.striker, hit.cause, np.int64(hit.amount)))
    was_up = fighter.hp > 0
    lose_hit_points(fighter, hit.amount)
    if was_up and fighter.hp <= 0:
        fighter.dropped = fighter.status == STANDING
        fighter.rounds_at_zero = 0
    number = tell(match, log, DAMAGE, i, hit.striker, hit.cause, hit.amount)
    if number != NOBODY:
        log.events[number].after = fighter.hp
    hooks.damaged(match, log, i, hit.striker, hit.cause, np.int64(hit.amount))
    if marks_wound(match, fighter, hit.amount):
        rank = max(0, hooks.wound_rank(match, i, np.int64(hit.amount)))
        mark_wound(fighter, rank)
        tell(match, log, WOUND, i, NOBODY, 0, rank)
        hooks.wounded(match, log, i, hit.striker, rank)


# Judging.


@rule("Combat > Taking Damage > Zero Hit points", "R-32")
def judge_batch(match, log):
    """Decide, once all hits have landed, which fighters die, are out or may yield; return whether any may yield."""
    anyone = False
    out = 0
    for i in range(match.n):
        fighter = match.fighters[i]
        if fighter.hp > 0:
            fighter.dropped = False  # a hit of the same batch may have healed it
            continue
        status = status_after_damage(match, fighter)
        if status != fighter.status:
            fighter.status = status
            out |= 1 << i
        fighter.dropped = fighter.dropped and fighter.status == STANDING and may_choose_to_fight_on(match, fighter)
        anyone = anyone or fighter.dropped
    take_out_together(match, log, out)
    match.hit_count = 0
    return anyone


@compiled
def answer_yield(match, log):
    """Let the fighters that have just dropped and have chosen to yield fall unconscious."""
    out = 0
    for i in range(match.n):
        fighter = match.fighters[i]
        if fighter.dropped and fighter.deed == YIELD:
            tell(match, log, YIELD_EVENT, i, NOBODY, 0, 0)
            fighter.status = UNCONSCIOUS
            out |= 1 << i
        fighter.dropped = False
    take_out_together(match, log, out)


# Leaving the fight.


@compiled
def take_out_together(match, log, out):
    """Take the fighters in a bit mask out of the fight together; the status of each is set already."""
    for i in range(match.n):
        if out >> i & 1:
            take_out(match, log, i, match.fighters[i].status)


@compiled
def take_out(match, log, i, status):
    """Take a fighter and its parts out of the fight, and log how."""
    leave(match, log, i, status)
    for j in range(match.n):
        if falls_with_body(match, i, j):
            leave(match, log, j, DEFEATED)


@compiled
def leave(match, log, i, status):
    """Take one fighter out of the fight."""
    throw_off_climbers(match, log, i)
    go_out(match, i, status)
    if status != UNCONSCIOUS:
        hooks.died(match, i)
    tell(match, log, DEATH if status == DEAD else DOWN, i, NOBODY, status, 0)
    tell_conditions(match, log)


@on_map(None)
@compiled
def throw_off_climbers(match, log, i):
    """Make climbers come off a fighter that goes out; they may land in its squares, which it no longer blocks."""
    match.fighters[i].status = UNCONSCIOUS  # its final status is set by go_out
    for climber in range(match.n):
        if match.fighters[climber].climbing == i:
            come_off(match, log, climber)


@rule("Combat > Taking Damage > Zero Hit points", "R-52")
def go_out(match, i, status):
    """Set the status of a fighter that leaves the fight, and end its holds and climbs and those of others on it."""
    fighter = match.fighters[i]
    fighter.status = status
    let_go(match, i)
    climb_down(match, i)
    if has(fighter, GRAPPLED):
        let_go(match, fighter.source[GRAPPLED])
    if has(fighter, CLIMBED_ON):
        for j in range(match.n):
            if match.fighters[j].climbing == i:
                climb_down(match, j)
