"""The solution of a small duel, found by playing out every choice and roll: the mixes in every position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.state.record import OVER, WINDOWS
from heartrush_env.research.full_rules.graph import Graph, Whole
from heartrush_env.research.full_rules.kernel import CAPPED, Values, look_up, stage_game, write_choices
from heartrush_env.research.full_rules.positions import WORDS, as_position
from heartrush_env.research.solution_file import read_solution, write_solution
from heartrush_env.research.tablebase import claims
from heartrush_env.research.zero_sum import Floats, SolverError, solve_matrix

FORMAT, FORMAT_VERSION = "heartrush-played", 1
KINDS = {
    "words": "<u8", "earliest": "<i8", "row_first": "<i8", "widths": "<i8", "row_start": "<i8", "leads": "<i4",
    "rounds": "<i2", "chances": "<f8",
}  # fmt: skip


@dataclass(eq=False)
class PlayedTable:
    """A solution of a duel, found by playing out every choice and roll."""

    graph: Graph
    values: Floats  # (rounds left, positions); after the last layer, another round changes nothing
    certificate: float  # the most that a side could gain by another choice in a single window
    best: float  # upper bound on the best response's score against the solution's second fighter
    least: float  # lower bound on the score of the solution's first fighter
    seconds: float

    @property
    def game(self) -> HeartRush:
        """The solved game."""
        return self.graph.game

    @property
    def rounds(self) -> int:
        """The number of rounds solved: the round cap, or fewer."""
        return self.graph.horizon

    @property
    def value(self) -> float:
        """The value for the first fighter, P(win) - P(loss), if both play this solution from the start."""
        return float(self.values[-1, 0])

    @property
    def gap(self) -> float:
        """An upper bound on the total gain of best responses against both sides, and on the error of the value."""
        return max(0.0, self.best - self.least)

    def place(self, position: Mapping[str, Any] | None = None) -> tuple[int, int]:
        """Return the index of a position and the rounds left there; by default, of the opening position."""
        if position is None:
            return 0, self.rounds
        fights = self.game.batch(1)
        fights.restore(0, position)
        return self.place_of(fights, 0)

    def place_of(self, fights: Fights, slot: int) -> tuple[int, int]:
        """Return the index of the position in a slot of a batch, and the rounds left there."""
        fight = fights.records[slot]
        graph = self.graph
        number = int(look_up(graph.words, graph.slots, as_position(fight).view(np.uint64)))
        if fight["window"] == OVER or number < 0 or graph.row_first[number] < 0:
            raise SolverError("Expected a position that this duel can reach before its end, got another one.")
        left = self.rounds - int(fight["round_number"]) + 1
        if left < 1:
            raise SolverError(f"Expected a position of rounds 1 to {self.rounds}, got round {fight['round_number']}.")
        return number, left

    def stage_game(self, place: tuple[int, int]) -> Floats:
        """Return the matrix game of a position: the first fighter's value of each pair of choices."""
        number, left = place
        game: Floats = np.zeros(tuple(self.graph.widths[number]))
        known = min(left, len(self.values) - 1)
        stage_game(game, number, known, Values(self.values, self.graph.after()), self.graph.rows)
        return game

    def mix(self, seat: int, place: tuple[int, int]) -> dict[str, float]:
        """Return a seat's mix in a position, by action name."""
        solution = solve_matrix(self.stage_game(place))
        return dict(zip(self.choices(seat, place[0]), (solution.row, solution.column)[seat].tolist(), strict=True))

    def follow(self, place: tuple[int, int], first: str, second: str) -> list[tuple[float, tuple[int, int]]]:
        """Return the positions that a pair of choices leads to, with probabilities; endings are left out."""
        number, left = place
        graph, pair = self.graph, []
        for seat, action in enumerate((first, second)):
            choices = self.choices(seat, number)
            if action not in choices:
                raise SolverError(f"{self.game.agents[seat]}: expected {choices}, got {action!r}.")
            pair.append(choices.index(action))
        row = graph.row_first[number] + pair[0] * graph.widths[number, 1] + pair[1]
        found = []
        for k in range(graph.row_start[row], graph.row_start[row + 1]):
            lead, rest = int(graph.leads[k]), left - int(graph.rounds[k])
            if lead >= 0 and rest > 0:
                found.append((float(graph.chances[k]), (lead, rest)))
        return found

    def window(self, place: tuple[int, int]) -> str:
        """Return the name of the open window."""
        return WINDOWS[self.graph.positions[place[0]]["window"]]

    def opening(self) -> tuple[dict[str, float], dict[str, float]]:
        """Return the mixes of both sides in the opening position."""
        return self.mix(0, self.place()), self.mix(1, self.place())

    def choices(self, seat: int, number: int) -> list[str]:
        """Return the names of a seat's legal actions in a position."""
        game = self.game
        masks = np.zeros(len(game.action_names), np.int8)
        write_choices(self.graph.positions, number, seat, masks, game.shape.enemies)
        return [name for name, legal in zip(game.action_names, masks, strict=True) if legal]

    # -- files ---------------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the solution atomically as compressed arrays with a JSON header, without pickles."""
        arrays = {name: getattr(self.graph, name) for name in KINDS} | {"values": self.values}
        figures = ("certificate", "best", "least", "seconds")
        header = {**claims(self.game, FORMAT, FORMAT_VERSION), **{name: getattr(self, name) for name in figures}}
        write_solution(path, header | {"horizon": self.rounds, "steps": self.graph.steps}, arrays)

    @classmethod
    def load(cls, path: str | Path, game: HeartRush | Scenario | str) -> PlayedTable:
        """Load the solution of this game from a file; raise SolverError if the file does not hold it."""
        game = game if isinstance(game, HeartRush) else HeartRush(game)
        wanted = claims(game, FORMAT, FORMAT_VERSION)
        header, arrays = read_solution(path, wanted, lambda header: (*KINDS, "values"), "solution by play")
        values = arrays.pop("values")
        if not _fits(arrays, values):
            raise SolverError(f"{path}: its tables do not fit together.")
        graph = Graph.of(game, header["horizon"], *arrays.values(), steps=header["steps"])
        return cls(graph, values, *(header[name] for name in ("certificate", "best", "least", "seconds")))


def _fits(arrays: dict[str, Any], values: Any) -> bool:
    """Return whether every index is within its array; compiled code does not check this."""
    if any(arrays[name].dtype.str != kind for name, kind in KINDS.items()) or values.dtype.str != "<f8":
        return False
    words, earliest, row_first, widths, row_start, leads, rounds, chances = arrays.values()
    n, rows = len(words), len(row_start) - 1
    if words.shape != (n, WORDS) or widths.shape != (n, 2) or values.ndim != 2 or values.shape[1] != n:
        return False
    if not (len(earliest) == len(row_first) == n > 0 and len(leads) == len(rounds) == len(chances)):
        return False
    played = row_first >= 0
    ends: Whole = row_first[played] + widths[played].prod(axis=1)
    return bool(
        played[0]
        and (widths[played] > 0).all()
        and (ends <= rows).all()
        and (np.diff(row_start) > 0).all()
        and row_start[0] == 0
        and row_start[-1] == len(leads)
        and (leads >= CAPPED).all()
        and (leads < n).all()
        and (rounds >= 0).all()
    )
