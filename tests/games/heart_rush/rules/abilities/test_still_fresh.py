"""Still Fresh: impairments fade sooner with a full heart die."""

import pytest

from tests.games.heart_rush.rules.table import Fields, Table, strike

pytestmark = pytest.mark.heading("Still Fresh")
IMPAIRED = {"dazed": 3, "off_balanced": 4, "weakened": 5}


def next_round(owner: Fields) -> dict[str, int]:
    """Return the conditions of the knight at the start of the second round."""
    return Table({"knight": owner, "rogue": {}}).finish_round().conditions("knight")


@pytest.mark.heading("Fading")
def test_two_levels_fade_each_round() -> None:
    conditions = {**IMPAIRED, "shaken": 3}
    faded = {"dazed": 1, "off_balanced": 2, "weakened": 3, "shaken": 2}  # being shaken is not one of the three
    assert next_round({"talents": ["still_fresh"], "conditions": conditions}) == faded


def test_with_a_smaller_heart_die_they_fade_as_usual() -> None:
    owner = {"talents": ["still_fresh"], "conditions": IMPAIRED, "heart": 10, "heart_now": 8}
    assert next_round(owner) == {"dazed": 2, "off_balanced": 3, "weakened": 4}


def after_rider(rogue: Fields, levels: str) -> list[int]:
    """Return the rogue's first new levels of weakened and off-balanced by a cunning attack that names these levels."""
    dice, choice = [(1, 1, 1), (8, 6)], f"attack 1 {levels}"
    table = strike({}, rogue, stance="cunning", against="agility", dice=dice, choice=choice)
    return [level for name in ("weakened", "off_balanced") for level in table.history("rogue", name)[:1]]


@pytest.mark.parametrize("levels", ["dazed+off_balanced", "weakened+weakened"])
def test_of_destiny_enemies_cannot_give_them(levels: str) -> None:
    assert after_rider({"destiny_talents": ["still_fresh"]}, levels) == []


@pytest.mark.parametrize(
    "rogue", [{"talents": ["still_fresh"]}, {"destiny_talents": ["still_fresh"], "heart": 10, "heart_now": 8}]
)
def test_the_base_version_and_a_smaller_heart_die_do_not_prevent_them(rogue: Fields) -> None:
    assert after_rider(rogue, "off_balanced+weakened") == [1, 1]


def test_of_destiny_other_conditions_are_still_given() -> None:
    rogue = {"destiny_talents": ["still_fresh"]}
    # The contested check of a taunt: presence d6 and heart d8 against cunning d6 and heart d8.
    table = strike({}, rogue, stance="cunning", against="agility", dice=[(8, 6), (1, 1)], choice="taunt 1")
    assert table.conditions("rogue") == {"enraged": 1}
