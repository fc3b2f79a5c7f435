"""Rapid Shot: half of one roll against each of two."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Rapid Shot")
BOW = weapon("light", "ranged")
FOES: Fields = {"rogue": {}, "fox": {}, "owl": {}}


def shot(field: str, dice: Dice, choice: str = "attack 1", **more: object) -> Table:
    table = Table({"knight": {field: ["rapid_shot"], "weapon": BOW, **more}, **FOES}, dice)
    table.engage(knight="might", rogue="cunning", fox="cunning", owl="cunning").play(knight="use_at 2 a")
    return table.pass_to("attack", "might").play(knight=choice)


@pytest.mark.parametrize(("field", "more"), [("talents", (6, 5)), ("destiny_talents", (6, 5, 4, 3))])
def test_half_of_a_roll_with_more_dice_goes_against_each(field: str, more: tuple[int, ...]) -> None:
    table = shot(field, [(1, 2, 8, *more), (1, 1), (1, 2)])
    half = (11 + sum(more) + 1) // 2
    told = [(event["target"], event["attack_roll"], event["damage"]) for event in table.events_of("attack")]
    assert told == [("rogue", half, half - 2), ("fox", half, half - 3)]
    table.finish_round()


def test_the_might_bonus_ignores_the_armor_of_each_target_whose_stance_is_beaten() -> None:
    """Shoot at two targets in medium armor, of which might beats only the fox."""
    armored: Fields = {name: {"armor": "medium"} for name in ("rogue", "fox")}
    fighters = {"knight": {"talents": ["rapid_shot"], "weapon": BOW}, **armored}
    table = Table(fighters, [(1, 2, 8, 6, 5), (1, 1), (1, 2)]).engage(knight="might", rogue="defensive", fox="cunning")
    table.play(knight="use_at 2 a").pass_to("attack", "might").play(knight="attack 1")
    assert [event["defense_roll"] for event in table.events_of("attack")] == [6, 3]
    table.finish_round()


def test_a_first_target_that_was_named_second_changes_places_with_the_first_other() -> None:
    table = shot("talents", [(1, 2, 8, 6, 5), (1, 1), (1, 1)], "attack 2")
    assert [event["target"] for event in table.events_of("attack")] == ["fox", "rogue"]


@pytest.mark.interplay("rapid_shot", "several_attacks")
def test_it_is_used_up_by_the_first_attack_of_the_round() -> None:
    table = shot("talents", [(1, 2, 8, 6, 5), (1, 1), (1, 1), (1, 2, 8), (1, 1)], abilities=["several_attacks"])
    assert [event["attack_roll"] for event in table.events_of("attack")] == [11, 11, 11]


def test_cover_of_the_second_target_counts_for_the_roll() -> None:
    for glyph, dice in ((".", (1, 2, 8, 6, 5)), ("l", (1, 2, 7, 8, 6, 5))):
        fighters = {"knight": {"talents": ["rapid_shot"], "weapon": BOW}, "rogue": {}, "fox": {}}
        table = on_map(f"K..R...\n.......\n.......\n..{glyph}....\n..F....", fighters, [dice, (1, 1), (1, 1)])
        table.engage(knight="might", rogue="cunning", fox="cunning").play(knight="use_at 2 a")
        table.pass_to("attack", "might").play(knight="attack 1")
        assert table.rolls()[0] == 11


@pytest.mark.parametrize(
    ("held", "foes", "offered"),
    [(BOW, FOES, True), (weapon(), FOES, False), (BOW, {"rogue": {}}, False)],
)
def test_it_takes_a_ranged_weapon_and_two_targets(held: Fields, foes: Fields, offered: bool) -> None:
    table = Table({"knight": {"talents": ["rapid_shot"], "weapon": held}, **foes}).engage(knight="might")
    assert (table.window == "instant") is offered
