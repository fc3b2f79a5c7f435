"""Using abilities: occasions, frequencies, payment, and the order of instants."""

import pytest

from heartrush_env.games.heart_rush.words.narrator import Narrator
from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.usefixtures("plainly")
CRITICAL = {"talents": ["brutal_criticals"]}
MAXIMA = [8, 6, 3]  # of a d8, a d6 and a d8: two dice at their maximum


def contest(knight: dict, rogue: dict, dice: list[int]) -> Table:
    """Let both attack each other in might."""
    table = Table({"knight": knight, "rogue": rogue}, dice)
    table.engage(knight="might: attack 1", rogue="might: attack 1")
    return table


@pytest.mark.heading("Using Abilities")
def test_the_second_use_of_a_minor_ability_costs_two_points() -> None:
    table = Table({"knight": CRITICAL, "rogue": {}}, [*MAXIMA, 2, 1, *MAXIMA, 2, 1])
    for uses in range(2):
        table.engage(knight="might: attack 1", rogue="cunning")
        if uses == 0:
            table.play(knight="use a")
        else:  # with the one point of round 2
            assert (table.window, table.fighter("knight")["rush"]) == ("shrug", 1)
        table.finish_round()
    assert table.hp("rogue") == 40 - 28 - 14


@pytest.mark.heading("Using Abilities")
def test_the_points_that_each_use_costs_are_shown() -> None:
    table = Table({"knight": {"abilities": ["tactics"], "rush": 3}, "rogue": {}, "thief": {"team": "red"}})
    told = []
    for use in ("use_at 1 a", "use_at 2 a"):
        table.play(knight=use)
        told.append(table.last("rush"))
    assert ([event["left"] for event in told], [event.get("spent") for event in told]) == ([2, 0], [None, 2])
    told = [event | {"fighter": "knight_0"} for event in told]
    assert [line.split(" spends ")[1] for line in Narrator(table._fights.game.scenario).tell(told)] == [
        "a rush point, 2 left.",
        "2 rush points, 0 left.",
    ]


@pytest.mark.heading("Using Abilities")
def test_a_major_ability_is_used_once_and_costs_nothing() -> None:
    table = Table({"knight": {"talents": ["vampiric_mark"], "rush": 0}, "rogue": {}})
    assert "use_at 1 a" in table.legal("knight")
    table.play(knight="use_at 1 a")
    assert "use_at 1 a" not in table.legal("knight")
    table.finish_round()
    assert "use_at 1 a" not in table.legal("knight")


@pytest.mark.heading("Using Abilities")
def test_nobody_uses_an_ability_whose_target_has_fallen() -> None:
    knight = {"talents": ["vampiric_mark"], "hp": 40}
    table = Table({"knight": knight, "rogue": {"hp": 1}, "fox": {}}, [8, 1, 8, 1, 1], victory="first_down")
    table.engage(knight="might: attack 1", rogue="cunning", fox="defensive").pass_to("action")
    assert {"use_at 1 a", "use_at 2 a"} & set(table.legal("knight")) == {"use_at 2 a"}


@pytest.mark.heading("Using Abilities")
def test_a_use_on_a_target_that_falls_first_fizzles_and_is_not_spent() -> None:
    """The quick thief's strike, 28 - 2, fells the helpless orc before the slow knight's mark is on it."""
    knight = {"talents": ["vampiric_mark"], "agility": 4}
    orc = {"hp_now": 5, "conditions": {"incapacitated": 1}}
    fighters = {"knight": knight, "thief": {"team": "blue", "agility": 12}, "orc": orc, "troll": {}}
    table = Table(fighters, [8, 12, 8, 1, 1])
    table.play(knight="use_at 1 a", thief="opportunity 1 agility").play(orc="take")
    assert (table.last("fizzle")["ability"], table.events_of("use")) == ("vampiric_mark", [])
    assert "use_at 2 a" in table.legal("knight")


@pytest.mark.heading("Instant Abilities")
@pytest.mark.parametrize("quick", ["knight", "rogue"])
def test_instants_declared_together_are_done_the_quickest_first(quick: str) -> None:
    fighters = {"knight": CRITICAL, "rogue": CRITICAL}
    fighters[quick] = {**CRITICAL, "agility": 8}
    table = contest(fighters["knight"], fighters["rogue"], [*MAXIMA, *MAXIMA])
    table.play()  # after the first roll
    table.play(knight="use a" if "use a" in table.legal("knight") else "pass", rogue="use a")
    users = [event["fighter"] for event in table.events_of("use")]
    assert (users, table.rolls()) == ([quick, "rogue" if quick == "knight" else "knight"], (31, 31))


@pytest.mark.parametrize("names", [("knight", "rogue"), ("rogue", "knight")])
def test_an_attack_before_the_first_order_is_settled_has_its_effect_once(names: tuple[str, str]) -> None:
    sheets = {"knight": {"destiny_talents": ["first_strike"], "agility": 8}, "rogue": {}}
    table = Table({name: sheets[name] for name in names}, [(1, 2, 3), 6, (1, 1)]).play(knight="use_at 1 a")
    table.pass_to("stance")
    assert table.history("rogue", "weakened") == [3]


@pytest.mark.heading("Instant Abilities")
def test_between_the_reveal_and_the_first_phase_there_is_no_phase() -> None:
    table = Table({"knight": {"abilities": ["violent_defense"]}, "rogue": {}})
    table.engage(knight="might", rogue="agility")
    assert (table.window, table.phase, table.faults()) == ("instant", None, [])
    assert [name for name, value in table.sees("knight").items() if name.startswith("phase") and value] == []
    table.play()
    assert (table.window, table.phase, table.faults()) == ("instant", "agility", [])
