"""Measure heartrush-env and its peers in one run: `make bench`, or `python -m benchmarks.run --help`.

Most benchmarks run in one process on one thread, taking turns for several rounds; each figure is the median of its
rounds. README.md in this folder says what is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

from benchmarks import engine, machine, portable, processes, serving, table
from benchmarks.contests import Contest, contests, unpublished
from heartrush_env.app.heart_rush.commands.bench import Step, rates, vector_step

COLD_REPEATS = CROWD_REPEATS = 3
THINKING = 10.0  # seconds between two choices of a player, for each second of a repeat
NOT_MEASURED = "not measured"
NOT_INSTALLED = "not installed"
OUTSIDE = {
    "first_start": "first step on a fresh machine, with compilation",
    "later_start": "first step, later starts",
    "import": "`import heartrush_env`",
    "threads": f'two threads to one, {processes.CROWD} duels, `decisions="stance"`',
    "engine": "`heartrush engine uniform` over pipes",
    "carriers": "choices over each carrier",
    "crowd": f"{serving.CROWD} hosted duels at once, each with a WebSocket",
    "recovery": f"a server killed in the middle of {serving.KILLED} duels, from its start until it has shown all",
    "memory": "memory of duels",
    "download": "core download",
    "webassembly": "the rules as WebAssembly",
}


@dataclass
class Row:
    """A row of the results: all measurements of one figure, or a note that says why there are none."""

    name: str
    what: str
    unit: str
    values: list[float] = field(default_factory=list)
    note: str = ""
    core_share: float | None = None  # the fraction of one core that this process got while it was timed
    peer: str = ""

    def as_data(self) -> dict[str, Any]:
        """Return the row with its median and range, for the JSON file."""
        low, middle, high = (min(self.values), median(self.values), max(self.values)) if self.values else [None] * 3
        return {**asdict(self), "median": middle, "low": low, "high": high}


def main(words: list[str] | None = None) -> int:
    """Measure or read the result, print it, and write the files that the options name."""
    arguments = make_parser().parse_args(words)
    if arguments.render:
        result = json.loads(arguments.render.read_text(encoding="utf-8"))
    else:
        result = measure(arguments)
        if arguments.into:
            earlier = json.loads(arguments.into.read_text(encoding="utf-8"))
            result = table.replaced(earlier, result, [*(contest.name for contest in contests()), *OUTSIDE])
    print(table.full(result))
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if arguments.write_readme:
        for page, block in table.PAGES.items():
            page.write_text(table.filled(page.read_text(encoding="utf-8"), block(result)), encoding="utf-8")
    return 0


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.run", description=__doc__, allow_abbrev=False)
    parser.add_argument("--json", type=Path, metavar="PATH", help="write all repeats and the machine's facts here")
    parser.add_argument("--only", default="", metavar="NAME", help="run only benchmarks with this in their name")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help="seconds per repeat, 1 by default")
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="the number of repeats, 5 by default")
    says = "put what is measured in place of the same rows of the earlier results in this file"
    parser.add_argument("--into", type=Path, metavar="JSON", help=says)
    parser.add_argument("--no-cold", action="store_true", help="skip the first start on a fresh machine")
    parser.add_argument("--download", action="store_true", help="fetch the core packages to see how large they are")
    parser.add_argument(
        "--render", type=Path, metavar="JSON", help="show the results in this file instead of measuring"
    )
    parser.add_argument(
        "--write-readme", action="store_true", help="write the tables into docs/speed.md and the README of this folder"
    )
    return parser


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure all rows; return them with the machine and the options that they were measured with."""
    facts = machine.facts()
    chosen = [*contests(), *(unpublished() if arguments.only else [])]
    rows = compete([contest for contest in chosen if arguments.only in contest.name], arguments)
    rows += outside(arguments)
    if not rows:
        raise SystemExit(f"No benchmark has {arguments.only!r} in its name.")
    facts["load_at_end"] = machine.load()
    how = {"seconds": arguments.seconds, "repeats": arguments.repeats}
    return {"machine": facts, "how": how, "rows": [row.as_data() for row in rows]}


def compete(chosen: list[Contest], arguments: argparse.Namespace) -> list[Row]:
    """Warm up all benchmarks, then run them in turn, so that a busy minute slows all of them equally.

    Speeds are per second of processor time, so time that other processes take on the core does not count.
    """
    rows: dict[str, list[Row]] = {}
    steps: dict[str, Step] = {}
    for contest in chosen:
        rows[contest.name] = [Row(contest.name, contest.what, f"{unit}/s", peer=contest.peer) for unit in contest.units]
        try:
            steps[contest.name] = contest.make()
        except ImportError:
            for row in rows[contest.name]:
                row.note = NOT_INSTALLED
        else:
            rates(steps[contest.name], arguments.seconds / 5)
    shares: dict[str, list[float]] = {name: [] for name in steps}
    for repeat in range(arguments.repeats):
        tell(f"round {repeat + 1} of {arguments.repeats}")
        for name, step in steps.items():
            begun, used = perf_counter(), process_time()
            speeds = rates(step, arguments.seconds)
            share = min(1.0, (process_time() - used) / (perf_counter() - begun))
            shares[name].append(share)
            for row in rows[name]:
                row.values.append(speeds[row.unit.removesuffix("/s")] / share)
    for name, share in shares.items():
        for row in rows[name]:
            row.core_share = round(median(share), 3)
    return [row for group in rows.values() for row in group]


def outside(arguments: argparse.Namespace) -> list[Row]:
    """Measure the rows that need other processes."""
    rows = []
    for name, rows_of in measures(arguments).items():
        if arguments.only in name:
            tell(OUTSIDE[name].replace("`", ""))
            rows += rows_of()
    return rows


def measures(arguments: argparse.Namespace) -> dict[str, Callable[[], list[Row]]]:
    """Return, by name, the functions that measure rows in other processes."""
    return {
        "first_start": lambda: first_start(0 if arguments.no_cold else min(arguments.repeats, COLD_REPEATS)),
        "later_start": lambda: start_rows("later_start", [processes.start() for _ in range(arguments.repeats)]),
        "import": lambda: [import_row(arguments.repeats)],
        "threads": lambda: [threads_row(arguments.seconds, arguments.repeats)],
        "engine": lambda: engine_rows(arguments.seconds, arguments.repeats),
        "carriers": lambda: carrier_rows(arguments.seconds, arguments.repeats),
        "crowd": lambda: crowd_rows(arguments.seconds, min(arguments.repeats, CROWD_REPEATS)),
        "recovery": lambda: [recovery_row(min(arguments.repeats, CROWD_REPEATS))],
        "memory": memory_rows,
        "download": lambda: [download_row(arguments.download)],
        "webassembly": lambda: webassembly_rows(arguments.seconds, arguments.repeats),
    }


def first_start(repeats: int) -> list[Row]:
    """Measure the rows of starts with nothing compiled."""
    return start_rows("first_start", [processes.first_start() for _ in range(repeats)])


def start_rows(name: str, starts: list[tuple[float, float]]) -> list[Row]:
    """Return the rows of starts: seconds of wall-clock time, then of processor time."""
    note = "" if starts else NOT_MEASURED
    return [
        Row(name, OUTSIDE[name], "s", [spent for spent, _ in starts], note),
        Row(name, f"{OUTSIDE[name]}, processor time", "CPU s", [used for _, used in starts], note),
    ]


def webassembly_rows(seconds: float, repeats: int) -> list[Row]:
    """Measure the rows of WebAssembly: the sizes of modules, and windows in which no agent chooses."""
    rows = [
        Row("webassembly", f"module of {kinds}", "kB", [size], f"{packed:,.0f} kB compressed")
        for kinds, (size, packed) in portable.sizes().items()
    ]
    for scenario in portable.SCENARIOS:
        found = [portable.windows(scenario, seconds) for _ in range(repeats)]
        rows += [
            Row("webassembly", f"a window of `{scenario}`, {by}", "µs", [each[by] for each in found]) for by in found[0]
        ]
    return rows


def import_row(repeats: int) -> Row:
    """Measure the row of the import; its note names any heavy modules that were loaded."""
    found = [processes.import_time() for _ in range(repeats)]
    heavy = found[0][1]
    note = f"with {', '.join(heavy)}" if heavy else "without torch, numba, pygame"
    return Row("import", OUTSIDE["import"], "s", [seconds for seconds, _ in found], note)


def threads_row(seconds: float, repeats: int) -> Row:
    """Measure the row of a second thread: the wall-clock speed of two threads, divided by that of one thread."""
    row = Row("threads", OUTSIDE["threads"], "x", note=NOT_MEASURED)
    if (os.cpu_count() or 1) > 1:
        one, two = (vector_step("duel", "stance", processes.CROWD, num_threads=threads) for threads in (1, 2))
        pairs = [(rates(one, seconds), rates(two, seconds)) for _ in range(repeats)]
        row.values, row.note = [second["agent-steps"] / first["agent-steps"] for first, second in pairs], ""
    return row


def engine_rows(seconds: float, repeats: int) -> list[Row]:
    """Measure the rows of an engine that speaks the protocol: its start to the first choice, and choices per second."""
    return [
        Row("engine", "start of an engine to its first choice", "s", [engine.start() for _ in range(repeats)]),
        *(
            Row(
                "engine",
                f"{OUTSIDE['engine']}, {batch} request{'s' * (batch > 1)} a line",
                "decisions/s",
                [engine.decisions_per_second(seconds, batch) for _ in range(repeats)],
            )
            for batch in (1, engine.BATCH)
        ),
    ]


def carrier_rows(seconds: float, repeats: int) -> list[Row]:
    """Measure the rows of choices over each carrier, by agents and by players in hosted fights."""
    rows: dict[str, Row] = {}
    for _ in range(repeats):
        for what, speed in serving.carriers(seconds):
            rows.setdefault(what, Row("carriers", what, "decisions/s")).values.append(speed)
    for row in rows.values():
        row.note = load_now()
    return [*rows.values()]


def crowd_rows(seconds: float, repeats: int) -> list[Row]:
    """Measure the rows of many hosted fights at once, with players who choose at once and with players who think."""
    hurried = [serving.crowd(10 * seconds, 0) for _ in range(repeats)]
    thinking = THINKING * seconds
    calm = [serving.crowd(10 * seconds, thinking) for _ in range(repeats)]
    what, paced = OUTSIDE["crowd"], f"{OUTSIDE['crowd']}, a choice of each in {thinking:g} s"
    return [
        Row("crowd", f"{what}, choosing at once", "decisions/s", [each.per_second for each in hurried], load_now()),
        Row("crowd", f"{paced}: answered, median", "ms", [each.percentile(50) for each in calm], load_now()),
        Row("crowd", f"{paced}: answered, 99th percentile", "ms", [each.percentile(99) for each in calm], load_now()),
    ]


def recovery_row(repeats: int) -> Row:
    """Measure the row of a start after a kill."""
    return Row("recovery", OUTSIDE["recovery"], "s", [serving.recovery() for _ in range(repeats)], load_now())


def load_now() -> str:
    """Return a note of the machine's load, on which wall-clock times of two processes depend."""
    return f"load {machine.load()}"


def memory_rows() -> list[Row]:
    """Return the rows of memory: the game's figure for a duel, and the measured peak with one duel and with many."""
    promised = Row("memory", "memory of a duel in a batch", "bytes", [processes.bytes_per_fight()])
    rows = [promised]
    for fights in (1, processes.CROWD):
        row = Row("memory", f"peak memory of a process with {fights} duel{'s' * (fights > 1)}", "MB", note=NOT_MEASURED)
        peak = processes.peak_memory(fights)
        if peak is not None:
            row.values, row.note = [peak / processes.MEGABYTE], ""
        rows.append(row)
    return rows


def download_row(wanted: bool) -> Row:
    """Return the row of the download of a plain installation; measure it if `wanted`."""
    sizes = processes.core_download() if wanted else None
    row = Row("download", OUTSIDE["download"], "MB", note=NOT_MEASURED)
    if sizes:
        row.values = [sum(sizes.values())]
        row.note = ", ".join(f"{name} {size:.1f}" for name, size in sorted(sizes.items(), key=lambda item: -item[1]))
    return row


def tell(what: str) -> None:
    """Print progress on the terminal."""
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
