"""The policy of roll-outs: which actions it prefers before and after learning."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from heartrush_agents.any_game.policy import Policy

from tests.tabletop.toy_table_game import Pebbles

pytestmark = pytest.mark.usefixtures("plainly")  # a few windows need no machine code


def begun(game: Any, *dice: int) -> Any:
    batch = game.batch(1)
    batch.start([0], 1, [0], dice=dice)
    return batch


def liked(game: Any, batch: Any, policy: Policy) -> dict[str, float]:
    """Return the logarithm of the policy's weight for each legal action of the first seat."""
    likes = policy.likes(batch, 0, 0)
    return {game.action_names[k]: float(np.log(likes[k])) for k in batch.legal(0, 0)}


def test_it_likes_what_gained_more_than_other_choices() -> None:
    """After 1000 uses, a gain of 1 or -1 is one standard deviation, 1000 / 1200: a change of 2 in the logarithm."""
    game = Pebbles({"fighter": [{"team": "ants"}, {"team": "bees"}]})
    policy, batch = Policy(game), begun(game)
    assert liked(game, batch, policy) == {"hold": 0, "throw 1": 0}
    kinds = np.array([game.action_names.index(name) for name in ("hold", "throw 1")]).repeat(1000)
    policy.learn(np.zeros(2000, np.intp), kinds, np.array([-1.0, 1.0]).repeat(1000))
    assert liked(game, batch, policy) == pytest.approx({"hold": -2, "throw 1": 2})


def test_an_action_is_drawn_as_often_as_it_is_liked() -> None:
    game = Pebbles({"fighter": [{"team": "ants"}, {"team": "bees"}]})
    policy = Policy(game)
    policy.learn(np.zeros(1000, np.intp), np.full(1000, game.action_names.index("throw 1")), np.ones(1000))
    batch = game.batch(400)
    batch.start(range(400), 1, range(400))
    thrown = (policy.drawn(batch, np.random.default_rng(1))[:, 0] == game.action_names.index("throw 1")).mean()
    assert thrown == pytest.approx(np.exp(2) / (np.exp(2) + 1), abs=0.04)
