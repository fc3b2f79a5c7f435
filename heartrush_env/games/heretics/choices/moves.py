"""Moves; each is completed by a pick of the square."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.book import heading_of, rule
from heartrush_env.games.heretics.choices.unit import ACTS, AN_ACTION, choice
from heartrush_env.games.heretics.events import tell_move
from heartrush_env.games.heretics.rules import space
from heartrush_env.games.heretics.rules.attacks import harm_by_ground
from heartrush_env.games.heretics.rules.conditions import release, relieve, squares_a_move
from heartrush_env.games.heretics.rules.dice import has
from heartrush_env.games.heretics.rules.morale import leave_map, start_breaking
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.rule import compiled

MOVES = ("move", "late_move")
ROUND = heading_of("The round")
RETREAT = heading_of("Morale, retreat, retainers")


@compiled
def speed_left(fight, i, deed):
    """Return the squares that a fighter has for a move of this kind."""
    if deed == terms.GO_AGAIN or deed == terms.LEAVE_AGAIN:
        return squares_a_move(fight.fighters[i])
    return np.int64(fight.fighters[i].left[terms.SQUARES])


@rule("The round", "R-43")
def stands_up(fight, i, deed):
    """Return whether a move begins by standing up: any but a plain move of a prone fighter that has the speed."""
    fighter = fight.fighters[i]
    left = speed_left(fight, i, deed)
    return has(fighter, terms.PRONE) and deed != terms.GO and left > 0 and left >= np.int64(fighter.speed) // 2


@rule("The round", "R-43")
def squares_for(fight, i, deed):
    """Return how far a move of this kind goes; a prone fighter that does not stand crawls one square."""
    fighter, left = fight.fighters[i], speed_left(fight, i, deed)
    if not has(fighter, terms.PRONE):
        return left
    return left - np.int64(fighter.speed) // 2 if stands_up(fight, i, deed) else min(left, 1)


@rule("The round", "R-43")
def stand_up(fight, log, i, spends):
    """Let a prone fighter stand up, for half of the speed of a move that `spends` it."""
    fighter = fight.fighters[i]
    relieve(fight, log, i, terms.PRONE)
    if spends:
        fighter.left[terms.SQUARES] -= np.int64(fighter.speed) // 2


@space.on_map(None)
@rule("The round", "R-14", "R-43")
def make_move(fight, log, i, deed):
    """Move a fighter to the square that was picked, after standing up where the move begins so."""
    fighter = fight.fighters[i]
    squares = squares_for(fight, i, deed)
    spends = deed != terms.GO_AGAIN and deed != terms.LEAVE_AGAIN
    if stands_up(fight, i, deed):
        stand_up(fight, log, i, spends)
    taken = space.walk(fight, i, np.int64(fighter.picked[0]), squares)
    if spends:
        fighter.left[terms.SQUARES] -= taken
    if taken > 0:
        if has(fighter, terms.PRONE):
            fighter.left[terms.SQUARES] = 0
        tell_move(fight, log, i, taken)
        release(fight, log, i)
    leaves = deed == terms.LEAVE or deed == terms.LEAVE_AGAIN
    if leaves and space.is_exit(fight, np.int64(fighter.x), np.int64(fighter.y)):
        leave_map(fight, log, i)
    else:
        meet_ground(fight, log, i)


@space.on_map(None)
@compiled
def meet_ground(fight, log, i):
    """Let the ground harm a fighter at the end of its move."""
    x, y = np.int64(fight.fighters[i].x), np.int64(fight.fighters[i].y)
    harm_by_ground(fight, log, i, fight.small_hazards[y] >> x & 1 != 0, fight.fires[y] >> x & 1 != 0)


@compiled
def may_leave(fight, i, deed):
    """Return whether a fighter can leave the map with a move of this kind."""
    return squares_a_move(fight.fighters[i]) > 0 and space.reaches_exit(fight, i, squares_for(fight, i, deed))


@space.on_map(NOBODY)
@compiled
def pick_square(fight, i):
    """Return the pick of a move's square, if the move still lacks it."""
    return terms.TO if fight.fighters[i].picked[0] == NOBODY else NOBODY


@space.on_map(NOBODY)
@compiled
def pick_exit(fight, i):
    """Return the pick of the exit that a move leaves by, if the move still lacks it."""
    return terms.EXIT if fight.fighters[i].picked[0] == NOBODY else NOBODY


@space.on_map(False)
@compiled
def is_on_a_map(fight):
    """Return whether the fight is on a map."""
    return True


@choice("stay", windows=MOVES, words="stay", fallback=True)
class Stay:
    """Do not move; in the move window, the ground still harms."""

    def do(fight, log, i, target, detail):
        if fight.window == terms.MOVE:
            meet_ground(fight, log, i)


@choice("move", windows=MOVES, words="move", heading=ROUND, rulings=("R-14",), needs=space.MAP)
class Move:
    """Move up to the speed, or what is left of it."""

    def may(fight, i, target, detail):
        return squares_for(fight, i, terms.GO) > 0

    def do(fight, log, i, target, detail):
        make_move(fight, log, i, terms.GO)

    next_pick = pick_square


@choice("stand", windows=MOVES, words="stand up", heading=ROUND, rulings=("R-43",))
class Stand:
    """Stand up for half of the speed, and on a map move on."""

    def may(fight, i, target, detail):
        return stands_up(fight, i, terms.STAND)

    def do(fight, log, i, target, detail):
        if is_on_a_map(fight):
            make_move(fight, log, i, terms.STAND)
        else:
            stand_up(fight, log, i, True)

    next_pick = pick_square


@choice("break", windows=("move",), words="break and move", heading=RETREAT, rulings=("R-33",), needs=space.MAP)
class Break:
    """Declare that one breaks: from now on one may leave the map."""

    def may(fight, i, target, detail):
        return not fight.fighters[i].breaking and not has(fight.fighters[i], terms.PARALYZED)

    def do(fight, log, i, target, detail):
        start_breaking(fight, log, i)
        make_move(fight, log, i, terms.BREAK)

    next_pick = pick_square


@choice("leave", windows=MOVES, words="leave the map", heading=RETREAT, rulings=("R-33", "R-43"), needs=space.MAP)
class Leave:
    """Move to an exit and leave; in the move window, one may break for it."""

    def may(fight, i, target, detail):
        breaks = fight.fighters[i].breaking or fight.window == terms.MOVE
        return breaks and may_leave(fight, i, terms.LEAVE)

    def do(fight, log, i, target, detail):
        start_breaking(fight, log, i)
        make_move(fight, log, i, terms.LEAVE)

    next_pick = pick_exit


@choice(
    "move_again", windows=ACTS, words="move again", costs=AN_ACTION, heading=ROUND, rulings=("R-43",), needs=space.MAP
)
class MoveAgain:
    """A second move, up to the speed."""

    def may(fight, i, target, detail):
        return squares_for(fight, i, terms.GO_AGAIN) > 0 or stands_up(fight, i, terms.GO_AGAIN)

    def do(fight, log, i, target, detail):
        make_move(fight, log, i, terms.GO_AGAIN)

    next_pick = pick_square


@choice(
    "leave_again", windows=ACTS, words="move again and leave the map", costs=AN_ACTION, heading=RETREAT,
    rulings=("R-43",), needs=space.MAP,
)  # fmt: skip
class LeaveAgain:
    """A second move, to an exit, for those who have broken."""

    def may(fight, i, target, detail):
        return fight.fighters[i].breaking and may_leave(fight, i, terms.LEAVE_AGAIN)

    def do(fight, log, i, target, detail):
        make_move(fight, log, i, terms.LEAVE_AGAIN)

    next_pick = pick_exit


@choice("to", windows=(), words="to {detail}", details=space.SQUARE_NAMES, pick=True, needs=space.MAP)
class To:
    """The square at which a move ends, in steps to the east and to the south."""

    def write(fight, i, masks, start):
        space.write_squares(fight, i, squares_for(fight, i, np.int64(fight.fighters[i].deed)), False, masks, start)


@choice("exit", windows=(), words="leave at {detail}", details=space.SQUARE_NAMES, pick=True, needs=space.MAP)
class Exit:
    """The exit square at which a move ends."""

    def write(fight, i, masks, start):
        space.write_squares(fight, i, squares_for(fight, i, np.int64(fight.fighters[i].deed)), True, masks, start)
