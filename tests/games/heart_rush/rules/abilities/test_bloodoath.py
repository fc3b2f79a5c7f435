"""Bloodoath: points for each round against one enemy."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Table

pytestmark = pytest.mark.heading("Bloodoath")
BLOW, DEFENSE = (3, 2, 4), (1, 1)


def sworn(field: str, dice: Dice) -> Table:
    """Let the knight swear against the rogue."""
    table = Table({"knight": {field: ["bloodoath"]}, "rogue": {}, "fox": {}}, dice)
    return table.play(knight="use_at 1 a")


@pytest.mark.parametrize(("field", "action"), [("talents", False), ("destiny_talents", True)])
def test_to_swear_costs_the_action_but_not_as_destiny(field: str, action: bool) -> None:
    table = sworn(field, [])
    assert (table.fighter("knight")["action"], "use_at 2 a" in table.legal("knight")) == (action, False)


@pytest.mark.parametrize(
    ("knight", "foe", "points"),
    [("might: attack 1", {"rogue": "cunning", "fox": "cunning"}, 2),
     ("might: attack 2", {"rogue": "cunning", "fox": "cunning"}, 1),
     ("might", {"rogue": "agility: attack 1"}, 2),
     ("might", {"fox": "agility: attack 1"}, 1)],
)  # fmt: skip
def test_a_round_against_the_enemy_brings_a_point_in_the_next(knight: str, foe: dict[str, str], points: int) -> None:
    table = sworn("talents", [BLOW, DEFENSE]).engage(knight=knight, **foe).finish_round()
    assert table.fighter("knight")["rush"] == points
    assert table.finish_round().fighter("knight")["rush"] == 1, "one round of activity, and none against the enemy"


@pytest.mark.interplay("battlespirit", "bloodoath")
def test_battlespirit_doubles_the_point_too() -> None:
    knight = {"talents": ["bloodoath"], "abilities": ["battlespirit"]}
    table = Table({"knight": knight, "rogue": {}}, [BLOW, DEFENSE]).play(knight="use_at 1 a")
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert table.fighter("knight")["rush"] == 2 * (1 + 1)


def test_as_destiny_it_attacks_and_defends_with_advantage() -> None:
    # A d6 more, and the lowest of the dice goes; nothing of it against the fox.
    dice = [(*BLOW, 6), DEFENSE, BLOW, (*DEFENSE, 6), BLOW, DEFENSE]
    table = sworn("destiny_talents", dice).engage(knight="might: attack 1", rogue="cunning")
    assert (table.rolls(), table.last("attack")["attack_causes"]) == ((13, 2), {"ability": 1})
    table.finish_round().engage(knight="might", rogue="agility: attack 1")
    assert (table.rolls(), table.last("attack")["defense_causes"]) == ((9, 7), {"ability": 1})
    table.finish_round().engage(knight="might: attack 2", fox="cunning")
    assert table.rolls() == (9, 2)
