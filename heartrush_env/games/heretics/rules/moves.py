"""Moves; on a map, the pick of a square completes a move."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.book import ACTS, AN_ACTION, choice, rule
from heartrush_env.games.heretics.events import tell_flight, tell_leave, tell_move
from heartrush_env.games.heretics.rules import space
from heartrush_env.games.heretics.rules.conditions import has, release, relieve, squares_a_move
from heartrush_env.games.heretics.rules.fighters import harm
from heartrush_env.games.heretics.rules.morale import HEADING as RETREAT
from heartrush_env.games.heretics.rules.the_round import HEADING
from heartrush_env.games.heretics.terms import BREAK, GO, GO_AGAIN, LEAVE, LEAVE_AGAIN, SQUARES
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.rng import roll_die
from heartrush_env.tabletop.rule import compiled

MOVES = ("move", "late_move")
LIGHT_DIE, FIRE_DIE = 4, 6  # damage dice of hazards: small things, and fire


@compiled
def is_extra_move(deed):
    """Return whether a move is made as an action ("move again"), which does not spend the phase's speed."""
    return deed == GO_AGAIN or deed == LEAVE_AGAIN


@rule(HEADING, "R-43")
def cost_of_standing(fighter):
    """Return the squares that standing up costs: half of a move under the fighter's conditions."""
    return squares_a_move(fighter) // 2


@rule(HEADING, "R-43")
def stands_up(fight, i, deed):
    """Return whether a prone fighter stands up as its move begins: in any but a plain move, if its speed allows it."""
    fighter = fight.fighters[i]
    left = squares_a_move(fighter) if is_extra_move(deed) else np.int64(fighter.left[SQUARES])
    return has(fighter, terms.PRONE) and deed != GO and left > 0 and left >= cost_of_standing(fighter)


@rule(HEADING, "R-43")
def squares_for(fight, i, deed):
    """Return how many squares a move of this kind can cover; a prone fighter that does not stand up crawls one."""
    fighter = fight.fighters[i]
    left = squares_a_move(fighter) if is_extra_move(deed) else np.int64(fighter.left[SQUARES])
    if not has(fighter, terms.PRONE):
        return left
    return left - cost_of_standing(fighter) if stands_up(fight, i, deed) else min(left, 1)


@rule(HEADING, "R-14", "R-33", "R-43")
def make_move(fight, log, i, deed):
    """Carry out a move: first break or stand up if the move includes it, then on a map go to the picked square."""
    fighter = fight.fighters[i]
    spends, leaves = not is_extra_move(deed), deed == LEAVE or deed == LEAVE_AGAIN
    squares = squares_for(fight, i, deed)
    if (deed == BREAK or deed == LEAVE) and not fighter.breaking:
        fighter.breaking = True
        tell_flight(fight, log, i)
    if stands_up(fight, i, deed):
        relieve(fight, log, i, terms.PRONE)
        if spends:
            fighter.left[SQUARES] -= cost_of_standing(fighter)
    taken = space.walk(fight, i, np.int64(fighter.picked[0]), squares)
    if spends:
        fighter.left[SQUARES] -= taken
    if taken > 0:
        if has(fighter, terms.PRONE):
            fighter.left[SQUARES] = 0
        tell_move(fight, log, i, taken)
        release(fight, log, i)
    if leaves and space.is_exit(fight, space.column_of(fight, i), space.row_of(fight, i)):
        fighter.status = terms.GONE
        fight.left_map[fighter.team] += 1
        tell_leave(fight, log, i)
        release(fight, log, i)
    else:
        meet_ground(fight, log, i)


@space.on_map(None)
@rule("Attacks", "R-25")
def meet_ground(fight, log, i):
    """Let a hazard harm a fighter that ends its move in it: one die, without an attack roll."""
    x, y = space.column_of(fight, i), space.row_of(fight, i)
    if fight.small_hazards[y] >> x & 1 != 0:
        harm(fight, log, i, roll_die(fight, LIGHT_DIE))
    elif fight.fires[y] >> x & 1 != 0:
        harm(fight, log, i, roll_die(fight, FIRE_DIE))


@rule(HEADING, "R-33", "R-43")
def may_move(fight, i, deed):
    """Return whether a fighter can make a move of this kind; only a fighter that breaks may leave the map."""
    fighter = fight.fighters[i]
    if deed == BREAK:
        return not fighter.breaking and not has(fighter, terms.PARALYZED)
    if deed == LEAVE or deed == LEAVE_AGAIN:
        breaks = fighter.breaking or (deed == LEAVE and fight.window == terms.MOVE)
        return breaks and squares_a_move(fighter) > 0 and space.reaches_exit(fight, i, squares_for(fight, i, deed))
    return (deed != terms.STAND and squares_for(fight, i, deed) > 0) or stands_up(fight, i, deed)


@space.on_map(NOBODY)
@compiled
def pick_square(fight, i):
    """Return the pick that a move still needs, a square or an exit; NOBODY if it has been made."""
    fighter = fight.fighters[i]
    if fighter.picked[0] != NOBODY:
        return NOBODY
    return terms.EXIT if fighter.deed == LEAVE or fighter.deed == LEAVE_AGAIN else terms.TO


@choice("stay", windows=MOVES, words="stay", fallback=True)
class Stay:
    """Do not move; in the move window, a hazard in the fighter's square still harms it."""

    def do(fight, log, i, target, detail):
        if fight.window == terms.MOVE:
            meet_ground(fight, log, i)


def add_move(deed: int, words: str, heading: str, **columns: Any) -> None:
    """Put a kind of move on the shelf."""

    @choice(terms.CHOICES[deed], words=words, heading=heading, **columns)
    class Move:
        """Move to the square that is picked."""

        def may(fight, i, target, detail):
            return may_move(fight, i, deed)

        def do(fight, log, i, target, detail):
            make_move(fight, log, i, deed)

        next_pick = pick_square


add_move(GO, "move", HEADING, windows=MOVES, needs=space.MAP)
add_move(terms.STAND, "stand up", HEADING, windows=MOVES)  # on a map, the fighter may then move on
add_move(BREAK, "break and move", RETREAT, windows=("move",), needs=space.MAP)
add_move(LEAVE, "leave the map", RETREAT, windows=MOVES, needs=space.MAP)
add_move(GO_AGAIN, "move again", HEADING, windows=ACTS, costs=AN_ACTION, needs=space.MAP)
add_move(LEAVE_AGAIN, "move again and leave the map", RETREAT, windows=ACTS, costs=AN_ACTION, needs=space.MAP)


def add_pick(name: str, words: str, exits_only: bool) -> None:
    """Put the pick of a square on the shelf."""

    @choice(name, windows=(), words=words, details=space.SQUARE_NAMES, steps=space.STEPS, pick=True, needs=space.MAP)
    class Square:
        """The square at which a move ends, in steps to the east and to the south."""

        def write(fight, i, masks, start):
            squares = squares_for(fight, i, np.int64(fight.fighters[i].deed))
            space.write_squares(fight, i, squares, exits_only, masks, start)


add_pick("to", "to {detail}", False)
add_pick("exit", "leave at {detail}", True)
