"""The round of the classic edition: sides take turns and some fighters are in an engagement (RULES, section 12)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from itertools import zip_longest
from typing import Any

from .choices import action_choices, engage_choices, enter_choices
from .fight import Fight
from .moments import Event
from .rolls import base_order
from .settings import Settings
from .sheet import Fighter
from .uses import uses
from .windows import Chosen, Windows


class ClassicFight(Fight):
    """A fight with the classic edition's round; everything else is as in the June edition."""

    priority: str | None = None
    """The side whose turn it is; None during an engagement."""
    passed = 0
    """How many sides have passed in a row."""
    engaged_side: str | None = None
    """The side that was engaged, while the engagement lasts."""
    entering = False
    """Whether a fighter is entering an engagement."""

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
        self.priority = side = self._first_side()
        yield from self._start_by_abilities()
        while self.passed < len(self.sides):
            self.priority = side
            declared = yield from self._declared_in_turn_of(side)
            instants = {agent: name for agent, name in declared.items() if self._is_instant(agent, name)}
            if instants:  # the side keeps its turn
                yield from self._carry_out_in_turn(instants)
                continue
            self.passed = 0 if declared else self.passed + 1
            for fighter in [f for f in self._in_turn(declared) if f.agent in declared][:1]:
                yield from self._carry_out(fighter, declared[fighter.agent])
            side = self._side_after(side)
            if self.engaged_side is not None:
                side = self.engaged_side
                yield from self._fight_it_out()
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

    def _declared_in_turn_of(self, side: str) -> Windows:
        """Return what the fighters declare while the side has its turn; fighters of other sides may use instants."""
        options = {fighter.agent: self._declarations(fighter) for fighter in self.fighters}
        answers = yield from self.ask("action", options)
        meant = {agent: self._meant(agent, name) for agent, name in answers.items()}
        return {agent: name for agent, name in meant.items() if name != "pass"}

    def _declarations(self, fighter: Fighter) -> list[str]:
        """Return everything that the fighter may declare now, in its own side's turn or in another's."""
        if self.entering:
            return enter_choices(self.table, fighter)
        own = fighter.team == self.priority
        plain = action_choices(self.table, fighter) + engage_choices(self.table, fighter) if own else ["pass"]
        return plain + self._usable(fighter, "action", None)

    def _usable(self, fighter: Fighter, occasion: str, event: Event | None) -> list[str]:
        """Return the uses that are possible now.

        A side's turn is its own, and the moments of an engagement belong to those in it; instants that answer nothing
        may be used at any moment, by anyone (R-255, R-257).
        """
        found = super()._usable(fighter, occasion, event)
        foreign = occasion == "action" and fighter.team != self.priority
        outside = occasion in ("engagement", "reveal", "phase") and not self.table.takes_part(fighter)
        return [name for name in found if not (foreign or outside) or self._is_instant(fighter.agent, name)]

    def _is_instant(self, agent: str, name: str) -> bool:
        """Return whether a choice is the use of an instant that answers nothing: turns and declarations do not matter.

        Only instants answer declarations, and only those that answer nothing may also be used in a turn.
        """
        use = dict(uses(self, self.table[agent])).get(name)
        return use is not None and {"action", "declaration"} <= set(use.ability.on)

    # --------------------------------------------------------------------------------------------- an engagement

    def _declaration(self, fighter: Fighter, name: Chosen) -> Windows:
        """Carry out a declaration; to engage an enemy begins an engagement, in which no side has priority."""
        if name.startswith("engage"):
            target = self.table.enemies(fighter)[int(name.split()[1]) - 1]
            self.priority, self.engaged_side = None, target.team
            self.table.engaged = {fighter.agent, target.agent}
        yield from super()._declaration(fighter, name)

    def _fight_it_out(self) -> Windows:
        """Play the engagement that has begun: others enter, then those in it choose stances and attack."""
        yield from self._let_enter()
        for one in self.fighters:
            one.active = one.active or self.table.takes_part(one)
        if len(self.table.sides_taking_part()) >= 2:
            yield from self._talk()
            yield from self._engagement()
        for owned in self.table.abilities:
            owned.at_engagement_end(self)
        self.somebody_has_attacked = True
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
                self.entering = True
                yield from self._carry_out(fighter, answers[fighter.agent])
                self.entering = False
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
