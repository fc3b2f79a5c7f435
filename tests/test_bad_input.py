"""Bad input at the public doors: one sentence that names what was found, where and what is allowed; nothing is lost."""

from __future__ import annotations

import copy
import json
import math
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
    """The message of the one error that the call must raise: a sentence that holds all these parts."""
    with pytest.raises(error) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message and message.endswith("."), message
    assert not re.search(r"[.!?]\s+[A-Z]", message), f"more than one sentence: {message}"
    for part in parts:
        assert part in message, message
    return message


def fighter(**fields: Any) -> dict[str, Any]:
    plain = {
        "id": "fencer",
        "team": "blue",
        "might": 6,
        "agility": 6,
        "cunning": 6,
        "presence": 6,
        "heart": 8,
        "hp": 20,
    }
    return {**plain, **fields}


def fight(*fighters: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"name": "yard", "fighter": list(fighters), **fields}


RED = fighter(team="red")

# -- what is fought ----------------------------------------------------------------------------------------------------

SCENARIOS: dict[str, tuple[Any, type[HeartRushError], list[str]]] = {
    "unknown scenario": ("dual", ScenarioError, ["'dual'", "did you mean 'duel'", "brawl, bridge, dragon, duel"]),
    "no scenario": (7, ScenarioError, ["7", "duel", "a dict"]),
    "unknown fighter": (
        fight(fighter(**{"from": "night"}), RED),
        ScenarioError,
        ["fighter 1", "from is 'night'", "did you mean 'knight'", "rogue"],
    ),
    "unknown weapon": (
        fight(RED, fighter(weapon="longsord")),
        ScenarioError,
        ["fighter 2", "weapon is 'longsord'", "did you mean 'longsword'", "shortsword"],
    ),
    "unknown field": (
        fight(fighter(mihgt=6), RED),
        ScenarioError,
        ["fighter 1", "'mihgt'", "did you mean 'might'", "heart"],
    ),
    "a die of seven sides": (
        fight(fighter(might=7), RED),
        ScenarioError,
        ["fighter 1 (fencer)", "might is 7", "4, 6, 8, 10, 12 or 20"],
    ),
    "too few hit points": (fight(fighter(hp=-5), RED), ScenarioError, ["fighter 1", "hp is -5", "from 1 to 1000"]),
    "nobody": (fight(), ScenarioError, ["number of fighters is 0", "2 to 8"]),
    "nine fighters": (fight(*[fighter()] * 8, RED), ScenarioError, ["number of fighters is 9", "2 to 8"]),
    "an id with capitals": (
        fight(fighter(id="Fencer"), RED),
        ScenarioError,
        ["fighter 1", "id is 'Fencer'", "lower-case letters a to z"],
    ),
    "one team": (fight(fighter(), fighter()), ScenarioError, ["'blue'", "two teams or more"]),
    "an unknown setting": (
        fight(fighter(), RED, rules={"talking": "open"}),
        RulesError,
        ["[rules]", "unknown setting 'talking'", "talk"],
    ),
    "a setting out of range": (
        fight(fighter(), RED, rules={"advantage_cap": 99}),
        RulesError,
        ["[rules]", "advantage_cap is 99", "from 0 to 10"],
    ),
    "a name of two lines": (
        fight(fighter(name="Jean\nd'Arc"), RED),
        ScenarioError,
        ["name is", "Jean\\nd'Arc", "a line of text"],
    ),
}


@pytest.mark.parametrize("case", SCENARIOS)
@pytest.mark.parametrize("door", DOORS)
def test_a_bad_scenario_is_one_sentence_at_every_door(door: str, case: str) -> None:
    scenario, error, parts = SCENARIOS[case]
    refusal(error, lambda: DOORS[door](scenario), *parts)


OPTIONS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "decisions": ({"decisions": "some"}, ["decisions", "'some'", "full, stance"]),
    "decisions of no text": ({"decisions": []}, ["decisions", "[]", "full, stance"]),
    "control": ({"control": "nobody"}, ["control", "'nobody'", "fighter, team"]),
    "shape": ({"shape": "square"}, ["shape", "'square'", "duel, team"]),
    "shape of no text": ({"shape": 3}, ["shape", "3", "duel, team"]),
    "shape of a list": ({"shape": ["duel"]}, ["shape", "['duel']", "duel, team"]),
    "a shape too small": ({"scenario": "brawl", "shape": "duel"}, ["shape", "'duel'", "2 enemies and 1 allies"]),
    "memory": ({"memory": 9}, ["memory", "9", "0, 1, 2, 3, 4, 5, 6, 7, 8"]),
    "memory below zero": ({"memory": -1}, ["memory", "-1", "0, 1"]),
    "memory of a truth": ({"memory": True}, ["memory", "True", "0, 1"]),
    "memory of a fraction": ({"memory": 2.5}, ["memory", "2.5", "0, 1"]),
    "reward": ({"reward": "gold"}, ["reward", "'gold'", "win, hp_margin, hp_change"]),
    "max_cycles": ({"max_cycles": 0}, ["max_cycles", "0", "a whole number from 1"]),
    "max_cycles of a fraction": ({"max_cycles": 1.5}, ["max_cycles", "1.5", "a whole number from 1"]),
    "max_cycles without end": ({"max_cycles": 2**40}, ["max_cycles", str(2**40), "a whole number from 1"]),
    "rules": ({"rules": {"profile": "plane"}}, ["profile is 'plane'", "did you mean 'plain'", "full, levels or plain"]),
    "rules of no table": ({"rules": "plain"}, ["rules", "'plain'", "a table"]),
    "illegal": ({"illegal": "ignore"}, ["illegal", "'ignore'", "'fallback', 'raise'"]),
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


def test_a_bad_picture_is_one_sentence() -> None:
    refusal(HeartRushError, lambda: heart_rush_v0.parallel_env(render_mode="oil"), "render_mode", "'oil'", "'ansi'")


# -- while it is fought: nothing is lost -------------------------------------------------------------------------------


def begun(scenario: Any = "duel", steps: int = 0, **settings: Any) -> Any:
    """An environment in the middle of a fight."""
    env = heart_rush_v0.parallel_env(scenario, render_mode="ansi", **settings)
    env.reset(seed=7)
    for step in range(steps):
        go_on(env, step)
    return env


def go_on(env: Any, step: int = 0) -> Any:
    """Play a window of legal actions that the step's number settles."""
    masks = env._batch.masks[0]
    rng = np.random.default_rng(step)
    actions = {agent: int(rng.choice(np.flatnonzero(mask))) for agent, mask in zip(env.agents, masks, strict=True)}
    return env.step(actions)


def everything(env: Any) -> Any:
    """All that can be read from an environment."""
    batch = env._batch
    arrays = (
        batch.observations,
        batch.masks,
        batch.rewards,
        batch.illegal,
        batch.out,
        batch.terminated,
        batch.truncated,
    )
    shown = [array.tobytes() for array in arrays]
    return shown, env.snapshot(), env.events, env.render(), env.state().tobytes(), env.agents, env.key


def loses_nothing(env: Any, error: type[HeartRushError], call: Callable[[], Any], *parts: str) -> None:
    """The call is refused in a sentence; the fight then stands where it stood, and goes on as its copy does."""
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


@pytest.mark.parametrize(
    ("action", "parts"),
    [
        ("attack 1", ["knight_0", "'attack 1'", "stance might, stance agility, stance cunning, stance defensive"]),
        ("pass", ["knight_0", "'pass'", "stance might, stance agility, stance cunning, stance defensive"]),
        (None, ["knight_0", "nothing", "stance might, stance agility, stance cunning, stance defensive"]),
    ],
)
@pytest.mark.parametrize("mentioned", [True, False])
def test_a_masked_or_missing_action_loses_nothing(action: str | None, parts: list[str], mentioned: bool) -> None:
    env = begun(illegal="raise")
    names = env.get_action_meanings()
    actions = dict.fromkeys(env.agents, names.index("stance might"))
    actions["knight_0"] = None if action is None else names.index(action)
    if action is None and not mentioned:
        del actions["knight_0"]
    loses_nothing(env, IllegalAction, lambda: env.step(actions), *parts)


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
    """Both burn and neither may choose, so that dice are rolled before the first window."""
    burning = {"burning": 1, "incapacitated": 1}
    env = begun(
        fight(fighter(conditions=burning), fighter(team="red", conditions=burning), rules={"windows_per_round": 0})
    )
    loses_nothing(env, DiceError, lambda: env.reset(seed=8, options={"dice": [9]}), "9", "d6", "1 to 6")


def test_a_die_too_large_for_its_roll_loses_nothing() -> None:
    env = begun("duel", decisions="stance")
    stances = dict.fromkeys(env.agents, env.get_action_meanings().index("stance might"))
    env.reset(seed=7, options={"dice": [1, 1, 20, 1]})  # the duelist rolls first: d10, d6 and the shortsword's d8
    before = everything(env)
    for _ in range(2):
        refusal(DiceError, lambda: env.step(stances), "20", "d8", "1 to 8")
        assert everything(env) == before


def test_a_die_too_large_can_be_put_right_by_another_reset() -> None:
    env = begun("duel", decisions="stance")
    stances = dict.fromkeys(env.agents, env.get_action_meanings().index("stance might"))
    env.reset(seed=7, options={"dice": [20]})
    refusal(DiceError, lambda: env.step(stances), "20 for a d")
    env.reset(seed=7)
    twin = begun("duel", decisions="stance")
    assert everything(env)[:2] == everything(twin)[:2]
    env.step(stances)


# -- snapshots ---------------------------------------------------------------------------------------------------------


def changed(place: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    """A change of a snapshot: at a place written with dots, put a value there (or what a function makes of the old)."""

    def change(snapshot: dict[str, Any]) -> Any:
        *way, last = [int(step) if step.isdecimal() else step for step in place.split(".")]
        inner: Any = snapshot
        for step in way:
            inner = inner[step]
        inner[last] = value(inner[last]) if callable(value) else value
        return snapshot

    return change


def dropped(place: str) -> Callable[[dict[str, Any]], Any]:
    def change(snapshot: dict[str, Any]) -> Any:
        *way, last = place.split(".")
        inner: Any = snapshot
        for step in way:
            inner = inner[int(step)] if step.isdecimal() else inner[step]
        del inner[last]
        return snapshot

    return change


KNIGHT = "position.position.fighters.0"
FRAMES = "position.position.frames"
PASSES = {"deed": 0, "target": -1, "detail": 0}


def declared(spot: Any) -> list[dict[str, Any]]:
    """The frames of a fight in which the hits of a declaration are answered."""
    return [
        {"flow": "whole fight", "at": "action phase"},
        {"flow": "action phase", "at": "declarations"},
        {"flow": "declarations", "at": "declaration", "spot": spot, "spot_end": 2},
        {"flow": "declaration", "at": "hits"},
        {"flow": "hits", "at": "shrug"},
    ]


TRIPPED = [
    *declared(0)[:3],
    {"flow": "declaration", "at": "dash"},
    {"flow": "dash", "at": "trips"},
    {"flow": "trips", "at": "opportunity"},
]
SNAPSHOTS: dict[str, tuple[Callable[[dict[str, Any]], Any], list[str]]] = {
    "nothing": (lambda snapshot: None, ["snapshot", "dict"]),
    "a list": (lambda snapshot: [snapshot], ["snapshot", "dict"]),
    "text": (lambda snapshot: json.dumps(snapshot), ["snapshot", "dict"]),
    "empty": (lambda snapshot: {}, ["snapshot", "position"]),
    "without seed": (dropped("seed"), ["snapshot", "seed"]),
    "without position": (dropped("position"), ["snapshot", "position"]),
    "without a position in it": (dropped("position.position"), ["snapshot", "position"]),
    "a position of text": (changed("position.position", "here"), ["position", "str", "object"]),
    "of another game": (changed("game", "chess"), ["chess", "heart_rush"]),
    "of another scenario": (changed("scenario", "brawl"), ["'brawl'", "'duel'"]),
    "of a scenario in two lines": (changed("scenario", "brawl\nduel"), ["brawl", "'duel'"]),
    "of a game in two lines": (changed("game", "heart\nrush"), ["heart", "'duel'"]),
    "of another digest": (changed("position.digest", "0" * 32), ["snapshot", "another scenario"]),
    "of an older version": (changed("position.version", 1), ["version 1", "allowed: 3"]),
    "of another format": (changed("position.format", "fen"), ["format", "heartrush-position"]),
    "a seed of text": (changed("seed", "seven"), ["seed", "'seven'", "whole number"]),
    "a seed below zero": (changed("seed", -1), ["seed", "-1"]),
    "a seed too large": (changed("seed", 2**70), ["seed", str(2**70)]),
    "a fight below zero": (changed("fight", -5), ["fight", "-5"]),
    "a field too few": (dropped("position.position.round_number"), ["position", "'round_number'"]),
    "a field too many": (changed("position.position.weather", "rain"), ["position", "'weather'"]),
    "a field that is a number": (lambda s: s["position"]["position"].update({7: 7}) or s, ["position", "7"]),
    "a fighter too few": (changed("position.position.fighters", lambda all_: all_[:-1]), ["fighters", "list of 2"]),
    "a fighter too many": (changed("position.position.fighters", lambda all_: 2 * all_), ["fighters", "list of 2"]),
    "a fighter's field too few": (dropped(f"{KNIGHT}.hp"), ["fighters[0]", "'hp'"]),
    "hit points of text": (changed(f"{KNIGHT}.hp", "many"), ["fighters[0].hp", "'many'", "whole number"]),
    "hit points of minus signs": (changed(f"{KNIGHT}.hp", "--5"), ["fighters[0].hp", "'--5'", "whole number"]),
    "half a hit point": (changed(f"{KNIGHT}.hp", 31.5), ["fighters[0].hp", "31.5", "whole number"]),
    "a truth for hit points": (changed(f"{KNIGHT}.hp", True), ["fighters[0].hp", "True", "whole number"]),
    "hit points beyond all numbers": (changed(f"{KNIGHT}.hp", 10**30), ["fighters[0].hp", "32767"]),
    "hit points above the maximum": (changed(f"{KNIGHT}.hp", 41), ["fighters[0].hp", "at most 40 (hp_max)", "got 41"]),
    "a dead man standing": (changed(f"{KNIGHT}.hp", -40), ["fighter 0", "hit points", "lives"]),
    "no truth": (changed(f"{KNIGHT}.action", 1), ["fighters[0].action", "1", "true or false"]),
    "no number": (changed("position.position.margin.0", math.nan), ["margin[0]", "nan", "number"]),
    "a number without end": (changed("position.position.margin.0", math.inf), ["margin[0]", "inf", "number"]),
    "a number too large for its field": (changed("position.position.margin.0", 1e300), ["margin[0]", "number"]),
    "a number of 400 digits": (changed("position.position.margin.0", 10**400), ["margin[0]", "number"]),
    "a lead of more than all": (changed("position.position.margin.0", 7.5), ["margin[0]", "at most 1.0", "got 7.5"]),
    "a heart die of seven": (changed(f"{KNIGHT}.heart", 7), ["fighters[0].heart", "4, 6, 8, 10, 12 or 20", "got 7"]),
    "a heart die too large": (changed(f"{KNIGHT}.heart", 20), ["fighters[0].heart", "at most 8 (heart_max)", "got 20"]),
    "another's dice": (changed(f"{KNIGHT}.ability.0", 12), ["fighters[0].ability[0]", "8, as at the start", "got 12"]),
    "another's team": (changed(f"{KNIGHT}.team", 1), ["fighters[0].team", "0, as at the start", "got 1"]),
    "more levels than there are": (changed(f"{KNIGHT}.levels.0", 6), ["fighters[0].levels[0]", "at most 5", "got 6"]),
    "levels that are not marked": (changed(f"{KNIGHT}.levels.0", 2), ["fighter 0", "dazed"]),
    "a mark without levels": (changed(f"{KNIGHT}.afflicted", 1), ["fighter 0", "dazed"]),
    "a grapple of one": (changed(f"{KNIGHT}.grappling", 1), ["fighter 0", "grappling"]),
    "a stance that there is not": (changed(f"{KNIGHT}.stance", 5), ["fighters[0].stance", "at most 4", "got 5"]),
    "a choice that there is not": (changed(f"{KNIGHT}.deed", 99), ["fighter 0", "choice"]),
    "a detail that there is not": (changed(f"{KNIGHT}.detail", 100), ["fighter 0", "choice"]),
    "a target that there is not": (changed(f"{KNIGHT}.target", 7), ["fighter 0", "choice"]),
    "a count below zero": (changed(f"{KNIGHT}.wounds", -1), ["fighters[0].wounds", "at least 0", "got -1"]),
    "a window that there is not": (changed("position.position.window", 30), ["window"]),
    "another window than the round's": (changed("position.position.window", 7), ["window"]),
    "another place than the window's": (changed(f"{FRAMES}.1.at", "start"), ["window"]),
    "a flow that there is not": (changed(f"{FRAMES}.1.flow", "dance"), ["'dance'", "engagement"]),
    "a place that there is not": (changed(f"{FRAMES}.1.at", "dance"), ["engagement", "'dance'", "stance"]),
    "a flow that nothing calls": (changed(f"{FRAMES}.0.at", "action phase"), ["'engagement'", "'action phase'"]),
    "a place without its flow": (changed(FRAMES, lambda frames: frames[:-1]), ["below 'engagement'"]),
    "no places": (changed(FRAMES, {}), ["position.frames", "{}", "list"]),
    "a place of text": (changed(f"{FRAMES}.1", "action"), ["position.frames", "str", "object"]),
    "a number that no place keeps": (changed(f"{FRAMES}.1.spot", 0), ["engagement", "'spot'"]),
    "places only maps have": (changed(FRAMES, TRIPPED), ["window"]),
    "a fighter's turn that is nobody's": (
        lambda s: changed("position.position.window", 7)(changed(FRAMES, declared(2))(s)),
        ["place of the round", "unknown fighter"],
    ),
    "a turn that is no number": (changed(FRAMES, declared("first")), ["spot 'first'", "-32768 to"]),
    "choices kept for no window": (changed("position.position.kept", [[PASSES, PASSES]]), ["kept"]),
    "choices kept for one of two": (changed("position.position.kept", [[PASSES]]), ["kept", "2 in each"]),
    "choices that are none": (changed("position.position.kept", [3]), ["kept", "lists of choices"]),
    "a choice kept without its target": (changed("position.position.kept", [[{}, PASSES]]), ["kept[0][0]", "'deed'"]),
    "an ending in the middle": (changed("position.position.ending", 1), ["ending"]),
    "a winner in the middle": (changed("position.position.winner", 0), ["winner"]),
    "a round beyond the cap": (changed("position.position.round_number", 201), ["200 (rules.max_rounds)", "got 201"]),
    "steps below zero": (changed("position.position.step_count", -1), ["step_count", "at least 0", "got -1"]),
    "a position's seed below zero": (changed("position.position.seed", -7), ["position.seed", "at least 0", "got -7"]),
    "an order of one": (changed("position.position.base_order", [0] * 2), ["order"]),
    "other settings": (changed("position.position.rules.levels", False), ["rules.levels", "True, as at the start"]),
    "other options": (changed("position.position.full_decisions", False), ["full_decisions", "as at the start"]),
    "more hits than there are": (changed("position.position.hit_count", 40), ["hit_count", "0 to 8", "got 40"]),
    "a given die of nothing": (changed("position.position.given_count", 1), ["given[0]", "at least 1", "got 0"]),
    "more dice used than given": (changed("position.position.given_used", 1), ["given_used", "0 (given_count)"]),
    "a die that was too large": (changed("position.position.bad_die", 9), ["bad_die", "at most 0", "got 9"]),
    "nobody asked": (
        lambda s: changed("position.position.fighters.1.pending", False)(changed(f"{KNIGHT}.pending", False)(s)),
        ["no fighter is asked"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SNAPSHOTS)
def test_a_broken_snapshot_is_refused_and_loses_nothing(case: str) -> None:
    env = begun(steps=1)
    change, parts = SNAPSHOTS[case]
    other = begun()
    broken = change(other.snapshot())
    loses_nothing(env, SnapshotError, lambda: env.restore(broken), *parts)


@pytest.mark.parametrize(
    "settings",
    [
        {"scenario": "mirror_duel"},
        {"rules": {"talk": "open"}},
        {"decisions": "stance"},
        {"control": "team"},
        {"shape": "team"},
    ],
    ids=str,
)
def test_a_snapshot_of_another_table_is_refused(settings: dict[str, Any]) -> None:
    env = begun(steps=2)
    loses_nothing(env, SnapshotError, lambda: env.restore(begun(**settings).snapshot()), "snapshot")


def test_a_snapshot_that_is_whole_is_taken() -> None:
    env, other = begun(steps=3), begun()
    other.restore(json.loads(json.dumps(env.snapshot())))
    assert everything(other)[1] == everything(env)[1]


def test_doors_that_are_not_open_yet_say_so() -> None:
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
