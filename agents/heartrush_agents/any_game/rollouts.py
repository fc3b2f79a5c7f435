"""Fights played forward: the rehearsal, from which the policy of roll-outs learns, and the roll-outs of the search.

Hit points, sides and winners are the same fields in every game of tables.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.any_game.policy import Floats, Policy
from heartrush_agents.any_game.positions import Library, repeated
from heartrush_env.tabletop.game import FlagArray
from heartrush_env.tabletop.table_game import TableGame

Scripts = NDArray[np.int64]  # (slots, seats, choices): the first choices of each seat; FREE for one that is drawn

FREE: Final = -1
SLOTS: Final = 128  # fights that are played side by side
HORIZON: Final = 28  # steps of a roll-out
REHEARSALS, STEPS, KEPT = 3, 200, 4  # rounds of the rehearsal, steps of each, and positions kept of each step
MOST_PICKS: Final = 256  # more than the codes of all picks
FADES: Final = 0.94  # the weight of a hit point that is lost one window later


def same_game(game: TableGame, reward: str) -> TableGame:
    """Return the game with another reward and without a limit of steps."""
    return type(game).open_table({**game.as_table(), "reward": reward, "max_cycles": None}, "")


class Rehearsal:
    """Fights of a policy against itself, which train the policy of roll-outs and fill the library of positions."""

    def __init__(self, game: TableGame, slots: int = SLOTS, steps: int = STEPS) -> None:
        """Play `slots` fights at once for `steps` steps; equal games always give equal policies and libraries."""
        self.game, self._slots, self._steps = same_game(game, "hp_change"), slots, steps
        self.library = Library(self.game)
        self.policy = Policy(self.game)
        for number in range(REHEARSALS):
            self._play(number)

    def _play(self, number: int) -> None:
        """Play many fights with the current policy, add some positions to the library, and improve the policy."""
        rng, batch = np.random.default_rng(number), self.game.batch(self._slots)
        batch.start(range(self._slots), number, range(self._slots))
        told = []
        for _ in range(self._steps):
            actions = self.policy.drawn(batch, rng)
            slots, seats = batch.asked.nonzero()
            kinds = self.policy.kinds(batch, slots, seats, actions[slots, seats])
            moments = batch.records["window"][slots].astype(np.intp) * MOST_PICKS
            moments += batch.records["fighters"]["picking"][slots, seats]
            self._keep(batch, rng)
            batch.step(actions, autoreset=True)
            kept = np.where(batch.ended, 0.0, fading(batch))
            told.append((slots, seats, kinds, moments, batch.rewards.copy(), kept))
        later, gains = np.zeros(batch.out.shape), []
        for slots, seats, *_, rewards, kept in reversed(told):
            later = rewards + kept[:, None] * later
            gains.append(later[slots, seats])
        seats, kinds, moments = (np.concatenate([each[place] for each in told]) for place in (1, 2, 3))
        found, where = np.concatenate(gains[::-1]), (seats, moments)
        sums, counts = np.zeros((2, int(seats.max()) + 1, int(moments.max()) + 1))
        np.add.at(sums, where, found)
        np.add.at(counts, where, 1)
        self.policy.learn(seats, kinds, found - sums[where] / counts[where])

    def _keep(self, batch: Any, rng: np.random.Generator) -> None:
        """Add some of the positions in which a fighter is asked for a whole choice to the library."""
        slots, seats = (batch.asked & (batch.records["fighters"]["picking"][:, : batch.asked.shape[1]] == 0)).nonzero()
        for at in rng.permutation(len(slots))[:KEPT].tolist():
            slot, seat = int(slots[at]), int(seats[at])
            self.library.add(batch.copy_of(slot), seat, batch.observations[slot, seat])


class Rollouts:
    """Roll-outs of one game: positions that are played forward in many slots."""

    def __init__(self, game: TableGame, policy: Policy, slots: int = SLOTS) -> None:
        """Make room for a number of fights, which `policy` plays."""
        self.game, self.policy, self.slots = same_game(game, "win"), policy, slots
        self.batch = self.game.batch(slots)
        self._sides = np.array([[team == side for team in game.team_of] for side in range(len(game.sides))], np.float64)

    def put(self, fights: Any, rng: np.random.Generator, alike: int = 1) -> None:
        """Set up positions, (slots,), with new dice; each group of `alike` positions has equal dice."""
        fights["key"] = np.repeat(rng.integers(2**63, size=self.slots), alike)[: self.slots]
        for name in ("draw", "given_count", "given_used"):
            fights[name] = 0
        self.batch.put(fights)

    def play(self, fights: Any, scripts: Scripts, seat: int, rng: np.random.Generator, alike: int) -> Floats:
        """Play positions forward, and return the improvement of each position for a seat's side.

        A position is worth the side's share of hit points minus its enemies' mean share; an ended fight, its reward.
        Later changes count less.

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
        before, share = self._margins(side), np.ones(self.slots)
        for _ in range(HORIZON):
            self.step(scripts, done, live, rng)
            margins = np.where(batch.ended, batch.rewards[:, seat], self._margins(side))
            worth[live] += (share * (margins - before))[live]
            share *= fading(batch)
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
        """Play one window in each slot; seats follow their scripts while these continue and are legal."""
        batch = self.batch
        actions = self.policy.drawn(batch, rng)
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


def fading(batch: Any) -> Floats:
    """Return the weight of a hit point lost one step later, in each slot; 1 if a pick continues the window."""
    found: Floats = np.where(batch.records["fighters"]["picking"].any(axis=1), 1.0, FADES)
    return found
