"""A canvas that draws at twice the size and scales down for smooth edges; text is added last."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import pygame

from heartrush_env.tabletop.game import Picture
from heartrush_env.tabletop.render.ink import INK, Color

FINE: Final = 2  # pixels of the sheet per pixel of the picture, in each direction
LETTERING: Final = 8  # extra resolution for text, so that rounding to pixels does not space letters unevenly
INDENT: Final = "    "  # of continuation lines
Point = tuple[float, float]


class Text(NamedTuple):
    """Text to write once all shapes are drawn."""

    text: str
    at: Point
    size: int
    color: Color
    align: str  # left, center or right


@cache
def font(size: int) -> Any:
    """Return the font bundled with pygame, so that pictures look the same everywhere."""
    pygame.font.init()
    return pygame.font.Font(None, size)


def width_of(text: str, size: int) -> float:
    """Return the width of a text, in pixels of the picture."""
    return float(font(LETTERING * FINE * size).size(text)[0] / (LETTERING * FINE))


@lru_cache(2048)
def written(text: str, size: int, color: Color) -> Any:
    """Render text at the resolution of the sheet."""
    large = pygame.surfarray.array_alpha(font(LETTERING * FINE * size).render(text, True, color))
    width, height = (-(-length // LETTERING) for length in large.shape)
    cells = np.zeros((width * LETTERING, height * LETTERING))
    cells[: large.shape[0], : large.shape[1]] = large
    letters = pygame.Surface((width, height), pygame.SRCALPHA)
    letters.fill((*color, 0))
    pygame.surfarray.pixels_alpha(letters)[:] = cells.reshape(width, LETTERING, height, LETTERING).mean(axis=(1, 3))
    return letters


def shortened(name: str, size: int, most: float) -> str:
    """Shorten a name to a width: turn words into initials, then cut the last word; keep a number at its end."""
    *parts, last = name.split()
    number = [last] if parts and last.isdigit() else []
    parts = parts if number else [*parts, last]
    for place in range(len(parts)):
        if width_of(" ".join([*parts, *number]), size) <= most:
            break
        if place < len(parts) - 1:
            parts[place] = f"{parts[place][0]}."
    while len(parts[-1]) > 2 and width_of(" ".join([*parts, *number]), size) > most:
        parts[-1] = parts[-1].removesuffix("…")[:-1] + "…"
    return " ".join([*parts, *number])


def wrapped(text: str, size: int, most: float) -> list[str]:
    """Wrap a text into lines, with continuation lines indented; break at double spaces if possible."""
    lines = [""]
    for part in text.split("  "):
        fits = width_of(f"{INDENT}{part}", size) <= most
        for place, piece in enumerate([part] if fits else part.split(" ")):
            gap = "" if not lines[-1].strip() else " " if place else "  "
            if gap and width_of(f"{lines[-1]}{gap}{piece}", size) > most:
                lines.append(INDENT + piece)
            else:
                lines[-1] += gap + piece
    return lines


class Pen:
    """A pen that draws in pixels of the picture, counted from the top left."""

    def __init__(self, width: int, height: int, background: Color) -> None:
        self.width, self.height = width, height
        self.sheet: Any = pygame.Surface((width * FINE, height * FINE))
        self.sheet.fill(background)
        self._texts: list[Text] = []

    def box(self, x: float, y: float, width: float, height: float, color: Color, *, round: float = 0) -> None:
        """Draw a filled rectangle."""
        left, top, right, bottom = (int(FINE * edge) for edge in (x, y, x + width, y + height))
        pygame.draw.rect(self.sheet, color, (left, top, right - left, bottom - top), border_radius=int(FINE * round))

    def disc(self, at: Point, radius: float, color: Color) -> None:
        """Draw a filled circle."""
        pygame.draw.circle(self.sheet, color, (FINE * at[0], FINE * at[1]), FINE * radius)

    def shape(self, points: Iterable[Point], color: Color) -> None:
        """Draw a filled polygon."""
        pygame.draw.polygon(self.sheet, color, [(FINE * x, FINE * y) for x, y in points])

    def line(self, start: Point, end: Point, color: Color, width: float = 1) -> None:
        """Draw a straight line with round ends."""
        pygame.draw.line(
            self.sheet,
            color,
            (FINE * start[0], FINE * start[1]),
            (FINE * end[0], FINE * end[1]),
            max(1, int(FINE * width)),
        )
        if width > 2:
            self.disc(start, width / 2, color)
            self.disc(end, width / 2, color)

    def ring(self, at: Point, outer: float, inner: float, share: float, color: Color, begin: float = 0) -> None:
        """Draw a part of a ring, clockwise from the top; `share` and `begin` are fractions of the full circle."""
        if share <= 0:
            return
        steps = max(2, int(48 * share))
        angles = [2 * math.pi * (begin + share * step / steps) for step in range(steps + 1)]
        rim = [(at[0] + outer * math.sin(a), at[1] - outer * math.cos(a)) for a in angles]
        rim += [(at[0] + inner * math.sin(a), at[1] - inner * math.cos(a)) for a in reversed(angles)]
        self.shape(rim, color)

    def arrow(self, start: Point, end: Point, color: Color, width: float) -> None:
        """Draw an arrow with a thin dark outline."""
        length = math.dist(start, end)
        if length < 1:
            return
        dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        head = min(4 * width, length)
        neck = (end[0] - head * dx, end[1] - head * dy)
        for part, more in ((INK, 1.2), (color, 0.0)):
            half, back, tip = 0.5 * head + 1.4 * more, more, 2 * more
            self.line(start, neck, part, width + 2 * more)
            base = (neck[0] - back * dx, neck[1] - back * dy)
            corners = ((base[0] - side * half * dy, base[1] + side * half * dx) for side in (-1, 1))
            self.shape([(end[0] + tip * dx, end[1] + tip * dy), *corners], part)

    def veil(self, x: float, y: float, width: float, height: float, color: Color, share: float) -> None:
        """Tint a rectangle of the picture; `share` is the opacity of the tint."""
        cloth = pygame.Surface((int(FINE * width), int(FINE * height)), pygame.SRCALPHA)
        cloth.fill((*color, int(255 * share)))
        self.sheet.blit(cloth, (int(FINE * x), int(FINE * y)))

    def write(self, text: str, at: Point, size: int, color: Color, align: str = "left") -> None:
        """Write a line of text, vertically centered at `at`."""
        self._texts.append(Text(text, at, size, color, align))

    def write_within(self, text: str, at: Point, size: int, color: Color, most: float) -> None:
        """Write a line of text, cut off at the width `most`."""
        if width_of(text, size) > most:
            while text and width_of(text + "…", size) > most:
                text = text[:-1]
            text = text.rstrip(" ,") + "…"
        self.write(text, at, size, color)

    def finish(self) -> Picture:
        """Scale the sheet down, add the text, and return the picture."""
        for text, at, size, color, align in self._texts:
            letters = written(text, size, color)
            width, height = letters.get_size()
            left = FINE * at[0] - {"left": 0, "center": width / 2, "right": width}[align]
            self.sheet.blit(letters, (round(left), round(FINE * at[1] - height / 2)))
        picture = pygame.transform.smoothscale(self.sheet, (self.width, self.height))
        return np.ascontiguousarray(pygame.surfarray.array3d(picture).swapaxes(0, 1))


def around(at: Point, radius: float, corners: int, turn: float = 0) -> Sequence[Point]:
    """Return the corners of a regular polygon, the first at the top, rotated by a fraction of a full turn."""
    angles = [2 * math.pi * (turn + corner / corners) for corner in range(corners)]
    return [(at[0] + radius * math.sin(a), at[1] - radius * math.cos(a)) for a in angles]


def shrunk(points: Sequence[Point], share: float) -> list[Point]:
    """Return the points, moved towards their center; `share` is the fraction of the distance that remains."""
    middle = tuple(sum(point[k] for point in points) / len(points) for k in (0, 1))
    return [(middle[0] + share * (x - middle[0]), middle[1] + share * (y - middle[1])) for x, y in points]


def chance(place: int, number: int) -> float:
    """Return a pseudo-random number from 0 to 1 for textures, always equal for equal arguments."""
    return math.sin(place * 127.1 + number * 311.7) * 43758.5453 % 1
