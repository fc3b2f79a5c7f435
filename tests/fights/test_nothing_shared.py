"""Fights of a batch share nothing that they write, so that a GPU may play them in any order and all at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.games.heart_rush.kernel import complete_cover
from heartrush_env.tabletop.kernels import PLAIN

GAMES = {
    "stances": (heart_rush_v0, {"scenario": "duel", "decisions": "stance"}, 64, 60),
    "duel": (heart_rush_v0, {"scenario": "duel"}, 24, 60),
    "melee": (heart_rush_v0, {"scenario": "melee"}, 12, 60),
    "map": (heart_rush_v0, {"scenario": "skirmish"}, 8, 120),
}


def new(module: Any, options: dict[str, Any], fights: int) -> Any:
    """Return a batch whose fights have started."""
    env = module.make_vec(num_envs=fights, seed=3, **options)
    env.reset()
    return env._batch


def arrays(batch: Any, own: bool) -> dict[str, bytes]:
    """Return the content of the kernel's arrays by parameter: those of each fight, or those that all fights share."""
    call = batch.playing(np.arange(len(batch.records)))
    return {
        name: array.tobytes()
        for name, array in zip(call.kernel.parameters, call.arguments, strict=True)
        if isinstance(array, np.ndarray) and own == (name not in batch.shared)
    }


MARKS = {"stances": [pytest.mark.long], "map": [pytest.mark.compiles]}


@pytest.mark.parametrize("name", [pytest.param(name, marks=MARKS.get(name, [])) for name in GAMES])
def test_any_order_and_any_pieces_give_the_same_bytes(name: str) -> None:
    if PLAIN and name == "map":
        pytest.skip("plain Python takes minutes")
    check_any_order(*GAMES[name])


def check_any_order(module: Any, options: dict[str, Any], fights: int, windows: int) -> None:
    """Check that fights played in any order and in interleaved pieces have the bytes of fights played in order."""
    batch, mixed = new(module, options, fights), new(module, options, fights)
    for one in (batch, mixed):
        one.complete_caches()
    rng = np.random.default_rng(2)
    shared = arrays(batch, own=False)
    for window in range(windows):
        actions = (rng.random(batch.masks.shape) * batch.masks).argmax(-1)
        batch.step(actions, autoreset=True)
        mixed.actions[:] = actions
        order = rng.permutation(fights)
        for first in range(3):  # interleaved pieces
            call = mixed.playing(order[first::3].copy(), autoreset=True)
            call.kernel(*call.arguments)
        if window % 10 == 0:
            assert arrays(batch, own=True) == arrays(mixed, own=True), window
    assert arrays(batch, own=True) == arrays(mixed, own=True)
    assert arrays(batch, own=False) == arrays(mixed, own=False) == shared, "stepping changes what all fights share"


@pytest.mark.compiles
@pytest.mark.skipif(PLAIN, reason="plain Python takes minutes")
def test_the_completed_cover_is_what_fights_find() -> None:
    module, options, fights, windows = GAMES["map"]
    batch = new(module, options, fights)
    rng = np.random.default_rng(4)
    for _ in range(windows):
        batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(-1), autoreset=True)
    found = batch._lands[0]["cover"].copy()
    batch.complete_caches()
    complete = batch._lands[0]["cover"]
    met = found != 0
    assert met.sum() > 20
    assert np.array_equal(found[met], complete[met])
    area = int(batch.records[0]["width"]) * int(batch.records[0]["height"])
    assert (complete[: area * area] != 0).all()
    assert not complete[area * area :].any()
    fresh = np.zeros_like(batch._lands)
    complete_cover(batch.beginnings(1), fresh)
    assert np.array_equal(fresh[0]["cover"][: area * area], complete[: area * area])
