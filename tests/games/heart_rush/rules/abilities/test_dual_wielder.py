"""Dual Wielder: a weapon in each hand."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Dual Wielder")
SWORD, DAGGER = weapon("light", damage_type="slashing"), weapon("ultralight", damage_type="piercing")
OTHER_SWORD = weapon("light", damage_type="slashing")


def owner(field: str = "talents", held: Fields = SWORD, spare: Fields = DAGGER, **more: object) -> Fields:
    return {field: ["dual_wielder"], "weapon": held, "spare_weapon": spare, **more}


def fought(knight: Fields, dice: Dice, stance: str, against: str) -> Table:
    return Table({"knight": knight, "rogue": {}}, dice).engage(knight=f"{stance}: attack 1", rogue=against)


def sides(table: Table, key: str = "attack_pool") -> list[int]:
    return [die for _, die, _ in table.last("attack")[key]]


@pytest.mark.parametrize("held", [(SWORD, DAGGER), (DAGGER, SWORD)])
def test_the_better_die_and_either_damage_type_count(held: tuple[Fields, Fields]) -> None:
    assert sides(fought(owner("talents", *held), [(1, 2, 3, 3), (1, 1)], "cunning", "defensive")) == [8, 6, 8, 8]
    assert sides(fought(owner("talents", *held), [(1, 2, 3, 3), (1, 1)], "agility", "defensive")) == [8, 6, 8, 8]
    assert sides(fought(owner("talents", *held), [(1, 2, 3), (1, 1)], "might", "defensive")) == [8, 6, 8]


def test_two_of_one_damage_type_add_two_instead() -> None:
    table = fought(owner(spare=OTHER_SWORD), [(1, 2, 3), (1, 1)], "might", "defensive")
    assert table.rolls() == (1 + 2 + 3 + 2, 2)
    small = weapon("ultralight", damage_type="slashing")
    assert sides(fought(owner(held=small, spare=SWORD), [(1, 2, 3), (1, 1)], "might", "defensive")) == [8, 6, 4]


@pytest.mark.parametrize(
    "knight",
    [
        owner(held=weapon("heavy", damage_type="slashing")),
        owner(spare=weapon("heavy", damage_type="piercing")),
        owner(shield="light_shield"),
        owner(spare=weapon("ultralight", "thrown", "piercing")),
        {"talents": ["dual_wielder"], "weapon": SWORD},
    ],
)
def test_it_takes_a_hand_for_each_of_two_weapons_of_one_attack_type(knight: Fields) -> None:
    assert len(sides(fought(knight, [(1, 2, 3), (1, 1)], "cunning", "defensive"))) == 3


def test_as_destiny_a_contest_has_the_die_of_the_second_weapon_twice_if_its_type_fits() -> None:
    both = [(1, 2, 3, 3), (1, 1, 1)]
    # Agility favors the sword in hand, cunning the dagger, which is a d4.
    for stance, more in (("agility", (4,)), ("cunning", (4, 3))):
        table = fought(owner("destiny_talents"), [(*both[0], *more), both[1]], stance, stance)
        assert table.rolls() == (9 + sum(more), 3)
    table = fought(owner("destiny_talents"), [(1, 2, 3, 4), (1, 1, 1)], "might", "might")
    assert table.rolls() == (10, 3)


def test_as_destiny_it_counts_against_no_other_stance_and_in_the_base_version_never() -> None:
    assert fought(owner("destiny_talents"), [(1, 2, 3), (1, 1)], "might", "cunning").rolls() == (6, 2)
    assert fought(owner(), [(1, 2, 3), (1, 1, 1)], "might", "might").rolls() == (6, 3)


@pytest.mark.parametrize(("stance", "dice"), [("agility", (7, 5)), ("might", (7,)), ("cunning", (4,))])
def test_as_destiny_defenses_in_the_same_stance_have_the_die_of_either_weapon(
    stance: str, dice: tuple[int, ...]
) -> None:
    """The better of a d8, twice in agility, and a d4, twice in cunning, where the first of equals counts."""
    table = Table(
        {"knight": owner("destiny_talents"), "rogue": {}}, [(6, 6, 6), (1, 1, *dice)], {"contested": "mutual"}
    )
    table.engage(knight=stance, rogue=f"{stance}: attack 1")
    assert table.rolls() == (18, 2 + sum(dice))


@pytest.mark.interplay("dual_wielder", "staggering_blows")
def test_it_goes_with_staggering_blows() -> None:
    """Staggering Blows sees the die of the second weapon at its maximum."""
    knight = owner("destiny_talents", talents=["staggering_blows"])
    table = Table({"knight": knight, "rogue": {}}, [(1, 2, 3, 4), (1, 1, 1)])
    table.engage(knight="might: attack 1", rogue="might").finish_round()
    assert table.history("rogue", "off_balanced")[0] > 0
