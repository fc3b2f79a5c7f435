"""Bad scenarios are answered with all their faults at once, one sentence each."""

from typing import Any

import pytest

from heartrush_env.games.heretics.scenario import READER
from heartrush_env.tabletop.errors import ScenarioError


def faults(red: dict[str, Any] | None = None, **more: Any) -> list[str]:
    """Return the faults of a scenario of two fighters side by side on a map, with some changes."""
    blue = {"id": "ann", "team": "blue", "at": [0, 0]}
    fighters = [blue, {"id": "bob", "team": "red", "at": [1, 0], **(red or {})}]
    with pytest.raises(ScenarioError) as refused:
        READER.read({"fighter": fighters, "battlefield": {"map": ["..."]}, **more}, {})
    return [str(fault) for fault in getattr(refused.value, "faults", ()) or [refused.value]]


@pytest.mark.parametrize(
    ("red", "said"),
    [
        (
            {"hp": 3, "hp_now": 5, "flesh": 4},
            ["hp_now: expected at most 3, got 5.", "flesh: expected at most 3, got 4."],
        ),
        ({"str": -3, "inventory": ["dagger"] * 8}, ["inventory: expected at most 7 items, got 8."]),
        ({"held": "bow", "shield": True}, ["expected a weapon for one hand beside a shield, got 'bow' for two."]),
        (
            {"on_hit": {"save": "str", "number": 3, "condition": "blind"}, "held": "bow", "shield": True},
            [
                "on_hit: expected a natural weapon beside it, got a fighter without one.",
                "expected a weapon for one hand beside a shield, got 'bow' for two.",
            ],
        ),
    ],
)
def test_a_fighter_whose_figures_do_not_fit_is_refused(red: dict[str, Any], said: list[str]) -> None:
    assert faults(red) == [f"scenario, fighter 2: {sentence}" for sentence in said]


def test_an_effect_of_hits_needs_all_its_parts() -> None:
    found = faults({"natural": 6, "on_hit": {"save": "str"}})
    assert found == ["scenario, fighter 2, on_hit: expected number, got a table without it."]


def test_what_does_not_fit_the_whole_scenario_is_told_at_once() -> None:
    field = {"map": ["..."], "exits": [[3, 0]]}
    assert faults({"commander": "ann"}, heroes="green", surprise="never", battlefield=field) == [
        "scenario: bob_0: expected a commander for a retainer, and for no other role.",
        "scenario, battlefield: exits: expected squares on the map, got [3, 0].",
        "scenario: surprise: expected roll, none, blue or red, got 'never'.",
        "scenario: heroes: expected blue or red, got 'green'.",
    ]


def test_exits_of_a_bad_map_leave_the_fault_of_the_map_alone() -> None:
    found = faults(battlefield={"map": ["...", ".."], "exits": [[0, 0]]})
    assert len(found) == 1 and found[0].startswith("scenario, battlefield: map: expected 3 squares in row 1")


@pytest.mark.parametrize(("at", "more"), [([2, 0], {}), ([1, 0], {"objective": {"kind": "hold"}})])
def test_beats_are_for_two_who_stand_side_by_side_without_an_objective(at: list[int], more: dict[str, Any]) -> None:
    apart = "scenario: mode: expected two fighters in adjacent squares for beats, got two that are not adjacent."
    aimed = "scenario, objective: expected none beside the mode beats, got hold."
    assert faults({"at": at}, mode="beats", **more) == [aimed if more else apart]


@pytest.mark.parametrize(
    ("objective", "said"),
    [
        ({"kind": "hold"}, "expected team, got a table without it."),
        ({"kind": "hold", "team": "green", "count": 2}, "team: expected a team of the scenario, got 'green'."),
        (
            {"kind": "escape", "team": "red", "count": 2},
            "expected a map and a count of at most 1 for an escape, got 2.",
        ),
    ],
)
def test_an_objective_that_no_side_can_reach_is_refused(objective: dict[str, Any], said: str) -> None:
    assert faults(objective=objective)[0].removeprefix("scenario, objective").lstrip(": ") == said


def test_there_is_a_bit_for_each_of_eight_tags_of_fear() -> None:
    tags = [f"fear_of_{letter}" for letter in "abcdefghi"]
    assert faults({"fears": tags}) == ["scenario: expected at most 8 tags of fear, got 9."]
