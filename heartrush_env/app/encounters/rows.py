"""The rows of an answer in words: how the fights ended, how long they took, and how each fighter ended."""

from __future__ import annotations

from collections.abc import Iterable

from heartrush_env.app.cli.terminal import aligned
from heartrush_env.app.encounters.findings import Finding


def details(found: Finding) -> list[str]:
    """Return the lines about the fights of one player, in any game."""
    return [*facts(fact_rows(found)), "", *aligned(fighter_rows(found))]


def facts(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Return a line for each name with its value in words."""
    return [f"  {name:<22}{value}" for name, value in rows]


def fact_rows(found: Finding) -> list[tuple[str, str]]:
    """Return the names of what was measured over all fights of any game, each with its value in words."""
    spent = [("hit points spent", in_percent(found["hp_spent"], "mean"))] if "hp_spent" in found else []
    return [*outcome_rows(found), *spent, ("any fighter out", in_percent(found["out"])), duration_row(found)]


def outcome_rows(found: Finding) -> list[tuple[str, str]]:
    """Return how many fights the party won, lost and drew."""
    named = (("the party wins", "win"), ("it loses", "loss"), ("draw", "draw"))
    return [(name, in_percent(found[key])) for name, key in named]


def duration_row(found: Finding) -> tuple[str, str]:
    """Return how long the fights were, in rounds or in another unit of time of the game."""
    rounds = {key: f"{number:.1f}" for key, number in found["rounds"].items()}
    usual = f"most fights {found['rounds']['tenth']:.0f} to {found['rounds']['ninetieth']:.0f}"
    unit = found.get("time_unit", "round")
    return f"{unit}s", f"{rounds['mean']:>5}   [{rounds['low']}, {rounds['high']}], {usual}"


def fighter_rows(found: Finding) -> list[list[str]]:
    """Return the heads of the columns, then a row per fighter: hit points left, and in how many fights it ended how."""
    fighters = list(found["fighters"].values())
    ends = [end for end in fighters[0]["ends"] if any(fighter["ends"][end] for fighter in fighters)]
    hp = ["hp left"] if "hp_spent" in found else []
    rows = [["", *hp, *(end.replace("_", " ") for end in ends)]]
    for fighter in fighters:
        parts = [fighter["hp_left"] / fighter["hp"]] if hp else []
        parts += [fighter["ends"][end] for end in ends]
        rows.append([fighter["name"], *(f"{100 * part:.0f} %" for part in parts)])
    return rows


def in_percent(found: Finding, key: str = "share") -> str:
    """Return a fraction as a percentage with its interval."""
    return f"{100 * found[key]:5.1f} % [{100 * found['low']:.1f}, {100 * found['high']:.1f}]"
