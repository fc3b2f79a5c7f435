"""The WebAssembly module plays this game in Node as in Python: its host and its description know no game."""

from pathlib import Path

import numpy as np
import pytest

from heartrush_env.tabletop.registry import open_game, usual_scenario
from tests.in_node import Played, compare, needs_compiled_kernels, needs_node

WINDOWS = 60


@needs_compiled_kernels
@needs_node
@pytest.mark.long
def test_a_fight_of_another_game_is_equal(tmp_path: Path) -> None:
    """Choices are drawn in Python, and the fight is played again in Node."""
    game, chance = open_game({"game": "heretics", "scenario": usual_scenario("heretics")}), np.random.default_rng(5)
    batch, choices = game.batch(1), []
    batch.start([0], 3, [0])
    while not batch.ended[0] and len(choices) < WINDOWS:
        actions = [int(chance.choice(batch.masks[0, seat].nonzero()[0])) for seat in range(len(game.agents))]
        names = (game.action_names[action] for action in actions)
        choices.append(dict(zip(game.agents, names, strict=True)))
        batch.step(np.array([actions], np.int64))
    compare({"fight": Played(game, choices)}, 3, tmp_path)
