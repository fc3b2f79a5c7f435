"""Backstab: a small blade in the back."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Backstab")
KNIFE, PIERCING = weapon("ultralight"), weapon("ultralight", damage_type="piercing")
ACROSS, BESIDE = ".....\n.KRP.\n.....", ".....\n.KR..\n.P..."


def owner(field: str = "talents", **more: object) -> Fields:
    return {field: ["backstab"], "weapon": KNIFE, "rush": 3, **more}


def flank(knight: Fields, dice: Dice = (), drawing: str = ACROSS) -> Table:
    return on_map(drawing, {"knight": knight, "rogue": {"team": "red"}, "page": {"team": "blue"}}, dice)


def pool(table: Table) -> list[int]:
    return [sides for _, sides, _ in table.last("attack")["attack_pool"]]


@pytest.mark.parametrize(
    ("field", "held", "stance", "dice", "sides"),
    [
        ("talents", KNIFE, "might", (1, 2, 19), [8, 6, 20]),
        ("talents", PIERCING, "cunning", (1, 2, 19, 18), [8, 6, 20, 20]),
        ("destiny_talents", KNIFE, "might", (1, 2, 19, 18), [8, 6, 20, 20]),
        ("destiny_talents", PIERCING, "cunning", (1, 2, 19, 18, 17), [8, 6, 20, 20, 20]),
    ],
)
def test_the_weapon_die_is_a_d20_and_as_destiny_two(
    field: str, held: Fields, stance: str, dice: tuple[int, ...], sides: list[int]
) -> None:
    table = flank(owner(field, weapon=held), [dice, (1, 1)]).play(knight="use_at 1 a")
    table.engage(knight=f"{stance}: attack 1", rogue="defensive")
    assert (pool(table), table.rolls()[0]) == (sides, sum(dice))
    assert table.fighter("knight")["rush"] == 2


def test_it_is_spent_by_one_attack_and_by_the_end_of_the_round() -> None:
    table = flank(owner(), [(1, 2, 4), (1, 1)]).play(knight="use_at 1 a").finish_round()
    table.engage(knight="might: attack 1", rogue="defensive")
    assert pool(table) == [8, 6, 4]


@pytest.mark.interplay("backstab", "several_attacks")
def test_a_follow_up_has_the_small_die_again() -> None:
    """The d20 shows in the first attack of Several Attacks on the creature, and in no second one."""
    knight = owner(abilities=["several_attacks"])
    table = flank(knight, [(1, 2, 19), (1, 1), (1, 2, 4), (1, 1)]).play(knight="use_at 1 a")
    table.engage(knight="might: attack 1", rogue="defensive")
    told = [[sides for _, sides, _ in event["attack_pool"]] for event in table.events_of("attack")]
    assert told == [[8, 6, 20], [8, 6, 4]]


def test_other_creatures_meet_the_small_die() -> None:
    fighters = {"knight": owner(), "rogue": {"team": "red"}, "page": {"team": "blue"}, "fox": {"team": "red"}}
    table = on_map(".....\n.KRP.\n.F...", fighters, [(1, 2, 4), (1, 1)]).play(knight="use_at 1 a")
    table.engage(knight="might: attack 2", rogue="defensive")
    assert pool(table) == [8, 6, 4]


@pytest.mark.parametrize(
    ("drawing", "knight", "offered"),
    [
        (ACROSS, owner(), True),
        (BESIDE, owner(), False),
        (".....\n.KR..\n..P..", owner(), True),  # from corner to corner, across a corner of the rogue
        (".....\n.KR..\n...P.", owner(), True),  # from corner to corner through the rogue
        ("......\n.KR.P.\n......", owner(), False),  # not next to it
        (ACROSS, owner(weapon=weapon()), False),
        (ACROSS, owner(weapon=weapon("ultralight", "thrown")), False),
        (ACROSS, owner(rush=0), False),
    ],
)
def test_it_takes_a_small_melee_weapon_and_an_ally_across(drawing: str, knight: Fields, offered: bool) -> None:
    assert ("use_at 1 a" in flank(knight, drawing=drawing).legal("knight")) is offered


def test_from_hiding_an_opening_has_the_d20_too() -> None:
    fighters = {"knight": owner(conditions={"hidden": 1}), "rogue": {}}
    table = on_map(".....\n.KR..\n.....", fighters, [(1, 2, 19), (1, 1, *[1] * 5)])
    table.play(knight="use_at 1 a").play(knight="opportunity 1 might").pass_to("stance")
    assert pool(table) == [8, 6, 20]
