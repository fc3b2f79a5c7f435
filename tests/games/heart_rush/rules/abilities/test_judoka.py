"""Judoka: a held creature that is thrown down."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Judoka")
BASE: Fields = {"talents": ["judoka"], "weapon": "unarmed"}
DESTINY: Fields = {"destiny_talents": ["judoka"], "weapon": "unarmed"}
HELD: Fields = {"conditions": {"grappled": {"source": "knight"}}}


def test_both_are_prone_and_the_creature_is_hurt_and_stays_held() -> None:
    table = Table({"knight": BASE, "rogue": HELD}, [5]).play(knight="use a").play()
    assert (table.hp("rogue"), table.hp("knight")) == (35, 40)
    assert table.conditions("rogue") == {"grappled": 1, "prone": 1}
    assert table.conditions("knight") == {"grappling": 1, "prone": 1}
    assert table.fighter("knight")["action"], "it costs nothing"


def test_it_is_thrown_to_an_open_square_beside_the_owner() -> None:
    table = on_map("#F...\n.KR..\n.v...", {"knight": BASE, "rogue": HELD, "fox": {}}, [3]).play(knight="use a")
    assert table.legal("knight") == [f"sidestep {name}" for name in ("ne", "se", "sw", "w")]
    table.play(knight="sidestep sw").play()
    assert (at(table, "knight"), at(table, "rogue"), table.hp("rogue")) == ((1, 1), (0, 2), 37)
    assert table.fighter("knight")["grappling"] == "rogue"
    assert not [event for event in table.events_of("attack")]


def test_a_player_that_names_no_square_takes_the_first() -> None:
    table = on_map(".....\n.KR..\n.....", {"knight": BASE, "rogue": HELD}, [3]).play(knight="use a").play().play()
    assert at(table, "rogue") == (1, 0)


def test_once_a_round() -> None:
    table = Table({"knight": BASE, "rogue": HELD}, [1, 1]).play(knight="use a").play()
    assert "use a" not in table.legal("knight")
    table.finish_round().play(knight="use a").play()
    assert table.hp("rogue") == 38


@pytest.mark.parametrize(
    ("knight", "rogue"), [({**BASE, "weapon": "dagger"}, HELD), (BASE, {})], ids=["armed", "no hold"]
)
def test_it_takes_bare_hands_and_a_hold(knight: Fields, rogue: Fields) -> None:
    assert "use a" not in Table({"knight": knight, "rogue": rogue}).legal("knight")


def test_it_takes_an_open_square() -> None:
    assert "use a" not in on_map("KR\n##", {"knight": BASE, "rogue": HELD}).legal("knight")


def test_a_base_owner_chokes_nobody() -> None:
    held: Fields = {"conditions": {"grappled": {"source": "knight"}, "prone": 1}}
    assert Table({"knight": BASE, "rogue": held}).finish_round().hp("rogue") == 40


def test_of_destiny_a_prone_creature_that_is_held_suffocates() -> None:
    held: Fields = {"conditions": {"grappled": {"source": "knight"}, "prone": 1}}
    table = Table({"knight": DESTINY, "rogue": held}, [5]).finish_round()
    assert table.hp("rogue") == 35
    assert "suffocating" not in table.conditions("rogue")


def test_an_action_takes_breath_only_as_long_as_the_hold_lasts() -> None:
    held: Fields = {"conditions": {"grappled": {"source": "knight"}, "prone": 1}}
    fighters: Fields = {"knight": DESTINY, "rogue": held, "fox": {}}
    table = Table(fighters, [4, 5]).play(rogue="help 1").play()
    assert table.hp("rogue") == 36
    assert table.finish_round().hp("rogue") == 31
    # A check to break free rolls d8 and d6; it is not hindered, but the holder's is.
    table = Table(fighters, [(8, 6), (1, 1, 1)]).play(rogue="break_free").finish_round()
    assert (table.conditions("rogue"), table.hp("rogue")) == ({"prone": 1}, 40)


def test_who_is_not_prone_or_not_held_by_bare_hands_breathes() -> None:
    assert Table({"knight": DESTINY, "rogue": HELD}).finish_round().hp("rogue") == 40
    held: Fields = {"conditions": {"grappled": {"source": "knight"}, "prone": 1}}
    assert Table({"knight": {**DESTINY, "weapon": "dagger"}, "rogue": held}).finish_round().hp("rogue") == 40


def test_a_throw_of_destiny_takes_the_breath_at_once() -> None:
    table = Table({"knight": DESTINY, "rogue": HELD}, [2, 3]).play(knight="use a").play().finish_round()
    assert table.hp("rogue") == 35


@pytest.mark.interplay("fists_knees_and_elbows", "judoka")
def test_with_fists_knees_and_elbows_the_prone_are_struck() -> None:
    owner: Fields = {"talents": ["judoka"], "abilities": ["fists_knees_and_elbows"], "weapon": "unarmed"}
    # The attack: heart, agility and fist d4, one more for being prone; holding does not hinder it.
    table = Table({"knight": owner, "rogue": HELD}, [1, (1, 1, 1, 1), 6, (1, 1, 1, 1)])
    table.play(knight="use a").play().play(knight="use b")
    table.engage(knight="agility: attack 1", rogue="might")
    assert table.rolls()[0] == 9
