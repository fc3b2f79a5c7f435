"""Phalanx: advantage on defense beside two allies."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Phalanx")
BLUE = {"team": "blue"}


def levels_of(field: str, map_: str, target: str = "knight") -> dict[str, int]:
    """Return the causes of advantage on defense when the rogue strikes the knight, or the elf beside it."""
    fighters = {"knight": {field: ["phalanx"]}, "elf": BLUE, "fox": BLUE, "rogue": {}}
    levels = {("talents", "knight"): 3, ("destiny_talents", "knight"): 4, ("destiny_talents", "elf"): 1}
    formed = map_ in (TOGETHER, "")
    number = levels.get((field, target), 0) if formed else 0
    dice = [(1, 1, 1), (1, 1, *(1,) * number)]
    table = on_map(map_, fighters, dice) if map_ else Table(fighters, dice)
    place = 1 if target == "knight" else 2
    table.engage(knight="might", elf="might", fox="might", rogue=f"agility: attack {place}").finish_round()
    causes: dict[str, int] = table.last("attack")["defense_causes"]
    return causes


TOGETHER = ".R.. FKE. ...."
APART = ".R.. .KE. .F..".replace(".F..", "....\n    .F..")


@pytest.mark.parametrize(("field", "levels"), [("talents", 3), ("destiny_talents", 4)])
@pytest.mark.parametrize("map_", [TOGETHER, ""])
def test_beside_two_allies_defense_has_advantage(field: str, levels: int, map_: str) -> None:
    assert levels_of(field, map_) == {"ability": levels}


@pytest.mark.parametrize("field", ["talents", "destiny_talents"])
@pytest.mark.parametrize("target", ["knight", "elf"])
def test_beside_one_ally_there_is_none(field: str, target: str) -> None:
    assert levels_of(field, APART, target) == {}


@pytest.mark.parametrize(("field", "causes"), [("talents", {}), ("destiny_talents", {"ability": 1})])
def test_of_destiny_its_allies_have_advantage_as_well(field: str, causes: dict[str, int]) -> None:
    assert levels_of(field, TOGETHER, "elf") == causes
