"""The vectorised environment, on the toy game."""

from typing import Any

import numpy as np
import pytest

from heartrush_env.envs import vector
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.envs.vector import BatchEnv, shares
from heartrush_env.tabletop.arguments import Illegal
from heartrush_env.tabletop.errors import HeartRushError, IllegalAction, SnapshotError
from tests.envs.checks import play_alone, play_together
from tests.toy_game import PAPER, PASS, RAISE, ROCK, SCISSORS, ToyGame

ONE_STEP = ToyGame(2, rounds=1, coins=0)


def test_arrays_have_their_shapes_and_are_written_in_place() -> None:
    vec = BatchEnv(ToyGame(3), 5, seed=7)
    observations, infos = vec.reset()
    assert observations["observation"].shape == (5, 3, len(vec.get_feature_names()))
    assert observations["action_mask"].shape == (5, 3, len(vec.get_action_meanings()))
    assert vec.observation_space.contains(observations)
    actions = np.full((5, 3), ROCK)
    assert vec.action_space.contains(actions)
    first = vec.step(actions)
    seen, rewards, terminations, truncations, told = first
    assert rewards.dtype == np.float32
    assert rewards.shape == terminations.shape == truncations.shape == (5, 3)
    assert terminations.dtype == truncations.dtype == np.bool_
    assert told["illegal"].shape == told["out"].shape == (5, 3)
    assert told["fight"].tolist() == list(range(5))
    assert told["ended"].shape == (5,)
    assert seen["observation"] is observations["observation"]
    assert told is infos
    assert all(one is other for one, other in zip(first, vec.step(actions), strict=True))


def test_a_slot_plays_every_num_envs_th_fight_of_the_seed() -> None:
    vec = BatchEnv(ONE_STEP, 3, seed=7)
    _, infos = vec.reset()
    assert infos["fight"].tolist() == [0, 1, 2]
    assert not infos["ended"].any()
    *_, terminations, truncations, infos = vec.step(np.full((3, 2), ROCK))
    assert terminations.all()
    assert not truncations.any()
    assert infos["ended"].all()
    assert infos["fight"].tolist() == [3, 4, 5]
    vec.reset()
    assert infos["fight"].tolist() == [6, 7, 8], "without a seed the next fights begin"
    vec.reset(seed=8)
    assert infos["fight"].tolist() == [0, 1, 2]


def test_it_begins_again_in_the_same_step() -> None:
    vec = BatchEnv(ToyGame(2, rounds=2, coins=0), 2, seed=7)
    alone = ParallelFights(ToyGame(2, rounds=2, coins=0))
    first = alone.reset(seed=7)[0]
    vec.reset()
    for actions in ((ROCK, SCISSORS), (ROCK, SCISSORS)):
        last, rewards, *_ = alone.step(dict(zip(alone.possible_agents, actions, strict=True)))
        observations, vec_rewards, _, _, infos = vec.step([actions, actions])
    assert infos["ended"].all()
    assert vec_rewards[0].tolist() == list(rewards.values())
    assert np.array_equal(infos["final_observation"][0, 1], last["hand_1"]["observation"])
    assert np.array_equal(infos["final_action_mask"][0, 1], last["hand_1"]["action_mask"])
    new = ParallelFights(ToyGame(2, rounds=2, coins=0)).reset(seed=7, options={"fight": 2})[0]
    assert np.array_equal(observations["observation"][0, 0], new["hand_0"]["observation"])
    assert np.array_equal(observations["action_mask"][0, 0], first["hand_0"]["action_mask"])


def test_a_fight_that_is_cut_off_is_truncated_and_begins_again() -> None:
    vec = BatchEnv(ToyGame(2, rounds=100, coins=0, max_cycles=2), 2, seed=7)
    vec.reset()
    for cut in (False, True, False, True):
        _, _, terminations, truncations, infos = vec.step(np.full((2, 2), PAPER))
        assert not terminations.any()
        assert (truncations == cut).all()
        assert (infos["ended"] == cut).all()


@pytest.mark.usefixtures("in_threads")
def test_threads_do_not_change_anything() -> None:
    for num_threads in (1, 2, 3, 99):
        vec = BatchEnv(ToyGame(4), 7, num_threads=num_threads)
        played = play_together(vec, 7, 20)
        vec.close()
        vec.close()
        alone = ParallelFights(ToyGame(4))
        assert all(played[fight] == play_alone(alone, 7, fight)[0] for fight in range(20))


@pytest.mark.parametrize(
    ("slots", "threads", "pace", "expected"),
    [
        (4096, 2, 0.0, [(0, 2048), (2048, 4096)]),
        # A thread wakes in 40 us, in which 400 slots are played: 3 of 32 parts, 384, and half of the other 3712.
        (4096, 2, 1e-7, [(0, 2240), (2240, 4096)]),
        (1280, 2, 1e-7, [(0, 840), (840, 1280)]),  # 10 of 32 parts, 400, and half of the other 880
        (800, 2, 1e-7, [(0, 800)]),  # half of them
        (256, 2, 1e-7, [(0, 256)]),
        # 40 slots are 4 of 32 parts, 37; of the other 263 each thread takes a third.
        (300, 3, 1e-6, [(0, 124), (124, 212), (212, 300)]),
        # 2 slots, and 3 others for five threads, of which one has the first two and one nothing.
        (5, 5, 2e-5, [(0, 2), (2, 3), (3, 4), (4, 5)]),
        (7, 3, 1.0, [(0, 2), (2, 4), (4, 7)]),
    ],
)  # fmt: skip
def test_the_awake_thread_takes_more_slots(
    slots: int, threads: int, pace: float, expected: list[tuple[int, int]]
) -> None:
    assert shares(slots, threads, pace) == expected


def test_quick_fights_are_left_to_one_thread_and_slow_ones_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = {"now": 0.0, "a slot takes": 1e-6}
    monkeypatch.setattr(vector, "thread_time", lambda: clock["now"])
    vec = BatchEnv(ToyGame(2), 8, num_threads=2, seed=7)
    played: list[tuple[int, int]] = []

    def play(actions: Any, *, autoreset: bool, lo: int, hi: int) -> None:
        played.append((lo, hi))
        if lo == 0:
            clock["now"] += clock["a slot takes"] * hi

    def parts_of_a_step() -> list[tuple[int, int]]:
        played.clear()
        vec.step(np.full((8, 2), PAPER))
        return sorted(played)

    monkeypatch.setattr(vec._batch, "step", play)
    vec.reset()
    assert [parts_of_a_step() for _ in range(3)] == [[(0, 4), (4, 8)], [(0, 8)], [(0, 8)]]
    clock["a slot takes"] = 1.0
    assert [parts_of_a_step() for _ in range(3)] == [[(0, 8)], [(0, 4), (4, 8)], [(0, 4), (4, 8)]]
    vec.close()


def test_without_a_seed_one_is_drawn() -> None:
    first, second = BatchEnv(ToyGame(2), 2), BatchEnv(ToyGame(2), 2)
    first.reset()
    second.reset()
    assert first.snapshot(0)["seed"] != second.snapshot(0)["seed"]


# -- agents that are asked -------------------------------------------------------------------------------------------


def test_only_entries_of_the_asked_count() -> None:
    vec = BatchEnv(ToyGame(2, in_turn=True), 2, seed=7)
    strict = BatchEnv(ToyGame(2, in_turn=True), 2, seed=7, illegal="raise")
    plain = BatchEnv(ToyGame(2), 2, seed=7)
    for one in (vec, strict, plain):
        one.reset()
        assert one.asked.dtype == np.bool_ and one.asked.tolist() == [[True, True]] * 2
        one.step(np.full((2, 2), ROCK))
    assert vec.asked.tolist() == strict.asked.tolist() == [[True, False]] * 2
    assert plain.asked.tolist() == [[True, True]] * 2, "here all that have a coin raise at once"
    for one in (vec, strict):
        *_, infos = one.step([[RAISE, 99], [PASS, ROCK]])
        assert one.asked.tolist() == [[False, True]] * 2 and not infos["illegal"].any()
    with pytest.raises(IllegalAction, match="In slot 1, hand_1 chose nothing; the legal actions are pass, raise"):
        strict.step([[-1, PASS], [-1, -1]])
    said = "hand_1 of slot 0: expected an action from 0 to 4, or -1 for no choice, got 99"
    with pytest.raises(IllegalAction, match=said):
        vec.step([[PASS, 99], [PASS, PASS]])
    *_, infos = vec.step([[99, RAISE], [ROCK, ROCK]])
    assert infos["illegal"].tolist() == [[False, False], [False, True]]
    plain.step([[RAISE, PASS], [PASS, RAISE]])
    plain.step(np.full((2, 2), ROCK))
    assert plain.asked.tolist() == [[False, True], [True, False]], "coins are spent"


# -- illegal actions -------------------------------------------------------------------------------------------------


def test_a_masked_or_missing_action_plays_the_fallback_and_is_told() -> None:
    vec = BatchEnv(ToyGame(2), 3, seed=7)
    vec.reset()
    *_, infos = vec.step([[ROCK, PAPER], [RAISE, PAPER], [-1, PAPER]])
    assert infos["illegal"].tolist() == [[False, False], [True, False], [True, False]]
    positions = [vec.snapshot(slot)["position"]["hands"] for slot in range(3)]
    assert positions == [[ROCK, PAPER]] * 3


def test_raise_names_the_slot_the_agent_and_what_was_legal() -> None:
    vec = BatchEnv(ToyGame(2), 2, seed=7, illegal="raise")
    vec.reset()
    with pytest.raises(IllegalAction) as caught:
        vec.step([[ROCK, PAPER], [ROCK, RAISE]])
    said = "In slot 1, hand_1 may not choose 'raise' now; the legal actions are rock, paper, scissors."
    assert str(caught.value) == said
    with pytest.raises(IllegalAction, match="In slot 0, hand_0 chose nothing; the legal actions are rock"):
        vec.step([[-1, PAPER], [ROCK, ROCK]])
    vec.step([[ROCK, PAPER], [ROCK, ROCK]])


@pytest.mark.parametrize("illegal", ["fallback", "raise"])
@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ([[ROCK, 5], [ROCK, ROCK]], "hand_1 of slot 0: expected an action from 0 to 4, or -1 for no choice, got 5"),
        ([[ROCK, ROCK], [-2, ROCK]], "hand_0 of slot 1: expected an action from 0 to 4, or -1 for no choice, got -2"),
        ([[-1, ROCK], [ROCK, 5]], "hand_1 of slot 1: expected an action from 0 to 4, or -1 for no choice, got 5"),
        ([[1.0, 1.0], [1.0, 1.0]], "expected whole numbers, got float64"),
        ([[True, True], [True, True]], "expected whole numbers, got bool"),
        ([ROCK, ROCK], r"expected the shape \(2, 2\), got \(2,\)"),
    ],
)
def test_what_is_no_action_is_always_an_error(actions: Any, words: str, illegal: Any) -> None:
    vec = BatchEnv(ToyGame(2), 2, seed=7, illegal=illegal)
    vec.reset()
    with pytest.raises(IllegalAction, match=words):
        vec.step(actions)


def test_of_an_agent_that_is_out_everything_is_ignored() -> None:
    doors: tuple[Illegal, ...] = ("fallback", "raise")
    for illegal in doors:
        for nonsense in (99, -7, -1, RAISE):
            vec = BatchEnv(ToyGame(3), 1, seed=7, illegal=illegal)
            _, infos = vec.reset()
            assert vec.game.out_causes[infos["out"][0, 2]] == "late"
            *_, infos = vec.step([[ROCK, PAPER, nonsense]])
            assert not infos["illegal"].any()


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.uint8, np.int64])
def test_whole_numbers_of_any_kind_are_taken(dtype: Any) -> None:
    vec = BatchEnv(ToyGame(2), 2, seed=7, illegal="raise")
    vec.reset()
    vec.step(np.array([[ROCK, PAPER], [SCISSORS, ROCK]], dtype=dtype))
    assert vec.snapshot(1)["position"]["hands"] == [SCISSORS, ROCK]


def test_calls_out_of_order_and_bad_settings_are_errors() -> None:
    vec = BatchEnv(ToyGame(2), 2)
    for call in (lambda: vec.step([[ROCK, ROCK]] * 2), lambda: vec.snapshot(0), lambda: vec.state(0)):
        with pytest.raises(HeartRushError, match=r"before reset\(\)"):
            call()
    vec.reset()
    with pytest.raises(HeartRushError, match="There is no slot 2"):
        vec.snapshot(2)
    for slot in ("a", None, 0.0, True):
        with pytest.raises(HeartRushError, match="A slot: expected a whole number"):
            vec.snapshot(slot)  # type: ignore[arg-type]
    for settings in ({"num_envs": 0}, {"num_envs": 2.0}, {"num_threads": 0}, {"seed": -1}, {"illegal": "perhaps"}):
        with pytest.raises(HeartRushError):
            BatchEnv(ToyGame(2), **{"num_envs": 2, **settings})  # type: ignore[arg-type]


# -- out and in ------------------------------------------------------------------------------------------------------


def test_snapshots_pass_between_slots_and_to_other_environments() -> None:
    vec = BatchEnv(ToyGame(2), 3, seed=7)
    observations, infos = vec.reset()
    vec.step([[ROCK, SCISSORS], [PAPER, PAPER], [ROCK, PAPER]])
    snapshot = vec.snapshot(2)
    assert (snapshot["seed"], snapshot["fight"]) == (7, 2)
    vec.restore(0, snapshot)
    assert infos["fight"].tolist() == [2, 1, 2]
    assert np.array_equal(observations["observation"][0], observations["observation"][2])
    alone = ParallelFights(ToyGame(2))
    alone.restore(snapshot)
    alone.step({"hand_0": RAISE, "hand_1": PASS})
    vec.step([[RAISE, PASS], [PASS, PASS], [RAISE, PASS]])
    assert vec.snapshot(0) == vec.snapshot(2) == alone.snapshot()
    assert vec.state(0).tobytes() == alone.state().tobytes()


def test_a_fight_that_has_ended_cannot_be_restored_into_a_slot() -> None:
    alone = ParallelFights(ONE_STEP)
    alone.reset(seed=7)
    alone.step({"hand_0": ROCK, "hand_1": ROCK})
    vec = BatchEnv(ONE_STEP, 2, seed=7)
    vec.reset()
    before = vec.snapshot(1)
    with pytest.raises(SnapshotError, match="has ended"):
        vec.restore(1, alone.snapshot())
    assert vec.snapshot(1) == before


def test_a_restored_slot_keeps_its_seed_when_the_next_fight_begins() -> None:
    vec, other = BatchEnv(ONE_STEP, 2, seed=7), BatchEnv(ONE_STEP, 2, seed=8)
    vec.reset()
    other.reset()
    vec.restore(1, other.snapshot(1))
    vec.step(np.full((2, 2), ROCK))
    assert [(vec.snapshot(slot)["seed"], vec.snapshot(slot)["fight"]) for slot in (0, 1)] == [(7, 2), (8, 3)]
    vec.reset()
    assert [(vec.snapshot(slot)["seed"], vec.snapshot(slot)["fight"]) for slot in (0, 1)] == [(7, 4), (8, 5)]
