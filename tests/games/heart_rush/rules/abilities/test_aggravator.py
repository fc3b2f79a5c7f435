"""Aggravator: damage that draws a creature's anger."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Aggravator")
DECEMBER = {"edition": "december2025"}
HIT, MISS, DEFENSE = (3, 2, 4), (1, 1, 1), (1, 1)


def after_a_hit(field: str, dice: Dice, hits: int = 1) -> Table:
    """Let the knight hit the rogue for seven in each of these rounds; the dice after the first blow are given."""
    table = Table({"knight": {field: ["aggravator"]}, "rogue": {}, "fox": {}}, [HIT, DEFENSE, *dice], DECEMBER)
    for _ in range(hits):
        table.engage(knight="might: attack 1", rogue="cunning", fox="cunning").finish_round()
    return table


@pytest.mark.parametrize(("field", "second"), [("talents", 1), ("destiny_talents", 2)])
def test_damage_aggravates_and_the_aggravated_are_attacked_with_advantage(field: str, second: int) -> None:
    # After one level, one more d6 (as destiny two), the lowest dropped; after two, two more either way.
    dice = [(*HIT, *(1,) * second), DEFENSE, (*MISS, 6, 5), DEFENSE]
    table = after_a_hit(field, dice, hits=2)
    assert (table.rolls(), table.conditions("rogue")) == ((9, 2), {"aggravated": 2})
    assert table.fighter("rogue")["sources"] == {"aggravated": "knight"}
    table.engage(knight="might: attack 1", rogue="cunning")
    assert (table.rolls(), table.last("attack")["attack_causes"]) == ((12, 2), {"ability": 2})


def test_an_attack_without_damage_aggravates_nobody() -> None:
    table = Table({"knight": {"talents": ["aggravator"]}, "rogue": {}}, [MISS, (8, 6)], DECEMBER)
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert table.history("rogue", "aggravated") == []


def test_those_aggravated_at_somebody_else_are_attacked_as_ever() -> None:
    rogue = {"conditions": {"aggravated": {"levels": 2, "source": "page"}}}
    fighters: dict[str, Fields] = {"knight": {"talents": ["aggravator"]}, "page": {"team": "blue"}, "rogue": rogue}
    table = Table(fighters, [HIT, (1, 1, 8, 8)], DECEMBER)  # the rogue defends with two levels of disadvantage
    assert table.engage(knight="might: attack 1", rogue="cunning").rolls() == (9, 2)


def test_the_loser_of_a_contest_that_it_answers_is_aggravated() -> None:
    table = Table({"knight": {"talents": ["aggravator"]}, "rogue": {}}, [HIT, MISS])
    table.engage(knight="might", rogue="might: attack 1").finish_round()
    assert table.conditions("rogue") == {"aggravated": 1}


@pytest.mark.parametrize(("field", "more"), [("talents", ()), ("destiny_talents", (6, 5))])
def test_as_destiny_defenses_have_advantage_too(field: str, more: tuple[int, ...]) -> None:
    table = after_a_hit(field, [(8, 6, 8), (*DEFENSE, *more)])
    table.engage(rogue="agility: attack 1", knight="might")
    assert table.rolls() == (22, 2 + 9 * bool(more))


@pytest.mark.parametrize(("field", "more", "left"), [("talents", (), {}), ("destiny_talents", (2,), {"aggravated": 1})])
def test_as_destiny_it_is_harder_to_overcome(field: str, more: tuple[int, ...], left: dict[str, int]) -> None:
    # A d8 and a d6 against the knight's six; with disadvantage another d8, and the five goes.
    table = after_a_hit(field, [(5, 1, *more)])
    table.play(rogue="overcome aggravated")
    assert table.conditions("rogue") == left


def test_rage_and_aggravator_meet_in_one_exchange() -> None:
    # The rogue, aggravated at the knight, attacks it and enrages it, which in December is to aggravate it.
    table = after_a_hit("talents", [MISS, (8, 6)])
    table.engage(rogue="agility: attack 1", knight="might").finish_round()
    assert (table.conditions("rogue"), table.conditions("knight")) == ({"aggravated": 1}, {})
