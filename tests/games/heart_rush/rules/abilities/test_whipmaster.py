"""Whipmaster: whips as light weapons, and a lash that holds in place of an attack."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, strike

pytestmark = pytest.mark.heading("Whipmaster")
BASE: Fields = {"talents": ["whipmaster"], "weapon": "whip"}
DESTINY: Fields = {"destiny_talents": ["whipmaster"], "weapon": "whip"}


def lashed(owner: Fields, dice: Dice = (), rogue: Fields | None = None) -> Table:
    """Let the knight lash the rogue, which may then attack the page."""
    table = Table({"knight": owner, "rogue": rogue or {}, "page": {"team": "blue"}}, dice)
    table.engage(knight="cunning", rogue="agility", page="might").play(knight="use_at 1 a")
    return table if table.window != "instant" else table.play()


def test_a_whip_has_a_d8() -> None:
    # In might that beats cunning a whip has a further die.
    table = strike(BASE, dice=[(1, 2, 3, 4), (1, 1)])
    assert [sides for _, sides, _ in table.last("attack")["attack_pool"]] == [8, 6, 8, 8]
    assert table.faults() == []


def test_a_chain_whip_stays_heavy_and_blades_stay_as_they_are() -> None:
    for held, die in (("heavy_flail_whip", 12), ("dagger", 4)):
        table = strike({**BASE, "weapon": held}, stance="agility", against="might", dice=[(1, 2, 3), (1, 1)])
        assert table.last("attack")["attack_pool"][2][1] == die


def test_the_lash_restrains_until_the_round_ends_in_place_of_the_attack() -> None:
    table = lashed(BASE)
    assert table.conditions("rogue") == {"restrained": 1}
    assert table.choosers() == {"rogue"}, "the knight has no attack left"
    table.finish_round()
    assert table.conditions("rogue") == {}
    assert table.history("rogue", "restrained") == [1, 0]
    table.engage(knight="cunning", rogue="agility")
    assert table.window == "instant", "it may be used in each round"


def test_levels_that_were_there_before_stay() -> None:
    table = lashed(BASE, rogue={"conditions": {"restrained": 2}})
    assert table.conditions("rogue") == {"restrained": 3}
    assert table.finish_round().conditions("rogue") == {"restrained": 2}


def test_as_destiny_a_creature_one_size_larger_falls_and_takes_a_d6() -> None:
    table = lashed(DESTINY, [5], {"size": "large"})
    assert (table.window, table.conditions("rogue")) == ("shrug", {"restrained": 1, "prone": 1})
    table.play()
    assert table.hp("rogue") == 35
    table.finish_round()
    assert table.conditions("rogue") == {"prone": 1}


def test_as_destiny_a_larger_one_is_only_restrained() -> None:
    table = lashed(DESTINY, [], {"size": "l2"})
    assert (table.conditions("rogue"), table.hp("rogue")) == ({"restrained": 1}, 40)


@pytest.mark.parametrize(
    ("owner", "against", "offered"),
    [(BASE, "agility", True), (BASE, "might", False), ({**BASE, "weapon": "dagger"}, "agility", False)],
)
def test_it_takes_a_whip_and_a_creature_to_attack(owner: Fields, against: str, offered: bool) -> None:
    table = Table({"knight": owner, "rogue": {}}).engage(knight="cunning", rogue=against)
    assert (table.window == "instant") is offered


@pytest.mark.interplay("death_mark", "whipmaster")
def test_an_attack_that_is_given_up_for_a_death_mark_is_none_for_the_lash() -> None:
    table = Table({"knight": {**BASE, "talents": ["whipmaster", "death_mark"]}, "rogue": {}})
    table.engage(knight="cunning", rogue="agility").play(knight="use_at 1 a").play(knight="use_at 1 b").finish_round()
    assert [event["ability"] for event in table.events_of("use")] == ["death_mark"]
    assert table.history("rogue", "restrained") == []
