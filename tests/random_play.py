"""Random fights, played with random legal actions, for tests of properties."""

import os
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from hypothesis import Phase, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.state.record import WINDOWS
from heartrush_env.tabletop.kernels import PLAIN
from tests.reference.scenarios import random_scenario

SEEDS = st.integers(0, 2**31 - 1)

# Uncompiled play is about a hundred times slower, so it runs few fights, and compiled play does the searching.
# A smaller seed does not give a simpler fight, so failures are not shrunk. `make test-long` searches with more of them.
EXAMPLES = int(os.environ.get("HEARTRUSH_EXAMPLES", "3"))
FIGHTS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
)
FEW_FIGHTS = settings(FIGHTS, max_examples=max(2, EXAMPLES // 5))  # where each step is slow
MOST_STEPS = 25 if PLAIN else 80

Actions = NDArray[np.int64]


def random_game(seed: int, **options: Any) -> HeartRush:
    """Return a game of a random scenario."""
    return HeartRush(random_scenario(random.Random(seed)), **options)


def begin(game: HeartRush, seed: int) -> Fights:
    """Start the first fight of the seed, alone in its batch."""
    fights = game.batch(1, record=True)
    fights.start([0], seed, [0])
    return fights


def over(fights: Fights) -> bool:
    return bool(fights.terminated[0] or fights.truncated[0])


def window(fights: Fights) -> str:
    return WINDOWS[fights._fights[0].window]


def legal_actions(fights: Fights, rng: np.random.Generator) -> Actions:
    """Return a random legal action for each seat."""
    return np.where(fights.masks, rng.random(fights.masks.shape), -1.0).argmax(axis=2)


def play(game: HeartRush, seed: int) -> Iterator[tuple[Fights, Actions]]:
    """Play a fight of random legal actions; yield it in every window, with the actions about to be taken."""
    fights = begin(game, seed)
    rng = np.random.default_rng(seed)
    for _ in range(MOST_STEPS):
        if over(fights):
            return
        actions = legal_actions(fights, rng)
        yield fights, actions
        fights.step(actions)


def positions(game: HeartRush, seed: int) -> Iterator[Fights]:
    """Play a fight of random legal actions; yield it in every window and at its end."""
    last = None
    for fights, _ in play(game, seed):
        yield fights
        last = fights
    if last is not None:
        yield last


def put(other: Fights, fights: Fights) -> None:
    """Copy one single-fight batch into another directly, which is faster than through a snapshot."""
    for name in ("_fights", "_logs", "_views", "observations", "masks", "out", "terminated", "truncated"):
        getattr(other, name)[:] = getattr(fights, name)


def seen(fights: Fights) -> Any:
    """Return everything that a batch of one fight shows in this window, and the whole position behind it."""
    arrays = (fights.observations, fights.masks, fights.rewards, fights.terminated, fights.truncated, fights.out)
    return [array.tobytes() for array in arrays], fights.events(0), fights.snapshot(0)["position"]


def check_rows(game: HeartRush, seed: int) -> None:
    """Play a random fight, and check that incremental updates and a full rewrite give equal observations and masks."""
    whole = game.batch(1, record=True)
    for fights in positions(game, seed):
        whole.put(fights._fights)
        other = (whole.observations != fights.observations).any(axis=(0, 1))
        assert not other.any(), [game.feature_names[k] for k in np.flatnonzero(other)]
        assert np.array_equal(whole.masks, fights.masks) and np.array_equal(whole.out, fights.out)
