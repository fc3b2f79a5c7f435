"""Compact observations: bytes that carry the same facts as the vector, in every kind of fight and at every door."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from heartrush_agents.base import Player

from heartrush_env import heart_rush_classic_v0, heart_rush_v0
from heartrush_env.envs.vector import VectorFights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.errors import HeartRushError, RulesError
from heartrush_env.tabletop.kernels import noting
from tests.map_scenarios import random_map_scenario
from tests.random_play import legal_actions
from tests.reference.scenarios import random_scenario
from tests.toy_game import ToyGame

HALF_A_STEP = 0.5 / 127 + 1e-6
ROUNDED = ("windows_left", "hp_share", "count might", "count agility", "count cunning", "count defensive")
COMPACT: dict[str, Any] = {"observations": "compact"}


def creature(name: str, team: str, **more: Any) -> dict[str, Any]:
    abilities = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8}
    return {"id": name, "team": team, **abilities, "hp": 20, "weapon": "dagger", **more}


# A giant of 900 hit points, an ogre of four squares, doors on both sides of the knight, a drop and water.
HALL: dict[str, Any] = {
    "name": "hall",
    "max_rounds": 20,
    "rules": {"talk": "team", "zero_hp": "all_choose"},
    "battlefield": {"map": ["........", ".+.+..v.", "..o..ww.", "........"], "drop": 200, "light": "dim"},
    "fighter": [
        creature("knight", "blue", at=[2, 1]),
        creature("squire", "blue", at=[2, 3], weapon="longbow"),
        creature("giant", "red", at=[6, 0], hp=900, hp_now=130, wound_threshold=300, size="large"),
        creature("ogre", "red", at=[4, 0], size="L2", hp=300),
    ],
}


def free(seed: int) -> dict[str, Any]:
    """A random scenario in which words are said."""
    scenario = random_scenario(random.Random(seed))
    scenario.setdefault("rules", {})["talk"] = ("team", "open")[seed % 2]
    return scenario


KINDS: dict[str, Any] = {
    "free": lambda seed: HeartRush(free(seed), max_cycles=5),
    "by teams": lambda seed: HeartRush(free(seed), control="team", memory=3, max_cycles=5),
    "without memory": lambda seed: HeartRush(free(seed), memory=0, max_cycles=5),
    "of stances": lambda seed: HeartRush("duel", decisions="stance", max_cycles=5),
    "on a map": lambda seed: HeartRush(random_map_scenario(random.Random(seed)), max_cycles=5),
    "in a hall": lambda seed: HeartRush(HALL, control="team", max_cycles=7),
    "in turns": lambda seed: HeartRush(free(seed), {"edition": "classic", "talk": "team"}, max_cycles=5),
    "in turns on a map": lambda seed: HeartRush(HALL, {"edition": "classic"}, max_cycles=5),
}
SEEDS = (1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 6)))


def differing(game: Any, rows: Any, vectors: Any) -> list[str]:
    """The features that bytes show otherwise than the vector; those that are rounded may be half a step apart."""
    apart = np.abs(game.compact.vector(rows) - vectors).reshape(-1, len(game.feature_names)).max(axis=0)
    return [
        name
        for name, by in zip(game.feature_names, apart.tolist(), strict=True)
        if by > (HALF_A_STEP if name.endswith(ROUNDED) else 0)
    ]


def choose(game: Any, fights: Any, rng: np.random.Generator) -> Any:
    """A random legal action for each seat; a door is opened wherever that is possible."""
    actions = legal_actions(fights, rng)
    doors = np.array([name.startswith("door ") for name in game.action_names]) & (fights.masks > 0)
    return np.where(doors.any(axis=2), doors.argmax(axis=2), actions)


# -- what the bytes show -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_bytes_show_what_the_vector_shows(plainly: None, kind: str, seed: int) -> None:
    """In fights that follow one another in their slots, at their ends, and when all is written at once."""
    game = KINDS[kind](seed)
    vector, compact = game.batch(2), game.batch(2, **COMPACT)
    space = VectorFights(game, 2, **COMPACT).observation_space["observation"]
    rng, ends = np.random.default_rng(seed), 0
    for fights in (vector, compact):
        fights.start([0, 1], seed, [0, 1])
    for _ in range(11):
        assert space.contains(compact.observations) and compact.observations.dtype == np.int8
        assert not differing(game, compact.observations, vector.observations)
        assert np.array_equal(compact.masks, vector.masks) and np.array_equal(compact.out, vector.out)
        assert np.array_equal(compact.state(0), vector.state(0)) and compact.state(0).dtype == np.float32
        shown = compact.observations.copy()
        compact.show(np.array([0, 1]))
        assert np.array_equal(shown, compact.observations), "what stands in the rows is what a whole writing shows"
        actions = choose(game, vector, rng)
        for fights in (vector, compact):
            fights.step(actions, autoreset=True)
        for slot in np.flatnonzero(vector.terminated | vector.truncated):
            ends += 1
            assert not differing(game, compact.final_observations[slot], vector.final_observations[slot])
            assert np.array_equal(compact.final_masks[slot], vector.final_masks[slot])
    assert ends >= 2


def test_the_hall_shows_opened_doors_wide_numbers_and_all_that_has_an_offset(plainly: None) -> None:
    """The bytes of the fights above, worked out by hand: 900 = 4 * 256 - 124."""
    game = HeartRush(HALL)
    fights = game.batch(1, **COMPACT)
    fights.start([0], 1, [0])
    knight, giant = game.agents.index("knight_0"), game.agents.index("giant_0")

    def shown(seat: int, *names: str) -> list[int]:
        return [int(fights.observations[0, seat, game.compact.names.index(name)]) for name in names]

    assert shown(knight, "enemy 1 hp_max", "enemy 1 hp_max / 256") == [-124, 4]
    assert shown(giant, "self hp", "self hp / 256", "self hp_share") == [-126, 1, 18]  # 130 of 900: 18.34 parts
    assert shown(giant, "self wound_threshold", "self wound_threshold / 256") == [44, 1]  # 300 = 256 + 44
    assert shown(knight, "self hp", "self hp / 256", "enemy 2 hp_max", "enemy 2 hp_max / 256") == [20, 0, 44, 1]
    assert shown(knight, "round", "drop", "light dim") == [-99, 100, 1]  # 1 and 200, less the offset of 100
    squares = ("1,0 blocked", "1,0 cost", "0,-1 cost", "3,1 cost", "4,0 height")  # a door, floor, deep water, a drop
    assert shown(knight, *(f"square {square}" for square in squares)) == [1, 0, 1, 4, -1]
    while "door e" not in {game.action_names[action] for action in fights.legal(0, knight)}:
        fights.step(np.array([[game.action_names.index("pass")] * 4]))
    actions = np.zeros((1, 4), np.int64)
    actions[0, knight] = game.action_names.index("door e")
    fights.step(actions)
    assert shown(knight, "square 1,0 blocked", "square 1,0 cost") == [0, 1]


@pytest.mark.parametrize(
    "hp, low, high, share", [(-300, -44, -1, -42), (-7, -7, 0, -1), (0, 0, 0, 0), (900, -124, 4, 127)]
)
def test_hit_points_below_zero_and_above_a_byte(plainly: None, hp: int, low: int, high: int, share: int) -> None:
    """-300 = -44 - 256, and a third of 900 is 42.33 parts of 127."""
    game = HeartRush(HALL)
    fights = game.batch(1, **COMPACT)
    fights.start([0], 1, [0])
    seat = game.agents.index("giant_0")
    fights._matches[0].fighters[seat].hp = hp
    fights.show(np.array([0]))
    row = dict(zip(game.compact.names, fights.observations[0, seat].tolist(), strict=True))
    assert [row[f"self {name}"] for name in ("hp", "hp / 256", "hp_share")] == [low, high, share]


def test_rows_of_fights_that_do_not_move_and_groups_that_do_not_change_are_not_written(plainly: None) -> None:
    game = HeartRush("duel", decisions="stance")
    names = game.compact.names
    fights = game.batch(3, **COMPACT)
    fights.start([0, 1, 2], 7, [0, 1, 2])
    poison = 77
    lasting = [k for k, name in enumerate(names) if name in ("self might", "enemy 1 armor", "enemy 1 hp_max / 256")]
    fights.observations[0] = fights.observations[2] = poison
    fights.observations[1][:, lasting] = poison
    fights.step(legal_actions(fights, np.random.default_rng(1)), lo=1, hi=2)
    assert (fights.observations[[0, 2]] == poison).all()
    assert len(lasting) == 3 and (fights.observations[1][:, lasting] == poison).all()
    reveals = [k for k, name in enumerate(names) if "reveal 1 " in name]
    assert fights.observations[1][:, reveals].sum() == 4, "two fighters' reveals, each shown to both"


@pytest.mark.long
def test_machine_code_writes_the_bytes_that_plain_python_writes() -> None:
    """And what the machine code of the vector shows, through many fights and in threads."""
    game = HeartRush("duel", decisions="stance")
    with noting(), np.errstate(over="ignore"):
        plain = game.batch(4, **COMPACT)
        plain.start(range(4), 3, range(4))
        for _ in range(3):
            plain.step(plain.masks.argmax(axis=2))
    vector, compact = (VectorFights(game, 4, num_threads=2, observations=kind) for kind in ("vector", "compact"))
    seen, (shown, infos) = vector.reset(3)[0], compact.reset(3)
    rng, ends = np.random.default_rng(1), 0
    for step in range(150):
        if step == 3:
            assert np.array_equal(shown["observation"], plain.observations)
        draw = np.where(seen["action_mask"], rng.random(seen["action_mask"].shape), -1).argmax(axis=2)
        actions = draw if step >= 3 else seen["action_mask"].argmax(axis=2)
        seen, _, _, _, told = vector.step(actions)
        shown, _, _, _, infos = compact.step(actions)
        assert not differing(game, shown["observation"], seen["observation"])
        for slot in np.flatnonzero(told["ended"]):
            ends += 1
            assert not differing(game, infos["final_observation"][slot], told["final_observation"][slot])
    assert ends >= 8
    compact.close()
    vector.close()


# -- the doors ---------------------------------------------------------------------------------------------------------


class Reader(Player):
    """Chooses by its hit points, which bytes show exactly, and keeps what it has read."""

    read: list[Any] = []  # noqa: RUF012  # of all instances: doors make their own

    def policy(self, observation: Any) -> Any:
        vector, legal = observation["observation"], np.flatnonzero(observation["action_mask"])
        self.read.append(vector.copy())
        place = self.game.feature_names.index("self hp")
        chosen = np.zeros(len(observation["action_mask"]))
        chosen[legal[round(float(vector[place]) * 40) % len(legal)]] = 1.0
        return chosen


def fair(mask: Any, step: int) -> int:
    """A legal action that depends on the step alone."""
    legal = np.flatnonzero(mask)
    return int(legal[step * 7 % len(legal)])


@pytest.mark.parametrize("module", [heart_rush_v0, heart_rush_classic_v0], ids=["june", "classic"])
def test_doors_of_all_agents_show_bytes(plainly: None, module: Any) -> None:
    """The parallel door, the turn-by-turn door, and its snapshots, beside the vector's."""
    vector, parallel, turns = (
        module.parallel_env("duel"),
        module.parallel_env("duel", **COMPACT),
        module.env("duel", **COMPACT),
    )
    assert (parallel.observation_kind, turns.unwrapped.observation_kind) == ("compact", "compact")
    seen, shown = vector.reset(seed=5)[0], parallel.reset(seed=5)[0]
    turns.reset(seed=5)
    kept = None
    for step in range(12):
        actions = {agent: fair(seen[agent]["action_mask"], step) for agent in vector.agents}
        for agent in vector.agents:
            row = shown[agent]
            assert parallel.observation_space(agent).contains(row) and turns.observation_space(agent).contains(row)
            assert np.array_equal(row["action_mask"], seen[agent]["action_mask"])
            assert not differing(parallel.game, row["observation"], seen[agent]["observation"])
            assert turns.agent_selection == agent
            assert np.array_equal(turns.observe(agent)["observation"], row["observation"])
            read = parallel.vector(agent)["observation"]
            assert read.dtype == np.float32 and np.array_equal(read, parallel.game.compact.vector(row["observation"]))
            assert np.array_equal(turns.unwrapped.vector(agent)["observation"], read)
            turns.step(actions[agent])
        if step == 6:
            kept = parallel.snapshot(), shown
        seen, shown = vector.step(actions)[0], parallel.step(actions)[0]
        assert np.array_equal(vector.state(), parallel.state())
    assert kept is not None
    again = parallel.restore(kept[0])[0]
    assert all(np.array_equal(again[agent]["observation"], kept[1][agent]["observation"]) for agent in again)


def test_the_vectorised_door_shows_bytes(plainly: None) -> None:
    """With a reward of the user's own, threads, details, snapshots and restored slots."""

    def reward(events: Any) -> dict[str, float]:
        return {"knight_0": float(len(events))}

    options: dict[str, Any] = {"reward": reward, "max_cycles": 4, "num_threads": 2, "seed": 5}
    vector, compact = (heart_rush_v0.make_vec(3, HALL, **options, observations=kind) for kind in ("vector", "compact"))
    game: Any = compact.game
    seen, shown, total = vector.reset()[0], compact.reset()[0], 0.0
    assert compact.single_observation_space["observation"].shape == (len(game.compact.names),)
    assert compact.observation_space["observation"].shape == (3, 4, len(game.compact.names))
    for step in range(6):
        assert compact.observation_space.contains(shown)
        assert not differing(game, shown["observation"], seen["observation"])
        actions = np.array([[fair(mask, step) for mask in masks] for masks in seen["action_mask"]])
        seen, paid, _, cut, _ = vector.step(actions)
        shown, paid_too, _, cut_too, infos = compact.step(actions)
        assert np.array_equal(paid, paid_too) and np.array_equal(cut, cut_too)
        total += float(paid.sum())
    assert total > 0 and infos["final_observation"].dtype == np.int8
    assert infos["fight"].tolist() == [3, 4, 5]
    kept, row = compact.snapshot(1), shown["observation"][1].copy()
    compact.step(actions)
    assert not np.array_equal(shown["observation"][1], row)
    compact.restore(1, kept)
    assert np.array_equal(shown["observation"][1], row) and np.array_equal(vector.state(1), compact.state(1))


@pytest.mark.parametrize("flatten", [False, True])
def test_doors_of_one_seat_show_bytes_and_their_players_read_vectors(plainly: None, flatten: bool) -> None:
    found = []
    for options in ({}, COMPACT):
        Reader.read = []
        env = heart_rush_v0.single_env("brawl", opponent=Reader, allies=Reader, flatten=flatten, **options)
        shown = [env.reset(seed=3)[0]]
        for step in range(5):
            shown.append(env.step(fair(env.action_masks(), step))[0])
        assert all(env.observation_space.contains(one) for one in shown)
        found.append((shown if flatten else [one["observation"] for one in shown], Reader.read))
    game: Any = env.game
    (vectors, read), (rows, read_too) = found
    assert not differing(game, np.array(rows), np.array(vectors))
    same_facts(game, read, read_too)


def test_many_seats_show_bytes_and_their_players_read_vectors(plainly: None) -> None:
    found = []
    for options in ({}, COMPACT):
        Reader.read = []
        env = heart_rush_v0.vector_env(2, "brawl", opponent=Reader, allies=Reader, max_cycles=4, **options)
        shown, last = [env.reset(seed=3)[0]["observation"]], []
        for step in range(6):
            actions = [fair(mask, step) for mask in env.action_masks()]
            seen, *_, infos = env.step(np.array(actions))
            assert env.observation_space.contains(seen)
            shown.append(seen["observation"])
            last += [one["observation"] for one in infos.get("final_obs", ()) if one is not None]
        found.append((shown, last, Reader.read))
    game: Any = env.game
    (vectors, ends, read), (rows, ends_too, read_too) = found
    assert len(ends) >= 2 and not differing(game, np.array(ends_too), np.array(ends))
    assert not differing(game, np.array(rows), np.array(vectors))
    same_facts(game, read, read_too)


def same_facts(game: Any, read: list[Any], read_too: list[Any]) -> None:
    """Players have read the same, but for what bytes round."""
    assert len(read) == len(read_too) > 5
    for one, other in zip(read, read_too, strict=True):
        assert other.dtype == np.float32
        apart = np.abs(one - other) > [HALF_A_STEP if name.endswith(ROUNDED) else 0 for name in game.feature_names]
        assert not apart.any()


def test_what_a_game_cannot_show_is_refused() -> None:
    with pytest.raises(HeartRushError, match=r"observations is 'compact', but it must be one of 'vector'\."):
        VectorFights(ToyGame(), 2, **COMPACT)
    for door in (heart_rush_v0.parallel_env, heart_rush_v0.env, heart_rush_v0.single_env):
        with pytest.raises(HeartRushError, match="observations is 'pixels', but it must be one of 'vector', 'compact'"):
            door(observations="pixels")
    with pytest.raises(RulesError, match="observations: found 'pixels', allowed: vector, compact"):
        HeartRush("duel").batch(observations="pixels")


def test_bytes_take_a_quarter_of_the_memory() -> None:
    """As a batch of a duel counts it: two rows and their last ones, of 253 features; ten take a second byte."""
    game = HeartRush("duel")
    assert len(game.feature_names) == 253 and len(game.compact.names) == 263
    assert game.bytes_per_fight() - game.bytes_per_fight("compact") == 4 * (4 * 253 - 263)
