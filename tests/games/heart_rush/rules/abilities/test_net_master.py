"""Net Master: nets that hold."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Net Master")
NET: Fields = {"entangled": {"levels": 1, "source": "knight"}}


def netted(field: str, dice: Dice, **rogue: object) -> Table:
    owner = {field: ["net_master"]} if field else {}
    return Table({"knight": owner, "rogue": {"conditions": NET, **rogue}}, dice)


# The knight's cunning and might numbers are 6: 6 + 2 to wriggle out, 6 + 4 + 2 to tear, 10 + 2 to cut.
# The captive is restrained 1, so one more die of the largest size is rolled and the highest result dropped.
@pytest.mark.parametrize(
    ("choice", "escapes", "holds"),
    [
        ("wriggle_free", (5, 3, 8), (5, 2, 8)),
        ("tear_free", (7, 5, 8), (7, 4, 8)),
        ("cut_free", (3, 4, 5, 0, 8), (3, 4, 4, 0, 8)),
    ],
)
@pytest.mark.parametrize("field", ["talents", ""])
def test_the_numbers_are_two_higher(choice: str, escapes: Dice, holds: Dice, field: str) -> None:
    blade = weapon(damage_type="slashing")
    for given, free in ((escapes, True), (holds, not field)):
        dice = [1 if die == 0 else die for die in given] if choice == "cut_free" else given
        if choice == "cut_free":
            dice = [dice[0], dice[1], dice[2] - 1, 1, 8]
        table = netted(field, dice, weapon=blade).play(rogue=choice)
        assert ("entangled" not in table.conditions("rogue")) is free


@pytest.mark.parametrize(("field", "dropped"), [("talents", 1), ("destiny_talents", 2)])
def test_as_destiny_the_net_restrains_by_two_levels(field: str, dropped: int) -> None:
    table = netted(field, [(1, 2, 3, *[8] * dropped), (1, 1)])
    table.engage(rogue="might: attack 1", knight="defensive")
    assert table.rolls() == (6, 2)


def test_levels_of_restrained_from_elsewhere_add_up() -> None:
    table = Table(
        {"knight": {"destiny_talents": ["net_master"]}, "rogue": {"conditions": {**NET, "restrained": 1}}},
        [(1, 2, 3, 8, 8, 8), (1, 1)],
    )
    table.engage(rogue="might: attack 1", knight="defensive")
    assert table.rolls() == (6, 2)
