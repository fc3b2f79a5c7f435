"""Rewards that are a function of events, in every environment."""

from typing import Any

import numpy as np
import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.tabletop.errors import HeartRushError

SEED = 3


def damage_done(events: list[dict[str, Any]]) -> dict[str, float]:
    """Pay the knight for the damage that the duelist takes."""
    hits = [event for event in events if event["type"] == "damage" and event["fighter"] == "duelist_0"]
    return {"knight_0": 0.25 * sum(hit["amount"] for hit in hits)}


def drawn(mask: Any, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def test_the_parallel_door_pays_what_the_function_says() -> None:
    env, rng = heart_rush_v0.parallel_env(reward=damage_done, decisions="stance"), np.random.default_rng(1)
    seen, _ = env.reset(seed=SEED)
    lost, paid = 0, 0.0
    while env.agents:
        seen, rewards, *_ = env.step({agent: drawn(seen[agent]["action_mask"], rng) for agent in env.agents})
        hits = [e["amount"] for e in env.events if e["type"] == "damage" and e["fighter"] == "duelist_0"]
        assert rewards == {"knight_0": 0.25 * sum(hits), "duelist_0": 0.0}
        lost, paid = lost + sum(hits), paid + rewards["knight_0"]
    assert lost > 0 and paid == 0.25 * lost


def test_the_turn_by_turn_door_pays_the_same() -> None:
    env, rng = heart_rush_v0.env(reward=damage_done, decisions="stance"), np.random.default_rng(1)
    env.reset(seed=SEED)
    total = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        env.step(None if terminated or truncated else drawn(seen["action_mask"], rng))
    assert total["knight_0"] > 0 and total["duelist_0"] == 0


def test_the_single_door_adds_up_the_windows_in_between() -> None:
    env, rng = heart_rush_v0.single_env(reward=damage_done, opponent="might"), np.random.default_rng(1)
    env.reset(seed=SEED)
    over = False
    while not over:
        _, reward, over, _, _ = env.step(drawn(env.action_masks(), rng))
        hits = [e["amount"] for e in env.events if e["type"] == "damage" and e["fighter"] == "duelist_0"]
        assert reward == 0.25 * sum(hits)


def test_the_vectorised_door_pays_each_slot_up_to_the_end_of_its_fight() -> None:
    """Each slot pays what a single fight pays; the step that ends a fight is paid, the next fight's start is not."""
    alone = [heart_rush_v0.parallel_env(reward=damage_done, decisions="stance") for _ in range(3)]
    vec = heart_rush_v0.make_vec(3, reward=damage_done, decisions="stance")
    seen, _ = vec.reset(SEED)
    for slot, env in enumerate(alone):
        env.reset(seed=SEED, options={"fight": slot})
    rng, ends = np.random.default_rng(2), 0
    for _ in range(120):
        actions = [[drawn(mask, rng) for mask in masks] for masks in seen["action_mask"]]
        seen, rewards, _, _, told = vec.step(np.array(actions))
        for slot, env in enumerate(alone):
            _, paid, *_ = env.step(dict(zip(env.possible_agents, actions[slot], strict=True)))
            assert rewards[slot].tolist() == list(paid.values())
            if told["ended"][slot]:
                ends += 1
                env.reset(options={"fight": int(told["fight"][slot])})
    assert ends >= 3


def test_a_fight_cut_off_is_paid_without_the_start_of_the_next() -> None:
    def rounds(events: list[dict[str, Any]]) -> dict[str, float]:
        return {"knight_0": sum(event["type"] == "round" for event in events)}

    vec = heart_rush_v0.make_vec(2, reward=rounds, decisions="stance", max_cycles=2)
    seen, _ = vec.reset(SEED)
    paid = []
    for _ in range(4):
        seen, rewards, *_ = vec.step(seen["action_mask"].argmax(axis=2))
        paid.append(rewards[0, 0])
    assert paid == [1.0, 1.0, 1.0, 1.0]  # each step leads to one next round; round 1 of a new fight does not count


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"nobody_0": 1.0}, r"expected payments to knight_0, duelist_0, got one to 'nobody_0'\."),
        ({"knight_0": float("nan")}, r"expected a finite number for knight_0, got nan\."),
        ({"knight_0": "much"}, r"expected a finite number for knight_0, got 'much'\."),
        (1.0, r"expected a mapping from agents to numbers, got 1\.0\."),
    ],
)
def test_payments_that_cannot_be_are_refused(given: Any, said: str) -> None:
    env = heart_rush_v0.parallel_env(reward=lambda events: given)
    env.reset(seed=SEED)
    with pytest.raises(HeartRushError, match=said):
        env.step({})
    with pytest.raises(HeartRushError, match=r"reward: expected win, .*, got 3"):
        heart_rush_v0.parallel_env(reward=3)  # type: ignore[arg-type]
