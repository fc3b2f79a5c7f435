"""The type of colors, and the color of outlines, for canvases and for themes that are used without pygame."""

from __future__ import annotations

from typing import Final

Color = tuple[int, int, int]
INK: Final[Color] = (28, 26, 30)  # outlines
