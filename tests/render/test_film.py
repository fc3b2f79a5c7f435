"""Films: tokens that glide along their path, the time that each picture is shown, and what a film needs."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.board import theme
from heartrush_env.tabletop.errors import HeartRushError

pytest.importorskip("pygame", reason="pictures need the extra render")
pytest.importorskip("PIL", reason="pictures need the extra render")

from heartrush_env.tabletop.game import Moment
from heartrush_env.tabletop.render.film import Film
from tests.render.test_board import Board, attack, view_of


def moved(*path: tuple[int, int]) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
    """Return the skirmish before and after its first knight moves along a path, and the event of the move."""
    before = view_of("skirmish")
    after = view_of("skirmish", knight_0={"at": list(path[-1])})
    return before, [{"type": "move", "fighter": "knight_0", "path": [list(at) for at in path], "cause": "dash"}], after


def test_a_film_lets_fighters_glide_along_their_way() -> None:
    before, events, after = moved((3, 4), (4, 5), (5, 5))
    board = Board()
    board.draw(before, [], Moment(0, 0, 0))
    between = board.glide(after, events, Moment(0, 0, 1))
    assert len(between) == 6  # two for each of the three squares
    pictures = [frame.tobytes() for frame in between]
    assert len(set(pictures)) == 6, "each is another place"
    end = board.draw(after, events, Moment(0, 0, 1))
    assert np.array_equal(end, _drawn_at_once(before, events, after)), "the moment itself is drawn as without a film"


def _drawn_at_once(before: dict[str, Any], events: list[dict[str, Any]], after: dict[str, Any]) -> Any:
    board = Board()
    board.draw(before, [], Moment(0, 0, 0))
    return board.draw(after, events, Moment(0, 0, 1))


def test_nobody_glides_where_nobody_goes_or_where_steps_were_missed() -> None:
    before, events, after = moved((3, 4), (4, 5))
    board = Board()
    assert board.glide(after, events, Moment(0, 0, 1)) == [], "nothing was drawn before"
    board.draw(before, [], Moment(0, 0, 0))
    assert board.glide(before, [attack("knight_0", "archer_1", 3)], Moment(0, 0, 1)) == []
    assert board.glide(after, events, Moment(0, 0, 3)) == [], "steps were missed"


@pytest.fixture
def film(tmp_path: Path) -> Film:
    """Return a film that is written when a test asks for it."""
    return Film(tmp_path / "fight.gif", exact=theme.EXACT, blows=theme.BLOWS)


def times_of(film: Path) -> tuple[list[int], tuple[int, int]]:
    """Return how long each picture of a film is shown, and the size of the pictures."""
    from PIL import Image

    with Image.open(film) as picture:
        times = []
        for frame in range(picture.n_frames):
            picture.seek(frame)
            times.append(picture.info["duration"])
        return times, picture.size


def test_a_film_holds_what_happened(film: Film) -> None:
    board, view = Board((400, 300)), view_of("duel")
    film.add([board.draw(view)], [])
    film.add([board.draw(view)], [])  # nothing happened: not seen
    for hp in (30, 20):
        hurt = view_of("duel", duelist_0={"hp": hp})
        events = [attack("knight_0", "duelist_0", 10)]
        film.add([board.draw(hurt, events)], events)
    film.add([board.draw({**hurt, "cause": "victory", "winners": ["blue"]})], [{"type": "end"}])
    film.write()
    assert times_of(film.path) == ([500, 1200, 1200, 3000], (400, 300))


def test_the_pictures_of_a_way_are_seen_for_a_moment(film: Film) -> None:
    before, events, after = moved((3, 4), (4, 5))
    board = Board((400, 300))
    film.add([board.draw(before, [], Moment(0, 0, 0))], [])
    glide = board.glide(after, events, Moment(0, 0, 1))
    film.add([*glide, board.draw(after, events, Moment(0, 0, 1))], events)
    film.write()
    assert times_of(film.path)[0] == [500, 60, 60, 60, 60, 500]


def test_a_film_keeps_the_colours_that_tell_something(film: Film) -> None:
    from PIL import Image

    plain = Board().draw(view_of("warband"))
    shown = [
        (color, Board().draw(view_of("warband", knight_0={"stance": stance})))
        for stance, color in theme.STANCE_COLORS.items()
    ]
    for _, frame in shown:
        film.add([frame], [{"type": "reveal"}])
    for _ in range(len(shown) + 1):  # the middle one has no stance and nobody is hurt
        film.add([plain], [{"type": "reveal"}])
    low = Board().draw(view_of("warband", knight_0={"hp": 5}))
    film.add([low], [{"type": "damage"}])
    film.write()
    with Image.open(film.path) as picture:
        for number, (color, frame) in enumerate([*shown, *[(theme.FULL, plain)], *[(theme.LOW, low)]]):
            picture.seek(number if frame is not low else picture.n_frames - 1)
            filmed = np.array(picture.convert("RGB")).astype(int)
            dots = (np.abs(frame.astype(int) - np.array(color)).max(axis=2) == 0).nonzero()
            assert len(dots[0]) and np.abs(filmed[dots] - np.array(color)).max() <= 6


def test_an_mp4_is_written_where_that_can_be_done(tmp_path: Path) -> None:
    pytest.importorskip("imageio_ffmpeg", reason="an MP4 needs imageio-ffmpeg")
    film = Film(tmp_path / "fight.mp4")
    film.add([Board().draw(view_of("duel"))], [])
    film.write()
    assert (tmp_path / "fight.mp4").stat().st_size > 1000


def test_a_file_that_is_no_film_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HeartRushError, match=r"Expected a file ending in \.gif or \.mp4, got .*fight\.avi'\.$"):
        Film(tmp_path / "fight.avi")


def test_what_a_film_needs_is_named_before_the_fight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("heartrush_env.tabletop.render.film.find_spec", lambda name: None)
    for name, package in (("fight.mp4", "imageio-ffmpeg"), ("fight.gif", "pillow")):
        said = rf"{name}' cannot be written without {package}; install it with pip\.$"
        with pytest.raises(HeartRushError, match=said):
            Film(tmp_path / name)
