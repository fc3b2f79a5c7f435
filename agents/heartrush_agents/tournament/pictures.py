"""Pictures of tournaments: win rates as a heat map, and margins with their intervals. Needs the extra `plots`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from heartrush_env.research.plots import FAINT, INK, PALETTE, SIDES, new_figure, style, write_each

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SMALL = 12  # agents; cells of larger tables use a smaller font


def write_pictures(found: Mapping[str, Any], folder: Path) -> list[Path]:
    """Write the pictures of a tournament, given as what its `as_dict` returns, and return their paths."""
    written: list[Path] = []
    for result in found["results"]:
        name = "".join(letter if letter.isalnum() else "_" for letter in result["scenario"])
        written += write_each(win_rates(result), folder, f"won_{name}")
    written += write_each(margins(found), folder, "ranks")
    return written


def win_rates(result: Mapping[str, Any]) -> Figure:
    """Plot a cross table as a heat map, with the agents in the order of their ranks."""
    ids = [row["id"] for row in result["ranking"]]
    won = np.array([[result["won"][row].get(column, [np.nan])[0] for column in ids] for row in ids])
    size = len(ids)
    with style():
        figure = new_figure(2.4 + 0.36 * max(size, 6), 2.0 + 0.36 * max(size, 6))
        axes = figure.subplots()
        image = axes.imshow(won, cmap=SIDES, vmin=0, vmax=100)
        for (i, j), share in np.ndenumerate(won):
            if not np.isnan(share):
                color = "white" if abs(share - 50) > 38 else INK
                axes.text(
                    j, i, f"{share:.0f}", ha="center", va="center", color=color, fontsize=8 if size <= SMALL else 6
                )
        axes.set_xticks(range(size), ids, rotation=90)
        axes.set_yticks(range(size), ids)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        figure.colorbar(image, ax=axes, label="percent won by the row's agent", shrink=0.7)
        axes.set_title(f"{result['scenario']}: {result['fights']} fights per cell, best rank first")
    return figure


def margins(found: Mapping[str, Any]) -> Figure:
    """Plot each agent's margin against the maximal lottery, with its 95 % interval, in one panel per ranking."""
    panels = {result["scenario"]: result["ranking"] for result in found["results"]}
    if found["overall"]:
        panels[f"all {len(panels)} scenarios"] = found["overall"]
    most = max(map(len, panels.values()))
    with style():
        figure = new_figure(0.8 + 3.4 * len(panels), 1.2 + 0.24 * most)
        for axes, (title, rows) in zip(np.atleast_1d(figure.subplots(1, len(panels))), panels.items(), strict=True):
            _margins(axes, title, rows)
        figure.supxlabel(
            "wins minus losses per fight\nagainst the first tier; large dots have large shares", fontsize=8
        )
    return figure


def _margins(axes: Any, title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Draw one panel: a dot and its interval for each agent, the best on top."""
    at = np.arange(len(rows))
    middle, low, high = np.array([row["margin"] for row in rows]).T
    axes.axvline(0, color=FAINT, linewidth=0.8, zorder=0)
    axes.hlines(at, low, high, color=PALETTE[0], linewidth=1)
    axes.scatter(
        middle, at, s=[12 + 60 * row["share"] * (row["tier"] == 1) for row in rows], color=PALETTE[0], zorder=2
    )
    axes.set_yticks(at, [row["id"] for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(title)
