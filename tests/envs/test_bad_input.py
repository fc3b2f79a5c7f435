"""Bad input to the public API: one sentence names what was found, where, and what is allowed; nothing is lost."""

import copy
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.tabletop.errors import (
    DiceError,
    HeartRushError,
    IllegalAction,
    RulesError,
    ScenarioError,
    SnapshotError,
)
from heartrush_env.tabletop.rng import MAX_GIVEN_DICE

DOORS: dict[str, Callable[..., Any]] = {
    "parallel_env": heart_rush_v0.parallel_env,
    "env": heart_rush_v0.env,
    "raw_env": heart_rush_v0.raw_env,
    "make_vec": lambda *arguments, **settings: heart_rush_v0.make_vec(2, *arguments, **settings),
    "single_env": heart_rush_v0.single_env,
}


def refusal(error: type[HeartRushError], call: Callable[[], Any], *parts: str) -> str:
    """Return the message of the error that the call must raise: one sentence that contains all these parts."""
    with pytest.raises(error) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message and message.endswith("."), message
    assert not re.search(r"[.!?]\s+[A-Z]", message), f"more than one sentence: {message}"
    for part in parts:
        assert part in message, message
    return message


def fighter(**fields: Any) -> dict[str, Any]:
    dice = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8}
    return {"id": "fencer", "team": "blue", **dice, "hp": 20, **fields}


def fight(*fighters: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"name": "yard", "fighter": list(fighters), **fields}


RED = fighter(team="red")

# -- what is fought ----------------------------------------------------------------------------------------------------

SCENARIOS: dict[str, tuple[Any, list[str]]] = {
    "unknown scenario": ("dual", ["'dual'", "did you mean 'duel'", "brawl, bridge, dragon, duel"]),
    "no scenario": (7, ["7", "duel", "a dict"]),
    "unknown fighter": (fight(fighter(**{"from": "night"}), RED),
                        ["fighter 1", "from: expected", "got 'night'", "did you mean 'knight'", "rogue"]),
    "unknown weapon": (fight(RED, fighter(weapon="longsord")),
                       ["fighter 2", "weapon: expected", "got 'longsord'", "did you mean 'longsword'", "shortsword"]),
    "unknown field": (fight(fighter(mihgt=6), RED), ["fighter 1", "'mihgt'", "did you mean 'might'", "heart"]),
    "a die of seven sides": (fight(fighter(might=7), RED),
                             ["fighter 1 (fencer)", "might: expected", "got 7", "4, 6, 8, 10, 12 or 20"]),
    "too few hit points": (fight(fighter(hp=-5), RED), ["fighter 1", "hp: expected", "got -5", "from 1 to 1000"]),
    "nobody": (fight(), ["fighters", "got 0", "2 to 8"]),
    "nine fighters": (fight(*[fighter()] * 8, RED), ["fighters", "got 9", "2 to 8"]),
    "an id with capitals": (fight(fighter(id="Fencer"), RED),
                            ["fighter 1", "id: expected", "got 'Fencer'", "lower-case letters a to z"]),
    "one team": (fight(fighter(), fighter()), ["'blue'", "at least two teams"]),
    "an unknown setting": (fight(fighter(), RED, rules={"talking": "open"}),
                           ["[rules]", "unknown setting 'talking'", "talk"]),
    "a setting out of range": (fight(fighter(), RED, rules={"advantage_cap": 99}),
                               ["[rules]", "advantage_cap: expected", "got 99", "from 0 to 10"]),
    "a name of two lines": (fight(fighter(name="Jean\nd'Arc"), RED),
                            ["name: expected", "Jean\\nd'Arc", "a line of text"]),
}  # fmt: skip


@pytest.mark.parametrize("case", SCENARIOS)
@pytest.mark.parametrize("door", DOORS)
def test_a_bad_scenario_is_one_sentence_at_every_door(door: str, case: str) -> None:
    scenario, parts = SCENARIOS[case]
    refusal(RulesError if "setting" in case else ScenarioError, lambda: DOORS[door](scenario), *parts)


OPTIONS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "decisions": ({"decisions": "some"}, ["decisions", "'some'", "full or stance"]),
    "decisions of no text": ({"decisions": []}, ["decisions", "[]", "full or stance"]),
    "control": ({"control": "nobody"}, ["control", "'nobody'", "fighter or team"]),
    "shape": ({"shape": "square"}, ["shape", "'square'", "duel, team"]),
    "shape of no text": ({"shape": 3}, ["shape", "3", "duel, team"]),
    "shape of a list": ({"shape": ["duel"]}, ["shape", "['duel']", "duel, team"]),
    "a shape too small": ({"scenario": "brawl", "shape": "duel"}, ["shape", "'duel'", "2 enemies and 1 allies"]),
    "memory": ({"memory": 9}, ["memory", "9", "0, 1, 2, 3, 4, 5, 6, 7 or 8"]),
    "memory below zero": ({"memory": -1}, ["memory", "-1", "0, 1"]),
    "memory of a truth": ({"memory": True}, ["memory", "True", "0, 1"]),
    "memory of a fraction": ({"memory": 2.5}, ["memory", "2.5", "0, 1"]),
    "reward": ({"reward": "gold"}, ["reward", "'gold'", "win, hp_margin or hp_change"]),
    "max_cycles": ({"max_cycles": 0}, ["max_cycles", "0", "a whole number from 1"]),
    "max_cycles of a fraction": ({"max_cycles": 1.5}, ["max_cycles", "1.5", "a whole number from 1"]),
    "max_cycles without end": ({"max_cycles": 2**40}, ["max_cycles", str(2**40), "a whole number from 1"]),
    "rules": (
        {"rules": {"profile": "plane"}},
        ["profile: expected", "got 'plane'", "did you mean 'plain'", "full, levels or plain"],
    ),
    "rules of no table": ({"rules": "plain"}, ["rules", "'plain'", "a table"]),
    "illegal": ({"illegal": "ignore"}, ["illegal", "'ignore'", "'fallback', 'raise'"]),
    "observations": ({"observations": "pixels"}, ["observations: expected", "'vector', 'entities', got 'pixels'"]),
}


@pytest.mark.parametrize("case", OPTIONS)
@pytest.mark.parametrize("door", DOORS)
def test_a_bad_option_is_one_sentence_at_every_door(door: str, case: str) -> None:
    options, parts = OPTIONS[case]
    refusal(HeartRushError, lambda: DOORS[door](**options), *parts)


@pytest.mark.parametrize(
    ("settings", "parts"),
    [
        ({"num_envs": 0}, ["num_envs", "at least 1", "0"]),
        ({"num_envs": -3}, ["num_envs", "at least 1", "-3"]),
        ({"num_envs": 2.5}, ["num_envs", "whole number", "2.5"]),
        ({"num_envs": "2"}, ["num_envs", "whole number", "'2'"]),
        ({"num_envs": True}, ["num_envs", "whole number", "True"]),
        ({"num_envs": 2, "num_threads": 0}, ["num_threads", "at least 1", "0"]),
        ({"num_envs": 2, "seed": -1}, ["seed", "0 to 2**63 - 1", "-1"]),
        ({"num_envs": 2, "seed": 1.0}, ["seed", "whole number", "1.0"]),
    ],
)
def test_a_bad_batch_is_one_sentence(settings: dict[str, Any], parts: list[str]) -> None:
    refusal(HeartRushError, lambda: heart_rush_v0.make_vec(**settings), *parts)


# -- while it is fought: nothing is lost -------------------------------------------------------------------------------


def begun(scenario: Any = "duel", steps: int = 0, **settings: Any) -> Any:
    """Return an environment in the middle of a fight."""
    env = heart_rush_v0.parallel_env(scenario, render_mode="ansi", **settings)
    env.reset(seed=7)
    for step in range(steps):
        go_on(env, step)
    return env


def go_on(env: Any, step: int = 0) -> Any:
    """Play a window of legal actions that depend only on `step`."""
    masks = env._batch.masks[0]
    rng = np.random.default_rng(step)
    actions = {agent: int(rng.choice(np.flatnonzero(mask))) for agent, mask in zip(env.agents, masks, strict=True)}
    return env.step(actions)


def everything(env: Any) -> Any:
    """Return all that can be read from an environment."""
    batch = env._batch
    arrays = ("observations", "masks", "rewards", "illegal", "out", "terminated", "truncated")
    shown = [getattr(batch, name).tobytes() for name in arrays]
    return shown, env.snapshot(), env.events, env.render(), env.state().tobytes(), env.agents, env.key


def loses_nothing(env: Any, error: type[HeartRushError], call: Callable[[], Any], *parts: str) -> None:
    """Check that a call is refused in one sentence, changes nothing, and does not affect the next steps."""
    twin = copy.deepcopy(env)
    before = everything(env)
    refusal(error, call, *parts)
    assert everything(env) == before
    for step in range(3):
        if env.agents:
            go_on(env, step)
            go_on(twin, step)
    assert everything(env)[:2] == everything(twin)[:2]


def strange(value: Any) -> Callable[[Any], Any]:
    return lambda env: {**dict.fromkeys(env.agents, 1), "knight_0": value}


ACTIONS: dict[str, tuple[Callable[[Any], Any], list[str]]] = {
    "out of range": (strange(10**6), ["knight_0", "1000000", "0 to "]),
    "below zero": (strange(-2), ["knight_0", "-2", "0 to "]),
    "a name": (strange("stance parry"), ["knight_0", "'stance parry'", "whole number"]),
    "a fraction": (strange(1.5), ["knight_0", "1.5", "whole number"]),
    "a truth": (strange(True), ["knight_0", "True", "whole number"]),
    "a matrix": (strange(np.ones((2, 2))), ["knight_0", "whole number"]),
    "of nobody": (lambda env: {**dict.fromkeys(env.agents, 1), "rogue_0": 1}, ["'rogue_0'", "knight_0, duelist_0"]),
}


@pytest.mark.parametrize("case", ACTIONS)
@pytest.mark.parametrize("illegal", ["fallback", "raise"])
def test_an_impossible_action_loses_nothing(illegal: Any, case: str) -> None:
    env = begun(illegal=illegal)
    actions, parts = ACTIONS[case]
    loses_nothing(env, IllegalAction, lambda: env.step(actions(env)), *parts)


@pytest.mark.parametrize(("action", "said"), [("attack 1", "'attack 1'"), ("pass", "'pass'"), (None, "nothing")])
@pytest.mark.parametrize("mentioned", [True, False])
def test_a_masked_or_missing_action_loses_nothing(action: str | None, said: str, mentioned: bool) -> None:
    env = begun(illegal="raise")
    names = env.get_action_meanings()
    actions = dict.fromkeys(env.agents, names.index("stance might"))
    actions["knight_0"] = None if action is None else names.index(action)
    if action is None and not mentioned:
        del actions["knight_0"]
    legal = "stance might, stance agility, stance cunning, stance defensive"
    loses_nothing(env, IllegalAction, lambda: env.step(actions), "knight_0", said, legal)


RESETS: dict[str, tuple[dict[str, Any], type[HeartRushError], list[str]]] = {
    "a seed below zero": ({"seed": -1}, HeartRushError, ["seed", "-1", "0 to 2**63 - 1"]),
    "a seed too large": ({"seed": 2**63}, HeartRushError, ["seed", str(2**63), "0 to 2**63 - 1"]),
    "a seed of text": ({"seed": "7"}, HeartRushError, ["seed", "'7'", "whole number"]),
    "a seed of a truth": ({"seed": True}, HeartRushError, ["seed", "True", "whole number"]),
    "a seed of numbers": ({"seed": np.ones((2, 2))}, HeartRushError, ["seed", "whole number"]),
    "a fight below zero": ({"options": {"fight": -1}}, HeartRushError, ["fight", "-1", "0 to 2**61"]),
    "a fight of text": ({"options": {"fight": "first"}}, HeartRushError, ["fight", "'first'", "whole number"]),
    "options of no table": ({"options": [1]}, HeartRushError, ["options", "[1]", "dict"]),
    "dice of text": ({"options": {"dice": "66"}}, DiceError, ["dice", "'66'", "list of whole numbers"]),
    "a die that shows nothing": ({"options": {"dice": [3, 0]}}, DiceError, ["dice", "Number 2", "0", "at least 1"]),
    "a die of 21": ({"options": {"dice": [21]}}, DiceError, ["dice", "21", "1 to 20"]),
    "half a die": ({"options": {"dice": [2.5]}}, DiceError, ["dice", "2.5", "whole number"]),
    "a bag of dice": (
        {"options": {"dice": [1] * (MAX_GIVEN_DICE + 1)}},
        DiceError,
        ["dice", str(MAX_GIVEN_DICE + 1), f"at most {MAX_GIVEN_DICE}"],
    ),
}


@pytest.mark.parametrize("case", RESETS)
def test_a_bad_reset_leaves_the_fight_as_it_was(case: str) -> None:
    env = begun(steps=2)
    arguments, error, parts = RESETS[case]
    loses_nothing(env, error, lambda: env.reset(**arguments), *parts)


def test_a_die_too_large_for_the_first_roll_of_a_fight_leaves_the_last_one_as_it_was() -> None:
    """Both fighters burn and neither may choose, so dice are rolled before the first window."""
    burning = {"burning": 1, "incapacitated": 1}
    two = fighter(conditions=burning), fighter(team="red", conditions=burning)
    env = begun(fight(*two, rules={"windows_per_round": 0}))
    loses_nothing(env, DiceError, lambda: env.reset(seed=8, options={"dice": [9]}), "9", "d6", "1 to 6")


def test_a_die_too_large_for_its_roll_loses_nothing_and_can_be_put_right_by_another_reset() -> None:
    env = begun("duel", decisions="stance")
    stances = dict.fromkeys(env.agents, env.get_action_meanings().index("stance might"))
    env.reset(seed=7, options={"dice": [1, 1, 20, 1]})  # the duelist rolls first: d10, d6 and the shortsword's d8
    before = everything(env)
    for _ in range(2):
        refusal(DiceError, lambda: env.step(stances), "got 20", "d8", "1 to 8")
        assert everything(env) == before
    env.reset(seed=7)
    assert everything(env)[:2] == everything(begun("duel", decisions="stance"))[:2]
    env.step(stances)


def test_doors_that_are_not_open_yet_say_so() -> None:
    refusal(HeartRushError, lambda: heart_rush_v0.parallel_env(render_mode="oil"), "render_mode", "'oil'", "'ansi'")
    env = heart_rush_v0.parallel_env()
    for call in (lambda: env.step({}), env.snapshot, env.state):
        refusal(HeartRushError, call, "before reset()")


def test_a_batch_refuses_bad_actions_and_goes_on() -> None:
    vec = heart_rush_v0.make_vec(3, "duel", seed=7, illegal="raise")
    vec.reset()
    before = [vec.snapshot(slot) for slot in range(3)]
    stances = np.full((3, 2), vec.get_action_meanings().index("stance might"))
    masked, outside = stances.copy(), stances.copy()
    masked[1, 1] = vec.get_action_meanings().index("attack 1")
    outside[2, 0] = 10**6
    for actions, parts in (
        (masked, ["slot 1", "duelist_0", "'attack 1'", "stance defensive"]),
        (np.full((3, 2), -1), ["slot 0", "knight_0", "nothing", "stance might"]),
        (outside, ["slot 2", "knight_0", "1000000", "0 to "]),
        (stances[:2], ["shape", "(3, 2)", "(2, 2)"]),
        (stances.astype(float), ["whole numbers", "float64"]),
    ):
        refusal(IllegalAction, lambda actions=actions: vec.step(actions), *parts)
        assert [vec.snapshot(slot) for slot in range(3)] == before
    vec.step(stances)


def test_a_batch_refuses_slots_and_snapshots_that_are_not_its_own() -> None:
    vec = heart_rush_v0.make_vec(2, "duel", seed=7)
    vec.reset()
    snapshot = vec.snapshot(0)
    refusal(HeartRushError, lambda: vec.snapshot(2), "slot 2", "0 to 1")
    snapshot["position"]["position"]["round_number"] = -1
    refusal(SnapshotError, lambda: vec.restore(1, snapshot), "round")
    vec.restore(1, vec.snapshot(0))
    assert vec.snapshot(1)["position"] == vec.snapshot(0)["position"]
