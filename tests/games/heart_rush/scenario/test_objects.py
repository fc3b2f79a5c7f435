"""Objects in scenario files: what may be written, and the messages about what may not."""

from typing import Any

import pytest

from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.tables import scenario_table
from heartrush_env.tabletop.errors import ScenarioError

LOCK = {"at": [2, 1], "effect": "open", "check": "cunning", "number": 9}
PILLAR = {"at": [3, 1], "effect": "collapse", "save": 12, "damage": "2d6", "squares": 3}
RACK = {"at": [0, 0], "effect": "drop", "item": "halberd", "cost": "interaction", "name": "the rack"}


def hall(*objects: dict[str, Any], **more: Any) -> dict[str, Any]:
    fighters = [{"from": "knight", "team": "blue", "at": [1, 1]}, {"from": "rogue", "team": "red", "at": [5, 1]}]
    return {
        "name": "hall", "fighter": fighters, "battlefield": {"map": ["......"] * 3}, "object": list(objects), **more,
    }  # fmt: skip


def test_objects_have_defaults() -> None:
    lock, pillar, rack = load_scenario(hall(LOCK, PILLAR, RACK)).objects
    assert (lock.name, lock.cost, lock.check, lock.number, lock.item) == ("object 1", "action", "cunning", 9, None)
    assert (pillar.check, pillar.squares, pillar.save, pillar.dice, pillar.die) == (None, 3, 12, 2, 6)
    assert rack.name == "the rack" and rack.cost == "interaction"
    assert rack.item is not None and rack.item.id == "halberd"


def test_a_scenario_with_objects_is_written_out_and_read_again() -> None:
    scenario = load_scenario(hall(LOCK, PILLAR, {**RACK, "item": {"size": "light", "attack_type": "melee"}}))
    assert load_scenario(scenario_table(scenario)) == scenario


def test_the_digest_hears_what_objects_do_and_not_their_names() -> None:
    digest = load_scenario(hall(RACK)).digest
    assert load_scenario(hall({**RACK, "name": "the shelf"})).digest == digest
    assert load_scenario(hall({**RACK, "cost": "action"})).digest != digest
    assert load_scenario(hall()).digest != digest


@pytest.mark.parametrize(
    ("objects", "said"),
    [
        ([{**LOCK, "effect": "explode"}],
         ["object 1: effect: expected", "got 'explode'", "expected open, collapse or drop"]),
        ([{"effect": "open"}], ["object 1: at is missing", "[column, row]"]),
        ([{**LOCK, "at": [6, 0]}], ["got [6, 0]", "object 1: at: expected columns 0 to 5 and rows 0 to 2"]),
        ([{**LOCK, "at": "door"}], ["object 1: at: expected", "got 'door'", "[column, row]"]),
        ([{**LOCK, "cost": "rush"}], ["object 1: cost: expected", "got 'rush'", "interaction or action"]),
        ([{**LOCK, "check": "heart"}],
         ["object 1: check: expected", "got 'heart'", "might, agility, cunning or presence"]),
        ([{**LOCK, "number": 0}], ["object 1: number: expected", "got 0", "a whole number from 1 to 40"]),
        ([{"at": [2, 1], "effect": "open", "check": "might"}], ["object 1: number is missing", "from 1 to 40"]),
        ([{"at": [2, 1], "effect": "open", "number": 9}], ["object 1: check is missing", "might, agility"]),
        ([{**LOCK, "save": 9}], ["object 1: save: expected only with effect collapse, got effect 'open'"]),
        ([{**PILLAR, "item": "halberd"}],
         ["object 1: item: expected only with effect open or drop, got effect 'collapse'"]),
        ([{**PILLAR, "damage": "2d7"}], ["object 1: damage: expected", "got '2d7'", "dice of one kind (d4, d6"]),
        ([{**PILLAR, "damage": "0d6"}], ["object 1: damage: expected", "got '0d6'", "1 to 9 dice"]),
        ([{**PILLAR, "squares": 9}], ["object 1: squares: expected", "got 9", "a whole number from 0 to 8"]),
        ([{"at": [2, 1], "effect": "collapse", "save": 9}], ["object 1: damage is missing", "as in 2d6"]),
        ([{"at": [2, 1], "effect": "drop"}], ["object 1: item is missing"]),
        ([{**RACK, "item": "halbert"}], ["object 1: item: expected", "got 'halbert'", "did you mean 'halberd'"]),
        ([LOCK, {**PILLAR, "at": [2, 1]}], ["object 2: at: expected a square without an earlier object, got [2, 1]"]),
        ([RACK, {**RACK, "at": [1, 0]}],
         ["object 2: name: expected a name that no earlier object has, got 'the rack'"]),
        ([{**LOCK, "colour": "red"}], ["object 1", "colour"]),
        ([{**LOCK, "at": [k, 0]} for k in range(6)] + [LOCK], ["expected at most 6 objects, got 7"]),
    ],
)  # fmt: skip
def test_a_wrong_object_is_answered_with_its_place_and_what_is_allowed(
    objects: list[dict[str, Any]], said: list[str]
) -> None:
    with pytest.raises(ScenarioError) as found:
        load_scenario(hall(*objects))
    for part in said:
        assert part in str(found.value), str(found.value)
    assert "\n" not in str(found.value)


def test_objects_need_a_map() -> None:
    without = {key: value for key, value in hall(LOCK).items() if key != "battlefield"}
    for fighter in without["fighter"]:
        del fighter["at"]
    with pytest.raises(ScenarioError, match=r"object is given, but there is no \[battlefield\] to put it on"):
        load_scenario(without)


def test_a_door_that_only_a_lock_opens_shuts_nobody_out(recwarn: pytest.WarningsRecorder) -> None:
    walls = {"map": ["..#...", "..+...", "..#..."]}
    load_scenario(hall(LOCK, battlefield=walls))
    load_scenario(hall({**LOCK, "effect": "open"}, battlefield={"map": ["..#...", "..#...", "..#..."]}))
    assert not recwarn.list


@pytest.mark.long
def test_the_example_with_objects_is_played() -> None:
    import numpy as np

    from heartrush_env.games.heart_rush.game import HeartRush

    game = HeartRush("examples/vault.toml")
    fights = game.batch(1, record=True)
    fights.start([0], 1, [0])
    rng = np.random.default_rng(1)
    seen: set[str] = set()
    for _ in range(60):
        names = [[game.action_names[action] for action in fights.legal(0, seat)] for seat in range(4)]
        wanted = [[name for name in legal if name.startswith(("object", "swap"))] or legal for legal in names]
        fights.step(np.array([[game.action_names.index(rng.choice(legal)) for legal in wanted]]))
        seen |= {event["effect"] for event in fights.events(0) if event["type"] == "object"}
        assert fights.faults(0) == []
    assert {"open", "take"} <= seen
