"""Windows on the screen: each can be closed by itself, and the program's own display and events are left alone."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.tabletop.render import new_window

pygame = pytest.importorskip("pygame", reason="pictures need the extra render")

FRAME = np.full((30, 40, 3), 7, dtype=np.uint8)


@pytest.fixture(autouse=True)
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame.display.quit()
    yield
    pygame.display.quit()


def pictured(pane: Any) -> Any:
    return pygame.surfarray.array3d(pane.get_surface()).swapaxes(0, 1)


def close_by_hand(pane: Any) -> None:
    pygame.event.post(pygame.event.Event(pygame.WINDOWCLOSE, window=pane))


def test_a_window_shows_pictures_until_it_is_closed() -> None:
    window = new_window()
    window.show(FRAME, 1000)
    assert np.array_equal(pictured(window._pane), FRAME)
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(FRAME, 1000)
    assert window.closed
    window.show(FRAME, 1000)  # does nothing
    window.close()


def test_closing_the_window_of_one_environment_leaves_that_of_another(plainly: None) -> None:
    one, other = (heart_rush_v0.parallel_env("duel", render_mode="human") for _ in range(2))
    one.reset(seed=1)
    other.reset(seed=1)
    one.render()
    other.render()
    assert one._window is not None and other._window is not None
    close_by_hand(one._window._pane)
    other.render()
    assert one._window.closed and not other._window.closed
    assert pictured(other._window._pane).any()
    other.close()


def test_the_display_of_the_program_outlives_a_window() -> None:
    display = pygame.display.set_mode((100, 80))
    display.fill((1, 2, 3))
    window = new_window()
    window.show(FRAME, 1000)
    window.close()
    assert pygame.display.get_surface() is display
    assert display.get_size() == (100, 80) and display.get_at((0, 0))[:3] == (1, 2, 3)


def test_events_of_the_program_stay_in_the_queue() -> None:
    pygame.display.set_mode((100, 80))
    window = new_window()
    window.show(FRAME, 1000)
    pygame.event.clear()
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a))
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    window.show(FRAME, 1000)
    assert not window.closed, "the request to quit is one for the program"
    assert [event.type for event in pygame.event.get((pygame.KEYDOWN, pygame.QUIT))] == [pygame.KEYDOWN, pygame.QUIT]
    window.close()
