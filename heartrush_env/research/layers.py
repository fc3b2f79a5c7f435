"""Solutions in layers: one layer for each number of rounds left, or a single layer without a round cap.

Each kind of fight has a table class, which divides its solution into parts and can solve a part once the earlier parts
are known. The order, the certificate, progress and checkpoints are common to all kinds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.checkpoint import Checkpoint
from heartrush_env.research.zero_sum import Floats, SolverError

Part = tuple[tuple[int, ...], list[Any]]  # its key, and the arrays that it fills
Progress = Callable[[int, int], None]  # parts solved, number of parts


class Solvable(Protocol):
    """A duel, or a fight of more than two, that can be solved."""

    @property
    def game(self) -> HeartRush:
        """The game."""

    @property
    def states(self) -> int:
        """The number of states in which both sides have a fighter standing."""


class Layers(ABC):
    """The solution of every state of a fight."""

    rounds: int | None  # the cap, if it counts: layer t has t rounds left; otherwise one layer without a cap
    values: Floats  # (layers, state...): P(win) - P(loss) for the first side
    certificate: float  # the most that either side could gain by another choice in any single round

    @property
    @abstractmethod
    def start(self) -> tuple[int, ...]:
        """The state at the start."""

    @property
    def value(self) -> float:
        """The value for the first side, P(win) - P(loss), if both play this solution from the start."""
        return float(self.values[-1][self.start])

    def layer(self, rounds_left: int | None = None) -> int:
        """Return the layer for this number of rounds left, including the one to be played; by default all rounds."""
        if self.rounds is None:
            return 0
        left = self.rounds if rounds_left is None else rounds_left
        if not 0 <= left <= self.rounds:
            raise SolverError(f"rounds left: expected 0 to {self.rounds}, got {left}.")
        return left

    def after(self, layer: int) -> Floats:
        """Return the values of states after a round that starts with this number of rounds left."""
        found: Floats = self.values[0 if self.rounds is None else max(0, layer - 1)]
        return found

    def left_in(self, number: int) -> int | None:
        """Return how many rounds are left as this round begins, including it; None if the cap does not matter."""
        return None if self.rounds is None else max(1, self.rounds - number + 1)

    @abstractmethod
    def arrays(self) -> dict[str, Any]:
        """Return all arrays by name, each with an axis of layers first."""

    def parts(self) -> list[Part]:
        """Return the parts of the solution, by default one per layer: the key of each, and the arrays that it fills."""
        return [((layer,), [array[layer] for array in self.arrays().values()]) for layer in self.solved_layers()]

    def solved_layers(self) -> range:
        """Return the layers to solve, in order; with a cap, the rules give the layer with no rounds left."""
        return range(0 if self.rounds is None else 1, len(self.values))

    @abstractmethod
    def solve_part(self, *key: int) -> float:
        """Solve the part with this key; return its certificate."""


Table = TypeVar("Table", bound=Layers)


def layers_of(rounds: int | None) -> int:
    """Return the number of layers of a solution: one for each number of rounds left, or a single one without a cap."""
    return 1 if rounds is None else rounds + 1


def solve_layers(table: Table, progress: Progress | None = None, kept: Checkpoint | None = None) -> Table:
    """Solve a table part by part, resuming from a checkpoint; the values of endings must already be filled in."""
    parts = table.parts()
    gaps = np.zeros((len(parts), 1))
    done = kept.read([[*arrays, gaps[k]] for k, (_, arrays) in enumerate(parts)]) if kept is not None else 0
    for number in range(done, len(parts)):
        key, arrays = parts[number]
        gaps[number] = table.solve_part(*key)
        if kept is not None:
            kept.add([*arrays, gaps[number]])
        if progress:
            progress(number + 1, len(parts))
    table.certificate = float(gaps.max())
    return table


def check_memory(solved: Solvable, rounds: int | None, needed: int, allowed: int) -> None:
    """Raise SolverError if a solution needs more bytes than allowed."""
    if needed > allowed:
        layers = "" if rounds is None else f" with up to {rounds} rounds left"
        raise SolverError(
            f"The solution of {solved.game.scenario_name!r} ({solved.states} states{layers}): expected at most "
            f"{allowed / 2**20:.2f} MB, got {needed / 2**20:.2f} MB."
        )
