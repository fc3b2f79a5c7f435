"""Functions for duels with or without levels: they read a game, and make or load the table of its solution."""

from __future__ import annotations

from pathlib import Path

from heartrush_env.games.heart_rush.game import HeartRush, as_heart_rush
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.research.duel import Duel, read_plain, supported, why_unsupported, without_memory
from heartrush_env.research.levels.duel import LevelsDuel, read_levels
from heartrush_env.research.levels.table import LevelsTablebase
from heartrush_env.research.solution_file import read_solution
from heartrush_env.research.tablebase import FORMAT, FORMAT_VERSION, Tablebase, claims
from heartrush_env.research.zero_sum import SolverError
from heartrush_env.tabletop.game import Game


def read_duel(game: Game | Scenario | str) -> Duel:
    """Return the duel of a game or scenario; raise SolverError if it cannot be solved."""
    found = HeartRush(game) if isinstance(game, Scenario | str) else as_heart_rush(game)
    found = without_memory(supported(found, why_unsupported))
    return read_levels(found) if found.scenario.settings.levels else read_plain(found)


def empty_table(duel: Duel, rounds: int | None) -> Tablebase:
    """Return an empty solution of a duel, by rounds left or without a cap."""
    return (LevelsTablebase if isinstance(duel, LevelsDuel) else Tablebase).empty(duel, rounds)


def load_tablebase(path: str | Path, game: Game | Scenario | str) -> Tablebase:
    """Load the solution of this game from a file; raise SolverError if the file does not hold it."""
    duel = read_duel(game)
    wanted = claims(duel.game, FORMAT, FORMAT_VERSION)

    def names(header: dict[str, object]) -> list[str]:
        return list(empty_table(duel, header["rounds"]).arrays())  # type: ignore[arg-type]  # as it was written

    header, arrays = read_solution(path, wanted, names, "tablebase")
    table = empty_table(duel, header["rounds"])
    if {name: array.shape for name, array in table.arrays().items()} != {
        name: array.shape for name, array in arrays.items()
    }:
        raise SolverError(f"{path}: its tables are not of this duel's size.")
    table.set_arrays(arrays)
    table.certificate, table.cap_bound = header["certificate"], header["cap_bound"]
    return table
