"""Maledict: a fading condition for the target of an attack and for the owner."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Maledict")
DAZED, WEAKENED = "pick 0", "pick 2"
DECEMBER = {"edition": "december2025"}


def attacked(dice: Dice, field: str = "talents", **rogue: Fields) -> Table:
    """Return a table at which the knight has rolled its attack on the rogue."""
    fighters = {"knight": {field: ["maledict"], "rush": 1}, "rogue": rogue}
    return Table(fighters, dice, DECEMBER).engage(knight="might: attack 1", rogue="cunning")


def levels(table: Table, name: str, condition: str) -> int:
    """Return the most levels of a condition that a fighter has had in this fight, 0 for none."""
    return max(table.history(name, condition), default=0)


def test_the_levels_count_for_the_defense_that_follows() -> None:
    # Two levels of weakened take the two highest of four dice off the defense.
    table = attacked([(5, 3, 8), (4, 3, 7, 8)])
    assert (table.window, table.legal("knight")) == ("instant", ["pass", "use_at 1 a"])
    table.play(knight="use_at 1 a")
    assert table.legal("knight") == [f"pick {k}" for k in range(8)]
    table.play(knight=WEAKENED)
    assert (levels(table, "rogue", "weakened"), levels(table, "knight", "weakened")) == (2, 1)
    assert table.rolls() == (16, 7)


@pytest.mark.parametrize(("given", "own"), [(1, 1), (2, 1), (5, 3)])
def test_in_the_destiny_version_its_owner_picks_the_levels_and_gets_half_of_them(given: int, own: int) -> None:
    table = attacked([(5, 3, 8), (4, 3)], "destiny_talents").play(knight="use_at 1 a").play(knight=DAZED)
    assert table.legal("knight") == [f"pick {number}" for number in range(1, 6)]
    table.play(knight=f"pick {given}")
    assert (levels(table, "rogue", "dazed"), levels(table, "knight", "dazed")) == (given, own)


@pytest.mark.parametrize(
    ("field", "had", "given", "vulnerable"),
    [("destiny_talents", 3, "pick 3", 1), ("destiny_talents", 3, "pick 2", 0), ("talents", 4, None, 0)],
)
def test_what_is_more_than_five_levels_becomes_one_of_vulnerability(
    field: str, had: int, given: str | None, vulnerable: int
) -> None:
    table = attacked([(5, 3, 8), (4, 3)], field, conditions={"dazed": had})
    table.play(knight="use_at 1 a").play(knight=DAZED)
    if given:
        table.play(knight=given)
    assert (levels(table, "rogue", "dazed"), levels(table, "rogue", "vulnerability")) == (5, vulnerable)


@pytest.mark.interplay("maledict", "still_fresh")
def test_a_target_that_is_immune_gets_nothing() -> None:
    table = attacked([(5, 3, 8), (4, 3)], "destiny_talents", destiny_talents=["still_fresh"], conditions={"dazed": 4})
    table.play(knight="use_at 1 a").play(knight=DAZED).play(knight="pick 5")
    assert levels(table, "knight", "dazed") == 3
    assert max(table.history("rogue", "dazed"), default=0) <= 4
    assert table.history("rogue", "vulnerability") == []


def test_a_player_that_does_not_answer_gives_all_levels_of_dazed() -> None:
    table = attacked([(5, 3, 8), (4, 3)], "destiny_talents").play(knight="use_at 1 a").play().play()
    assert levels(table, "rogue", "dazed") == 5


@pytest.mark.parametrize(
    ("ground", "striker", "may"),
    [
        ("M.PR\n....", "page", True),  # two squares are ten feet
        ("M..P\n...R", "page", False),
        ("M.PR\n....", "rogue", False),
    ],
)
def test_it_is_an_ally_within_ten_feet_that_attacks(ground: str, striker: str, may: bool) -> None:
    fighters = {"monk": {"talents": ["maledict"], "rush": 1}, "page": {"team": "blue"}, "rogue": {"team": "red"}}
    table = on_map(ground, fighters, [(5, 3, 8), (4, 3)], DECEMBER)
    other = "rogue" if striker == "page" else "page"
    number = 1 if striker == "page" else 2
    table.engage(**{striker: f"agility: attack {number}", other: "might"})
    assert ("use_at 1 a" in table.legal("monk")) is may
    table.finish_round()


def test_in_a_contest_of_both_each_is_attacked() -> None:
    knight = {"agility": 4, "talents": ["maledict"], "rush": 1}
    table = Table({"knight": knight, "rogue": {"agility": 12}}, [(1, 1, 1), (1, 1, 1, 1)], DECEMBER)
    table.engage(knight="might", rogue="might").pass_to("attack").play(knight="attack 1", rogue="attack 1")
    table.play(knight="use_at 1 a").play(knight=WEAKENED)  # the rogue has rolled, the knight has not
    assert levels(table, "knight", "weakened") == 1
