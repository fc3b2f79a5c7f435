"""Bowl Over: a might attack that beats cunning knocks the target prone."""

import pytest

from tests.games.heart_rush.rules.table import strike

pytestmark = pytest.mark.heading("Bowl Over")
OWNER = {"abilities": ["bowl_over"]}
MISS = [(1, 1, 1), (8, 6)]  # 3 against 14


def test_a_might_attack_on_cunning_knocks_the_target_prone_even_without_damage() -> None:
    table = strike(OWNER, {}, dice=MISS)
    assert (table.hp("rogue"), table.conditions("rogue")) == (40, {"prone": 1})


@pytest.mark.parametrize(("stance", "against"), [("might", "defensive"), ("agility", "might")])
def test_another_stance_does_not(stance: str, against: str) -> None:
    assert strike(OWNER, {}, stance=stance, against=against, dice=MISS).conditions("rogue") == {}
