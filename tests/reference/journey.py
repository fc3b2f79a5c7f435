"""A dash, step by step, with its openings and the fighters that trip the mover (RULES, "Opportunity attacks")."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, Any

from .board import Space, distance
from .choices import leaving_choices
from .moving import Ground, drag, end_what_is_too_far, put, rides
from .sheet import Fighter
from .table import Table
from .treading import tread
from .tripping import let_trip

if TYPE_CHECKING:
    from .fight import Fight

Windows = Generator[None, Mapping[str, str], Any]


def dash(fight: Fight, mover: Fighter, way: list[Space]) -> Windows:
    """Move along the path until something stops the mover, then back, if need be, to where it may stay (R-74)."""
    journey = _Journey(fight, mover)
    for goal in way:
        yield from journey.let_others_strike(goal)
        if mover.space != journey.been[-1]:  # it has been knocked away
            return
        if not journey.may_go_on():
            break
        journey.step(goal)
        yield from journey.let_others_trip()
        if journey.tripped or journey.has_fallen():
            break
    journey.go_back_to_where_it_may_stay()


class _Journey:
    """The state of one dash."""

    def __init__(self, fight: Fight, mover: Fighter) -> None:
        self.fight = fight
        self.table: Table = fight.table
        self.mover = mover
        self.crawling = "prone" in mover.conditions
        self.tripped = False
        self.has_saved = False
        """Whether shaking ground has made it save in this dash."""
        self.been = [mover.space]
        self.have_struck: set[str] = set()
        self.asked_to_trip: set[str] = set()
        self.gone_on_within: set[str] = set()

    def let_others_strike(self, goal: Space) -> Windows:
        """Let enemies answer the openings of the next step."""
        options = {}
        for enemy in self.table.enemies(self.mover):
            too_far = self._goes_too_far_within(enemy, goal)
            leaves = distance(enemy.space, goal) > self.table.threat_reach(enemy)
            if any(owned.slips_away(self.mover, leaves) for owned in self.table.abilities):
                continue
            if enemy.agent not in self.have_struck:
                options[enemy.agent] = leaving_choices(self.table, enemy, self.mover, goal, too_far)
        leaving = {
            enemy.agent
            for enemy in self.table.enemies(self.mover)
            if distance(enemy.space, goal) > self.table.threat_reach(enemy)
        }
        strikers = yield from self.fight.let_strike(self.mover, options, leaving)
        self.have_struck |= strikers

    def _goes_too_far_within(self, enemy: Fighter, goal: Space) -> bool:
        """Return whether over five feet of the round's dashes are in the enemy's reach; a dash asks it once (R-67)."""
        reach = self.table.threat_reach(enemy)
        inside = distance(enemy.space, self.mover.space) <= reach and distance(enemy.space, goal) <= reach
        if reach == 0 or not inside or rides(self.table, enemy, self.mover):
            return False
        if enemy.agent not in self.mover.dashed_within:
            self.mover.dashed_within.add(enemy.agent)
            return False
        first = enemy.agent not in self.gone_on_within
        self.gone_on_within.add(enemy.agent)
        return first

    def has_fallen(self) -> bool:
        """Return whether the mover has been thrown down on its way."""
        return not self.crawling and "prone" in self.mover.conditions

    def may_go_on(self) -> bool:
        """Return whether the mover still stands, is not thrown down, and can move."""
        return self.mover.standing and not self.has_fallen() and self.table.squares_of_speed(self.mover) > 0

    def step(self, goal: Space) -> None:
        """Take one step."""
        here = self.mover.space
        put(self.table, self.mover, goal.place)
        drag(self.table, self.mover, here.place)
        self.mover.squares_moved += 1
        self.been.append(goal)
        end_what_is_too_far(self.table)
        for owned in self.mover.abilities:
            owned.after_dash_step(here, goal)
        self.has_saved = self.has_saved or tread(self.table, self.mover)

    def let_others_trip(self) -> Windows:
        """Let fighters beside an off-balanced mover trip it; each is asked once in a dash."""
        trippers = yield from let_trip(self.fight, self.mover, self.asked_to_trip)
        if trippers:
            self.tripped = True
            yield from self.fight.pay_for_trips(trippers)

    def go_back_to_where_it_may_stay(self) -> None:
        """Move back along the path if the dash ended in a space where the mover may not stay."""
        if not self.mover.standing or len(self.been) == 1:
            return
        ground = Ground(self.table, self.mover)
        while len(self.been) > 1 and not ground.is_stoppable(self.been[-1]):
            self.been.pop()
        if self.been[-1] != self.mover.space:
            put(self.table, self.mover, self.been[-1].place)
            end_what_is_too_far(self.table)
