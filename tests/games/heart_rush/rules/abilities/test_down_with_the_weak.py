"""Down with the Weak: attacks on the weakened are stronger and weaken them more."""

import pytest

from tests.games.heart_rush.rules.table import strike

pytestmark = pytest.mark.heading("Down with the Weak")
WEAK = {"conditions": {"weakened": 1}}


@pytest.mark.parametrize(("field", "levels"), [("talents", 0), ("destiny_talents", 3)])
def test_an_attack_on_the_weakened_is_stronger_and_weakens_them(field: str, levels: int) -> None:
    # d8, d6 and d8, as destiny with three d6 of advantage that are the highest, then a d6. The weakened rogue defends
    # with a die more and drops the largest.
    table = strike({field: ["down_with_the_weak"]}, WEAK, dice=[(1, 1, 1), (6,) * levels, 5, (4, 4, 4)])
    assert table.rolls() == (8 if levels == 0 else 23, 8)
    assert table.last("attack")["attack_causes"] == ({"ability": 3} if levels else {})
    assert max(table.history("rogue", "weakened")) == 4  # 1 and 3


def test_others_are_neither() -> None:
    table = strike({"destiny_talents": ["down_with_the_weak"]}, {}, dice=[(1, 1, 1), (4, 4)])
    assert (table.rolls(), table.history("rogue", "weakened")) == ((3, 8), [])


def test_whom_the_attack_itself_weakens_was_not_weakened() -> None:
    owner, choice = {"talents": ["down_with_the_weak"]}, "attack 1 weakened+weakened"
    table = strike(owner, stance="cunning", against="agility", choice=choice, dice=[(1, 1, 1), (4, 4)])
    assert max(table.history("rogue", "weakened")) == 2
