"""The value of a small classic duel, computed slowly: every turn of every round as a tree, read from the rules alone.

RULES.md section 12 under profile "plain": a die decides who begins; the side with priority engages with its action
or passes; then the other side has priority; two passes in a row end the round. solver.py plays the engagements.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.reference.solver import Block, Duel, Duelist, Table, matrix_values

Actions = tuple[bool, bool]  # whether the first and the second have theirs left


@dataclass(frozen=True)
class Turns:
    """A classic duel of a number of rounds; if `decides` is off, a fighter that has its action must engage."""

    duel: Duel
    decides: bool = True
    known: dict[Any, float] = field(default_factory=dict)

    def at_start(self, block: Block, left: int, side: int | None = None) -> float:
        """Return the first fighter's value as a round begins; each side begins with even chance unless one is named."""
        if left == 0:
            return self.duel.at_the_cap(block)
        if side is not None:
            return self.turn(block, (True, True), side, 0, left)
        return (self.at_start(block, left, 0) + self.at_start(block, left, 1)) / 2

    def turn(self, block: Block, actions: Actions, side: int, passes: int, left: int) -> float:
        """Return the first fighter's value as a side has its turn, after this many passes in a row."""
        if passes == 2:
            return self.at_start(block, left - 1)
        key = (block, actions, side, passes, left)
        if key not in self.known:
            worths = []
            if actions[side]:
                worths.append(self.engagement(block, (actions[0] and side != 0, actions[1] and side != 1), side, left))
            if self.decides or not worths:
                worths.append(self.turn(block, actions, 1 - side, passes + 1, left))
            if block[side] <= 0:
                worths.append((-1.0, 1.0)[side])  # it yields
            self.known[key] = max(worths) if side == 0 else min(worths)
        return self.known[key]

    def engagement(self, block: Block, actions: Actions, engager: int, left: int) -> float:
        """Return the first fighter's value as stances are chosen; the other side has the next turn."""
        later: Any = _Later(self, actions, 1 - engager, left)
        games = self.duel.phase_games(later, block)
        cells = [matrix_values(brought + idle * later[block][coming]) for brought, idle, coming in games]
        return float(matrix_values(np.stack(cells, axis=1).reshape(-1, 4, 4))[0])


@dataclass(frozen=True)
class _Later:
    """The values of blocks after an engagement."""

    turns: Turns
    actions: Actions
    side: int
    left: int

    def __getitem__(self, block: Block) -> Any:
        return np.array([self.turns.turn(block, self.actions, self.side, 0, self.left)])


def classic_values(
    first: Duelist, second: Duelist, rounds: int, table: Table, decides: bool = True
) -> tuple[float, float]:
    """Return the first fighter's value if it has the first turn, and its value if the second fighter has it."""
    turns = Turns(Duel(first, second, table), decides)
    start = (first.hp, second.hp, first.heart, second.heart)
    return turns.at_start(start, rounds, 0), turns.at_start(start, rounds, 1)
