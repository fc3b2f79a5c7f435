"""A fight as a film: an animated GIF, or an MP4 where imageio-ffmpeg is installed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from heartrush_env.core.errors import HeartRushError
from heartrush_env.core.game import Event, Picture
from heartrush_env.core.writing import replaced
from heartrush_env.render import NEEDED

Color = tuple[int, int, int]

SUFFIXES: Final = (".gif", ".mp4")
QUIET, LOUD, LAST = 0.5, 1.2, 3.0  # seconds that a picture is seen: usually, with a blow in it, and at the end
GLIDE: Final = 0.06  # seconds that a picture of a way is seen
MP4_FPS: Final = 10
COLORS: Final = 256  # of a GIF
SAMPLES: Final = 24  # pictures of a film that its colours are taken from


class Filmed(Protocol):
    """An environment, as far as a film looks at it."""

    @property
    def events(self) -> list[Event]:
        """What happened in the last step."""

    def frames(self) -> list[Picture]:
        """The pictures that lead to this moment."""


class Film:
    """Takes the pictures of a fight, as `frames()` of an environment gives them, and writes them into a file."""

    def __init__(self, path: Path, *, exact: Sequence[Color] = (), blows: Collection[str] = ()) -> None:
        """Prepare a film.

        Args:
            path: The file to write, which ends in .gif or .mp4.
            exact: Colours that a GIF must show exactly; the others are approximated.
            blows: Types of events whose pictures stay longer.

        Raises:
            HeartRushError: the file's name ends otherwise, or what writes such a file is not installed.
        """
        self.path = path
        check_film(path)
        self._exact, self._blows = tuple(exact), frozenset(blows)
        self._frames: list[tuple[Picture, float]] = []

    def watch(self, env: Filmed) -> None:
        """Take the pictures of the step that an environment has just played."""
        self.add(env.frames(), env.events)

    def add(self, frames: Sequence[Picture], events: Sequence[Event]) -> None:
        """Take the pictures of a step, the last being its end, and what happened in it.

        A step in which nothing happened is seen only as the first.
        """
        if events or not self._frames:
            kinds = {event["type"] for event in events}
            self._frames += [(frame, GLIDE) for frame in frames[:-1]]
            self._frames.append((frames[-1], LAST if "end" in kinds else LOUD if kinds & self._blows else QUIET))

    def write(self) -> None:
        """Write the film; HeartRushError says why it cannot be written, and nothing is left of it then."""
        with replaced(self.path) as part:
            if self.path.suffix == ".gif":
                _write_gif(part, self._frames, self._exact)
            else:
                _write_mp4(part, self._frames)


def check_film(path: Path) -> None:
    """Refuse a file that no film can be written into, in a sentence."""
    if path.suffix not in SUFFIXES:
        raise HeartRushError(f"A film is a file ending in {' or '.join(SUFFIXES)}, found {str(path)!r}.")
    needed, package = ("imageio_ffmpeg", "imageio-ffmpeg") if path.suffix == ".mp4" else ("PIL", "pillow")
    if find_spec(needed) is None:
        raise HeartRushError(f"{str(path)!r} cannot be written, needed: {package}, installed by pip.")
    if find_spec("pygame") is None:
        raise HeartRushError(NEEDED)


def _write_gif(path: Path, frames: Sequence[tuple[Picture, float]], exact: Sequence[Color]) -> None:
    from PIL import Image

    palette = _palette([frame for frame, _ in frames], exact)
    images = [Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE) for frame, _ in frames]
    times = [round(1000 * seconds) for _, seconds in frames]
    images[0].save(path, format="GIF", save_all=True, append_images=images[1:], duration=times, loop=0)


def _palette(frames: Sequence[Picture], exact: Sequence[Color]) -> Any:
    """The colours of a whole film: the exact ones, and the rest taken from pictures of all its parts."""
    from PIL import Image

    seen = frames[:: -(-len(frames) // SAMPLES)]
    dots = np.concatenate([frame[::2, ::2] for frame in seen])
    rest = Image.fromarray(dots).quantize(COLORS - len(exact)).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(part for color in exact for part in color), *rest[: 3 * (COLORS - len(exact))]])
    return palette


def _write_mp4(path: Path, frames: Sequence[tuple[Picture, float]]) -> None:
    ffmpeg = import_module("imageio_ffmpeg")  # not in the extra: with it comes a program of 30 MB
    height, width = frames[0][0].shape[:2]
    kind = ["-f", "mp4"]  # which the name of a part does not say
    writer = ffmpeg.write_frames(
        str(path), (width, height), fps=MP4_FPS, quality=8, macro_block_size=4, output_params=kind
    )
    writer.send(None)
    for frame, seconds in frames:
        for _ in range(round(seconds * MP4_FPS)):
            writer.send(frame.tobytes())
    writer.close()
