"""Call to Action: allies attack two targets, heal and sidestep."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Call to Action")
CALLER: Fields = {"abilities": ["call_to_action"], "rush": 6}
HIT: Dice = [(5, 3, 1), (1, 1)]  # 7 damage


def called(dice: Dice = ()) -> Table:
    """Return a table without a map at which the bard has allies: the knight, and the page, which is hurt."""
    hurt = {"team": "blue", "hp_now": 20}
    return Table({"bard": CALLER, "knight": {"team": "blue"}, "page": hurt, "rogue": {}, "fox": {}}, dice)


def test_the_owner_names_who_attacks_twice_and_who_heals() -> None:
    table = called(dice=[*HIT, *HIT]).play(bard="use a")
    assert (table.window, table.legal("bard")) == ("action", ["pick_for 1", "pick_for 2"])
    table.play(bard="pick_for 1")
    assert table.legal("bard") == ["pick_for 1", "pick_for 2"]
    table.play(bard="pick_for 2")
    assert (table.hp("page"), table.fighter("bard")["rush"], table.window) == (25, 5, "action")
    table.engage(knight="cunning: attack 1", rogue="agility", fox="agility", page="might", bard="might")
    table.restore()
    assert (table.window, table.legal("knight")) == ("follow_up", ["pass", "attack 2"])
    table.play(knight="attack 2").play()
    assert (table.hp("rogue"), table.hp("fox"), table.faults()) == (33, 33, [])


def test_it_lasts_for_one_engagement_and_serves_the_called_ally_alone() -> None:
    table = called(dice=[*HIT, *HIT]).play(bard="use a").play(bard="pick_for 1").play(bard="pick_for 2")
    stances = {"rogue": "agility", "fox": "agility", "bard": "might"}
    table.engage(page="cunning: attack 1", knight="cunning", **stances)
    assert table.window == "shrug", "the page has no second target"
    table.finish_round().engage(knight="cunning: attack 1", page="might", **stances)
    assert table.window == "shrug", "the engagement of the call is over"
    assert table.play().hp("rogue") == 40 - 14


@pytest.mark.parametrize("moment", ["reveal", "phase"])
def test_once_stances_are_shown_it_is_for_the_next_round(moment: str) -> None:
    table = called(dice=[*HIT, *HIT])
    stances = {"rogue": "agility", "fox": "agility", "bard": "might", "page": "might"}
    table.pass_to("stance").play(knight="stance cunning", **{name: f"stance {s}" for name, s in stances.items()})
    if moment == "phase":
        table.play()
    assert table.window == "instant"
    table.play(bard="use a").play(bard="pick_for 1").play(bard="pick_for 2").pass_to("attack", "cunning")
    table.play(knight="attack 1")
    assert table.window == "shrug"
    table.finish_round().engage(knight="cunning: attack 1", **stances)
    assert table.window == "follow_up"
    table.finish_round()


@pytest.mark.heading("Engaging the Enemy")
def test_in_a_classic_round_it_serves_the_next_engagement_and_not_the_one_after() -> None:
    fighters: dict[str, Fields] = {"bard": CALLER, "knight": {"team": "blue"}, "rogue": {}, "fox": {}, "wolf": {}}
    table = Table(fighters, [4, *HIT, *HIT], {"edition": "classic"}, heroes=["blue"]).play(bard="use a")
    stances = {"knight": "stance cunning", "rogue": "stance agility"}
    for engages, enters, window in (("knight", "fox", "follow_up"), ("rogue", "wolf", "shrug")):
        table.play(**{engages: "engage 1" if engages == "knight" else "engage 2"}).pass_to("enter")
        table.play(**{enters: "enter"}).pass_to("stance").play(**stances, **{enters: "stance agility"})
        assert table.pass_to("attack").play(knight="attack 1").window == window
        table.pass_to("action")


@pytest.mark.heading("Sidestep", "Dodge and Weave")
def test_on_a_map_an_ally_steps_at_once_if_it_likes() -> None:
    fighters = {"bard": CALLER, "knight": {"team": "blue"}, "rogue": {}}
    table = on_map(".....\nB.K.R\n.....", fighters).play(bard="use a")  # one ally is named without asking
    assert (table.window, table.choosers()) == ("pick", {"knight"})
    table.play(knight="sidestep ne")
    assert (at(table, "knight"), table.window, table.fighter("knight")["dash"]) == ((3, 0), "action", True)
    table.play(bard="use a").play(knight="pass")
    assert (at(table, "knight"), table.fighter("bard")["rush"]) == ((3, 0), 6 - 1 - 2)


@pytest.mark.parametrize(
    ("bard", "knight", "may"),
    [
        ({}, {}, True),
        ({"conditions": {"mute": 1}}, {}, False),
        ({}, {"conditions": {"deafened": 1}}, False),
        ({"rush": 0}, {}, False),
        ({}, {"team": "red"}, False),
    ],
)
def test_it_takes_a_voice_an_ear_and_a_point(bard: Fields, knight: Fields, may: bool) -> None:
    table = Table({"bard": {**CALLER, **bard}, "knight": {"team": "blue", **knight}, "rogue": {}})
    assert ("use a" in table.legal("bard")) is may


@pytest.mark.parametrize(("squares", "may"), [(24, True), (25, False)])
def test_it_is_heard_120_feet_away_also_behind_a_wall(squares: int, may: bool) -> None:
    row = "B" + "#" + "." * (squares - 2) + "K"
    fighters = {"bard": CALLER, "knight": {"team": "blue"}, "rogue": {}}
    assert ("use a" in on_map(row + "\n" + "R" + "." * squares, fighters).legal("bard")) is may


def test_who_gives_no_answer_calls_the_first_and_heals_the_most_hurt() -> None:
    table = called().play(bard="use a").play().play()
    assert table.hp("page") == 25
