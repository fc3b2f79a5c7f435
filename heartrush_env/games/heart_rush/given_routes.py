"""Routes given as details of dashes, stored in the fights' records for each seat's next choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from heartrush_env.games.heart_rush.engine.routes import SOUND, judge_route, read_route, refusal
from heartrush_env.games.heart_rush.rules.actions.dash import DASHES
from heartrush_env.games.heart_rush.rules.movement import STEP_X, STEP_Y
from heartrush_env.games.heart_rush.rules.paths import AROUND
from heartrush_env.games.heart_rush.rules.terms import FASTEST
from heartrush_env.games.heart_rush.state.record import ACTION, has_map
from heartrush_env.tabletop.errors import IllegalAction
from heartrush_env.tabletop.game import ActionArray
from heartrush_env.tabletop.validate import Field, is_whole, list_of, read_table

SQUARE: Final = Field(
    lambda value: isinstance(value, list | tuple) and len(value) == 2 and all(map(is_whole, value)), "[column, row]"
)
DETAILS: Final = {"route": list_of(SQUARE, "a list of squares, each as [column, row]")}
FIRST_DASH = f"dash {-FASTEST},{-FASTEST}"
Offset = tuple[int, int]  # columns to the east and rows to the south


class GivenRoutes:
    """The routes given to the fights of a batch."""

    def __init__(self, fights: Any, action_names: Sequence[str]) -> None:
        """Manage the routes of these fights."""
        self._fights = fights
        self._first_dash = action_names.index(FIRST_DASH) if FIRST_DASH in action_names else len(action_names)
        self._slots: set[int] = set()  # slots that may have a route

    def give(self, slot: int, seat: int, details: Mapping[str, Any]) -> int:
        """Store the route of the seat's fighter, and return the number of the dash that takes it."""
        fight = self._fights[slot]
        if not has_map(fight):
            raise IllegalAction("details: expected none in a fight without a map; the route of a dash needs a map.")
        i = _asked(fight, seat)
        if i is None or fight.window != ACTION:
            raise IllegalAction(
                "details: expected them in the fighter's action windows, got them when it has no declaration to make."
            )
        mover = fight.fighters[i]
        _forget(mover)
        given = read_table(details, DETAILS, "details", IllegalAction, "detail")
        squares = given.get("route", [])
        directions = read_route(fight, i, squares)
        mover.route[: len(directions)] = directions
        mover.route_length = len(directions)
        found = np.zeros(2, np.int64)
        judge_route(self._fights, slot, i, found)
        fault, place = found.tolist()
        if fault != SOUND:
            _forget(mover)
            raise refusal(fault, squares[place])
        self._slots.add(slot)
        return self._dash(_offset(mover))

    def check(self, slot: int, seat: int, action: int) -> None:
        """Refuse a dash that ends elsewhere than the seat's route."""
        if slot in self._slots:
            self._lapsing(slot, seat, action)

    def drop(self, slot: int, seat: int) -> None:
        """Forget the route of the seat's fighter."""
        fight = self._fights[slot]
        i = _asked(fight, seat)
        if i is not None and has_map(fight):
            _forget(fight.fighters[i])
            self.look(slot)

    def prepare(self, lo: int, hi: int, actions: ActionArray) -> None:
        """Drop the routes that these choices do not take; if one is refused, none is dropped."""
        lapsing = [
            self._lapsing(slot, seat, int(action))
            for slot in sorted(self._slots)
            if lo <= slot < hi
            for seat, action in enumerate(actions[slot])
        ]
        for mover in lapsing:
            if mover is not None:
                _forget(mover)

    def tidy(self, lo: int, hi: int) -> None:
        """Clear the routes of fighters that choose again; fighters still on their way keep their routes."""
        for slot in [slot for slot in sorted(self._slots) if lo <= slot < hi]:
            fighters = self._fights[slot].fighters
            fighters["route_length"][fighters["pending"]] = 0
            fighters["route"][fighters["route_length"] == 0] = 0
            self.look(slot)

    def look(self, slot: int) -> None:
        """Note whether any fighter in a slot's fight has a route."""
        fight = self._fights[slot]
        if has_map(fight) and fight.fighters["route_length"].any():
            self._slots.add(slot)
        else:
            self._slots.discard(slot)

    def __bool__(self) -> bool:
        """Return whether there are any routes."""
        return bool(self._slots)

    def _dash(self, offset: Offset) -> int:
        return self._first_dash + (offset[1] + FASTEST) * AROUND + offset[0] + FASTEST

    def _lapsing(self, slot: int, seat: int, action: int) -> Any:
        """Return the seat's fighter if this choice drops its route, else None; refuse a dash to another square."""
        fight = self._fights[slot]
        i = _asked(fight, seat)
        if i is None or not fight.fighters[i].route_length:
            return None
        mover = fight.fighters[i]
        end, number = _offset(mover), action - self._first_dash
        if action == self._dash(end):
            return None
        if 0 <= number < DASHES:
            goal = number % AROUND - FASTEST, number // AROUND - FASTEST
            raise IllegalAction(
                f"route: it ends at {_named(mover, end)}, but the chosen dash ends at {_named(mover, goal)}."
            )
        return mover


def _asked(fight: Any, seat: int) -> int | None:
    """Return the fighter for which the seat chooses now, as in kernel.decider; None if it has no choice."""
    own = [i for i in range(fight.n) if fight.fighters[i].team == seat] if fight.team_control else [seat]
    return next((i for i in own if fight.fighters[i].pending), None)


def _forget(mover: Any) -> None:
    """Clear a fighter's route."""
    mover.route_length = 0
    mover.route[:] = 0


def _offset(mover: Any) -> Offset:
    """Return the end of a fighter's route, relative to the fighter."""
    steps = mover.route[: int(mover.route_length)]
    return int(STEP_X[steps].sum()), int(STEP_Y[steps].sum())


def _named(mover: Any, offset: Offset) -> str:
    return f"row {mover.y + offset[1]}, column {mover.x + offset[0]} (counted from 0)"
