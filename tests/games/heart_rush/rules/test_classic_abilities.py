"""Classic > Minor Abilities, Major Abilities: turns, instants, prices and engagements, with given dice."""

from typing import Any

import pytest

from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.tabletop.errors import ScenarioError
from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

CLASSIC = {"edition": "classic"}
HEROES, OTHERS = 4, 3  # of the d6 at a round's start: heroes begin on four or more
BLUE, RED = {"team": "blue"}, {"team": "red"}


def table_of(dice: Dice, rules: Fields | None = None, **fighters: Fields) -> Table:
    """Return a table of the classic edition, whose heroes are blue."""
    return Table(fighters, dice, {**CLASSIC, **(rules or {})}, heroes=["blue"])


def priority(table: Table) -> tuple[str | None, int]:
    """Return the side with priority, and how many sides have passed in a row."""
    turns = table._seen["turns"]
    return turns["priority"], turns["passed"]


def uses(table: Table, name: str) -> list[str]:
    """Return the uses of abilities that a fighter may choose."""
    return [choice for choice in table.legal(name) if choice.startswith("use")]


# ---------------------------------------------------------------------------------------- minor abilities and instants


@pytest.mark.heading("Minor Abilities", "Major Abilities")
def test_minor_uses_cost_more_each_time_and_a_major_ability_is_the_turn_of_its_side() -> None:
    """The example of the rules: tactics for one point, then for two; a third use is too dear. Then duelist, once."""
    knight = {**BLUE, "talents": ["duelist"], "abilities": ["tactics"], "rush": 3}
    table = table_of([HEROES], knight=knight, rogue=RED, wolf=RED)
    assert uses(table, "knight") == ["use_at 1 a", "use_at 1 b", "use_at 2 a", "use_at 2 b"]
    table.play(knight="use_at 1 b").restore()
    assert (table.fighter("knight")["rush"], priority(table)) == (2, ("blue", 0))  # it is still its side's turn
    table.play(knight="use_at 2 b").restore()
    assert (table.fighter("knight")["rush"], priority(table)) == (0, ("blue", 0))
    assert uses(table, "knight") == ["use_at 1 a", "use_at 2 a"]
    table.play(knight="use_at 1 a")
    assert table.last("use") == {"type": "use", "fighter": "knight", "ability": "duelist", "target": "rogue"}
    assert (priority(table), table.fighter("knight")["action"]) == (("red", 0), True)  # no action is spent
    assert table.legal("knight") == ["pass"]
    table.play()
    assert (priority(table), uses(table, "knight")) == (("blue", 1), [])


@pytest.mark.heading("Minor Abilities")
def test_the_price_of_a_minor_ability_does_not_fall() -> None:
    """Each use in the fight counts, whatever engagements and rounds are over (R-256); round n gives n points."""
    dice = [HEROES, (5, 3, 8), (4, 2), HEROES, HEROES, HEROES]
    knight = {**BLUE, "abilities": ["tactics"], "rush": 3}
    table = table_of(dice, {"rush_mode": "round_number"}, knight=knight, rogue=RED)
    for number in (1, 2, 3):
        assert (table.round, table.fighter("knight")["rush"]) == (number, number)
        table.play(knight="use_at 1 a")
        assert table.fighter("knight")["rush"] == 0
        if number == 1:
            table.play(knight="engage 1").play(knight="stance might", rogue="stance cunning")
            table.play(knight="attack 1").play(rogue="take")
            assert table.hp("rogue") == 30  # 16 - 6, and no trouble that tactics could use
        table.finish_round()
    assert table.events_of("rush")[-1] == {"type": "rush", "fighter": "knight", "left": 0, "spent": 3}


@pytest.mark.heading("Minor Abilities")
def test_an_instant_is_used_in_the_turn_of_another_side() -> None:
    """What others declare with it is withdrawn and costs nothing, and their side is asked again (R-255)."""
    knight = {**BLUE, "talents": ["duelist"], "abilities": ["tactics"]}
    table = table_of([OTHERS], knight=knight, rogue=RED)
    assert (priority(table), uses(table, "knight")) == (("red", 0), ["use_at 1 b"])  # duelist is no instant
    assert table.legal("knight") == ["pass", "use_at 1 b"]
    table.play(knight="use_at 1 b", rogue="engage 1").restore()
    assert (table.window, priority(table), table.fighter("rogue")["action"]) == ("action", ("red", 0), True)
    assert [event["action"] for event in table.events_of("declare")] == ["use_at"]
    assert table.legal("knight") == ["pass"]
    table.play(rogue="engage 1")
    assert (table.window, priority(table)) == ("stance", (None, 0))


@pytest.mark.heading("Minor Abilities")
def test_an_instant_is_neither_a_turn_nor_a_pass() -> None:
    knight = {**BLUE, "abilities": ["tactics"]}
    table = table_of([OTHERS, HEROES], knight=knight, rogue=RED)
    table.play()  # red passes
    assert priority(table) == ("blue", 1)
    table.play(knight="use_at 1 a")
    assert (table.round, priority(table)) == (1, ("blue", 1))
    table.play()
    assert table.round == 2  # both have passed in a row


@pytest.mark.heading("Minor Abilities")
def test_a_declaration_is_answered_before_it_begins_an_engagement() -> None:
    """Tactics answers `engage`, whose engagement has not begun, and `enter`, which still takes place."""
    squire = {**BLUE, "abilities": ["tactics"], "rush": 6}
    table = table_of([HEROES], knight=BLUE, squire=squire, rogue=RED, wolf=RED)
    table.play(knight="engage 1")
    assert (table.window, table.choosers(), priority(table)) == ("instant", {"squire"}, ("blue", 0))
    table.play(squire="use_at 1 a").restore()
    assert (table.window, priority(table), table.fighter("knight")["action"]) == ("enter", (None, 0), False)
    table.play(wolf="enter")
    assert (table.window, uses(table, "squire")) == ("instant", ["use_at 2 a"])
    table.play().restore()
    declared = [(event["fighter"], event["action"]) for event in table.events_of("declare")]
    assert declared == [("knight", "engage"), ("wolf", "enter")]
    assert not table.events_of("fizzle") and not table.fighter("wolf")["action"]


# ------------------------------------------------------------------------------------------ in and out of engagements


@pytest.mark.heading("Minor Abilities", "Instant Abilities")
def test_the_moments_of_an_engagement_are_for_those_in_it() -> None:
    """Power Strike is declared as an engagement begins; Tactics may be used by those outside as well (R-257)."""
    striker = {**BLUE, "abilities": ["power_strike", "brutal_attacks"]}
    planner = {**BLUE, "abilities": ["tactics"]}
    table = table_of([HEROES], knight=striker, squire=striker, page=planner, rogue=RED)
    table.play(knight="engage 1")
    assert (table.window, table.choosers()) == ("instant", {"page"})  # an answer to the declaration
    table.play()
    assert table.window == "enter"
    table.play()
    assert (table.window, table.choosers()) == ("instant", {"knight", "page"})
    assert (uses(table, "knight"), uses(table, "squire")) == (["use a"], [])
    table.play(knight="use a").play().play()
    assert table.fighter("knight")["rush"] == 0


@pytest.mark.heading("Instant Abilities")
def test_what_acts_by_itself_at_the_reveal_acts_for_those_in_the_engagement() -> None:
    """The plague of a rat that stays outside hurts no fighter; that of a rat inside deals 1d4 (R-257)."""
    rat = {**RED, "abilities": ["queen_rat.plague"]}
    plague = [3, (5, 4)]  # a d4 of damage, and the save: heart and might, 9 against 9
    table = table_of([HEROES, *plague], knight=BLUE, rogue=RED, rat=rat)
    table.play(knight="engage 1").play()
    assert table.window == "stance"
    table.play()
    assert (table.window, table.hp("knight"), priority(table)) == ("action", 40, ("red", 0))
    table.play(rat="engage 1").play().play()
    assert table.window == "shrug"
    table.play()
    assert (table.hp("knight"), table.conditions("knight")) == (37, {})


@pytest.mark.heading("Major Abilities", "Gambit")
def test_what_lasts_for_an_engagement_ends_with_it() -> None:
    """Gambit binds its owner for one engagement, and may be used in the next one of the round (R-258)."""
    first = [(5, 3, 8, 2), (4, 2)]  # 16 without the lowest of four, by advantage, against 6; half for defensive
    second = [(5, 3, 8), (4, 2)]
    knight = {**BLUE, "talents": ["gambit"], "rush": 3}
    table = table_of([HEROES, *first, *second, HEROES], knight=knight, rogue=RED)
    table.play(knight="engage 1")
    assert (table.window, uses(table, "knight")) == ("instant", ["use a"])
    table.play(knight="use a").play(knight="pick 0").play(rogue="stance defensive")
    assert (table.fighter("knight")["stance"], table.window) == ("might", "attack")
    table.restore().play(knight="attack 1").play(rogue="take")
    assert (table.hp("rogue"), priority(table)) == (35, ("red", 0))
    table.play(rogue="engage 1")
    assert (table.window, uses(table, "knight")) == ("instant", ["use a"])
    table.play()
    assert "stance agility" in table.legal("knight")
    table.play(knight="stance agility", rogue="stance defensive").play(knight="attack 1").play(rogue="take")
    assert table.hp("rogue") == 30  # 35 - (16 - 6) / 2


def meet(table: Table, by: str, **stances: str) -> Table:
    """Let the knight or the rogue engage the other, answer nothing, and take these stances."""
    table.play(**{by: "engage 1"})
    while table.window != "stance":
        table.play()
    return table.play(**{name: f"stance {stance}" for name, stance in stances.items()})


@pytest.mark.heading("Major Abilities", "Provoking Strike")
def test_a_stance_that_is_shown_early_binds_for_one_engagement() -> None:
    """Provoking Strike is used in both engagements of the round (R-258)."""
    table = table_of([HEROES, HEROES], knight={**BLUE, "talents": ["provoking_strike"]}, rogue=RED)
    for by in ("knight", "rogue"):
        table.play(**{by: "engage 1"})
        assert (table.window, uses(table, "knight")) == ("instant", ["use a"])
        table.play(knight="use a").play(knight="pick 0").play()
        assert table.fighter("knight")["stance"] == "might"
        table.play()  # it attacks nobody


@pytest.mark.heading("Major Abilities", "Bunker Down")
def test_who_has_attacked_in_one_engagement_may_bunker_down_in_the_next() -> None:
    blow = [(5, 3, 8), (4, 2)]
    knight = {**BLUE, "destiny_talents": ["bunker_down"], "shield": "light_shield"}
    table = table_of([HEROES, *blow], knight=knight, rogue=RED)
    meet(table, "knight", knight="might", rogue="cunning").pass_to("attack").play(knight="attack 1").play()
    assert (table.hp("rogue"), priority(table)) == (30, ("red", 0))
    table.play(rogue="engage 1")
    assert (table.window, uses(table, "knight")) == ("instant", ["use a"])


@pytest.mark.heading("Minor Abilities", "Power Strike")
def test_a_power_strike_that_waits_for_an_attack_is_not_offered_in_the_next_engagement() -> None:
    knight = {**BLUE, "abilities": ["power_strike", "brutal_attacks"], "rush": 6}
    table = table_of([HEROES], knight=knight, rogue=RED)
    table.play(knight="engage 1")
    assert (table.window, uses(table, "knight")) == ("instant", ["use a"])
    table.play(knight="use a")
    assert table.window == "stance"
    table.play().play(rogue="engage 1")  # both are defensive, so neither attacks
    assert table.window == "stance"


@pytest.mark.heading("Minor Abilities", "Making It Count")
def test_a_benefit_counts_twice_once_an_engagement() -> None:
    """It is offered again in the next engagement of the round (R-228)."""
    weak = [(1, 1, 1), (4, 4)]  # 3 against 8
    knight = {**BLUE, "abilities": ["making_it_count"], "rush": 6}
    table = table_of([HEROES, *weak], knight=knight, rogue=RED)
    meet(table, "knight", knight="cunning", rogue="agility")
    assert (table.window, uses(table, "knight")) == ("instant", ["use a"])
    table.play(knight="use a").play(knight="attack 1 dazed+dazed")
    assert max(table.history("rogue", "dazed")) == 4
    meet(table, "rogue", knight="cunning", rogue="agility")
    assert (table.window, uses(table, "knight")) == ("instant", ["use a"])


@pytest.mark.heading("Minor Abilities", "Coordinated Efforts")
def test_who_has_hit_in_one_engagement_helps_no_ally_in_the_next() -> None:
    """Let the page hit in the first engagement, where its levels count twice, and miss in the next one."""
    hit, miss = [(5, 3, 8), (4, 2)], [(1, 1, 1), (4, 4)]
    knight = {**BLUE, "abilities": ["coordinated_efforts"]}
    table = table_of([OTHERS, *hit, *miss, OTHERS], knight=knight, page=BLUE, rogue=RED, fox=RED)
    both = {"knight": "stance cunning", "page": "stance cunning"}
    table.play(rogue="engage 1").play(page="enter").pass_to("stance").play(**both, rogue="stance agility")
    table.play(page="attack 1 dazed+dazed").pass_to("action")
    assert max(table.history("rogue", "dazed")) == 4
    table.play().play(fox="engage 2").play(knight="enter").pass_to("stance").play(**both, fox="stance agility")
    table.play(page="attack 2 dazed+dazed").pass_to("action")
    assert max(table.history("fox", "dazed")) == 2


@pytest.mark.heading("Major Abilities", "Hulking Blows")
def test_a_dodged_blow_is_forgotten_with_its_engagement() -> None:
    """The rogue dodges the hulking blow and gives up its attack, both in the first engagement only."""
    hammer = {"size": "heavy", "attack_type": "melee", "damage_type": "none"}
    knight = {**BLUE, "abilities": ["hulking_blows"], "weapon": hammer, "rush": 1}
    table = table_of([HEROES], knight=knight, rogue=RED)
    meet(table, "knight", knight="might", rogue="might")
    assert (table.window, uses(table, "knight")) == ("instant", ["use_at 1 a"])
    table.play(knight="use_at 1 a").play(rogue="pick 0")
    assert (table.window, priority(table)) == ("action", ("red", 0))  # neither has an attack left
    meet(table, "rogue", knight="might", rogue="might")
    assert (table.window, table.choosers()) == ("attack", {"knight", "rogue"})


@pytest.mark.heading("Major Abilities", "Psionics")
def test_a_hinder_takes_the_attack_of_one_engagement() -> None:
    table = table_of([HEROES], knight={**BLUE, "abilities": ["psionics"]}, rogue=RED)
    meet(table, "knight", knight="cunning", rogue="agility")
    table.play(knight="use_at 1 a").play(knight="pick 2")
    while priority(table)[0] is None or table.window != "action":
        table.play()
    assert (table.conditions("rogue"), priority(table)) == ({"confused": 3}, ("red", 0))
    meet(table, "rogue", knight="cunning", rogue="agility").pass_to("attack", "cunning")
    assert "attack 1" in table.legal("knight")


@pytest.mark.heading("Major Abilities", "Tumble")
def test_a_step_by_tumble_is_that_of_one_engagement() -> None:
    drawing = "......\n.KR...\n......"
    fighters = {"knight": {**BLUE, "talents": ["tumble"]}, "rogue": RED}
    table = on_map(drawing, fighters, [HEROES], CLASSIC, heroes=["blue"])
    meet(table, "knight", knight="agility", rogue="defensive")
    table.play(knight="use a").play(knight="sidestep n")
    assert (table.window, [name for name in table.legal("knight") if "sidestep" in name]) == ("attack", [])
    table.play()
    meet(table, "rogue", knight="agility", rogue="defensive")
    assert table.window == "attack" and "sidestep s" in table.legal("knight")


@pytest.mark.heading("Major Abilities")
def test_one_more_action_lasts_for_the_round() -> None:
    """Bloodthirsty drops the wolf; its further action outlasts an engagement of the next round (R-258)."""
    knight = {**BLUE, "abilities": ["bloodthirsty"], "rush": 1}
    blow = [(5, 3, 8, 2), (4, 2)]  # with the d4 of Bloodthirsty: 18 - 6
    table = table_of([HEROES, *blow, OTHERS, HEROES], knight=knight, rogue=RED, wolf={**RED, "hp_now": 10})
    table.play(knight="use a").play(knight="engage 2").pass_to("stance")
    table.play(knight="stance might", wolf="stance cunning").play(knight="attack 2").play()
    assert table.status("wolf") == "defeated"
    table.finish_round()
    table.play(rogue="engage 1").play()  # all take the defensive stance
    for passes in (0, 1):  # the rogue has nothing left for its turn
        assert (table.round, table.window, priority(table)) == (2, "action", ("blue", passes))
        table.play(knight="engage 1").play()
    assert (table.round, table.window) == (3, "action")


@pytest.mark.heading("First Strike")
def test_the_first_to_engage_strikes_in_the_first_engagement_only() -> None:
    """The knight strikes at once for a rush point, with the d6 against the unhurt: 18 - 6 (R-259)."""
    knight = {**BLUE, "talents": ["first_strike"], "rush": 2}
    table = table_of([HEROES, (5, 3, 8, 2), (4, 2)], knight=knight, rogue=RED, wolf=RED)
    table.play(knight="engage 1").pass_to("instant")
    assert uses(table, "knight") == ["use_at 1 a"]  # the wolf is not in the engagement
    table.play(knight="use_at 1 a")
    assert (table.window, table.fighter("knight")["rush"]) == ("shrug", 1)
    table.play().play()
    assert table.hp("rogue") == 28
    table.pass_to("action")
    assert priority(table) == ("red", 0)
    table.play(rogue="engage 1")
    assert table.window == "enter"
    table.play()
    assert (table.window, table.round) == ("stance", 1)  # no instant is asked for


@pytest.mark.heading("First Strike")
def test_none_is_the_first_once_an_engagement_is_over_or_an_attack_is_made() -> None:
    """The second engagement has no first strike, even if the first had no attack; nor has one after an ambush (R-259).

    The hidden rogue attacks with 18 against a defense without the five highest of seven dice: 13 damage.
    """
    knight = {**BLUE, "talents": ["first_strike"]}
    table = table_of([HEROES], knight=knight, rogue=RED)
    meet(table, "knight").play(rogue="engage 1")
    assert table.window == "stance"
    ambush = [(6, 5, 7), (3, 2, 4, 5, 6, 7, 8)]
    table = table_of([OTHERS, *ambush], knight=knight, rogue={**RED, "conditions": {"hidden": 1}})
    table.play(rogue="opportunity 1 might").play()
    assert (table.hp("knight"), priority(table)) == (27, ("blue", 0))
    table.play(knight="engage 1")
    assert table.window == "stance"


# --------------------------------------------------------------------------------------------------- the round's ends


@pytest.mark.heading("Engaging the Enemy")
def test_abilities_act_once_it_is_known_who_begins() -> None:
    """A Brute chooses what it withstands before the first turn, and after the die of priority (R-260)."""
    table = table_of([OTHERS], knight={**BLUE, "abilities": ["brute.toughness"]}, rogue=RED)
    assert (table.window, table.choosers(), priority(table)) == ("pick", {"knight"}, ("red", 0))
    table.restore().play(knight="pick 1")
    assert (table.window, table.choosers()) == ("action", {"rogue"})


@pytest.mark.heading("Major Abilities", "Eternal Fortitude")
def test_a_major_ability_takes_its_x_from_the_points_spent() -> None:
    """Eternal Fortitude banks dice for the points; without any it would do nothing and is not offered (R-261)."""
    knight = {**BLUE, "abilities": ["eternal_fortitude"], "rush": 2}
    table = table_of([OTHERS], knight=knight, rogue=RED)
    assert uses(table, "knight") == ["use a"]  # an instant
    table.play(knight="use a")
    assert table.legal("knight") == ["pick 1", "pick 2"]
    table.play(knight="pick 2")
    assert (table.fighter("knight")["rush"], uses(table, "knight"), priority(table)) == (0, [], ("red", 0))
    poor = table_of([OTHERS], {"rush_mode": "none"}, knight={**knight, "rush": 0}, rogue=RED)
    assert uses(poor, "knight") == []


# ------------------------------------------------------------------------------------------------- what is refused


def test_loadouts_are_read_in_every_edition() -> None:
    fighters: list[dict[str, Any]] = [
        {"id": "ogre", "from": "ogre", "team": "blue", "with_abilities": True},
        {"id": "rogue", "from": "rogue", "team": "red", "talents": ["gambit"]},
    ]
    scenario = load_scenario({"name": "t", "rules": CLASSIC, "fighter": fighters})
    assert scenario.has_abilities and [owned.name for owned in scenario.fighters[1].abilities] == ["gambit"]
    with pytest.raises(ScenarioError, match="not implemented yet"):
        load_scenario(
            {"name": "t", "rules": CLASSIC, "fighter": [fighters[0], {**fighters[1], "abilities": ["martial_master"]}]}
        )
