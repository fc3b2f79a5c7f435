"""A network for duels in beats, taught by their exact solutions, as the recipe all_duels teaches plain duels.

A duel in beats is solved exactly in seconds (research/beats). Every decision in it is a small game: the choices, the
answers of those that have hit, and the answers of those that were hit. An update draws random states of each kind from
the solved duels, and teaches the networks: the critic learns the value of each state, and the policy its mix. The
policy's loss is its regret, which is the gain of a best response to it in this game, plus a small multiple of its
divergence from the solved mix. The networks read what the rules make of a state (beat_view.py).

At each checkpoint NashConv is measured exactly in every duel.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from heartrush_agents.heretics.beat_network import BeatNetwork, nodes_of
from heartrush_agents.heretics.beat_view import CHOOSE, COLUMNS, KINDS, OUTPUTS, SHIELD, SUNDER, BeatView
from heartrush_agents.learned.network import Network

from heartrush_env.research.beats.figures import CHOICES, read_duel
from heartrush_env.research.beats.solve import BeatTable, answer, choose, gains, game_of, solve
from heartrush_env.research.zero_sum import Floats, SolverError
from heartrush_env.tabletop.game import Game
from heartrush_train.config import BeatsConfig, TrainingError
from heartrush_train.net_run import AveragedRun
from heartrush_train.schedules import geometric

SCALED_BY = 4096  # states of each kind, for scaling the networks' inputs
BEATS_DRAWN = 4  # numbers of beats left in each update, for each duel
OFFERED = 4  # candidate states for each state drawn
LAST = 12  # half of the drawn numbers of beats left are among the last ones, where the mixes change most
LEAST_WEIGHT = 0.05  # the sampling weight of a decided state; an even state has 1 more
SHARES = {CHOOSE: 0.5, SUNDER: 0.2, SHIELD: 0.3}  # of the states of an update, by kind


@dataclass(frozen=True, eq=False)
class Drawn:
    """States of one kind, as the networks learn them."""

    rows: Any  # (n, COLUMNS), as the networks read them
    values: Floats  # (n,)
    games: Floats  # (n, own choices, other's choices)
    mixes: Floats  # (n, own choices)

    @classmethod
    def together(cls, parts: list[Drawn]) -> Drawn:
        """Return the states of all parts."""
        return cls(*(np.concatenate(arrays) for arrays in zip(*(vars(part).values() for part in parts), strict=True)))


class Solved:
    """A solved duel, ready for drawing states."""

    def __init__(self, game: Game) -> None:
        """Solve the duel of a game; raise SolverError if it is not one that can be solved."""
        duel = read_duel(game)
        self.table: BeatTable = solve(duel)
        self.game = game_of(duel)
        self.views = BeatView(self.game, 0), BeatView(self.game, 1)
        self._kept: dict[int, Any] = {}

    def _games(self, left: int) -> Any:
        """Return the values, games and mixes of all nodes with this number of beats left."""
        if left not in self._kept:
            self._kept[left] = tuple(part.astype(np.float32) for part in self._computed(left))
        return self._kept[left]

    def _computed(self, left: int) -> Any:
        game, after = self.game, self.table.values[left - 1]
        leaves = game.leaves(after)
        blows, *_ = answer(leaves)
        rolled, *_ = answer(blows)
        return game.games(rolled), blows, leaves

    def draw(self, kind: int, n: int, left: int, rng: np.random.Generator) -> Drawn | None:
        """Draw random states of a kind for both duelists; None if nobody is asked in such nodes.

        States in which neither side leads are drawn more often, because no mix costs much in a nearly decided state.
        """
        parts = []
        for seat in (0, 1):
            count = len(nodes_of(self.game, seat, kind).states)
            if count:
                places = rng.integers(count, size=OFFERED * (n // 2))
                states, games = self.nodes(seat, kind, left, places)
                weights = LEAST_WEIGHT + 1.0 - np.abs(games.mean(axis=(1, 2)))
                # Gumbel top-k: the largest sums are a sample without replacement with these weights.
                chosen = np.argsort(-np.log(weights) - rng.gumbel(size=len(places)))[: n // 2]
                values, mixes = solved(games[chosen])
                parts.append(Drawn(self.views[seat].rows(kind, states[chosen]), values, games[chosen], mixes))
        return Drawn.together(parts) if parts else None

    def nodes(self, seat: int, kind: int, left: int, rows: Any) -> tuple[Any, Floats]:
        """Return the states at these rows of a duelist's nodes of a kind, and their games as the duelist sees them."""
        nodes, games = nodes_of(self.game, seat, kind), self._games(left)[kind]
        places = [axis[rows] for axis in nodes.places]
        each = (
            games[(*places, slice(None), slice(None))]
            if kind == CHOOSE
            else (games[(*places[:-2], slice(None), slice(None), *places[-2:])])
        )
        states = np.column_stack([nodes.states[rows], np.full(len(places[0]), left)])
        return states, (each if seat == 0 else -each.transpose(0, 2, 1)).astype(np.float64)


def solved(games: Floats) -> tuple[Floats, Floats]:
    """Return the values of small games, (n, own choices, other's choices), and the own mixes."""
    if games.shape[1] == len(CHOICES):
        values, mixes, _ = choose(games, None, None)
        return values, mixes
    values, chances, _ = answer(games[..., None, None])
    chance = np.asarray(chances, np.float64).reshape(-1)
    return values.reshape(-1), np.column_stack([1.0 - chance, chance])


class BeatsRun(AveragedRun):
    """A run that teaches a network the solutions of duels in beats."""

    config: BeatsConfig

    def __init__(self, config: BeatsConfig, folder: Path) -> None:
        """Solve the duels and create new networks."""
        super().__init__(config, folder, config.n_states)
        self.games = [self.game, *map(config.game, config.also)]
        try:
            self.duels = [Solved(game) for game in self.games]
        except SolverError as problem:
            raise TrainingError(f"The recipe beats needs duels that can be solved, but {problem}") from None
        rng = np.random.default_rng(0)
        some = [self._drawn(kind, SCALED_BY, rng) for kind in KINDS]
        self.create_networks(np.concatenate([each.rows for each in some if each is not None]), len(OUTPUTS))
        self.means: dict[str, float] = {}

    def _drawn(self, kind: int, n: int, rng: np.random.Generator) -> Drawn | None:
        """Draw states of a kind from all duels, with some numbers of beats left each."""
        parts = []
        each = max(2, n // (len(self.duels) * BEATS_DRAWN))
        for duel in self.duels:
            beats = duel.table.duel.beats
            for number in range(BEATS_DRAWN):
                most = min(LAST, beats) if number % 2 else beats
                drawn = duel.draw(kind, each, int(rng.integers(1, most + 1)), rng)
                parts += [] if drawn is None else [drawn]
        return Drawn.together(parts) if parts else None

    def next_update(self, rng: np.random.Generator) -> None:
        """Draw states and learn their solutions."""
        self.update += 1
        config = self.config
        self.set_rate(geometric(config.learning_rate, config.final_learning_rate, self.done))
        kinds = {kind: self._drawn(kind, int(share * config.n_states), rng) for kind, share in SHARES.items()}
        steps = max(1, config.n_states // config.batch_size)
        batches = {kind: self._batches(drawn, steps, rng) for kind, drawn in kinds.items() if drawn is not None}
        for step in range(steps):
            terms: dict[str, torch.Tensor] = {}
            for kind, parts in batches.items():
                for name, loss in self._losses(kind, *parts[step]).items():
                    terms[name] = terms.get(name, torch.zeros(())) + loss
            self.descend_all(terms)
        self.move_average()

    def _batches(self, drawn: Drawn, steps: int, rng: np.random.Generator) -> list[tuple[torch.Tensor, ...]]:
        """Return the states of a kind in a part for each step, with inputs scaled."""
        shuffled = torch.from_numpy(rng.permutation(len(drawn.values)))
        arrays = [self.nets.scaled(drawn.rows)]
        arrays += [torch.from_numpy(array.astype(np.float32)) for array in (drawn.values, drawn.games, drawn.mixes)]
        return [tuple(array[some] for array in arrays) for some in shuffled.tensor_split(steps)]

    def _losses(self, kind: int, scaled: Any, values: Any, games: Any, mixes: Any) -> dict[str, torch.Tensor]:
        """Return the losses of a batch of one kind, by name."""
        logits, critic = self.nets.policy(scaled), self.nets.value(scaled)[:, 0]
        own = logits[:, : len(CHOICES)] if kind == CHOOSE else logits[:, len(CHOICES) :]
        return self.losses_of_mixes(own, critic, games, values, mixes)

    # -- exact evaluation ----------------------------------------------------------------------------------------------

    def measure(self) -> list[float]:
        """Measure the exact NashConv of the exported network in every duel."""
        layers = self.network().policy
        found = []
        for duel in self.duels:
            played = BeatNetwork(duel.table.duel, layers)
            found.append(sum(gains(duel.table, played.policy(0), played.policy(1))))
        return found

    def take_results(self) -> tuple[dict[str, float], dict[str, float]]:
        """Measure NashConv; return the mean losses since the last call, without scores, as there are no fights."""
        each = self.measure()
        self.nash_conv = max(each)
        self.means = {f"nash_conv_{game.scenario_name}": value for game, value in zip(self.games, each, strict=True)}
        for name, value in self.means.items():
            self.writer.add_scalar(f"exploitability/{name}", value, self.samples)
        return {}, self.take_losses()

    # -- the interface of Run ------------------------------------------------------------------------------------------

    def network(self) -> Network:
        """Return the moving average of the networks."""
        return self.average.network(np.arange(COLUMNS), COLUMNS)

    @cached_property
    def _digests(self) -> list[str]:
        return [game.scenario_digest for game in self.games]

    def fits(self) -> dict[str, Any]:
        """Return the facts in which a duel in beats must match the training for the network to play it."""
        facts = {"shape": None, "tables": None, "view": "beats", "columns": COLUMNS}
        return {**facts, "rules": dict(self.game.rules), "memory": 0}

    def facts(self) -> dict[str, Any]:
        """Return facts about the training run, with the digests of the duels."""
        return {**super().facts(), "duels": self._digests}

    def _measured(self) -> dict[str, Any]:
        return {**super()._measured(), **self.means}
