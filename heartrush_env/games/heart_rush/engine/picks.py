"""Picks: parts of a choice that one action number cannot name, and questions that abilities ask during resolution.

A fighter whose choice lacks a part stays pending, and the window stays open until every choice in it is complete. Other
fighters see nothing of the choice or of its parts before it is carried out.

A question that an ability asks later is a request. Requests wait in the fight until the flow `picks` asks them in its
own window. All fighters with a request answer together and in secret; a fighter with several answers them in turn.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.all import (
    PICK_COUNT,
    PICK_KIND,
    PICK_LATER,
    PICK_OPTIONAL,
    asks_for,
    auto_pick,
    do_picked,
    may_pick,
)
from heartrush_env.games.heart_rush.rules.abilities import MOST_OPTIONS, PARTS, Kind
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.movement import DIRECTIONS
from heartrush_env.games.heart_rush.rules.space import square_of
from heartrush_env.games.heart_rush.rules.terms import DASH, NOBODY, PICK, SIDESTEP, STANDING, USE, USE_AT, USE_FOR
from heartrush_env.games.heart_rush.rules.trip import steps_past
from heartrush_env.games.heart_rush.state.events import PICK_EVENT, tell, tell_conditions
from heartrush_env.games.heart_rush.state.record import PICK_WINDOW
from heartrush_env.tabletop.rule import compiled, inlined


@with_abilities(False)
@compiled
def may_have_parts(fight):
    """Return whether choices of this kind of fight may have parts; it is a constant for each type of record."""
    return True


@with_abilities(False)
@compiled
def is_picking(fight, i):
    """Return whether fighter i is asked for a part, by its own choice or by a request, and not for a whole choice."""
    return fight.fighters[i].picking != 0


@compiled
def is_use(deed):
    """Return whether a choice is the use of an ability."""
    return deed == USE or deed == USE_AT or deed == USE_FOR


@inlined
def answer_of(deed, target, detail):
    """Return the answer that an action gives: an option, a direction, a place or a fighter, or NOBODY for a pass."""
    return detail if deed == PICK or deed == SIDESTEP or deed == DASH else target


@compiled
def question_of(fight, i):
    """Return the owner, slot and target of the ability that asks i for a part; the target of a request is i itself."""
    if fight.window == PICK_WINDOW:
        request = fight.requests[request_of(fight, i)]
        return np.int64(request.owner), np.int64(request.slot), np.int64(i)
    fighter = fight.fighters[i]
    return np.int64(i), np.int64(fighter.detail), np.int64(fighter.target)


@compiled
def may_answer(fight, i, slot, target, part, picked):
    """Return whether this is an allowed answer to a part of the ability in fighter i's slot."""
    number = fight.fighters[i].loadout[slot]
    kind = PICK_KIND[number, part]
    if picked == NOBODY:
        return PICK_OPTIONAL[number, part]
    if kind == Kind.OPTION and not 0 <= picked < PICK_COUNT[number, part]:
        return False
    asked = target if PICK_LATER[number, part] else i
    if kind == Kind.CREATURE and (picked == asked or fight.fighters[picked].status != STANDING):
        return False
    return may_pick(fight, number, i, slot, target, part, picked)


@compiled
def count_answers(fight, i, slot, target, part):
    """Return the number of allowed answers to a part, at most 2, and the first; declining counts as the first."""
    number = fight.fighters[i].loadout[slot]
    kind = PICK_KIND[number, part]
    most = np.int64(fight.n)
    if kind == Kind.OPTION:
        most = np.int64(MOST_OPTIONS)
    elif kind == Kind.DIRECTION:
        most = np.int64(DIRECTIONS)
    count, first = np.int64(PICK_OPTIONAL[number, part]), np.int64(NOBODY)
    for picked in range(most):
        if may_answer(fight, i, slot, target, part, picked):
            if count == 0:
                first = np.int64(picked)
            count += 1
            if count == 2:
                break
    return count, first


@compiled
def automatic_answer(fight, i, slot, target, part):
    """Return the answer for a player that gives none: the ability's default if allowed, or else the first allowed."""
    chosen = np.int64(auto_pick(fight, fight.fighters[i].loadout[slot], i, slot, target, part))
    if chosen != NOBODY and may_answer(fight, i, slot, target, part, chosen):
        return chosen
    return count_answers(fight, i, slot, target, part)[1]


@with_abilities(None)
@compiled
def answer_pick(fight, i, legal, picked):
    """Take fighter i's answer to the part that it is asked for; an answer that is not legal is replaced."""
    part = np.int64(fight.fighters[i].picking) - 1
    if not legal:
        owner, slot, target = question_of(fight, i)
        picked = automatic_answer(fight, owner, slot, target, part)
    if fight.window == PICK_WINDOW:
        fight.requests[request_of(fight, i)].answer = picked
    else:
        fight.fighters[i].answers[part] = picked


# The parts of a choice.


@with_abilities(None)
@compiled
def ask_next_part(fight, i):
    """Ask fighter i for the next part that its choice lacks, if any; parts with one answer are filled in."""
    fighter = fight.fighters[i]
    part = np.int64(fighter.picking)  # the parts before it have been answered
    fighter.picking = 0
    if not is_use(fighter.deed):
        return
    slot, target = np.int64(fighter.detail), np.int64(fighter.target)
    number = fighter.loadout[slot]
    while part < PARTS and PICK_KIND[number, part] != Kind.NOTHING:
        fighter.answers[part] = NOBODY
        if completes_use(fight, i, slot, target, part):
            count, first = count_answers(fight, i, slot, target, part)
            if count > 1:
                fighter.picking = part + 1
                fighter.pending = True
                return
            fighter.answers[part] = first
        part += 1


@compiled
def completes_use(fight, i, slot, target, part):
    """Return whether this part is asked for when the ability is used, not later, given the answers to earlier parts."""
    number = fight.fighters[i].loadout[slot]
    return not PICK_LATER[number, part] and asks_for(fight, number, i, slot, target, part)


@with_abilities(True)
@compiled
def answers_hold(fight, i, deed, slot, target):
    """Return whether fighter i's answers to the parts of its choice are still allowed when it is carried out."""
    if not is_use(deed):
        return True
    fighter = fight.fighters[i]
    number = fighter.loadout[slot]
    for part in range(PARTS):
        if PICK_KIND[number, part] == Kind.NOTHING:
            return True
        asked = completes_use(fight, i, slot, target, part)
        if asked and not may_answer(fight, i, slot, target, part, np.int64(fighter.answers[part])):
            return False
    return True


@compiled
def tell_answers(fight, log, i, slot):
    """Report fighter i's answers to the parts of the use of an ability that it carries out."""
    fighter = fight.fighters[i]
    number = fighter.loadout[slot]
    for part in range(PARTS):
        if PICK_KIND[number, part] != Kind.NOTHING and not PICK_LATER[number, part]:
            tell_answer(fight, log, i, i, slot, part, np.int64(fighter.answers[part]))


@compiled
def tell_answer(fight, log, i, owner, slot, part, picked):
    """Report fighter i's answer to a part of an ability, unless it gave none."""
    if picked != NOBODY:
        event = tell(fight, log, PICK_EVENT, i, NOBODY if owner == i else owner, part, picked)
        if event != NOBODY:
            log.events[event].before = fight.fighters[owner].loadout[slot]


# Requests.


@compiled
def request_of(fight, i):
    """Return the index of the first request that asks fighter i, or NOBODY."""
    for k in range(fight.request_count):
        if fight.requests[k].who == i:
            return np.int64(k)
    return np.int64(NOBODY)


@compiled
def begin_picks(fight):
    """Ask each fighter the first request to it; return whether there was any. During a dash, ask none.

    A request with one answer is answered at once, and so is every request of fighters that only choose stances.
    """
    if fight.request_count == 0 or fight.dashing:
        return False
    fight.window_left, fight.mover_left = fight.window, fight.mover
    for i in range(fight.n):
        k = request_of(fight, i)
        if k != NOBODY:
            fight.requests[k].asked = True
            ask_request(fight, i, k)
    return True


@compiled
def ask_request(fight, i, k):
    """Ask fighter i the request with this index, unless the fighter is out or the answer is known without asking."""
    request = fight.requests[k]
    if fight.fighters[i].status != STANDING:
        return
    owner, slot, part = np.int64(request.owner), np.int64(request.slot), np.int64(request.part)
    count, first = count_answers(fight, owner, slot, i, part)
    if count > 1 and fight.full_decisions:
        fight.fighters[i].picking = part + 1
    elif count > 1:
        request.answer = automatic_answer(fight, owner, slot, i, part)
    else:
        request.answer = first


@compiled
def take_picks(fight, log):
    """Carry out answers in the order of their requests until a step makes a trip possible; return whether one did."""
    k = np.int64(0)
    while k < fight.request_count:
        request = fight.requests[k]
        if not request.asked:
            k += 1
            continue
        who, owner, slot = np.int64(request.who), np.int64(request.owner), np.int64(request.slot)
        part, picked = np.int64(request.part), np.int64(request.answer)
        remove_request(fight, k)
        square = square_of(fight, who)
        carry_out_answer(fight, log, who, owner, slot, part, picked)
        if square_of(fight, who) != square and steps_past(fight, who):
            return True
    return False


@compiled
def remove_request(fight, k):
    """Take the request with this index out of the queue."""
    fight.request_count -= 1
    for later in range(k, fight.request_count):
        request, after = fight.requests[later], fight.requests[later + 1]
        request.who, request.owner, request.slot, request.part = after.who, after.owner, after.slot, after.part
        request.answer, request.asked = after.answer, after.asked


@compiled
def carry_out_answer(fight, log, who, owner, slot, part, picked):
    """Carry out an answer; if it is no longer allowed, carry out the automatic answer instead, if there is one."""
    if fight.fighters[who].status != STANDING:
        return
    if not may_answer(fight, owner, slot, who, part, picked):
        picked = automatic_answer(fight, owner, slot, who, part)
    if picked != NOBODY:
        tell_answer(fight, log, who, owner, slot, part, picked)
        do_picked(fight, fight.fighters[owner].loadout[slot], log, owner, slot, who, part, picked)
        tell_conditions(fight, log)


@compiled
def end_picks(fight):
    """Restore the window and the mover from before the requests."""
    fight.window, fight.mover = fight.window_left, fight.mover_left
