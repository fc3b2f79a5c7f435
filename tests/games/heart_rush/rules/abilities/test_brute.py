"""Toughness of the Brute: damage of one chosen kind is halved."""

import pytest

from tests.games.heart_rush.rules.table import Fields, Table, weapon

pytestmark = pytest.mark.heading("Toughness")
TOUGH: Fields = {"abilities": ["brute.toughness"]}
SWORD, MACE = {"weapon": weapon(damage_type="slashing")}, {"weapon": weapon(damage_type="bludgeoning")}


def hit(table: Table, name: str) -> int:
    """Return the damage of an attack in cunning, in which no damage type helps: 5 + 4 + 6 against 1 + 1."""
    before = table.hp("brute")
    table.engage(**{name: "cunning: attack 1"}, brute="agility").play(brute="take")
    return before - table.hp("brute")


@pytest.mark.parametrize(("pick", "damage"), [(0, 13), (1, 7), (2, 13)])
def test_its_owner_chooses_as_the_fight_begins_before_all_else(pick: int, damage: int) -> None:
    table = Table({"knight": SWORD, "brute": TOUGH}, [(5, 4, 6), (1, 1)])
    assert (table.window, table.choosers(), table.round) == ("pick", {"brute"}, 1)
    assert table.legal("brute") == ["pick 0", "pick 1", "pick 2"]
    table.restore().play(brute=f"pick {pick}")
    assert hit(table, "knight") == damage


def test_it_holds_for_the_fight_and_is_asked_once() -> None:
    table = Table({"knight": SWORD, "brute": TOUGH}, [(5, 4, 6), (1, 1)] * 2).play(brute="pick 1")
    assert (hit(table, "knight"), table.finish_round().window) == (7, "stance")
    assert hit(table, "knight") == 7


@pytest.mark.parametrize(
    ("fighters", "kind"),
    [
        ({"knight": SWORD, "monk": {**SWORD, "team": "blue"}, "page": {**MACE, "team": "blue"}}, "slashing"),
        ({"knight": SWORD, "page": {**MACE, "team": "blue"}}, "bludgeoning"),
        ({"knight": {}, "page": {"team": "blue"}}, "bludgeoning"),
        ({"knight": SWORD, "page": MACE, "monk": MACE}, "slashing"),  # allies do not count
    ],
)
def test_left_alone_it_chooses_the_kind_of_most_enemies(fighters: dict[str, Fields], kind: str) -> None:
    table = Table({**fighters, "brute": TOUGH}).play()
    assert table.last("pick")["answer"] == kind


@pytest.mark.interplay("brute.toughness", "ogre.thick_hide")
def test_with_thick_hide_a_blow_is_halved_twice() -> None:
    fighters = {"knight": MACE, "brute": {"abilities": ["brute.toughness", "ogre.thick_hide"]}}
    table = Table(fighters, [(5, 4, 6), (1, 1)]).play(brute="pick 0")
    assert hit(table, "knight") == 4  # 13, 7, 4


def test_fire_has_no_kind() -> None:
    burning = {**TOUGH, "conditions": {"burning": 1}}
    table = Table({"knight": MACE, "brute": burning}, [5]).play(brute="pick 0").finish_round()
    assert table.hp("brute") == 35


@pytest.mark.heading("Sandstorm")
def test_its_owner_is_asked_before_a_storm_of_that_moment_lands() -> None:
    table = Table({"horror": {"abilities": ["skittering_horror_carapace.sandstorm"]}, "brute": TOUGH}, [4])
    assert (table.window, table.hp("brute")) == ("pick", 40)
    assert table.play(brute="pick 0").window == "shrug"
