"""Mighty: the might bonus counts twice, and rounds in a row in might give a die."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, strike, weapon

pytestmark = pytest.mark.heading("Mighty")
OWNER = {"talents": ["mighty"]}


@pytest.mark.parametrize(
    ("talents", "size", "squares"),
    [(["mighty"], "medium", 4), ([], "medium", 2), (["mighty"], "large", 2), (["mighty"], "small", 6)],
)
def test_it_pushes_twice_as_far(talents: list[str], size: str, squares: int) -> None:
    """A push of ten feet, five more or less for each size of difference, is doubled."""
    fighters = {"knight": {"talents": talents}, "rogue": {"size": size}, "fox": OWNER}
    table = on_map("KR.......\n.........\nF........", fighters, [(1, 1, 1), (8, 6)])
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert at(table, "rogue") == (1 + squares, 0)


@pytest.mark.parametrize(("against", "dice"), [("cunning", 5), ("defensive", 3)])
def test_a_whip_that_beats_its_target_adds_two_dice(against: str, dice: int) -> None:
    table = strike({**OWNER, "weapon": weapon("ultralight", "whip")}, {}, against=against, dice=[(4,) * dice, (8, 6)])
    assert table.rolls() == (4 * dice, 14)


def throw(owner: Fields, dice: Dice) -> Table:
    """Let the knight throw at the rogue, whose stance it beats, and then at the second enemy."""
    axe = {"weapon": weapon("light", "thrown"), **owner}
    table = Table({"knight": axe, "rogue": {}, "fox": {}, "elf": {}}, dice)
    table.engage(knight="might: attack 1", rogue="cunning", fox="cunning", elf="cunning")
    table.pass_to("follow_up").play(knight="attack 2")
    return table


def test_a_throw_that_hits_earns_two_more_at_others() -> None:
    table = throw({**OWNER, "thrown": 4}, [(5, 1, 1), (1, 1)] * 3)
    assert (table.window, set(table.legal("knight"))) == ("follow_up", {"pass", "attack 3"})
    table.play(knight="attack 3").finish_round()
    assert [table.hp(name) for name in ("rogue", "fox", "elf")] == [35, 35, 35]


@pytest.mark.parametrize("owner", [{**OWNER, "thrown": 2}, {"talents": ["light_footed"], "thrown": 4}])
def test_without_a_third_weapon_or_the_talent_there_is_one_more(owner: Fields) -> None:
    assert throw(owner, [(5, 1, 1), (1, 1)] * 2).window == "shrug"


def test_a_fighter_that_throws_no_more_is_not_asked_again() -> None:
    axe = {"weapon": weapon("light", "thrown"), **OWNER, "thrown": 4}
    table = Table({"knight": axe, "rogue": {}, "fox": {}, "elf": {}}, [(5, 1, 1), (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning", fox="cunning", elf="cunning")
    table.pass_to("follow_up").play()
    assert table.window == "shrug"


@pytest.mark.parametrize(("field", "streak"), [("talents", [0, 0, 0]), ("destiny_talents", [0, 6, 8])])
def test_of_destiny_might_round_after_round_adds_a_growing_die(field: str, streak: list[int]) -> None:
    # The die shows its maximum in each attack; the rogue's contest in might is answered with it as well.
    dice = [((1, 1, 1, *([die] if die else [])), (8, 6)) for die in streak]
    table = Table({"knight": {field: ["mighty"]}, "rogue": {}}, [roll for pair in dice for roll in pair])
    for die in streak:
        table.engage(knight="might: attack 1", rogue="cunning")
        assert table.rolls() == (3 + die, 14)


def test_of_destiny_the_die_is_in_defense_rolls_and_lost_with_another_stance() -> None:
    miss, own = [(1, 1, 1), (1, 1)], {"destiny_talents": ["mighty"]}
    table = Table({"knight": own, "rogue": {}}, [*miss, *miss, 6, *miss])
    for own, total in (("might", 2), ("might", 8), ("defensive", 2)):
        table.engage(knight=own, rogue="agility: attack 1").pass_to("shrug" if total == 2 else "stance")
        assert table.rolls() == (3, total)
        table.pass_to("stance")
