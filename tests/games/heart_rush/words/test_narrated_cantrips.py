"""The narration of cantrips, read as a player at the table reads it."""

import pytest

from tests.games.heart_rush.rules.table import Table
from tests.narrated import NarratedFight


@pytest.mark.parametrize(
    ("cantrip", "dice"),
    [("water_bolt", (5, 4, 3)), ("dark_bolt", (5, 4, 3)), ("blast_of_water", (5, 4, 3, 3)), ("longsword", (5, 4, 3))],
)
def test_the_dice_of_a_weapon_of_several_words_add_up(cantrip: str, dice: tuple[int, ...]) -> None:
    """A water bolt is bludgeoning, but a bolt has no die of its damage type; a blast has."""
    table = Table({"mage": {"abilities": ["warcaster"], "weapon": cantrip}, "rogue": {}}, [dice, (2, 2)])
    table.engage(mage="might: attack 1", rogue="cunning")
    told = {**table.last("attack"), "attacker": "mage_0", "target": "rogue_0", "hurt": "rogue_0"}
    fight = NarratedFight(table._fights.game.scenario)
    fight.check([told], cantrip)
    assert fight.attacks == 1
