"""The Orc Warrior: Savage."""

import pytest

from tests.games.heart_rush.rules.table import strike

OWNER = {"abilities": ["orc_warrior.savage"]}


@pytest.mark.heading("Savage")
@pytest.mark.parametrize(("against", "weakened"), [("cunning", [2]), ("defensive", [])])
def test_beating_a_stance_weakens_the_target_even_without_damage(against: str, weakened: list[int]) -> None:
    table = strike(OWNER, {}, against=against, dice=[(1, 1, 1), (8, 6)])
    assert (table.hp("rogue"), table.history("rogue", "weakened")[:1]) == (40, weakened)
