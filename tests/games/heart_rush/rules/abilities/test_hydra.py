"""The Hydra: Many Heads, Regrowth."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

HEAD = {"team": "red", "part_of": "hydra_0", "hp": 10}
TO_GROW = {**HEAD, "to_grow": True}
HIT = [(8, 6, 8), (1, 1)]  # 20 of damage
HEADS = ("neck", "crest", "jaw", "snout")


def hydra(ability: str, *heads: Fields, dice: Dice = (), **body: Any) -> Table:
    """Return a table with a knight against a hydra that has this ability and these heads."""
    fighters = {"knight": {}, "hydra": {"abilities": [ability], **body}, **dict(zip(HEADS, heads, strict=False))}
    return Table(fighters, dice)


def hit(table: Table, choice: str = "attack 1") -> None:
    """Play a round in which the knight's might beats the cunning of all enemies."""
    table.engage(knight="might", **{name: "cunning" for name in table.names[1:] if table.status(name) == "standing"})
    table.pass_to("attack", "might").play(knight=choice).finish_round()


def standing(table: Table) -> list[str]:
    return [name for name in HEADS if name in table.names and table.status(name) == "standing"]


@pytest.mark.heading("Many Heads")
@pytest.mark.parametrize(("heads", "left"), [([HEAD], 40 - 10), ([HEAD, TO_GROW], 40 - 10), ([TO_GROW], 40 - 19)])
def test_damage_to_the_body_is_halved_and_rounded_up_while_a_head_stands(heads: list[Fields], left: int) -> None:
    # 8 + 6 + 7 against 1 + 1: 19, or 10.
    table = hydra("hydra.many_heads", *heads, dice=[(8, 6, 7), (1, 1)])
    hit(table)
    assert table.hp("hydra") == left


@pytest.mark.heading("Many Heads")
def test_damage_to_a_head_is_not() -> None:
    table = hydra("hydra.many_heads", {**HEAD, "hp": 40}, dice=HIT)
    hit(table, "attack 2")
    assert (table.hp("hydra"), table.hp("neck")) == (40, 40 - 20)


@pytest.mark.heading("Many Heads")
@pytest.mark.parametrize(("head", "left"), [(HEAD, 40 - 3), (TO_GROW, 40 - 5)])
def test_so_is_damage_that_is_no_attack(head: Fields, left: int) -> None:
    # Burning 1: a d6 as the engagement begins, here 5.
    table = hydra("hydra.many_heads", head, dice=[5], conditions={"burning": 1})
    table.finish_round()
    assert table.hp("hydra") == left


@pytest.mark.heading("Regrowth")
@pytest.mark.heading("Creatures of Several Parts")
def test_a_head_that_is_cut_off_grows_back_as_two_a_round_later() -> None:
    table = hydra("hydra.regrowth", HEAD, TO_GROW, TO_GROW, dice=HIT)
    hit(table, "attack 2")
    assert (table.round, standing(table)) == (2, [])
    table.finish_round()
    assert (table.round, standing(table)) == (3, ["neck", "crest"])
    assert table.events_of("grow") == [
        {"type": "grow", "fighter": name, "body": "hydra", "hp": 10} for name in ("neck", "crest")
    ]
    table.finish_round()
    assert standing(table) == ["neck", "crest"]


@pytest.mark.heading("Regrowth")
@pytest.mark.heading("Creatures of Several Parts")
def test_it_grows_as_one_where_there_is_room_for_one() -> None:
    table = hydra("hydra.regrowth", {**HEAD, "hp": 20}, {**HEAD, "hp": 30}, dice=[(8, 6, 8), (1, 1)])
    hit(table, "attack 2")
    table.finish_round()
    assert (standing(table), len(table.events_of("grow"))) == (["neck", "crest"], 1)


@pytest.mark.heading("Regrowth")
def test_of_two_cut_off_in_different_rounds_each_has_its_own_time() -> None:
    table = hydra("hydra.regrowth", *[HEAD, HEAD, TO_GROW, TO_GROW], dice=HIT * 2)
    hit(table, "attack 2")
    hit(table, "attack 3")
    assert (table.round, standing(table)) == (3, ["neck", "crest"])
    table.finish_round()
    assert standing(table) == list(HEADS)


@pytest.mark.heading("Creatures of Several Parts")
def test_a_head_that_has_grown_is_new() -> None:
    # 20 of damage is a wound, and more than 10 hit points below 0 is death.
    head = {**HEAD, "heart_now": 6, "wound_threshold": 5, "conditions": {"slowed": 5}}
    table = hydra("hydra.regrowth", head, dice=HIT)
    hit(table, "attack 2")
    assert (table.status("neck"), table.fighter("neck")["wounds"]) == ("dead", 20)
    table.finish_round()
    grown = table.fighter("neck")
    assert (grown["status"], grown["hp"], grown["heart"], grown["wounds"]) == ("standing", 10, 8, 0)
    assert (grown["conditions"], grown["rush"], grown["action"]) == ({}, 0, True)
    assert table.history("neck", "slowed")[-1] == 0


@pytest.mark.heading("Regrowth")
def test_nothing_grows_on_a_hydra_that_is_out() -> None:
    fighters = {"knight": {}, "hydra": {"abilities": ["hydra.regrowth"], "hp": 20}, "neck": HEAD, "ally": {}}
    table = Table(fighters, HIT)
    hit(table)
    for _ in range(2):
        table.finish_round()
    assert (table.round, table.status("hydra"), standing(table)) == (4, "defeated", [])


@pytest.mark.heading("Regrowth")
def test_a_head_cut_off_before_its_body_went_out_does_not_grow() -> None:
    body = {"abilities": ["hydra.regrowth"], "hp": 20}
    table = Table({"knight": {}, "hydra": body, "neck": HEAD, "ally": {"team": "red"}}, HIT * 2)
    hit(table, "attack 2")
    hit(table)
    assert (table.round, table.status("hydra"), standing(table), table.events_of("grow")) == (3, "defeated", [], [])


@pytest.mark.heading("Regrowth")
def test_another_hydras_head_is_not_its_own() -> None:
    other = {"other": {}, "snout": {**HEAD, "part_of": "other_0"}}
    table = Table({"knight": {}, "hydra": {"abilities": ["hydra.regrowth"]}, "neck": TO_GROW, **other}, HIT)
    hit(table, "attack 4")
    for _ in range(2):
        table.finish_round()
    assert standing(table) == []
