"""Rush points: what a round gives, and what they pay for without a map. With a map: test_map_openings.py."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import PLAIN, Fields, Table

PRONE: Fields = {"conditions": {"prone": 1}}
HIT, MISS = (1, 1, 5), (1, 1, 1)  # of a plain fighter's attack, and the defense below
WEAK = (1, 1)


def points(table: Table, name: str) -> int:
    """Return a fighter's public rush points, after checking what the fighter itself and its enemies observe."""
    shown = int(table.fighter(name)["rush"])
    for viewer in table.names:
        feature = "self rush" if viewer == name else "enemy 1 rush"
        assert table.sees(viewer)[feature] == pytest.approx(min(10, shown) / 10)
    return shown


# ---- what a round brings


@pytest.mark.heading("Understanding Actions and Abilities")
@pytest.mark.parametrize("drawing", ["", "KR"])
@pytest.mark.parametrize(
    ("mode", "expected"), [("book", [3, 0, 1, 1, 2]), ("round_number", [1, 2, 3, 4, 5]), ("none", [0, 0, 0, 0, 0])]
)
def test_points_are_the_scenarios_first_then_one_for_each_active_round(
    mode: str, expected: list[int], drawing: str
) -> None:
    """The knight attacks in rounds 2 and 4, so rounds 3 and 5 give both fighters one point more."""
    fighters: Fields = {"knight": {"rush": 3}, "rogue": {}}
    dice, rules = [MISS, WEAK, MISS, WEAK], {"rush_mode": mode}
    table = on_map(drawing, fighters, dice, rules) if drawing else Table(fighters, dice, rules)
    for number, brought in enumerate(expected, 1):
        assert points(table, "knight") == brought
        assert points(table, "rogue") == (brought if number > 1 or mode != "book" else 1)
        if number in (2, 4):
            table.engage(knight="might: attack 1")
        table.finish_round()


@pytest.mark.heading("Understanding Actions and Abilities")
def test_more_than_ten_points_are_shown_as_ten() -> None:
    assert points(Table({"knight": {"rush": 12}, "rogue": {}}), "knight") == 12


# ---- rising


@pytest.mark.heading("Sidestep", "Getting Up")
def test_a_prone_fighter_rises_for_a_point_without_an_opening_and_keeps_its_action() -> None:
    table = Table({"knight": PRONE, "rogue": {}})
    assert table.legal("knight") == ["pass", "rise", "stand", "rise rush"]
    table.play(knight="rise rush")
    assert table.conditions("knight") == {} and table.events_of("attack") == [] and table.window == "stance"
    assert table.last("rush") == {"type": "rush", "fighter": "knight", "left": 0}
    assert table.fighter("knight")["action"] and table.fighter("knight")["dash"] and points(table, "knight") == 0


@pytest.mark.heading("Sidestep")
@pytest.mark.parametrize("without", [{"knight": {"rush": 0}}, {"rules": {"rush_mode": "none"}}])
def test_without_a_point_nobody_rises_for_one(without: Fields) -> None:
    table = Table({"knight": {**PRONE, **without.get("knight", {})}, "rogue": {}}, rules=without.get("rules"))
    assert table.legal("knight") == ["pass", "rise", "stand"]


@pytest.mark.heading("Sidestep", "Getting Up")
@pytest.mark.parametrize("held", [{"restrained": 1}, {"grappled": {"source": "rogue"}}])
def test_held_fast_nobody_rises_for_a_point(held: Fields) -> None:
    assert "rise rush" not in Table({"knight": {"conditions": {"prone": 1, **held}}, "rogue": {}}).legal("knight")


@pytest.mark.heading("Sidestep")
def test_a_confused_fighter_moves_or_acts() -> None:
    """Rising for a point is a movement, so it bars the action, and the action bars it."""
    confused = {"conditions": {"prone": 1, "confused": 1, "burning": 1}}
    table = Table({"knight": confused, "rogue": {}}).play(knight="put_out_fire")
    assert table.window == "stance"
    table = Table({"knight": confused, "rogue": {}}, [1]).play(knight="rise rush")
    assert table.window == "stance"
    table.finish_round()


@pytest.mark.heading("Sidestep", "Suffocating")
def test_rising_for_a_point_without_breath_hurts() -> None:
    table = Table({"knight": {"conditions": {"prone": 1, "suffocating": 1}}, "rogue": {}}, [6, 1])
    table.play(knight="rise rush").play(knight="take")
    assert table.hp("knight") == 34
    table.finish_round()


# ---- striking


@pytest.mark.heading("Opportunity Attacks", "Surprise")
def test_the_surprised_may_be_struck_for_the_action_and_for_a_point() -> None:
    table = Table({"knight": {}, "rogue": {"surprised": True}}, [HIT, WEAK, HIT, WEAK])
    table.play(knight="opportunity 1 might rush")
    assert table.last("attack")["damage"] == 5 and table.fighter("knight")["action"]
    table.play(rogue="take")
    assert points(table, "knight") == 0
    assert [choice for choice in table.legal("knight") if choice.endswith("rush")] == []
    table.play(knight="opportunity 1 might").play(rogue="take")
    assert table.hp("rogue") == 30 and table.window == "stance"


@pytest.mark.heading("Opportunity Attacks")
def test_a_riser_is_struck_for_a_point_by_one_whose_action_is_gone() -> None:
    fighters = {"knight": PRONE, "squire": {"team": "blue", **PRONE}, "rogue": {}}
    table = Table(fighters, [HIT, (*WEAK, 1), HIT, (*WEAK, 1)])  # prone: one die of the defense is rolled twice
    table.play(knight="stand").play(rogue="opportunity 1 might").play(knight="take").play(squire="stand")
    assert table.window == "opportunity"
    assert table.legal("rogue") == ["pass", *(f"opportunity 2 {die} rush" for die in ("might", "agility", "cunning"))]
    table.play(rogue="opportunity 2 might rush").play(squire="take")
    assert (table.hp("knight"), table.hp("squire"), table.fighter("rogue")["rush"]) == (35, 35, 0)


@pytest.mark.heading("Opportunity Attacks", "Suffocating")
def test_a_strike_for_a_point_takes_no_breath() -> None:
    fighters = {"knight": {"conditions": {"suffocating": 1}}, "rogue": {"surprised": True}}
    table = Table(fighters, [MISS, (2, 1), 1]).play(knight="opportunity 1 might rush").pass_to("stance")
    assert table.hp("knight") == 40
    table.finish_round()
    assert table.hp("knight") == 39  # at the round's end


# ---- profiles


@pytest.mark.parametrize("profile", ["levels", "plain"])
def test_nothing_of_a_profile_without_conditions_can_be_paid_by_a_point(profile: str) -> None:
    """No fighter can be prone or hidden, and none is surprised: rounds give points, and no action window opens."""
    frail = {"hp": 8, "rush": 5}
    table = Table({"knight": {**PLAIN, **frail}, "rogue": {**PLAIN, **frail}}, rules={"profile": profile})
    assert table.window == "stance" and points(table, "knight") == 5
