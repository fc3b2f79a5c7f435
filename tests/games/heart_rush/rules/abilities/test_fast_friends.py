"""Fast Friends: two creatures have disadvantage against each other."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Table

pytestmark = pytest.mark.heading("Fast Friends")


def befriended(field: str, *answers: str, dice: Dice = ()) -> Table:
    """Return a table at which the page makes the rogue and the knight friends."""
    fighters = {"knight": {}, "rogue": {}, "page": {"team": "blue", field: ["fast_friends"], "rush": 3}, "bard": {}}
    table = Table(fighters, dice).play(page="use_at 1 a")
    for answer in answers:
        table.play(page=answer)
    return table


def test_any_other_creature_may_be_the_second() -> None:
    table = befriended("talents")
    assert table.legal("page") == ["pick_at 2", "pick_for 1"]
    table.play(page="pick_for 1")
    assert (table.last("pick")["answer"], table.fighter("page")["rush"]) == ("knight", 2)


@pytest.mark.parametrize(
    ("field", "answers", "striker", "suffers"),
    [
        ("talents", ["pick_for 1"], "knight", True),
        ("talents", ["pick_for 1"], "rogue", True),
        ("talents", ["pick_at 2"], "knight", False),
        ("destiny_talents", ["pick_for 1", "pick 0"], "rogue", True),
        ("destiny_talents", ["pick_for 1", "pick 0"], "knight", False),
        ("destiny_talents", ["pick_for 1", "pick 1"], "rogue", False),
        ("destiny_talents", ["pick_for 1", "pick 1"], "knight", True),
    ],
)
def test_their_attacks_on_each_other_have_two_levels_of_disadvantage(
    field: str, answers: list[str], striker: str, suffers: bool
) -> None:
    thrown = (5, 3, 8, 2, 1) if suffers else (5, 3, 8)
    table = befriended(field, *answers, dice=[thrown, (1, 1)])
    target = "rogue" if striker == "knight" else "knight"
    table.engage(**{striker: "might", target: "cunning"}).pass_to("attack", "might")
    table.play(**{striker: "attack 1"})
    # Two levels take the two largest dice, the 8 and the 5, off the roll.
    assert table.rolls()[0] == (3 + 2 + 1 if suffers else 16)


def test_a_fourth_spell_ends_the_oldest() -> None:
    fighters = {
        "knight": {}, "rogue": {}, "bard": {}, "thief": {}, "ogre": {},
        "page": {"team": "blue", "talents": ["fast_friends"], "rush": 10},
    }  # fmt: skip
    table = Table(fighters, [(5, 3, 8), (1, 1)])
    for place in range(1, 5):  # the knight and each of its four enemies
        table.play(page=f"use_at {place} a").play(page="pick_for 1")
    assert table.fighter("page")["rush"] == 0
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls()[0] == 16


def test_it_takes_a_second_creature() -> None:
    fighters = {"page": {"talents": ["fast_friends"], "rush": 3}, "rogue": {"team": "red"}}
    assert "use_at 1 a" not in Table(fighters).legal("page")
    assert "use_at 1 a" in Table({**fighters, "bard": {"team": "red"}}).legal("page")


@pytest.mark.parametrize(("rounds", "suffers"), [(99, True), (100, False)])
def test_it_lasts_a_hundred_rounds(rounds: int, suffers: bool) -> None:
    thrown = (5, 3, 8, 2, 1) if suffers else (5, 3, 8)
    table = befriended("talents", "pick_for 1", dice=[thrown, (1, 1)])
    table._fights._fights[0].round_number += rounds - 1
    table.restore()._look()
    table.finish_round().engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls()[0] == (3 + 2 + 1 if suffers else 16)
