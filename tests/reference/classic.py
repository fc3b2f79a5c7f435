"""The round of the classic edition: sides take turns and some fighters are in an engagement (RULES, section 12)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from itertools import zip_longest
from typing import Any

from .choices import action_choices, engage_choices, enter_choices
from .fight import Fight
from .rolls import base_order
from .sheet import Fighter, Settings
from .windows import Windows


class ClassicFight(Fight):
    """A fight with the classic edition's round; everything else is as in the June edition."""

    priority: str | None = None
    """The side whose turn it is; None during an engagement."""
    passed = 0
    """How many sides have passed in a row."""
    engaged_side: str | None = None
    """The side that was engaged, while the engagement lasts."""

    @property
    def sides(self) -> list[str]:
        """The teams, in the scenario's order."""
        return list(dict.fromkeys(fighter.team for fighter in self.fighters))

    def state(self) -> dict[str, Any]:
        """Return the public state, with whose turn it is and who is in the engagement."""
        joined = [fighter.agent for fighter in self.fighters if self.table.takes_part(fighter)]
        turns = {"priority": self.priority, "engaged": self.engaged_side, "passed": self.passed, "joined": joined}
        return {**super().state(), "turns": turns}

    def _round(self) -> Windows:
        """Play turn after turn until all sides have passed in a row, even if only one still stands."""
        self.table.engaged, self.passed = set(), 0
        self._round_start()
        side = self._first_side()
        while self.passed < len(self.sides):
            self.priority = side
            fighter, name = yield from self._declared_by(side)
            side = self._side_after(side)
            self.passed = self.passed + 1 if fighter is None else 0
            if name.startswith("engage"):
                target = self.table.enemies(fighter)[int(name.split()[1]) - 1]
                yield from self._fight_it_out(fighter, name, target)
                side = target.team
            elif fighter is not None:
                yield from self._declaration(fighter, self._meant(fighter.agent, name))
        self.priority = side
        yield from self._round_end()

    # ---------------------------------------------------------------------------------------------------- turns

    def _first_side(self) -> str:
        """Return the side that begins (R-89).

        It is the first hero's if a d6 shows 4 or more, else the next; if a side is surprised, no die is needed.
        """
        surprised = {side for side in self.sides if all(f.surprised for f in self.fighters if f.team == side)}
        side = next((fighter.team for fighter in self.fighters if fighter.hero), self.sides[0])
        if not surprised and self.table.roll_die(6) < 4:
            side = self._side_after(side)
        while side in surprised and len(surprised) < len(self.sides):
            side = self._side_after(side)
        return side

    def _side_after(self, side: str) -> str:
        return self.sides[(self.sides.index(side) + 1) % len(self.sides)]

    def _declared_by(self, side: str) -> Windows:
        """Return the fighter that acts for the side, and its action: the first declaration in timing order (R-89)."""
        options = {
            fighter.agent: action_choices(self.table, fighter) + engage_choices(self.table, fighter)
            for fighter in self.fighters
            if fighter.team == side
        }
        answers = yield from self.ask("action", options)
        declared = {agent: answers[agent] for agent in options if self._meant(agent, answers[agent]) != "pass"}
        for fighter in self._in_turn(declared):
            if fighter.agent in declared:
                return fighter, declared[fighter.agent]
        return None, "pass"

    # --------------------------------------------------------------------------------------------- an engagement

    def _fight_it_out(self, fighter: Fighter, name: str, target: Fighter) -> Windows:
        """Play an engagement of a fighter and its target: others enter, then those in it choose stances and attack."""
        self.priority, self.engaged_side = None, target.team
        self.table.engaged = {fighter.agent, target.agent}
        yield from self._declaration(fighter, name)
        yield from self._let_enter()
        for one in self.fighters:
            one.active = one.active or self.table.takes_part(one)
        if len(self.table.sides_taking_part()) >= 2:
            yield from self._talk()
            yield from self._engagement()
        self.table.engaged, self.engaged_side = set(), None
        for one in self.fighters:
            one.stance = None

    def _let_enter(self) -> Windows:
        """Ask all fighters that may enter, and the rest again, until none enters (R-90)."""
        while True:
            options = {fighter.agent: enter_choices(self.table, fighter) for fighter in self.fighters}
            answers = yield from self.ask("enter", options)
            entering = [fighter for fighter in base_order(self.table) if answers[fighter.agent] == "enter"]
            for fighter in entering:
                if "enter" in enter_choices(self.table, fighter):
                    yield from self._declaration(fighter, "enter")
            if not entering:
                return

    # ---------------------------------------------------------------------------------------- the agility stance

    def _goal_of_step(self, agent: str, direction: int) -> Hashable:
        """Return the goal with the stepper's side: only fighters of one side contend for a square."""
        return (self.table[agent].team, super()._goal_of_step(agent, direction))

    def _steppers(self, order: list[Fighter], steps: Mapping[str, str]) -> list[Fighter]:
        """Return the steppers, alternating between sides from the one that was engaged."""
        assert self.engaged_side is not None
        first = self.sides.index(self.engaged_side)
        in_turn = self.sides[first:] + self.sides[:first]
        quick = super()._steppers(order, steps)
        rows = zip_longest(*([fighter for fighter in quick if fighter.team == side] for side in in_turn))
        return [fighter for row in rows for fighter in row if fighter is not None]


def fight_of(scenario: Mapping[str, Any], roll: Callable[[int], int]) -> Fight:
    """Return a fight with the round of the edition that the scenario names."""
    classic = Settings.read(scenario.get("rules", {})).edition == "classic"
    return (ClassicFight if classic else Fight)(scenario, roll)
