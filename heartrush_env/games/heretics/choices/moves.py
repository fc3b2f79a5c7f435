"""Moves; each is completed by a pick of the square."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heretics.book import heading_of, rule
from heartrush_env.games.heretics.choices.unit import ACTS, AN_ACTION, choice
from heartrush_env.games.heretics.events import tell_move
from heartrush_env.games.heretics.rules.attacks import harm_by_ground
from heartrush_env.games.heretics.rules.conditions import release, relieve, squares_a_move
from heartrush_env.games.heretics.rules.dice import has
from heartrush_env.games.heretics.rules.morale import leave_map, start_breaking
from heartrush_env.games.heretics.rules.space import (
    MAP,
    SQUARE_NAMES,
    is_exit,
    on_map,
    reaches_exit,
    walk,
    write_squares,
)
from heartrush_env.games.heretics.terms import (
    BREAK,
    EXIT,
    GO,
    GO_AGAIN,
    LEAVE,
    LEAVE_AGAIN,
    MOVE,
    PARALYZED,
    PRONE,
    SQUARES,
    STAND,
    TO,
)
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.rule import compiled

MOVES = ("move", "late_move")
ROUND = heading_of("The round")
RETREAT = heading_of("Morale, retreat, retainers")


@compiled
def speed_left(fight, i, deed):
    """Return the squares that a fighter has for a move of this kind."""
    if deed == GO_AGAIN or deed == LEAVE_AGAIN:
        return squares_a_move(fight.fighters[i])
    return np.int64(fight.fighters[i].left[SQUARES])


@rule("The round", "R-43")
def stands_up(fight, i, deed):
    """Return whether a move begins by standing up: any but a plain move of a prone fighter that has the speed."""
    fighter = fight.fighters[i]
    left = speed_left(fight, i, deed)
    return has(fighter, PRONE) and deed != GO and left > 0 and left >= np.int64(fighter.speed) // 2


@rule("The round", "R-43")
def squares_for(fight, i, deed):
    """Return how far a move of this kind goes; a prone fighter that does not stand crawls one square."""
    fighter, left = fight.fighters[i], speed_left(fight, i, deed)
    if not has(fighter, PRONE):
        return left
    return left - np.int64(fighter.speed) // 2 if stands_up(fight, i, deed) else min(left, 1)


@rule("The round", "R-43")
def stand_up(fight, log, i, spends):
    """Let a prone fighter stand up, for half of the speed of a move that `spends` it."""
    fighter = fight.fighters[i]
    relieve(fight, log, i, PRONE)
    if spends:
        fighter.left[SQUARES] -= np.int64(fighter.speed) // 2


@on_map(None)
@rule("The round", "R-14", "R-43")
def make_move(fight, log, i, deed):
    """Move a fighter to the square that was picked, after standing up where the move begins so."""
    fighter = fight.fighters[i]
    squares = squares_for(fight, i, deed)
    spends = deed != GO_AGAIN and deed != LEAVE_AGAIN
    if stands_up(fight, i, deed):
        stand_up(fight, log, i, spends)
    taken = walk(fight, i, np.int64(fighter.picked[0]), squares)
    if spends:
        fighter.left[SQUARES] -= taken
    if taken > 0:
        if has(fighter, PRONE):
            fighter.left[SQUARES] = 0
        tell_move(fight, log, i, taken)
        release(fight, log, i)
    leaves = deed == LEAVE or deed == LEAVE_AGAIN
    if leaves and is_exit(fight, np.int64(fighter.x), np.int64(fighter.y)):
        leave_map(fight, log, i)
    else:
        meet_ground(fight, log, i)


@on_map(None)
@compiled
def meet_ground(fight, log, i):
    """Let the ground harm a fighter at the end of its move."""
    x, y = np.int64(fight.fighters[i].x), np.int64(fight.fighters[i].y)
    harm_by_ground(fight, log, i, fight.small_hazards[y] >> x & 1 != 0, fight.fires[y] >> x & 1 != 0)


@on_map(NOBODY)
@compiled
def pick_square(fight, i, pick):
    """Return the pick of a move's square, if the move still lacks it."""
    return pick if fight.fighters[i].picked[0] == NOBODY else NOBODY


@on_map(False)
@compiled
def is_on_a_map(fight):
    """Return whether the fight is on a map."""
    return True


@choice("stay", windows=MOVES, words="stay", fallback=True)
class Stay:
    """Do not move; in the move window, the ground still harms."""

    def do(fight, log, i, target, detail):
        if fight.window == MOVE:
            meet_ground(fight, log, i)


@choice("move", windows=MOVES, words="move", heading=ROUND, rulings=("R-14",), needs=MAP)
class Move:
    """Move up to the speed, or what is left of it."""

    def may(fight, i, target, detail):
        return squares_for(fight, i, GO) > 0

    def do(fight, log, i, target, detail):
        make_move(fight, log, i, GO)

    def next_pick(fight, i):
        return pick_square(fight, i, TO)


@choice("stand", windows=MOVES, words="stand up", heading=ROUND, rulings=("R-43",))
class Stand:
    """Stand up for half of the speed, and on a map move on."""

    def may(fight, i, target, detail):
        return stands_up(fight, i, STAND)

    def do(fight, log, i, target, detail):
        if is_on_a_map(fight):
            make_move(fight, log, i, STAND)
        else:
            stand_up(fight, log, i, True)

    def next_pick(fight, i):
        return pick_square(fight, i, TO)


@choice("break", windows=("move",), words="break and move", heading=RETREAT, rulings=("R-33",), needs=MAP)
class Break:
    """Declare that one breaks: from now on one may leave the map."""

    def may(fight, i, target, detail):
        return not fight.fighters[i].breaking and not has(fight.fighters[i], PARALYZED)

    def do(fight, log, i, target, detail):
        start_breaking(fight, log, i)
        make_move(fight, log, i, BREAK)

    def next_pick(fight, i):
        return pick_square(fight, i, TO)


@choice("leave", windows=MOVES, words="leave the map", heading=RETREAT, rulings=("R-33", "R-43"), needs=MAP)
class Leave:
    """Move to an exit and leave; in the move window, one may break for it."""

    def may(fight, i, target, detail):
        breaks = fight.fighters[i].breaking or fight.window == MOVE
        moves = squares_a_move(fight.fighters[i]) > 0
        return breaks and moves and reaches_exit(fight, i, squares_for(fight, i, LEAVE))

    def do(fight, log, i, target, detail):
        start_breaking(fight, log, i)
        make_move(fight, log, i, LEAVE)

    def next_pick(fight, i):
        return pick_square(fight, i, EXIT)


@choice("move_again", windows=ACTS, words="move again", costs=AN_ACTION, heading=ROUND, rulings=("R-43",), needs=MAP)
class MoveAgain:
    """A second move, up to the speed."""

    def may(fight, i, target, detail):
        return squares_for(fight, i, GO_AGAIN) > 0 or stands_up(fight, i, GO_AGAIN)

    def do(fight, log, i, target, detail):
        make_move(fight, log, i, GO_AGAIN)

    def next_pick(fight, i):
        return pick_square(fight, i, TO)


@choice(
    "leave_again", windows=ACTS, words="move again and leave the map", costs=AN_ACTION, heading=RETREAT,
    rulings=("R-43",), needs=MAP,
)  # fmt: skip
class LeaveAgain:
    """A second move, to an exit, for those who have broken."""

    def may(fight, i, target, detail):
        moves = squares_a_move(fight.fighters[i]) > 0
        return fight.fighters[i].breaking and moves and reaches_exit(fight, i, squares_for(fight, i, LEAVE_AGAIN))

    def do(fight, log, i, target, detail):
        make_move(fight, log, i, LEAVE_AGAIN)

    def next_pick(fight, i):
        return pick_square(fight, i, EXIT)


@choice("to", windows=(), words="to {detail}", details=SQUARE_NAMES, pick=True, needs=MAP)
class To:
    """The square at which a move ends, in steps to the east and to the south."""

    def write(fight, i, masks, start):
        write_squares(fight, i, squares_for(fight, i, np.int64(fight.fighters[i].deed)), False, masks, start)


@choice("exit", windows=(), words="leave at {detail}", details=SQUARE_NAMES, pick=True, needs=MAP)
class Exit:
    """The exit square at which a move ends."""

    def write(fight, i, masks, start):
        write_squares(fight, i, squares_for(fight, i, np.int64(fight.fighters[i].deed)), True, masks, start)
