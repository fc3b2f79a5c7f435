"""A fight as a film: an animated GIF, or an MP4 if imageio-ffmpeg is installed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Event, Game, Picture
from heartrush_env.tabletop.render import NEEDED
from heartrush_env.tabletop.writing import replaced

Color = tuple[int, int, int]

SUFFIXES: Final = (".gif", ".mp4")
QUIET, LOUD, LAST = 0.5, 1.2, 3.0  # seconds that a picture is shown: by default, with a hit, and at the end
GLIDE: Final = 0.06  # seconds that a frame of movement is shown
MP4_FPS: Final = 10
COLORS: Final = 256  # of a GIF
SAMPLES: Final = 24  # pictures from which a film's colors are taken


class Filmed(Protocol):
    """The part of an environment that a film uses."""

    @property
    def events(self) -> list[Event]:
        """The events of the last step."""

    def frames(self) -> list[Picture]:
        """Return the pictures that lead up to this moment."""


class Film:
    """A film: the pictures of a fight, collected from an environment's `frames()`, to be written to a file."""

    def __init__(self, path: Path, *, exact: Sequence[Color] = (), blows: Collection[str] = ()) -> None:
        """Start a film.

        Args:
            path: The file to write, ending in .gif or .mp4.
            exact: Colors that a GIF must show exactly; others are approximated.
            blows: Types of events whose pictures are shown longer.

        Raises:
            HeartRushError: The file has another suffix, or the package that writes such files is not installed.
        """
        self.path = path
        check_film(path)
        self._exact, self._blows = tuple(exact), frozenset(blows)
        self._frames: list[tuple[Picture, float]] = []

    def watch(self, env: Filmed) -> None:
        """Add the pictures of the step that an environment has just played."""
        self.add(env.frames(), env.events)

    def add(self, frames: Sequence[Picture], events: Sequence[Event]) -> None:
        """Add the pictures of a step and its events; the last picture shows the step's end.

        A step without events is shown only if it is the first.
        """
        if events or not self._frames:
            kinds = {event["type"] for event in events}
            self._frames += [(frame, GLIDE) for frame in frames[:-1]]
            self._frames.append((frames[-1], LAST if "end" in kinds else LOUD if kinds & self._blows else QUIET))

    def write(self) -> None:
        """Write the film.

        Raises:
            HeartRushError: The film cannot be written; no partial file remains.
        """
        with replaced(self.path) as part:
            if self.path.suffix == ".gif":
                _write_gif(part, self._frames, self._exact)
            else:
                _write_mp4(part, self._frames)


def film_of(game: Game, path: Path) -> Film:
    """Return a film for a fight of this game, with its board's colors and blows; raise HeartRushError as Film does."""
    check_film(path)
    board = game.new_board()
    return Film(path, exact=board.exact, blows=board.blows)


def check_film(path: Path) -> None:
    """Raise HeartRushError if a film cannot be written to this path."""
    if path.suffix not in SUFFIXES:
        raise HeartRushError(f"Expected a file ending in {' or '.join(SUFFIXES)}, got {str(path)!r}.")
    needed, package = ("imageio_ffmpeg", "imageio-ffmpeg") if path.suffix == ".mp4" else ("PIL", "pillow")
    if find_spec(needed) is None:
        raise HeartRushError(f"{str(path)!r} cannot be written without {package}; install it with pip.")
    if find_spec("pygame") is None:
        raise HeartRushError(NEEDED)


def _write_gif(path: Path, frames: Sequence[tuple[Picture, float]], exact: Sequence[Color]) -> None:
    from PIL import Image

    palette = _palette([frame for frame, _ in frames], exact)
    images = [Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE) for frame, _ in frames]
    times = [round(1000 * seconds) for _, seconds in frames]
    images[0].save(path, format="GIF", save_all=True, append_images=images[1:], duration=times, loop=0)


def _palette(frames: Sequence[Picture], exact: Sequence[Color]) -> Any:
    """Return the palette of a film: the exact colors, then colors from pictures throughout the film."""
    from PIL import Image

    seen = frames[:: -(-len(frames) // SAMPLES)]
    dots = np.concatenate([frame[::2, ::2] for frame in seen])
    rest = Image.fromarray(dots).quantize(COLORS - len(exact)).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(part for color in exact for part in color), *rest[: 3 * (COLORS - len(exact))]])
    return palette


def _write_mp4(path: Path, frames: Sequence[tuple[Picture, float]]) -> None:
    ffmpeg = import_module("imageio_ffmpeg")  # not in the extra, because it includes a program of 30 MB
    height, width = frames[0][0].shape[:2]
    kind = ["-f", "mp4"]  # the temporary file's name does not show the format
    writer = ffmpeg.write_frames(
        str(path), (width, height), fps=MP4_FPS, quality=8, macro_block_size=4, output_params=kind
    )
    writer.send(None)
    for frame, seconds in frames:
        for _ in range(round(seconds * MP4_FPS)):
            writer.send(frame.tobytes())
    writer.close()
