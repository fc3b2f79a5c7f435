"""Decisions of many fights, of any size, kept row by row so that minibatches can be drawn from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from heartrush_agents.learned.entity_view import Seen
from numpy.typing import NDArray

Floats = NDArray[Any]
Whole = NDArray[np.int64]
OF_ROWS = ("viewer", "moment", "own", "fighters", "relations", "loadouts")
OF_CHOICES = ("slot", "target", "ability")
OF_SQUARES = ("squares", "apart")
BY_FIGHTER = {"fighters": 1, "relations": 1, "loadouts": 1, "apart": 1}  # the axis along which fighters lie


@dataclass(frozen=True, eq=False)
class Rows:
    """Decisions, each with its choices in the order of its legal actions.

    Attributes:
        parts: The arrays of Seen by name, with the fighters of each row beside it.
        starts: (rows + 1,): where the choices of each row begin.
        square_starts: (rows + 1,): where the squares of each row begin.
        ordinal: (squares,): which of its row's choices each square belongs to.
        more: Further arrays, such as what was chosen: (rows, ...).
        shares: (choices,): a probability of each choice, if there are any.
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
        """The rows of what a network reads; `shares` (rows, width) has a probability of each choice."""
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
        """All of them, with room for the most fighters of any."""
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
        """Some of the rows."""
        choices, starts = _spans(self.starts, chosen)
        squares, square_starts = _spans(self.square_starts, chosen)
        parts = {}
        for name, array in self.parts.items():
            places = choices if name in OF_CHOICES else squares if name in OF_SQUARES else chosen
            parts[name] = None if array is None else array[places]
        more = {name: array[chosen] for name, array in self.more.items()}
        return Rows(parts, starts, square_starts, self.ordinal[squares], more, self.shares[choices])

    def seen(self) -> Seen:
        """The rows as a network reads them, in tensors; the columns of the answer are the row's choices in order."""
        counts = np.diff(self.starts)
        row = np.repeat(np.arange(len(self)), counts)
        column = np.arange(len(row)) - self.starts[row]
        of_square = np.repeat(np.arange(len(self)), np.diff(self.square_starts))
        given = {"row": row, "column": column, "at": self.starts[of_square] + self.ordinal, **self.parts}
        width, fights = int(counts.max()), np.arange(len(self))
        return Seen(width=width, fights=fights, **given).converted(torch.from_numpy)

    def dense_shares(self) -> torch.Tensor:
        """The probabilities of the choices, (rows, the most choices of any row), 0 where there is none."""
        counts = np.diff(self.starts)
        row = np.repeat(np.arange(len(self)), counts)
        dense = np.zeros((len(self), int(counts.max())), np.float32)
        dense[row, np.arange(len(row)) - self.starts[row]] = self.shares
        return torch.from_numpy(dense)


def _widened(arrays: Sequence[Any], axis: int | None) -> Sequence[Any]:
    """The arrays with 0 for fighters that are not there, so that all have the same number of them."""
    if axis is None:
        return arrays
    most = max(array.shape[axis] for array in arrays)
    return [
        np.pad(array, [(0, most - array.shape[k] if k == axis else 0) for k in range(array.ndim)]) for array in arrays
    ]


def _ends(several: Sequence[Rows], name: str) -> Whole:
    """The starts of joined rows."""
    counts = np.concatenate([np.diff(getattr(rows, name)) for rows in several])
    return np.concatenate([[0], np.cumsum(counts)])


def _spans(starts: Whole, chosen: Whole) -> tuple[Whole, Whole]:
    """The places of what belongs to the chosen rows, and where each of them begins among these."""
    counts = np.diff(starts)[chosen]
    begins = np.concatenate([[0], np.cumsum(counts)])
    places = np.arange(begins[-1]) + np.repeat(starts[chosen] - begins[:-1], counts)
    return places, begins
