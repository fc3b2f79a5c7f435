"""Plots of simulated encounters: the cost to the party, the course of a fight, sources of damage, and sweeps.

They read the findings of `heartrush encounter simulate` as docs/encounters.md describes them, and need matplotlib.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.plots import FAINT, INK, PALETTE, drawing_library, new_figure, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Finding = Mapping[str, Any]

PARTY, MONSTERS = PALETTE[0], PALETTE[1]
GOOD, MIDDLING, BAD = PALETTE[2], PALETTE[4], "#8b1a1a"
OF_STANCE: Final = dict(zip(STANCES, (PALETTE[1], PALETTE[2], PALETTE[0], PALETTE[3]), strict=True))
WIDTH = 6.4  # inches
LEAST = 0.06  # fraction of the longest bar; narrower parts have no number


def as_svg(figure: Figure) -> str:
    """Return a picture as an SVG element for a page; letters are shapes, so it looks alike everywhere."""
    text = StringIO()
    with style(), drawing_library().rc_context({"svg.fonttype": "path"}):
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    written = text.getvalue()
    return written[written.index("<svg") :]


@contextmanager
def _axes(
    width: float, height: float, x: str, y: str, hidden: tuple[str, ...] = ("top", "right")
) -> Iterator[tuple[Figure, Any]]:
    """Yield a new figure and its axes, labeled, without some of the border lines."""
    with style():
        figure = new_figure(width, height)
        axes = figure.subplots()
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        axes.spines[[*hidden]].set_visible(False)
        yield figure, axes


def course(found: Finding) -> Figure:
    """Plot both sides' hit points round by round, on average."""
    shares = 100 * np.array(found["course"])
    with _axes(WIDTH, 2.9, "round", "hit points left (%)") as (figure, axes):
        for side, (name, color, marker) in enumerate((("the party", PARTY, "o"), ("the monsters", MONSTERS, "s"))):
            axes.plot(shares[:, side], color=color, marker=marker, markersize=4, label=name)
        axes.set_ylim(0, 104)
        axes.set_xlim(0, max(1, len(shares) - 1))
        axes.xaxis.set_major_locator(drawing_library().ticker.MaxNLocator(integer=True))
        axes.grid(axis="y", color=FAINT, linewidth=0.4)
        axes.legend(frameon=False)
    return figure


def cost(found: Finding) -> Figure:
    """Plot a histogram of the fights by the fraction of its hit points that the party spends."""
    counts = 100 * np.array(found["spent_by_fights"]) / found["fights"]
    with _axes(WIDTH, 2.5, "hit points that the party spends (%)", "fights (%)") as (figure, axes):
        at = 10 * np.arange(len(counts)) + 5
        axes.bar(at, counts, 9, color=PARTY)
        mean = 100 * found["hp_spent"]["mean"]
        axes.axvline(mean, color=INK, linewidth=1, linestyle="--")
        left = mean > 60
        axes.text(
            mean + (-1.5 if left else 1.5),
            axes.get_ylim()[1],
            f"mean {mean:.0f} %",
            ha="right" if left else "left",
            va="top",
            backgroundcolor="white",
            fontsize=8,
        )
        axes.set_xticks(range(0, 101, 10))
        axes.set_xlim(0, 100)
    return figure


def fates(found: Finding) -> Figure:
    """Plot how each fighter ends: standing, out of the fight, or dead."""
    fighters = list(found["fighters"].values())
    parts = {
        "standing": ([each["standing"] for each in fighters], GOOD),
        "out": ([each["unconscious"] + each["defeated"] for each in fighters], MIDDLING),
        "dead": ([each["dead"] for each in fighters], BAD),
    }
    return _stacked([each["name"] for each in fighters], parts, "share of fights (%)", percent=True)


def damage(found: Finding) -> Figure:
    """Plot the damage of each fighter in an average fight, by the stance that dealt it."""
    fighters = list(found["fighters"].values())
    parts: dict[str, tuple[list[float], str]] = {}
    for stance, color in OF_STANCE.items():
        dealt = [_dealt(each, lambda by, stance=stance: by.split()[0] == stance) for each in fighters]
        if any(dealt):
            parts[stance] = (dealt, color)
    others = [_dealt(each, lambda by: by.split()[0] not in OF_STANCE) for each in fighters]
    if any(others):
        parts["maneuvers and the rest"] = (others, FAINT)
    return _stacked([each["name"] for each in fighters], parts, "damage in an average fight", percent=False)


def _dealt(fighter: Finding, counts: Any) -> float:
    return float(sum(source["damage"] for source in fighter["deals"] if counts(source["by"])))


def _stacked(
    names: Sequence[str], parts: Mapping[str, tuple[Sequence[float], str]], label: str, *, percent: bool
) -> Figure:
    """Plot a bar for each name, made of labeled parts."""
    with _axes(WIDTH, 1.1 + 0.3 * len(names), label, "", ("top", "right", "left")) as (figure, axes):
        places, left = np.arange(len(names))[::-1], np.zeros(len(names))
        totals = np.sum([numbers for numbers, _ in parts.values()], axis=0) if parts else left
        most = 100.0 if percent else max(1.0, float(totals.max()))
        for name, (numbers, color) in parts.items():
            widths = np.array(numbers) * (100 if percent else 1)
            bars = axes.barh(places, widths, 0.72, left, color=color, label=name)
            said = [f"{width:.0f}" if width >= LEAST * most else "" for width in widths]
            axes.bar_label(bars, said, label_type="center", fontsize=7, color=INK if color == FAINT else "white")
            left = left + widths
        axes.set_yticks(places, names)
        axes.tick_params(axis="y", length=0)
        axes.set_xlim(0, most)
        if parts:
            figure.legend(loc="outside upper center", ncols=len(parts), frameon=False, fontsize=8)
    return figure


def sweep(found: Sequence[Finding]) -> Figure:
    """Plot the win rate and the cost of each combination of a sweep, with 95 % intervals."""
    labels = ["\n".join(str(value) for value in each["values"].values()) for each in found]
    with _axes(max(WIDTH, 0.5 * len(found)), 3.2, ", ".join(found[0]["values"]), "%") as (figure, axes):
        for key, inner, name, color, shift in (
            ("win", "share", "the party wins", PARTY, -0.08),
            ("hp_spent", "mean", "hit points spent", MONSTERS, 0.08),
        ):
            middle, low, high = (
                100 * np.array([[each[key][part] for part in (inner, "low", "high")] for each in found]).T
            )
            errors = np.maximum(0, [middle - low, high - middle])
            axes.errorbar(np.arange(len(found)) + shift, middle, errors, fmt="o", color=color, capsize=3, label=name)
        axes.set_xticks(range(len(found)), labels)
        axes.set_xlim(-0.5, len(found) - 0.5)
        axes.set_ylim(-3, 103)
        axes.grid(axis="y", color=FAINT, linewidth=0.4)
        figure.legend(loc="outside upper center", ncols=2, frameon=False, fontsize=8)
    return figure
