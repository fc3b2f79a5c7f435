"""Bloodlust: attacks on the wounded."""

import pytest

from tests.games.heart_rush.rules.table import strike

pytestmark = pytest.mark.heading("Bloodlust")
HURT = {"wounds": [10]}


@pytest.mark.parametrize(
    ("dice", "condition"),
    [({}, "weakened"), ({"agility": 8}, "off_balanced"), ({"cunning": 8, "agility": 8, "might": 4}, "off_balanced"),
     ({"cunning": 8}, "dazed")],
)  # fmt: skip
def test_a_wounded_enemy_loses_its_best(dice: dict[str, int], condition: str) -> None:
    table = strike({"talents": ["bloodlust"]}, {**HURT, **dice}, dice=[(1, 1, 1), (4, 4)])
    assert max(table.history("rogue", condition)) == 3


def test_the_wound_must_be_older_than_the_attack() -> None:
    table = strike({"talents": ["bloodlust"]}, {}, dice=[(8, 6, 8), (1, 1)])
    assert table.events_of("wound") != []
    assert table.conditions("rogue") == {}


@pytest.mark.parametrize(("field", "levels", "healed"), [("talents", 0, []), ("destiny_talents", 1, [4])])
def test_as_destiny_the_impaired_heal_their_hunter(field: str, levels: int, healed: list[int]) -> None:
    # With a level of advantage a d6 more, and the lowest goes.
    prey = {**HURT, "conditions": {"dazed": 1}}
    table = strike({field: ["bloodlust"], "hp_now": 20}, prey, dice=[(1, 2, 1), (6,) * levels, (4, 4)])
    assert (table.rolls(), [event["amount"] for event in table.events_of("heal")]) == ((4 + 5 * levels, 8), healed)
    assert max(table.history("rogue", "weakened")) == 3


@pytest.mark.parametrize("prey", [HURT, {"conditions": {"dazed": 1}}])
def test_it_takes_both_a_wound_and_a_condition(prey: dict) -> None:
    table = strike({"destiny_talents": ["bloodlust"], "hp_now": 20}, prey, dice=[(1, 2, 1), (4, 4)])
    assert (table.rolls(), table.events_of("heal")) == ((4, 8), [])
