"""Picks: the parts of a choice that one action number cannot name.

A fighter whose choice lacks a part stays pending, and the window stays open until every choice in it is complete. Other
fighters see nothing of the choice or of its parts before it is carried out.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.all import (
    PICK_COUNT,
    PICK_KIND,
    asks_for,
    auto_pick,
    may_pick,
)
from heartrush_env.games.heart_rush.engine.events import PICK_EVENT, tell
from heartrush_env.games.heart_rush.rules.abilities import MOST_OPTIONS, PARTS, Kind
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.terms import NOBODY, STANDING, USE, USE_AT, USE_FOR
from heartrush_env.tabletop.rule import compiled


@with_abilities(False)
@compiled
def may_have_parts(fight):
    """Return whether choices of this kind of fight may have parts; it is a constant for each type of record."""
    return True


@with_abilities(False)
@compiled
def is_picking(fight, i):
    """Return whether fighter i is asked for a part of its choice, and not for a choice."""
    return fight.fighters[i].picking != 0


@compiled
def is_use(deed):
    """Return whether a choice is the use of an ability."""
    return deed == USE or deed == USE_AT or deed == USE_FOR


@compiled
def may_answer(fight, i, slot, target, part, picked):
    """Return whether fighter i may give the answer `picked` to this part of an ability's use."""
    number = fight.fighters[i].loadout[slot]
    kind = PICK_KIND[number, part]
    if kind == Kind.OPTION and not 0 <= picked < PICK_COUNT[number, part]:
        return False
    if kind == Kind.CREATURE and (picked == NOBODY or picked == i or fight.fighters[picked].status != STANDING):
        return False
    return may_pick(fight, number, i, slot, target, part, picked)


@compiled
def count_answers(fight, i, slot, target, part):
    """Return how many answers fighter i has to a part, counted up to two, and the first of them."""
    options = PICK_KIND[fight.fighters[i].loadout[slot], part] == Kind.OPTION
    count, first = np.int64(0), np.int64(NOBODY)
    for picked in range(MOST_OPTIONS if options else np.int64(fight.n)):
        if may_answer(fight, i, slot, target, part, picked):
            count += 1
            if count == 2:
                break
            first = np.int64(picked)
    return count, first


@compiled
def automatic_answer(fight, i, slot, target, part):
    """Return the answer for a player that gives none: the ability's own if it is allowed, or else the first allowed."""
    chosen = np.int64(auto_pick(fight, fight.fighters[i].loadout[slot], i, slot, target, part))
    if chosen != NOBODY and may_answer(fight, i, slot, target, part, chosen):
        return chosen
    return count_answers(fight, i, slot, target, part)[1]


@with_abilities(None)
@compiled
def answer_pick(fight, i, legal, picked):
    """Take fighter i's answer to the part that it is asked for; an answer that is not legal is replaced."""
    fighter = fight.fighters[i]
    part = np.int64(fighter.picking) - 1
    if not legal:
        picked = automatic_answer(fight, i, np.int64(fighter.detail), np.int64(fighter.target), part)
    fighter.answers[part] = picked


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
        if asks_for(fight, number, i, slot, target, part):
            count, first = count_answers(fight, i, slot, target, part)
            if count > 1:
                fighter.picking = part + 1
                fighter.pending = True
                return
            fighter.answers[part] = first
        part += 1


@with_abilities(True)
@compiled
def answers_hold(fight, i, deed, slot, target):
    """Return whether fighter i's answers to the parts of its choice are still allowed, as it is carried out."""
    if not is_use(deed):
        return True
    fighter = fight.fighters[i]
    number = fighter.loadout[slot]
    for part in range(PARTS):
        if PICK_KIND[number, part] == Kind.NOTHING:
            return True
        asked = asks_for(fight, number, i, slot, target, part)
        if asked and not may_answer(fight, i, slot, target, part, np.int64(fighter.answers[part])):
            return False
    return True


@compiled
def tell_answers(fight, log, i, slot):
    """Report the parts of the use that fighter i carries out."""
    fighter = fight.fighters[i]
    number = fighter.loadout[slot]
    for part in range(PARTS):
        if PICK_KIND[number, part] != Kind.NOTHING and fighter.answers[part] != NOBODY:
            event = tell(fight, log, PICK_EVENT, i, NOBODY, part, np.int64(fighter.answers[part]))
            if event != NOBODY:
                log.events[event].before = number
