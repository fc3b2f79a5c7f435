"""Last Stand: wounds make the owner hard to hit and give it rush points."""

import pytest

from tests.games.heart_rush.rules.table import Table, strike

pytestmark = pytest.mark.heading("Last Stand")


@pytest.mark.parametrize("field", ["talents", "destiny_talents"])
@pytest.mark.parametrize(("wounds", "flat"), [([10, 12], {"ability_bonus": 2}), ([], {})])
def test_each_wound_adds_to_defense(field: str, wounds: list[int], flat: dict[str, int]) -> None:
    table = strike({}, {field: ["last_stand"], "wounds": wounds}, dice=[(1, 1, 1), (3, 1)])
    assert (table.last("attack")["defense_flat"], table.rolls()) == (flat, (3, 4 + len(wounds)))


def test_each_new_wound_brings_a_rush_point_in_the_next_round() -> None:
    fighters = {"knight": {"talents": ["last_stand"]}, "rogue": {"heart": 12}, "fox": {"heart": 12, "agility": 8}}
    table = Table(fighters, [(12, 1, 1), (1, 1), (12, 1, 1), (1, 1)])
    points = []
    table.engage(knight="might", rogue="agility: attack 1", fox="agility: attack 1")
    for _ in range(2):
        table.finish_round()
        points.append(table.fighter("knight")["rush"])
    assert points == [1 + 2, 1]  # one active round and two wounds, then one active round


def test_wounds_of_others_bring_nothing() -> None:
    table = strike({"talents": ["last_stand"], "heart": 12}, {}, dice=[(12, 1, 1), (1, 1)])
    assert (table.fighter("rogue")["wounds"], table.fighter("knight")["rush"]) == (12, 1)
