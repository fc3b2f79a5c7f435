"""The policy that plays fights forward, for the library of positions and for the search.

The policy knows no rules. An action has a larger weight if more hit points were gained after it in the rehearsal than
after other choices of the same window. Because a map has many squares, the weight of a step depends only on the
distance that the step leaves to the nearest enemy. Before the rehearsal, short distances have larger weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.game import ActionArray
from heartrush_env.tabletop.table_game import TableGame

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

FARTHEST: Final = 32  # squares; a longer distance counts as this one
APPROACH: Final = 1.0  # how much less it likes a step, in logarithms, for each square that is left to an enemy
DOUBT: Final = 200  # uses of the usual worth that are added to those of each kind of action
EAGER: Final = 2.0  # how strongly it prefers better actions


class Policy:
    """Weights of kinds of actions. Steps to equal distances are one kind; each other action is a kind of its own."""

    def __init__(self, game: TableGame) -> None:
        """Begin without a preference for any action but steps toward enemies."""
        self._actions, self._foes = len(game.action_names), np.not_equal.outer(game.team_of, game.team_of)
        steps = [(k, *step) for k, step in enumerate(game.table.steps) if step is not None]
        self._steps, *by = np.array(steps, np.intp).reshape(-1, 3).T
        self._picks = np.unique(game.table.records["deed"][self._steps]) + 1  # as the field `picking` names them
        self._others = np.setdiff1d(np.arange(self._actions), self._steps)
        self._step_at = np.full(self._actions, -1, np.intp)
        self._step_at[self._steps] = range(len(self._steps))
        gaps = np.arange(-FARTHEST, FARTHEST + 1)[:, None]
        self._columns, self._rows = (np.minimum(np.abs(gaps - to), FARTHEST).astype(np.int8) for to in by)  # left over
        self._initial = np.zeros((len(self._foes), self._actions + FARTHEST + 1))  # by seat and kind, in logarithms
        self._initial[:, self._actions :] = -APPROACH * np.abs(np.arange(FARTHEST + 1) - 1)
        self._gains, self._uses = np.zeros((2, *self._initial.shape))
        self._weigh(self._initial)

    def _weigh(self, logarithms: Floats) -> None:
        """Set the weight of each kind of action for each seat, given the weights' logarithms."""
        weights = np.exp(logarithms)
        self._usual = weights[:, : self._actions].mean(axis=0)
        self._of_others, self._of_steps = weights[:, self._others], weights[:, self._actions :]

    def _likes(self, batch: Any, slots: Places, seats: Places) -> Iterator[tuple[Places, Places, Floats]]:
        """Yield rows of `seats`, actions and weights: first for seats that choose no step, then for the others."""
        fighters = batch.records["fighters"]
        stepping = np.isin(fighters["picking"][slots, seats], self._picks)
        rows = np.flatnonzero(~stepping)
        masks = batch.masks[slots[rows], seats[rows]].take(self._others, axis=1)
        yield rows, self._others, masks * self._of_others[seats[rows]]
        if len(rows) < len(slots):
            rows = np.flatnonzero(stepping)
            masks = batch.masks[slots[rows], seats[rows]].take(self._steps, axis=1)
            far = self._distances(fighters, slots[rows], seats[rows])
            yield rows, self._steps, masks * self._of_steps[seats[rows, None], far]

    def likes(self, batch: Any, slot: int, seat: int) -> Floats:
        """Return the weight of each action for a seat, 0 for illegal actions."""
        found: Floats = np.zeros(self._actions)
        for rows, actions, likes in self._likes(batch, np.array([slot]), np.array([seat])):
            if len(rows):
                found[actions] = likes[0]
        return found

    def drawn(self, batch: Any, rng: np.random.Generator) -> ActionArray:
        """Return a legal action for each seat that is asked, and 0 for the others."""
        chosen: ActionArray = np.zeros(batch.asked.shape, np.int64)
        slots, seats = batch.asked.nonzero()
        marks = rng.random(len(slots))
        for rows, actions, likes in self._likes(batch, slots, seats):
            sums = np.cumsum(likes, axis=1)
            places = (sums > (marks[rows] * sums[:, -1])[:, None]).argmax(axis=1)
            chosen[slots[rows], seats[rows]] = actions[places]
        return chosen

    def usual(self, mask: Any) -> Floats:
        """Return the mean weight of each action over all seats, in no particular position; 0 for illegal actions."""
        found: Floats = mask * self._usual
        return found

    def kinds(self, batch: Any, slots: Places, seats: Places, actions: Places) -> Places:
        """Return the kind of each of these seats' actions."""
        found = actions.copy()
        stepping = np.flatnonzero(self._step_at[actions] >= 0)
        if len(stepping):
            far = self._distances(batch.records["fighters"], slots[stepping], seats[stepping])
            found[stepping] = self._actions + far[range(len(stepping)), self._step_at[actions[stepping]]]
        return found

    def learn(self, seats: Places, kinds: Places, gains: Floats) -> None:
        """Raise the weights of kinds that gain more than others; `gains` are relative to the mean of their window."""
        np.add.at(self._gains, (seats, kinds), gains)
        np.add.at(self._uses, (seats, kinds), 1)
        better = self._gains / (self._uses + DOUBT)
        spread = np.sqrt((self._uses * better**2).sum(axis=1) / np.maximum(self._uses.sum(axis=1), 1))[:, None]
        self._weigh(self._initial + EAGER * np.clip(better / np.maximum(spread, 1e-9), -2, 2))

    def _distances(self, fighters: Any, slots: Places, seats: Places) -> Places:
        """Return the distance from the end of each step to the nearest able enemy, (slots, steps)."""
        number = len(self._foes)
        x, y = (fighters[name][slots, :number].astype(np.intp) for name in ("x", "y"))
        rows = np.arange(len(slots))
        east, south = (np.clip(at - at[rows, seats][:, None], -FARTHEST, FARTHEST) + FARTHEST for at in (x, y))
        foes = self._foes[seats] & (fighters["status"][slots, :number] == 0)
        found = np.full((len(slots), len(self._steps)), FARTHEST, np.int8)
        for i in range(number):
            some = np.flatnonzero(foes[:, i])
            far = np.maximum(self._columns[east[some, i]], self._rows[south[some, i]])
            found[some] = np.minimum(found[some], far)
        return found.astype(np.intp)
