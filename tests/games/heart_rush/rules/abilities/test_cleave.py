"""Cleave: damage that goes on to the next."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Cleave")
AXE = weapon("heavy", damage_type="slashing")
OWNER: Fields = {"abilities": ["cleave"], "weapon": AXE, "rush": 3}
# In might: heart 8, might 6, axe 12 are 26; the rogue defends with 2.
BLOW: Dice = [(8, 6, 12), (1, 1)]


def struck(dice: Dice, knight: Fields = OWNER, stances: dict[str, str] | None = None, **foes: Fields) -> Table:
    table = Table({"knight": knight, "rogue": {}, **(foes or {"fox": {}, "owl": {}})}, dice)
    return table.engage(knight="might: attack 1", **(stances or {}))


def test_each_defends_against_what_is_left() -> None:
    # All defend in cunning, so nothing is halved: 26 - 2 = 24; 24 - 10 = 14; 14 - 6 = 8.
    table = struck([*BLOW, (6, 4), (3, 3)], stances={"rogue": "cunning", "fox": "cunning", "owl": "agility"})
    table.play(knight="use_at 3 a").finish_round()
    told = [(event["target"], event["attack_roll"], event["damage"]) for event in table.events_of("attack")]
    assert told == [("rogue", 26, 24), ("owl", 24, 14), ("fox", 14, 8)]
    assert table.fighter("knight")["rush"] >= 0


def test_it_ends_with_the_damage() -> None:
    stances = {"rogue": "cunning", "fox": "cunning", "owl": "cunning"}
    table = struck([(1, 1, 2), (1, 1), (2, 1)], stances=stances)
    table.play(knight="use_at 2 a").finish_round()
    assert [event["damage"] for event in table.events_of("attack")] == [2, 0]


def test_half_of_the_defensive_stance_is_what_goes_on() -> None:
    table = struck([*BLOW, (6, 4)], fox={})
    table.play(knight="use_at 2 a").finish_round()
    told = [(event["attack_roll"], event["damage"]) for event in table.events_of("attack")]
    assert told == [(26, 12), (12, 1)]  # 24 halved; 12 - 10 = 2 halved


@pytest.mark.parametrize(
    ("knight", "dice", "offered"),
    [
        (OWNER, BLOW, True),
        ({**OWNER, "weapon": weapon("light", damage_type="slashing")}, [(8, 6, 8), (1, 1)], False),
        ({**OWNER, "weapon": weapon("heavy")}, BLOW, False),
        ({**OWNER, "rush": 0}, BLOW, False),
        (OWNER, [(1, 1, 1), (8, 6)], False),
    ],
)
def test_it_takes_a_heavy_blade_and_damage(knight: Fields, dice: Dice, offered: bool) -> None:
    table = struck(dice, knight)
    assert (table.window == "instant") is offered


@pytest.mark.interplay("cleave", "whirlwind_strike")
def test_the_same_attack_cleaves_and_sweeps_only_once() -> None:
    """A roll that Whirlwind Strike uses again does not go on as well."""
    knight = {**OWNER, "talents": ["whirlwind_strike"]}
    stances = {"rogue": "cunning", "fox": "cunning", "owl": "cunning"}
    table = struck([*BLOW, (1, 1), (1, 1)], knight, stances)
    table.play().play(knight="use_at 2 b").play(knight="use a").finish_round()
    assert [event["attack_roll"] for event in table.events_of("attack")] == [26, 26, 26]
