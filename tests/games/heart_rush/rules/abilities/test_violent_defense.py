"""Violent Defense: the weapon die defends, and attackers that roll less are hurt."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Fields, Table, weapon

pytestmark = pytest.mark.heading("Violent Defense")
OWNER = {"abilities": ["violent_defense"]}


def attacked(table: Table, stance: str = "cunning", use: bool = True) -> Table:
    """Let the rogue use the ability in the action phase and the knight attack the rogue in might."""
    table.play(**({"rogue": "use a"} if use else {})).engage(knight="might", rogue=stance)
    table.pass_to("attack", "might").play(knight="attack 1", **({"rogue": "attack 1"} if stance == "might" else {}))
    while table.window == "instant" or table.window == "shrug":
        table.play()
    return table


def test_the_weapon_die_joins_the_defense_and_the_difference_hurts_the_attacker() -> None:
    table = attacked(Table({"knight": {}, "rogue": OWNER}, [(1, 1, 1), (2, 3, 7)]))
    assert (table.rolls(), table.last("attack")["defense_pool"][2:]) == ((3, 12), [["bonus", 8, 7]])
    assert (table.hp("knight"), table.hp("rogue"), table.last("damage")["cause"]) == (40 - 9, 40, "ability")


@pytest.mark.parametrize("defense", [(2, 3, 3), (2, 3, 4)])
def test_an_attacker_that_rolls_as_much_or_more_is_not_hurt(defense: tuple[int, ...]) -> None:
    table = attacked(Table({"knight": {}, "rogue": OWNER}, [(5, 3, 1), defense]))
    assert (table.hp("knight"), table.hp("rogue")) == (40, 40 - (9 - sum(defense)))


def test_unused_it_does_nothing() -> None:
    table = attacked(Table({"knight": {}, "rogue": OWNER}, [(1, 1, 1), (2, 3)]), use=False)
    assert (table.rolls(), table.hp("knight")) == ((3, 5), 40)


def test_it_is_used_once_a_round_and_ends_with_it() -> None:
    table = Table({"knight": {}, "rogue": {**OWNER, "rush": 3}}, [(1, 1, 1), (2, 3, 7), (1, 1, 1), (2, 3)])
    table.play(rogue="use a")
    assert (table.fighter("rogue")["rush"], "use a" in table.legal("rogue")) == (2, False)
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    attacked(table, use=False)
    assert (table.rolls(), table.hp("knight")) == ((3, 5), 31)


def test_a_contest_has_no_defense_roll() -> None:
    table = attacked(Table({"knight": {}, "rogue": OWNER}, [(1, 1, 1), (2, 3, 4)]), "might")
    assert (table.last("attack")["damage"], table.hp("knight")) == (6, 40 - 6)


def test_an_archer_out_of_its_range_is_not_hurt() -> None:
    bow: Fields = {"weapon": weapon(attack_type="ranged")}
    table = attacked(on_map("K..R", {"knight": bow, "rogue": OWNER}, [(1, 1, 1), (2, 3, 7)]))
    assert (table.rolls(), table.hp("knight")) == ((3, 12), 40)


def test_without_a_weapon_die_only_the_difference_hurts() -> None:
    beast = {"weapon": "none", "attack_bonus": 5, "defense_bonus": 6}
    table = attacked(Table({"knight": {}, "rogue": {**OWNER, **beast}}, [(1, 1, 1), (2, 3)]))
    assert (table.rolls(), table.hp("knight")) == ((3, 11), 40 - 8)
