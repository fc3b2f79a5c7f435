"""The search without knowledge of rules, in Heretics: positions rebuilt from observations, and fights."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.any_game.policy import Policy
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
    """Yield the seats that have a choice, each with its observation."""
    for seat in np.flatnonzero(batch.asked[0]).tolist():
        yield seat, {"observation": batch.observations[0, seat].copy(), "action_mask": batch.masks[0, seat].copy()}


def test_an_observation_shows_the_fields_that_a_position_needs() -> None:
    shown = Reader(GATE).fields()
    assert {f"fighters.{name}" for name in ("hp", "status", "team", "x", "y", "held", "shield", "turn")} <= shown
    assert {"window", "round_number", "requests", "broke", "fighters.afflicted"} <= shown
    assert not shown & {"fighters.deed", "fighters.target", "fighters.picked", "key", "draw"}


def first_move() -> Any:
    """Return a batch in the first move window of the heroes."""
    batch = GATE.batch(1)
    batch.start([0], 1, [0], dice=[6])
    return batch


def declare_move(batch: Any) -> None:
    """Let the first hero declare a move, whose square is still to be picked, and the others stay."""
    actions = np.zeros(batch.asked.shape, np.int64)
    actions[0, batch.asked[0]] = [GATE.action_names.index(name) for name in ("move", "stay", "stay")]
    batch.step(actions)


def liked(batch: Any, policy: Policy) -> dict[str, float]:
    """Return the logarithms of how much the first hero likes its legal actions."""
    likes = policy.likes(batch, 0, 0)
    return {GATE.action_names[k]: float(np.log(likes[k])) for k in batch.legal(0, 0)}


def test_a_step_is_judged_by_the_distance_that_is_left_to_the_nearest_able_enemy() -> None:
    """The sellsword is at 7,7. Enemies are at 7,1, at 6,3, at 8,3 and at 9,3, behind the gate."""
    policy, batch = Policy(GATE), first_move()
    names = GATE.action_names
    for name, ended in (("move", None), ("to 0,-3", 1), ("to 0,0", 4), ("to -4,1", 5)):
        action = np.array([names.index(name)])
        found = int(policy.kinds(batch, np.array([0]), np.array([0]), action)[0])
        assert found == (action[0] if ended is None else len(names) + ended)
    declare_move(batch)
    likes = liked(batch, policy)
    assert (likes["to 0,-3"], likes["to 0,0"], likes["to -4,1"]) == pytest.approx((0, -3, -4))
    batch.records["fighters"]["status"][0, 4:6] = 1  # the next are now 2 squares away, at 9,3, and 3, at 7,1
    assert liked(batch, policy)["to 0,-3"] == pytest.approx(-1)


def test_the_distance_of_steps_is_learned_for_all_squares_together() -> None:
    policy, far = Policy(GATE), len(GATE.action_names) + 4
    policy.learn(np.zeros(1000, np.intp), np.full(1000, far), np.ones(1000))
    batch = first_move()
    declare_move(batch)
    likes = liked(batch, policy)
    assert likes["to 0,0"] == likes["to -1,0"] == pytest.approx(-3 + 2)  # both end 4 squares away


@pytest.mark.long
@compiles
def test_rebuilt_positions_look_as_the_seat_sees_them() -> None:
    """Items on the ground are not seen, so a pick may be missing; nearly all other decisions are exact."""
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
    """Start a fight with seed 11."""
    batch.start([0], 11, [number])
    return batch


def score(game: Heretics, side: int, enemy: Any, fights: int) -> float:
    """Return the searcher's victories minus its defeats on a side, as a share of the fights."""
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


@pytest.mark.long
@compiles
@pytest.mark.parametrize("side", [0, 1])
def test_it_beats_random_play_three_against_three(side: int) -> None:
    assert score(SKIRMISH, side, load("random"), 4) >= 0.5


@pytest.mark.long
@compiles
def test_it_beats_the_scripted_enemy_over_both_sides() -> None:
    """The sides are unequal, so only both together show who plays better."""
    assert score(SKIRMISH, 0, CHARGER, 20) + score(SKIRMISH, 1, CHARGER, 20) > 0
