"""In the Thick of It: a bonus for each adjacent enemy."""

from __future__ import annotations

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table

HEADING = "Combat Legacy > In the Thick of It"
OWNER = {"abilities": ["in_the_thick_of_it"]}
FIGHTERS = {"knight": OWNER, "rogue": {}, "fox": {}, "monk": {"team": "blue"}}
DICE = [(1, 1, 1), (1, 1)]


@pytest.mark.heading(HEADING)
def test_each_adjacent_enemy_adds_1_to_its_attacks() -> None:
    table = Table(FIGHTERS, DICE)
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    assert table.rolls() == (3 + 2, 2)
    assert table.last("attack")["attack_flat"] == {"ability_bonus": 2}


@pytest.mark.heading(HEADING)
def test_and_to_its_defenses() -> None:
    table = Table(FIGHTERS, DICE)
    table.engage(knight="cunning", rogue="might")
    table.pass_to("attack", "might")
    table.play(rogue="attack 1")
    assert table.rolls() == (3, 2 + 2)


@pytest.mark.heading(HEADING)
def test_an_enemy_farther_away_adds_nothing() -> None:
    table = on_map("MKR.F", FIGHTERS, DICE)
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    assert table.rolls() == (3 + 1, 2)
