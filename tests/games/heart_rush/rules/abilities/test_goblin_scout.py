"""Gang Up of the Goblin Scout: advantage against a flanked target."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Gang Up")
GOBLIN: Fields = {"abilities": ["goblin_scout.gang_up"]}


@pytest.mark.parametrize(
    ("drawing", "levels"),
    [
        ("GRP", 1),
        ("G..\n.R.\n..P", 1),
        ("G..\n.R.\n.P.", 1),  # from a corner to a corner
        (".G.\n.RP\n...", 1),  # from the goblin's lower left corner to the page's lower right one
        ("GR.\nP..\n...", 0),  # the line only touches
        ("GR.P", 0),  # too far from the target
        ("GR", 0),
        ("GPR", 0),
    ],
)
def test_an_ally_across_the_target_gives_a_level(drawing: str, levels: int) -> None:
    fighters: dict[str, Fields] = {
        "goblin": {**GOBLIN, "weapon": {"size": "light", "attack_type": "melee", "reach": True}}
    }
    fighters |= {"rogue": {}, "page": {"team": "blue"}} if "P" in drawing else {"rogue": {}}
    table = on_map(drawing, fighters, [(1, 1, 1, *(1,) * levels), (8, 6)])
    table.engage(goblin="cunning: attack 1", rogue="agility", **({"page": "defensive"} if "P" in drawing else {}))
    assert table.last("attack")["attack_causes"].get("ability", 0) == levels


def test_an_enemy_of_its_own_across_gives_none() -> None:
    table = on_map("GRF", {"goblin": GOBLIN, "rogue": {}, "fox": {}}, [(1, 1, 1), (8, 6)])
    table.engage(goblin="cunning: attack 1", rogue="agility", fox="defensive")
    assert "ability" not in table.last("attack")["attack_causes"]


def test_nor_does_a_fallen_ally_and_without_a_map_nobody_is_flanked() -> None:
    fighters = {"goblin": GOBLIN, "rogue": {}, "page": {"team": "blue", "conditions": {"stunned": 1}}}
    table = on_map("GRP", fighters, [(1, 1, 1, 1), (8, 6)]).engage(goblin="cunning: attack 1", rogue="agility")
    assert table.last("attack")["attack_causes"]["ability"] == 1, "a stunned ally still stands in the way"
    table = Table({**fighters, "page": {"team": "blue"}}, [(1, 1, 1), (8, 6)])
    table.engage(goblin="cunning: attack 1", rogue="agility", page="defensive")
    assert "ability" not in table.last("attack")["attack_causes"]


@pytest.mark.interplay("goblin_scout.gang_up", "pack")
def test_it_adds_to_pack() -> None:
    fighters = {"goblin": {"abilities": ["goblin_scout.gang_up", "pack"]}, "rogue": {}, "page": {"team": "blue"}}
    table = on_map("G..\n.R.\n..P", fighters, [(1, 1, 1, 1), (8, 6)])
    table.engage(goblin="cunning: attack 1", rogue="agility", page="defensive")
    assert table.last("attack")["attack_causes"]["ability"] == 1, "the page is two squares away: no pack"
    table = on_map("GR\n.P", fighters, [(1, 1, 1, 1, 1), (8, 6)])
    table.engage(goblin="cunning: attack 1", rogue="agility", page="defensive")
    assert table.last("attack")["attack_causes"]["ability"] == 2
