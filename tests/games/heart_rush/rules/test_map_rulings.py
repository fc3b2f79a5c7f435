"""Effects on a map other than of a fighter's own steps: R-69 and R-77 to R-85, one position each."""

from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules import cover
from heartrush_env.games.heart_rush.rules.maneuvers import stunt
from heartrush_env.games.heart_rush.rules.terms import UNCONSCIOUS
from tests.games.heart_rush.rules.drawn import scene
from tests.games.heart_rush.rules.map_table import at, on_map, told_ways
from tests.games.heart_rush.rules.table import PLAIN, Dice, Fields, Table, weapon

HIT, WEAK = (4, 3, 5), (1, 1)  # 12 against 2


def strike(table: Table, **stances: str) -> Table:
    """Let the knight strike the first of its enemies in might; no fighter shrugs or follows."""
    table.engage(**{"knight": "might", **stances}).pass_to("attack", "might").play(knight="attack 1")
    while table.window in ("shrug", "follow"):
        table.play()
    return table


def hurt(table: Table, cause: str) -> list[tuple[str, int]]:
    """Return the damage of this cause in order, each with its fighter."""
    return [(event["fighter"], event["amount"]) for event in table.events_of("damage") if event["cause"] == cause]


# ---- fear


@pytest.mark.heading("Frightened", "Dash")
def test_the_way_of_the_frightened_comes_no_nearer() -> None:
    """Every path past the source, at 5, 1, leads over squares nearer to it than the knight's, which is four away."""
    drawing = "............\n.K...R......\n............"
    table = on_map(drawing, {"knight": {"conditions": {"frightened": {"source": "rogue"}}}, "rogue": {}})
    dashes = {choice for choice in table.legal("knight") if choice.startswith("dash")}
    assert dashes == {"dash -1,-1", "dash 0,-1", "dash -1,0", "dash -1,1", "dash 0,1"}


@pytest.mark.heading("Frightened")
def test_a_chosen_way_of_the_frightened_comes_no_nearer_either() -> None:
    """The path to 3, 4, three squares from the source, starts two squares from it; 3, 2 is only one square from it."""
    drawn = scene("..... ....N ..A.. ..... .....", A={"frightened_by": "N"})
    east, south_east, south = 2, 3, 4
    assert drawn.walks([south, south_east]) == [south, south_east]
    assert drawn.walks([east, south, south]) == []


@pytest.mark.heading("Frightened", "Melee")
@pytest.mark.parametrize(("source", "asked"), [("scare", False), ("rogue", False), ("imp", True)])
def test_nobody_follows_a_push_towards_its_fear(source: str, asked: bool) -> None:
    fighters: Fields = {"knight": {"conditions": {"frightened": {"source": source}}}}
    fighters |= {"rogue": {"hp": 90}, "scare": {}, "imp": {}}
    table = on_map("IKR..S", fighters, [4] * 6)
    table.engage(knight="might: attack 1", rogue="cunning", scare="defensive", imp="defensive")
    while table.window == "shrug":
        table.play()
    assert (table.window == "follow") == asked


# ---- swinging past


@pytest.mark.heading("Stunt")
@pytest.mark.parametrize(
    "fields",
    [
        {"prone": 1},
        {"restrained": 1},
        {"entangled_by": "N"},
        {"grappled_by": "N"},
        {"crippled": 1},
        {"grappling": "O", "grappling_by": "O"},
        {"climbing": "B"},
    ],
)
def test_nobody_swings_past_who_could_not_walk_ten_feet_or_holds_another_or_rides(fields: Fields) -> None:
    drawn = scene(".AN.OB", A=fields)
    assert not drawn.ask(stunt.swing_past, "A", "N") and drawn.at("A") == (1, 0)


@pytest.mark.heading("Stunt")
@pytest.mark.parametrize(
    ("drawing", "there"),
    [("A#./#N./...", (0, 0)), ("A../.N#/.#.", (0, 0)), ("A#./.N./...", (2, 2)), ("A../.N#/...", (2, 2))],
)
def test_swinging_past_cuts_no_corner(drawing: str, there: tuple[int, int]) -> None:
    drawn = scene(drawing.replace("/", "\n"))
    drawn.ask(stunt.swing_past, "A", "N")
    assert drawn.at("A") == there


# ---- shots


@pytest.mark.heading("Range")
@pytest.mark.parametrize(("squares", "half"), [(4, True), (5, False)])
def test_an_archer_takes_no_step_over_half_its_speed_or_does_not_shoot(squares: int, half: bool) -> None:
    """The archer's speed is eleven squares, half of which is five."""
    drawing = "A..........R\n............"
    fighters: Fields = {"archer": {"weapon": weapon("heavy", "ranged")}, "rogue": {}}
    table = on_map(drawing, fighters, [HIT, WEAK]).play(archer=f"dash {squares},0")
    assert (table.engage(archer="agility: attack 1", rogue="might").window == "step") == half
    table = (
        on_map(drawing, fighters).play(archer=f"dash {squares},0").engage(archer="agility: sidestep e", rogue="might")
    )
    assert (table.window == "attack" and "attack 1" in table.legal("archer")) == half


@pytest.mark.heading("Dash", "Range")
def test_a_strike_at_long_reach_bars_the_dashes_of_the_round() -> None:
    spear = {"weapon": {**weapon(), "reach": True}, "rush": 1}
    table = on_map("K.R........\n...........", {"knight": spear, "rogue": {"hp": 90}}, [HIT, WEAK])
    table.play(rogue="dash 4,0").play(knight="opportunity 1 might rush").pass_to("action")
    assert not any(choice.startswith("dash") for choice in table.legal("knight"))
    assert any(choice.startswith("sidestep") for choice in table.legal("knight"))
    lying = {"hp": 90, "conditions": {"prone": 1}}
    table = on_map("KR.........\n...........", {"knight": spear, "rogue": lying}, [4] * 6)
    table.play(rogue="stand").play(knight="opportunity 1 might rush").pass_to("action")
    assert any(choice.startswith("dash") for choice in table.legal("knight"))


# ---- collisions and holds


@pytest.mark.heading("Forced Movement")
def test_what_a_collision_does_to_one_of_two_who_hold_each_other_it_does_to_both() -> None:
    held = {"conditions": {"grappled": {"source": "squire"}}}
    table = on_map("KR#\n.S.", {"knight": {}, "squire": {"team": "blue"}, "rogue": {**held, "hp": 90}}, [4] * 8)
    strike(table, rogue="cunning", squire="defensive")
    assert hurt(table, "collision") == [("squire", 8), ("rogue", 8)]


@pytest.mark.heading("Forced Movement")
@pytest.mark.parametrize(
    ("drawing", "held", "dice", "hurts"),
    [
        ("KRS#", "rogue", 8, [("rogue", 4), ("squire", 4)]),  # the holder in the way has its own part and no other
        ("KRP.\n..S.", "page", 7, [("page", 4), ("rogue", 4), ("squire", 4)]),
        ("KR.#\nS...", "rogue", 7, [("rogue", 4)]),  # pushed out of the hold
    ],
)
def test_whoever_holds_the_creature_in_the_way_shares_its_part(
    drawing: str, held: str, dice: int, hurts: list[tuple[str, int]]
) -> None:
    fighters: Fields = {"knight": {}, "squire": {"team": "blue"}, "rogue": {"hp": 90}}
    fighters[held] = {"team": "red", "hp": 90, "conditions": {"grappled": {"source": "squire"}}}
    table = on_map(drawing, fighters, [4] * dice)
    strike(table, squire="defensive", **{"page": "defensive"} if held == "page" else {}, rogue="cunning")
    assert sorted(hurt(table, "collision")) == hurts
    assert table.fighter("squire")["grappling"] == (held if len(hurts) > 1 else None)


def gripped(drawing: str, dice: Dice, **knight: Any) -> Table:
    """Let the knight strike the rogue that it holds, up to the question whether to squeeze it instead of a push."""
    held = {"conditions": {"grappled": {"source": "knight"}}, "hp": 90}
    table = on_map(drawing, {"knight": knight, "rogue": held}, dice)
    table.engage(knight="might: attack 1", rogue="cunning")
    while table.window == "shrug":
        table.play()
    assert (table.window, table.choosers(), table.legal("knight")) == ("follow", {"knight"}, ["pass", "grapple 1"])
    assert table.events_of("push") == []
    return table


@pytest.mark.heading("Grappling")
@pytest.mark.parametrize(("drawing", "size", "dice"), [("KR....", "medium", 1), ("KKR.../KK....", "L2", 3)])
def test_who_holds_the_one_it_would_push_may_squeeze_it(drawing: str, size: str, dice: int) -> None:
    """A squeeze is one d6, and one more for each of the two sizes by which the large knight is larger."""
    table = gripped(drawing.replace("/", "\n"), [4] * (7 + dice), size=size)
    before = at(table, "rogue")
    table.play(knight="grapple 1")
    assert table.window == "shrug"
    table.play()
    assert hurt(table, "squeeze") == [("rogue", 4 * dice)]
    assert (at(table, "rogue"), table.fighter("knight")["grappling"]) == (before, "rogue")
    assert (table.events_of("push"), table.window) == ([], "action")


@pytest.mark.heading("Grappling", "Forced Movement")
def test_who_does_not_squeeze_pushes_and_may_follow() -> None:
    """The push moves the rogue ten feet, out of the knight's hold."""
    table = gripped("KR....", [4] * 7)
    table.play()
    assert (at(table, "rogue"), table.fighter("knight")["grappling"]) == ((3, 0), None)
    assert (table.window, table.legal("knight")) == ("follow", ["pass", "follow"])
    table.play(knight="follow")
    assert (at(table, "knight"), hurt(table, "squeeze")) == ((2, 0), [])


@pytest.mark.heading("Grappling")
def test_a_squeeze_whose_hold_has_ended_is_a_push() -> None:
    """The quicker squire pushes the rogue out of the knight's hold, from 1, 0 to 3, 0; the knight pushes it to 5, 0."""
    held = {"conditions": {"grappled": {"source": "knight"}}, "hp": 90}
    fighters = {"squire": {"agility": 8}, "knight": {"team": "blue"}, "rogue": held}
    table = on_map("SR......\n.K......", fighters, [4] * 13)
    table.engage(squire="might: attack 1", knight="might: attack 1", rogue="cunning")
    while table.window == "shrug":
        table.play()
    assert table.choosers() == {"knight"}
    table.play(knight="grapple 1")
    assert (at(table, "rogue"), table.events_of("damage")[2:]) == ((5, 0), [])
    assert [event["by"] for event in table.events_of("push")] == ["squire", "knight"]


@pytest.mark.heading("Grappling")
def test_a_squeeze_of_one_who_is_out_by_then_comes_to_nothing() -> None:
    """The quicker squire pushes the rogue over a deadly edge; the knight is not asked again."""
    held = {"conditions": {"grappled": {"source": "knight"}}, "hp": 90}
    fighters = {"squire": {"agility": 8}, "knight": {"team": "blue"}, "rogue": held, "page": {"team": "red"}}
    table = on_map("SRv.\n.K..\n...P", fighters, [4] * 13, drop=40)
    table.engage(squire="might: attack 1", knight="might: attack 1", rogue="cunning")
    while table.window == "shrug":
        table.play()
    table.play(knight="grapple 1")
    assert (table.status("rogue"), hurt(table, "squeeze")) == ("defeated", [])
    assert (table.window, table.choosers(), table._fights.faults(0)) == ("follow", {"squire"}, [])


@pytest.mark.heading("Grappling")
def test_where_only_stances_are_asked_the_holder_squeezes() -> None:
    held = {"at": [1, 0], "conditions": {"grappled": {"source": "knight_0"}}, "hp": 90}
    sheets = [{"id": "knight", **PLAIN, "team": "blue", "at": [0, 0]}, {"id": "rogue", **PLAIN, "team": "red", **held}]
    game = HeartRush({"fighter": sheets, "battlefield": {"map": ["......"]}}, decisions="stance")
    fights = game.batch(1, record=True)
    fights.start([0], 1, [0], [4] * 8)
    stances = [game.action_names.index(f"stance {stance}") for stance in ("might", "cunning")]
    fights.step(np.array([stances], np.int64))
    told = fights.events(0)
    assert [event["amount"] for event in told if event["type"] == "damage" and event["cause"] == "squeeze"] == [4]
    assert [event for event in told if event["type"] == "push"] == []


@pytest.mark.heading("Forced Movement")
def test_a_push_of_the_creature_that_one_rides_is_a_die_of_six() -> None:
    rider = {"at": [2, 0], "conditions": {"creature_climber": {"source": "ogre"}}}
    table = on_map("..OO\n..OO\n....", {"knight": rider, "ogre": {"size": "L2"}}, [4] * 9)
    strike(table, ogre="cunning")
    assert (hurt(table, "collision"), at(table, "ogre")) == ([("ogre", 4)], (2, 0))


# ---- riders


def over_the_edge(drop: int, dice: Dice) -> Table:
    """Let a large knight push a large ogre, ridden by a squire, over an edge."""
    fighters: Fields = {"knight": {"size": "L2"}, "ogre": {"size": "L2", "at": [2, 0], "hp": 90}}
    fighters["squire"] = {"team": "blue", "at": [2, 0], "conditions": {"creature_climber": {"source": "ogre"}}}
    fighters["page"] = {"team": "red", "at": [0, 2]}
    table = on_map("KK..vv\nKK..vv\n......", fighters, dice, drop=drop)
    return strike(table, ogre="cunning", squire="defensive", page="defensive")


@pytest.mark.heading("Drops")
def test_whoever_rides_a_creature_falls_with_it_and_saves_for_itself() -> None:
    """The squire holds on with 14 in the push; then the ogre's save lacks 2 of ten feet, and the squire's 8."""
    table = over_the_edge(10, [HIT, WEAK, (8, 6), (4, 4), (1, 1), (8, 6)])
    assert [event["fighter"] for event in table.events_of("fall")] == ["ogre", "squire"]
    assert hurt(table, "fall") == [("ogre", 2), ("squire", 8)]
    assert table.conditions("squire")["prone"] == 1 and at(table, "squire") == (4, 0)


@pytest.mark.heading("Drops")
def test_a_deep_fall_puts_riders_out_with_what_they_ride() -> None:
    table = over_the_edge(40, [HIT, WEAK, (8, 6)])
    assert [table.status(who) for who in ("ogre", "squire", "page")] == ["defeated", "defeated", "standing"]


@pytest.mark.heading("Drops")
def test_a_rider_that_the_push_shook_off_does_not_fall() -> None:
    table = over_the_edge(40, [HIT, WEAK, (1, 1)])
    assert [table.status(who) for who in ("ogre", "squire")] == ["defeated", "standing"]
    assert at(table, "squire")[0] < 4


@pytest.mark.heading("Climb On")
@pytest.mark.parametrize(
    ("drawing", "place"),
    [
        ("#####..\n#OO##..\n#OO##..\n#####P.", None),
        ("#####..\n#OO.#..\n#OO##..\n#####P.", (3, 1)),
        ("######\n#OOP..\n#OO###\n######", None),  # the one square is taken, and the next is a step further
        ("######\n#OO.P.\n#OO###\n######", (3, 1)),
    ],
)
def test_of_its_own_will_a_climber_comes_off_right_beside_the_creature_only_and_not_through_a_wall(
    drawing: str, place: tuple[int, int] | None
) -> None:
    rider = {"team": "red", "at": [2, 1], "conditions": {"creature_climber": {"source": "ogre"}}}
    table = on_map(drawing, {"ogre": {"size": "L2"}, "knight": rider, "page": {"team": "red"}})
    assert ("hop_off" in table.legal("knight")) is (place is not None)
    if place:
        assert at(table.play(knight="hop_off"), "knight") == place


@pytest.mark.heading("Climb On")
def test_everybody_hears_of_who_is_carried_by_who_is_carried() -> None:
    beast = {"size": "L2", "team": "red", "at": [0, 0], "conditions": {"creature_climber": {"source": "giant"}}}
    rider = {"team": "blue", "at": [0, 0], "conditions": {"creature_climber": {"source": "beast"}}}
    drawing = "\n".join(["GGGG...."] * 4)
    table = on_map(drawing, {"giant": {"size": "L4"}, "beast": beast, "knight": rider}).play(giant="dash 2,0")
    assert (at(table, "knight"), told_ways(table, "carried")[-1]) == ((2, 0), ("knight", [[1, 0], [2, 0]]))


@pytest.mark.heading("Cover")
@pytest.mark.parametrize(
    ("fields", "levels"),
    [
        ({"bulky": False}, 1),
        ({"climbing": "N"}, 1),
        ({"status": UNCONSCIOUS}, 1),
        ({}, 0),
        ({"bulky": False, "team": 0}, 0),
        ({"bulky": False, "y": 2}, 0),
    ],
)
def test_who_shares_the_space_of_a_larger_friend_is_covered_by_it(fields: Fields, levels: int) -> None:
    drawn = scene("NN.....A NN...... O.......", N={"size_rank": 2}, O={"y": 0, "ally_count": 1, **fields})
    drawn.match.fighters[drawn.i("O")].allies[0] = drawn.i("A" if fields.get("team") == 0 else "N")
    assert drawn.ask(cover.cover_levels, "A", "O") == levels


@pytest.mark.heading("Range", "Same Stance Combat")
@pytest.mark.parametrize(("dash", "contested"), [("dash 3,0", False), ("dash 2,0", True)])
def test_an_archer_whose_step_costs_it_the_attack_answers_with_a_defense_roll(dash: str, contested: bool) -> None:
    """With a step of 5 feet, 15 feet are more than half of its speed of 30, and 10 are not (R-9, R-78)."""
    archer = {"weapon": "longbow", "speed": 30}
    ground = "K.....R...." if dash == "dash 3,0" else "K....R....."
    table = on_map(ground, {"knight": archer, "rogue": {}}, [(5, 4, 1), (2, 3, 4) if contested else (2, 3)])
    table.play(knight=dash).engage(knight="agility: sidestep e", rogue="agility: sidestep w").play(rogue="attack 1")
    assert table.last("attack")["contested"] == contested
