"""The solver of duels: it finds the value of every state and the mixes of both sides.

Every hit lowers hit points, so states are solved in the order of hit points, each once. A table solves itself, part by
part: plain/kernel.py solves plain duels, and levels/kernel.py solves duels with levels, which have many states that
lead to each other in cycles.

The duel is first solved without the round cap. The error is at most the largest possible probability of reaching the
cap when one side plays the solution. If this bound is small, as for long caps, the solution is used, and the bound is
its `Tablebase.cap_bound`. Such a solution is not exact. With any other cap, the duel is solved exactly, for each
number of rounds left, which multiplies time and memory by the number of rounds.

Fatigue, which affects fighters that fight on below 0 hit points, is also ignored, and bounded by bounds.py. A duel in
which it matters is refused.
"""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

from heartrush_env.games.heart_rush.game import HeartRush, as_heart_rush
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.research.bounds import fatigue_bound, is_worked_out, rounds_bound
from heartrush_env.research.checkpoint import Checkpoint
from heartrush_env.research.duel import Duel, read_plain, supported, why_unsupported, without_memory
from heartrush_env.research.layers import Progress, check_memory, solve_layers
from heartrush_env.research.levels.duel import LevelsDuel, read_levels
from heartrush_env.research.levels.table import LevelsTablebase
from heartrush_env.research.solution_file import read_solution
from heartrush_env.research.tablebase import FORMAT, FORMAT_VERSION, Tablebase, bytes_needed, claims
from heartrush_env.research.zero_sum import Floats, SolverError
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.writing import sole_writer

CAP_BOUND = 1e-5  # default limit on how much an ignored cap may change the value
MEMORY = 3 * 2**30  # default memory limit for a tablebase in bytes


def solve(
    game: Game | Scenario | str,
    progress: Progress | None = None,
    *,
    memory: int = MEMORY,
    cap_bound: float = CAP_BOUND,
    checkpoint: str | Path | None = None,
) -> Tablebase:
    """Solve a duel without a map under the rules profile "plain" or "levels".

    Args:
        game: A game, whose decisions may be "full" or "stance", or a scenario, by name or loaded, with full decisions.
        progress: Called with the number of parts solved and the total; `Layers.parts` says what the parts are.
        memory: Limit in bytes for the solution.
        cap_bound: The largest allowed effect of cap and fatigue if they are left out; 0 solves every cap by rounds
            left.
        checkpoint: A file that saves finished parts; if it exists, solving resumes from it, with the same result.

    Raises:
        SolverError: The game is not supported, needs more memory, or does not match the checkpoint.
    """
    duel = read_duel(game)
    with nullcontext() if checkpoint is None else sole_writer(checkpoint, SolverError):
        return _solve(duel, progress, memory, cap_bound, checkpoint)


def _solve(
    duel: Duel, progress: Progress | None, memory: int, cap_bound: float, checkpoint: str | Path | None
) -> Tablebase:
    """Solve without the cap if it hardly matters, otherwise with the cap."""
    if cap_bound > 0 or duel.fatigue is not None:
        by_parts = isinstance(duel, LevelsDuel)
        table = solve_parts(duel, None, memory, progress if by_parts else None, checkpoint)
        table.cap_bound = cap_bound_of(table, cap_bound)
        if table.cap_bound <= cap_bound or (duel.fatigue is not None and not is_worked_out(duel)):
            if progress and not by_parts:
                progress(1, 1)
            return table
        refuse_fatigue(duel, table.cap_bound, cap_bound)
    return solve_parts(duel, duel.max_rounds, memory, progress, checkpoint)


def refuse_fatigue(duel: Duel, found: float, allowed: float) -> None:
    """Raise SolverError if fatigue may end the duel.

    A solution for each number of rounds left does not count the rounds at 0 hit points. `found` is the bound on the
    effect of fatigue and the cap, and `allowed` is the largest such bound that is accepted.
    """
    if duel.fatigue is not None:
        raise SolverError(
            f"{duel.game.scenario_name!r} cannot be solved: expected fatigue and the round cap to change the value by "
            f"at most {allowed:.2g} (cap_bound), got up to {found:.2g}; give a max_rounds below fatigue_rounds, which "
            f"is {duel.fatigue}."
        )


def solve_parts(
    duel: Duel,
    rounds: int | None,
    memory: int,
    progress: Progress | None = None,
    checkpoint: str | Path | None = None,
) -> Tablebase:
    """Solve with or without the cap, part by part, resuming from a checkpoint."""
    check_memory(duel, rounds, bytes_needed(duel, rounds), memory)
    table = empty_table(duel, rounds)
    for layer in range(len(table.values)):
        table.values[layer] = duel.new_values() if rounds is None or layer else duel.at_cap()
    if checkpoint is None:
        return solve_layers(table, progress)
    name = checkpoint if rounds is None else Path(f"{checkpoint}.rounds")
    kept = Checkpoint(name, {**claims(duel.game, FORMAT, FORMAT_VERSION), "rounds": rounds})
    return solve_layers(table, progress, kept)


def cap_bound_of(table: Tablebase, enough: float) -> float:
    """Return a bound on the effect of the cap and fatigue; see the module docstring."""
    stake = 1.0 if table.duel.game.scenario.round_cap == "draw" else 2.0
    cap = rounds_bound(table, 0.5 * enough if table.duel.fatigue else enough, table.duel.max_rounds, stake)
    return min(2.0, cap + fatigue_bound(table, 0.5 * enough))


def expected_matrix(table: Tablebase, state: tuple[int, int, int, int], rounds_left: int | None = None) -> Floats:
    """Return the stance game of a state, (own stances, other's stances), as values for the first fighter.

    Args:
        table: A solution of the duel.
        state: Hit points of the first and the second fighter, then the sides of their heart dice.
        rounds_left: Rounds left, where the round cap matters; by default all.
    """
    return table.game(table.place(state), table.after(table.layer(rounds_left)))


def read_duel(game: Game | Scenario | str) -> Duel:
    """Return the duel of a game or scenario; raise SolverError if it cannot be solved."""
    found = HeartRush(game) if isinstance(game, Scenario | str) else as_heart_rush(game)
    found = without_memory(supported(found, why_unsupported))
    return read_levels(found) if found.scenario.settings.levels else read_plain(found)


def empty_table(duel: Duel, rounds: int | None) -> Tablebase:
    """Return an empty solution of a duel, with a layer for each number of rounds left, or without a cap."""
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
