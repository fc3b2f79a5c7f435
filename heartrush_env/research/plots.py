"""Plots of solved duels, of players' policies and of fights, as PNG, SVG or PDF files.

They show the stance game of a state, mixed strategies in a triangle, the values of states, where a player loses
value, and measures of fights side by side. They need matplotlib (the extra `plots`), which is imported on first use.
No window is ever opened. All colors are safe for color-blind readers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from itertools import product
from os import PathLike
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.validate import join_or
from heartrush_env.tabletop.writing import replace_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from heartrush_env.research.analysis.leaks import Leaks
    from heartrush_env.research.tablebase import State, Tablebase
    from heartrush_env.tabletop.intervals import Mean

UNDATED: Final[dict[str, dict[str, str | None]]] = {  # the metadata of each format, without a date or a version
    ".png": {"Software": None},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
Interval = tuple[float, float, float]  # a number with the ends of its interval

DOTS_PER_INCH: Final = 150
MOST_ROWS: Final = 70  # in a column of rows
PALETTE: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")  # Okabe and Ito
MARKERS: Final = ("o", "^", "s", "D", "v", "P")
SIDES, LOSSES = "RdBu", "Oranges"  # blue favours the fighter shown, red its opponent
INK, FAINT = "#333333", "#bbbbbb"
STYLE: Final = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "pdf.fonttype": 42,  # text stays text here too
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "heartrush",  # equal pictures have equal bytes
}


def write(figure: Figure, path: str | PathLike[str]) -> Path:
    """Write a picture atomically as PNG, SVG or PDF, according to the file's suffix; return its path."""
    target = check_picture(path)
    kind = target.suffix.lower()
    drawn = BytesIO()  # because matplotlib raises its own errors when a disk is full
    with style():
        figure.savefig(drawn, format=kind[1:], dpi=DOTS_PER_INCH, metadata=UNDATED[kind])
    replace_file(target, drawn.getvalue())
    return target


def write_each(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write a picture of this name in every format: PNG for pages, SVG and PDF for papers. Return the paths."""
    return [write(figure, folder / f"{name}{kind}") for kind in UNDATED]


def check_picture(path: str | PathLike[str]) -> Path:
    """Return the path of a picture to write; raise HeartRushError if it is unfit or matplotlib is missing."""
    target = Path(path)
    if target.suffix.lower() not in UNDATED:
        raise HeartRushError(f"{target}: expected a name ending in {join_or(UNDATED)}, got {target.suffix!r}.")
    if not target.absolute().parent.is_dir():
        raise HeartRushError(f"{target}: expected an existing folder, got {target.parent}.")
    drawing_library()
    return target


def stance_game(table: Tablebase, state: State, rounds_left: int | None = None) -> Figure:
    """Plot the stance game of a state: the first fighter's value of each pair of stances, and both equilibrium mixes.

    Args:
        table: The solution of the duel.
        state: Hit points of the first and the second fighter, then the sides of their heart dice.
        rounds_left: Rounds left, where the round cap matters; by default all.
    """
    from heartrush_env.research.analysis.stance_values import (
        stance_values,  # loads compiled code, so only when needed
    )

    game = stance_values(table, state, 0, None, rounds_left)
    value = float(game.mix @ game.matrix @ game.other)
    first, second = table.duel.game.agents
    with style():
        figure = new_figure(5.6, 4.9)
        axes = figure.subplots()
        most = max(float(np.abs(game.matrix - value).max()), 1e-9)
        axes.imshow(game.matrix, cmap=SIDES, vmin=value - 1.8 * most, vmax=value + 1.8 * most)
        for (i, j), worth in np.ndenumerate(game.matrix):
            played = game.mix[i] > 0.005 and game.other[j] > 0.005
            axes.text(j, i, _signed(worth), ha="center", va="center", fontweight="bold" if played else "normal")
        axes.set_xticks(range(len(STANCES)), _shares(game.other))
        axes.set_yticks(range(len(STANCES)), _shares(game.mix))
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        axes.set_xlabel(f"{second} takes", labelpad=8)
        axes.set_ylabel(f"{first} takes", labelpad=8)
        axes.tick_params(length=0)
        axes.set_xticks(np.arange(len(STANCES) + 1) - 0.5, minor=True)
        axes.set_yticks(np.arange(len(STANCES) + 1) - 0.5, minor=True)
        axes.grid(which="minor", color="white", linewidth=2)
        axes.tick_params(which="minor", length=0)
        axes.spines[:].set_visible(False)
        _title(
            figure,
            f"{table.duel.game.scenario_name}: {in_words(table, state)}",
            f"value {_signed(value, 4)} for {first}: P(win) - P(loss)",
        )
        figure.supxlabel("white is the state's own value; bold pairs are played at equilibrium", fontsize=8)
    return figure


def simplex(mixes: Mapping[str, Any], title: str, note: str = "") -> Figure:
    """Plot mixed strategies as points of a triangle; a larger point has a larger share of the defensive stance.

    Args:
        mixes: Arrays (states, stances) by the name of the player, at most six players. A point shows the shares of
            might, agility and cunning in the part of a mix that is not defensive. Purely defensive mixes have no point
            and are counted in the legend.
        title: Title of the picture.
        note: A line below the title.
    """
    if not 1 <= len(mixes) <= len(PALETTE):
        raise HeartRushError(f"Expected 1 to {len(PALETTE)} players in one triangle, got {len(mixes)}.")
    corners = np.array([[0.5, np.sqrt(0.75)], [0.0, 0.0], [1.0, 0.0]])  # might, agility, cunning
    with style():
        figure = new_figure(5.8, 5.2)
        axes = figure.subplots()
        _triangle(axes, corners)
        for place, (name, given) in enumerate(mixes.items()):
            rows = np.asarray(given, np.float64)
            attacking = rows[:, :3].sum(axis=1)
            shown = rows[attacking > 1e-9]
            points = shown[:, :3] / shown[:, :3].sum(axis=1, keepdims=True) @ corners
            hidden = len(rows) - len(shown)
            label = f"{name} ({hidden} states all defensive, not shown)" if hidden else name
            axes.scatter(
                points[:, 0],
                points[:, 1],
                s=14 + 220 * shown[:, 3],
                color=PALETTE[place],
                marker=MARKERS[place],
                alpha=0.55,
                linewidths=0,
                label=label,
                zorder=3,
            )
        axes.set_aspect("equal")
        axes.axis("off")
        axes.set_xlim(-0.1, 1.1)
        axes.set_ylim(-0.12, 0.97)
        legend = figure.legend(loc="outside lower center", ncols=min(2, len(mixes)), frameon=False)
        handles: list[Any] = list(legend.legend_handles)
        for handle in handles:
            handle.set(sizes=[36], alpha=0.9)
        _title(figure, title, note)
    return figure


def _triangle(axes: Any, corners: Any) -> None:
    """Draw the frame: sides, grid lines at each 20 % of a stance, the even mix, and the names of the corners."""
    beside = (("right", (-0.012, 0.0)), ("left", (0.006, -0.03)), ("left", (0.012, 0.004)))
    for share in (0.2, 0.4, 0.6, 0.8):
        for k, (side, shift) in enumerate(beside):
            one = share * corners[k] + (1 - share) * corners[(k + 1) % 3]
            two = share * corners[k] + (1 - share) * corners[(k + 2) % 3]
            axes.plot(*zip(one, two, strict=True), color=FAINT, linewidth=0.5, alpha=0.7, zorder=1)
            axes.text(*(one + shift), f"{100 * share:.0f} %", ha=side, va="center", fontsize=7, color="#777777")
    axes.plot(*zip(*corners, corners[0], strict=True), color=INK, linewidth=1, zorder=2)
    axes.plot(*corners.mean(axis=0), marker="+", color=INK, markersize=9, zorder=4)
    axes.text(*(corners[0] + (0, 0.03)), "all might", ha="center", va="bottom")
    axes.text(*(corners[1] + (0, -0.03)), "all agility", ha="center", va="top")
    axes.text(*(corners[2] + (0, -0.03)), "all cunning", ha="center", va="top")


def value_map(
    table: Tablebase, hearts: Sequence[tuple[int, int]] | None = None, rounds_left: int | None = None
) -> Figure:
    """Plot the first fighter's values of states as maps of both fighters' hit points, one per pair of heart dice.

    In a duel with condition levels, only states without conditions are shown.

    Args:
        table: The solution of the duel.
        hearts: Pairs of heart dice by their sides, at most four; by default the largest and smallest of both.
        rounds_left: Rounds left, where the round cap matters; by default all.
    """
    largest_and_smallest = [(ladder[-1], ladder[0]) for ladder in table.duel.hearts]
    pairs = list(dict.fromkeys(hearts or product(*largest_and_smallest)))
    if not 1 <= len(pairs) <= 4:
        raise HeartRushError(f"Expected 1 to 4 pairs of heart dice in one picture, got {len(pairs)}.")
    first, second = table.duel.game.agents
    values = table.values[table.layer(rounds_left)]
    with style():
        figure, panels = _panels(len(pairs))
        for panel, (one, two) in zip(panels, pairs, strict=True):
            by_hp = values[(slice(1, None), slice(1, None), *table.place((1, 1, one, two))[2:])]
            image = _map(panel, by_hp, table.duel.below, cmap=SIDES, vmin=-1.0, vmax=1.0)
            _zero_line(panel, by_hp, table.duel.below)
            panel.set_title(f"heart d{one} against d{two}")
            _hp_axes(panel, first, second)
        figure.colorbar(image, ax=panels, label=f"value for {first}: P(win) - P(loss)", shrink=0.85)
        _title(figure, f"{table.duel.game.scenario_name}: values of states", "on the line both fighters are equal")
    return figure


def leak_map(found: Sequence[Leaks], title: str, note: str = "") -> Figure:
    """Plot where a player loses value as maps of both fighters' hit points, one per seat, summed over heart dice.

    Colors are logarithmic, because most rounds are spent near the start. Purple marks states in which a best response
    gives value away to win more elsewhere.

    Args:
        found: Results of `research.analysis.leaks.leaks` for one seat or both.
        title: Title of the picture, usually the scenario, the player and its opponent.
        note: A line below the title.
    """
    norms = drawing_library().colors
    lost = [1000 * seat.by_state[1:, 1:].sum(axis=(2, 3)) for seat in found]
    most = max(max(float(np.abs(seat).max()) for seat in lost), 1e-9)
    gives = min(float(seat.min()) for seat in lost) < -1e-3 * most
    norm = norms.SymLogNorm(most / 1000, vmin=-most if gives else 0.0, vmax=most)
    colors, label = "PuOr_r" if gives else LOSSES, "value lost in a duel, in thousandths"
    note = note or ("purple: a best response gives value away there to win more elsewhere" if gives else "")
    titles = [f"loses {seat.total:.3f} of value in a duel" for seat in found]
    return _leak_panels(found, lost, titles, {"cmap": colors, "norm": norm}, label, (title, note))


def regret_map(found: Sequence[Leaks], title: str, note: str = "") -> Figure:
    """Plot the value that a round may lose to the best reply as maps of hit points, averaged over heart dice.

    The average weights states by how often they occur; states that never occur stay gray. The arguments are as in
    `leak_map`.
    """
    regrets, titles = [], []
    for seat in found:
        met = seat.visits[:, 1:, 1:].sum(axis=(0, 3, 4))
        sums = (seat.visits * seat.regrets)[:, 1:, 1:].sum(axis=(0, 3, 4))
        regrets.append(np.divide(sums, met, out=np.full(met.shape, np.nan), where=met > 0))
        titles.append(f"{sums.sum() / met.sum():.3f} in an average round")
    most = max(max(float(np.nanmax(seat)) for seat in regrets), 1e-9)
    label = "value that a round may lose to the best reply"
    return _leak_panels(found, regrets, titles, {"cmap": LOSSES, "vmin": 0.0, "vmax": most}, label, (title, note))


def _leak_panels(
    found: Sequence[Leaks],
    maps: Sequence[Any],
    titles: Sequence[str],
    colors: Any,
    label: str,
    heading: tuple[str, str],
) -> Figure:
    """Draw one map per seat with a common colour scale."""
    with style():
        figure, panels = _panels(len(found))
        for panel, seat, numbers, title in zip(panels, found, maps, titles, strict=True):
            own, other = (seat.duel.game.agents[number] for number in seat.duel.seats)
            panel.set_facecolor("#eeeeee")
            image = _map(panel, numbers, seat.duel.below, **colors)
            panel.set_title(f"as {own}: {title}")
            _hp_axes(panel, own, other)
        figure.colorbar(image, ax=panels, label=label, shrink=0.85)
        _title(figure, *heading)
    return figure


def bars(panels: Mapping[str, Mapping[str, Sequence[Interval | None]]], groups: Sequence[str], title: str) -> Figure:
    """Plot numbers with their intervals as groups of bars, one panel per measure.

    Args:
        panels: For each measure, a number for each group, by the name of its series. All panels have the same series,
            at most six. A number is (number, low, high), or None if it is missing.
        groups: The names of the groups, in order.
        title: Title of the picture.
    """
    names = list(next(iter(panels.values())))
    if not 1 <= len(names) <= len(PALETTE):
        raise HeartRushError(f"Expected 1 to {len(PALETTE)} series in one picture, got {len(names)}.")
    width = 0.8 / len(names)
    with style():
        figure, axes = _panels(len(panels))
        for panel, (measure, series) in zip(axes, panels.items(), strict=True):
            for place, numbers in enumerate(series.values()):
                at = np.arange(len(groups)) + (place - (len(names) - 1) / 2) * width
                middle, low, high = np.array([number or (np.nan,) * 3 for number in numbers]).T
                panel.bar(at, middle, 0.9 * width, color=PALETTE[place])
                panel.errorbar(at, middle, [middle - low, high - middle], fmt="none", ecolor=INK, elinewidth=1)
            panel.set_title(measure)
            panel.set_xticks(range(len(groups)), groups)
            panel.set_xlim(-0.5, len(groups) - 0.5)
            panel.axhline(0, color=INK, linewidth=0.8)
            panel.spines[["top", "right"]].set_visible(False)
        figure.legend(
            axes[0].patches[:: len(groups)], names, loc="outside lower center", ncols=len(names), frameon=False
        )
        _title(figure, title, "lines are 95 % intervals")
    return figure


def gains(found: Sequence[tuple[str, Mean]], title: str) -> Figure:
    """Plot gains with their intervals as dots, one row each, from the top down, in columns of equal scale.

    Args:
        found: The name and the gain of each row, as a fraction.
        title: Title of the picture.
    """
    columns = -(-len(found) // MOST_ROWS)
    rows = -(-len(found) // columns)
    with style():
        figure = new_figure(2.6 + 3.4 * columns, 1.2 + 0.15 * rows)
        panels = figure.subplots(1, columns, sharex=True, squeeze=False)[0]
        for panel, first in zip(panels, range(0, len(found), rows), strict=True):
            shown = found[first : first + rows]
            middle = np.array([100 * gain.mean for _, gain in shown])
            ends = np.array([[100 * gain.low, 100 * gain.high] for _, gain in shown]).T
            panel.hlines(range(len(shown)), *ends, color=PALETTE[0], linewidth=1)
            panel.plot(middle, range(len(shown)), "o", markersize=3, color=PALETTE[0])
            panel.axvline(0, color=INK, linewidth=0.8)
            panel.set_yticks(range(len(shown)), [name for name, _ in shown], fontsize=7)
            panel.set_ylim(rows - 0.5, -0.5)
            panel.set_xlabel("gain in percentage points")
            panel.spines[["top", "right"]].set_visible(False)
        _title(figure, title, "lines are 95 % intervals")
    return figure


def in_words(table: Tablebase, state: State) -> str:
    """Describe a state in words."""
    first, second = table.duel.game.agents
    return f"{first} {state[0]} hp d{state[2]}, {second} {state[1]} hp d{state[3]}"


# -- parts of pictures -------------------------------------------------------------------------------------------------


def style() -> Any:
    """Return a context manager that applies the style of all pictures."""
    return drawing_library().rc_context(STYLE)


def drawing_library() -> Any:
    """Return matplotlib, or raise an error that explains how to install it."""
    try:
        import matplotlib
        import matplotlib.colors
        import matplotlib.figure
        import matplotlib.layout_engine
        import matplotlib.ticker
    except ImportError:
        raise HeartRushError("Pictures need matplotlib: pip install 'heartrush-env[plots]' installs it.") from None
    return matplotlib


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of this size in inches, independent of windows and global state."""
    library = drawing_library()
    layout = library.layout_engine.ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.07)  # inches around each part
    figure: Figure = library.figure.Figure(figsize=(width, height), layout=layout)
    return figure


def _panels(count: int) -> tuple[Figure, list[Any]]:
    """Return a figure with this many equal panels, at most two per row, and the panels."""
    rows, columns = (count + 1) // 2, min(count, 2)
    figure = new_figure(1.6 + 3.6 * columns, 0.8 + 3.5 * rows)
    panels = figure.subplots(rows, columns, squeeze=False).ravel().tolist()
    for spare in panels[count:]:
        spare.remove()
    return figure, panels[:count]


def _map(panel: Any, numbers: Any, below: tuple[int, int], **colors: Any) -> Any:
    """Draw an array (own hp, other's hp) as a map that begins at the least hit points in play; own hp go upwards."""
    own, other = numbers.shape
    low, left = 0.5 - below[0], 0.5 - below[1]
    extent = (left, left + other, low, low + own)
    aspect = "equal" if 0.5 <= own / other <= 2 else "auto"
    return panel.imshow(numbers, origin="lower", extent=extent, aspect=aspect, **colors)


def _zero_line(panel: Any, numbers: Any, below: tuple[int, int]) -> None:
    """Draw the line on which the value is 0."""
    own, other = numbers.shape
    if min(own, other) > 1 and numbers.min() < 0 < numbers.max():
        lines = np.arange(1, other + 1) - below[1], np.arange(1, own + 1) - below[0]
        panel.contour(*lines, numbers, levels=[0.0], colors=INK, linewidths=1)


def _hp_axes(panel: Any, own: str, other: str) -> None:
    panel.set_xlabel(f"hit points of {other}")
    panel.set_ylabel(f"hit points of {own}")
    for axis in (panel.xaxis, panel.yaxis):
        axis.set_major_locator(drawing_library().ticker.MaxNLocator(integer=True, nbins=6))


def _shares(mix: Any) -> list[str]:
    """Return the stances with their probabilities, as tick labels."""
    return [f"{stance}\n{100 * share:.1f} %" for stance, share in zip(STANCES, mix, strict=True)]


def _signed(number: float, places: int = 3) -> str:
    """Return a number with its sign, and with a true minus; numbers that round to zero get a plus."""
    return f"{round(number, places) + 0.0:+.{places}f}".replace("-", "\N{MINUS SIGN}")


def _title(figure: Figure, title: str, note: str) -> None:
    """Write the title and the note, wrapped to the figure's width."""
    letters = int(11.5 * figure.get_figwidth())
    figure.suptitle("\n".join(fill(line, letters) for line in (title, note) if line), fontsize=11)
