"""Classic engagements on a map, and the older numbers: sides that take turns to step, rush points, trips."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map, told_ways
from tests.games.heart_rush.rules.table import Dice, Fields, Table

CLASSIC = {"edition": "classic"}
HEROES, OTHERS = 4, 3  # of the d6 at a round's start: heroes begin on four or more

FOUR = """
......
.KO...
.SW...
......
"""


def four(dice: Dice = (), drawing: str = FOUR, **more: Fields) -> Table:
    """Return a table with knight and squire, heroes, against orc and wolf, which have the larger agility dice."""
    fighters: dict[str, Fields] = {"knight": {}, "squire": {"team": "blue"}}
    fighters |= {name: {"agility": 8} for name in ("orc", "wolf")}
    together = {name: {**sheet, **more.get(name, {})} for name, sheet in fighters.items()}
    return on_map(drawing, together, dice, CLASSIC, heroes=["blue"])


@pytest.mark.heading("Agility", "Engaging the Enemy")
def test_an_engagement_of_four() -> None:
    """Fighters enter, two contest each other, sides alternate their steps, and one is attacked that attacks another."""
    orc_and_knight = [(5, 4, 3), (6, 5, 4)]  # heart, agility, blade of each, the quicker first: 12 and 15
    wolf_strikes = [(4, 7, 6), (3, 2)]  # 17; the knight's heart and agility: 5
    squire_strikes = [(7, 6, 5), (2, 3)]  # 18; the wolf's: 5
    table = four([OTHERS, *orc_and_knight, *wolf_strikes, *squire_strikes])

    # The others have priority. The orc engages the knight; squire and wolf reach one of the two, and enter.
    assert table.events_of("priority") == [{"type": "priority", "team": "red", "cause": "roll", "die": OTHERS}]
    table.play(orc="engage 1")
    assert (table.window, table.choosers()) == ("enter", {"squire", "wolf"})
    table.play(squire="enter", wolf="enter")
    everyone = ["knight", "squire", "orc", "wolf"]
    assert table.events_of("engagement") == [{"type": "engagement", "engaged": "blue", "fighters": everyone}]
    assert [table.fighter(name)["action"] for name in everyone] == [True, False, False, False]
    table.play(**dict.fromkeys(everyone, "stance agility"))

    # Knight and orc attack first, and each other. Squire and wolf step first, to the same square.
    assert (table.phase, table.choosers()) == ("agility", set(everyone))
    table.play(knight="attack 1", orc="attack 1", squire="sidestep se", wolf="sidestep s")
    contest = table.last("attack")
    assert (contest["attacker"], contest["contested"], contest["mutual"]) == ("orc", True, True)
    assert table.rolls() == (12, 15)

    # The knight's side was engaged: the squire steps before the quicker wolf, which finds the square taken.
    assert told_ways(table, "sidestep") == [("squire", [[2, 3]])]
    assert (at(table, "wolf"), table.window, table.choosers()) == ((2, 2), "attack", {"squire", "wolf"})
    assert "attack 1" not in table.legal("squire")  # the orc is two squares away

    # The wolf strikes the knight, which strikes the orc, and the squire strikes the wolf: neither is a contest.
    table.play(squire="attack 2", wolf="attack 1")
    wolf, squire = table.events_of("attack")[1:]
    assert [(told["attacker"], told["target"], told["contested"]) for told in (wolf, squire)] == [
        ("wolf", "knight", False), ("squire", "wolf", False),
    ]  # fmt: skip

    # Those who attacked first step last, to one square again, and the engaged side before the quicker orc again.
    assert (table.window, table.choosers()) == ("step", {"knight", "orc"})
    table.play(knight="sidestep ne", orc="sidestep n")
    assert (told_ways(table, "sidestep")[1:], at(table, "orc")) == ([("knight", [[2, 0]])], (2, 1))

    # All hits land together.
    table.play()
    assert [table.hp(name) for name in everyone] == [28, 40, 37, 27]  # 17 - 5, 15 - 12, 18 - 5
    assert (table.window, table.choosers()) == ("action", {"knight", "squire"})
    assert table.last("priority") == {"type": "priority", "team": "blue", "cause": "engaged"}
    assert table.events_of("timing") == []


@pytest.mark.heading("Agility")
def test_sides_alternate_until_one_has_nobody_left_to_step() -> None:
    """Of the engaged side only the knight steps; of the other side the quicker fighter steps first."""
    table = four([HEROES], wolf={"agility": 10})
    table.play(knight="engage 1").play(squire="enter", wolf="enter")
    table.play(**dict.fromkeys(("knight", "squire", "orc", "wolf"), "stance agility")).play()
    assert table.window == "step"
    table.play(squire="sidestep sw", orc="sidestep ne", wolf="sidestep se")
    assert [name for name, _ in told_ways(table, "sidestep")] == ["wolf", "squire", "orc"]


@pytest.mark.heading("Agility")
def test_between_sides_nobody_rolls_for_a_square() -> None:
    """Two heroes of two sides with equal dice step to one square, and the side that was engaged gets it."""
    for drawing, square in (("...\nK.R", "ne"), ("K.R\n...", "se")):
        table = on_map(drawing, {"knight": {"rush": 1}, "rogue": {}}, [HEROES], CLASSIC, heroes=["blue", "red"])
        table.play(knight="dash 1,0").play().play(knight="engage 1")
        table.play(knight="stance agility", rogue="stance agility").play()
        north = square == "ne"
        table.play(knight="sidestep n" if north else "sidestep s", rogue="sidestep nw" if north else "sidestep sw")
        assert [name for name, _ in told_ways(table, "sidestep")] == ["rogue"]
        assert at(table, "knight") == ((1, 1) if north else (1, 0))


@pytest.mark.heading("Agility", "Engaging the Enemy")
def test_each_engagement_of_a_round_has_its_own_step() -> None:
    table = four([HEROES], drawing="......\n.KO...\n......\n......\n...S.W")
    table.play(knight="engage 1").play(knight="stance agility", orc="stance agility")
    table.play(knight="sidestep n").pass_to("action")
    assert (at(table, "knight"), table.choosers()) == ((1, 0), {"orc", "wolf"})
    table.play(orc="engage 1").play(knight="stance agility", orc="stance agility").play(knight="sidestep s")
    assert at(table, "knight") == (1, 1)
    table.pass_to("action")


@pytest.mark.heading("Engaging the Enemy")
def test_nobody_engages_or_enters_from_afar() -> None:
    table = four([HEROES], drawing="K.O...\n......\n......\nS....W")
    assert not any("engage" in choice for choice in table.legal("knight"))
    table.play(knight="dash 1,0")
    assert table.choosers() == {"orc", "wolf"}  # a free dash is a use of the turn
    table.play()
    assert "engage 1" in table.legal("knight") and "engage 2" not in table.legal("knight")
    table.play(knight="engage 1")
    assert table.window == "stance"  # squire and wolf reach nobody
    table.play()


@pytest.mark.heading("Special Use Cases")
def test_rush_points_pay_for_opportunity_attacks_and_sidesteps() -> None:
    strike = [(5, 3, 8), (4, 2)]  # heart, might, blade: 16; the orc's heart and might: 6
    drawing, rush = "......\n.KO...\n......\n......\nS....W", {"rush": 1}
    table = four([HEROES, *strike], drawing=drawing, knight=rush, squire=rush).play(squire="sidestep e rush")
    squire = table.fighter("squire")
    assert (squire["rush"], squire["action"], at(table, "squire")) == (0, True, (1, 4))
    assert table.last("rush") == {"type": "rush", "fighter": "squire", "left": 0}
    table.play(orc="dash 3,0")
    assert table.window == "opportunity"
    assert {"opportunity 1 might", "opportunity 1 might rush"} <= set(table.legal("knight"))
    table.play(knight="opportunity 1 might rush")
    assert (table.fighter("knight")["rush"], table.fighter("knight")["action"]) == (0, True)
    table.play(orc="take")
    assert table.hp("orc") == 30


@pytest.mark.heading("Trip")
def test_a_trip_costs_the_action() -> None:
    fighters: dict[str, Fields] = {"knight": {}, "rogue": {"conditions": {"off_balanced": 1}}}
    table = on_map("R......\n...K...", fighters, [OTHERS], CLASSIC, heroes=["blue"]).play(rogue="dash 6,0")
    assert (table.window, at(table, "rogue")) == ("opportunity", (2, 0))
    table.play(knight="trip 1")
    assert "prone" in table.conditions("rogue") and not table.fighter("knight")["action"]

    fighters["knight"] = {"conditions": {"suffocating": 1}}
    table = on_map("R......\n...K...", fighters, [OTHERS, 5, 2, 3], CLASSIC, heroes=["blue"])
    table.play(rogue="dash 6,0").play(knight="trip 1")  # without breath
    assert (table.window, table.fighter("knight")["hits"]) == ("shrug", [5])
    table.play(knight="take")
    assert table.hp("knight") == 35 and "prone" in table.conditions("rogue")
    table.finish_round()  # and 2 at its end

    fighters["knight"] = {"rush": 0}
    table = on_map("R......\n...K...", fighters, [HEROES], CLASSIC, heroes=["blue"])
    table.play(knight="dash 0,-1").play().play(knight="dash 0,1")  # with the action
    table.play(rogue="dash 6,0")
    assert table.window != "opportunity" and "prone" not in table.conditions("rogue")


@pytest.mark.heading("Understanding Actions and Abilities")
def test_rush_points_come_from_rounds_with_an_engagement_or_an_opportunity_attack() -> None:
    """Being in an engagement is enough; being the target of an opportunity attack is not."""
    table = Table({"knight": {}, "rogue": {}}, [HEROES, OTHERS, OTHERS], CLASSIC, heroes=["blue"])
    table.play(knight="engage 1").play(knight="stance defensive", rogue="stance defensive").finish_round()
    assert [table.fighter(name)["rush"] for name in ("knight", "rogue")] == [1, 1]
    table.finish_round()  # without an engagement
    assert (table.round, [table.fighter(name)["rush"] for name in ("knight", "rogue")]) == (3, [1, 1])

    strike = [(5, 3, 8), (4, 2)]
    table = Table({"knight": {}, "rogue": {"surprised": True}}, [*strike, HEROES], CLASSIC, heroes=["blue"])
    assert table.events_of("priority") == [{"type": "priority", "team": "blue", "cause": "surprise"}]
    table.play(knight="opportunity 1 might").finish_round()
    assert (table.round, [table.fighter(name)["rush"] for name in ("knight", "rogue")]) == (2, [1, 0])
