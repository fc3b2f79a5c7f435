"""In the Thick of It: a bonus for each adjacent enemy."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("In the Thick of It")
OWNER = {"abilities": ["in_the_thick_of_it"]}
FIGHTERS = {"knight": OWNER, "rogue": {}, "fox": {}, "monk": {"team": "blue"}}
DICE = [(1, 1, 1), (1, 1)]


def test_each_adjacent_enemy_adds_1_to_its_attacks() -> None:
    table = Table(FIGHTERS, DICE).engage(knight="might: attack 1", rogue="cunning")
    assert (table.rolls(), table.last("attack")["attack_flat"]) == ((3 + 2, 2), {"ability_bonus": 2})


def test_and_to_its_defenses() -> None:
    assert Table(FIGHTERS, DICE).engage(knight="cunning", rogue="might: attack 1").rolls() == (3, 2 + 2)


def test_an_enemy_farther_away_adds_nothing() -> None:
    assert on_map("MKR.F", FIGHTERS, DICE).engage(knight="might: attack 1", rogue="cunning").rolls() == (3 + 1, 2)
