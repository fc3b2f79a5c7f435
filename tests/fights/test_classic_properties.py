"""Properties of every fight by the classic round, over random scenarios, random settings and random legal play."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from heartrush_env.games.heart_rush.game import HeartRush
from tests.fights.test_properties import assert_pending_choices_are_secret
from tests.notation import line_of
from tests.random_play import FEW_FIGHTS, FIGHTS, SEEDS, positions, random_game
from tests.reference.map_scenarios import brawl_scenario
from tests.reference.scenarios import random_scenario

CLASSIC = {"edition": "classic"}
IN_ENGAGEMENTS = ("attack", "follow_up")

State = dict[str, Any]
Step = tuple[State, list[State], State]


def brawl(seed: int) -> HeartRush:
    return HeartRush(brawl_scenario(random.Random(seed)), CLASSIC)


LONG_BRAWL = pytest.param(brawl, marks=pytest.mark.long)


def off_maps(seed: int) -> HeartRush:
    return random_game(seed, rules=CLASSIC)


def steps(game: HeartRush, seed: int) -> Iterator[Step]:
    """Yield the steps of a random fight: the public state before, the events, and the public state after."""
    before: State = {"round": 0}
    for fights in positions(game, seed):
        after = fights.describe(0)
        yield before, fights.events(0), after
        before = after


@FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("game", [off_maps, LONG_BRAWL])
def test_only_those_in_an_engagement_strike_and_are_struck_in_it(game: Any, seed: int) -> None:
    for before, events, _ in steps(game(seed), seed):
        joined = set(before["turns"]["joined"]) if before["round"] else set()
        for event in events:
            if event["type"] == "declare" and event["action"] == "engage":
                joined = {event["fighter"], event["target"]}
            elif event["type"] == "declare" and event["action"] == "enter":
                joined.add(event["fighter"])
            elif event["type"] == "reveal":
                assert set(event["stances"]) <= joined
            elif event["type"] == "maneuver":
                assert {event["fighter"], event["target"]} <= joined
            elif event["type"] == "attack" and event["cause"] in IN_ENGAGEMENTS:
                assert {event["attacker"], event["target"]} <= joined


@FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("game", [off_maps, LONG_BRAWL])
def test_nobody_acts_without_priority_and_a_turn_is_one_declaration(game: Any, seed: int) -> None:
    for before, events, _ in steps(game(seed), seed):
        declared = [e for e in events if e["type"] in ("declare", "fizzle") and e["action"] != "enter"]
        if before.get("window") == "action":
            team = before["turns"]["priority"]
            assert len(declared) <= 1 and all(before["fighters"][e["fighter"]]["team"] == team for e in declared)
        else:
            assert all(e["action"] == "opportunity" and before["window"] == "opportunity" for e in declared)


@FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("game", [off_maps, LONG_BRAWL])
def test_nobody_spends_more_than_one_action_a_round(game: Any, seed: int) -> None:
    for before, _, after in steps(game(seed), seed):
        for agent, fighter in after["fighters"].items():
            assert before["round"] < after["round"] or before["fighters"][agent]["action"] >= fighter["action"]


@FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("game", [off_maps, LONG_BRAWL])
def test_a_round_is_over_when_all_sides_have_passed_in_a_row(game: Any, seed: int) -> None:
    played = game(seed)
    sides, passed, begun = len(played.scenario.teams), 0, False
    for _, events, after in steps(played, seed):
        for event in events:
            if event["type"] in ("round", "end"):
                assert passed == sides or not begun
                passed, begun = 0, True
            elif event["type"] == "declare":
                passed = 0
            elif event["type"] == "priority":
                passed += event["cause"] == "passed"
        assert passed <= sides
        assert after["window"] == "over" or after["turns"]["passed"] == passed


@FIGHTS
@given(SEEDS)
def test_every_die_that_is_rolled_is_told(seed: int) -> None:
    """Without conditions, dice are only for priority, timing, attacks and defenses; help adds a die to a roll.

    Fighters that tie for timing roll two dice each again, and the event shows only their last roll.
    """
    scenario = random_scenario(random.Random(seed))
    for fighter in scenario["fighter"]:
        fighter.pop("conditions", None)
    game = HeartRush({**scenario, "rules": {**CLASSIC, "levels": False, "conditions": False}})
    before, drawn = {}, 0
    for fights in positions(game, seed):
        told, tied = 0, False
        for event in fights.events(0):
            if event["type"] == "timing":
                tied = True
                told += 2 + before["fighters"][event["fighter"]]["helped"]
            elif event["type"] == "attack":
                told += len(event["attack_dice"]) + len(event["defense_dice"])
            elif event["type"] == "priority":
                told += event["cause"] == "roll"
        more = int(fights._fights[0].draw) - drawn - told
        assert more == 0 or (tied and more > 0 and more % 2 == 0), fights.events(0)
        before, drawn = fights.describe(0), int(fights._fights[0].draw)


@FIGHTS
@given(SEEDS)
@pytest.mark.parametrize("game", [off_maps, LONG_BRAWL])
def test_no_step_leaves_a_fault_or_an_empty_window(game: Any, seed: int) -> None:
    for fights in positions(game(seed), seed):
        assert fights.faults(0) == [], line_of(fights)
        assert fights.terminated[0] or fights.masks[0].sum(axis=1).max() > 1, "somebody has a choice"


@FEW_FIGHTS
@given(SEEDS)
def test_stances_and_other_choices_do_not_show_before_all_are_in(seed: int) -> None:
    assert_pending_choices_are_secret(random_game(seed, rules=CLASSIC, control="team"), seed)


@FIGHTS
@given(SEEDS)
def test_stances_of_an_earlier_engagement_are_over(seed: int) -> None:
    for _, events, after in steps(off_maps(seed), seed):
        if after["window"] == "stance" or (after["window"] == "action" and events):
            assert {fighter["stance"] for fighter in after["fighters"].values()} == {None}
