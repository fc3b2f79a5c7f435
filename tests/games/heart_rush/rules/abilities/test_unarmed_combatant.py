"""Unarmed Combatant: fists as good as light or heavy weapons."""

import pytest

from tests.games.heart_rush.rules.table import Table, strike

pytestmark = pytest.mark.heading("Unarmed Combatant")
VERSIONS = pytest.mark.parametrize(("field", "die"), [("talents", 8), ("destiny_talents", 12)])
# Bludgeoning favors might, so fists count twice in it: heart, might, fist, fist against heart, might.
DICE = [(1, 2, 4, 3), (1, 1)]


def dice_of(table: Table) -> list[tuple[str, int]]:
    return [(source, sides) for source, sides, _ in table.last("attack")["attack_pool"]][2:]


@VERSIONS
def test_fists_are_light_and_as_destiny_heavy_weapons(field: str, die: int) -> None:
    table = strike({field: ["unarmed_combatant"], "weapon": "unarmed"}, dice=DICE)
    assert table.rolls() == (10, 2)
    assert [sides for _, sides in dice_of(table)] == [die, die]
    assert table.faults() == []


@VERSIONS
def test_so_are_bare_hands_whose_weapon_lies_on_the_floor(field: str, die: int) -> None:
    table = Table({"knight": {field: ["unarmed_combatant"]}, "rogue": {}}, [(1, 1), (6, 6), *DICE])
    table.engage(rogue="might: disarm 1", knight="cunning").finish_round()
    table.engage(knight="might: attack 1", rogue="cunning")
    assert [sides for _, sides in dice_of(table)] == [die, die]


@pytest.mark.parametrize("weapon", ["claws", "tail_slam", "club"])
def test_other_weapons_stay_as_they_are(weapon: str) -> None:
    dice = {"claws": 4, "tail_slam": 12, "club": 8}
    table = Table(
        {"knight": {"destiny_talents": ["unarmed_combatant"], "weapon": weapon}, "rogue": {}}, [(1, 2, 4), (1, 1)]
    )
    table.engage(knight="cunning: attack 1", rogue="agility")
    assert [sides for _, sides in dice_of(table)] == [dice[weapon]]


@pytest.mark.interplay("hulking_blows", "unarmed_combatant")
def test_heavy_fists_deal_hulking_blows() -> None:
    owner = {"destiny_talents": ["unarmed_combatant"], "abilities": ["hulking_blows"], "weapon": "unarmed", "rush": 3}
    table = Table({"knight": owner, "rogue": {}})
    table.engage(knight="might", rogue="cunning")
    assert table.window == "instant" and "use_at 1 b" in table.legal("knight")
    table = Table({"knight": {**owner, "destiny_talents": [], "talents": ["unarmed_combatant"]}, "rogue": {}})
    assert table.engage(knight="might", rogue="cunning").window != "instant"
