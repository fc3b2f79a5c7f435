"""Fling: a held creature that is thrown away or slammed down."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Fling")
BASE: Fields = {"talents": ["fling"], "weapon": "unarmed"}
DESTINY: Fields = {"destiny_talents": ["fling"], "weapon": "unarmed"}
HELD: Fields = {"conditions": {"grappled": {"source": "knight"}}}
THROW, SLAM = "pick 0", "pick 1"
FIELD = ".....\n.KR..\n....."
# A check rolls heart d8 and might d6. A holder has a level of disadvantage: one more d6, and drops the highest die.
EIGHT, NINE, FIVE = (8, 4, 4), (8, 5, 4), (8, 3, 2)


def flung(
    dice: Dice, how: str, owner: Fields = BASE, ground: str | None = FIELD, stance: str = "cunning", **rogue: object
) -> Table:
    """Let the knight fling the rogue, and play to the end of the phase."""
    fighters: Fields = {"knight": owner, "rogue": {**HELD, **rogue}}
    table = on_map(ground, fighters, dice) if ground else Table(fighters, dice)
    table.engage(knight="might", rogue=stance).pass_to("instant", "might").play(knight="use_at 1 a")
    table.play(knight=how)
    return table.finish_round() if table.round == 1 else table


@pytest.mark.parametrize(("check", "x"), [(EIGHT, 4), (NINE, 5)])
def test_it_flies_5_feet_for_each_point_above_its_number_and_is_prone(check: Dice, x: int) -> None:
    # Might and agility of d6 set the number 6.
    table = flung([check], THROW, ground=".......\n.KR....\n.......")
    assert (at(table, "rogue"), table.conditions("rogue"), table.hp("rogue")) == ((x, 1), {"prone": 1}, 40)
    assert (table.fighter("knight")["grappling"], table.events_of("attack")) == (None, [])


def test_the_number_is_the_higher_one_and_to_reach_it_is_enough() -> None:
    table = flung([EIGHT], THROW, agility=8)
    assert (at(table, "rogue"), table.conditions("rogue")) == ((2, 1), {"prone": 1})
    table = flung([EIGHT], THROW, agility=10)
    assert table.conditions("rogue") == {"grappled": 1}
    assert (table.last("check")["success"], table.fighter("knight")["grappling"]) == (False, "rogue")


def test_of_destiny_the_distance_is_7_feet_for_each_point_of_the_check() -> None:
    # 56 feet are eleven squares.
    table = flung([EIGHT], THROW, DESTINY, "KR" + "." * 14)
    assert (at(table, "rogue"), table.conditions("rogue")) == ((12, 0), {"prone": 1})
    assert flung([FIVE], THROW, DESTINY).conditions("rogue") == {"grappled": 1}


def test_a_wall_stops_it_and_the_holder_is_not_hurt() -> None:
    # Three squares, of which the creature goes one.
    table = flung([NINE, (6, 5)], THROW, ground="....\n.KR.\n....")
    assert (at(table, "rogue"), table.hp("rogue"), table.hp("knight")) == ((3, 1), 29, 40)


def test_sizes_do_not_shorten_it() -> None:
    blade = {"size": "ultralight", "attack_type": "melee", "damage_type": "none"}
    assert at(flung([EIGHT], THROW, ground="......\n.KR...\n......", size="small", weapon=blade), "rogue") == (4, 1)


def test_a_slam_deals_all_the_distance_as_damage_and_keeps_the_hold() -> None:
    table = flung([EIGHT, (3, 4)], SLAM)
    assert (at(table, "rogue"), table.hp("rogue"), table.hp("knight")) == ((2, 1), 33, 40)
    assert (table.fighter("knight")["grappling"], table.conditions("rogue")) == ("rogue", {"grappled": 1})
    table = flung([EIGHT, (1,) * 11], SLAM, DESTINY)
    assert table.hp("rogue") == 29


def test_without_a_map_a_throw_ends_the_hold() -> None:
    table = flung([EIGHT], THROW, ground=None)
    assert (table.conditions("rogue"), table.fighter("knight")["grappling"]) == ({"prone": 1}, None)


def test_it_needs_might_and_a_hold_and_takes_the_place_of_the_attack() -> None:
    for knight, rogue in (("might", "agility"), ("cunning", "agility"), ("agility", "might")):
        table = Table({"knight": BASE, "rogue": HELD}).engage(knight=knight, rogue=rogue)
        assert table.window != "instant"
    table = Table({"knight": BASE, "rogue": {}}).engage(knight="might", rogue="cunning")
    assert table.window != "instant"
    table = Table({"knight": BASE, "rogue": HELD, "fox": {}}, [EIGHT]).engage(knight="might", rogue="defensive")
    assert "use_at 2 a" not in table.legal("knight")
    table.play(knight="use_at 1 a").play()
    while table.phase == "might":
        assert not [name for name in table.legal("knight") if name.startswith(("attack", "grapple"))]
        table.play()


def test_a_hold_that_has_ended_by_then_makes_it_void() -> None:
    page: Fields = {"team": "blue", "agility": 8}
    fighters: Fields = {"knight": BASE, "rogue": HELD, "page": page}
    table = on_map(".P...\n.KR..\n.....", fighters)
    table.engage(knight="might", rogue="cunning", page="might").pass_to("instant", "might")
    table.play(knight="use_at 1 a").play(knight=THROW).pass_to("attack", "might").play(page="shove 1")
    assert (at(table, "rogue"), table.fighter("knight")["grappling"], table.events_of("check")) == ((3, 2), None, [])


def test_the_larger_dice_of_savage_attacker_are_those_of_attacks() -> None:
    owner: Fields = {"talents": ["fling", "savage_attacker"], "weapon": "unarmed"}
    assert flung([EIGHT, (6, 6)], SLAM, owner).hp("rogue") == 28
