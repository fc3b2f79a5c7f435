"""Battleweave: each sidestep hurts enemies beside the new square."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Battleweave")
BASE: Fields = {"talents": ["battleweave"]}
DESTINY: Fields = {"destiny_talents": ["battleweave"]}
GROUND = ".....\nME...\nR....\n....."  # the monk and the rogue are beside the elf


def woven(elf: Fields, step: str = "sidestep n", ground: str = GROUND, **more: Fields) -> Table:
    """Return a table after a sidestep of the owner in the action phase."""
    return on_map(ground, {"elf": elf, "monk": {}, "rogue": {}, **more}).play(elf=step)


def hurts(table: Table) -> list[int]:
    """Return the damage that enemies have taken so far, in order."""
    return [event["amount"] for event in table.events_of("damage")]


def test_two_for_each_enemy_that_was_adjacent_to_the_one_that_is_beside_the_new_square() -> None:
    table = woven(BASE)
    assert (table.window, table.choosers()) == ("shrug", {"monk"}), "nobody else is beside the new square"
    table.play(monk="take")
    assert (table.hp("monk"), table.window) == (40 - 4, "action")
    assert table.last("damage")["cause"] == "ability"


def test_of_several_the_owner_names_one_and_shrugging_halves_it() -> None:
    table = woven(BASE, "sidestep s")
    assert (table.window, table.legal("elf")) == ("pick", ["pick_at 1", "pick_at 2"])
    table.restore().play(elf="pick_at 2").play(rogue="shrug")
    assert (table.hp("monk"), table.hp("rogue"), table.faults()) == (40, 38, [])


def test_whoever_steps_out_of_the_throng_or_was_alone_hurts_nobody() -> None:
    assert hurts(woven(BASE, "sidestep e")) == []
    table = woven(BASE, "sidestep s", ".....\n.E...\n.....\nM...R")
    assert (at(table, "elf"), table.window, hurts(table)) == ((1, 2), "action", [])


def test_an_ally_is_not_hurt_and_does_not_count() -> None:
    table = woven(BASE, "sidestep n", page={"team": "blue"}, ground=".....\nMEP..\n.....\n..R..").play()
    assert (hurts(table), table.hp("page")) == ([2], 40)


@pytest.mark.parametrize(("answer", "damage"), [("pick 0", [8]), ("pick 1", [4, 4])])
def test_as_destiny_one_doubled_or_all(answer: str, damage: list[int]) -> None:
    table = woven(DESTINY, "sidestep s")
    assert (table.window, table.legal("elf")) == ("pick", ["pick 0", "pick 1"])
    table.play(elf=answer)
    if answer == "pick 0":
        table.play(elf="pick_at 1")
    assert hurts(table.play()) == damage


def test_as_destiny_a_single_enemy_takes_the_double_without_a_question() -> None:
    assert hurts(woven(DESTINY).play()) == [8]


def test_without_an_answer_the_first_enemy_takes_it() -> None:
    table = woven(BASE, "sidestep s").play().play()
    assert (table.hp("monk"), table.hp("rogue")) == (36, 40)


def test_each_round_counts_anew() -> None:
    table = woven(BASE, "sidestep e").finish_round()
    table.play(elf="sidestep w").play()
    assert hurts(table) == [], "nobody was adjacent as the round started"


@pytest.mark.heading("Agility Stance")
def test_the_step_of_the_stance_hurts_at_the_end_of_the_phase() -> None:
    table = on_map(GROUND, {"elf": BASE, "monk": {}, "rogue": {}})
    table.engage(elf="agility", monk="cunning", rogue="cunning").pass_to("attack", "agility").play(elf="sidestep n")
    assert (table.window, table.phase) == ("shrug", "agility")
    assert hurts(table.play()) == [4]


@pytest.mark.heading("Orders", "Dodge and Weave")
@pytest.mark.interplay("bandit_captain.orders", "battleweave")
def test_a_step_that_an_order_brings_counts_too() -> None:
    captain: Fields = {"team": "blue", "abilities": ["bandit_captain.orders"]}
    elf = {"talents": ["battleweave", "dodge_and_weave"]}
    table = on_map(f"{GROUND}\n....C", {"elf": elf, "monk": {}, "rogue": {}, "captain": captain})
    table.play(captain="use_for 1 a").play(elf="sidestep n")
    assert hurts(table.play()) == [4]
    assert table.window == "action"


@pytest.mark.heading("Elusive")
@pytest.mark.interplay("battleweave", "elusive")
def test_while_hits_land_its_damage_comes_after_them() -> None:
    elf = {"talents": ["battleweave"], "abilities": ["elusive"], "rush": 3}
    table = on_map(GROUND, {"elf": elf, "monk": {"agility": 8}, "rogue": {}}, [(4, 3, 5), (1, 1), (4, 3, 5), (1, 1)])
    table.pass_to("stance").play(elf="stance agility", monk="stance cunning", rogue="stance cunning")
    table.play(monk="attack 1", rogue="attack 1").play(elf="take").play(elf="use b").play(elf="sidestep n")
    while table.window in ("shrug", "instant"):
        table.play()
    told = [(event["fighter"], event["amount"]) for event in table.events_of("damage")]
    assert (told, table.hp("monk"), table.faults()) == ([("elf", 10), ("elf", 10), ("monk", 4)], 36, [])


@pytest.mark.heading("Last Stand", "Taking Damage")
def test_it_fells_and_ends_the_fight() -> None:
    table = on_map("......\nME....", {"elf": BASE, "monk": {"hp_now": 2}}).play(elf="sidestep n").play()
    assert (table.status("monk"), table.finish_round().window) == ("defeated", "over")
