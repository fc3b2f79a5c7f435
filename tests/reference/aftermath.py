"""The consequences of pushes: collisions, falls, and following (RULES, "Space")."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, Any

from .board import square_distance
from .dice import half
from .moments import Damage
from .moving import drag, end_what_is_too_far, leave_bearer, rides
from .pushing import Push, falls, goes, may_follow, push, push_squares, shares_collision, way_of_follow
from .rolls import roll_check
from .sheet import Fighter
from .tripping import let_trip_stepper, may_be_tripped_in_steps

if TYPE_CHECKING:
    from .fight import Fight

Windows = Generator[None, Mapping[str, str], Any]


class Aftermath:
    """The pushes among a phase's effects, with their collisions, falls and follow-up moves."""

    def __init__(self, fight: Fight) -> None:
        self.fight = fight
        self.table = fight.table
        self.hits: dict[str, list[Damage]] = {fighter.agent: [] for fighter in fight.fighters}
        self.late: dict[str, list[Damage]] = {fighter.agent: [] for fighter in fight.fighters}
        self.ways: list[tuple[Fighter, Push]] = []

    def squeeze(self, holder: Fighter, held: Fighter) -> None:
        """Damage a held fighter in place of a push by might (R-80)."""
        dice = 1 + max(0, self.table.sides_to(held, holder))
        self.hits[held.agent].append(Damage(self._pool(dice), holder))

    def push(self, pusher: Fighter, target: Fighter, feet: int, by_might: bool, often: int = 1) -> None:
        """Push the target this often at once, as far as sizes allow."""
        self.knock(pusher, target, often * push_squares(self.table, pusher, target, feet), by_might)

    def knock(self, pusher: Fighter, target: Fighter, squares: int, by_might: bool) -> None:
        """Push the target and roll the dice that this needs (R-71, R-72); a rider hurts its bearer instead (R-81)."""
        if pusher.climbing == target.agent:
            self.hits[target.agent].append(Damage(self._pool(1, collision_die(pusher, by_might)), pusher))
            return
        for owned in target.abilities:
            squares = owned.pushed(squares)
        self.drive(pusher, target, squares, by_might)

    def drive(self, pusher: Fighter, target: Fighter, squares: int, by_might: bool) -> None:
        """Move the target this many squares away from the pusher, and roll the dice that this needs."""
        table = self.table
        if squares == 0:
            return
        done = push(table, pusher, target, squares)
        target.falling = falls(table, done)
        parts = self._collide(pusher, target, done.blocked, done.blocker, collision_die(pusher, by_might))
        if done.moved:
            leave_bearer(table, target)
            drag(table, target, done.way[-2].place)
            self._shake_climbers(target, done)
            end_what_is_too_far(table)
            if by_might:
                self.ways.append((pusher, done))
        self._share_collision(pusher, parts)
        target.falling = False
        if falls(table, done):
            self.fall(pusher, target)

    def _pool(self, dice: int, sides: int = 6) -> int:
        return sum(self.table.roll_die(sides) for _ in range(dice))

    def collide(self, mover: Fighter, target: Fighter, squares: int, blocker: Fighter | None) -> None:
        """Hurt all that a collision of the target, which another moves, hurts for the squares that it did not go."""
        self._share_collision(mover, self._collide(mover, target, squares, blocker, 6))

    def _collide(
        self, mover: Fighter, target: Fighter, squares: int, blocker: Fighter | None, die: int
    ) -> dict[str, int]:
        """Record the collision damage of the moved fighter and of a fighter in the way, if any; return it by agent."""
        pool = self._pool(squares, die)
        parts = {target.agent: pool}
        if blocker is not None and shares_collision(self.table, target, blocker):
            parts = {target.agent: half(pool), blocker.agent: pool - half(pool)}
        for agent, damage in parts.items():
            self.hits[agent].append(Damage(damage, mover))
        return parts

    def _share_collision(self, pusher: Fighter, parts: Mapping[str, int]) -> None:
        """Hurt those still in a hold with a fighter that collided, when the push has ended, each once (R-79)."""
        hurt = set(parts)
        for agent, damage in parts.items():
            for partner in self.table.hold_partners(self.table[agent]):
                if partner.agent not in hurt:
                    hurt.add(partner.agent)
                    self.hits[partner.agent].append(Damage(damage, pusher))

    def _shake_climbers(self, bearer: Fighter, done: Push) -> None:
        feet = 5 * square_distance(done.way[0].place, done.way[-1].place)
        for climber in self.table.climbers_on(bearer):
            more = self.table.in_contest(climber, bearer, "hold_on", tries=False)
            if roll_check(self.table, climber, "might or agility", None, kind="save", also=more) < feet:
                self.fight.fall_off(climber)

    def fall(self, pusher: Fighter, target: Fighter) -> None:
        """Drop the target over the edge, along with its riders (R-82)."""
        board = self.table.board
        assert board is not None
        falling = [target, *(fighter for fighter in self.table.fighters if rides(self.table, fighter, target))]
        if board.drop > 20:
            for fighter in falling:
                self.fight.put_out(fighter, "defeated")
            self.fight.end_links_of_the_out()
            return
        for fighter in falling:
            damage = max(0, board.drop - roll_check(self.table, fighter, "agility", None, kind="save"))
            if damage > 0:
                fighter.conditions.gain("prone")
            self.hits[fighter.agent].append(Damage(damage, pusher))

    def let_follow(self) -> Windows:
        """Let fighters that pushed by might follow their targets, in timing order (R-70)."""
        pushed = {pusher.agent: done for pusher, done in self.ways if may_follow(self.table, pusher, done)}
        answers = yield from self.fight.ask("follow", {agent: ["follow", "pass"] for agent in pushed})
        for agent, done in pushed.items():
            if answers[agent] == "follow":
                yield from self._follow(self.table[agent], done)

    def _follow(self, pusher: Fighter, done: Push) -> Windows:
        """Move a pusher as far after its target as it may; a fighter that may be tripped goes step by step."""
        places = way_of_follow(self.table, pusher, done)
        gone, asked = 0, set[str]()
        if not may_be_tripped_in_steps(self.fight, pusher):
            places = {step: places[step] for step in places if step == max(places)}
        for step, place in places.items():
            goes(self.table, pusher, place, step - gone)
            gone = step
            trippers = yield from let_trip_stepper(self.fight, pusher, asked)
            self.suffer(self.fight.cost_of_trips(trippers))
            if trippers:
                return

    def suffer(self, hits: Mapping[str, list[Damage]]) -> None:
        """Add damage that lands together with the pushes."""
        for agent, damages in hits.items():
            self.late[agent] += damages


def collision_die(pusher: Fighter, by_might: bool) -> int:
    """Return the die for each square that a push falls short."""
    return max([6, *(owned.collision_die(by_might) for owned in pusher.abilities)])
