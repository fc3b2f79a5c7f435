"""Checks of positions from outside, such as snapshots: compiled rules use their fields as unchecked indices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np

from heartrush_env.tabletop.choosing.units import Choice
from heartrush_env.tabletop.flow import Machine
from heartrush_env.tabletop.game import LARGEST_FIGHT
from heartrush_env.tabletop.limits import limits_of

Limits = Mapping[str, tuple[int, int] | None]  # the least and the largest value of each field; None for any value
ANY: Final = None
LARGEST: Final = 2**15 - 1
_LISTS: Final = ("frames", "kept", "depth")  # checked separately, by the machine and by this module


def limits_of_fights(kind: np.dtype[Any], windows: int, endings: int, choices: Sequence[Choice]) -> Limits:
    """Return the limits of the fields that change in a game's fights; names of fighters' fields begin with "fighters."

    The result has the fields of every game with choices, and the fields for which the record type states limits.

    Args:
        kind: The record type of a fight.
        windows: The number of windows.
        endings: The number of endings, including the one that marks a fight that goes on.
        choices: The choices of the game.
    """
    fighter, most = kind["fighters"].base, kind["fighters"].shape[0]
    last_line = max(len(choice.details) for choice in choices) - 1
    chooser = {
        "pending": (0, 1),
        "waits": (0, 1),
        "picking": (0, len(choices)),
        "deed": (-1, len(choices) - 1),
        "target": (-1, most - 1),
        "detail": (0, last_line),
        "picked": (-1, last_line),
        "left": (-1, LARGEST),
        "acting": (0, 1),
    }
    return {
        **_written(kind, ""),
        **_written(fighter, "fighters."),
        **dict.fromkeys(("key", "draw", "given", "given_count", "bad_die", "bad_sides", "bad_place", "margin"), ANY),
        "given_used": (0, LARGEST),
        "seed": (0, 2**63 - 1),
        "fight_number": (0, LARGEST_FIGHT),
        "step_count": (0, 2**31 - 1),
        "recording": (0, 1),
        "ending": (0, endings - 1),
        "winner": (-1, most - 1),
        "window": (0, windows - 1),
        "one": (-1, most - 1),
        "kept_count": (0, kind["kept_windows"].shape[0]),
        "kept_windows": (0, windows - 1),
        **{f"fighters.{name}": limits for name, limits in chooser.items()},
        **{f"kept.{name}": chooser[name] for name in ("deed", "target", "detail", "picked")},
    }


def _written(kind: np.dtype[Any], prefix: str) -> dict[str, tuple[int, int]]:
    """Return the limits that a record type states for its fields, by field name with this prefix."""
    found: dict[str, tuple[int, int]] = {}
    for name, limits in limits_of(kind).items():
        low, high = limits.least, limits.most
        if isinstance(low, int) and isinstance(high, int):
            found[prefix + name] = low, high
    return found


def faults_of(fight: Any, template: Any, limits: Limits, machine: Machine) -> list[str]:
    """Return a sentence for each fault of a position; no sentence if the position is valid.

    A field with limits must keep them. Any other field must have the value with which the scenario's fights start.
    """
    found = [*_faults(fight, template, limits, "")]
    if found:
        return found
    n = int(fight.n)
    for i in range(n):
        found += _faults(fight.fighters[i], template.fighters[i], limits, "fighters.")
    for kept in fight.kept[: int(fight.kept_count) * n]:
        found += _faults(kept, kept, limits, "kept.")
    if not 0 <= int(fight.given_used) <= int(fight.given_count) <= len(fight.given):
        found.append("given_count: expected no more given dice than there is room for, got more")
    return found or [*_faults_of_frames(fight, n, machine)]


def _faults(record: Any, template: Any, limits: Limits, prefix: str) -> Iterator[str]:
    """Yield a sentence for each field of a record that is outside its limits, or that differs from the template."""
    for name in record.dtype.names:
        whole = f"{prefix}{name}"
        if name in _LISTS or whole in ("fighters", *(key for key in limits if limits[key] is ANY)):
            continue
        value = np.asarray(record[name])
        if whole in limits:
            inner = _written(value.dtype, f"{whole}.")
            parts = {f"{whole}.{part}": value[part] for part in value.dtype.names or ()} or {whole: value}
            for place, found in parts.items():
                low, high = (limits[whole] or (0, 0)) if place == whole else inner.get(place, (-(2**63), 2**63 - 1))
                if not np.all((low <= found.astype(np.int64)) & (found.astype(np.int64) <= high)):
                    yield f"{place}: expected {low} to {high}, got {found.tolist()}"
        elif value.tobytes() != np.asarray(template[name]).tobytes():
            yield f"{whole}: expected {_show(template[name])}, as the scenario has it, got {_show(record[name])}"


def _faults_of_frames(fight: Any, n: int, machine: Machine) -> Iterator[str]:
    """Yield a sentence for each fault of the frames and of the window, kept choices and ending that belong to them."""
    for frame in machine.frames(fight):
        for name, number in frame.items():
            most = machine.counts.get(name.removesuffix("_end"), n) - (not name.endswith("_end"))
            if isinstance(number, int) and not 0 <= number <= most:
                yield f"frames: expected {name} from 0 to {most}, got {number}"
    window = machine.window(fight)
    if (window if window is not None else 0) != int(fight.window):
        yield f"window: expected {window or 0}, where the fight waits, got {int(fight.window)}"
    if machine.interrupted(fight) != int(fight.kept_count):
        yield f"kept: expected {machine.interrupted(fight)} windows that wait, got {int(fight.kept_count)}"
    if (fight.depth == 0) != (fight.ending != 0):
        yield "ending: expected the fight to be over exactly if its round is, got only one of the two"


def _show(value: Any) -> str:
    return " ".join(str(value).split())[:60]
