"""Moves, completed on a map by the pick of a square, and attacks of opportunists on those who leave their reach."""

from typing import Any

import numpy as np

from heartrush_env.games.heretics import events, terms
from heartrush_env.games.heretics.book import action, choice, rule
from heartrush_env.games.heretics.rules import conditions, hazards, morale, space
from heartrush_env.games.heretics.rules.fighters import decides, holds_missile_weapon, is_able
from heartrush_env.games.heretics.rules.items import HEADING as DEEDS
from heartrush_env.games.heretics.rules.morale import HEADING as RETREAT
from heartrush_env.games.heretics.rules.the_round import HEADING
from heartrush_env.games.heretics.terms import BREAK, GO, GO_AGAIN, LEAVE, LEAVE_AGAIN, SQUARES
from heartrush_env.tabletop.choosing import NOBODY, Target
from heartrush_env.tabletop.grids import journeys, places
from heartrush_env.tabletop.grids.squares import WIDTH, new_distances
from heartrush_env.tabletop.rule import compiled

MOVES = ("move", "late_move")
PICKS = places.square_picks(terms.MOST_SQUARES)
square_of, write_ends = PICKS.square_of, PICKS.write_ends
OFF_MAP = -WIDTH  # in place of the column to which a fighter goes that leaves the map


@compiled
def is_extra_move(deed):
    """Return whether a move is made as an action ("move again"), which does not spend the phase's speed."""
    return deed == GO_AGAIN or deed == LEAVE_AGAIN


@compiled
def leaves(deed):
    """Return whether a move is made to leave the map."""
    return deed == LEAVE or deed == LEAVE_AGAIN


@rule(HEADING, "R-43")
def cost_of_standing(fighter):
    """Return the squares that standing up costs: half of a move under the fighter's conditions."""
    return conditions.squares_a_move(fighter) // 2


@rule(HEADING, "R-43")
def stands_up(fight, i, deed):
    """Return whether a prone fighter stands up as its move begins: in any but a plain move, if its speed allows it."""
    fighter = fight.fighters[i]
    left = conditions.squares_a_move(fighter) if is_extra_move(deed) else np.int64(fighter.left[SQUARES])
    return conditions.has(fighter, terms.PRONE) and deed != GO and left > 0 and left >= cost_of_standing(fighter)


@rule(HEADING, "R-43")
def squares_for(fight, i, deed):
    """Return how many squares a move of this kind can cover; a prone fighter that does not stand up crawls one."""
    fighter = fight.fighters[i]
    left = conditions.squares_a_move(fighter) if is_extra_move(deed) else np.int64(fighter.left[SQUARES])
    if stands_up(fight, i, deed):
        return left - cost_of_standing(fighter)
    return min(left, 1) if conditions.has(fighter, terms.PRONE) else left


@rule(HEADING, "R-33", "R-43")
def begin_move(fight, log, i, deed):
    """Begin a move: break or stand up if the move includes it, then on a map set out for the picked square."""
    fighter = fight.fighters[i]
    squares = squares_for(fight, i, deed)
    if (deed == BREAK or leaves(deed)) and not fighter.breaking:
        break_away(fight, log, i)
    if stands_up(fight, i, deed):
        conditions.relieve(fight, log, i, terms.PRONE)
        if not is_extra_move(deed):
            fighter.left[SQUARES] -= cost_of_standing(fighter)
    set_out(fight, i, squares)


@rule(RETREAT, "R-33")
def break_away(fight, log, i):
    """Let a fighter break: from now on it may leave the map, and its retainers save; the routed just run on."""
    fight.fighters[i].breaking = True
    conditions.end_concentration(fight, log, i)
    if not fight.fighters[i].routed:
        events.tell_flight(fight, log, i)
        for j in range(fight.n):
            if fight.fighters[j].commander == i:
                morale.save_retainer(fight, log, j, 0)


@places.on_map(None)
@compiled
def set_out(fight, i, squares):
    """Begin a journey of at most `squares` steps to the square that was picked or, without a pick, set before."""
    line, x, y = np.int64(fight.fighters[i].picked[0]), np.int64(fight.to_x), np.int64(fight.to_y)
    if line != NOBODY:
        x, y = square_of(fight, i, line)
    journeys.set_out(fight, i, x, y, squares)
    fight.warned = False


@rule(DEEDS, "R-17")
def can_strike(fight, i, mover):
    """Return whether an opportunist has its reaction, and the mover, an enemy, in its melee range and in sight."""
    fighter = fight.fighters[i]
    ready = fighter.opportunist and decides(fight, i) and fighter.left[terms.REACTION] > 0
    if not ready or conditions.cannot_react(fighter) or conditions.has(fighter, terms.CHARMED):
        return False
    x, y = places.column_of(fight, mover), places.row_of(fight, mover)
    near = places.sees_square(fight, i, x, y, space.melee_squares(fight, i))
    return fight.fighters[mover].team != fighter.team and is_able(fight, mover) and near


@compiled
def is_beyond(fight, i, x, y):
    """Return whether a square is outside fighter i's melee range, which walls do not shorten."""
    far = max(abs(places.column_of(fight, i) - x), abs(places.row_of(fight, i) - y))
    return far > space.melee_squares(fight, i)


@rule(DEEDS, "R-17")
def is_watched(fight, mover, x, y):
    """Note which opportunists can strike before the mover goes to a square; return whether there are any."""
    found = False
    for i in range(fight.n):
        watches = can_strike(fight, i, mover) and is_beyond(fight, i, x, y)
        fight.fighters[i].watches = watches
        found = found or watches
    return found


@compiled
def warns(fight, i, x, y):
    """Return whether opportunists watch the step to a square and have not been asked about it yet."""
    fight.warned = not fight.warned and is_watched(fight, i, x, y)
    if fight.warned:
        places.look_around(fight, i)  # for those that may strike
    return fight.warned


@places.on_map(False)
@rule("Space", "R-15", "R-38", "R-17")
def goes_on(fight, i):
    """Move fighter i to the end of its journey or to a step that opportunists watch; return whether it is watched.

    Of the shortest paths, fighter i takes the one whose directions come first, clockwise from the north.
    """
    if not is_able(fight, i) or conditions.squares_a_move(fight.fighters[i]) == 0:
        return False
    distances = new_distances()
    journeys.find_ways(fight, i, distances)
    while journeys.has_steps(fight, i, distances):
        x, y = journeys.next_square(fight, i, distances)
        if warns(fight, i, x, y):
            return True
        journeys.take_step(fight, i, x, y)
    journeys.stop(fight, i)
    if not stands_at_exit(fight, i):
        return False
    places.look_around(fight, i)  # for those that may pursue
    return warns(fight, i, OFF_MAP, places.row_of(fight, i))


@places.on_map(False)
@rule(RETREAT, "R-33")
def stands_at_exit(fight, i):
    """Return whether a fighter that leaves the map has ended its move on an exit square."""
    x, y = places.column_of(fight, i), places.row_of(fight, i)
    fighter = fight.fighters[i]
    arrives = is_able(fight, i) and leaves(fighter.deed) and fighter.breaking and conditions.squares_a_move(fighter) > 0
    return arrives and places.is_exit(fight, x, y) and fight.free_x == x and fight.free_y == y


@places.on_map(None)
@rule(HEADING, "R-14", "R-15", "R-43")
def end_move(fight, log, i):
    """End a move on the last free square of its path, or off the map."""
    fighter, taken = fight.fighters[i], np.int64(fight.taken)
    journeys.stop(fight, i)
    places.look_around(fight, i)
    if not is_extra_move(fighter.deed):
        fighter.left[SQUARES] = max(0, np.int64(fighter.left[SQUARES]) - taken)  # none if paralyzed on the way
    if taken > 0:
        if conditions.has(fighter, terms.PRONE):
            fighter.left[SQUARES] = 0
        events.tell_move(fight, log, i, taken)
        conditions.release(fight, log, i)
    if stands_at_exit(fight, i):
        morale.leave_map(fight, log, i)
    elif is_able(fight, i):
        hazards.meet_ground(fight, log, i)


@rule(HEADING, "R-15", "R-33", "R-43")
def may_move(fight, i, deed):
    """Return whether a fighter can make a move of this kind; only a fighter that breaks may leave the map.

    It goes to an exit that it has declared even if the exit is taken now.
    """
    fighter = fight.fighters[i]
    if deed == BREAK:
        return not fighter.breaking and not conditions.has(fighter, terms.PARALYZED)
    if leaves(deed):
        breaks = fighter.breaking or fighter.routed or (deed == LEAVE and fight.window == terms.MOVE)
        if not breaks or conditions.squares_a_move(fighter) == 0:
            return False
        has_declared = deed == LEAVE and fighter.picked[0] != NOBODY
        return has_declared or places.reaches_exit(fight, i, squares_for(fight, i, deed))
    return (deed != terms.STAND and squares_for(fight, i, deed) > 0) or stands_up(fight, i, deed)


@places.on_map(NOBODY)
@compiled
def pick_square(fight, i):
    """Return the pick that a move still needs, a square or an exit; NOBODY if it has been made."""
    fighter = fight.fighters[i]
    if fighter.picked[0] != NOBODY:
        return NOBODY
    return terms.EXIT if leaves(fighter.deed) else terms.TO


@choice("stay", windows=MOVES, words="stay", fallback=True)
class Stay:
    """Do not move; in the move window, a hazard in the fighter's square still harms it."""

    def do(fight, log, i, target, detail):
        if fight.window == terms.MOVE:
            hazards.meet_ground(fight, log, i)


def add_move(deed: int, words: str, heading: str, put: Any = choice, **columns: Any) -> None:
    """Put a kind of move on the shelf, by the decorator `put`."""

    @put(terms.CHOICES[deed], words=words, heading=heading, **columns)
    class Move:
        """Move to the square that is picked."""

        def may(fight, i, target, detail):
            return may_move(fight, i, deed)

        def do(fight, log, i, target, detail):
            begin_move(fight, log, i, deed)

        next_pick = pick_square


add_move(GO, "move", HEADING, windows=MOVES, needs=places.MAP)
add_move(terms.STAND, "stand up", HEADING, windows=MOVES)  # on a map, the fighter may then move on
add_move(BREAK, "break and move", RETREAT, windows=("move",), needs=places.MAP)
add_move(LEAVE, "leave the map", RETREAT, windows=MOVES, needs=places.MAP)
add_move(GO_AGAIN, "move again", HEADING, action, needs=places.MAP)
add_move(LEAVE_AGAIN, "move again and leave the map", RETREAT, action, needs=places.MAP)


def add_pick(name: str, words: str, exits_only: bool) -> None:
    """Put the pick of a square on the shelf."""

    @choice(name, windows=(), words=words, details=PICKS.names, steps=PICKS.steps, pick=True, needs=places.MAP)
    class Square:
        """The square at which a move ends, in steps to the east and to the south."""

        def write(fight, i, masks, start):
            squares = squares_for(fight, i, np.int64(fight.fighters[i].deed))
            write_ends(fight, i, squares, exits_only, masks, start)


add_pick("to", "to {detail}", False)
add_pick("exit", "leave at {detail}", True)


@choice(
    "strike", windows=("strike",), words="strike at {target}", target=Target.ENEMY, costs={"reaction": 1},
    heading=DEEDS, rulings=("R-17",), needs=places.MAP,
)  # fmt: skip
class Strike:
    """Attack an enemy that is about to leave the fighter's melee range, as a reaction; fists serve a shooter."""

    def may(fight, i, target, detail):
        return fight.fighters[i].watches and target == fight.mover and can_strike(fight, i, target)

    def do(fight, log, i, target, detail):
        fighter = fight.fighters[i]
        events.tell_strike(fight, log, i, target)
        fighter.deed = terms.UNARMED if holds_missile_weapon(fighter) else terms.ATTACK
        fighter.picked[0] = np.int64(NOBODY)
