"""Adrenaline Spike: a larger ability die for one roll."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Adrenaline Spike")
MIGHT, AGILITY = "pick 0", "pick 1"


def spiked(picked: str | None = MIGHT, dice: Dice = (), field: str = "talents", **knight: Fields) -> Table:
    """Return a table at which the knight has spiked an ability die."""
    table = Table({"knight": {field: ["adrenaline_spike"], **knight}, "rogue": {}}, dice).play(knight="use a")
    return table.play(**({"knight": picked} if picked else {}))


@pytest.mark.parametrize(
    ("field", "might", "result"),
    [("talents", 6, 8), ("talents", 10, 12), ("destiny_talents", 6, 10), ("destiny_talents", 12, 20)],
)
def test_the_next_attack_with_it_has_a_larger_die(field: str, might: int, result: int) -> None:
    table = spiked(MIGHT, [(5, result, 8), (4, 3), (5, 3, 8), (4, 3)], field, might=might)
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls()[0] == 13 + result
    table.finish_round().engage(knight="might: attack 1", rogue="cunning")
    assert (table.rolls()[0], ["might", might, 3]) == (16, table.last("attack")["attack_pool"][1])


def test_a_defense_uses_it_up_and_rolls_with_other_dice_do_not() -> None:
    table = spiked(MIGHT, [(5, 3, 8), (4, 3), (5, 3, 8), (4, 8), (5, 3, 8), (4, 3)])
    table.engage(knight="agility: attack 1", rogue="might").finish_round()
    table.engage(rogue="might: attack 1", knight="cunning")
    assert table.rolls() == (16, 12)
    table.finish_round().engage(rogue="might: attack 1", knight="cunning")
    assert (table.rolls(), ["might", 6, 3]) == ((16, 7), table.last("attack")["defense_pool"][1])


def test_only_dice_that_grow_may_be_picked_once_a_day() -> None:
    table = Table({"knight": {"talents": ["adrenaline_spike"], "might": 12, "cunning": 20}, "rogue": {}})
    table.play(knight="use a")
    assert table.legal("knight") == ["pick 1", "pick 3"]
    table.play(knight="pick 1")
    assert "use a" not in table.legal("knight")
    largest = {"might": 12, "agility": 12, "cunning": 12, "presence": 12}
    for field, may in (("talents", False), ("destiny_talents", True)):
        table = Table({"knight": {field: ["adrenaline_spike"], **largest}, "rogue": {}})
        assert ("use a" in table.legal("knight")) is may


def test_a_check_uses_it_up() -> None:
    table = spiked(MIGHT, [(5, 8), (4, 3), (5, 3, 8), (4, 3)])
    table.engage(knight="might: grapple 1", rogue="cunning")
    assert table.last("maneuver")["attack_roll"] == 7, "13 and only one hand"
    table.finish_round().engage(rogue="might: attack 1", knight="cunning")
    assert (table.rolls("attack")[1], ["might", 6, 3]) == (7, table.last("attack")["defense_pool"][1])


def test_perfect_defense_looks_at_the_larger_die() -> None:
    # A 6 is no maximum of a d8.
    knight = {"talents": ["adrenaline_spike", "perfect_defense"]}
    table = Table({"knight": knight, "rogue": {}}, [(5, 3, 8), (4, 6)]).play(knight="use a").play(knight=MIGHT)
    table.engage(rogue="might: attack 1", knight="cunning")
    assert table.rolls() == (16, 10)


def test_a_player_that_does_not_answer_gets_might() -> None:
    assert spiked(None).last("pick")["answer"] == "might"
