"""Random fights over the shipped and over random scenarios: each ends by a named ending, and none has a fault.

    HEARTRUSH_RANDOM_FIGHTS=100000 NUMBA_BOUNDSCHECK=1 pytest tests/games/heretics/test_many_fights.py

plays many, and finds an index outside its array as well.
"""

import os
import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from heartrush_env.games.heretics.game import Heretics
from heartrush_env.games.heretics.terms import ENDINGS
from heartrush_env.games.heretics.weapons import LIBRARY
from heartrush_env.tabletop.game import Event
from heartrush_env.tabletop.kernels import PLAIN
from tests.reference.heretics.scenarios import random_scenario

FIGHTS = int(os.environ.get("HEARTRUSH_RANDOM_FIGHTS", "4000"))
OF_EACH = 50  # fights of each random scenario
SLOTS = 50
MOST_WINDOWS = 50_000  # of one fight
CONTROLS = ("fighter", "team")


def games() -> Iterator[tuple[Heretics, int]]:
    """Yield games and how many fights of each to play: half of all fights in shipped scenarios."""
    shipped = [Heretics(name, control=control) for name in LIBRARY.scenarios for control in CONTROLS]
    for game in shipped:
        yield game, FIGHTS // 2 // len(shipped)
    rng = random.Random(1)
    for _ in range(FIGHTS // 2 // OF_EACH):
        yield Heretics(random_scenario(rng), control=rng.choice(CONTROLS)), OF_EACH


def endings(game: Heretics, fights: int) -> Counter[str]:
    """Play at least this number of random fights; return how often each ending occurred."""
    batch, rng, found = game.batch(SLOTS, record=True), np.random.default_rng(2), Counter[str]()
    batch.start(range(SLOTS), 5, range(SLOTS))
    for slot in range(SLOTS):  # some fights end before a fighter is asked
        found.update(ends(batch.events(slot)))
    windows, actions = np.zeros(SLOTS, int), np.zeros((SLOTS, len(game.agents)), int)
    while found.total() < fights:
        legal = batch.masks[batch.asked]
        actions[batch.asked] = (rng.random(legal.shape, dtype=np.float32) * legal).argmax(-1)
        batch.step(actions, autoreset=True)
        assert not batch.illegal.any() and windows.max() < MOST_WINDOWS
        windows = np.where(batch.ended, 0, windows + 1)
        for slot in np.flatnonzero(batch.ended):
            found.update(ends(batch.events(int(slot))))
    return found


def ends(events: list[Event]) -> list[str]:
    """Return the causes of the ends among some events."""
    return [event["cause"] for event in events if event["type"] == "end"]


@pytest.mark.long
@pytest.mark.skipif(PLAIN, reason="plain Python takes hours for this")
def test_random_fights_end_by_a_named_ending() -> None:
    found = Counter[str]()
    for game, fights in games():
        found += endings(game, fights)
        print(game.scenario_name, found, flush=True)  # shown with -s
    assert found.total() >= FIGHTS - SLOTS and set(found) == set(ENDINGS[1:])
