"""Fists, Knees, and Elbows: unarmed attacks on a held creature."""

import pytest

from tests.games.heart_rush.rules.table import Fields, Table

pytestmark = pytest.mark.heading("Fists, Knees, and Elbows")
OWNER = {"abilities": ["fists_knees_and_elbows"], "weapon": "unarmed"}
HELD = {"conditions": {"grappled": {"source": "knight"}}}
# The held creature defends with another d8 and drops the highest; a holder attacks with another d8 and does the same.
HELD_DEFENSE, HINDERED = (1, 1, 1), (3, 2, 1, 8)


def test_the_might_die_comes_to_it_and_holding_does_not_hinder() -> None:
    knight = {**OWNER, "might": 12}
    table = Table({"knight": knight, "rogue": HELD}, [(3, 2, 1), 11, HELD_DEFENSE, HINDERED, HELD_DEFENSE])
    assert table.play(knight="use a").fighter("knight")["rush"] == 0
    assert "use a" not in table.legal("knight")
    table.engage(knight="agility: attack 1", rogue="might")
    assert table.rolls() == (6 + 11, 2)
    assert table.last("attack")["attack_pool"][3:] == [["bonus", 12, 11]]
    table.finish_round().engage(knight="agility: attack 1", rogue="might")
    assert table.rolls() == (6, 2), "it holds for one round"


def test_attacks_on_others_are_hindered_as_ever() -> None:
    table = Table({"knight": OWNER, "rogue": HELD, "fox": {}}, [HINDERED, (1, 1)]).play(knight="use a")
    table.engage(knight="agility: attack 2", fox="might")
    assert table.rolls() == (6, 2)


def test_natural_weapons_and_empty_hands_are_unarmed() -> None:
    claws = {"size": "ultralight", "attack_type": "melee", "damage_type": "none", "natural": True}
    assert "use a" in Table({"knight": {**OWNER, "weapon": claws}, "rogue": HELD}).legal("knight")


@pytest.mark.parametrize(
    ("knight", "rogue"), [({}, {}), ({"weapon": "dagger"}, HELD), ({"rush": 0}, HELD)], ids=["no hold", "armed", "poor"]
)
def test_it_takes_a_hold_and_bare_hands_and_a_point(knight: Fields, rogue: Fields) -> None:
    table = Table({"knight": {**OWNER, **knight}, "rogue": rogue, "page": {"team": "blue"}})
    assert "use a" not in table.legal("knight")


def test_haphazard_counts_a_one_of_the_might_die_as_well() -> None:
    knight = {**OWNER, "talents": ["haphazard"]}
    table = Table({"knight": knight, "rogue": HELD}, [(3, 2, 2), 1, HELD_DEFENSE]).play(knight="use b")
    assert table.engage(knight="agility: attack 1", rogue="might").rolls() == (7 + 6, 2)
