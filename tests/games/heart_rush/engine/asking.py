"""Fights in which abilities ask for parts of a choice: random choices that prefer them, in each environment."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from heartrush_env import heart_rush_v0

Chooser = Callable[[Any, Any], dict[str, int]]


def choose(env: Any, rng: Any, wanted: tuple[str, ...] = ("use",), eager: float = 0.7) -> dict[str, int]:
    """Choose randomly among legal actions, preferring the first of these kinds that a fighter may choose."""
    names, chosen = env.get_action_meanings(), {}
    for seat, agent in enumerate(env.possible_agents):
        legal = env._batch.legal(0, seat)
        kinds = [[action for action in legal if names[action].startswith(word)] for word in wanted]
        liked = next((kind for kind in kinds if kind), [])
        chosen[agent] = int(rng.choice(liked if liked and rng.random() < eager else legal))
    return chosen


def shown(env: Any, seat: int) -> tuple[Any, ...]:
    """Return everything that a seat can see at this moment."""
    batch = env._batch
    entities = [] if "picking" not in getattr(batch, "seen", {}) else [
        batch.seen[name].tobytes() for name in ("moment", "fighters", "relations")
    ] + [batch.seen[name][0, seat].tobytes() for name in ("secrets", "picking")]  # fmt: skip
    seen = batch.vectors[0, seat].tobytes(), batch.masks[0, seat].tobytes(), *entities
    return *seen, batch.describe(0), env.events, env.state().tobytes(), int(batch.illegal[0, seat])


def goes_on_from_its_snapshot(env: Any, other: Any, chooser: Chooser) -> None:
    """Check that another environment continues from a snapshot just as this one does; then restore this one."""
    mark = json.loads(json.dumps(env.snapshot()))
    other.reset(seed=99)
    other.restore(mark)
    assert env._batch.faults(0) == []
    rng = np.random.default_rng(5)
    for _ in range(5):
        assert env.snapshot() == other.snapshot()
        assert other._batch.vectors.tobytes() == env._batch.vectors.tobytes()
        assert other._batch.masks.tobytes() == env._batch.masks.tobytes()
        if not env.agents:
            break
        chosen = chooser(env, rng)
        env.step(chosen)
        other.step(chosen)
    env.restore(mark)


def is_alike_in_a_batch(scenario: Any, steps: int, asks: Callable[[Any], bool], wanted: tuple[str, ...] = ()) -> int:
    """Check that a batch plays the fights that are played alone; return in how many windows fighters were asked."""
    vec, env = heart_rush_v0.make_vec(num_envs=4, scenario=scenario, seed=11), heart_rush_v0.parallel_env(scenario)
    obs, _ = vec.reset(seed=11)
    names, rng = env.unwrapped.get_action_meanings(), np.random.default_rng(0)
    history: list[Any] = []
    for _ in range(steps):
        rows = [[np.flatnonzero(row) for row in slot] for slot in obs["action_mask"]]
        liked = [[[a for a in row if names[a].startswith(wanted)] or list(row) for row in slot] for slot in rows]
        actions = np.array([[rng.choice(row) for row in slot] for slot in liked])
        obs, _, terminated, *_ = vec.step(actions)
        history.append((actions.copy(), np.array(obs["observation"]).copy(), terminated.copy()))
    asked = 0
    for slot in range(4):
        env.reset(seed=11, options={"fight": slot})
        for actions, seen, terminated in history:
            asked += asks(env.unwrapped)
            got, *_ = env.step({agent: int(actions[slot, seat]) for seat, agent in enumerate(env.possible_agents)})
            if terminated[slot].any():
                break
            for seat, agent in enumerate(env.possible_agents):
                assert got[agent]["observation"].tobytes() == seen[slot, seat].tobytes()
    return asked


def is_alike_through_the_aec_door(scenario: Any, steps: int, asks: Callable[[Any], bool], chooser: Chooser) -> int:
    """Check that the AEC environment asks the same agents and shows them the same; return how often it asks."""
    parallel, aec = heart_rush_v0.parallel_env(scenario).unwrapped, heart_rush_v0.raw_env(scenario=scenario)
    parallel.reset(seed=4)
    aec.reset(seed=4)
    rng, asked = np.random.default_rng(4), 0
    for _ in range(steps):
        if not parallel.agents:
            break
        chosen = chooser(parallel, rng)
        asked += asks(parallel)
        for seat, agent in enumerate(parallel.possible_agents):
            if len(parallel._batch.legal(0, seat)) > 1:
                assert aec.agent_selection == agent
                assert aec.observe(agent)["observation"].tobytes() == parallel._batch.vectors[0, seat].tobytes()
                aec.step(chosen[agent])
        parallel.step(chosen)
    return asked
