"""One network for all plain duels: it learns the solutions of random duels, and plays duels that it has never seen.

A plain duel is solved exactly in 0.1 s (research/plain). So training keeps a pool of solved random duels
(scenario/random_duels.py). Each update replaces some of them, draws random states from the pool, and teaches the
networks: the critic learns the value of each state, and the policy its mix. As in the recipe `shapley`, the policy's
loss is its regret, which is the gain of a best response to it in this round, plus a small multiple of its divergence
from the solved mix. The networks read the hit probabilities that dice, weapons and armor give (duel_view.py), so they
can play with dice, weapons and armor from outside the training. Might, agility and cunning beat each other in a circle,
so every duel also yields two more, in which the three stances are rotated.

At each checkpoint NashConv is measured exactly, on some of the training duels and on some duels in which both fighters
have held-out dice, weapons and defenses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from heartrush_agents.heart_rush.learned.duel_view import COLUMNS, TURNED_COLUMNS, TURNED_STANCES, DuelView
from heartrush_agents.heart_rush.learned.duelist import Ranges, claims, nash_conv
from heartrush_agents.learned.network import Network
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.game import HeartRush, as_heart_rush
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES
from heartrush_env.research.duel import Duel, N, read_plain
from heartrush_env.research.plain.kernel import solve_states
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.tabletop.registry import open_game
from heartrush_train.config import AllDuelsConfig, TrainingError
from heartrush_train.net_run import AveragedRun
from heartrush_train.schedules import geometric

APART = 1_000_000  # distance between the first duel numbers of consecutive seeds
DRAWN = 64  # duels of the pool from which an update draws states
CANDIDATES = 4  # candidate states for each state drawn
DECIDED = 0.05  # the sampling weight of a decided state; an even state has 1 more
Floats = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Solved:
    """A solved duel, ready for drawing states."""

    duel: Duel
    values: Floats  # value of every state for the first fighter
    views: tuple[DuelView, DuelView]

    @classmethod
    def of(cls, game: HeartRush) -> Solved:
        """Solve a duel."""
        duel = read_plain(game)
        table = Tablebase.empty(duel, None)
        table.values[0] = duel.new_values()
        table.solve_part(0)
        return cls(duel, np.ascontiguousarray(table.values[0]), (DuelView(duel), DuelView(duel.turned())))

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Floats, Floats, Floats]:
        """Draw random states for both sides: the networks' input, the values, the stance games and the mixes.

        States in which neither side leads are drawn more often, because no mix costs much in a nearly decided state.
        The stances are rotated by a random number of steps, which gives another valid duel.
        """
        states = rng.integers([1, 1, 0, 0], self.duel.shape, (CANDIDATES * n, 4))
        # Gumbel top-k: the n largest sums are a sample without replacement with these weights.
        weights = DECIDED + 1.0 - np.abs(self.values[tuple(states.T)])
        states = states[np.argsort(-np.log(weights) - rng.gumbel(size=len(states)))[:n]]
        values, games = np.zeros(n), np.zeros((n, N, N))
        mixes, attacks = np.zeros((n, 2, N)), np.ones((n, 2, ATTACKING_STANCES))
        solve_states(states, self.values, self.duel.arrays, values, games, mixes, attacks)
        rows = [view.rows(own) for view, own in zip(self.views, (states, states[:, [1, 0, 3, 2]]), strict=True)]
        step = int(rng.integers(ATTACKING_STANCES))
        stances = TURNED_STANCES[step]
        return (
            np.concatenate(rows)[:, TURNED_COLUMNS[step]],
            np.concatenate([values, -values]),
            np.concatenate([games, -games.transpose(0, 2, 1)])[:, stances][:, :, stances],
            np.concatenate([mixes[:, 0], mixes[:, 1]])[:, stances],
        )


class AllDuelsRun(AveragedRun):
    """A run that teaches one network the solutions of random duels."""

    config: AllDuelsConfig

    def __init__(self, config: AllDuelsConfig, folder: Path) -> None:
        """Solve the first duels and create new networks."""
        super().__init__(config, folder, config.n_states)
        settings = as_heart_rush(self.game).scenario.settings
        if settings.levels or settings.contested == "mutual":
            found = "levels" if settings.levels else "contested='mutual'"
            raise TrainingError(
                f"The recipe all_duels cannot learn {self.game.scenario_name!r} because of the setting {found}: it "
                "learns only the profile 'plain' of June 2025."
            )
        self.pool: list[Solved] = []
        self.pooled = -1  # the update to which the pool belongs
        first = [self.solved(k) for k in range(min(config.n_duels, DRAWN))]
        rng = np.random.default_rng(0)
        self.create_networks(np.concatenate([duel.draw(64, rng)[0] for duel in first]), N)
        self.means: dict[str, float] = {}

    # -- duels ---------------------------------------------------------------------------------------------------------

    def duel(self, number: int) -> HeartRush:
        """Return a random duel of this run, numbered from 0 in the order in which training draws them."""
        return self._game(f"random_duel:{self.config.seed * APART + number}")

    def solved(self, number: int) -> Solved:
        """Solve the random duel with this number."""
        return Solved.of(self.duel(number))

    def _game(self, scenario: str) -> HeartRush:
        return as_heart_rush(open_game({"scenario": scenario, "rules": self.config.rules, "memory": 0}, ""))

    @property
    def drawn(self) -> int:
        """The number of duels drawn so far."""
        return self.config.n_duels + self.update * self.config.new_duels

    def fill_pool(self) -> None:
        """Replace the oldest duels of the pool by those that are due at this update."""
        old, kept = self.drawn - self.config.n_duels, self.config.n_duels
        if self.pooled != self.update:
            fresh = min(kept, kept if self.pooled < 0 else (self.update - self.pooled) * self.config.new_duels)
            self.pool = self.pool[fresh:] + [self.solved(old + k) for k in range(kept - fresh, kept)]
            self.pooled = self.update

    # -- one update ----------------------------------------------------------------------------------------------------

    def improve(self, rng: np.random.Generator) -> None:
        """Draw states and learn their solutions."""
        config = self.config
        self.set_rate(geometric(config.learning_rate, config.final_learning_rate, self.done))
        chosen = rng.permutation(len(self.pool))[:DRAWN]
        each = -(-config.n_states // len(chosen))
        drawn = zip(*(self.pool[place].draw(each, rng) for place in chosen), strict=True)
        rows, *solved = (np.concatenate(parts) for parts in drawn)
        values, games, mixes = (torch.from_numpy(array.astype(np.float32)) for array in solved)
        scaled = self.nets.scaled(rows)
        shuffled = torch.from_numpy(rng.permutation(len(rows)))
        for some in shuffled.tensor_split(max(1, len(rows) // (2 * config.batch_size))):
            logits, critic = self.nets.policy(scaled[some]), self.nets.value(scaled[some])[:, 0]
            self.descend_all(self.losses_of_mixes(logits, critic, games[some], values[some], mixes[some]))
        self.move_average()

    # -- exact evaluation ----------------------------------------------------------------------------------------------

    def measure(self) -> dict[str, list[float]]:
        """Measure the exported network's exact NashConv on training duels and on held-out duels."""
        network, count = self.network(), self.config.measured_duels
        kinds: Mapping[str, Callable[[int], HeartRush]] = {
            "drawn": self.duel,
            "unseen": lambda number: self._game(f"unseen_duel:{number}"),
        }
        measured = partial(nash_conv, network)
        return {kind: [measured(game(number)) for number in range(count)] for kind, game in kinds.items()}

    # -- the interface of Run ------------------------------------------------------------------------------------------

    def learn_with(self, rng: np.random.Generator, updates: int, after_update: Callable[[], None]) -> None:
        """Make this number of updates, with all randomness from `rng`."""
        with _denormals_flushed():
            super().learn_with(rng, updates, after_update)

    def next_update(self, rng: np.random.Generator) -> None:
        """Replace the oldest duels of the pool, and learn the solutions of random states from the pool."""
        self.fill_pool()
        self.update += 1
        self.improve(rng)

    def take_results(self) -> tuple[dict[str, float], dict[str, float]]:
        """Measure NashConv; return the mean losses since the last call, without scores, as there are no fights."""
        found = self.measure()
        self.nash_conv = float(np.mean(found["drawn"]))
        self.means = {f"nash_conv_{kind}_{name}": float(of(values)) for kind, values in found.items()
                      for name, of in (("mean", np.mean), ("max", np.max))}  # fmt: skip
        for name, value in self.means.items():
            self.writer.add_scalar(f"exploitability/{name}", value, self.samples)
        return {}, self.take_losses()

    def network(self) -> Network:
        """Return the moving average of the networks."""
        return self.average.network(np.arange(COLUMNS), COLUMNS)

    def fits(self) -> dict[str, Any]:
        """Return the facts in which a plain duel must match the training for the network to play it."""
        return claims(as_heart_rush(self.game))

    def facts(self) -> dict[str, Any]:
        """Return facts about the training run, with the ranges of the fighters' figures in the duels drawn."""
        ranges = Ranges.of(self.duel(number).scenario for number in range(self.drawn))
        drawn = {"duels": self.drawn, "ranges": {key: list(ends) for key, ends in ranges.bounds.items()}}
        return {**super().facts(), **drawn}

    def _measured(self) -> dict[str, Any]:
        return {**super()._measured(), **self.means}


@contextmanager
def _denormals_flushed() -> Iterator[None]:
    """Run a block with denormal numbers flushed to 0, because tiny optimizer moments are slow otherwise."""
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_flush_denormal(False)
