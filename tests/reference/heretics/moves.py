"""Moves, by sections 3 and 5 of the rule text."""

from __future__ import annotations

from typing import Any

from tests.reference.heretics.fighters import Fighter
from tests.reference.heretics.ground import HAZARDS, Square
from tests.reference.heretics.table import Asked, TableOfFighters


def offset(start: Square, goal: Square) -> str:
    """Return a square as names of actions say it: in steps to the east and to the south."""
    return f"{goal[0] - start[0]},{goal[1] - start[1]}"


class Moves(TableOfFighters):
    """The windows in which a side moves."""

    def half_speed(self, fighter: Fighter) -> int:
        """Return what it costs to stand up, in squares."""
        return self.speed(fighter) // 2

    def can_stand(self, fighter: Fighter, left: int) -> bool:
        """Return whether a prone fighter can stand up if it has this many squares left (R-43)."""
        prone = fighter.has("prone") and not fighter.has("grappled")
        return prone and left > 0 and left >= self.half_speed(fighter)

    def speed(self, fighter: Fighter) -> int:
        """Return the squares of a move under the fighter's conditions."""
        if fighter.has("grappled", "paralyzed"):
            return 0
        return fighter.speed // 2 if fighter.has("stunned") else fighter.speed

    def budget(self, fighter: Fighter, left: int) -> int:
        """Return the squares that a fighter can go, of those that are left to it."""
        if fighter.has("grappled", "paralyzed"):
            return 0
        if fighter.has("prone"):
            return min(1, left)
        return left

    def goals(self, fighter: Fighter, budget: int) -> set[Square]:
        """Return the squares on which a move can end, its own among them."""
        assert self.ground is not None and fighter.square is not None
        foes = {it.square for it in self.enemies(fighter) if it.square is not None}
        steps = self.ground.distances(fighter.square, foes)
        free = {it for it, far in steps.items() if far <= budget and not self.taken(it)}
        return free | {fighter.square}

    def exits(self, fighter: Fighter, budget: int) -> set[Square]:
        """Return the exit squares on which a move can end."""
        return self.goals(fighter, budget) & set(self.ground.exits if self.ground is not None else [])

    def move_options(self, window: str, fighter: Fighter) -> set[str]:
        """Return what a fighter may do in a move window."""
        options = {"stay"}
        if not fighter.able or fighter.has("paralyzed"):
            return options
        left = fighter.squares_left
        if self.can_stand(fighter, left):
            options.add("stand")
        if self.ground is None:
            return options
        if self.budget(fighter, left) > 0:
            options.add("move")
        if window == "move" and not fighter.breaking:
            options.add("break")
        may_leave = (window == "move" or fighter.breaking) and self.speed(fighter) > 0
        if may_leave and self.exits(fighter, self.after_standing(fighter, left)):
            options.add("leave")
        return options

    def after_standing(self, fighter: Fighter, left: int) -> int:
        """Return the squares that a fighter can go once it has stood up, if it is prone and can (R-43)."""
        if self.can_stand(fighter, left):
            return left - self.half_speed(fighter)
        return self.budget(fighter, left)

    def picks(self, fighter: Fighter, deed: str, left: int) -> set[str]:
        """Return the squares that a move may pick."""
        assert fighter.square is not None
        budget = self.budget(fighter, left) if deed == "move" else self.after_standing(fighter, left)
        if deed in ("leave", "leave_again"):
            return {f"exit {offset(fighter.square, it)}" for it in self.exits(fighter, budget)}
        return {f"to {offset(fighter.square, it)}" for it in self.goals(fighter, budget)}

    def move_window(self, window: str, group: list[Fighter]) -> Any:
        """Let members of a side move, together declared and one by one carried out."""
        chosen: dict[Fighter, str] = {}
        places: dict[Fighter, str] = {}
        for asked in self.together([it for it in group if it.able and not it.routed]):
            deeds = yield from self.ask(window, {it: self.move_options(window, it) for it in asked})
            moving = {it: deed for it, deed in deeds.items() if deed != "stay" and self.ground is not None}
            options = {it: self.picks(it, deed, it.squares_left) for it, deed in moving.items()}
            places |= yield from self.pick(window, options)
            chosen |= deeds
        running = [it for it in group if it.able and it.routed and window == "move"]
        for fighter in self.in_order([*chosen, *running]):
            if fighter.able:
                if fighter.routed:
                    yield from self.runs(fighter, 0)
                else:
                    yield from self.carry_out_move(window, fighter, chosen[fighter], places.get(fighter))
                self.look_for_end()

    def together(self, group: list[Fighter]) -> list[list[Fighter]]:
        """Return the members of a side in the groups that declare together: all, or one by one if they share."""
        return [[it] for it in group] if self.rules["share_declarations"] == "on" else [group]

    def pick(self, window: str, options: dict[Fighter, set[str]]) -> Any:
        """Ask fighters for the second part of a choice, even where there is only one."""
        if not options:
            return {}
        return (yield Asked(window, options))

    def in_order(self, fighters: Any) -> list[Fighter]:
        """Return fighters in the order in which their declarations are carried out (R-14)."""
        return sorted(fighters, key=lambda it: (-it.ability["dex"], it.index))

    def carry_out_move(self, window: str, fighter: Fighter, deed: str, place: str | None) -> Any:
        """Carry out a declaration of a move window."""
        self.tell(f"{fighter.index}: {deed} {place or ''}")
        if deed == "stay":
            if window == "move":
                self.suffer_ground(fighter)
            return
        left = yield from self.go(fighter, deed, place, fighter.squares_left)
        fighter.squares_left = left

    def go(self, fighter: Fighter, deed: str, place: str | None, left: int) -> Any:
        """Carry out a move of at most this many squares; return how many are left."""
        if deed in ("break", "leave") and not fighter.breaking:
            fighter.breaking = True
            self.stop_concentrating(fighter)
            self.save_for(fighter, lost=False)
        if deed != "move" and self.can_stand(fighter, left):
            left -= self.half_speed(fighter)
            del fighter.conditions["prone"]
        if place is None or fighter.square is None or self.ground is None:
            return left
        goal = self.square_of(fighter, place)
        path = self.ground.path(fighter.square, goal, {it.square for it in self.enemies(fighter) if it.square})
        assert path is not None, "a goal that cannot be reached"
        steps = yield from self.walk(fighter, path)
        if steps > 0:
            self.let_go(fighter)
        left -= steps
        if fighter.has("prone") and steps > 0:
            left = fighter.squares_left = 0  # it crawls one square a phase
        if not fighter.able:
            return left
        if deed in ("leave", "leave_again") and fighter.square in self.ground.exits and self.speed(fighter) > 0:
            yield from self.opportunity(fighter, None)
            if fighter.able and self.speed(fighter) > 0 and (yield from self.gets_away(fighter)):
                self.leave(fighter)  # before the ground can harm it
                return left
        if fighter.able:
            self.suffer_ground(fighter)
        return left

    def walk(self, fighter: Fighter, path: list[Square]) -> Any:
        """Go along a path as far as opportunists let a fighter, and stop on a free square; return the steps."""
        places = [path[0]]  # all squares so far
        for square in path[1:]:
            yield from self.opportunity(fighter, square)
            if not fighter.able or self.speed(fighter) == 0:
                break
            fighter.square = square
            places.append(square)
        while len(places) > 1 and any(
            it.able and it is not fighter and it.square == places[-1] for it in self.fighters
        ):
            places.pop()
        fighter.square = places[-1]
        return len(places) - 1

    def save_for(self, commander: Fighter, *, lost: bool) -> None:
        """Let the retainers of a commander save; those that fail are routed (R-33)."""
        raise NotImplementedError

    def runs(self, fighter: Fighter, part: int) -> Any:
        """Let a routed fighter run to the nearest free exit, and leave there."""
        raise NotImplementedError

    def opportunity(self, fighter: Fighter, goal: Square | None) -> Any:
        """Let opportunists strike at an enemy that is about to leave their melee range, or the map (R-17)."""
        raise NotImplementedError

    def sees(self, fighter: Fighter, other: Fighter) -> bool:
        """Return whether a fighter has another in sight."""
        far = fighter.has("blind") and self.distance(fighter, other) > 2
        return not far and self.blocked_lines(fighter, other) < 4

    def gets_away(self, fighter: Fighter) -> Any:
        """Let enemies in whose sight a fighter leaves the map pursue it; return whether it is gone (R-34)."""
        watchers = [it for it in self.enemies(fighter) if it.is_there and self.sees(it, fighter)]
        if not watchers or self.rules["pursuit"] == "off":
            return True
        speaker = self.speaker(1 - fighter.side)
        if speaker is None:
            return True
        choice = yield from self.ask("pursue", {speaker: {f"pursue {self.place(speaker, fighter)}", "let_pass"}})
        if choice[speaker] == "let_pass" or self.check(fighter, "dex", max(it.defense("dex") for it in watchers)):
            return True
        fighter.breaking = False
        return False

    def square_of(self, fighter: Fighter, place: str) -> Square:
        """Return the square that a pick names."""
        assert fighter.square is not None
        dx, dy = place.split()[1].split(",")
        return fighter.square[0] + int(dx), fighter.square[1] + int(dy)

    def suffer_ground(self, fighter: Fighter) -> None:
        """Roll the damage of a hazard on which a move has ended (R-25)."""
        if self.ground is None or fighter.square is None:
            return
        number, sides = self.ground.hazard(fighter.square)
        if number:
            self.hurt(fighter, sum(self.roll(sides) for _ in range(number)))
        if sides == HAZARDS["*"] and fighter.able:
            self.afflict(fighter, "burning")

    def leave(self, fighter: Fighter) -> None:
        """Take a fighter off the map."""
        self.take_away(fighter, "gone")
        self.left[fighter.side] += 1
        self.look_for_breaking_points()
