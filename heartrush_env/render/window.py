"""A window that shows one picture after another."""

from __future__ import annotations

from typing import Any

import pygame

from heartrush_env.core.errors import HeartRushError
from heartrush_env.core.game import Picture


class Window:
    """A window that opens with its first picture and, once closed by the user, stays closed."""

    def __init__(self, caption: str) -> None:
        self.caption = caption
        self.closed = False
        self._screen: Any = None
        self._clock: Any = None

    def show(self, frame: Picture, fps: int) -> None:
        """Show a picture, and wait for the length of one frame."""
        if self.closed:
            return
        if self._screen is None:
            self._open((frame.shape[1], frame.shape[0]))
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            return
        pygame.surfarray.blit_array(self._screen, frame.swapaxes(0, 1))
        pygame.display.flip()
        self._clock.tick(fps)

    def _open(self, size: tuple[int, int]) -> None:
        try:
            pygame.display.init()
            if pygame.display.get_driver() == "offscreen":  # SDL's fallback without a screen
                raise pygame.error("no screen")
            self._screen = pygame.display.set_mode(size)
        except pygame.error as problem:
            pygame.display.quit()
            raise HeartRushError(
                f'No window can be opened here ({problem}); "rgb_array" and "ansi" need none.'
            ) from None
        pygame.display.set_caption(self.caption)
        self._clock = pygame.time.Clock()

    def close(self) -> None:
        """Close the window, if it is open."""
        self.closed = True
        if self._screen is not None:
            self._screen = None
            pygame.display.quit()
