"""The layout of a picture: the ground, a row for each fighter, the lines of the log. Nothing here draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from heartrush_env.games.heart_rush.board.theme import View

SIZES: Final = ((800, 600), (960, 720))  # pixels: the default, and the size used if squares would be too small
TILE_WANTED: Final = 34.0  # pixels per square that make the smaller size sufficient
TILE_MOST: Final = 64.0
HEADER: Final = 34
PANEL_WIDTH: Final = 236  # pixels: the width of a row and of the panel next to the ground
MARGIN: Final = 8
PADDING: Final = 6  # within the panel
ROW_HEIGHTS: Final = (29, 46)  # of a fighter's row: minimum, maximum
LINE_HEIGHT: Final = 15
LINES_BELOW, LINES_BESIDE = 5, 12  # minimum lines of the log; next to the ground, rows shrink to make room
WORTH: Final = 1.05  # how much larger squares must become for the panel to move below the ground


class Box(NamedTuple):
    """A rectangle of the picture, in pixels."""

    left: float
    top: float
    width: float
    height: float


class Layout(NamedTuple):
    """The parts of a picture."""

    ground: Box
    tile: float  # pixels per square; 0 without a map
    panel: Box
    rows: dict[str, Box]  # by fighter
    lines: Box
    below: bool  # the panel is below the ground


def picture_size(view: View) -> tuple[int, int]:
    """Return the size of a fight's pictures in pixels, which is constant from start to end."""
    if "battlefield" not in view:
        return SIZES[0]
    wide = (size for size in SIZES if lay_out(size, view).tile >= TILE_WANTED)
    return next(wide, SIZES[-1])


def lay_out(size: tuple[int, int], view: View) -> Layout:
    """Return the layout with the panel next to the ground, or below it if that makes squares larger."""
    beside = _beside(size, view)
    below = _below(size, view) if "battlefield" in view else None
    return below if below and below.tile > WORTH * beside.tile else beside


def _teams(view: View) -> list[list[str]]:
    """Return the agents, team by team."""
    fighters = view["fighters"]
    teams = dict.fromkeys(fighter["team"] for fighter in fighters.values())
    return [[agent for agent in fighters if fighters[agent]["team"] == team] for team in teams]


def _tile(view: View, width: float, height: float) -> float:
    """Return the largest square size at which the map fits, in whole pixels; 0 without a map."""
    if "battlefield" not in view:
        return 0.0
    rows = view["battlefield"]["map"]
    return float(int(min(width / len(rows[0]), height / len(rows), TILE_MOST)))


def _beside(size: tuple[int, int], view: View) -> Layout:
    width, height = size
    ground = Box(MARGIN, HEADER, width - PANEL_WIDTH - 2 * MARGIN, height - HEADER - MARGIN)
    panel = Box(width - PANEL_WIDTH - MARGIN + 4, 6, PANEL_WIDTH, height - 6 - MARGIN)
    order = [agent for team in _teams(view) for agent in team]
    row = _row_height((panel.height - LINES_BESIDE * LINE_HEIGHT - 14) / len(order))
    rows = {
        agent: Box(panel.left + PADDING, panel.top + 4 + place * row, PANEL_WIDTH - 2 * PADDING, row)
        for place, agent in enumerate(order)
    }
    top = panel.top + 8 + len(order) * row
    lines = Box(panel.left + 9, top, PANEL_WIDTH - 18, panel.top + panel.height - top)
    return Layout(ground, _tile(view, ground.width, ground.height), panel, rows, lines, below=False)


def _below(size: tuple[int, int], view: View) -> Layout | None:
    """Return the layout with the fighters' rows and, to their right, the log below the ground, or None without room."""
    width, height = size
    inner = width - 2 * MARGIN
    columns = inner // (PANEL_WIDTH - 2 * PADDING)
    if columns < 2:
        return None
    chunks = _columns(_teams(view), columns - 1)
    most = max(len(chunk) for chunk in chunks)
    strip = max(most * ROW_HEIGHTS[0], LINES_BELOW * LINE_HEIGHT) + 2 * PADDING
    tile = _tile(view, inner, height - HEADER - strip - 2 * MARGIN)
    ground = Box(MARGIN, HEADER, inner, tile * len(view["battlefield"]["map"]))
    panel = Box(MARGIN, HEADER + ground.height + MARGIN, inner, height - HEADER - ground.height - 2 * MARGIN)
    row, column = _row_height((panel.height - 2 * PADDING) / most), inner / columns
    rows = {
        agent: Box(panel.left + PADDING + place * column, panel.top + PADDING + k * row, column, row)
        for place, chunk in enumerate(chunks)
        for k, agent in enumerate(chunk)
    }
    left = panel.left + len(chunks) * column + PADDING
    lines = Box(left, panel.top, panel.left + inner - PADDING - left, panel.height)
    return Layout(ground, tile, panel, rows, lines, below=True)


def _row_height(room: float) -> float:
    return max(ROW_HEIGHTS[0], min(ROW_HEIGHTS[1], room))


def _columns(teams: Sequence[Sequence[str]], most: int) -> list[list[str]]:
    """Split the agents into at most `most` columns that are as short as possible.

    Each team starts a new column, unless there are more teams than columns.
    """
    order = [agent for team in teams for agent in team]
    if len(teams) > most:
        teams = [order]
    for height in range(1, len(order) + 1):
        chunks = [list(team[k : k + height]) for team in teams for k in range(0, len(team), height)]
        if len(chunks) <= most:
            return chunks
    return [order]
