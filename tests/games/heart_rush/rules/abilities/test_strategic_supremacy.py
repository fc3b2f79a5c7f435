"""Strategic Supremacy: for a minute, damage to one creature is doubled and damage to another is halved."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Strategic Supremacy")
OWNER = {"abilities": ["strategic_supremacy", "rallying_cry"]}
ITSELF, ALLY = "pick 0", "pick 1"


def planned(*answers: str, dice: Dice = (), page: Fields | None = None, rogue: Fields | None = None) -> Table:
    """Return a table at which the knight has named the rogue and somebody to protect."""
    fighters = {"knight": OWNER, "rogue": rogue or {}, "page": {"team": "blue", **(page or {})}, "fox": {}}
    table = Table(fighters, dice).play(knight="use_at 1 a")
    for answer in answers:
        table.play(knight=answer)
    return table


def hurt(table: Table, striker: str, target: str, number: int, against: str = "cunning") -> int:
    """Return the hit points that the target loses to an attack in might."""
    before = table.hp(target)
    table.engage(**{striker: f"might: attack {number}", target: against}).finish_round()
    return before - table.hp(target)


# Attacks of 5 + 3 + 8 against 4 + 3 deal 9 damage.
NINE = [(5, 3, 8), (4, 3)]


def test_damage_to_the_named_enemy_is_doubled_by_whomever_it_is_dealt() -> None:
    assert hurt(planned(ITSELF, dice=NINE), "knight", "rogue", 1) == 18
    assert hurt(planned(ITSELF, dice=NINE), "page", "rogue", 1) == 18
    assert hurt(planned(ITSELF, dice=NINE), "knight", "fox", 2) == 9


def test_damage_to_the_protected_creature_is_halved_and_rounded_down() -> None:
    assert hurt(planned(ITSELF, dice=NINE), "rogue", "knight", 1) == 4
    assert hurt(planned(ITSELF, dice=NINE), "rogue", "page", 2) == 9
    assert hurt(planned(ALLY, dice=NINE), "rogue", "page", 2) == 4
    assert hurt(planned(ALLY, dice=NINE), "rogue", "knight", 1) == 9


def test_a_defensive_half_comes_first_and_a_shrug_later() -> None:
    # 9 become 5, then 10 or 2.
    assert hurt(planned(ITSELF, dice=NINE), "knight", "rogue", 1, "defensive") == 10
    assert hurt(planned(ITSELF, dice=NINE), "rogue", "knight", 1, "defensive") == 2
    table = planned(ITSELF, dice=NINE).engage(rogue="might: attack 1", knight="cunning")
    assert table.last("attack")["damage"] == 4
    table.play(knight="shrug")
    assert table.hp("knight") == 38


def test_burning_hurts_as_much_more_or_less() -> None:
    # Two fighters burn for a d4 each at the round's end, which a minute begins by doubling and halving.
    table = planned(ITSELF, dice=[3], rogue={"conditions": {"burning": 1}})
    table.finish_round()
    assert table.hp("rogue") == 34


@pytest.mark.parametrize(("rounds", "damage"), [(9, 18), (10, 9)])
def test_it_lasts_ten_rounds_and_comes_once_a_day(rounds: int, damage: int) -> None:
    table = planned(ITSELF, dice=NINE)
    for _ in range(rounds):
        table.finish_round()
    assert "use_at 1 a" not in table.legal("knight")
    assert hurt(table, "knight", "rogue", 1) == damage


@pytest.mark.interplay("iron_constitution", "strategic_supremacy")
def test_with_iron_constitution_the_flat_change_comes_last() -> None:
    # 9 become 18, which is no less than ten; halved, they become 4, less 4.
    assert hurt(planned(ITSELF, dice=NINE, rogue={"talents": ["iron_constitution"]}), "knight", "rogue", 1) == 18
    table = planned(ALLY, dice=NINE, page={"talents": ["iron_constitution"]})
    assert hurt(table, "rogue", "page", 2) == 0


def test_a_player_that_does_not_answer_protects_itself() -> None:
    assert planned().play().last("pick")["answer"] == "protect itself"


@pytest.mark.parametrize(
    ("ground", "may", "asked"),
    [
        ("K........R\nP.........", True, True),  # nine squares are 45 feet
        ("K.........R\nP..........", False, False),
        ("K........R.\n..........P", True, False),
    ],
)
def test_both_creatures_are_within_45_feet(ground: str, may: bool, asked: bool) -> None:
    fighters = {"knight": OWNER, "page": {"team": "blue"}, "rogue": {"team": "red"}}
    table = on_map(ground, fighters)
    assert ("use_at 1 a" in table.legal("knight")) is may
    if may:
        table.play(knight="use_at 1 a")
        assert (table.legal("knight") == [ITSELF, ALLY]) is asked
