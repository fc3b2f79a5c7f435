"""Retainers, their orders, and those that run, by section 10 of the rule text."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.reference.heretics.acts import STUNTS
from tests.reference.heretics.duels import Duels
from tests.reference.heretics.fighters import Fighter
from tests.reference.heretics.ground import Square, apart
from tests.reference.heretics.moves import offset

ORDERS = ("charge", "kite", "cut off", "retreat", "shield wall")
FAR_ENOUGH = 6  # squares from an enemy, for those that kite


class Bands(Duels):
    """What retainers do, and what the routed do."""

    # -- saves and rout ------------------------------------------------------------------------------------------------

    def save_for(self, commander: Fighter, *, lost: bool) -> None:
        """Let the retainers of a commander save; those that fail are routed (R-33)."""
        for fighter in self.fighters:
            if fighter.commander is commander and fighter.able and not fighter.fearless and not fighter.routed:
                foes = self.enemies(fighter)
                if not foes:
                    return
                number = self.strongest(foes).defense("wil")
                natural = self.d20(fighter, False, lost or self.is_hindered(fighter))
                self.tell(f"{fighter.index} saves: {natural} against {number}")
                if not self.reaches(natural, commander.ability["wil"], number):
                    self.rout(fighter)
        self.look_for_end()

    def save_for_the_lost(self) -> None:
        """Let the retainers of commanders that are no longer there save again, once."""
        for fighter in self.fighters:
            if not fighter.able and not fighter.missed:
                fighter.missed = True
                self.save_for(fighter, lost=True)

    def runs(self, fighter: Fighter, part: int) -> Any:
        """Let a routed fighter run to the nearest free exit and leave; in part 0 of a phase it may have to stay."""
        assert self.ground is not None
        left = self.rise(fighter, self.speed(fighter))
        steps = self.steps_of(fighter)
        exits = [it for it in self.ground.exits if it in steps and (it == fighter.square or not self.taken(it))]
        if exits and self.speed(fighter) > 0:
            yield from self.go_for(fighter, min(exits, key=lambda it: (steps[it], it[1], it[0])), left, leaves=True)
        elif part == 0:
            self.suffer_ground(fighter)

    def rise(self, fighter: Fighter, left: int) -> int:
        """Let a fighter stand up if it is prone and can; return the squares that it can still go, of those left."""
        if self.can_stand(fighter, left):
            left -= self.half_speed(fighter)
            del fighter.conditions["prone"]
        return self.budget(fighter, left)

    # -- orders --------------------------------------------------------------------------------------------------------

    def followers(self, commander: Fighter) -> list[Fighter]:
        """Return the retainers that hear a commander's orders."""
        own = [it for it in self.able(commander.side) if it.commander is commander]
        hearing = [it for it in own if not it.routed and not it.has("deafened")]
        return [] if self.rules["retainers_as"] == "agents" else hearing

    def act_options(self, fighter: Fighter) -> set[str]:
        """Return the actions that a fighter may declare now."""
        options = super().act_options(fighter)
        if self.followers(fighter):
            options |= {f"order {it}" for it in ORDERS}
            for foe in self.enemies(fighter):
                options |= {f"order_focus {self.place(fighter, foe)}", f"order_stunt {self.place(fighter, foe)}"}
        return options

    def second_part(self, fighter: Fighter, deed: str) -> set[str]:
        """Return what a fighter must still pick after an action's name."""
        if deed.split()[0] == "order_stunt":
            return {f"by {it}" for it in STUNTS}
        return super().second_part(fighter, deed)

    def command(self, fighter: Fighter, deed: str, by: str | None) -> None:
        """Give an order (R-35)."""
        total = sum(it.hd for it in self.enemies(fighter))
        if not self.check(fighter, "wil", max(10, total)):
            return
        verb, rest = deed.split(maxsplit=1)
        for follower in self.followers(fighter):
            if verb == "order":
                follower.order, follower.order_target = rest, None
            else:
                follower.order = verb.split("_")[1]
                follower.order_target = self.at_place(fighter, int(rest), 1 - fighter.side)
                follower.order_stunt = by.split()[1] if by else ""

    # -- what scripted retainers do ------------------------------------------------------------------------------------

    def steps_of(self, fighter: Fighter) -> dict[Square, int]:
        """Return the steps from a fighter to all squares past its enemies."""
        assert self.ground is not None and fighter.square is not None
        return self.ground.distances(fighter.square, {it.square for it in self.enemies(fighter) if it.square})

    def steps_to(self, fighter: Fighter, foe: Fighter) -> int:
        """Return the steps over the ground from a fighter to an enemy."""
        if fighter.square is None or foe.square is None:
            return 1
        return self.way(fighter.square, foe)

    def nearest_enemy(self, fighter: Fighter, foes: list[Fighter]) -> Fighter:
        """Return the nearest of some enemies by steps, of several the first (R-46)."""
        return min(foes, key=lambda it: (self.steps_to(fighter, it), it.index))

    def free_squares(self, fighter: Fighter) -> dict[Square, int]:
        """Return the steps to all squares on which a fighter could end, its own among them."""
        return {it: n for it, n in self.steps_of(fighter).items() if it == fighter.square or not self.taken(it)}

    def serve(self, fighter: Fighter) -> Any:
        """Let a retainer move and act as ordered, or by itself (R-46)."""
        if fighter.has("paralyzed"):
            self.suffer_ground(fighter)
            return
        order, target = fighter.order, fighter.order_target
        if order != "retreat" or self.ground is None:
            fighter.squares_left = self.rise(fighter, fighter.squares_left)
        self.tell(f"{fighter.index} serves: {order}")
        if target is not None and not target.able:
            order = target = None
        foes = self.enemies(fighter)
        if not foes:
            return
        if order is None:
            yield from self.as_it_likes(fighter)
        elif order == "kite":
            yield from self.kite(fighter)
        elif order == "retreat":
            yield from self.retreat(fighter)
        elif order == "cut off":
            yield from self.cut_off(fighter)
        elif order == "shield wall":
            yield from self.stand_in_wall(fighter)
        elif order == "stunt":
            assert target is not None
            yield from self.up_to(fighter, target, lambda: self.stunt_is_possible(fighter, fighter.order_stunt, target))
            ready = fighter.action and self.ready_for(fighter, target)
            if ready and self.stunt_is_possible(fighter, fighter.order_stunt, target):
                self.stop_concentrating(fighter)
                self.stunt(fighter, fighter.order_stunt, target)
        else:
            verb = "unarmed" if order == "charge" and fighter.shoots else "attack"
            yield from self.attack_from_near(fighter, verb, target or self.nearest_enemy(fighter, foes))

    def as_it_likes(self, fighter: Fighter) -> Any:
        """Let a retainer without an order attack the nearest enemy above half of its hit points, or else make off."""
        target = None
        for part in range(2):
            if not fighter.able or not self.enemies(fighter):
                return
            if target is None or not target.able:
                target = self.nearest_enemy(fighter, self.enemies(fighter))
            can = partial(self.could_attack, fighter, "attack", target)
            flees = 2 * fighter.hp <= fighter.max_hp
            if part == 1 and not flees and can():
                if fighter.may_act:
                    yield from self.strike(fighter, "attack", target)
                return
            move, left = (self.move_up, fighter.squares_left) if part == 0 else (self.move_on, self.speed(fighter))
            away = partial(self.away, fighter, left, 10_000)
            yield from move(fighter, away if flees else partial(self.place_for, fighter, target, can))

    def ready_for(self, fighter: Fighter, target: Fighter) -> bool:
        """Return whether a retainer may still act against a target."""
        return fighter.may_act and target.able

    def attack_from_near(self, fighter: Fighter, verb: str, target: Fighter) -> Any:
        """Move up to an enemy and attack it, or load the weapon."""
        yield from self.up_to(fighter, target, lambda: self.could_attack(fighter, verb, target))
        if fighter.action and self.ready_for(fighter, target) and self.could_attack(fighter, verb, target):
            yield from self.strike(fighter, verb, target)

    def strike(self, fighter: Fighter, verb: str, target: Fighter) -> Any:
        """Attack an enemy, or load the weapon for it; the charmed do not attack."""
        if verb == "attack" and fighter.shoots and not fighter.loaded:
            fighter.loaded = True
        elif not fighter.has("charmed"):
            yield from self.attack(fighter, verb, target, None)
            self.look_for_end()

    def could_attack(self, fighter: Fighter, verb: str, target: Fighter) -> bool:
        """Return whether an attack is possible once the weapon is loaded."""
        loaded, fighter.loaded = fighter.loaded, True
        possible = self.attack_is_possible(fighter, verb, target)
        fighter.loaded = loaded
        return possible

    def there(self, fighter: Fighter, square: Square, can: Callable[[], bool]) -> bool:
        """Return whether something holds for a fighter on another square."""
        was, fighter.square = fighter.square, square
        found = can()
        fighter.square = was
        return found

    def up_to(self, fighter: Fighter, target: Fighter, can: Callable[[], bool]) -> Any:
        """Move up to the nearest square from which something can be done, and move again if it cannot yet."""
        yield from self.move_up(fighter, lambda: self.place_for(fighter, target, can))
        if self.ground is not None and not can():
            yield from self.move_on(fighter, lambda: self.place_for(fighter, target, can))

    def place_for(self, fighter: Fighter, target: Fighter, can: Callable[[], bool]) -> Square:
        """Return the square to which a retainer goes."""
        squares = self.free_squares(fighter)
        good = [it for it in squares if self.there(fighter, it, can)]
        if good:
            return min(good, key=lambda it: (squares[it], it[1], it[0]))
        return min(squares, key=lambda it: (self.way(it, target), squares[it], it[1], it[0]))

    def way(self, square: Square, target: Fighter) -> int:
        """Return the steps between a square and a fighter."""
        assert self.ground is not None and target.square is not None
        return self.ground.distances(target.square, ()).get(square, 10_000)

    def move_up(self, fighter: Fighter, goal: Callable[[], Square]) -> Any:
        """Make the move of a phase: go towards a square."""
        if self.ground is None:
            return
        budget = self.budget(fighter, fighter.squares_left)
        steps = yield from self.go_for(fighter, goal(), budget, leaves=False)
        fighter.squares_left = 0 if fighter.has("prone") and steps else fighter.squares_left - steps

    def move_on(self, fighter: Fighter, goal: Callable[[], Square]) -> Any:
        """Move again, as an action, unless the fighter is where it wants to go."""
        if self.ground is None or not fighter.may_act or not fighter.action or self.speed(fighter) == 0:
            return
        if goal() == fighter.square:
            return
        fighter.action = False
        self.stop_concentrating(fighter)
        left = self.rise(fighter, self.speed(fighter))
        yield from self.go_for(fighter, goal(), left, leaves=False)
        self.look_for_end()

    def go_for(self, fighter: Fighter, goal: Square, budget: int, *, leaves: bool) -> Any:
        """Go towards a square as far as a budget of squares allows, and leave the map there; return the steps."""
        assert self.ground is not None and fighter.square is not None
        path = self.ground.path(fighter.square, goal, {it.square for it in self.enemies(fighter) if it.square})
        assert path is not None
        path = path[: budget + 1]
        while len(path) > 1 and self.taken(path[-1]):
            path.pop()
        self.tell(f"{fighter.index} makes for {goal}, comes to {path[-1]}")
        deed = "leave" if leaves and path[-1] == goal else "move"
        was = fighter.square
        left = yield from self.go(fighter, deed, f"to {offset(fighter.square, path[-1])}", budget)
        self.look_for_end()
        return 0 if was == fighter.square else budget - left

    def away(self, fighter: Fighter, left: int, enough: int) -> Square:
        """Return the square in reach that is farthest from the nearest enemy."""
        assert self.ground is not None
        budget = self.budget(fighter, left)
        ways = [self.ground.distances(it.square, ()) for it in self.enemies(fighter) if it.square]
        squares = {it: n for it, n in self.free_squares(fighter).items() if n <= budget}
        far = {it: min(enough, *(way.get(it, 10_000) for way in ways)) for it in squares}
        return min(squares, key=lambda it: (-far[it], squares[it], it[1], it[0]))

    def kite(self, fighter: Fighter) -> Any:
        """Shoot at the nearest enemy in range, and move away."""

        def marks() -> list[Fighter]:
            return [it for it in self.enemies(fighter) if fighter.shoots and self.could_attack(fighter, "attack", it)]

        squares = self.free_squares(fighter) if self.ground is not None else {}
        if not marks() and any(self.there(fighter, it, lambda: bool(marks())) for it in squares):
            target = self.nearest_enemy(fighter, self.enemies(fighter))
            yield from self.move_up(fighter, lambda: self.place_for(fighter, target, lambda: bool(marks())))
        else:
            self.suffer_ground(fighter)
        if fighter.may_act and marks():
            yield from self.strike(fighter, "attack", self.nearest_enemy(fighter, marks()))
        if fighter.able and self.enemies(fighter) and self.ground is not None:
            goal = self.away(fighter, fighter.squares_left, FAR_ENOUGH)
            if goal != fighter.square:  # to stay in the late move ends no move in a hazard
                yield from self.move_up(fighter, lambda: goal)

    def retreat(self, fighter: Fighter) -> Any:
        """Break, and leave at the nearest exit unless pursuers stop it there; without a map there is none."""
        if self.ground is None:
            return
        fighter.breaking = True
        self.stop_concentrating(fighter)
        for part in range(2):
            if fighter.able and fighter.breaking:
                yield from self.runs(fighter, part)

    def cut_off(self, fighter: Fighter) -> Any:
        """Go to the nearest exit that no other retainer has taken, and attack an enemy in reach."""
        if self.ground is not None:
            squares = self.free_squares(fighter)
            exits = [it for it in self.ground.exits if it in squares]
            if not exits:
                self.suffer_ground(fighter)
            else:
                goal = min(exits, key=lambda it: (squares[it], it[1], it[0]))
                yield from self.move_up(fighter, lambda: goal)
                if fighter.square != goal and fighter.able:
                    yield from self.move_on(fighter, lambda: goal)
        yield from self.attack_in_reach(fighter)

    def attack_in_reach(self, fighter: Fighter) -> Any:
        """Attack the nearest enemy in reach."""
        for verb in ("attack", "unarmed"):
            foes = [it for it in self.enemies(fighter) if self.could_attack(fighter, verb, it)]
            if fighter.may_act and fighter.action and foes:
                yield from self.strike(fighter, verb, self.nearest_enemy(fighter, foes))
                return

    def in_wall(self, fighter: Fighter) -> bool:
        """Return whether a shielded retainer stands beside another (R-35)."""
        mates = [it for it in self.able(fighter.side) if it.commander and it.shield and it is not fighter]
        return fighter.shield and any(self.distance(fighter, it) <= 1 for it in mates)

    def stand_in_wall(self, fighter: Fighter) -> Any:
        """Move beside another shielded retainer, and attack an enemy in reach."""
        fighter.walled = True
        mates = [it for it in self.able(fighter.side) if it.commander and it.shield and it is not fighter]
        squares = self.free_squares(fighter) if self.ground is not None else {}
        beside = [it for it in squares if any(mate.square and apart(it, mate.square) <= 1 for mate in mates)]
        if beside:
            goal = min(beside, key=lambda it: (squares[it], it[1], it[0]))
            yield from self.move_up(fighter, lambda: goal)
        else:
            self.suffer_ground(fighter)
        yield from self.attack_in_reach(fighter)
