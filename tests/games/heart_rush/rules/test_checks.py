"""Dice Mechanics: checks, contested checks, might or agility, challenge numbers."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table


def break_free(knight: Fields, dice: Dice) -> Table:
    """Let the knight break free of the orc, which has disadvantage because it is grappling."""
    conditions = {"grappled": {"source": "orc"}, **knight.get("conditions", {})}
    return Table({"knight": {**knight, "conditions": conditions}, "orc": {}}, dice).play(knight="break_free")


@pytest.mark.heading("Checks and Saves")
def test_a_check_rolls_heart_and_ability_and_nothing_else() -> None:
    table = break_free({"weapon": "longsword", "armor": "heavy"}, [5, 4, 3, 2, 8])
    assert table.last("check")["attack_dice"] == [5, 4]  # no weapon die
    assert table.rolls("check") == (9, 5)  # 5+4, no armor; 3+2+8 without 8


@pytest.mark.heading("Checks and Saves")
def test_a_check_rolls_the_heart_die_as_it_is_now() -> None:
    assert break_free({"heart": 12, "heart_now": 4}, [4, 4, 1, 1, 8]).rolls("check") == (8, 2)
    with pytest.raises(ValueError, match="expected 1 to 4 for a d4, got 5"):
        break_free({"heart": 12, "heart_now": 4}, [5, 4, 1, 1, 8])
    Table.laid.clear()


@pytest.mark.heading("Contested Checks", "Breaking Free")
@pytest.mark.parametrize(
    ("dice", "free"),
    [
        ([6, 5, 6, 4, 8], True),  # 11 against 10
        ([6, 4, 6, 4, 8], False),  # 10 against 10: a tie changes nothing
        ([5, 4, 6, 4, 8], False),  # 9 against 10
    ],
)
def test_the_higher_total_wins_and_a_tie_leaves_things_as_they_were(dice: Dice, free: bool) -> None:
    table = break_free({}, dice)
    assert table.last("check")["success"] is free
    assert ("grappled" not in table.conditions("knight")) is free


@pytest.mark.heading("Might or Agility")
@pytest.mark.parametrize("knight", [{"might": 4, "agility": 12}, {"might": 12, "agility": 4}])
def test_might_or_agility_is_the_larger_die(knight: Fields) -> None:
    assert break_free(knight, [1, 11, 1, 1, 8]).rolls("check") == (12, 2)  # only a d12 shows 11


@pytest.mark.heading("Might or Agility")
def test_disadvantage_counts_when_might_or_agility_is_chosen() -> None:
    # d8+d8 with D3 are worth less than d8+d6: might, so no third die.
    table = break_free({"might": 6, "agility": 8, "conditions": {"off_balanced": 3}}, [5, 6, 1, 1, 8])
    assert table.last("check")["attack_dice"] == [5, 6]


@pytest.mark.heading("Might or Agility")
def test_a_much_larger_die_is_worth_its_disadvantage() -> None:
    # d8+d12 with D1, 9.1 on average, are worth more than d8+d4, 7.
    table = break_free({"might": 4, "agility": 12, "conditions": {"off_balanced": 1}}, [5, 9, 12, 1, 1, 8])
    assert table.rolls("check") == (14, 2)  # 5+9+12 without 12


@pytest.mark.heading("Might or Agility")
def test_equally_good_dice_are_might() -> None:
    # The winner of a stunt shows which die was named: a disarm is opposed with might or agility.
    table = Table({"knight": {"agility": 8}, "rogue": {}}, [8, 6, 1, 1])
    table.engage(knight="agility: disarm 1", rogue="might")
    assert table.last("maneuver")["success"]
    assert int(table._fights._fights[0].fighters[1].check_ability) == 0  # might


@pytest.mark.heading("Challenge Numbers", "Entangled")
@pytest.mark.parametrize(("die", "free"), [(3, True), (2, False)])
def test_a_number_set_by_a_creature_is_the_highest_face_of_its_die(die: int, free: bool) -> None:
    knight = {"conditions": {"entangled": {"source": "hunter"}}}
    table = Table({"knight": knight, "hunter": {"cunning": 8, "might": 12}}, [5, die, 8])
    table.play(knight="wriggle_free")
    # 5+die (and a d8 that the net's disadvantage drops) against 8, the face of the hunter's cunning
    assert table.last("check")["attack_roll"] == 5 + die
    assert ("entangled" not in table.conditions("knight")) is free
