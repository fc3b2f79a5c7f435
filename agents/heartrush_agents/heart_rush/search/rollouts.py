"""Roll-outs: many copies of one position, played on together in the compiled engine, and their results.

In a roll-out every fighter mixes its stances with fixed probabilities, and the engine's default policy makes all other
choices. A roll-out ends with the fight or after some rounds. It is worth 1 if the thinker's team wins and -1 if it
loses. An unfinished fight is worth a value in between, computed from what both sides have left. Copies with equal
numbers within their groups get the same dice, so that groups can be compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.rules.terms import DIE_LADDER, STANCES, STANDING

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush

Floats = NDArray[np.float64]
Actions = NDArray[np.int64]

SLOTS, SLOTS_ON_MAPS = 128, 64  # copies played together
ROUNDS: Final = 6  # maximum length of a roll-out, in rounds
LAST_BREATH: Final = 0.1  # fraction of its maximum hit points that a fighter is worth for standing
HEART: Final = 4.0  # hit points that each heart die size above the smallest is worth


class Rollouts:
    """Roll-outs of one game, which play on from copies of positions."""

    def __init__(self, game: HeartRush, rounds: int = ROUNDS) -> None:
        """Allocate the copies; a roll-out plays at most `rounds` further rounds."""
        self.slots = SLOTS if game.scenario.battlefield is None else SLOTS_ON_MAPS
        self._batch = game.batch(self.slots)
        self._rounds = rounds
        self._stances = np.array([game.action_names.index(f"stance {name}") for name in STANCES])
        self._teams = np.array([game.scenario.teams.index(sheet.team) for sheet in game.scenario.fighters])

    def spread(self, fights: Any, rng: np.random.Generator, groups: int) -> int:
        """Fill all slots with copies of one position, in groups that get the same dice; return the copies per group.

        Args:
            fights: The position, an array of one record.
            rng: The generator of the dice keys.
            groups: The number of groups, which are contiguous; remaining slots belong to no group.
        """
        each = self.slots // groups
        copies = np.repeat(fights, self.slots)
        copies["key"] = np.resize(rng.integers(2**63, size=each, dtype=np.uint64), self.slots)
        copies["full_decisions"] = False
        self._batch.put(copies)
        return each

    def play(
        self, actions: Actions, mixes: Floats, seat: int, rng: np.random.Generator, groups: int, each: int
    ) -> Floats:
        """Play on from the open window; return the result of each copy of each group for a seat, (groups, each).

        Args:
            actions: The choices in the open window, (slots, seats).
            mixes: The probabilities of stances in later rounds, (seats, stances).
            seat: The seat whose team wins or loses.
            rng: The generator of the stances.
            groups: The number of groups.
            each: The copies per group; copies with equal numbers take equal later stances.
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
        """Return each fight's balance from -1 to 1: the difference of what both sides have left, divided by the sum."""
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
    """Draw stances from the mixes of all seats, (seats, stances) to (number, seats)."""
    steps, draws = np.cumsum(mixes, axis=1), rng.random((number, len(mixes)))
    places: Actions = np.minimum((draws[:, :, None] >= steps).sum(axis=2), len(STANCES) - 1)
    return places
