"""Fitted Shapley iteration: networks learn to solve a duel, state by state, without playing a fight.

A state of a duel is the hit points and heart dice of both fighters. In each state the stances are a matrix game. Its
entries are the exact probabilities of every hit, by the rules of the engine, times the critic's values of the resulting
states. An update draws random states, solves their games, and teaches the networks the result: the critic learns the
values, and the policy the mixes of stances. The policy's loss is its regret, which is the gain of a best response to it
in this round, plus a small multiple of its divergence from the solved mix. The solution of a game is a mix, so there
are no cycles as in self-play, and the many slightly wrong solutions of an imprecise critic average out in the policy.

At each checkpoint NashConv is measured exactly: the sum of the gains of best responses to the policy in both seats.

Sources: Shapley, Stochastic Games, PNAS 1953; for fitted value iteration, Munos and Szepesvari, JMLR 2008.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from heartrush_agents.heart_rush.learned.duel_rows import SeatWindows, differing, read_windows
from heartrush_agents.learned.network import Network
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import softplus

from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, STANCES
from heartrush_env.research.best_response import exploitability
from heartrush_env.research.duel import NOTHING, Duel, N
from heartrush_env.research.plain.kernel import solve_states
from heartrush_env.research.plain.policy import Policy, own_side
from heartrush_env.research.solve import read_duel, solve
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.research.zero_sum import SolverError
from heartrush_train.config import ShapleyConfig, TrainingError
from heartrush_train.heart_rush.exact import read_tables
from heartrush_train.net_run import AveragedRun
from heartrush_train.schedules import geometric

SCALED = 4096  # random states of each window for scaling the networks' inputs
ANSWERS = 4  # a step learns from one attack or shrug window per ANSWERS states
Floats = NDArray[Any]
Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Solved:
    """States of a duel with their solved games, as one seat sees them."""

    numbers: Whole  # (n, 4): the states, the seat's own numbers first
    values: Floats  # (n,)
    games: Floats  # (n, own stances, other's stances)
    mixes: Floats  # (n, own stances)
    attacks: Floats  # (n, attacking stances): the seat's probability of attacking in a shared stance

    def part(self, rows: Any) -> Self:
        """Return the states at these indices."""
        return type(self)(*(array[rows] for array in vars(self).values()))


class ShapleyRun(AveragedRun):
    """A run of fitted Shapley iteration on a duel under the profile "plain"; see shapley_levels.py for "levels"."""

    table: Tablebase  # the exact solution

    def __init__(self, config: ShapleyConfig, folder: Path) -> None:
        """Read the duel's probabilities and the observations of its states, and create new networks."""
        super().__init__(config, folder, config.n_states)
        try:
            self.duel = read_duel(self.game)
        except SolverError as problem:
            raise TrainingError(f"The recipe shapley needs a duel that can be solved, but {problem}") from None
        if any(self.duel.below):
            raise TrainingError(
                f"The recipe shapley cannot learn {self.game.scenario_name!r}: fighters may go on below 0 hit points, "
                "but only duels that end at 0 can be learned."
            )
        seats = windows_of(self.duel)
        self.columns = self.columns_of(seats)
        self.seats = [seat.only(self.columns) for seat in seats]
        self.states = self.states_to_draw()
        place = {name: number for number, name in enumerate(self.game.action_names)}
        self.stances = [place[f"stance {stance}"] for stance in STANCES]
        self.attacking = [place["pass"], place.get("attack 1", place["pass"])]
        self.shrugging = [place.get("take", place["pass"]), place.get("shrug", place["pass"])]
        self.create_networks(self._scale(), len(place))

    def columns_of(self, seats: list[SeatWindows]) -> Whole:
        """Return the indices of the features that the networks read."""
        return differing(seats)

    def states_to_draw(self) -> Whole:
        """Return the states, (n, axes), from which training draws random states."""
        states = np.argwhere(np.ones(self.duel.shape, np.bool_))
        return states[(states[:, :2] > 0).all(axis=1)]

    # -- one update ----------------------------------------------------------------------------------------------------

    def next_update(self, rng: np.random.Generator) -> None:
        """Solve random states with the critic's values, and learn from them."""
        self.update += 1
        config = self.config
        self.set_rate(geometric(config.learning_rate, config.final_learning_rate, self.done))
        solved, after = self.draw(rng)
        shuffled = rng.permutation(len(solved[0].values))
        for rows in np.array_split(shuffled, max(1, config.n_states // config.batch_size)):
            terms: dict[str, Tensor] = {}
            for seat, side, later in zip(self.seats, solved, after, strict=True):
                for name, loss in self.losses_of(seat, side.part(rows), later, rng):
                    terms[name] = terms.get(name, torch.zeros(())) + loss
            self.descend_all(terms)
        self.move_average()

    def draw(self, rng: np.random.Generator) -> tuple[tuple[Solved, Solved], tuple[Any, Any]]:
        """Draw and solve random states; return them, and the values of all states after a round, for both seats."""
        values = self.values()
        solved = self.solve(self.states[rng.integers(len(self.states), size=self.config.n_states)], values)
        return solved, (values, own_side(values, 1))

    @torch.no_grad()
    def values(self) -> Floats:
        """Return the critic's value of every state for the first fighter, averaged over both sides' views."""
        values = self.duel.new_values()
        first, other = (
            self.nets.value(self.nets.scaled(seat.stance.rows(only(numbers), numbers)))[:, 0].numpy()
            for seat, numbers in zip(self.seats, both_sides(self.states), strict=True)
        )
        values[tuple(self.states.T)] = np.clip(0.5 * (first - other), -1.0, 1.0)
        return values

    def solve(self, states: Whole, values: Floats) -> tuple[Solved, Solved]:
        """Return these states with their games solved, for each seat, given the values of all states after a round."""
        n = len(states)
        found, games = np.zeros(n), np.zeros((n, N, N))
        mixes, attacks = np.zeros((n, 2, N)), np.ones((n, 2, ATTACKING_STANCES))
        solve_states(states, values, self.duel.arrays, found, games, mixes, attacks)
        own, other = both_sides(states)
        return (
            Solved(own, found, games, mixes[:, 0], attacks[:, 0]),
            Solved(other, -found, -games.transpose(0, 2, 1), mixes[:, 1], attacks[:, 1]),
        )

    def losses_of(
        self, seat: SeatWindows, solved: Solved, after: Floats, rng: np.random.Generator
    ) -> Iterator[tuple[str, Tensor]]:
        """Yield the losses of one step in a seat's windows; `after` holds the seat's values of states after a round."""
        logits, values = self.nets(seat.stance.rows(only(solved.numbers), solved.numbers))
        games, found, mixes = (tensor(array) for array in (solved.games, solved.values, solved.mixes))
        yield from self.losses_of_mixes(logits[:, self.stances], values, games, found, mixes).items()
        some = solved.part(np.arange(0, len(solved.values), ANSWERS))
        if seat.attack is not None:
            yield from self.attack_losses(seat, some, rng)
        if seat.shrug is not None:
            which, numbers, taken, shrugged = self.random_hits(seat, some, after, rng)
            if len(which):
                logits, values = self.nets(seat.shrug.rows(which, numbers))
                margin, gain = logits[:, self.shrugging[1]] - logits[:, self.shrugging[0]], tensor(shrugged - taken)
                yield "shrug", (gain.abs() * softplus(-margin * gain.sign())).mean()
                best = tensor(np.maximum(taken, shrugged))
                yield "value of hits", (values - best).square().mean() / ANSWERS

    def attack_losses(
        self, seat: SeatWindows, solved: Solved, rng: np.random.Generator
    ) -> Iterator[tuple[str, Tensor]]:
        """Yield the losses in a random attack window of each of these states."""
        assert seat.attack is not None
        which = rng.integers(len(seat.pairs), size=len(solved.values))
        own, other = np.array(seat.pairs)[which].T
        logits, values = self.nets(seat.attack.rows(which, solved.numbers))
        rows, often = np.arange(len(which)), np.ones(len(which))
        if seat.duel.mutual:
            often = np.where(own == other, solved.attacks[rows, np.minimum(own, ATTACKING_STANCES - 1)], 1.0)
        margin = logits[:, self.attacking[1]] - logits[:, self.attacking[0]]
        yield "attack", self.config.kl_coef * (softplus(margin) - tensor(often) * margin).mean()
        yield "value after stances", (values - tensor(solved.games[rows, own, other])).square().mean() / ANSWERS

    def random_hits(
        self, seat: SeatWindows, solved: Solved, after: Any, rng: np.random.Generator
    ) -> tuple[Whole, Whole, Floats, Floats]:
        """Draw a random hit in each state in which the seat can choose to shrug it off.

        Returns:
            For each such state: the index of the hit's shrug window, the numbers of the state with the hit, and the
            seat's values of taking the hit and of shrugging it off.
        """
        duel, numbers, exchanges = seat.duel, solved.numbers, np.flatnonzero(seat.shrug_of != NOTHING)
        chosen = exchanges[rng.integers(len(exchanges), size=len(numbers))]
        most = self.largest_hits(duel, numbers, chosen)
        hits = rng.integers(1, np.maximum(most, 1) + 1)
        choice = (numbers[:, 2] > 0) & (most > 0) & (duel.halves[hits] < numbers[:, 0])
        solved, chosen, hits = solved.part(choice), chosen[choice], hits[choice]
        taken, shrugged = self.after_hits(duel, solved, chosen, hits, after)
        return seat.shrug_of[chosen], np.column_stack([solved.numbers, hits]), taken, shrugged

    def largest_hits(self, duel: Duel, numbers: Whole, exchanges: Whole) -> Whole:
        """Return the maximum damage to the seat in each of these states, in the exchange given for it."""
        most: Whole = duel.most[numbers[:, 2], numbers[:, 3], exchanges, 0]
        return most

    def after_hits(
        self, duel: Duel, solved: Solved, exchanges: Whole, hits: Whole, after: Any
    ) -> tuple[Floats, Floats]:
        """Return the seat's values of taking a hit in each of these states, and of shrugging it off."""
        own, other, heart, other_heart = solved.numbers.T
        taken = after[np.maximum(0, own - hits), other, heart, other_heart]
        return taken, after[np.maximum(0, own - duel.halves[hits]), other, heart - 1, other_heart]

    # -- the policy as tables, for exact evaluation --------------------------------------------------------------------

    def measure(self) -> float:
        """Measure the exact NashConv of the policy that would be exported now."""
        return exploitability(self.table, (self.policy(self.seats[0]), self.policy(self.seats[1]))).nash_conv

    def policy(self, seat: SeatWindows) -> Policy:
        """Return the policy of the averaged network in every state."""
        return read_tables(seat, self._logits)

    @torch.no_grad()
    def _logits(self, rows: Floats, actions: list[int]) -> Floats:
        logits: Floats = self.average.policy(self.average.scaled(rows)).numpy()[:, actions]
        return logits

    def _scale(self) -> Floats:
        """Return observations of random states in every window, for scaling the networks' inputs."""
        rng, rows = np.random.default_rng(0), []
        for seat, numbers in zip(self.seats, both_sides(self.states), strict=True):
            for windows in seat.kinds():
                some = numbers[rng.integers(len(numbers), size=SCALED)]
                if len(windows.tables) > some.shape[1]:
                    some = np.column_stack([some, rng.integers(1, len(self.duel.halves), SCALED)])
                rows.append(windows.rows(rng.integers(len(windows.base), size=SCALED), some))
        return np.concatenate(rows)

    # -- the interface of Run ------------------------------------------------------------------------------------------

    def exact_solution(self) -> Tablebase:
        """Solve the duel exactly."""
        return solve(self.game)

    def begin(self, logs: Path) -> None:
        """Solve the duel exactly for measurements, and open the TensorBoard log."""
        self.table = self.exact_solution()
        super().begin(logs)

    def take_results(self) -> tuple[dict[str, float], dict[str, float]]:
        """Measure NashConv; return the mean losses since the last call, without scores, as there are no fights."""
        self.nash_conv = self.measure()
        self.writer.add_scalar("exploitability/nash_conv", self.nash_conv, self.samples)
        return {}, self.take_losses()

    def network(self) -> Network:
        """Return the moving average of the networks."""
        return self.average.network(self.columns, len(self.game.feature_names))


def windows_of(duel: Duel) -> list[SeatWindows]:
    """Read the windows of both seats; raise TrainingError if that fails."""
    try:
        return [read_windows(side) for side in (duel, duel.turned())]
    except SolverError as problem:
        raise TrainingError(f"The recipe shapley cannot learn this scenario: {problem}") from None


def both_sides(states: Whole) -> tuple[Whole, Whole]:
    """Return the states as each seat sees them, with the seat's own numbers first."""
    return states, states[:, [axis ^ 1 for axis in range(states.shape[1])]]


def only(numbers: Whole) -> Whole:
    """Return the window index 0 for each state, for kinds of windows of which there is only one."""
    return np.zeros(len(numbers), np.int64)


def tensor(array: Floats) -> Tensor:
    """Convert an array to a float32 tensor."""
    return torch.from_numpy(np.ascontiguousarray(array, np.float32))
