"""The search that knows no rules, in Heretics: positions read back from observations, and fights."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.any_game.positions import ALIKE, Reader, repeated
from heartrush_agents.any_game.searcher import Searcher, generator
from heartrush_agents.base import Player
from heartrush_agents.heretics.charger import CHARGER

from heartrush_env.games.heretics.game import Heretics
from heartrush_env.tabletop.game import Observation
from heartrush_env.tabletop.kernels import PLAIN

compiles = pytest.mark.skipif(PLAIN, reason="plain Python takes minutes for this")
SKIRMISH, GATE = Heretics("skirmish"), Heretics("gate")


def asked(batch: Any) -> Iterator[tuple[int, Observation]]:
    """The seats that have a choice, and what each sees."""
    for seat in np.flatnonzero(batch.asked[0]).tolist():
        yield seat, {"observation": batch.observations[0, seat].copy(), "action_mask": batch.masks[0, seat].copy()}


def test_an_observation_shows_the_fields_that_a_position_needs() -> None:
    shown = Reader(GATE).fields()
    assert {f"fighters.{name}" for name in ("hp", "status", "team", "x", "y", "held", "shield", "turn")} <= shown
    assert {"window", "round_number", "requests", "broke", "fighters.afflicted"} <= shown
    assert not shown & {"fighters.deed", "fighters.target", "fighters.picked", "key", "draw"}


@compiles
def test_rebuilt_positions_look_as_the_seat_sees_them() -> None:
    """Items on the ground are not seen, and so a pick may be missing; nearly all other decisions are exact."""
    player, batch, rng = Searcher(GATE), GATE.batch(1), np.random.default_rng(1)
    player.policy(next(asked(begin(batch, 1)))[1])
    mind = player._mind
    assert mind is not None
    trial, found = GATE.batch(1), []
    for number in range(3):
        begin(batch, number)
        while not batch.ended[0]:
            for _, observation in asked(batch):
                roots = mind.roots(observation, generator(observation))
                if roots is None:
                    found.append(False)
                    continue
                fights, seat = roots
                trial.put(repeated(fights, 1))
                wrong = np.abs(trial.observations[0, seat] - observation["observation"]) > ALIKE
                found.append(not wrong.any())
            batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(-1))
    assert np.mean(found) > 0.9


@compiles
def test_dice_to_come_do_not_change_the_policy() -> None:
    player, found = Searcher(SKIRMISH, rollouts=128), set()
    for seed in (1, 2, 3):
        batch = SKIRMISH.batch(1)
        batch.start([0], seed, [0], dice=[4, 4, 4, 4])  # equal so far, whatever follows
        seat, observation = next(asked(batch))
        found.add((seat, player.policy(observation).tobytes()))
    assert len(found) == 1


def begin(batch: Any, number: int) -> Any:
    """Start a fight of the seed 11."""
    batch.start([0], 11, [number])
    return batch


def score(game: Heretics, side: int, enemy: Any, fights: int) -> float:
    """The searcher's victories minus its defeats on a side, as a share of the fights."""
    players: tuple[Player, Player] = (Searcher(game, rollouts=256), enemy.seat(game))
    batch, rng, total = game.batch(1), np.random.default_rng(7), 0.0
    for number in range(fights):
        begin(batch, number)
        while not batch.ended[0]:
            actions = np.zeros(batch.asked.shape, np.int64)
            for seat, observation in asked(batch):
                actions[0, seat] = players[game.team_of[seat] != side].act(observation, rng)
            batch.step(actions)
        total += float(batch.rewards[0, game.team_of.index(side)])
    return total / fights


@compiles
@pytest.mark.parametrize("side", [0, 1])
def test_it_beats_random_play_three_against_three(side: int) -> None:
    assert score(SKIRMISH, side, load("random"), 4) >= 0.5


@pytest.mark.long
@compiles
def test_it_beats_the_scripted_enemy_over_both_sides() -> None:
    """The sides are unequal, so only both together say who plays better."""
    assert score(SKIRMISH, 0, CHARGER, 20) + score(SKIRMISH, 1, CHARGER, 20) > 0
