"""Tactically Savvy: allies that hit have the benefits of all three attacking stances."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Tactically Savvy")
OWNER = {"abilities": ["tactically_savvy"]}
HIT: Dice = [(8, 6, 8), (1, 1)]
MISS: Dice = [(1, 1, 1), (8, 6)]


def fought(striker: str = "page", dice: Dice = HIT, *, knight: str = "cunning", owner: Fields = OWNER) -> Table:
    """Let the page, in might, or the elf, in agility, hit the rogue as the owner's side shows all stances."""
    fighters: dict[str, Any] = {
        "knight": owner, "rogue": {"cunning": 8}, "page": {"team": "blue"}, "elf": {"team": "blue"},
    }  # fmt: skip
    table = Table(fighters, dice).engage(knight=knight, rogue="defensive", page="might", elf="agility")
    return table.pass_to("attack", {"page": "might", "elf": "agility"}[striker]).play(**{striker: "attack 1"})


@pytest.mark.parametrize("striker", ["page", "elf"])
def test_an_ally_that_hits_names_levels_of_the_cunning_effect(striker: str) -> None:
    table = fought(striker).pass_to("pick")
    assert table.choosers() == {striker}
    assert table.legal(striker) == [f"pick {k}" for k in range(9)]
    table.play(**{striker: "pick 6"})
    assert max(table.history("rogue", "off_balanced")) == 2


@pytest.mark.parametrize(("split", "options"), [(True, 9), (False, 6)])
def test_the_levels_are_split_only_where_the_setting_lets_them(split: bool, options: int) -> None:
    fighters: dict[str, Any] = {"knight": OWNER, "rogue": {}, "page": {"team": "blue"}, "elf": {"team": "blue"}}
    table = Table(fighters, HIT, {"cunning_split": split})
    table.engage(knight="cunning", rogue="defensive", page="might: attack 1", elf="agility").pass_to("pick")
    assert len(table.legal("page")) == options


def test_a_player_that_names_none_gives_two_levels_that_impair_the_largest_die() -> None:
    table = fought().pass_to("pick").play()
    assert max(table.history("rogue", "dazed")) == 2


@pytest.mark.parametrize(
    ("dice", "knight", "owner"), [(MISS, "cunning", OWNER), (HIT, "might", OWNER), (HIT, "cunning", {})]
)
def test_it_takes_a_hit_all_stances_and_the_ability(dice: Dice, knight: str, owner: Fields) -> None:
    table = fought(dice=dice, knight=knight, owner=owner).finish_round()
    assert table.events_of("pick") == []


def test_the_owner_itself_has_no_further_benefit() -> None:
    fighters: dict[str, Any] = {"knight": OWNER, "rogue": {}, "page": {"team": "blue"}, "elf": {"team": "blue"}}
    table = Table(fighters, HIT)
    table.engage(knight="might: attack 1", rogue="defensive", page="cunning", elf="agility").finish_round()
    assert table.events_of("pick") == []


GROUND = "..........\n.PR.......\n..........\nE.......K."


def on_ground(striker: str, dice: Dice = HIT, **stances: str) -> Table:
    fighters: dict[str, Any] = {
        "knight": OWNER, "rogue": {}, "page": {"team": "blue"}, "elf": {"team": "blue", "talents": []},
    }  # fmt: skip
    table = on_map(GROUND, fighters, dice).engage(rogue="defensive", **stances)
    return table.pass_to("attack", stances[striker]).play(**{striker: "attack 1"})


def test_an_ally_in_cunning_pushes_and_steps() -> None:
    """The push of ten feet comes with the effects of the phase, the sidestep after it; the levels are its own."""
    table = on_ground("page", knight="might", page="cunning", elf="agility").pass_to("pick")
    assert at(table, "rogue") == (4, 1)
    assert [name for name in table.legal("page") if name.startswith("pick")] == []
    table.play(page="sidestep e")
    assert (at(table, "page"), table.window) == ((2, 1), "attack")


def test_an_ally_in_might_pushes_once_and_may_decline_the_step() -> None:
    table = on_ground("page", knight="cunning", page="might", elf="agility").pass_to("pick")
    assert at(table, "rogue") == (2, 1), "defensive is not beaten by might, and the push is that of its own stance"
    assert "pass" in table.legal("page")
    table.play()
    assert table.window == "pick" and table.legal("page")[0] == "pick 0"
    table.play(page="pick 0").finish_round()
    assert at(table, "page") == (1, 1)


@pytest.mark.interplay("mighty", "tactically_savvy")
def test_mighty_doubles_the_push_as_well() -> None:
    fighters: dict[str, Any] = {
        "knight": OWNER, "rogue": {}, "page": {"team": "blue", "talents": ["mighty"]}, "elf": {"team": "blue"},
    }  # fmt: skip
    table = on_map(GROUND, fighters, HIT).engage(
        knight="might", rogue="defensive", page="cunning: attack 1", elf="agility"
    )
    assert at(table.pass_to("pick"), "rogue") == (6, 1)


def test_each_round_counts_for_itself() -> None:
    """A hit of a round in which the side shows two stances earns nothing in the next, in which it shows all three."""
    fighters: dict[str, Any] = {"knight": OWNER, "rogue": {}, "page": {"team": "blue"}, "elf": {"team": "blue"}}
    table = Table(fighters, [*HIT, *MISS])
    table.engage(knight="cunning", rogue="defensive", page="cunning: attack 1", elf="agility").finish_round()
    table.engage(knight="cunning", rogue="defensive", page="might: attack 1", elf="agility").finish_round()
    assert table.events_of("pick") == []


PUNISHER: Fields = {"abilities": ["phantom_knight.punish_aggression"]}
FELLED: Dice = [*HIT, 1]  # the d6 of the punisher comes after the hit


def test_an_ally_that_falls_before_it_names_levels_owes_them_to_nobody_in_the_next_round() -> None:
    """The page hits the punisher and falls to 0; healed by two points of Battle Spirited, it hits the fox."""
    fighters: dict[str, Fields] = {
        "knight": {"abilities": ["tactically_savvy", "battle_spirited"]},
        "page": {"team": "blue", "hp_now": 1}, "elf": {"team": "blue"}, "rogue": PUNISHER, "fox": {},
    }  # fmt: skip
    table = Table(fighters, [*FELLED, *HIT], heroes=["blue"]).play(knight="use b").play(knight="pick 1")
    stances = {"knight": "cunning", "elf": "agility", "rogue": "defensive", "fox": "defensive"}
    table.engage(page="might: attack 1", **stances).pass_to("yield").play(page="yield")
    assert (table.round, table.hp("page"), table.status("page")) == (2, 2, "standing")
    table.engage(page="might: attack 2", **stances).pass_to("pick").play(page="pick 6")
    assert [max(table.history(name, "off_balanced"), default=0) for name in ("rogue", "fox")] == [0, 2]


@pytest.mark.heading("Engaging the Enemy")
def test_an_ally_that_falls_before_it_names_levels_owes_them_to_nobody_in_the_next_engagement() -> None:
    """In a classic round, the monk heals the page, and two others show the stances that the page does not."""
    fighters: dict[str, Fields] = {
        "knight": OWNER, "page": {"team": "blue", "hp_now": 1}, "elf": {"team": "blue"}, "squire": {"team": "blue"},
        "monk": {"team": "blue", "talents": ["rejuvenate"]}, "rogue": {**PUNISHER, "team": "red"}, "fox": {},
    }  # fmt: skip
    table = Table(fighters, [3, *FELLED, *HIT], {"edition": "classic"}, heroes=["blue"])
    table.play(rogue="engage 2").pass_to("enter").play(elf="enter", squire="enter").pass_to("stance")
    table.play(page="stance might", elf="stance agility", squire="stance cunning").pass_to("attack", "might")
    table.play(page="attack 1").pass_to("yield").play(page="yield").pass_to("action")
    table.play(monk="use_for 2 a").play(monk="pick 2").play(monk="pick 0")
    table.play(fox="engage 2").pass_to("enter").play(knight="enter", monk="enter").pass_to("stance")
    table.play(page="stance might", knight="stance agility", monk="stance cunning").pass_to("attack", "might")
    table.play(page="attack 2").pass_to("pick").play(page="pick 6")
    assert (table.round, table.status("page")) == (1, "standing")
    assert [max(table.history(name, "off_balanced"), default=0) for name in ("rogue", "fox")] == [0, 2]


def test_an_owner_that_is_out_helps_nobody() -> None:
    fighters: dict[str, Any] = {
        "knight": {**OWNER, "hp_now": 1}, "rogue": {}, "page": {"team": "blue"}, "elf": {"team": "blue"}, "fox": {},
    }  # fmt: skip
    table = Table(fighters, [*HIT, *HIT])
    table.engage(knight="agility", rogue="defensive", page="might", elf="cunning", fox="cunning")
    table.pass_to("attack", "cunning").play(fox="attack 1")
    table.pass_to("attack", "might").play(page="attack 1").finish_round()
    assert (table.status("knight"), table.events_of("pick")) == ("defeated", [])
