"""Careful Shot: archers that stand still."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, strike, weapon

pytestmark = pytest.mark.heading("Careful Shot")
BOW = weapon("light", "ranged")  # carries 6 squares
BASE: Fields = {"talents": ["careful_shot"], "weapon": BOW}
DESTINY: Fields = {"destiny_talents": ["careful_shot"], "weapon": BOW}
HIT: Dice = [(1, 2, 3), (1, 1)]


def row(squares: int, glyph: str = ".") -> str:
    """Return a map on which the knight and the rogue are this many squares apart, with a glyph next to the rogue."""
    return f"{'.' * (squares + 3)}\n.K{'.' * (squares - 2)}{glyph}R\n{'.' * (squares + 3)}".replace("R\n", "R.\n")


def test_a_shot_gives_two_levels_of_the_condition_of_the_largest_die() -> None:
    table = strike(BASE, {"agility": 8}, against="defensive", dice=[(1, 2, 3), (1, 1)])
    assert table.history("rogue", "off_balanced")[0] == 2
    assert table.history("rogue", "weakened") == table.history("rogue", "dazed") == []


def test_as_destiny_two_levels_of_each_even_without_damage() -> None:
    table = strike(DESTINY, against="defensive", dice=[(1, 1, 1), (6, 6)])
    assert [table.history("rogue", name)[0] for name in ("dazed", "off_balanced", "weakened")] == [2, 2, 2]


@pytest.mark.parametrize("held", [weapon(), weapon(attack_type="thrown")])
def test_it_takes_a_ranged_weapon(held: Fields) -> None:
    table = strike({**BASE, "weapon": held}, against="defensive", dice=HIT)
    assert table.history("rogue", "weakened") == []


def test_within_twice_the_range_there_is_no_disadvantage_and_beyond_it_there_is() -> None:
    for squares, dice in ((12, [(1, 2, 3), (1, 1)]), (14, [(1, 2, 3, 8), (1, 1)])):
        table = on_map(row(squares), {"knight": BASE, "rogue": {}}, dice)
        table.engage(knight="might: attack 1", rogue="defensive")
        assert table.rolls() == (6, 2)


def test_cover_short_of_total_does_not_count() -> None:
    thrower = {**BASE, "weapon": weapon("light", "thrown")}
    for owner, more in ((BASE, ()), ({"weapon": BOW}, (8,)), (thrower, (8,))):
        table = on_map(row(4, "l"), {"knight": owner, "rogue": {}}, [(1, 2, 3, *more), (1, 1)])
        table.engage(knight="might: attack 1", rogue="defensive")
        assert table.rolls() == (6, 2)


def test_a_step_in_this_round_or_the_last_spoils_it() -> None:
    table = on_map(row(4), {"knight": BASE, "rogue": {}}, [*HIT, *HIT, *HIT])
    table.play(knight="sidestep n").engage(knight="might: attack 1", rogue="defensive").finish_round()
    table.engage(knight="might: attack 1", rogue="defensive").finish_round()
    assert table.history("rogue", "weakened") == []
    table.engage(knight="might: attack 1", rogue="defensive").finish_round()
    assert table.history("rogue", "weakened")[0] == 2


def test_a_step_after_the_shot_comes_too_late_to_spoil_it() -> None:
    table = on_map(row(4), {"knight": BASE, "rogue": {}}, HIT)
    table.engage(knight="agility: attack 1", rogue="defensive").pass_to("step").play(knight="sidestep n").finish_round()
    assert table.history("rogue", "weakened")[0] == 2


@pytest.mark.interplay("careful_shot", "double_shot")
def test_with_double_shot_both_targets_are_impaired() -> None:
    owner = {**BASE, "talents": ["careful_shot", "double_shot"]}
    table = Table({"knight": owner, "rogue": {}, "fox": {}}, [*HIT, *HIT]).play(knight="use b")
    table.engage(knight="might: attack 1").play(knight="attack 2").finish_round()
    assert [table.history(name, "weakened")[0] for name in ("rogue", "fox")] == [2, 2]


def test_an_answer_in_a_contest_is_no_shot_of_the_owner() -> None:
    table = Table({"knight": BASE, "rogue": {}}, [(1, 2, 3), (1, 1, 1)])
    table.engage(knight="might", rogue="might: attack 1").finish_round()
    assert table.history("rogue", "weakened") == []
