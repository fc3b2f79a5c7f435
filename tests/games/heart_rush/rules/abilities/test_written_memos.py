"""Memos of positions that someone has written: they may hold any number, also one that names no fighter."""

import pytest

from tests.games.heart_rush.rules.table import Table


@pytest.mark.parametrize(
    ("talent", "memo"),
    [
        ("body_shield", 31),  # the creature with index 30
        ("whipmaster", 256 + 32 + 31),  # of round 1: one level for the creature with index 30
        ("whispers_of_madness", 1024 + 16 + 15),  # of round 1: one use, on the creature with index 15
        ("gambit", 7),  # the stance with index 6
        ("provoking_strike", 256 + 200),  # of round 1: the stance with index 199
    ],
)
def test_a_memo_that_names_what_there_is_not_does_nothing(talent: str, memo: int) -> None:
    field = "destiny_talents" if talent == "whispers_of_madness" else "talents"
    table = Table({"knight": {field: [talent]}, "rogue": {}}, [(1, 2, 8), (1, 1)])
    table._fights._fights[0].fighters[0].memos[0] = memo
    table.engage(rogue="might: attack 1").finish_round()
    assert (table.round, table.conditions("rogue")) == (2, {})
