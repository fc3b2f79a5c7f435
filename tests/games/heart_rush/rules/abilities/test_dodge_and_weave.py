"""Dodge and Weave: sidesteps add to the next defense roll."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Table

pytestmark = pytest.mark.heading("Dodge and Weave")
FIELD = "..... FKR.. ....."


def stepped(field: str, steps: int, dice: Dice) -> Table:
    """Let the knight sidestep around the rogue: first for its action, then for a rush point."""
    table = on_map(FIELD, {"knight": {field: ["dodge_and_weave"], "rush": 1}, "rogue": {"agility": 8}, "fox": {}}, dice)
    for way in ("sidestep n", "sidestep s rush")[:steps]:
        table.play(knight=way)
    return table


@pytest.mark.parametrize(("field", "bonus"), [("talents", 2), ("destiny_talents", 5)])
@pytest.mark.parametrize("steps", [0, 1, 2])
def test_each_sidestep_adds_to_the_next_defense(field: str, bonus: int, steps: int) -> None:
    blow = [(1, 1, 1), (3, 1)]
    table = stepped(field, steps, [*blow, *blow])
    table.engage(knight="might", rogue="agility: attack 1", fox="agility: attack 1").finish_round()
    assert [event["defense_roll"] for event in table.events_of("attack")] == [4 + steps * bonus, 4]


def test_it_is_lost_with_the_round() -> None:
    table = stepped("talents", 1, [(1, 1, 1), (3, 1)])
    table.finish_round().engage(knight="might", rogue="agility: attack 1", fox="defensive").finish_round()
    assert table.rolls() == (3, 4)


@pytest.mark.parametrize(("way", "bonus"), [("rise", 2), ("stand", 0)])
def test_to_sidestep_to_its_feet_counts_with_and_without_a_map(way: str, bonus: int) -> None:
    knight = {"talents": ["dodge_and_weave"], "conditions": {"prone": 1}}
    table = Table({"knight": knight, "rogue": {}}, [(1, 1, 1), (3, 1)]).play(knight=way)
    table.engage(knight="might", rogue="agility: attack 1").finish_round()
    assert table.rolls() == (3, 4 + bonus)
