"""Savage Attacker: harder collisions."""

import pytest

from heartrush_env.tabletop.errors import DiceError
from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table, weapon

pytestmark = pytest.mark.heading("Savage Attacker")
HEAVY = {"weapon": weapon("heavy")}


@pytest.mark.parametrize(
    ("owner", "dice", "damage"),
    [
        ({**HEAVY, "talents": ["savage_attacker"]}, (8, 7), 15),  # 2d8 against the wall
        ({**HEAVY, "destiny_talents": ["savage_attacker"]}, (10, 9), 19),
        ({"talents": ["savage_attacker"]}, (6, 5), 11),  # a light weapon
        (HEAVY, (6, 5), 11),
        ({**HEAVY, "talents": ["savage_attacker", "mighty"]}, (8, 7, 6, 5), 26),  # twenty feet
    ],
)
@pytest.mark.interplay("mighty", "savage_attacker")
def test_each_square_not_moved_is_a_larger_die(owner: dict[str, object], dice: tuple[int, ...], damage: int) -> None:
    table = on_map("KR#\n...", {"knight": owner, "rogue": {"wound_threshold": 0}}, [(1, 1, 1), (8, 6), dice])
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert table.hp("rogue") == 40 - damage


def test_the_base_version_has_no_larger_die() -> None:
    fighters = {"knight": {**HEAVY, "talents": ["savage_attacker"]}, "rogue": {}}
    table = on_map("KR#\n...", fighters, [(1, 1, 1), (8, 6), (10, 1)])
    with pytest.raises(DiceError, match="1 to 8 for a d8, got 10"):
        table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    Table.laid.clear()  # the fight is not played to its end


def test_a_shove_is_no_attack() -> None:
    owner = {**HEAVY, "talents": ["savage_attacker"]}
    table = on_map("KR#\n...", {"knight": owner, "rogue": {}}, [(6,)])
    table.engage(knight="might: shove 1", rogue="cunning").finish_round()
    assert table.hp("rogue") == 34
