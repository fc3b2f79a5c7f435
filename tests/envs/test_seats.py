"""One seat or every seat of many fights, as a Gymnasium VectorEnv."""

from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from heartrush_agents.base import Player

import heartrush_env  # noqa: F401  # makes the environment known to Gymnasium
from heartrush_env import heart_rush_v0
from heartrush_env.tabletop.errors import HeartRushError

ID = "heartrush_env/HeartRush-v0"
SEED = 11
names_autoreset = pytest.mark.skipif(
    not hasattr(gymnasium.vector, "AutoresetMode"), reason="Gymnasium knows one way of autoreset before version 1.1"
)


class First(Player):
    """Plays the first legal action."""

    def policy(self, observation: Any) -> Any:
        chosen = np.zeros(len(observation["action_mask"]))
        chosen[observation["action_mask"].argmax()] = 1.0
        return chosen


def make(num_envs: int = 3, **options: Any) -> Any:
    return gymnasium.make_vec(ID, num_envs, "vector_entry_point", opponent="might", **options)


def last_legal(masks: Any) -> Any:
    return masks.shape[1] - 1 - np.asarray(masks)[:, ::-1].argmax(axis=1)


def test_gymnasium_makes_it() -> None:
    env = make(4, decisions="stance", seat="duelist_0")
    seen, info = env.reset(seed=SEED)
    modes = getattr(gymnasium.vector, "AutoresetMode", None)
    assert env.metadata["autoreset_mode"] == (modes.SAME_STEP if modes else "SameStep")
    assert isinstance(env.unwrapped, gymnasium.vector.VectorEnv) and env.num_envs == 4
    assert env.observation_space.contains(seen) and (info["action_mask"] == seen["action_mask"]).all()
    assert info["fight"].tolist() == [0, 1, 2, 3]
    seen, rewards, terminated, truncated, info = env.step(last_legal(seen["action_mask"]))
    assert env.observation_space.contains(seen)
    assert (rewards.shape, rewards.dtype) == ((4,), np.float64)
    assert terminated.dtype == truncated.dtype == np.bool_ and not info["illegal"].any()


def test_each_slot_is_the_fight_that_the_vectorised_door_plays() -> None:
    """The other seat plays `might`, whose choices are known, so the same actions give the same arrays."""
    env, fights = make(3, decisions="stance"), heart_rush_v0.make_vec(3, decisions="stance")
    seen, _ = env.reset(seed=SEED)
    shown, _ = fights.reset(SEED)
    might = fights.get_action_meanings().index("stance might")
    rng, ends = np.random.default_rng(5), 0
    for _ in range(300):
        assert (seen["observation"] == shown["observation"][:, 0]).all()
        own = np.array([rng.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]])
        theirs = np.where(shown["action_mask"][:, 1, might] == 1, might, shown["action_mask"][:, 1].argmax(axis=1))
        shown, paid, over, _, told = fights.step(np.stack([own, theirs], axis=1))
        seen, rewards, terminated, _, info = env.step(own)
        assert (rewards == paid[:, 0]).all() and (terminated == over[:, 0]).all()
        assert ("final_obs" in info) == told["ended"].any()
        for slot in np.flatnonzero(told["ended"]):
            ends += 1
            assert info["_final_obs"][slot] and info["_final_info"][slot]
            assert (info["final_obs"][slot]["observation"] == told["final_observation"][slot, 0]).all()
            assert env.single_observation_space.contains(info["final_obs"][slot])
    assert ends >= 5 and (info["fight"] == told["fight"]).all()


@pytest.mark.usefixtures("in_threads")
def test_every_seat_is_a_row_that_shows_what_the_vectorised_door_shows() -> None:
    """Rows equal seats in observations, masks, rewards, endings and last observations, whoever chooses the actions."""
    options = {"scenario": "examples/small_brawl.toml", "max_cycles": 6}
    env = gymnasium.make_vec(ID, 3, "vector_entry_point", seat="all", num_threads=2, **options)
    fights = heart_rush_v0.make_vec(3, **options)
    assert env.unwrapped.fights.num_threads == 2
    seen, info = env.reset(seed=SEED)
    shown, _ = fights.reset(SEED)
    assert env.num_envs == 6 and info["fight"].tolist() == [0, 0, 1, 1, 2, 2]
    rng, cut, won = np.random.default_rng(5), 0, 0
    for _ in range(120):
        assert env.observation_space.contains(seen)
        for name in ("observation", "action_mask"):
            assert (seen[name] == shown[name].reshape(6, -1)).all()
        assert (env.unwrapped.action_masks() == seen["action_mask"]).all()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]], np.int32)
        actions[0] = np.flatnonzero(seen["action_mask"][0] == 0)[0] if rng.random() < 0.1 else actions[0]
        shown, paid, over, short, told = fights.step(actions.reshape(3, 2))
        seen, rewards, terminated, truncated, info = env.step(actions)
        assert (rewards == paid.reshape(-1)).all() and (info["illegal"] == told["illegal"].reshape(-1)).all()
        assert (terminated == over.reshape(-1)).all() and (truncated == short.reshape(-1)).all()
        ended = np.repeat(told["ended"], 2)
        assert (info.get("_final_obs", np.zeros(6)) == ended).all()
        for row in np.flatnonzero(ended):
            cut, won = cut + truncated[row], won + terminated[row]
            last = info["final_obs"][row]
            assert (last["observation"] == told["final_observation"].reshape(6, -1)[row]).all()
            assert (last["action_mask"] == told["final_action_mask"].reshape(6, -1)[row]).all()
            assert (info["final_info"]["action_mask"][row] == last["action_mask"]).all()
    assert cut and won
    env.close()


@names_autoreset
def test_infos_are_arranged_as_gymnasium_arranges_them() -> None:
    """Entries, types and shapes equal those of Gymnasium's own vector environment of single environments."""
    options = {"opponent": "might", "decisions": "stance", "max_cycles": 2}
    theirs = gymnasium.vector.SyncVectorEnv(
        [lambda: gymnasium.make(ID, disable_env_checker=True, **options)] * 2,
        autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP,
    )
    ours = gymnasium.make_vec(ID, 2, "vector_entry_point", **options)
    found = []
    for env in (theirs, ours):
        seen, info = env.reset(seed=SEED)
        entries = [kinds(info)]
        for _ in range(2):
            seen, *_, info = env.step(last_legal(seen["action_mask"]))
        found.append([*entries, kinds(info)])
        last = info["final_obs"]
        assert (last.dtype, last.shape, set(last[0])) == (object, (2,), {"observation", "action_mask"})
        listed = gymnasium.wrappers.vector.DictInfoToList(env).step(last_legal(seen["action_mask"]))[-1]
        assert len(listed) == 2 and (listed[1]["action_mask"].shape) == (env.single_action_space.n,)
    assert {"final_obs", "_final_obs", "final_info", "_final_info", "action_mask", "_action_mask"} <= set(found[1][1])
    for theirs_of_step, ours_of_step in zip(*found, strict=True):
        both = set(theirs_of_step) & set(ours_of_step)
        assert {"action_mask", "_action_mask", "fight", "_fight"} <= both
        assert {name: theirs_of_step[name] for name in both} == {name: ours_of_step[name] for name in both}


def kinds(info: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return the type and the shape of each entry, nested entries included."""
    found: dict[str, Any] = {}
    for name, value in info.items():
        if isinstance(value, dict):
            found |= {prefix + name: dict, **kinds(value, f"{prefix}{name} ")}
        else:
            found[prefix + name] = value.dtype, value.shape
    return found


@names_autoreset
def test_gymnasium_counts_returns_and_lengths() -> None:
    """CleanRL reads these statistics; each fight is cut off after three windows."""
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(make(2, decisions="stance", max_cycles=3))
    seen, _ = env.reset(seed=SEED)
    for step in range(1, 7):
        seen, *_, info = env.step(last_legal(seen["action_mask"]))
        assert ("episode" in info) == (step % 3 == 0)
    assert info["_episode"].all() and info["episode"]["l"].tolist() == [3, 3]
    same = gymnasium.vector.AutoresetMode.SAME_STEP
    seats, fights = make(2).unwrapped, heart_rush_v0.make_vec(2)
    assert [each.metadata["autoreset_mode"] for each in (seats, fights)] == [same, same]
    assert seats.autoreset_mode is fights.autoreset_mode is same


@pytest.mark.long
def test_spawned_processes_know_an_id_by_the_name_of_the_package() -> None:
    make_one = partial(gymnasium.make, f"heartrush_env:{ID}", scenario="duel", opponent="might", decisions="stance")
    envs = gymnasium.vector.AsyncVectorEnv([make_one], context="spawn")
    try:
        seen, _ = envs.reset(seed=[7])
        _, rewards, *_ = envs.step(seen["action_mask"].argmax(axis=1))
        assert rewards.shape == (1,)
    finally:
        envs.close()


def test_actions_of_a_small_type_leave_the_opponents_theirs() -> None:
    """An opponent's action may have a number beyond what the learner's array can hold."""
    env = heart_rush_v0.vector_env(2, "skirmish", opponent="charger", allies="charger", decisions="full")
    env.reset(seed=SEED)
    chosen = []
    for _ in range(12):
        env.step(np.zeros(2, np.int8))
        chosen.append(env.rows._actions.max())
    assert max(chosen) > 127 and not env.fights._batch.illegal[:, 1:].any()


def test_the_same_seed_gives_the_same_choices_of_mixed_agents() -> None:
    def run(env: Any) -> bytes:
        seen, _ = env.reset(seed=SEED)
        frames = []
        for _ in range(60):
            seen, rewards, *_ = env.step(last_legal(seen["action_mask"]))
            frames += [seen["observation"].tobytes(), rewards.tobytes()]
        return b"".join(frames)

    env = heart_rush_v0.vector_env(3, opponent="uniform", decisions="stance")
    first = run(env)
    assert run(env) == first
    assert run(heart_rush_v0.vector_env(3, opponent="uniform", decisions="stance")) == first


def test_what_was_returned_stays_as_it_was() -> None:
    env = make(2, decisions="stance")
    seen, info = env.reset(seed=SEED)
    kept = seen["observation"].copy(), info["action_mask"].copy()
    env.step(last_legal(seen["action_mask"]))
    assert (seen["observation"] == kept[0]).all() and (info["action_mask"] == kept[1]).all()


def test_a_fight_that_is_cut_off_is_truncated() -> None:
    env = make(2, decisions="stance", max_cycles=2, flatten=True)
    seen, info = env.reset(seed=SEED)
    assert env.observation_space.contains(seen) and (env.unwrapped.action_masks() == (info["action_mask"] == 1)).all()
    for _ in range(2):
        seen, _, terminated, truncated, info = env.step(last_legal(info["action_mask"]))
    assert truncated.all() and not terminated.any()
    assert all(env.single_observation_space.contains(last) for last in info["final_obs"])


def test_agents_are_named_for_each_seat_and_classes_of_players_sit_down() -> None:
    opponents = {"captain_0": "might", "orc_0": First, "bandit_0": "might", "bandit_1": "might"}
    env = heart_rush_v0.vector_env(2, "melee", opponent=opponents, allies="defensive", decisions="stance")
    assert [player.agent.id for player in env.players] == ["defensive", "might", "First"]
    assert [len(player.slots) for player in env.players] == [6, 6, 2]
    seen, _ = env.reset(seed=SEED)
    for _ in range(5):
        seen, *_ = env.step(last_legal(seen["action_mask"]))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"seat": "nobody_0"}, "There is no seat 'nobody_0': the seats are knight_0, duelist_0"),
        ({"opponent": {"duelist_1": "might"}}, "No opponent or ally can take the seat 'duelist_1'"),
        ({"opponent": {}}, "No player decides for duelist_0: `opponent` names none"),
        ({"opponent": "nobody"}, "Unknown agent 'nobody'"),
        (
            {"opponent": First(heart_rush_v0.new_game("duel"))},
            "duelist_0: expected an agent, its id, or a class of players for many fights",
        ),
    ],
)
def test_seats_that_cannot_be_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(HeartRushError, match=said):
        heart_rush_v0.vector_env(2, **options)


def test_actions_and_seeds_that_do_not_fit_are_refused() -> None:
    env = heart_rush_v0.vector_env(3, opponent="might", decisions="stance", illegal="raise")
    said = r"seed: expected one whole number, from which all fights are seeded, got \[1, 2, 3\]"
    with pytest.raises(HeartRushError, match=said):
        env.reset(seed=[1, 2, 3])
    env.reset(seed=SEED)
    with pytest.raises(HeartRushError, match=r"expected the shape \(3,\), got \(2,\)"):
        env.step([0, 0])
    with pytest.raises(HeartRushError, match="whole numbers"):
        env.step(np.array([0.5, 1.0, 2.0]))
    with pytest.raises(HeartRushError, match="In slot 0, knight_0"):
        env.step([0, 0, 0])
