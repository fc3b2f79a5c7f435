"""Pack: advantage on attacks while an ally is adjacent."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Pack")
OWNER = {"abilities": ["pack"]}


def attacked(table: Table) -> Table:
    """Let the rat attack the knight, might against cunning."""
    table.engage(rat="might: attack 1", knight="cunning")
    return table


def test_an_adjacent_ally_gives_its_attacks_advantage() -> None:
    # d8, d6 and d8 and one more d6, of which the highest three count: 8 + 6 + 2.
    table = attacked(Table({"rat": OWNER, "knight": {}, "dog": {"team": "blue"}}, [(8, 1, 2, 6), (3, 3)]))
    assert (table.last("attack")["attack_causes"], table.rolls()) == ({"ability": 1}, (16, 6))


def test_alone_it_has_none() -> None:
    table = attacked(Table({"rat": OWNER, "knight": {}, "fox": {}}, [(8, 1, 2), (3, 3)]))
    assert table.last("attack")["attack_causes"] == {}


@pytest.mark.parametrize(("drawing", "levels"), [("DRK", 1), (".RKD", 0)])
def test_on_a_map_the_ally_must_stand_beside_it(drawing: str, levels: int) -> None:
    fighters = {"rat": OWNER, "knight": {}, "dog": {"team": "blue"}}
    table = attacked(on_map(drawing, fighters, [(8, 1, 2), (6,) * levels, (3, 3)]))
    assert table.last("attack")["attack_causes"] == ({"ability": 1} if levels else {})


def test_an_ally_that_has_fallen_gives_none() -> None:
    fighters = {"rat": OWNER, "knight": {}, "dog": {"team": "blue", "hp_now": 1}}
    table = Table(fighters, [(8, 6, 3, 1, 1), (8, 1, 2), (3, 3)], heroes=[])
    table.engage(rat="defensive", knight="might: attack 2", dog="cunning").finish_round()
    assert (table.status("dog"), attacked(table).last("attack")["attack_causes"]) == ("defeated", {})
