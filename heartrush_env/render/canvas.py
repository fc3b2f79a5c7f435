"""A pen on a large sheet: all is drawn at twice its size and scaled down, so that edges are smooth; texts come last."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import pygame

from heartrush_env.core.game import Picture

Color = tuple[int, int, int]
INK: Final[Color] = (28, 26, 30)  # outlines

FINE: Final = 2  # dots of the sheet for each of the picture, each way
LETTERING: Final = 8  # how much finer than the sheet letters are set, so that whole dots do not space them unevenly
INDENT: Final = "    "  # of a line that goes on
Point = tuple[float, float]


class Text(NamedTuple):
    """Something to write when all shapes are there."""

    text: str
    at: Point
    size: int
    color: Color
    align: str  # left, center or right


@cache
def font(size: int) -> Any:
    """The font that comes with pygame, so that pictures look alike everywhere."""
    pygame.font.init()
    return pygame.font.Font(None, size)


def width_of(text: str, size: int) -> float:
    """How wide a text is, in dots of the picture."""
    return float(font(LETTERING * FINE * size).size(text)[0] / (LETTERING * FINE))


@lru_cache(2048)
def written(text: str, size: int, color: Color) -> Any:
    """A text as it lies on the sheet."""
    large = pygame.surfarray.array_alpha(font(LETTERING * FINE * size).render(text, True, color))
    width, height = (-(-length // LETTERING) for length in large.shape)
    cells = np.zeros((width * LETTERING, height * LETTERING))
    cells[: large.shape[0], : large.shape[1]] = large
    letters = pygame.Surface((width, height), pygame.SRCALPHA)
    letters.fill((*color, 0))
    pygame.surfarray.pixels_alpha(letters)[:] = cells.reshape(width, LETTERING, height, LETTERING).mean(axis=(1, 3))
    return letters


def shortened(name: str, size: int, most: float) -> str:
    """A name that fits: its first words as initials, then its last one cut, its number kept."""
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
    """A text in as many lines as it needs, the later ones set in; what two spaces part stays together if it can."""
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
    """Draws in dots of the picture, from the top left."""

    def __init__(self, width: int, height: int, background: Color) -> None:
        self.width, self.height = width, height
        self.sheet: Any = pygame.Surface((width * FINE, height * FINE))
        self.sheet.fill(background)
        self._texts: list[Text] = []

    def box(self, x: float, y: float, width: float, height: float, color: Color, *, round: float = 0) -> None:
        """A filled rectangle."""
        left, top, right, bottom = (int(FINE * edge) for edge in (x, y, x + width, y + height))
        pygame.draw.rect(self.sheet, color, (left, top, right - left, bottom - top), border_radius=int(FINE * round))

    def disc(self, at: Point, radius: float, color: Color) -> None:
        """A filled circle."""
        pygame.draw.circle(self.sheet, color, (FINE * at[0], FINE * at[1]), FINE * radius)

    def shape(self, points: Iterable[Point], color: Color) -> None:
        """A filled polygon."""
        pygame.draw.polygon(self.sheet, color, [(FINE * x, FINE * y) for x, y in points])

    def line(self, start: Point, end: Point, color: Color, width: float = 1) -> None:
        """A straight line with round ends."""
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
        """A part of a ring, clockwise from the top, shares of the whole."""
        if share <= 0:
            return
        steps = max(2, int(48 * share))
        angles = [2 * math.pi * (begin + share * step / steps) for step in range(steps + 1)]
        rim = [(at[0] + outer * math.sin(a), at[1] - outer * math.cos(a)) for a in angles]
        rim += [(at[0] + inner * math.sin(a), at[1] - inner * math.cos(a)) for a in reversed(angles)]
        self.shape(rim, color)

    def arrow(self, start: Point, end: Point, color: Color, width: float) -> None:
        """A line with a head at its end, in a thin dark rim."""
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
        """A part of the picture darkened or coloured."""
        cloth = pygame.Surface((int(FINE * width), int(FINE * height)), pygame.SRCALPHA)
        cloth.fill((*color, int(255 * share)))
        self.sheet.blit(cloth, (int(FINE * x), int(FINE * y)))

    def write(self, text: str, at: Point, size: int, color: Color, align: str = "left") -> None:
        """A line of text, its middle at that height."""
        self._texts.append(Text(text, at, size, color, align))

    def write_within(self, text: str, at: Point, size: int, color: Color, most: float) -> None:
        """A line of text, cut off where it would grow too wide."""
        if width_of(text, size) > most:
            while text and width_of(text + "…", size) > most:
                text = text[:-1]
            text = text.rstrip(" ,") + "…"
        self.write(text, at, size, color)

    def finish(self) -> Picture:
        """The picture."""
        for text, at, size, color, align in self._texts:
            letters = written(text, size, color)
            width, height = letters.get_size()
            left = FINE * at[0] - {"left": 0, "center": width / 2, "right": width}[align]
            self.sheet.blit(letters, (round(left), round(FINE * at[1] - height / 2)))
        picture = pygame.transform.smoothscale(self.sheet, (self.width, self.height))
        return np.ascontiguousarray(pygame.surfarray.array3d(picture).swapaxes(0, 1))


def around(at: Point, radius: float, corners: int, turn: float = 0) -> Sequence[Point]:
    """The corners of a regular polygon, the first at the top, turned by shares of a whole turn."""
    angles = [2 * math.pi * (turn + corner / corners) for corner in range(corners)]
    return [(at[0] + radius * math.sin(a), at[1] - radius * math.cos(a)) for a in angles]


def shrunk(points: Sequence[Point], share: float) -> list[Point]:
    """The corners drawn in towards their middle."""
    middle = tuple(sum(point[k] for point in points) / len(points) for k in (0, 1))
    return [(middle[0] + share * (x - middle[0]), middle[1] + share * (y - middle[1])) for x, y in points]


def chance(place: int, number: int) -> float:
    """From 0 to 1, always the same for the same numbers: for textures."""
    return math.sin(place * 127.1 + number * 311.7) * 43758.5453 % 1
