"""Committed Blows: more dice against the stance that the owner's beats, fewer against the stance that beats it."""

import pytest

from tests.games.heart_rush.rules.table import strike

pytestmark = pytest.mark.heading("Committed Blows")
VERSIONS = pytest.mark.parametrize(("field", "number"), [("talents", 1), ("destiny_talents", 2)])


@VERSIONS
def test_an_attack_on_a_beaten_stance_has_more_dice(field: str, number: int) -> None:
    table = strike({field: ["committed_blows"]}, dice=[(3, 2, 4), (5,) * number, (1, 2)])
    assert table.rolls() == (9 + 5 * number, 3)
    assert table.last("attack")["attack_pool"][3:] == [["bonus", 6, 5]] * number


@VERSIONS
def test_a_defense_against_a_stance_that_beats_its_own_has_less(field: str, number: int) -> None:
    table = strike({}, {field: ["committed_blows"], "armor": "light"}, dice=[(3, 2, 4), (6, 5), (4,) * number])
    assert table.rolls() == (9, 13 - 4 * number)
    assert table.last("attack")["defense_flat"] == {"armor": 2, "ability_bonus": -4 * number}
    assert table.hp("rogue") == 40 - max(0, 9 - 13 + 4 * number)


@pytest.mark.parametrize("against", ["might", "defensive"])
def test_a_stance_that_is_not_beaten_changes_nothing(against: str) -> None:
    dice = [(3, 2, 4), (1, 2, 1)] if against == "might" else [(3, 2, 4), (1, 2)]  # in might both roll attacks
    owner = {"talents": ["committed_blows"]}
    assert strike(owner, owner, against=against, dice=dice).rolls() == (9, 4 if against == "might" else 3)
