"""Divine Weapon: a blessing for a minute."""

import pytest

from tests.games.heart_rush.rules.table import Table, weapon

pytestmark = pytest.mark.heading("Divine Weapon")
BLOW, DEFENSE = (1, 1, 1), (1, 1)


@pytest.mark.parametrize("field", ["talents", "destiny_talents"])
def test_for_a_minute_attacks_have_a_bonus(field: str) -> None:
    table = Table({"knight": {field: ["divine_weapon"]}, "rogue": {"hp": 80}}, [BLOW, DEFENSE] * 11)
    table.play(knight="use a")
    for _ in range(11):
        table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert [event["attack_roll"] for event in table.events_of("attack")] == [5] * 10 + [3]
    assert "use a" not in table.legal("knight"), "once a day"


def test_it_takes_a_weapon_in_hand() -> None:
    for held in ("unarmed", {**weapon(), "natural": True}):
        fighters = {"knight": {"talents": ["divine_weapon"], "weapon": held}, "rogue": {}}
        assert "use a" not in Table(fighters).legal("knight")


def test_the_blessing_is_on_one_weapon() -> None:
    knight = {"talents": ["divine_weapon"], "spare_weapon": weapon()}
    table = Table({"knight": knight, "rogue": {}}, [BLOW, DEFENSE] * 2).play(knight="use a")
    table.play(knight="swap").engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (3, 2)
    table.finish_round().play(knight="swap").engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (5, 2)


def test_a_fighter_that_has_lost_the_weapon_strikes_without_the_blessing() -> None:
    # Bare hands: a d4, and another in might.
    fighters = {"knight": {"talents": ["divine_weapon"]}, "rogue": {}}
    table = Table(fighters, [(1, 1), (8, 6), (1, 1, 1, 1), DEFENSE]).play(knight="use a")
    table.engage(knight="might", rogue="agility: disarm 1").finish_round()
    assert table.engage(knight="might: attack 1", rogue="cunning").rolls() == (4, 2)


@pytest.mark.interplay("divine_weapon", "indomitable_might")
def test_it_adds_to_indomitable_might() -> None:
    knight = {"talents": ["divine_weapon"], "abilities": ["indomitable_might"]}
    table = Table({"knight": knight, "rogue": {}}, [BLOW, DEFENSE]).play(knight="use a")
    assert table.engage(knight="might: attack 1", rogue="cunning").rolls() == (3 + 10 + 2, 2)
