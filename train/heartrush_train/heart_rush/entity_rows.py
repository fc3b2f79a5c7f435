"""Decisions from fights of any size, stored row by row so that minibatches can be drawn from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from heartrush_agents.heart_rush.learned.entity_view import Seen
from numpy.typing import NDArray

Floats = NDArray[Any]
Whole = NDArray[np.int64]
OF_ROWS = ("viewer", "moment", "own", "fighters", "relations", "loadouts")
OF_CHOICES = ("slot", "target", "ability")
OF_SQUARES = ("squares", "apart")
BY_FIGHTER = {"fighters": 1, "relations": 1, "loadouts": 1, "apart": 1}  # the fighters' axis


@dataclass(frozen=True, eq=False)
class Rows:
    """Decisions, each with its choices in the order of its legal actions.

    Attributes:
        parts: The arrays of Seen by name; the fighters are stored for each row.
        starts: (rows + 1,): the first choice of each row.
        square_starts: (rows + 1,): the first square of each row.
        ordinal: (squares,): the index of each square's choice within its row.
        more: Further arrays, such as the chosen actions: (rows, ...).
        shares: (choices,): a probability of each choice.
    """

    parts: dict[str, Any]
    starts: Whole
    square_starts: Whole
    ordinal: Whole
    more: dict[str, Any]
    shares: Floats

    def __len__(self) -> int:
        return len(self.starts) - 1

    @classmethod
    def of(cls, seen: Seen, shares: Floats, **more: Any) -> Rows:
        """Convert a network's input to rows; `shares` (rows, width) has a probability of each choice."""
        rows = len(seen.viewer)
        starts = np.searchsorted(seen.row, np.arange(rows + 1))
        of_square = seen.row[seen.at]
        parts = {name: getattr(seen, name) for name in (*OF_ROWS, *OF_CHOICES, *OF_SQUARES)}
        parts["fighters"] = seen.fighters[seen.fights]
        return cls(
            parts,
            starts,
            np.searchsorted(of_square, np.arange(rows + 1)),
            seen.at - starts[of_square],
            dict(more),
            shares[seen.row, seen.column],
        )

    @classmethod
    def joined(cls, several: Sequence[Rows]) -> Rows:
        """Concatenate rows, padded to the largest number of fighters."""
        parts = {}
        for name in several[0].parts:
            arrays = [rows.parts[name] for rows in several]
            parts[name] = None if arrays[0] is None else np.concatenate(_widened(arrays, BY_FIGHTER.get(name)))
        return cls(
            parts,
            _ends(several, "starts"),
            _ends(several, "square_starts"),
            np.concatenate([rows.ordinal for rows in several]),
            {name: np.concatenate([rows.more[name] for rows in several]) for name in several[0].more},
            np.concatenate([rows.shares for rows in several]),
        )

    def take(self, chosen: Whole) -> Rows:
        """Return the chosen rows."""
        choices, starts = _spans(self.starts, chosen)
        squares, square_starts = _spans(self.square_starts, chosen)
        parts = {}
        for name, array in self.parts.items():
            places = choices if name in OF_CHOICES else squares if name in OF_SQUARES else chosen
            parts[name] = None if array is None else array[places]
        more = {name: array[chosen] for name, array in self.more.items()}
        return Rows(parts, starts, square_starts, self.ordinal[squares], more, self.shares[choices])

    def seen(self) -> Seen:
        """Return the rows as a network's input, in tensors; output columns follow the order of each row's choices."""
        counts = np.diff(self.starts)
        row = np.repeat(np.arange(len(self)), counts)
        column = np.arange(len(row)) - self.starts[row]
        of_square = np.repeat(np.arange(len(self)), np.diff(self.square_starts))
        given = {"row": row, "column": column, "at": self.starts[of_square] + self.ordinal, **self.parts}
        width, fights = int(counts.max()), np.arange(len(self))
        return Seen(width=width, fights=fights, **given).converted(torch.from_numpy)

    def dense_shares(self) -> torch.Tensor:
        """Return the probabilities of the choices, (rows, the most choices of any row), 0 for padding."""
        counts = np.diff(self.starts)
        row = np.repeat(np.arange(len(self)), counts)
        dense = np.zeros((len(self), int(counts.max())), np.float32)
        dense[row, np.arange(len(row)) - self.starts[row]] = self.shares
        return torch.from_numpy(dense)


def _widened(arrays: Sequence[Any], axis: int | None) -> Sequence[Any]:
    """Pad the arrays with 0 for absent fighters, so that all have the same number of them."""
    if axis is None:
        return arrays
    most = max(array.shape[axis] for array in arrays)
    return [
        np.pad(array, [(0, most - array.shape[k] if k == axis else 0) for k in range(array.ndim)]) for array in arrays
    ]


def _ends(several: Sequence[Rows], name: str) -> Whole:
    """Return the array `name` of the joined rows: "starts" or "square_starts"."""
    counts = np.concatenate([np.diff(getattr(rows, name)) for rows in several])
    return np.concatenate([[0], np.cumsum(counts)])


def _spans(starts: Whole, chosen: Whole) -> tuple[Whole, Whole]:
    """Return the indices of the chosen rows' items, and the start of each chosen row among them."""
    counts = np.diff(starts)[chosen]
    begins = np.concatenate([[0], np.cumsum(counts)])
    places = np.arange(begins[-1]) + np.repeat(starts[chosen] - begins[:-1], counts)
    return places, begins
