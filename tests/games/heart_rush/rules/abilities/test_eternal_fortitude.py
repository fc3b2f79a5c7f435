"""Eternal Fortitude, Bulwark Infinitum and Last Bastion: dice in a bank, to be rolled into defenses."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Table

ATTACK, DEFENSE = (5, 3, 8), (4, 3)


def banked(dice: Dice = (), points: int | None = 2, *more: str, rush: int = 3, **knight: object) -> Table:
    """Return a table at which the knight has spent rush points on its bank."""
    owner = {"abilities": ["eternal_fortitude", *more], "rush": rush, **knight}
    table = Table({"knight": owner, "rogue": {}, "fox": {}}, dice).play(knight="use a")
    return table.play(**({"knight": f"pick {points}"} if points else {}))


def attacked(table: Table) -> Table:
    """Let the rogue attack the knight."""
    return table.engage(rogue="might: attack 1", knight="cunning")


@pytest.mark.heading("Eternal Fortitude")
def test_each_point_banks_two_dice_that_are_rolled_into_defenses_as_the_owner_picks() -> None:
    table = banked([ATTACK, DEFENSE, (6, 1, 2), ATTACK, DEFENSE, 5])
    assert table.fighter("knight")["rush"] == 1
    attacked(table)
    assert (table.window, table.choosers(), table.legal("knight")) == (
        "pick",
        {"knight"},
        [f"pick {k}" for k in range(5)],
    )
    table.play(knight="pick 3").finish_round()
    assert (table.rolls(), table.hp("knight")) == ((16, 7 + 9), 40)
    attacked(table)
    assert table.legal("knight") == ["pick 0", "pick 1"], "one die is left"
    table.play(knight="pick 1").finish_round()
    assert table.rolls() == (16, 7 + 5)


@pytest.mark.heading("Eternal Fortitude")
def test_the_owner_may_keep_its_dice_and_is_not_asked_without_any() -> None:
    table = attacked(banked([ATTACK, DEFENSE, ATTACK, DEFENSE, (1, 1), ATTACK, DEFENSE], 1)).play(knight="pick 0")
    assert table.finish_round().rolls() == (16, 7)
    table = attacked(table).play(knight="pick 2").finish_round()
    assert attacked(table).window == "shrug"


@pytest.mark.heading("Eternal Fortitude")
def test_it_is_no_help_in_a_contest_or_to_others() -> None:
    table = banked([ATTACK, ATTACK]).engage(rogue="might: attack 1", knight="might")
    assert table.window != "pick"
    table = banked([ATTACK, DEFENSE]).engage(knight="might: attack 1", rogue="cunning")
    assert table.window != "pick"


@pytest.mark.heading("Eternal Fortitude")
def test_it_may_be_used_when_the_attack_roll_is_seen_and_helps_at_once() -> None:
    owner = {"abilities": ["eternal_fortitude"], "rush": 3}
    table = attacked(Table({"knight": owner, "rogue": {}}, [ATTACK, DEFENSE, (6, 6)]))
    assert (table.window, table.phase) == ("instant", "might")
    table.play(knight="use a").play(knight="pick 1")
    assert table.window == "pick"
    table.play(knight="pick 2")
    assert table.rolls() == (16, 19)


@pytest.mark.heading("Eternal Fortitude")
def test_at_most_the_points_that_it_has_are_spent_and_at_least_one() -> None:
    table = banked(points=None)
    assert table.last("pick")["answer"] == "3", "a player that does not answer spends all"
    owner = {"abilities": ["eternal_fortitude"], "rush": 3}
    assert Table({"knight": owner, "rogue": {}}).play(knight="use a").legal("knight") == ["pick 1", "pick 2", "pick 3"]


@pytest.mark.heading("Eternal Fortitude")
def test_a_player_that_does_not_answer_keeps_its_dice() -> None:
    table = attacked(banked([ATTACK, DEFENSE])).play()
    assert table.rolls() == (16, 7)


@pytest.mark.heading("Eternal Fortitude")
def test_perfect_defense_earlier_on_the_sheet_has_looked_at_the_roll_before() -> None:
    # A talent comes before other abilities, so it does not see that the 6 shows its maximum.
    owner = {"abilities": ["eternal_fortitude"], "talents": ["perfect_defense"], "rush": 1}
    table = attacked(Table({"knight": owner, "rogue": {}}, [ATTACK, DEFENSE, (6, 1)]).play(knight="use b"))
    table.play(knight="pick 2")
    assert table.rolls() == (16, 4 + 3 + 6 + 1)


@pytest.mark.heading("Bulwark Infinitum")
@pytest.mark.interplay("bulwark_infinitum", "eternal_fortitude")
def test_bulwark_infinitum_banks_twice_as_many_dice() -> None:
    table = attacked(banked([ATTACK, DEFENSE, (1, 1, 1, 1, 1, 1, 1, 1)], 2, "bulwark_infinitum"))
    assert table.legal("knight") == [f"pick {k}" for k in range(9)]
    table.play(knight="pick 8")
    assert table.rolls() == (16, 15)


@pytest.mark.heading("Last Bastion")
@pytest.mark.interplay("eternal_fortitude", "last_bastion")
def test_last_bastion_makes_the_dice_d12() -> None:
    table = attacked(banked([ATTACK, DEFENSE, (12, 7)], 1, "last_bastion")).play(knight="pick 2")
    assert table.rolls() == (16, 26)


@pytest.mark.heading("Using Abilities")
def test_its_owner_is_asked_for_at_most_twenty_dice() -> None:
    table = attacked(banked([ATTACK, DEFENSE, [1] * 20], 11, rush=11)).play(knight="pick 20")
    assert table.rolls()[1] == 27
