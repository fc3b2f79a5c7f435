"""Fights played forward by a simple policy, for the library of positions and for the search.

The policy knows no rules: it prefers each action as much as hit points were gained after it in the fights of the
rehearsal, and draws among the legal ones. Hit points, sides and winners are the same fields in every game of tables.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.any_game.positions import Library, repeated
from heartrush_env.tabletop.game import ActionArray, FlagArray
from heartrush_env.tabletop.table_game import TableGame

Floats = NDArray[np.float64]
Scripts = NDArray[np.int64]  # (slots, seats, choices): the first choices of each seat; FREE for one that is drawn

FREE: Final = -1
SLOTS: Final = 128  # fights that are played side by side
HORIZON: Final = 24  # steps of a roll-out
REHEARSALS, STEPS, KEPT = 2, 300, 4  # rounds of the rehearsal, steps of each, and positions kept of each step
FADES: Final = 0.92  # what a hit point counts that is lost one step later
DOUBT: Final = 200  # uses of the usual worth that are added to those of each action
EAGER: Final = 2.0  # how strongly the policy prefers better actions


def same_game(game: TableGame, reward: str) -> TableGame:
    """Return the game with another reward and without a limit of steps."""
    return type(game).open_table({**game.as_table(), "reward": reward, "max_cycles": None}, "")


class Rehearsal:
    """Fights of a game against itself: they give the policy of roll-outs, and the library of positions."""

    def __init__(self, game: TableGame, slots: int = SLOTS, steps: int = STEPS) -> None:
        """Play a number of fights at once, this many steps. The same game always gives the same policy and library."""
        self.game, self._slots, self._steps = same_game(game, "hp_change"), slots, steps
        self.library = Library(self.game)
        self.weights: Floats = np.ones((len(game.agents), len(game.action_names)))
        self._gains, self._uses = np.zeros((2, *self.weights.shape))
        for number in range(REHEARSALS):
            self._play(number)

    def _play(self, number: int) -> None:
        """Play many fights with the current policy, add some positions to the library, and improve the policy."""
        rng, batch = np.random.default_rng(number), self.game.batch(self._slots)
        batch.start(range(self._slots), number, range(self._slots))
        told = []
        for _ in range(self._steps):
            asked, actions = batch.asked.copy(), drawn(self.weights, batch, rng)
            self._keep(batch, rng)
            batch.step(actions, autoreset=True)
            told.append((asked, actions, batch.rewards.copy(), batch.ended.copy()))
        gains, uses, later = self._gains, self._uses, np.zeros(batch.out.shape)
        for asked, actions, rewards, ended in reversed(told):
            later = rewards + FADES * np.where(ended[:, None], 0.0, later)
            slots, seats = asked.nonzero()
            np.add.at(gains, (seats, actions[slots, seats]), later[slots, seats])
            np.add.at(uses, (seats, actions[slots, seats]), 1)
        usual = gains.sum(axis=1, keepdims=True) / np.maximum(uses.sum(axis=1, keepdims=True), 1)
        better = (gains - usual * uses) / (uses + DOUBT)
        spread = np.sqrt((uses * better**2).sum(axis=1, keepdims=True) / np.maximum(uses.sum(axis=1, keepdims=True), 1))
        self.weights = np.exp(EAGER * np.clip(better / np.maximum(spread, 1e-9), -2, 2))

    def _keep(self, batch: Any, rng: np.random.Generator) -> None:
        """Add some of the positions in which a fighter is asked for a whole choice to the library."""
        slots, seats = (batch.asked & (batch.records["fighters"]["picking"][:, : batch.asked.shape[1]] == 0)).nonzero()
        for at in rng.permutation(len(slots))[:KEPT].tolist():
            slot, seat = int(slots[at]), int(seats[at])
            self.library.add(batch.copy_of(slot), seat, batch.observations[slot, seat])


class Rollouts:
    """Plays positions of a game forward."""

    def __init__(self, game: TableGame, weights: Floats, slots: int = SLOTS) -> None:
        """Make room for a number of fights; `weights` (seats, actions) are those of the policy."""
        self.game, self.weights, self.slots = same_game(game, "win"), weights, slots
        self.batch = self.game.batch(slots)
        self._sides = np.array([[team == side for team in game.team_of] for side in range(len(game.sides))], np.float64)

    def put(self, fights: Any, rng: np.random.Generator, alike: int = 1) -> None:
        """Set up positions, (slots,), with new dice; each group of `alike` positions has equal dice."""
        fights["key"] = np.repeat(rng.integers(2**63, size=self.slots), alike)[: self.slots]
        for name in ("draw", "given_count", "given_used"):
            fights[name] = 0
        self.batch.put(fights)

    def play(self, fights: Any, scripts: Scripts, seat: int, rng: np.random.Generator, alike: int) -> Floats:
        """Play positions forward, and return how much better each became for a seat's side.

        A side is as well off as its share of hit points exceeds that of its enemies; with a victory, by 1. Changes
        count for less the later they happen.

        Args:
            fights: The positions, (slots,).
            scripts: The first choices of each seat.
            seat: The seat.
            rng: For all other choices.
            alike: The size of the groups of positions that have equal dice.
        """
        self.put(fights, rng, alike)
        batch, worth, live = self.batch, np.zeros(self.slots), np.ones(self.slots, np.bool_)
        done = np.zeros(batch.out.shape, np.intp)  # choices of the script that were made
        side = self.game.team_of[seat]
        before = self._margins(side)
        for step in range(HORIZON):
            self.step(scripts, done, live, rng)
            margins = np.where(batch.ended, batch.rewards[:, seat], self._margins(side))
            worth[live] += FADES**step * (margins - before)[live]
            before, live = margins, live & ~batch.ended
            if not live.any():
                break
        return worth

    def free_scripts(self, length: int = 1) -> Scripts:
        """Return scripts that leave all choices to the policy."""
        return np.full((self.slots, len(self.game.agents), length), FREE, np.int64)

    def try_out(self, fights: Any, seat: int, actions: Any, rng: np.random.Generator) -> None:
        """Play one window of these positions, in which the seat makes these choices, one in each slot."""
        self.put(repeated(fights, self.slots), rng)
        scripts = self.free_scripts()
        scripts[: len(actions), seat, 0] = actions
        self.step(scripts, np.zeros(self.batch.out.shape, np.intp), np.ones(self.slots, np.bool_), rng)

    def step(self, scripts: Scripts, done: NDArray[np.intp], live: FlagArray, rng: np.random.Generator) -> None:
        """Play one window in each slot; seats follow their scripts where these go on and are legal."""
        batch = self.batch
        actions = drawn(self.weights, batch, rng)
        if (done.min(axis=0) < scripts.shape[2]).any():
            slots, seats = (batch.asked & live[:, None] & (done < scripts.shape[2])).nonzero()
            given = scripts[slots, seats, done[slots, seats]]
            done[slots, seats] += 1
            follows = (given != FREE) & (batch.masks[slots, seats, given] == 1)
            actions[slots[follows], seats[follows]] = given[follows]
        batch.step(actions, autoreset=True)

    def _margins(self, side: int) -> Floats:
        """Return the share of hit points that a side has left in each slot, minus the mean share of the others."""
        fighters = self.batch.records["fighters"][:, : self._sides.shape[1]]
        left = np.where(fighters["status"] == 0, fighters["hp"], 0) @ self._sides.T
        shares: Floats = left / np.maximum(fighters["hp_max"] @ self._sides.T, 1)
        margins: Floats = shares[:, side] - (shares.sum(axis=1) - shares[:, side]) / max(1, len(self._sides) - 1)
        return margins


def drawn(weights: Floats, batch: Any, rng: np.random.Generator) -> ActionArray:
    """Return a legal action for each seat that is asked, drawn by weights (seats, actions); 0 for the others."""
    actions: ActionArray = np.zeros(batch.asked.shape, np.int64)
    slots, seats = batch.asked.nonzero()
    steps = np.cumsum(batch.masks[slots, seats] * weights[seats], axis=1)
    marks = rng.random(len(slots)) * steps[:, -1]
    actions[slots, seats] = (steps > marks[:, None]).argmax(axis=1)
    return actions
