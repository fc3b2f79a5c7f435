"""Bloodthirsty: attacks on those whom nobody has attacked, and an action for a drop."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Bloodthirsty")
OWNER: Fields = {"abilities": ["bloodthirsty"]}
BLOW, DEFENSE = (1, 1, 1), (1, 1)


def test_the_first_attack_on_a_creature_in_a_round_has_a_die() -> None:
    table = Table({"knight": {**OWNER, "rush": 3}, "rogue": {}}, [BLOW, 3, DEFENSE, BLOW, DEFENSE])
    assert table.play(knight="use a").fighter("knight")["rush"] == 2
    assert "use a" not in table.legal("knight"), "it holds for the round"
    table.engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (6, 2)
    table.finish_round().engage(knight="might: attack 1", rogue="cunning")
    assert table.rolls() == (3, 2)


def test_whom_an_ally_has_attacked_first_it_does_not_help_against() -> None:
    fighters: dict[str, Fields] = {"knight": OWNER, "page": {"team": "blue"}, "rogue": {}, "fox": {}}
    table = Table(fighters, [BLOW, DEFENSE, BLOW, DEFENSE]).play(knight="use a")
    table.engage(knight="might", page="cunning: attack 1", rogue="defensive", fox="defensive")
    table.pass_to("attack", "might").play(knight="attack 1")
    assert table.rolls() == (3, 2)
    table = Table(fighters, [BLOW, DEFENSE, BLOW, 3, DEFENSE]).play(knight="use a")
    table.engage(knight="might", page="cunning: attack 1", rogue="defensive", fox="defensive")
    table.pass_to("attack", "might").play(knight="attack 2")
    assert table.rolls() == (6, 2)


def test_to_answer_in_a_contest_has_no_die() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, [BLOW, BLOW]).play(knight="use a")
    assert table.engage(knight="might", rogue="might: attack 1").rolls() == (3, 3)


def dropped(*, used: bool = True, hp_now: int = 4, rules: Fields | None = None, more: Dice = ()) -> Table:
    """Let the knight hit the rogue for four points or more, with a page and a fox about, up to the next round."""
    fighters: dict[str, Fields] = {"knight": OWNER, "page": {"team": "blue"}, "rogue": {"hp_now": hp_now}, "fox": {}}
    table = Table(fighters, [(4, 1, 1), *([1] if used else []), DEFENSE, *more], rules)
    if used:
        table.play(knight="use a")
    return table.engage(knight="might: attack 1", rogue="cunning").finish_round()


def test_a_drop_brings_a_second_action_in_the_next_round_alone() -> None:
    table = dropped()
    assert (table.status("rogue"), table.round) == ("defeated", 2)
    table.play(knight="help 1")
    assert table.fighter("knight")["action"] is True
    assert table.restore().faults() == []
    table.play(knight="help 1")
    assert (table.fighter("knight")["action"], table.fighter("page")["helped"]) == (False, 2)
    table.finish_round().play(knight="help 1")
    assert (table.round, table.fighter("knight")["action"]) == (3, False)


@pytest.mark.parametrize(("used", "hp_now"), [(False, 4), (True, 40)])
def test_without_a_drop_in_its_time_there_is_one_action(used: bool, hp_now: int) -> None:
    table = dropped(used=used, hp_now=hp_now).play(knight="help 1").pass_to("stance")
    assert table.fighter("knight")["action"] is False


def test_the_further_action_is_lost_as_the_engagement_begins() -> None:
    table = dropped(rules={"attack_costs_action": True}, more=[BLOW, DEFENSE])
    table.engage(knight="might: attack 2", fox="cunning")
    assert (table.window, table.fighter("knight")["action"]) == ("shrug", False)


@pytest.mark.interplay("action_surge", "bloodthirsty")
def test_action_surge_comes_on_top() -> None:
    fighters: dict[str, Fields] = {
        "knight": {**OWNER, "talents": ["action_surge"]},
        "page": {"team": "blue"},
        "rogue": {"hp_now": 4},
    }
    table = Table({**fighters, "fox": {}}, [(4, 1, 1), 1, DEFENSE]).play(knight="use b")
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    for choice in ("help 1", "help 1", "use a", "help 1"):
        table.play(knight=choice)
    assert (table.fighter("page")["helped"], table.fighter("knight")["action"]) == (3, False)
