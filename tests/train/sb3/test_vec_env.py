"""The vector environment for Stable-Baselines3, with a row for each learning seat of many fights."""

from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.vector_player import VectorPlayer
from heartrush_train.opponents import other_sides
from heartrush_train.sb3.vec_env import SeatVecEnv
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from heartrush_env import heart_rush_v0

SEED = 11


def first_legal(masks: Any) -> Any:
    return np.asarray(masks).argmax(axis=-1)


def test_each_seat_is_a_row_that_shows_what_the_fights_show() -> None:
    alone = heart_rush_v0.make_vec(5, "duel", seed=SEED)
    rows = SeatVecEnv(heart_rush_v0.make_vec(5, "duel"))
    observations, _ = alone.reset(SEED)
    rows.seed(SEED)
    seen = rows.reset()
    assert (rows.num_envs, rows.slots.tolist(), rows.seats.tolist()) == (10, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4], [0, 1] * 5)
    ends = 0
    for _ in range(400):
        assert (seen == observations["observation"].reshape(10, -1)).all()
        masks = get_action_masks(rows)
        assert (masks == observations["action_mask"].reshape(10, -1)).all()
        actions = np.where(masks[:, 2] == 1, 2 + np.arange(10) % 2, first_legal(masks))
        observations, rewards, _, _, told = alone.step(actions.reshape(5, 2))
        seen, paid, dones, infos = rows.step(actions)
        assert (paid == rewards.reshape(-1)).all() and (dones == np.repeat(told["ended"], 2)).all()
        for row in np.flatnonzero(dones):
            ends += 1
            assert (infos[row]["terminal_observation"] == told["final_observation"].reshape(10, -1)[row]).all()
            assert infos[row]["TimeLimit.truncated"] is False
        assert all(not info for row, info in enumerate(infos) if not dones[row])
    assert ends >= 10


def test_what_was_returned_stays_as_it_was() -> None:
    rows = SeatVecEnv(heart_rush_v0.make_vec(3, "duel", seed=SEED))
    seen, masks = rows.reset(), rows.action_masks()
    kept = seen.copy(), masks.copy()
    rows.step(first_legal(masks))
    assert (seen == kept[0]).all() and (masks == kept[1]).all()


def test_a_fight_that_is_cut_off_says_so() -> None:
    rows = SeatVecEnv(heart_rush_v0.make_vec(2, "duel", max_cycles=3, seed=SEED))
    rows.reset()
    for _ in range(3):
        _, _, dones, infos = rows.step(first_legal(rows.action_masks()))
    assert dones.all() and all(info["TimeLimit.truncated"] is True for info in infos)


def test_other_players_take_their_seats_and_the_score_against_it_is_counted() -> None:
    fights = heart_rush_v0.make_vec(4, "duel", seed=SEED)
    places = other_sides(fights.game, [2, 3])
    assert places == [(2, 1), (3, 0)]  # the learner is blue in the one, red in the other
    rows = SeatVecEnv(fights, [VectorPlayer(load("defensive"), fights.game, places, np.random.default_rng(1))])
    assert list(zip(rows.slots.tolist(), rows.seats.tolist(), strict=True)) == [
        (0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (3, 1),
    ]  # fmt: skip
    rows.reset()
    assert rows.take_scores() == {}
    names = fights.get_action_meanings()
    cunning, attack = names.index("stance cunning"), names.index("attack 1")
    for _ in range(800):
        masks = rows.action_masks()
        wanted = np.where(masks[:, cunning] == 1, cunning, np.where(masks[:, attack] == 1, attack, first_legal(masks)))
        rows.step(wanted)
    assert rows.take_scores() == {"defensive": 1.0}  # an agent that only defends never wins
    assert rows.take_scores() == {}


def test_stable_baselines3_finds_what_it_asks_for() -> None:
    rows = SeatVecEnv(heart_rush_v0.make_vec(2, "duel"))
    assert is_masking_supported(rows)
    assert rows.get_attr("render_mode", [0, 1]) == [None, None]
    assert rows.env_is_wrapped(object) == [False] * 4
    assert not rows.has_attr("nothing_of_this_name")
    with pytest.raises(AttributeError, match="expected the method 'action_masks', got 'fly'"):
        rows.env_method("fly")
    with pytest.raises(AttributeError, match="cannot be given 'seat'"):
        rows.set_attr("seat", 1)
