"""The Markdown tables of a run's results, written from its JSON file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
PUBLISHED = FOLDER / "results" / "published.json"
BEGIN, END = "<!-- speed:begin -->", "<!-- speed:end -->"

Result = dict[str, Any]
Data = dict[str, Any]


@dataclass(frozen=True)
class Line:
    """A line of the short table: the rows that it quotes, the figure to hold, and the peer to compare with."""

    what: str
    rows: tuple[str, ...]  # the best of them is quoted
    unit: str
    goal: float
    peer: str = ""
    peer_unit: str = ""
    goal_note: str = ""


VECTORS = tuple(f"vector_{{}}_{envs}" for envs in (64, 256, 1024, 4096))
STANCE = tuple(name.format("stance") for name in VECTORS)
FULL = tuple(name.format("full") for name in VECTORS)
RPS = "pettingzoo_rps_parallel"
SMAX = "smax_3m"
GOOFSPIEL = "openspiel_goofspiel_observed"

LINES = (
    Line('vectorised duel, `decisions="stance"`', STANCE, "agent-steps/s", 7e6, GOOFSPIEL, "agent-steps/s"),
    Line("vectorised duel, full decisions", FULL, "decisions/s", 4e6, GOOFSPIEL, "agent-steps/s"),
    Line(
        "vectorised 4v4 without a map, full decisions",
        ("melee_256", "melee_1024"),
        "decisions/s",
        1e6,
    ),
    Line(
        "vectorised 4v4 on a 16x16 map, full decisions",
        ("field_16", "field_128"),
        "decisions/s",
        0.35e6,
        SMAX,
        "agent-steps/s",
    ),
    Line(
        'the same, `observations="entities"`',
        ("entities_field_16", "entities_field_128"),
        "decisions/s",
        0.5e6,
        SMAX,
        "agent-steps/s",
    ),
    Line(
        "PettingZoo parallel duel, one env",
        ("parallel",),
        "env-steps/s",
        120e3,
        "pettingzoo_rps_parallel",
        "env-steps/s",
    ),
    Line(
        "self-play training on duels",
        ("training",),
        "rows/s",
        0.85,
        "training_no_op",
        "rows/s",
        goal_note=" x the peer",
    ),
    Line(
        "the same on the lean learner",
        ("training_lean",),
        "rows/s",
        1.5,
        "training_no_op",
        "rows/s",
        goal_note=" x the peer",
    ),
    Line(
        "the lean learner against itself",
        ("training_lean_alone",),
        "rows/s",
        2,
        "training_no_op",
        "rows/s",
        goal_note=" x the peer",
    ),
    Line("two threads to one, 4096 duels", ("threads",), "x", 1.7),
    Line("first step from a clone, compiled by Numba", ("first_start",), "s", 22),
    Line("first step, later starts", ("later_start",), "s", 1.5),
    Line("`import heartrush_env`", ("import",), "s", 0.5),
    Line("core download", ("download",), "MB", 25),
)


def short(result: Result) -> str:
    """Return the table of docs/speed.md."""
    cells = ["| what | heartrush-env | figure to hold | peer in the same run | ratio |", "|---|---|---|---|---|"]
    for line in LINES:
        ours = best(result, line.rows, line.unit)
        peer = best(result, (line.peer,), line.peer_unit) if line.peer else None
        ratio = ours["median"] / peer["median"] if ours["median"] and peer and peer["median"] else None
        held = amount(ours) + processor_time(result, ours) + apart(ours)
        rival = f"{peer['what']}: {amount(peer)}" if peer else ""
        times = "" if ratio is None else f"{number(ratio)} x"
        cells.append(f"| {line.what}{batch(ours, line)} | {held} | {goal(line)} | {rival} | {times} |")
    return "\n".join([*cells, "", conditions(result)])


def full(result: Result) -> str:
    """Return the table of benchmarks/README.md: every row with its median and range."""
    cells = ["| what | median | lowest .. highest | unit | note |", "|---|---|---|---|---|"]
    for row in result["rows"]:
        span = "" if row["median"] is None else f"{number(row['low'])} .. {number(row['high'])}"
        note = (row["note"] + apart(row)).strip()
        cells.append(f"| {row['what']} | {number(row['median'])} | {span} | {row['unit']} | {note} |")
    return "\n".join([*cells, "", conditions(result)])


def replaced(result: Result, later: Result, order: Sequence[str]) -> Result:
    """Return a result in which the rows of a later, smaller run replace those of these names, and say so.

    Args:
        result: The whole result.
        later: The result of the later run.
        order: The names of rows in the order of the table; others come last.
    """
    facts = later["machine"]
    said = f"{facts['date']}, load {facts['load_at_start']} to {facts['load_at_end']}"
    names = {row["name"] for row in later["rows"]}
    rows = [row for row in result["rows"] if row["name"] not in names]
    rows += [{**row, "apart": said} for row in later["rows"]]
    places = {name: place for place, name in enumerate(order)}
    return {**result, "rows": sorted(rows, key=lambda row: places.get(row["name"], len(places)))}


def apart(row: Data) -> str:
    """Return when a row was measured and under which load, as text, if that was in a run of its own."""
    return f" (in a run of its own, {row['apart']})" if row.get("apart") else ""


def conditions(result: Result) -> str:
    """Return a paragraph on how, when and on which machine the result was measured."""
    facts, how = result["machine"], result["how"]
    shares = [row["core_share"] for row in result["rows"] if row["core_share"] is not None and not row.get("apart")]
    share = f"; share of a core had {min(shares):.2f} to {max(shares):.2f}" if shares else ""
    versions = ", ".join(f"{name} {found}" for name, found in facts["packages"].items() if found)
    load = f"load {facts['load_at_start']} to {facts['load_at_end']}{share}"
    system = f"{facts['processor']}, {facts['cores']} cores, {facts['system']}, Python {facts['python']}"
    return (
        f"Medians of {how['repeats']} repeats of {how['seconds']:g} s, one thread, random legal actions drawn outside "
        f"the clock, resets on it; speeds for each second of a core. {system}, {versions}, {facts['date']}; {load}."
    )


def best(result: Result, names: tuple[str, ...], unit: str) -> Data:
    """Return the fastest row of these names in this unit, or a row without a figure if none was measured."""
    found = [row for row in result["rows"] if row["name"] in names and row["unit"] == unit]
    missing = {"name": names[0], "what": names[0], "unit": unit, "median": None, "note": "not measured"}
    return max(found, key=lambda row: row["median"] or 0, default=missing)


def batch(row: Data, line: Line) -> str:
    """Return the number of parallel fights in the quoted row, as text; empty if its line has only one row."""
    return f", {row['name'].rsplit('_', 1)[1]} fights" if len(line.rows) > 1 else ""


def amount(row: Data) -> str:
    """Return the median with its unit, or the note that says why there is none."""
    return row["note"] if row["median"] is None else f"{number(row['median'])} {row['unit']}"


def processor_time(result: Result, row: Data) -> str:
    """Return the processor time of a start, as text; on a busy machine it is less than the wall-clock time."""
    used = best(result, (row["name"],), "CPU s")["median"]
    return f" ({number(used)} of processor time)" if used else ""


def goal(line: Line) -> str:
    """Return the figure to hold, as text: a lower bound for speeds, otherwise an upper bound."""
    at_least = line.unit == "x" or line.unit.endswith("/s")
    return f"{'≥' if at_least else '≤'} {number(line.goal)}{line.goal_note}"


def number(value: float | None) -> str:
    """Format a number with three digits, in units, thousands (k) or millions (M)."""
    if value is None:
        return ""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def filled(page: str, block: str) -> str:
    """Return the page with the block between its markers."""
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n{block}\n{END}{after}"


PAGES: dict[Path, Callable[[Result], str]] = {FOLDER.parent / "docs" / "speed.md": short, FOLDER / "README.md": full}
