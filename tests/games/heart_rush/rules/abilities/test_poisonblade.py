"""Poisonblade: a coat of poison on the weapon in hand."""

from itertools import pairwise

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Poisonblade")
HIT, MISS = (3, 2, 4), (1, 1, 1)
DEFENSE, BETTER = (1, 1), (8, 6)
SICK = (1, 1, 1, 1)  # a defense with two levels of disadvantage


def after_attacks(field: str, dice: Dice, attacks: int, **knight: object) -> Table:
    """Let the knight attack the rogue, might against cunning, in each of these rounds."""
    table = Table({"knight": {field: ["poisonblade"], **knight}, "rogue": {}}, dice)
    for _ in range(attacks):
        table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    return table


def poisonings(table: Table) -> list[int]:
    """Return the levels that the rogue has gained, one number for each time that it was poisoned."""
    levels = [0, *table.history("rogue", "poisoned")]
    return [new - old for old, new in pairwise(levels) if new > old]


def test_the_first_damage_brings_two_levels_and_wipes_the_coat_off() -> None:
    table = after_attacks("talents", [HIT, DEFENSE, HIT, SICK], 2)
    assert (poisonings(table), table.hp("rogue")) == ([2], 40 - 7 - 7)


def test_an_attack_without_damage_leaves_the_coat() -> None:
    assert poisonings(after_attacks("talents", [MISS, BETTER, HIT, DEFENSE], 2)) == [2]


@pytest.mark.parametrize(("rolls", "gained"), [((4, 4, 3), [2, 2, 1]), ((3,), [2])])
def test_as_destiny_a_four_or_more_keeps_the_coat(rolls: tuple[int, ...], gained: list[int]) -> None:
    # Two levels more of disadvantage in each round; five is the most.
    dice: Dice = []
    for number, roll in enumerate(rolls):
        dice = [*dice, HIT, (1,) * (2 + 2 * number), roll]
    assert poisonings(after_attacks("destiny_talents", dice, len(rolls))) == gained


@pytest.mark.parametrize("held", ["unarmed", {**weapon(), "natural": True}])
def test_parts_of_the_body_have_no_coat(held: object) -> None:
    table = after_attacks("talents", [(3, 2, 4, 1) if held == "unarmed" else HIT, DEFENSE], 1, weapon=held)
    assert poisonings(table) == []


def test_the_other_weapon_has_no_coat() -> None:
    knight = {"talents": ["poisonblade"], "spare_weapon": weapon()}
    table = Table({"knight": knight, "rogue": {}}, [HIT, DEFENSE] * 2)
    table.play(knight="swap").engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert poisonings(table) == []
    table.play(knight="swap").engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert poisonings(table) == [2]


@pytest.mark.heading("Taking Damage")
def test_the_half_of_a_hit_that_is_left_by_shrugging_poisons() -> None:
    table = Table({"knight": {"talents": ["poisonblade"]}, "rogue": {}}, [HIT, DEFENSE])
    table.engage(knight="might: attack 1", rogue="cunning").play(rogue="shrug")
    assert (table.hp("rogue"), table.conditions("rogue")) == (40 - 4, {"poisoned": 2})


@pytest.mark.interplay("aggravator", "poisonblade")
def test_it_poisons_what_aggravator_angers() -> None:
    knight: Fields = {"talents": ["poisonblade", "aggravator"]}
    table = Table({"knight": knight, "rogue": {}}, [HIT, DEFENSE])
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert table.conditions("rogue") == {"poisoned": 2, "aggravated": 1}
