"""Roll-outs: many copies of one position, played on together in the compiled engine, and what they come to.

In a roll-out every fighter mixes its stances in fixed shares, and the default policy of the engine plays the rest. It
ends with the fight or after some rounds, and is worth 1 for a victory of the thinker's team, -1 for a defeat, and in
between what is left of both sides. What is compared meets the same dice: copies with the same number in their groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_env.heart_rush.rules.terms import DIE_LADDER, STANCES, STANDING

if TYPE_CHECKING:
    from heartrush_env.heart_rush.game import HeartRush

Floats = NDArray[np.float64]
Actions = NDArray[np.int64]

SLOTS, SLOTS_ON_MAPS = 128, 64  # copies that are played together
ROUNDS: Final = 6  # that a roll-out plays on, at most
LAST_BREATH: Final = 0.1  # of its maximum hit points that a fighter is worth for standing
HEART: Final = 4.0  # hit points that a size of the heart die above the smallest is worth


class Rollouts:
    """Plays copies of positions of one game."""

    def __init__(self, game: HeartRush, rounds: int = ROUNDS) -> None:
        """Make room for the copies; `rounds` is how far a roll-out goes."""
        self.slots = SLOTS if game.scenario.battlefield is None else SLOTS_ON_MAPS
        self._batch = game.batch(self.slots)
        self._rounds = rounds
        self._stances = np.array([game.action_names.index(f"stance {name}") for name in STANCES])
        self._teams = np.array([game.scenario.teams.index(sheet.team) for sheet in game.scenario.fighters])

    def spread(self, matches: Any, rng: np.random.Generator, groups: int) -> int:
        """Fill all slots with copies of one position, in groups that meet the same dice; returns how many each has.

        Args:
            matches: The position, an array of one record.
            rng: The generator of the dice's keys.
            groups: The number of groups, which stand one after another; slots left over belong to none.
        """
        each = self.slots // groups
        copies = np.repeat(matches, self.slots)
        copies["key"] = np.resize(rng.integers(2**63, size=each, dtype=np.uint64), self.slots)
        copies["full_decisions"] = False
        self._batch.put(copies)
        return each

    def play(
        self, actions: Actions, mixes: Floats, seat: int, rng: np.random.Generator, groups: int, each: int
    ) -> Floats:
        """Play on from the open window; returns what each copy of each group comes to for a seat, (groups, each).

        Args:
            actions: The choices in the open window, (slots, seats).
            mixes: The shares of stances in later rounds, (seats, stances).
            seat: The seat whose team wins or loses.
            rng: The generator of the stances.
            groups: The number of groups.
            each: The copies in a group: those with the same number take the same later stances.
        """
        batch = self._batch
        worth, over = np.zeros(self.slots), np.zeros(self.slots, np.bool_)
        for number in range(self._rounds + 1):
            if number > 0:
                actions = self._stances[np.resize(drawn(mixes, each, rng), (self.slots, len(mixes)))]
            batch.step(actions, autoreset=True)
            new = batch.ended & ~over
            worth[new] = batch.rewards[new, seat]
            over |= new
            if over.all():
                break
        found: Floats = np.where(over, worth, self._balance(seat))[: groups * each].reshape(groups, each)
        return found

    def _balance(self, seat: int) -> Floats:
        """The standing of the fights, from -1 to 1: the difference of what is left of both sides, over the sum."""
        fighters = self._batch.records["fighters"][:, : len(self._teams)]
        standing = fighters["status"] == STANDING
        left = np.maximum(fighters["hp"], 0) + LAST_BREATH * fighters["hp_max"]
        left += HEART * np.searchsorted(DIE_LADDER, fighters["heart"])
        left = np.where(standing, left, 0.0)
        own = left[:, self._teams == self._teams[seat]].sum(axis=1)
        others = left[:, self._teams != self._teams[seat]].sum(axis=1)
        found: Floats = (own - others) / np.maximum(own + others, 1e-9)
        return found


def drawn(mixes: Floats, number: int, rng: np.random.Generator) -> Actions:
    """Stances drawn from the mixes of all seats, (seats, stances) to (number, seats)."""
    steps, draws = np.cumsum(mixes, axis=1), rng.random((number, len(mixes)))
    places: Actions = np.minimum((draws[:, :, None] >= steps).sum(axis=2), len(STANCES) - 1)
    return places
