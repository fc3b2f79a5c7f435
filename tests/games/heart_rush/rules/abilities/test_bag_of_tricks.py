"""Bag of Tricks: a longer sidestep, a trade of places, a better stunt, the fastest timing, a guess at a stance."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Bag of Tricks")
BAG: Fields = {"abilities": ["bag_of_tricks"], "rush": 2}  # a second use would cost two points
LONGER, STUNT, TRADE, FASTEST, MIGHT, AGILITY = (f"pick {k}" for k in (0, 1, 2, 3, 4, 5))


def used(table: Table, *answers: str) -> Table:
    """Let the knight use its bag with these answers, in the action phase."""
    table.play(knight="use a")
    for answer in answers:
        table.play(knight=answer)
    return table


def in_column(**knight: object) -> Table:
    """Return a table with the knight west of its page, with an ogre of its own side and an enemy far away."""
    fighters = {"knight": {**BAG, **knight}, "page": {"team": "blue"}, "ogre": {"team": "blue", "size": "L2"}}
    return on_map("OOO.......\nOOO.......\nOOOKP....R\n..........", {**fighters, "rogue": {}})


# ------------------------------------------------------------------------------------------------------- sidesteps


@pytest.mark.heading("Sidestep")
def test_the_next_sidestep_is_of_ten_feet() -> None:
    table = used(on_map(".......\n.K...R.\n.......", {"knight": BAG, "rogue": {}}), LONGER)
    assert (table.window, table.fighter("knight")["rush"], at(table, "knight")) == ("action", 1, (1, 1))
    table.play(knight="sidestep e")
    assert (table.window, table.choosers(), at(table, "knight")) == ("pick", {"knight"}, (2, 1))
    table.restore().play(knight="sidestep se")
    assert (table.window, at(table, "knight"), table.faults()) == ("action", (3, 2), [])
    table.play(knight="sidestep w rush")
    assert (table.window, at(table, "knight")) == ("action", (2, 2)), "only the next one"


def test_its_second_square_may_be_declined_and_waits_across_rounds() -> None:
    table = used(on_map(".......\n.K...R.\n.......", {"knight": BAG, "rogue": {}}), LONGER)
    table.engage().finish_round().play(knight="sidestep e").pass_to("pick").play(knight="pass")
    table.finish_round().play(knight="sidestep e")
    assert (table.window, at(table, "knight")) == ("action", (3, 1))


@pytest.mark.heading("Agility Stance")
@pytest.mark.interplay("bag_of_tricks", "skittering_horror_leg.tremors")
def test_its_second_square_comes_before_the_next_fighter_steps_and_before_the_attack() -> None:
    """The knight shakes on the ground of the leg in its second square; its attack of 22 comes after that (R-265)."""
    leg: Fields = {"abilities": ["skittering_horror_leg.tremors"]}
    saves, attack = [(8, 2), (8, 2)], [(8, 6, 8), (1, 1)]
    fighters = {"knight": {**BAG, "agility": 8}, "page": {"team": "blue"}, "rogue": {"team": "red"}, "leg": leg}
    table = used(on_map("P......\n.......\nK..RL..", fighters, [*saves, *attack]), LONGER)
    table.engage(knight="agility", page="agility", rogue="might", leg="defensive").pass_to("attack", "agility")
    table.play(knight="sidestep e", page="sidestep e")
    assert (table.window, table.choosers(), at(table, "page")) == ("pick", {"knight"}, (0, 0))
    table.restore().play(knight="sidestep e")
    assert (table.window, at(table, "knight"), at(table, "page")) == ("attack", (2, 2), (1, 0))
    table.restore().play(knight="attack 1")
    assert (table.rolls(), table.faults()) == ((22, 2), [])
    assert table.finish_round().hp("rogue") == 40 - 20


@pytest.mark.heading("Agility Stance")
@pytest.mark.parametrize(("prone", "step", "end"), [({}, "sidestep e", (3, 2)), ({"prone": 1}, "rise", (2, 2))])
def test_a_last_step_and_one_to_its_feet_have_a_second_square_too(
    prone: dict[str, int], step: str, end: tuple[int, int]
) -> None:
    ground = ".......\n.......\n.K....R"
    fighters: dict[str, Fields] = {"knight": {**BAG, "conditions": prone}, "rogue": {}}
    table = used(on_map(ground, fighters, rules={"agility_rises": True}), LONGER)
    table.engage(knight="agility", rogue="might").pass_to("attack", "agility").play().play(knight=step)
    assert (table.window, table.choosers()) == ("pick", {"knight"})
    assert (at(table.play(knight="sidestep e"), "knight"), table.conditions("knight")) == (end, {})


@pytest.mark.heading("Tremors")
def test_a_trade_of_places_is_a_step_on_shaking_ground() -> None:
    leg: Fields = {"abilities": ["skittering_horror_leg.tremors"]}
    fighters = {"knight": BAG, "page": {"team": "blue"}, "leg": {**leg, "team": "red"}}
    table = used(on_map("L.PK...", fighters, [(8, 1)]), TRADE).play(page="pick 0")  # a save of 9
    assert (at(table, "knight"), table.conditions("knight"), table.conditions("page")) == ((2, 0), {"prone": 1}, {})


@pytest.mark.heading("Dodge and Weave")
def test_each_square_is_a_sidestep_for_dodge_and_weave() -> None:
    owner = {**BAG, "talents": ["dodge_and_weave"]}
    table = on_map(".......\n.K...R.\n.......", {"knight": owner, "rogue": {"agility": 8}}, [(1, 1, 1), (3, 1)])
    table.play(knight="use b").play(knight=LONGER).play(knight="sidestep e").play(knight="sidestep e")
    table.pass_to("action").play(rogue="sidestep w").engage(knight="might", rogue="agility: attack 1")
    assert table.rolls() == (3, 4 + 2 * 2)


@pytest.mark.heading("Sidestep")
def test_it_trades_places_with_a_willing_ally() -> None:
    table = used(in_column(), TRADE)  # only one ally is of its size
    assert (table.window, table.choosers(), table.legal("page")) == ("pick", {"page"}, ["pass", "pick 0"])
    table.restore().play(page="pick 0")
    assert (at(table, "knight"), at(table, "page"), table.faults()) == ((4, 2), (3, 2), [])
    assert table.facts("knight", ("action", "rush")) == {"action": False, "rush": 1}


def test_a_second_trade_takes_a_point_more_because_the_action_is_spent() -> None:
    table = used(in_column(rush=4), TRADE).pass_to("pick").play(page="pick 0")
    used(table, TRADE).play(page="pick 0")
    assert (at(table, "knight"), at(table, "page")) == ((3, 2), (4, 2))
    assert table.fighter("knight")["rush"] == 4 - 1 - 2 - 1


def test_an_ally_that_declines_costs_no_sidestep() -> None:
    table = used(in_column(), TRADE).play(page="pass")
    assert (at(table, "knight"), table.facts("knight", ("action", "rush"))) == ((3, 2), {"action": True, "rush": 1})


@pytest.mark.parametrize(
    ("knight", "may"),
    [({}, True), ({"conditions": {"restrained": 1}}, False), ({"rush": 1}, True)],
)
def test_who_cannot_sidestep_trades_no_places(knight: Fields, may: bool) -> None:
    table = used(in_column(**knight))
    assert (TRADE in table.legal("knight")) is may
    table.play(knight=STUNT)


def test_without_the_action_a_trade_takes_a_point_beyond_that_of_the_use() -> None:
    for rush, may in ((1, False), (2, True)):
        table = in_column(rush=rush).play(knight="help 1").pass_to("action")
        assert table.fighter("knight")["action"] is False
        used(table)
        assert (TRADE in table.legal("knight")) is may
        table.play(knight=STUNT)


@pytest.mark.heading("Dodge and Weave")
def test_a_trade_is_a_sidestep() -> None:
    owner = {**BAG, "talents": ["dodge_and_weave"]}
    fighters = {"knight": owner, "page": {"team": "blue"}, "rogue": {"agility": 8}}
    table = on_map("....\nKPR.\n....", fighters, [(1, 1, 1), (3, 1)]).play(knight="use b").play(knight=TRADE)
    table.play(page="pick 0").engage(knight="might", page="might", rogue="agility: attack 1")
    assert table.rolls() == (3, 4 + 2)


# ----------------------------------------------------------------------------------------------------------- stunts


@pytest.mark.heading("Stunt")
def test_its_next_stunt_has_three_more_and_the_one_after_has_not() -> None:
    taunts: Dice = [(2, 1), (3, 1)]  # presence against cunning: 3 + 3 beats 4
    table = used(Table({"knight": BAG, "rogue": {}}, [*taunts, *taunts]), STUNT)
    table.engage(knight="agility: taunt 1", rogue="might")
    assert (table.rolls("maneuver"), table.conditions("rogue")) == ((6, 4), {"enraged": 1})
    table.finish_round().engage(knight="agility: taunt 1", rogue="might")
    assert table.rolls("maneuver") == (3, 4)


@pytest.mark.heading("Stunt", "Grappling")
def test_neither_resisting_a_stunt_nor_a_grapple_is_one() -> None:
    table = Table({"knight": BAG, "rogue": {}}, [(4, 1), (3, 1), (2, 1), (3, 1)])
    used(table, STUNT).engage(knight="might", rogue="agility: taunt 1")
    assert table.rolls("maneuver") == (4, 5)
    table.finish_round().engage(knight="agility: grapple 1", rogue="might")
    assert table.last("maneuver")["defense_roll"] == 4
    assert table.last("maneuver")["attack_roll"] in (3, 2), "one hand counts half, rounded up"


# ----------------------------------------------------------------------------------------------------------- guesses


@pytest.mark.parametrize(("stance", "rage"), [("might", {"enraged": 1}), ("cunning", {})])
def test_who_takes_the_stance_that_was_guessed_is_enraged(stance: str, rage: dict[str, int]) -> None:
    table = used(Table({"knight": BAG, "rogue": {}, "fox": {}}), MIGHT)
    assert table.legal("knight") == ["pick_at 1", "pick_at 2"]
    table.play(knight="pick_at 1").engage(rogue=stance, fox="might")
    assert (table.conditions("rogue"), table.conditions("fox")) == (rage, {})
    assert table.fighter("rogue")["sources"] == ({"enraged": "knight"} if rage else {})
    table.finish_round().engage(rogue="might", fox="might")
    assert table.conditions("rogue") == rage, "the guess is over"


@pytest.mark.heading("Engaging the Enemy")
def test_a_guess_ends_with_an_engagement_without_its_owner() -> None:
    fighters: dict[str, Fields] = {"knight": BAG, "page": {"team": "blue"}, "rogue": {"team": "red"}}
    table = used(Table(fighters, [4], {"edition": "classic"}, heroes=["blue"]), MIGHT)
    table.play(page="engage 1").pass_to("stance").play(page="stance cunning", rogue="stance might")
    table.pass_to("action").play(rogue="engage 1").pass_to("stance").play(knight="stance cunning", rogue="stance might")
    assert table.conditions("rogue") == {}


def test_the_later_guess_counts() -> None:
    table = used(Table({"knight": {**BAG, "rush": 3}, "rogue": {}, "fox": {}}), MIGHT, "pick_at 1").pass_to("action")
    used(table, AGILITY, "pick_at 2").engage(rogue="might", fox="agility")
    assert (table.conditions("rogue"), table.conditions("fox")) == ({}, {"enraged": 1})


def test_it_guesses_no_more_once_stances_are_shown() -> None:
    table = Table({"knight": BAG, "rogue": {}}).pass_to("stance").play()
    assert table.window == "instant"
    assert table.play(knight="use a").legal("knight") == [STUNT, FASTEST]
    table.play(knight=STUNT)


def test_without_a_trick_left_it_is_not_offered() -> None:
    table = used(Table({"knight": {**BAG, "rush": 6}, "rogue": {}}), STUNT).pass_to("action")
    used(table, FASTEST).pass_to("stance").play()
    assert (table.round, table.window) == (2, "stance"), "no instant, for stances are shown and no map is there"


# ------------------------------------------------------------------------------------------------------------ timing


@pytest.mark.heading("When Timing Matters")
def test_it_acts_first_for_a_round_and_nobody_answers() -> None:
    owner = {**BAG, "rush": 3, "talents": ["fast_friends"], "agility": 4, "conditions": {"burning": 1}}
    rogue = {"agility": 12, "abilities": ["tactics"], "rush": 3, "conditions": {"burning": 1}}
    fires = {"knight": "put_out_fire", "rogue": "put_out_fire"}
    table = Table({"knight": owner, "rogue": rogue, "fox": {}}, [(1, 1, 1), (1, 1, 1)])
    table.play(knight="use b").play(knight=FASTEST).pass_to("action").play(knight="use_at 1 a")
    assert (table.window, table.choosers()) == ("instant", {"knight"})
    table.pass_to("action").play(**fires).pass_to("stance")
    assert [event["fighter"] for event in table.events_of("declare") if event["action"] == "put_out_fire"] == [
        "knight", "rogue",
    ]  # fmt: skip
    table.finish_round().engage(knight="might: attack 1", rogue="might: attack 1")
    assert table.last("attack")["attacker"] == "rogue", "in the next round it is over"


def test_until_it_is_the_fastest_others_answer_what_it_declares() -> None:
    owner = {**BAG, "talents": ["fast_friends"]}
    table = Table({"knight": owner, "rogue": {"abilities": ["tactics"], "rush": 3}, "fox": {}}).play(
        knight="use_at 1 a"
    )
    assert (table.window, table.choosers()) == ("instant", {"knight", "rogue"})


@pytest.mark.heading("Engaging the Enemy")
def test_the_fastest_timing_changes_no_order_of_those_who_are_entering() -> None:
    fighters: dict[str, Fields] = {"squire": {"agility": 12}, "page": {"agility": 10}, "knight": {**BAG, "rush": 1}}
    fighters = {name: {**fighter, "team": "blue"} for name, fighter in fighters.items()} | {"rogue": {"team": "red"}}
    table = Table(fighters, [4], {"edition": "classic"}, heroes=["blue"]).play(squire="engage 1").pass_to("enter")
    table.play(page="enter", knight="enter")
    assert (table.window, table.last("declare")["fighter"]) == ("instant", "page")
    table.play(knight="use a").play(knight=FASTEST).pass_to("stance")
    assert [event["fighter"] for event in table.events_of("declare") if event["action"] == "enter"] == [
        "page",
        "knight",
    ]
    assert table.events_of("fizzle") == []


# ------------------------------------------------------------------------------------------------------ the automatic


def test_the_automatic_trick_is_the_stunt() -> None:
    table = on_map("..KR..", {"knight": BAG, "rogue": {}}, [(2, 1), (3, 1)]).play(knight="use a")
    assert table.legal("knight")[0] == LONGER
    table.play()  # nothing is chosen, so the automatic answer is taken
    table.engage(knight="agility: taunt 1", rogue="might").finish_round()
    assert table.rolls("maneuver") == (6, 4)


def test_the_automatic_guess_is_about_the_first_enemy() -> None:
    table = used(Table({"rogue": {"team": "red"}, "fox": {"team": "red"}, "knight": {**BAG, "team": "blue"}}), MIGHT)
    assert table.legal("knight") == ["pick_at 1", "pick_at 2"]
    table.play().engage(rogue="might", fox="might")
    assert (table.conditions("rogue"), table.conditions("fox")) == ({"enraged": 1}, {})
