"""Moving on a map: dashes and their openings, trips, sidesteps, rush points, rising, and the default path."""

from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules import default_movement
from tests.games.heart_rush.rules.drawn import scene
from tests.games.heart_rush.rules.map_table import at, on_map, told_ways
from tests.games.heart_rush.rules.table import PLAIN, Fields, weapon

STRIKE = [(4, 3, 5), (1, 1)]  # 12 against 2
UNSEEN = (1, 1, 8, 8, 8, 8, 8)  # a defense of 2, five dice being dropped
SLOW: Fields = {"agility": 4}


# ---- openings


@pytest.mark.heading("Opportunity Attacks", "Dash")
def test_leaving_reach_is_an_opening_before_the_step() -> None:
    table = on_map("KR.....", {"knight": {}, "rogue": {}}, STRIKE).play(rogue="dash 2,0")
    assert (table.window, table.choosers(), at(table, "rogue")) == ("opportunity", {"knight"}, (1, 0))
    table.play(knight="opportunity 1 might")
    assert table.window == "shrug"
    table.play()
    assert (table.hp("rogue"), at(table, "rogue")) == (30, (3, 0))
    assert not table.fighter("knight")["action"] and table.fighter("knight")["rush"] == 1


@pytest.mark.heading("Opportunity Attacks")
def test_who_strikes_from_hiding_is_told_to_be_seen_before_the_way_goes_on() -> None:
    """A snapshot of the next opening then leaves no event out."""
    fighters: Fields = {"knight": {"conditions": {"hidden": 1}}, "squire": {"team": "blue"}, "rogue": {}}
    table = on_map("KR...S..\n........", fighters, [(4, 3, 5), UNSEEN]).play(rogue="dash 6,0")
    table.play(knight="opportunity 1 might").play()
    assert (table.window, table.choosers()) == ("opportunity", {"squire"})
    told = table.events_of("condition")[-1]
    assert (told["fighter"], told["condition"], told["levels"]) == ("knight", "hidden", 0)


@pytest.mark.heading("Opportunity Attacks")
def test_the_second_step_within_reach_is_an_opening_the_first_is_none() -> None:
    table = on_map(".R.\n.K.\n...\n...", {"knight": {}, "rogue": {}})
    table.play(rogue="dash 1,1")  # one step around the corner
    assert (table.window, at(table, "rogue")) == ("action", (2, 1))
    table = on_map("R..\n.K.\n#..\n...", {"knight": {}, "rogue": {}}, STRIKE)
    table.play(rogue="dash 2,1")
    assert (table.window, at(table, "rogue")) == ("opportunity", (1, 0))
    table.play(knight="opportunity 1 might rush").play()
    assert (table.hp("rogue"), at(table, "rogue")) == (30, (2, 1))
    assert table.fighter("knight")["action"] and table.last("rush") == {"type": "rush", "fighter": "knight", "left": 0}


@pytest.mark.heading("Opportunity Attacks")
def test_two_dashes_of_five_feet_within_reach_are_more_than_five_feet() -> None:
    """The round's first square in reach, by the free dash, is no opening; the second, by the action's dash, is."""
    table = on_map(".R.\n.K.\n...", {"knight": {}, "rogue": {}}, STRIKE).play(rogue="dash 1,1")
    assert (table.window, at(table, "rogue")) == ("action", (2, 1))
    table.play(rogue="dash 0,1")
    assert (table.window, table.choosers(), at(table, "rogue")) == ("opportunity", {"knight"}, (2, 1))
    table.play(knight="opportunity 1 might").play()
    assert (table.hp("rogue"), at(table, "rogue")) == (30, (2, 2))


@pytest.mark.heading("Opportunity Attacks")
def test_each_declaration_that_goes_beyond_the_five_feet_is_an_opening_once() -> None:
    """The second of three squares around the knight is an opening, the third is not; a second dash is one at once."""
    table = on_map("R..\n.K.\n#..\n#..", {"knight": {}, "rogue": {}})
    table.play(rogue="dash 2,2")
    assert at(table, "rogue") == (1, 0)
    table.play()
    assert (table.window, at(table, "rogue")) == ("action", (2, 2))
    table.play(rogue="dash -1,0")
    assert (table.window, at(table, "rogue")) == ("opportunity", (2, 2))
    table.play()
    assert (table.window, at(table, "rogue")) == ("action", (1, 2))


@pytest.mark.heading("Opportunity Attacks", "Sidestep")
def test_sidesteps_are_no_part_of_the_five_feet_and_the_next_round_counts_from_nothing() -> None:
    table = on_map(".R.\n.K.\n...", {"knight": {}, "rogue": {}}).play(rogue="sidestep e rush")
    table.play(rogue="dash 0,1")
    assert (table.window, at(table, "rogue")) == ("action", (2, 1))
    table.finish_round().play(rogue="dash 0,1")
    assert (table.window, at(table, "rogue")) == ("action", (2, 2))


@pytest.mark.heading("Opportunity Attacks")
def test_the_five_feet_are_counted_by_each_enemy_for_itself() -> None:
    """The rogue's first square is in the knight's reach, the second in both reaches: only the knight is asked."""
    table = on_map(".R...\n.K.S.\n.....", {"knight": {}, "squire": {"team": "blue"}, "rogue": {}})
    table.play(rogue="dash 1,0")
    assert (table.window, at(table, "rogue")) == ("action", (2, 0))
    table.play(rogue="dash 0,1")
    assert (table.window, table.choosers(), at(table, "rogue")) == ("opportunity", {"knight"}, (2, 0))
    table.play()
    assert at(table, "rogue") == (2, 1)


@pytest.mark.heading("Opportunity Attacks")
def test_the_five_feet_are_counted_for_each_mover_by_itself() -> None:
    """The rogue has used its five feet within the knight's reach; the page still has its own."""
    table = on_map(".R.\n.K.\n.P.", {"knight": {}, "rogue": {}, "page": {"team": "red"}})
    table.play(rogue="dash 1,0").play(page="dash 1,0")
    assert (table.window, at(table, "rogue"), at(table, "page")) == ("action", (2, 0), (2, 2))
    table.play(page="dash 0,-1")
    assert (table.window, table.choosers()) == ("opportunity", {"knight"})


@pytest.mark.heading("Opportunity Attacks")
def test_who_goes_past_several_is_struck_by_each_once_a_declaration() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue", **SLOW}, "rogue": {"hp": 60}}
    table = on_map("K####\nR....\nS####", fighters, [*STRIKE, *STRIKE])
    table.play(rogue="dash 3,0")
    assert table.choosers() == {"knight", "squire"}
    table.play(knight="opportunity 1 might", squire="opportunity 1 might").play().play()
    assert (table.hp("rogue"), at(table, "rogue")) == (40, (3, 1))
    assert [event["attacker"] for event in table.events_of("attack")] == ["knight", "squire"]


@pytest.mark.heading("Opportunity Attacks")
def test_who_cannot_pay_or_threatens_nobody_has_no_opening() -> None:
    for knight in ({"weapon": weapon(attack_type="ranged")}, {"conditions": {"stunned": 1}}):
        table = on_map("KR.....", {"knight": knight, "rogue": {}}).play(rogue="dash 3,0")
        assert at(table, "rogue") == (4, 0)
    table = on_map("R......\nK......\n.......", {"knight": {}, "rogue": {}}, rules={"rush_mode": "none"})
    table.play(knight="sidestep e").play(rogue="dash 3,0")
    assert at(table, "rogue") == (3, 0)  # the action is gone, and there is no rush point


@pytest.mark.heading("Opportunity Attacks")
def test_whom_the_strike_fells_goes_no_further() -> None:
    table = on_map("KR.....", {"knight": {}, "rogue": {"hp": 10}}, STRIKE).play(rogue="dash 3,0")
    table.play(knight="opportunity 1 might").pass_to("over")
    assert (table.status("rogue"), at(table, "rogue")) == ("defeated", (1, 0))


@pytest.mark.heading("Opportunity Attacks")
def test_the_surprised_and_those_from_whom_one_is_hidden_are_open_within_range_only() -> None:
    table = on_map("KR.P", {"knight": {}, "rogue": {"surprised": True}, "page": {"team": "red", "surprised": True}})
    strikes = [choice for choice in table.legal("knight") if choice.startswith("opportunity")]
    stances = ("might", "agility", "cunning")
    assert strikes == [f"opportunity 1 {stance}{pay}" for pay in ("", " rush") for stance in stances]
    table = on_map("KR.P", {"knight": {"conditions": {"hidden": 1}}, "rogue": {}, "page": {}}, [STRIKE[0], UNSEEN])
    table.play(knight="opportunity 1 might rush").play()
    assert (table.hp("rogue"), table.conditions("knight")) == (30, {})
    assert not [choice for choice in table.legal("knight") if choice.startswith("opportunity")]


@pytest.mark.heading("Opportunity Attacks", "Sidestep", "Dash", "Understanding Actions and Abilities")
def test_rising_with_half_a_dash_opens_to_all_who_threaten_and_keeps_half_the_dash() -> None:
    rogue = {"conditions": {"prone": 1}, "speed": 40}
    table = on_map("KR......\n........", {"knight": {}, "rogue": rogue}, [STRIKE[0], (1, 1, 8)])
    table.play(rogue="stand")
    assert table.choosers() == {"knight"}
    table.play(knight="opportunity 1 might").play()
    assert (table.hp("rogue"), table.conditions("rogue")) == (30, {})
    legal = table.legal("rogue")
    assert "dash 4,0" in legal and "dash 5,0" not in legal and "stand" not in legal
    table.play(rogue="dash 4,0").pass_to("action")
    assert "dash 2,0" in table.legal("rogue")  # by the action, at full speed
    table.finish_round()


@pytest.mark.heading("Opportunity Attacks")
def test_what_shoots_or_is_thrown_threatens_nobody_who_rises_not_even_in_its_own_square() -> None:
    for attack_type in ("ranged", "thrown"):
        bow = {"weapon": weapon("ultralight", attack_type), "size": "tiny"}
        table = on_map("K..", {"knight": {"conditions": {"prone": 1}}, "archer": {**bow, "team": "red", "at": [0, 0]}})
        assert at(table, "archer") == at(table, "knight")
        table.play(knight="stand")
        assert (table.window, table.conditions("knight")) == ("action", {})


# ---- trips


@pytest.mark.heading("Trip")
def test_an_enemy_trips_an_off_balanced_mover_beside_it_and_the_movement_ends_there() -> None:
    table = on_map("R......\n...K...", {"knight": {}, "rogue": {"conditions": {"off_balanced": 1}}})
    table.play(rogue="dash 6,0")
    assert (table.window, at(table, "rogue")) == ("opportunity", (2, 0))
    assert "trip 1" in table.legal("knight") and "opportunity 1 might" not in table.legal("knight")
    table.play(knight="trip 1")
    assert (at(table, "rogue"), table.conditions("rogue")) == ((2, 0), {"off_balanced": 1, "prone": 1})
    assert table.fighter("knight")["action"]


@pytest.mark.heading("Trip")
def test_each_is_asked_to_trip_once_a_declaration_and_trips_the_same_one_once_a_round() -> None:
    fighters = {"knight": {}, "rogue": {"conditions": {"off_balanced": 1}}}
    table = on_map("R......\n...K...", fighters, rules={"rush_mode": "none"})
    table.play(rogue="dash 6,0").play()  # no trip
    while table.window == "opportunity":
        assert "trip 1" not in table.legal("knight")
        table.play()
    assert at(table, "rogue") == (6, 0)


@pytest.mark.heading("Trip")
def test_nobody_trips_the_steady_or_who_is_two_sizes_larger() -> None:
    for rogue in ({}, {"size": "L2", "conditions": {"off_balanced": 1}}):
        table = on_map("R......\n.......\n...K...", {"knight": {}, "rogue": rogue}).play(rogue="dash 1,0")
        assert table.window == "action"


@pytest.mark.heading("Trip", "Dash")
def test_who_is_stopped_in_the_space_of_another_goes_back_to_where_it_may_stay() -> None:
    fighters = {"knight": {"conditions": {"off_balanced": 1}}, "squire": {"team": "blue"}, "rogue": {}}
    table = on_map("KS...\n#R###", fighters)
    table.play(knight="dash 2,0")
    assert at(table, "knight") == (1, 0)  # on its way through the squire
    table.play(rogue="trip 1")
    assert (at(table, "knight"), table.conditions("knight")) == ((0, 0), {"off_balanced": 1, "prone": 1})
    assert told_ways(table, "dash") == [("knight", [[1, 0]]), ("knight", [[0, 0]])]


@pytest.mark.heading("Opportunity Attacks")
def test_a_creature_that_walks_with_a_rider_does_not_open_itself_to_it() -> None:
    climber = {"size": "small", "conditions": {"creature_climber": {"source": "rogue"}}}
    table = on_map("RR......\nRR......", {"knight": climber, "rogue": {"size": "L2"}}).play(rogue="dash 6,0")
    assert (table.window, at(table, "rogue"), at(table, "knight")) == ("action", (6, 0), (6, 0))


# ---- sidesteps and rush points


@pytest.mark.heading("Sidestep")
def test_a_sidestep_never_opens_and_costs_the_action_or_a_rush_point() -> None:
    table = on_map("KR....", {"knight": {}, "rogue": {}}).play(rogue="sidestep e")
    assert (at(table, "rogue"), table.fighter("rogue")["action"], table.fighter("rogue")["rush"]) == ((2, 0), False, 1)
    assert "sidestep e" not in table.legal("rogue")
    table.play(rogue="sidestep e rush")
    assert (at(table, "rogue"), table.fighter("rogue")["rush"]) == ((3, 0), 0)
    assert "sidestep e rush" not in table.legal("rogue")
    assert table.events_of("attack") == []
    assert told_ways(table, "sidestep") == [("rogue", [[2, 0]]), ("rogue", [[3, 0]])]


@pytest.mark.heading("Sidestep")
def test_rising_by_sidestep_may_be_paid_with_a_rush_point() -> None:
    table = on_map("KR....", {"knight": {}, "rogue": {"conditions": {"prone": 1}}}).play(rogue="rise rush")
    assert (table.conditions("rogue"), table.fighter("rogue")["rush"]) == ({}, 0)
    assert table.fighter("rogue")["action"] and table.window == "action"


@pytest.mark.heading("Sidestep")
def test_a_confused_fighter_that_has_acted_has_no_rush_point_for_a_movement() -> None:
    table = on_map("KR....\n......", {"knight": {"conditions": {"confused": 1}}, "rogue": {}})
    assert "sidestep s rush" in table.legal("knight")
    table.play(knight="sidestep s")
    assert [choice for choice in table.legal("knight") if "sidestep" in choice or "dash" in choice] == []


# ---- ranged weapons


@pytest.mark.heading("Range", "Dash")
def test_who_moves_more_than_half_its_speed_with_a_bow_only_defends() -> None:
    fighters: Fields = {"knight": {"weapon": weapon(attack_type="ranged"), "speed": 30}, "rogue": {}}
    table = on_map("K.......R", fighters).play(knight="dash 3,0").pass_to("stance")
    assert len([choice for choice in table.legal("knight") if choice.startswith("stance")]) == 4
    table = on_map("K.......R", fighters).play(knight="dash 4,0").pass_to("stance")
    assert table.legal("knight") == ["pass"]  # nothing to choose
    table.play(rogue="stance might")
    assert table.last("reveal")["stances"] == {"knight": "defensive", "rogue": "might"}


@pytest.mark.heading("Range", "Dash")
def test_who_has_shot_outside_the_engagement_moves_half_its_speed_at_most() -> None:
    bow = {"weapon": weapon(attack_type="ranged"), "speed": 30}
    table = on_map(".K.....R", {"knight": bow, "rogue": {"surprised": True}}, [(1, 1, 1), (3, 3)])
    table.play(knight="opportunity 1 might rush")
    legal = table.legal("knight")
    assert "dash 3,0" in legal and "dash 4,0" not in legal


@pytest.mark.heading("Range", "Sidestep")
def test_sidesteps_after_a_shot_are_a_part_of_the_half() -> None:
    """Half of fifteen feet is one square, after which no sidestep is left, not even that of the agility stance."""
    bow = {"weapon": weapon(attack_type="ranged"), "speed": 15, "rush": 3}
    fighters = {"knight": bow, "rogue": {"surprised": True}}
    for step in ("sidestep e rush", "dash 1,0"):
        table = on_map(".K......R", fighters, [(1, 1, 1, 1), (3, 3)]).play(knight="opportunity 1 might rush")
        assert "sidestep e" in table.legal("knight")
        table.play(knight=step)
        assert not [choice for choice in table.legal("knight") if "sidestep" in choice or "dash" in choice]
        table.engage(knight="agility")
        assert "attack 1" in table.legal("knight") and "sidestep e" not in table.legal("knight")
        table.finish_round()
        assert "sidestep e" in table.legal("knight")


# ---- the default


def left_to_the_default(rows: list[str], sheets: Fields, **rules: Any) -> tuple[HeartRush, Any]:
    """Return a game that asks only for stances, and its fight when the first ones are asked."""
    fighters = [{"id": name, **PLAIN, "speed": 30, **sheet} for name, sheet in sheets.items()]
    scenario = {"fighter": fighters, "battlefield": {"map": rows}, "rules": rules}
    game = HeartRush(scenario, decisions="stance")
    fights = game.batch(1, record=True)
    fights.start([0], 1, [0])
    assert fights.describe(0)["window"] == "stance"
    return game, fights


def first_stances(rows: list[str], **fighters: Fields) -> dict[str, list[int]]:
    """Return where the fighters are when the first stances are asked; until then all play by default."""
    _, fights = left_to_the_default(rows, fighters)
    return {agent: fighter["at"] for agent, fighter in fights.describe(0)["fighters"].items()}


@pytest.mark.heading("Dash")
def test_where_only_stances_are_asked_everyone_walks_to_where_its_weapon_reaches() -> None:
    """Fighters of equal agility roll for timing. The archer walks half its speed, the knight all of it."""
    archer = {"team": "red", "at": [20, 0], "weapon": weapon(attack_type="ranged")}
    seen = first_stances(["." * 21], knight={"team": "blue", "at": [0, 0]}, archer=archer)
    assert seen == {"knight_0": [6, 0], "archer_0": [17, 0]}


@pytest.mark.heading("Dash")
def test_by_default_who_finds_its_place_taken_goes_elsewhere_in_the_next_window() -> None:
    """There is room for one beside the rogue, which the knight takes; of the next best squares the upper one wins."""
    knight, squire = {"team": "blue", "at": [0, 0], "agility": 12}, {"team": "blue", "at": [0, 1]}
    rogue = {"team": "red", "at": [5, 1], "speed": 0}
    seen = first_stances(["....##", "......", "....##"], knight=knight, squire=squire, rogue=rogue)
    assert seen == {"knight_0": [4, 1], "squire_0": [3, 0], "rogue_0": [5, 1]}


@pytest.mark.heading("Object Interaction")
@pytest.mark.parametrize(("row", "beside"), [(0, 1), (2, 1), (4, 2)])
def test_by_default_two_in_rooms_of_their_own_open_the_door_between_them_and_fight(row: int, beside: int) -> None:
    """As the crow flies, the corner of the room is nearest; by steps, a square beside the door is."""
    knight, rogue = {"team": "blue", "at": [1, row]}, {"team": "red", "at": [7, row], "agility": 4}
    rows = ["....#....", "....#....", "....+....", "....#....", "....#...."]
    assert first_stances(rows, knight=knight, rogue=rogue) == {"knight_0": [3, beside], "rogue_0": [5, beside]}
    game, fights = left_to_the_default(rows, {"knight": {**knight, "hp": 10}, "rogue": {**rogue, "hp": 10}})
    chosen = np.array([[game.action_names.index(f"stance {stance}") for stance in ("might", "agility")]], np.int64)
    opened = list(fights.events(0))
    while fights.describe(0)["window"] != "over":
        fights.step(chosen)
        opened += fights.events(0)
    assert [(event["fighter"], event["open"]) for event in opened if event["type"] == "door"] == [("knight_0", True)]
    assert fights.describe(0)["cause"] == "victory"


@pytest.mark.heading("Object Interaction", "Default Movement")
def test_the_default_opens_only_the_door_on_its_way() -> None:
    assert scene("####+## #.+A..N #######").ask(default_movement.default_door, "A") == -1
    drawn = scene("####### #.+A+.N #######")
    assert drawn.ask(default_movement.default_door, "A") == 2
    drawn.change("A", interaction=False)
    assert drawn.ask(default_movement.default_door, "A") == -1


@pytest.mark.heading("Confused")
def test_by_default_a_confused_fighter_that_has_walked_does_not_strike_where_that_costs_the_action() -> None:
    """The step of the agility stance still has the fighter asked in the attack window."""
    confused = {"team": "blue", "at": [0, 0], "conditions": {"confused": 1}, "speed": 60}
    rogue = {"team": "red", "at": [3, 0], "speed": 0}
    game, fights = left_to_the_default(["....."], {"knight": confused, "rogue": rogue}, attack_costs_action=True)
    names = list(game.action_names)
    fights.step(np.array([[names.index("stance agility"), names.index("stance defensive")]], np.int64))
    assert [event["type"] for event in fights.events(0)].count("attack") == 0
    seen = fights.describe(0)
    assert (seen["round"], seen["fighters"]["knight_0"]["at"]) == (2, [2, 0])
