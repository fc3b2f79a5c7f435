"""Objects on a map: doors, the spare weapon, dropped weapons, and the allies that a fighter can help."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import weapon

BOW = weapon(attack_type="ranged", damage_type="piercing")


@pytest.mark.heading("Object Interaction")
def test_a_door_is_opened_by_the_free_interaction_and_closed_by_the_action() -> None:
    table = on_map("K+.R", {"knight": {}, "rogue": {}}, rules={"rush_mode": "none"})
    assert "dash 2,0" not in table.legal("knight")
    table.play(knight="door e")
    assert table.last("door") == {"type": "door", "fighter": "knight", "at": [1, 0], "open": True}
    assert not table.fighter("knight")["interaction"] and table.fighter("knight")["action"]
    assert "dash 2,0" in table.legal("knight")
    table.play(knight="door e")
    assert not table.fighter("knight")["action"] and not table.last("door")["open"]
    assert "dash 2,0" not in table.legal("knight") and "door e" not in table.legal("knight")


@pytest.mark.heading("Object Interaction")
def test_two_who_open_one_door_in_one_window_leave_it_open() -> None:
    """The knight is quicker; the rogue finds the door open, which costs it nothing, and the event names that cause."""
    table = on_map("K+R", {"knight": {}, "rogue": {"agility": 4}}).play(knight="door e", rogue="door w")
    assert table.events_of("door") == [{"type": "door", "fighter": "knight", "at": [1, 0], "open": True}]
    door = {"action": "door", "at": [1, 0], "open": True}
    assert table.events_of("declare") == [{"type": "declare", "fighter": "knight", **door}]
    assert table.events_of("fizzle") == [{"type": "fizzle", "fighter": "rogue", **door, "cause": "already open"}]
    assert not table.fighter("knight")["interaction"]
    assert table.fighter("rogue")["interaction"] and table.fighter("rogue")["action"]


@pytest.mark.heading("Object Interaction")
def test_two_who_close_one_door_in_one_window_leave_it_closed() -> None:
    table = on_map("K/R", {"knight": {}, "rogue": {"agility": 4}}).play(knight="door e", rogue="door w")
    assert [(event["fighter"], event["open"]) for event in table.events_of("door")] == [("knight", False)]
    assert [(event["fighter"], event["cause"]) for event in table.events_of("fizzle")] == [("rogue", "already closed")]
    assert table.fighter("rogue")["interaction"]


@pytest.mark.heading("Object Interaction")
def test_a_door_that_somebody_has_stepped_into_is_not_closed_and_the_fizzle_names_no_cause() -> None:
    table = on_map("K/R", {"knight": {"agility": 4}, "rogue": {}}).play(knight="door e", rogue="dash -1,0")
    assert table.events_of("door") == []
    fizzle = {"type": "fizzle", "fighter": "knight", "action": "door", "at": [1, 0], "open": False}
    assert (table.events_of("fizzle"), table.fighter("knight")["interaction"]) == ([fizzle], True)


@pytest.mark.heading("Object Interaction")
def test_nobody_closes_a_door_on_somebody() -> None:
    table = on_map("KR", {"knight": {}, "rogue": {}}, under="/")
    assert "door e" not in table.legal("knight")
    table = on_map("K/R", {"knight": {}, "rogue": {}})
    assert "door e" in table.legal("knight")


@pytest.mark.heading("Object Interaction")
def test_a_swap_changes_weapon_shield_and_speed() -> None:
    knight = {"weapon": BOW, "spare_weapon": weapon("heavy"), "spare_shield": "none", "armor": "none"}
    table = on_map("K...............R", {"knight": knight, "rogue": {}})
    assert table.fighter("knight")["weapon"] == "ranged"
    table.play(knight="swap")
    assert (table.fighter("knight")["weapon"], table.fighter("knight")["spare"]) == ("melee", True)
    assert table.last("swap")["weapon_die"] == 12
    assert not table.fighter("knight")["interaction"]
    assert table.sees("rogue")["enemy 1 weapon_die"] == pytest.approx(12 / 20)
    table.play(knight="swap")
    assert (table.fighter("knight")["weapon"], table.fighter("knight")["action"]) == ("ranged", False)
    assert "swap" not in table.legal("knight")


@pytest.mark.heading("Strategic Discussion")
def test_a_swap_shows_the_weapon_and_not_what_was_said_to_ones_own_side() -> None:
    fighters = {"knight": {}, "rogue": {"spare_weapon": weapon("heavy")}, "page": {"team": "red"}}
    table = on_map("K..RP", fighters, rules={"talk": "team"}).play(rogue="swap").pass_to("talk")
    table.play(rogue="say might")
    seen = table.sees("knight")
    assert (seen["enemy 1 weapon_die"], seen["enemy 1 said might"]) == (pytest.approx(12 / 20), 0)
    assert table.sees("page")["ally 1 said might"] == 1


@pytest.mark.heading("Object Interaction")
def test_who_carries_no_spare_swaps_nothing() -> None:
    table = on_map("KR", {"knight": {"spare_weapon": weapon("ultralight")}, "rogue": {}})
    assert ("swap" in table.legal("knight"), "swap" in table.legal("rogue")) == (True, False)


@pytest.mark.heading("Object Interaction")
def test_who_was_disarmed_takes_the_spare_or_fetches_the_weapon_from_where_it_fell() -> None:
    """The knight disarms the rogue (12 against 2); the rogue steps aside, walks off and comes back."""
    table = on_map("KR......", {"knight": {}, "rogue": {"spare_weapon": weapon("ultralight")}}, [(6, 6), (1, 1)])
    table.engage(knight="might: disarm 1", rogue="cunning").pass_to("action")
    assert not table.fighter("rogue")["armed"]
    assert {"pick_up", "swap"} <= set(table.legal("rogue"))
    table.play(rogue="sidestep e")
    assert "pick_up" in table.legal("rogue")
    table.play(rogue="dash 1,0")
    while table.window == "opportunity":
        table.play()
    assert (at(table, "rogue"), "pick_up" in table.legal("rogue")) == ((3, 0), False)
    table.play(rogue="swap")
    assert table.fighter("rogue")["armed"] and not table.fighter("rogue")["spare"]
    assert table.last("swap")["weapon_die"] == 4
    table.finish_round()
    assert (table.round, table.window) == (3, "action")
    assert "swap" not in table.legal("rogue")  # its other weapon lies on the floor


@pytest.mark.heading("Help")
def test_help_asks_to_stand_side_by_side() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue"}, "page": {"team": "blue"}, "rogue": {}}
    table = on_map("KS......\n...P...R", fighters)
    assert [choice for choice in table.legal("knight") if choice.startswith("help")] == ["help 1"]


@pytest.mark.heading("Range and Positioning")
def test_an_opened_door_opens_the_line_of_sight() -> None:
    table = on_map("K+.R", {"knight": {"weapon": BOW}, "rogue": {}})
    assert table.sees("knight")["enemy 1 in_sight"] == 0
    table.play(knight="door e")
    assert table.sees("knight")["enemy 1 in_sight"] == 1
