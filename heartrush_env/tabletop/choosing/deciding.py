"""The compiled functions for a game's choices.

They ask fighters, mark legal actions, and record, pay for and carry out what is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from heartrush_env.tabletop.choosing.units import NOBODY, Choice, Target, clear_picks, set_choice
from heartrush_env.tabletop.choosing.windows import Who, Window
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.units import Case, Function, switch

MISSING: Final = -2  # in place of a target: there is no fighter at this place
ENEMY, ALLY, MEMBER = int(Target.ENEMY), int(Target.ALLY), int(Target.MEMBER)
ONE, ACTING, ALL = int(Who.ONE), int(Who.ACTING), int(Who.ALL)


@dataclass(frozen=True)
class Deciding:
    """The functions for a game's choices, all compiled; `action` is a record of the table of actions."""

    is_legal: Function  # (fight, i, deed, target, detail): whether a fighter may choose this in the open window
    write_mask: Function  # (fight, i, table, masks, start): marks the legal actions of a fighter
    take: Function  # (fight, i, action): takes an action as a fighter's choice, or as the pick that completes it
    choose_fallback: Function  # (fight, i): makes the fallback of the window a fighter's choice
    put_question: Function  # (fight, i, wanted): asks a fighter if `wanted`; returns whether it has to choose
    pay: Function  # (fight, i, deed): takes what a choice costs from a fighter's pools
    do: Function  # (fight, deed, log, i, target, detail): carries out a choice


def deciding(choices: Sequence[Choice], windows: Sequence[Window], pools: Sequence[str]) -> Deciding:
    """Return the functions for a game's choices.

    Args:
        choices: All choices, by number.
        windows: All windows, by number.
        pools: The names of the pools from which choices are paid.
    """
    OFFERED = np.array([[window.name in choice.windows for choice in choices] for window in windows], np.bool_)
    TARGET = np.array([choice.target for choice in choices], np.int8)
    DETAILS = np.array([len(choice.details) for choice in choices], np.int16)
    COST = np.array([[choice.costs.get(pool, 0) for pool in pools] for choice in choices], np.int16)
    WRITES = np.array(["write" in choice.functions for choice in choices], np.bool_)
    PICK = np.array([choice.pick for choice in choices], np.bool_)
    FALLBACK = np.array([_fallback(choices, window) for window in windows], np.int8)
    POOLS, CHOICES = len(pools), len(choices)

    def cases(name: str) -> dict[int, Case]:
        return {c.code: Case(c.functions[name], c.needs) for c in choices if name in c.functions}

    may = switch("may_choose", "fight, number, i, target, detail", cases("may"), True, summary="Ask a choice's test.")
    do = switch("do_choice", "fight, number, log, i, target, detail", cases("do"), summary="Do what a choice does.")
    write = switch("write_lines", "fight, number, i, masks, start", cases("write"), summary="Mark a choice's lines.")
    next_pick = switch("next_pick", "fight, number, i", cases("next_pick"), NOBODY, summary="Find the pick.")

    @compiled
    def can_pay(fight, i, deed):
        for pool in range(POOLS):
            if fight.fighters[i].left[pool] < COST[deed, pool]:
                return False
        return True

    @compiled
    def pay(fight, i, deed):
        for pool in range(POOLS):
            fight.fighters[i].left[pool] -= COST[deed, pool]

    @compiled
    def is_legal(fight, i, deed, target, detail):
        fighter = fight.fighters[i]
        if PICK[deed]:
            return fighter.picking == deed + 1 and may(fight, deed, i, target, detail)
        return (
            fighter.picking == 0
            and OFFERED[fight.window, deed]
            and can_pay(fight, i, deed)
            and may(fight, deed, i, target, detail)
        )

    @compiled
    def at_place(fight, i, deed, place):
        """Return the fighter at a place in i's view; MISSING if there is none, NOBODY if the choice has no target."""
        fighter, kind = fight.fighters[i], TARGET[deed]
        if kind == ENEMY:
            return np.int64(fighter.enemies[place]) if place < fighter.enemy_count else np.int64(MISSING)
        if kind == MEMBER:
            if place == 0:
                return np.int64(i)
            return np.int64(fighter.allies[place - 1]) if place <= fighter.ally_count else np.int64(MISSING)
        if kind == ALLY:
            return np.int64(fighter.allies[place]) if place < fighter.ally_count else np.int64(MISSING)
        return np.int64(NOBODY)

    @compiled
    def may_be_asked(fight, fighter, deed):
        """Return whether the open window offers a choice; for a fighter that lacks a pick, whether it is this pick."""
        if fighter.picking != 0:
            return fighter.picking == deed + 1
        return OFFERED[fight.window, deed]

    @compiled
    def write_mask(fight, i, table, masks, start):
        if not fight.fighters[i].pending and masks[np.uint64(start)] == 1:
            return  # the mask shows already that the fighter is not asked: no window offers the first action
        for a in range(len(table)):
            masks[np.uint64(start + a)] = 0
        fighter = fight.fighters[i]
        if not fighter.pending:
            masks[np.uint64(start)] = 1
            return
        a = 0
        while a < len(table):
            deed = np.int64(table[a].deed)
            if not may_be_asked(fight, fighter, deed):
                a += np.int64(table[a].lines)
            elif WRITES[deed]:
                write(fight, deed, i, masks, start + a)
                a += np.int64(table[a].lines)
            else:
                target = at_place(fight, i, deed, np.int64(table[a].place))
                if target == MISSING or not (PICK[deed] or can_pay(fight, i, deed)):
                    a += np.int64(table[a].lines)  # places without a fighter are the last ones of a choice
                else:
                    masks[np.uint64(start + a)] = may(fight, deed, i, target, np.int64(table[a].detail))
                    a += 1

    @compiled
    def take(fight, i, action):
        fighter = fight.fighters[i]
        if fighter.picking == 0:
            fighter.deed = action.deed
            fighter.target = at_place(fight, i, np.int64(action.deed), np.int64(action.place))
            fighter.detail = action.detail
            clear_picks(fighter)
        else:
            k = 0
            while fighter.picked[k] != NOBODY:
                k += 1
            fighter.picked[k] = action.detail
        fighter.picking = next_pick(fight, np.int64(fighter.deed), i) + 1
        fighter.pending = fighter.picking != 0

    @compiled
    def choose(fight, i, deed):
        fighter = fight.fighters[i]
        set_choice(fighter, deed, NOBODY)
        fighter.picking = 0
        fighter.pending = False

    @compiled
    def choose_fallback(fight, i):
        choose(fight, i, FALLBACK[fight.window])

    @compiled
    def is_open(fight, i, deed):
        """Return whether a choice is legal with any target and detail."""
        fighter = fight.fighters[i]
        places = 1
        if TARGET[deed] == ENEMY:
            places = np.int64(fighter.enemy_count)
        elif TARGET[deed] == ALLY:
            places = np.int64(fighter.ally_count)
        elif TARGET[deed] == MEMBER:
            places = np.int64(fighter.ally_count) + 1
        for place in range(places):
            target = at_place(fight, i, deed, place)
            for detail in range(DETAILS[deed]):
                if is_legal(fight, i, deed, target, detail):
                    return True
        return False

    @compiled
    def has_choice(fight, i):
        for deed in range(CHOICES):
            offered = OFFERED[fight.window, deed] and deed != FALLBACK[fight.window]
            if offered and can_pay(fight, i, deed) and is_open(fight, i, deed):
                return True
        return False

    @compiled
    def put_question(fight, i, wanted):
        """Ask a fighter if `wanted`: for a choice if there are several, else for the picks that its fallback needs."""
        fighter = fight.fighters[i]
        choose(fight, i, FALLBACK[fight.window] if wanted else NOBODY)
        fighter.pending = wanted and has_choice(fight, i)
        if wanted and not fighter.pending and can_pay(fight, i, fighter.deed):
            fighter.picking = next_pick(fight, np.int64(fighter.deed), i) + 1
            fighter.pending = fighter.picking != 0
        return fighter.pending

    return Deciding(is_legal, write_mask, take, choose_fallback, put_question, pay, do)


def _fallback(choices: Sequence[Choice], window: Window) -> int:
    """Return the code of a window's one fallback, or NOBODY if it asks no fighters; otherwise raise ImportError."""
    found = [choice.code for choice in choices if choice.fallback and window.name in choice.windows]
    if len(found) != (window.who != Who.NOBODY):
        raise ImportError(f"The window {window.name!r}: expected one fallback if it asks fighters, got {len(found)}.")
    return found[0] if found else NOBODY


def asker(choices: Deciding, windows: Sequence[Window], is_able: Callable[..., Any]) -> Function:
    """Return the compiled function `ask(fight, window)`, which opens a window and returns whether the fight pauses.

    Args:
        choices: The functions for the game's choices.
        windows: All windows, by number.
        is_able: Takes a fight and a fighter; returns whether the fighter may be asked at all.
    """
    WHO = np.array([window.who for window in windows], np.int8)
    put_question = choices.put_question

    @compiled
    def ask(fight, window):
        fight.window = window
        who, asked = WHO[window], False
        for i in range(fight.n):
            wanted = who == ALL or (who == ACTING and fight.fighters[i].acting) or (who == ONE and fight.one == i)
            if put_question(fight, i, wanted and fight.ending == 0 and is_able(fight, i)):
                asked = True
        return asked

    return ask
