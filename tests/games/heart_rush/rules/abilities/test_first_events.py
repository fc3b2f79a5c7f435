"""The first events of fights with abilities, in which an attack may take several steps."""

from typing import Any

from heartrush_env import heart_rush_v0
from heartrush_env.envs.parallel import ParallelFights

DICE = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40, "weapon": "longsword"}
KNIGHT = {**DICE, "id": "knight", "team": "blue", "talents": ["brutal_criticals"]}
ROGUE = {**DICE, "id": "rogue", "team": "red"}


def fight() -> ParallelFights:
    return heart_rush_v0.parallel_env({"name": "duel", "fighter": [KNIGHT, ROGUE]}, illegal="fallback")


def test_a_fight_with_abilities_begins_with_round_1() -> None:
    env = fight()
    env.reset(seed=1)
    assert [event for event in env.events if event["type"] == "round"] == [{"type": "round", "round": 1}]


def test_a_new_fight_tells_nothing_of_an_attack_that_was_left_unfinished() -> None:
    """Two dice at their maximum, heart d8 and might d6, open a window in the middle of the knight's attack."""
    env = fight()
    names: Any = env.unwrapped.get_action_meanings()
    observations, _ = env.reset(seed=1, options={"dice": [8, 6, 3, 3, 3]})
    while env.events[-1]["type"] != "roll":
        legal = {agent: seen["action_mask"].nonzero()[0] for agent, seen in observations.items()}
        plan = {"knight_0": ("stance might", "attack 1"), "rogue_0": ("stance cunning",)}
        observations, *_ = env.step(
            {
                agent: next((int(k) for k in choices if names[k] in plan[agent]), names.index("pass"))
                for agent, choices in legal.items()
            }
        )
    env.reset(seed=2)
    assert [(event["type"], event.get("round")) for event in env.events] == [("round", 1)]
