"""Abilities of those that hold a creature: I Don't Think So, Cinch Down."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map, told_ways
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

OWNER: Fields = {"weapon": "unarmed", "rush": 5}
HELD: Fields = {"conditions": {"grappled": {"source": "knight"}}}
# A holder and its captive roll another d8 each, and the highest does not count: 9 against 2, and 2 against 9.
WINS, LOSES = [(5, 4, 8), (1, 1, 8)], [(1, 1, 8), (5, 4, 8)]
GROUND = ".....\n.KR..\n....."


def checked(
    answer: str, dice: Dice = WINS, ground: str | None = GROUND, knight: Fields | None = None, **more: Fields
) -> Table:
    """Return a table after the owner has checked its grapple and named the effect."""
    fighters = {"knight": {**OWNER, "abilities": ["i_dont_think_so"], **(knight or {})}, "rogue": HELD, **more}
    table = (on_map(ground, fighters, dice) if ground else Table(fighters, dice)).play(knight="use a")
    assert table.last("maneuver")["maneuver"] == "grapple"
    return table.play(knight=answer) if answer else table


@pytest.mark.heading("I Don't Think So")
def test_a_won_check_is_followed_by_the_choice_of_what_it_brings() -> None:
    table = checked("")
    assert (table.window, table.rolls("maneuver"), table.fighter("knight")["rush"]) == ("pick", (9, 2), 4)
    assert table.legal("knight") == ["pick 0", "pick 1", "pick 2", "pick 3", "pick 4"]
    assert table.restore().faults() == []


@pytest.mark.heading("I Don't Think So")
@pytest.mark.parametrize(
    ("answer", "rogue", "knight"),
    [
        ("pick 1", {"prone": 1}, {"prone": 1}),
        ("pick 2", {"dazed": 1}, {}),
        ("pick 3", {"off_balanced": 1}, {}),
        ("pick 4", {"weakened": 1}, {}),
    ],
)
def test_both_fall_or_the_captive_is_impaired(answer: str, rogue: Fields, knight: Fields) -> None:
    table = checked(answer, ground=None)
    assert table.conditions("rogue") == {"grappled": 1, **rogue}
    assert table.conditions("knight") == {"grappling": 1, **knight}


@pytest.mark.heading("I Don't Think So")
def test_the_captive_is_moved_to_another_square_beside_the_owner() -> None:
    table = checked("pick 0")
    assert table.legal("knight") == ["sidestep n", "sidestep s", "sidestep sw", "sidestep nw"]
    table.play(knight="sidestep nw")
    assert (at(table, "rogue"), told_ways(table, "drag"), table.window) == ((1, 0), [("rogue", [[1, 0]])], "action")
    assert table.fighter("knight")["grappling"] == "rogue"


@pytest.mark.heading("I Don't Think So")
def test_where_there_is_no_room_or_no_map_or_the_owner_lies_it_is_not_moved() -> None:
    assert "pick 0" not in checked("", ground=None).legal("knight")
    assert "pick 0" not in checked("", ground="KR").legal("knight")
    prone = {"conditions": {"prone": 1}}
    assert "pick 0" not in checked("", knight=prone).legal("knight")


@pytest.mark.heading("I Don't Think So", "Contested Checks")
@pytest.mark.parametrize("dice", [LOSES, [(5, 4, 8), (5, 4, 8)]])
def test_a_lost_or_tied_check_brings_nothing(dice: Dice) -> None:
    table = checked("", dice)
    assert (table.window, table.conditions("rogue")) == ("action", {"grappled": 1})


@pytest.mark.heading("I Don't Think So", "Grappling Requirements", "Master Grappler")
@pytest.mark.interplay("i_dont_think_so", "master_grappler")
def test_one_hand_counts_half_and_master_grappler_helps() -> None:
    table = checked("", knight={"weapon": weapon("light")})
    assert table.rolls("maneuver") == (5, 2)
    # The owner's advantage and its hindrance cancel out; its captive is restrained one level more.
    knight = {**OWNER, "abilities": ["i_dont_think_so"], "talents": ["master_grappler"]}
    table = Table({"knight": knight, "rogue": HELD}, [(5, 4), (1, 1, 8, 8)]).play(knight="use b")
    assert (table.rolls("maneuver"), table.window) == ((9, 2), "pick")


@pytest.mark.heading("I Don't Think So")
def test_without_a_captive_it_is_not_offered_and_an_answer_left_out_lets_both_fall() -> None:
    table = Table({"knight": {**OWNER, "abilities": ["i_dont_think_so"]}, "rogue": {}})
    assert "use a" not in table.legal("knight")
    table = checked("").play()
    assert table.conditions("knight") == {"grappling": 1, "prone": 1}


@pytest.mark.heading("I Don't Think So")
def test_a_way_left_out_is_the_first_one_clockwise_from_the_north() -> None:
    table = checked("pick 0", ground=".....\n.RK..\n.....")
    assert table.legal("knight") == ["sidestep n", "sidestep ne", "sidestep se", "sidestep s"]
    assert at(table.play(), "rogue") == (1, 0)


def cinched(points: int, dice: Dice = (), rogue: Fields | None = None, **knight: object) -> Table:
    """Return a table after the owner has spent these points on its captive."""
    owner = {**OWNER, "abilities": ["cinch_down"], **knight}
    table = Table({"knight": owner, "rogue": {**HELD, **(rogue or {})}}, dice).play(knight="use a")
    return table.play(knight=f"pick {points}") if table.window == "action" else table


@pytest.mark.heading("Cinch Down")
def test_an_action_deals_a_might_die_for_each_point() -> None:
    table = cinched(3, [2, 4, 6])
    assert (table.window, table.legal("knight"), table.fighter("knight")["rush"]) == ("pick", ["pass", "pick 0"], 2)
    table.restore().play(knight="pick 0")
    assert table.window == "shrug"
    table.play(rogue="take")
    assert (table.hp("rogue"), table.fighter("knight")["action"], table.faults()) == (28, False, [])


@pytest.mark.heading("Cinch Down")
def test_it_is_asked_again_as_each_round_starts_while_the_hold_lasts() -> None:
    table = cinched(2, [(3, 3), (1, 2)]).play(knight="pick 0").play().finish_round()
    assert (table.round, table.window, table.legal("knight")) == (2, "pick", ["pass", "pick 0"])
    table.play(knight="pick 0").play()
    assert table.hp("rogue") == 40 - 6 - 3
    table.finish_round().play(knight="pass").play(knight="let_go").finish_round()
    assert table.round == 4 and table.window != "pick"


@pytest.mark.heading("Cinch Down", "Restrained")
def test_the_captive_is_restrained_further() -> None:
    # An attack on the captive: three levels in all, so it defends with five dice, of which the lowest two count.
    table = cinched(2, [(5, 3, 1, 8), (1, 1, 8, 8, 8)]).play(knight="pass")
    table.engage(knight="cunning: attack 1", rogue="agility").play()
    assert table.rolls() == (9, 2)


@pytest.mark.heading("Cinch Down", "Breaking Free")
def test_it_is_harder_to_break_free_and_over_once_the_captive_is_free() -> None:
    # The captive ignores all that the hold restrains; the owner has two levels of advantage, less one as a holder.
    table = cinched(2, [(8, 6), (1, 1, 6)]).play(knight="pass").play(rogue="break_free")
    assert table.rolls("check") == (14, 7) and table.conditions("rogue") == {}
    table.finish_round()
    assert table.round == 2 and table.window != "pick"


@pytest.mark.heading("Cinch Down", "Grappling")
def test_a_creature_that_is_held_again_in_the_same_round_is_held_in_the_ordinary_way() -> None:
    table = cinched(2, [(6, 4), (1, 2)]).play(knight="pass").play(knight="let_go")
    table.engage(knight="cunning: grapple 1", rogue="agility")
    assert (table.round, table.fighter("knight")["grappling"]) == (2, "rogue")
    assert table.window != "pick"


@pytest.mark.heading("Cinch Down")
def test_no_more_points_than_there_are_and_without_an_answer_all_of_them() -> None:
    owner = {**OWNER, "abilities": ["cinch_down"], "rush": 3}
    table = Table({"knight": owner, "rogue": HELD}, [1, 1, 2]).play(knight="use a")
    assert table.legal("knight") == ["pick 1", "pick 2", "pick 3"]
    table.play().play(knight="pick 0").play()
    assert (table.fighter("knight")["rush"], table.hp("rogue")) == (0, 36)


@pytest.mark.heading("Cinch Down")
def test_it_takes_a_captive_and_a_point() -> None:
    assert "use a" not in Table({"knight": {**OWNER, "abilities": ["cinch_down"]}, "rogue": {}}).legal("knight")
    owner = {**OWNER, "abilities": ["cinch_down"], "rush": 0}
    assert "use a" not in Table({"knight": owner, "rogue": HELD}).legal("knight")
