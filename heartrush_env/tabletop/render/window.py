"""A window that shows one picture after another, separate from all other windows of the program."""

from __future__ import annotations

from typing import Any, ClassVar

import pygame

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Picture


class Window:
    """A window that opens with its first picture and, once closed by the user, stays closed.

    Several windows may be open at once, next to the program's own display. Each is closed separately, and events of
    other windows stay in the queue.
    """

    _open_windows: ClassVar[dict[int, Window]] = {}  # by the id of pygame's window

    def __init__(self, caption: str) -> None:
        self.caption = caption
        self.closed = False
        self._pane: Any = None
        self._clock: Any = None

    def show(self, frame: Picture, fps: int) -> None:
        """Show a picture and wait for the length of one frame."""
        if self.closed:
            return
        if self._pane is None:
            self._open((frame.shape[1], frame.shape[0]))
        _handle_events(self._open_windows)
        if self.closed:
            return
        pygame.surfarray.blit_array(self._pane.get_surface(), frame.swapaxes(0, 1))
        self._pane.flip()
        self._clock.tick(fps)

    def _open(self, size: tuple[int, int]) -> None:
        was_ready = pygame.display.get_init()
        try:
            pygame.display.init()  # does nothing if the program has already initialized it
            if pygame.display.get_driver() == "offscreen":  # SDL's fallback without a screen
                raise pygame.error("no screen")
            self._pane = pygame.Window(self.caption, size)
        except pygame.error as problem:
            if not was_ready:
                pygame.display.quit()
            raise HeartRushError(
                f'No window can be opened here ({problem}); "rgb_array" and "ansi" need none.'
            ) from None
        self._open_windows[self._pane.id] = self
        self._clock = pygame.time.Clock()

    def close(self) -> None:
        """Close the window, if it is open."""
        self.closed = True
        if self._pane is not None:
            del self._open_windows[self._pane.id]
            self._pane.destroy()
            self._pane = None


def _handle_events(ours: dict[int, Window]) -> None:
    """Close the windows that the user has closed, and leave the program's own events in the queue."""
    alone = pygame.display.get_surface() is None  # the program has no display that general events could belong to
    for event in pygame.event.get():
        pane = getattr(event, "window", None)
        if pane is not None and pane.id in ours:
            if event.type == pygame.WINDOWCLOSE:
                ours[pane.id].close()
        elif alone and event.type == pygame.QUIT:
            for window in list(ours.values()):
                window.close()
        elif not (alone and event.type == pygame.ACTIVEEVENT):  # these events would accumulate
            pygame.event.post(event)
