"""The table of bots: each id is unique, and a bot that names a stance always takes it."""

from __future__ import annotations

import numpy as np
import pytest
from heartrush_agents.roster.bots import BOTS

from heartrush_env import heart_rush_v0

OF_ONE_STANCE = ("might", "agility", "cunning", "defensive")


def test_each_id_names_one_bot() -> None:
    assert len({bot.id for bot in BOTS}) == len(BOTS) == 20


@pytest.mark.parametrize("id", OF_ONE_STANCE)
def test_a_bot_named_after_a_stance_takes_it(id: str) -> None:
    env = heart_rush_v0.parallel_env(scenario="duel")
    observations, _ = env.reset(seed=1)
    agent = env.agents[0]
    (bot,) = [bot for bot in BOTS if bot.id == id]
    player = bot.seat(env.unwrapped.game)
    action = player.act(observations[agent], np.random.default_rng(1))
    assert env.unwrapped.get_action_meanings()[action] == f"stance {id}"
