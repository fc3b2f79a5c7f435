"""Iron Constitution: small hits are smaller, wounds of a lower rank."""

from __future__ import annotations

import pytest

from tests.rules.table import Table, strike

HEADING = "Talents > Iron Constitution"


def hit(field: str, damage: int, answer: str = "take") -> Table:
    """The rogue is hit for this damage, 19 or less, and answers it."""
    rogue = {field: ["iron_constitution"]}
    dice = [(8, min(6, damage - 7), damage - 8 - min(6, damage - 7) + 2), (1, 1)]
    return strike(
        {"weapon": {"size": "heavy", "attack_type": "melee", "damage_type": "none"}}, rogue, dice=dice, answer=answer
    )


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("field", "lost"), [("talents", 9 - 4), ("destiny_talents", 9 - 6)])
def test_a_hit_for_less_than_ten_is_smaller(field: str, lost: int) -> None:
    table = hit(field, 9)
    assert table.hp("rogue") == 40 - lost
    assert table.last("damage")["amount"] == lost


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize("field", ["talents", "destiny_talents"])
def test_a_hit_for_ten_is_not(field: str) -> None:
    assert hit(field, 10).hp("rogue") == 40 - 10


@pytest.mark.heading(HEADING)
def test_no_hit_heals() -> None:
    table = strike({}, {"talents": ["iron_constitution"]}, dice=[(1, 3, 1), (1, 1)])  # 5 - 2 = 3, less 4
    assert table.hp("rogue") == 40


@pytest.mark.heading(HEADING)
def test_damage_that_is_shrugged_off_below_ten_is_small() -> None:
    assert hit("talents", 13, "shrug").hp("rogue") == 40 - (7 - 4)  # half of 13 is 7


@pytest.mark.heading(HEADING)
@pytest.mark.parametrize(("field", "rank"), [("talents", 14), ("destiny_talents", 14 - 5)])
def test_of_destiny_a_wound_is_five_ranks_lower(field: str, rank: int) -> None:
    table = hit(field, 14)
    assert (table.hp("rogue"), table.fighter("rogue")["wounds"]) == (40 - 14, rank)
    assert table.last("wound")["rank"] == rank
