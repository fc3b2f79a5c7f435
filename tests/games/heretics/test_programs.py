"""Programs play the game through the protocol, as they play any other game."""

import sys

import numpy as np
from heartrush_agents.external import ProgramPlayer, close, program

from heartrush_env import open_game
from heartrush_env.tabletop.game import asked_of

COMMAND = (sys.executable, "-m", "heartrush_env.app.cli.main", "engine", "random", "--game", "heretics")


def test_a_program_is_told_which_seat_decides() -> None:
    """The hedge mage of the gate was once taken for the halberdier, because their hit points are equal."""
    game = open_game({"game": "heretics", "scenario": "gate"})
    agent, rng, met = program(COMMAND), np.random.default_rng(5), set()
    player = agent.seat(game)
    assert isinstance(player, ProgramPlayer)
    batch = game.batch()
    batch.start([0], 5, [0])
    alike = {name: name.partition("_")[0] for name in game.agents}  # brigands start alike
    for _ in range(40):
        actions = np.zeros((1, len(game.agents)), np.int64)
        for seat in np.flatnonzero(asked_of(batch)[0]):
            observation = {"observation": batch.observations[0, seat], "action_mask": batch.masks[0, seat]}
            told = player.request(observation, 0)["seat"]
            assert alike[told] == alike[game.agents[seat]]
            met.add(told)
            actions[0, seat] = player.act(observation, rng)
            assert batch.masks[0, seat, actions[0, seat]]
        batch.step(actions)
    close(agent)
    assert {"halberdier_0", "hedgemage_0"} <= met
