"""Movement that abilities force upon fighters: pulls, blows that knock away, trades of places (R-239, R-240, R-242)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .aftermath import Aftermath
from .board import DIRECTIONS, STEPS, Space, distance
from .dice import half
from .moments import Damage
from .moving import Ground, drag, end_what_is_too_far, leave_bearer, put, rides
from .pushing import bodies_in_the_way, push_direction
from .rolls import roll_check
from .sheet import Fighter

if TYPE_CHECKING:
    from .fight import Fight


class ForcedMovement:
    """The part of `Fight` with the movement that abilities force."""

    def pull(self: Fight, puller: Fighter, target: Fighter, feet: int) -> None:
        """Pull the target, square by square, until it is next to the puller, is stopped, or falls (R-240)."""
        table, board = self.table, self.table.board
        if board is None or target.part_of is not None:
            return
        squares = feet // 5
        for owned in target.abilities:
            squares = owned.pushed(squares)
        squares = min(squares, table.distance(puller, target) - 1)
        way: list[Space] = [target.space]
        aftermath, stopped, blocker = Aftermath(self), False, None
        in_drop = board.wholly_on_drops(target.space)
        while len(way) <= squares and table.distance(puller, target) > 1:
            here, step = target.space, push_direction(target.space, puller.space)
            there = here.moved(*step)
            wall = not board.fits(there) or not board.passes_corner(here, *step)
            wall = wall or (in_drop and not board.wholly_on_drops(there))
            bodies = [] if wall else bodies_in_the_way(table, target, there)
            if wall or bodies:
                stopped, blocker = True, bodies[0] if bodies else None
                break
            put(table, target, there.place)
            way.append(there)
            if not in_drop and board.wholly_on_drops(there):
                target.falling = True
                break
        if len(way) > 1:
            leave_bearer(table, target)
            drag(table, target, way[-2].place)
            end_what_is_too_far(table)
        if stopped:
            aftermath.collide(puller, target, squares - len(way) + 1, blocker)
        if target.falling:
            target.falling = False
            aftermath.fall(puller, target)
        self._strike_all(puller, aftermath)

    def knock_away(self: Fight, pusher: Fighter, target: Fighter, squares: int) -> None:
        """Push the target this many squares away, whatever the sizes (R-242)."""
        aftermath = Aftermath(self)
        aftermath.knock(pusher, target, squares, by_might=False)
        self._strike_all(pusher, aftermath)

    def _strike_all(self: Fight, striker: Fighter, aftermath: Aftermath) -> None:
        for agent, damages in aftermath.hits.items():
            for damage in damages:
                self.strike(self.table[agent], Damage(damage.amount, striker, "collision"))

    def seize(self: Fight, holder: Fighter, target: Fighter) -> None:
        """Let the holder take hold of the target if both stand side by side and no hold is in the way (R-241)."""
        table = self.table
        free = holder.grappling is None and table.grappler_of(target) is None
        shuns = any(owned.cannot_be_held for owned in target.abilities)
        if holder.standing and target.standing and free and not shuns and table.next_to(holder, target):
            holder.grappling = target.agent

    def wins_grapple(self: Fight, fighter: Fighter, target: Fighter, more: int) -> bool:
        """Roll a grapple check outside the phases, with further levels; the fighter rolls first (R-244)."""
        table, larger = self.table, self.table.sides_to(fighter, target)
        levels = max(0, -larger) + table.in_contest(fighter, target, "grapple", tries=True) + more
        own = roll_check(table, fighter, "might", target, also=levels)
        if fighter.free_hands == 1:
            own = half(own)
        levels = max(0, larger) + table.in_contest(target, fighter, "grapple", tries=False)
        return own > roll_check(table, target, "might or agility", fighter, also=levels)

    def ways_beside(self: Fight, holder: Fighter, held: Fighter) -> list[str]:
        """Return the directions in which a captive can be moved by a square, next to its holder (R-244)."""
        table, board = self.table, self.table.board
        tied = held.climbing is not None or held.part_of is not None or rides(table, holder, held)
        if board is None or tied:
            return []
        ground = Ground(table, held)
        return [
            f"sidestep {name}"
            for name, step in zip(DIRECTIONS, STEPS, strict=True)
            if ground.is_stoppable(held.space.moved(*step))
            and board.passes_corner(held.space, *step)
            and distance(held.space.moved(*step), holder.space) <= 1
        ]

    def move_captive(self: Fight, held: Fighter, name: str) -> None:
        """Move a captive by a square, together with what it holds."""
        left = held.space
        put(self.table, held, left.moved(*STEPS[DIRECTIONS.index(name.split()[1])]).place)
        drag(self.table, held, left.place)
        end_what_is_too_far(self.table)

    def may_trade_places(self: Fight, one: Fighter, other: Fighter) -> bool:
        """Return whether two fighters fit into each other's places, and no hold or ride ties them (R-239)."""
        if any(self.table.hold_partners(each) or each.climbing or each.part_of for each in (one, other)):
            return False
        there, back = Space(*other.space.place, one.side), Space(*one.space.place, other.side)
        return not there.overlaps(back) and self._fits(one, there, other) and self._fits(other, back, one)

    def _fits(self: Fight, fighter: Fighter, space: Space, other: Fighter) -> bool:
        bodies = [
            one
            for one in self.fighters
            if one is not fighter and one is not other and one.standing and one.bulky and one.climbing is None
        ]
        taken = fighter.bulky and any(one.space.overlaps(space) for one in bodies)
        return Ground(self.table, fighter).can_be_in(space) and not taken

    def trade_places(self: Fight, one: Fighter, other: Fighter) -> None:
        """Put two fighters in each other's places."""
        mine, its = one.space.place, other.space.place
        put(self.table, one, its)
        put(self.table, other, mine)
