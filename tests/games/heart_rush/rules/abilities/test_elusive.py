"""Elusive: a sidestep right after damage."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Table

pytestmark = pytest.mark.heading("Elusive")
HIT, MISS = [(4, 3, 5), (1, 1)], [(1, 1, 1), (8, 6)]  # 12 against 2: 10 damage
GROUND = ".....\nFER..\n....."


def hurt(dice: Dice = HIT, **elf: object) -> Table:
    """Return a table at which a cunning attack has damaged the owner, and the fox is to attack it in agility."""
    fighters = {"elf": {"abilities": ["elusive"], "rush": 3, **elf}, "rogue": {}, "fox": {}}
    table = on_map(GROUND, fighters, dice)
    return table.engage(elf="agility", rogue="cunning: attack 1", fox="agility").play()


def test_it_steps_away_from_the_next_attacker_and_attacks_no_more() -> None:
    table = hurt()
    assert (table.window, table.legal("elf"), table.hp("elf")) == ("instant", ["pass", "use a"], 30)
    table.play(elf="use a").pass_to("pick")
    assert table.legal("elf") == [f"sidestep {way}" for way in ("n", "ne", "se", "s", "sw", "nw")]
    table.play(elf="sidestep ne")
    assert (at(table, "elf"), table.fighter("elf")["rush"], table.window) == ((2, 0), 2, "attack")
    assert "attack 1" not in table.legal("fox")
    assert not [name for name in table.legal("elf") if name.startswith("attack")]
    assert "sidestep n" not in table.legal("elf") and "sidestep s" not in table.legal("elf")


def test_who_still_reaches_it_meets_a_defense() -> None:
    # The fox attacks in the owner's own stance: without an attack of its own, the owner defends itself.
    table = (
        hurt([*HIT, (5, 1, 1), (1, 1)]).play(elf="use a").pass_to("pick").play(elf="sidestep n").play(fox="attack 1")
    )
    assert (table.rolls(), table.last("attack")["contested"]) == ((7, 2), False)


def test_without_damage_it_is_not_asked() -> None:
    fighters = {"elf": {"abilities": ["elusive"]}, "rogue": {}, "fox": {}}
    table = on_map(GROUND, fighters, MISS).engage(elf="agility", rogue="cunning: attack 1", fox="might")
    assert (table.window, table.phase) == ("attack", "agility")


def test_outside_the_engagement_it_is_not_asked() -> None:
    table = on_map("FE...", {"elf": {"abilities": ["elusive"]}, "fox": {}}, HIT).play(elf="dash 3,0")
    table.play(fox="opportunity 1 might").play()
    assert (table.window, at(table, "elf"), table.hp("elf")) == ("action", (4, 0), 30)


def test_the_second_use_costs_two_points_and_in_the_next_round_it_attacks_again() -> None:
    table = hurt([*HIT, *HIT, *MISS]).play(elf="use a").pass_to("pick").play(elf="sidestep n").finish_round()
    table.engage(elf="agility", rogue="cunning: attack 1", fox="might").play()
    assert (table.fighter("elf")["rush"], table.window) == (1, "attack"), "one point is too few"
    table.play(elf="attack 2")
    assert table.rolls() == (3, 14)


def test_the_step_counts_for_dodge_and_weave() -> None:
    table = hurt([*HIT, (1, 1, 1), (1, 1)], talents=["dodge_and_weave"])
    table.play(elf="use b").pass_to("pick").play(elf="sidestep n").play(fox="attack 1")
    assert table.rolls() == (3, 2 + 2)
