"""The Wolf: Hamstring."""

import pytest

from tests.games.heart_rush.rules.table import strike

pytestmark = pytest.mark.heading("Hamstring")
OWNER = {"abilities": ["wolf.hamstring"]}
MISS = [(1, 1, 1), (8, 6)]  # 3 against 14


@pytest.mark.parametrize(("stance", "against"), [("might", "cunning"), ("agility", "might"), ("cunning", "agility")])
def test_beating_a_stance_leaves_the_target_off_balanced_even_without_damage(stance: str, against: str) -> None:
    assert strike(OWNER, {}, stance=stance, against=against, dice=MISS).history("rogue", "off_balanced")[0] == 1


@pytest.mark.parametrize("against", ["defensive", "might"])
def test_a_stance_that_it_does_not_beat_is_safe(against: str) -> None:
    dice = MISS if against == "defensive" else [(1, 1, 1), (1, 1, 1)]
    assert strike(OWNER, {}, against=against, dice=dice).history("rogue", "off_balanced") == []
