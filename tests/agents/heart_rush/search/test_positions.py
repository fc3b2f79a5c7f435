"""Positions rebuilt from observations show a seat what it saw, and contain nothing that it may not know."""

from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.heart_rush.search.positions import REBUILT, Positions
from heartrush_agents.vector_player import VectorPlayer

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.state.record import WINDOWS

CLIPPED = ("self budget",)  # depends on shots and lunges of the round, which no observation shows


def moments(game: HeartRush, steps: int, seed: int) -> Any:
    """Yield the batch before each of these steps of a fight between tacticians with mistakes."""
    batch = game.batch(1)
    batch.start([0], seed, [0])
    rows = [(0, seat) for seat in range(len(game.agents))]
    players = VectorPlayer(load("tactician@mistakes=0.3"), game, rows, np.random.default_rng(seed))
    actions = np.zeros((1, len(game.agents)), np.int64)
    for _ in range(steps):
        yield batch
        players.act({"observation": batch.observations, "action_mask": batch.masks}, actions)
        batch.step(actions, autoreset=True)


@pytest.mark.parametrize("scenario", ["duel", "melee"])
def test_a_seat_sees_of_the_rebuilt_position_what_it_saw_of_the_fight(scenario: str) -> None:
    game = HeartRush(scenario)
    positions, rng = Positions(game), np.random.default_rng(0)
    shown = np.array([name not in CLIPPED for name in game.feature_names])
    met = set()
    for batch in moments(game, 40, seed=3):
        window = WINDOWS[batch.records[0].window]
        for seat in np.flatnonzero(batch.masks[0].sum(axis=1) > 1):
            seen = batch.observations[0, seat].copy()
            found = positions.rebuilt(seen, rng)
            assert (found is not None) == (window in REBUILT)
            if found is not None:
                met.add(window)
                features, masks = (array[positions.seat_of(seen)] for array in positions.shown)
                wrong = np.flatnonzero((np.abs(features - seen) > 1e-6) & shown)
                assert not len(wrong), [game.feature_names[k] for k in wrong]
                assert np.array_equal(masks, batch.masks[0, seat])
    assert met >= {"stance", "attack", "shrug"}


def test_every_seat_is_found_by_its_fighters() -> None:
    game = HeartRush("free_for_all")
    positions = Positions(game)
    batch = game.batch(1)
    batch.start([0], 0, [0])
    assert [positions.seat_of(seen) for seen in batch.observations[0]] == list(range(5))


def test_dice_to_come_are_not_those_of_the_fight() -> None:
    game = HeartRush("duel")
    positions = Positions(game)
    batch = next(iter(moments(game, 1, seed=5)))
    found = positions.rebuilt(batch.observations[0, 0], np.random.default_rng(1))
    assert found[0].key != batch.records[0].key
    assert found[0].given_count == 0
