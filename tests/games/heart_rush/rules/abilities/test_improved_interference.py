"""Improved Interference: a list of hinders of its own, also against the owner's own stance."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map, told_ways
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Improved Interference")
OWNER: Fields = {"abilities": ["improved_interference"]}
DAZED, OFF_BALANCED, WEAKENED, BLINDED, PRONE, PUSH, ENRAGED, TRADE = (f"pick {k}" for k in range(8))
ROW = "......\n.KR...\n......"


def hindered(table: Table, choice: str, stance: str = "cunning", against: str = "agility") -> Table:
    """Let the knight hinder the rogue, and play on to the next round."""
    table.engage(knight=stance, rogue=against).play(knight="use_at 1 a").play(knight=choice)
    return table.finish_round()


@pytest.mark.parametrize(
    ("choice", "condition"), [(DAZED, "dazed"), (OFF_BALANCED, "off_balanced"), (WEAKENED, "weakened")]
)
def test_a_d6_and_three_levels(choice: str, condition: str) -> None:
    table = hindered(Table({"knight": OWNER, "rogue": {}}, [5]), choice)
    assert (table.history("rogue", condition), table.hp("rogue")) == ([3, 2], 35)
    assert not table.events_of("attack")


def test_a_d6_and_two_levels_of_blinded_which_stay_fresh_for_a_round() -> None:
    table = hindered(Table({"knight": OWNER, "rogue": {}}, [6]), BLINDED)
    assert (table.conditions("rogue"), table.hp("rogue")) == ({"blinded": 2}, 34)
    assert table.finish_round().conditions("rogue") == {"blinded": 1}


@pytest.mark.parametrize(("size", "falls"), [("l2", True), ("l3", False)])
def test_prone_up_to_two_sizes_larger(size: str, falls: bool) -> None:
    table = Table({"knight": OWNER, "rogue": {"size": size}})
    table.engage(knight="cunning", rogue="agility").play(knight="use_at 1 a")
    assert (PRONE in table.legal("knight")) is falls
    if falls:
        assert table.play(knight=PRONE).finish_round().conditions("rogue") == {"prone": 1}


def test_the_prone_do_not_fall_and_no_places_are_traded_without_a_map() -> None:
    table = Table({"knight": OWNER, "rogue": {"conditions": {"prone": 1}}})
    table.engage(knight="cunning", rogue="agility").play(knight="use_at 1 a")
    assert table.legal("knight") == [DAZED, OFF_BALANCED, WEAKENED, BLINDED, ENRAGED]


@pytest.mark.parametrize(("size", "x"), [("medium", 4), ("small", 5), ("large", 3)])
def test_a_push_of_10_feet_and_5_for_each_size(size: str, x: int) -> None:
    blade = {"size": "ultralight", "attack_type": "melee", "damage_type": "none"}
    table = hindered(on_map(ROW, {"knight": OWNER, "rogue": {"size": size, "weapon": blade}}), PUSH)
    assert (at(table, "rogue"), table.conditions("rogue")) == ((x, 1), {})


def test_enraged_at_the_owner() -> None:
    table = hindered(Table({"knight": OWNER, "rogue": {}}), ENRAGED)
    assert table.fighter("rogue")["sources"] == {"enraged": "knight"}
    assert table.conditions("rogue") == {"enraged": 1}


def test_in_december_the_creature_is_aggravated() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, rules={"edition": "december2025"})
    assert hindered(table, ENRAGED).conditions("rogue") == {"aggravated": 1}


def test_places_are_traded_without_an_opening() -> None:
    table = hindered(on_map(ROW, {"knight": OWNER, "rogue": {}}), TRADE)
    assert (at(table, "knight"), at(table, "rogue")) == ((2, 1), (1, 1))
    assert told_ways(table, "swing") == [("knight", [[2, 1]])]
    assert told_ways(table, "drag") == [("rogue", [[1, 1]])]
    assert not table.events_of("attack")


def trades(rogue: Fields, ground: str = ROW, knight: Fields | None = None) -> bool:
    """Return whether the owner may trade places with the rogue."""
    table = on_map(ground, {"knight": {**OWNER, **(knight or {})}, "rogue": rogue})
    table.engage(knight="cunning", rogue="agility").play(knight="use_at 1 a")
    return TRADE in table.legal("knight")


def test_places_are_traded_within_one_size_and_by_spaces_that_are_alike() -> None:
    blade = {"size": "ultralight", "attack_type": "melee", "damage_type": "none"}
    assert trades({})
    assert trades({"size": "large"})
    assert not trades({"size": "tiny", "weapon": blade})
    assert not trades({"size": "l2"}, "......\n.KRR..\n..RR..")
    assert not trades({"size": "l2"}, "......\n.KRR..\n..RR..", {"size": "large"}), "a space of four squares"


def test_fear_forbids_to_trade_places() -> None:
    assert not trades({}, knight={"conditions": {"frightened": {"levels": 1, "source": "rogue"}}})


def test_the_owners_own_stance_is_no_bar_to_maneuvers() -> None:
    for owner, offered in ((OWNER, True), ({}, False)):
        table = Table({"knight": owner, "rogue": {}}).engage(knight="cunning", rogue="cunning")
        table.pass_to("attack")
        assert ("taunt 1" in table.legal("knight")) is offered
    table = hindered(Table({"knight": OWNER, "rogue": {}}, [2]), DAZED, "might", "might")
    assert (table.history("rogue", "dazed"), table.hp("rogue")) == ([3, 2], 38)


def test_a_stance_that_wins_over_none_is_a_bar() -> None:
    table = Table({"knight": OWNER, "rogue": {}}).engage(knight="cunning", rogue="might")
    assert table.window != "instant"
    table = Table({"knight": OWNER, "rogue": {}, "fox": {}}).engage(knight="cunning", rogue="defensive", fox="agility")
    assert [name for name in table.legal("knight") if name.startswith("use")] == ["use_at 2 a"]
    table.pass_to("attack")
    assert ("taunt 1" in table.legal("knight"), "taunt 2" in table.legal("knight")) == (False, True)
    table = on_map("K.R", {"knight": OWNER, "rogue": {}}).engage(knight="cunning", rogue="agility")
    assert table.window != "instant", "it is too far away"


@pytest.mark.heading("Hinder")
def test_the_list_replaces_the_hinders_of_the_book() -> None:
    for owner, offered in ((OWNER, False), ({}, True)):
        table = Table({"knight": owner, "rogue": {}}).engage(knight="cunning", rogue="agility").pass_to("attack")
        for name in ("dirty_strike 1 dazed", "blind 1", "trip 1", "shove 1"):
            assert (name in table.legal("knight")) is offered
        assert "disarm 1" in table.legal("knight")


def test_it_takes_the_place_of_the_attack_and_waits_for_the_effects_of_the_phase() -> None:
    table = Table({"knight": OWNER, "rogue": {}, "page": {"team": "blue"}}, [(8, 6, 8), (1, 1), 3])
    table.engage(knight="cunning", rogue="agility", page="cunning").play(knight="use_at 1 a").play(knight=DAZED)
    table.pass_to("attack")
    assert (table.choosers(), table.conditions("rogue")) == ({"page"}, {})
    table.play(page="attack 1")
    assert (table.rolls(), table.window, table.conditions("rogue")) == ((22, 2), "shrug", {})
    table.play()
    assert (table.window, table.hp("rogue"), table.conditions("rogue")) == ("shrug", 20, {"dazed": 3})
    assert table.play().hp("rogue") == 17


def test_a_creature_that_is_out_by_then_is_not_hindered() -> None:
    table = Table({"knight": OWNER, "rogue": {"hp": 1}, "page": {"team": "blue"}, "fox": {}}, [(8, 6, 8), (1, 1)])
    table.engage(knight="cunning", rogue="agility", page="cunning", fox="might")
    table.play(knight="use_at 1 a").play(knight=DAZED).pass_to("attack").play(page="attack 1").finish_round()
    assert (table.status("rogue") != "standing", table.history("rogue", "dazed")) == (True, [])


@pytest.mark.interplay("improved_interference", "psionics")
def test_of_two_abilities_that_take_the_place_of_the_attack_one_is_used() -> None:
    owner = {"abilities": ["improved_interference", "psionics"]}
    table = Table({"knight": owner, "rogue": {}}).engage(knight="cunning", rogue="agility")
    table.play(knight="use_at 1 a").play(knight=ENRAGED).play(knight="use_at 1 b").play(knight="pick 2").finish_round()
    assert table.conditions("rogue") == {"confused": 3}
    assert [event["ability"] for event in table.events_of("use")] == ["psionics"]
