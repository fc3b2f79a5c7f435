"""The Action Phase: windows, actions, help, rising, openings, and talk."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

PRONE: Fields = {"conditions": {"prone": 1}}
BURNING: Fields = {"conditions": {"burning": 1}}


# ---- windows


@pytest.mark.heading("The Action Phase")
def test_the_phase_goes_on_until_all_pass_and_who_has_passed_may_act_again() -> None:
    fighters = {"knight": {"conditions": {"burning": 1, "prone": 1}}, "rogue": {"conditions": {"burning": 1}}}
    table = Table(fighters, rules={"rush_mode": "none"}).play(knight="put_out_fire")  # the rogue passes
    table.play(rogue="put_out_fire")  # and acts after all; the knight passes
    table.play(knight="stand")
    assert table.conditions("knight") == table.conditions("rogue") == {}
    assert table.window == "stance"
    table = Table({"knight": BURNING, "rogue": BURNING}, [1, 1]).play()
    assert table.window == "stance", "the first window in which all pass ends the phase"
    table.finish_round()


@pytest.mark.heading("The Action Phase", "Surprise")
@pytest.mark.parametrize("condition", ["stunned", "incapacitated"])
def test_only_the_able_act(condition: str) -> None:
    fighters = {
        "knight": {"conditions": {"burning": 1, condition: 1}},
        "squire": {**BURNING, "team": "blue", "surprised": True},
        "page": {**BURNING, "team": "blue"},
        "rogue": {"conditions": {"stunned": 1}},
    }
    table = Table(fighters, [1, 1, 1])
    assert table.choosers() == {"page"}
    table.finish_round()


@pytest.mark.heading("Understanding Actions and Abilities")
def test_one_action_a_round() -> None:
    table = Table({"knight": BURNING, "squire": {"team": "blue"}, "rogue": {}}).play(knight="put_out_fire")
    assert table.legal("knight") == ["pass"]
    assert "help 1" in table.legal("squire")
    table.finish_round()
    assert "help 1" in table.legal("knight")


@pytest.mark.heading("Understanding Combat Flow", "Understanding Actions and Abilities", "Object Interaction", "Dash")
def test_each_round_brings_back_action_interaction_and_dash() -> None:
    fighters = {"knight": {"weapon": "dagger"}, "squire": {"team": "blue"}, "rogue": {"agility": 8}}
    table = Table(fighters, [8, 6, 1, 1])
    table.engage(knight="might", squire="defensive", rogue="agility: disarm 1").play(knight="pick_up")
    table.play(knight="help 1")
    assert table.facts("knight", ("interaction", "action")) == {"interaction": False, "action": False}
    table.finish_round()
    assert table.facts("knight", ("interaction", "action")) == {"interaction": True, "action": True}
    assert table.fighter("squire")["helped"] == 0


@pytest.mark.heading("Understanding Combat Flow")
def test_rounds_are_counted_and_told() -> None:
    table = Table({"knight": {}, "rogue": {}}).finish_round().finish_round()
    assert [event["round"] for event in table.events_of("round")] == [1, 2, 3]


@pytest.mark.heading("Chaining Abilities")
def test_what_has_become_impossible_fizzles_and_costs_nothing() -> None:
    """The quick thief's strike fells the orc before the slow squire's strike at it."""
    orc = {"hp_now": 5, "conditions": {"incapacitated": 1}}
    fighters = {"thief": {"agility": 12}, "squire": {"team": "blue", "agility": 4}, "orc": orc, "troll": {}}
    table = Table(fighters, [8, 12, 8, 1, 1])
    table.play(thief="opportunity 1 agility", squire="opportunity 1 might").play(orc="take")  # 28 - 2
    assert table.status("orc") == "defeated"
    assert table.last("fizzle") == {"type": "fizzle", "fighter": "squire", "action": "opportunity", "target": "orc"}
    assert table.fighter("squire")["action"] and not table.fighter("thief")["action"]


@pytest.mark.heading("Chaining Abilities")
def test_each_declaration_is_done_before_the_next() -> None:
    # The quick squire puts the knight's fire out; the knight's own attempt finds no fire.
    fighters = {"knight": {**BURNING, "agility": 4}, "squire": {"team": "blue", "agility": 12}, "rogue": {}}
    table = Table(fighters).play(knight="put_out_fire", squire="douse 1")
    assert table.last("fizzle")["fighter"] == "knight" and table.fighter("knight")["action"]


@pytest.mark.heading("Chaining Abilities", "Taking Damage")
def test_the_hits_of_a_declaration_come_before_the_next_declaration() -> None:
    orc = {"conditions": {"incapacitated": 1}, "heart": 6}
    fighters = {"thief": {"agility": 12}, "squire": {"team": "blue", "agility": 4}, "orc": orc, "troll": {}}
    table = Table(fighters, [(8, 12, 8, 1, 1), (8, 6, 8, 1, 1)])
    table.play(thief="opportunity 1 agility", squire="opportunity 1 might")
    assert len(table.events_of("attack")) == 1
    table.play(orc="shrug")
    assert (table.heart("orc"), len(table.events_of("attack"))) == (4, 2)
    assert (table.window, table.hp("orc")) == ("action", 7)  # 28 - 2 halved: 13; 22 - 2: 20; 40 - 13 - 20


# ---- help


def helped(fighters: Fields, dice: Dice, **plays: str) -> Table:
    table = Table({"knight": {"agility": 4}, "squire": {"team": "blue", "agility": 12}, "rogue": {}, **fighters}, dice)
    table.play(**(plays or {"squire": "help 1"}))
    return table


@pytest.mark.heading("Help", "Understanding Actions and Abilities")
def test_help_is_advantage_on_the_very_next_roll_of_attack_or_defense_and_used_up_by_it() -> None:
    table = helped({}, [5, 3, 7, 1, 2, 1])
    assert (table.fighter("knight")["helped"], table.fighter("squire")["action"]) == (1, False)
    table.engage(knight="might: attack 1", squire="defensive", rogue="cunning")
    assert table.last("attack")["attack_causes"] == {"help": 1}
    assert (table.rolls(), table.fighter("knight")["helped"]) == ((15, 3), 0)  # 5+3+7 and a d4 showing 1, dropped
    table.finish_round()
    table = helped({}, [5, 3, 7, 2, 1, 4]).engage(knight="cunning", squire="defensive", rogue="might: attack 1")
    assert (table.last("attack")["defense_causes"], table.rolls()) == ({"help": 1}, (15, 6))  # 2+4, the 1 dropped
    table.finish_round()


@pytest.mark.heading("Help", "Understanding Combat Flow")
def test_unused_help_lapses_at_the_rounds_end() -> None:
    table = helped({}, [5, 3, 7, 2, 1]).finish_round()
    assert (table.round, table.fighter("knight")["helped"]) == (2, 0)
    table.engage(knight="might: attack 1", squire="defensive", rogue="cunning")
    assert table.last("attack")["attack_causes"] == {}


@pytest.mark.heading("Help", "Checks and Saves")
def test_several_helps_add_up_and_are_used_up_together() -> None:
    conditions = {"grappled": {"source": "rogue"}}
    fighters = {"knight": {"agility": 4, "conditions": conditions}, "page": {"team": "blue", "agility": 10}}
    table = helped(fighters, [5, 3, 1, 1, 4, 4, 8], squire="help 1", page="help 1")
    table.play(knight="break_free")
    assert (table.last("check")["attack_dice"], table.fighter("knight")["helped"]) == ([5, 3, 1, 1], 0)


@pytest.mark.heading("Help", "Confused")
@pytest.mark.parametrize(("squire", "clear"), [({}, True), ({"conditions": {"mute": 1}}, False)])
def test_help_ends_confusion_if_it_can_be_heard(squire: Fields, clear: bool) -> None:
    table = helped({"knight": {"conditions": {"confused": 2}}, "squire": {"team": "blue", **squire}}, [])
    assert table.conditions("knight") == ({} if clear else {"confused": 2})
    assert table.fighter("knight")["helped"] == 1


@pytest.mark.heading("Help")
def test_only_standing_allies_are_helped_and_nobody_helps_itself() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue", "hp_now": 0}, "page": {"team": "blue"}, "rogue": {}}
    table = Table(fighters, heroes=["blue"])
    assert [choice for choice in table.legal("knight") if choice.startswith("help")] == ["help 1", "help 2"]
    table.play(squire="yield")
    assert [choice for choice in table.legal("knight") if choice.startswith("help")] == ["help 2"]


# ---- objects


def disarmed() -> Table:
    """Return a table in round 2: the rogue disarmed the knight, whose dagger is on the floor, in round 1."""
    fighters = {"knight": {"weapon": "dagger"}, "squire": {"team": "blue"}, "rogue": {"agility": 8}}
    table = Table(fighters, [8, 6, 1, 1])
    assert "pick_up" not in table.legal("knight")
    table.engage(knight="might", squire="defensive", rogue="agility: disarm 1")
    assert not table.fighter("knight")["armed"]
    return table


@pytest.mark.heading("Object Interaction")
def test_the_first_interaction_is_free_with_and_without_an_action() -> None:
    table = disarmed().play(knight="pick_up")
    picked_up = {"armed": True, "interaction": False, "action": True}
    assert table.facts("knight", picked_up) == picked_up
    assert table.legal("knight") == ["pass", "help 1"]  # nothing to pick up any more
    table = disarmed().play(knight="help 1")
    assert table.legal("knight") == ["pass", "pick_up"]
    assert table.play(knight="pick_up").fighter("knight")["armed"]


@pytest.mark.heading("Object Interaction")
def test_another_interaction_costs_the_action() -> None:
    """Without a map nothing else is an interaction, so the test takes the free one away."""
    for helper in ("squire", "knight"):
        table = disarmed()
        table._fights._fights[0].fighters[0].interaction = False
        table.play(**{helper: "help 1"})
        assert ("pick_up" in table.legal("knight")) is (helper == "squire")
        table.play(knight="pick_up" if helper == "squire" else "pass")
        assert table.facts("knight", ("armed", "action")) == {"armed": helper == "squire", "action": False}


# ---- rising


@pytest.mark.heading("Sidestep", "Understanding Actions and Abilities", "Getting Up")
def test_rising_by_sidestep_costs_the_action_and_provokes_nobody() -> None:
    table = Table({"knight": PRONE, "rogue": {}}).play(knight="rise")
    assert table.conditions("knight") == {}
    assert (table.fighter("knight")["action"], table.fighter("knight")["dash"]) == (False, True)
    assert table.window == "stance"


@pytest.mark.heading("Sidestep", "Getting Up")
@pytest.mark.parametrize(
    "held", [{"restrained": 1}, {"grappled": {"source": "rogue"}}, {"entangled": {"source": "rogue"}}]
)
def test_nobody_rises_who_is_held_fast(held: Fields) -> None:
    table = Table({"knight": {"conditions": {"prone": 1, **held}}, "squire": {"team": "blue"}, "rogue": {}})
    assert not {"rise", "stand"} & set(table.legal("knight"))
    assert "help 1" in table.legal("knight")


@pytest.mark.heading("Sidestep", "Getting Up")
def test_nobody_rises_who_holds_another() -> None:
    table = Table({"knight": PRONE, "rogue": {"conditions": {"grappled": {"source": "knight"}}}})
    assert not {"rise", "stand"} & set(table.legal("knight"))
    table.play(knight="let_go")
    assert {"rise", "stand"} <= set(table.legal("knight"))


@pytest.mark.heading("Dash")
def test_standing_up_uses_the_free_dash() -> None:
    table = Table({"knight": PRONE, "rogue": {"weapon": weapon(attack_type="ranged")}})
    table.play(knight="stand")  # nobody is there with a weapon for close quarters
    assert table.conditions("knight") == {}
    assert (table.fighter("knight")["action"], table.fighter("knight")["dash"]) == (True, False)


@pytest.mark.heading("Dash")
def test_there_is_one_free_dash_a_round() -> None:
    conditions = {"prone": 1, "creature_climber": {"source": "giant"}}
    fighters = {"knight": {"conditions": conditions}, "giant": {"size": "L2", "weapon": weapon(attack_type="ranged")}}
    table = Table(fighters).play(knight="hop_off")
    assert "stand" not in table.legal("knight")
    assert "stand" not in table.legal("knight") and "rise" in table.legal("knight")


# ---- opportunity attacks


@pytest.mark.heading("Opportunity Attacks")
def test_standing_up_is_an_opening_for_enemies_at_close_quarters() -> None:
    table = Table({"knight": PRONE, "rogue": {}}, [5, 4, 3, 2, 1, 8]).play(knight="stand")
    assert (table.window, table.choosers()) == ("opportunity", {"rogue"})
    strikes = [f"opportunity 1 {stance}" for stance in ("might", "agility", "cunning")]
    assert table.legal("rogue") == ["pass", *strikes, *(f"{strike} rush" for strike in strikes)]
    table.play(rogue="opportunity 1 cunning")
    # 5+4+3 = 12 against 2+1, the 8 dropped as the knight is still prone: 9
    attack = {"damage": 9, "stance": "cunning", "contested": False}
    assert {key: table.last("attack")[key] for key in attack} == attack
    assert table.conditions("knight") == {"prone": 1}
    table.play(knight="take")
    assert table.conditions("knight") == {} and not table.fighter("rogue")["action"]
    table = Table({"knight": PRONE, "rogue": {}}).play(knight="stand").play(rogue="pass")  # it may be left, too
    assert table.conditions("knight") == {} and table.fighter("rogue")["action"]


@pytest.mark.heading("Opportunity Attacks", "Unarmed")
@pytest.mark.parametrize(("kind", "asked"), [("melee", True), ("whip", True), ("ranged", False), ("thrown", False)])
def test_missiles_do_not_answer_an_opening(kind: str, asked: bool) -> None:
    table = Table({"knight": PRONE, "rogue": {"weapon": weapon(attack_type=kind)}}).play(knight="stand")
    assert (table.window == "opportunity") is asked


@pytest.mark.heading("Opportunity Attacks")
@pytest.mark.parametrize("rogue", [
    {"conditions": {"stunned": 1}},
    {"surprised": True},
    {"conditions": {"charmed": {"levels": 2, "source": "knight"}}},
])  # fmt: skip
def test_only_the_able_and_willing_answer(rogue: Fields) -> None:
    table = Table({"knight": PRONE, "rogue": rogue}).play(knight="stand")
    assert (table.window != "opportunity", table.conditions("knight")) == (True, {})


@pytest.mark.heading("Opportunity Attacks", "Understanding Actions and Abilities")
def test_an_answer_costs_the_action() -> None:
    fighters = {"knight": PRONE, "squire": {"team": "blue", **PRONE}, "rogue": {}}
    table = Table(fighters, [1, 1, 1, 4, 4, 8], rules={"rush_mode": "none"}).play(knight="stand")
    table.play(rogue="opportunity 1 might").play(squire="stand")
    assert table.conditions("squire") == {}  # nobody has an action left to answer with


@pytest.mark.heading("Opportunity Attacks", "When Timing Matters")
@pytest.mark.parametrize(("rogue", "orc", "timing"), [(4, 12, ()), (6, 6, (1, 1, 2, 2))])
def test_all_answers_to_an_opening_are_rolled_in_timing_order_and_land_together(
    rogue: int, orc: int, timing: tuple[int, ...]
) -> None:
    """Strikers of equal agility roll for their places: the rogue's 2 is less than the orc's 4."""
    fighters = {"knight": PRONE, "rogue": {"agility": rogue}, "orc": {"agility": orc}}
    table = Table(fighters, [timing, (5, 5, 5, 1, 1, 8), (4, 4, 4, 1, 1, 8)]).play(knight="stand")
    table.play(rogue="opportunity 1 might", orc="opportunity 1 might")
    assert [attack["attacker"] for attack in table.events_of("attack")] == ["orc", "rogue"]
    assert table.fighter("knight")["hits"] == [13, 10]  # 15 - 2, 12 - 2
    table.play(knight="shrug").play(knight="take")
    assert table.hp("knight") == 23  # 40 - 7 - 10


@pytest.mark.heading("Opportunity Attacks", "Zero Hit points")
def test_whoever_is_felled_while_rising_does_not_rise() -> None:
    table = Table({"knight": {**PRONE, "hp_now": 5}, "rogue": {}}, [5, 5, 5, 1, 1, 8]).play(knight="stand")
    table.play(rogue="opportunity 1 might").play()
    assert (table.status("knight"), table.conditions("knight")) == ("defeated", {"prone": 1})
    assert table.events_of("stand") == []


@pytest.mark.heading("Opportunity Attacks", "Surprise")
@pytest.mark.parametrize("stance", ["might", "agility", "cunning"])
def test_an_opportunity_attack_beats_no_stance(stance: str) -> None:
    fighters = {"knight": {"weapon": weapon("heavy", "whip")}, "rogue": {"surprised": True, "armor": "heavy"}}
    table = Table(fighters, [5, 4, 11, 2, 1], rules={"rush_mode": "none"})
    assert table.legal("knight") == ["pass", *(f"opportunity 1 {die}" for die in ("might", "agility", "cunning"))]
    table.play(knight=f"opportunity 1 {stance}")
    assert table.rolls() == (20, 9)  # no whip's die; 2+1+6
    assert not table.fighter("knight")["action"]
    table.play()
    assert table.window == "stance"  # one is all that an action pays for


@pytest.mark.heading("Opportunity Attacks")
def test_the_unaware_are_open_to_the_hidden() -> None:
    fighters = {"thief": {"conditions": {"hidden": 1}}, "squire": {"team": "blue"}, "orc": {}}
    table = Table(fighters, [5, 4, 3, 2, 1, 8, 8, 8, 8, 8])
    assert "opportunity 1 might" in table.legal("thief")
    assert "opportunity 1 might" not in table.legal("squire")
    table.play(thief="opportunity 1 might")
    assert (table.last("attack")["defense_causes"], table.last("attack")["damage"]) == ({"unseen": -5}, 9)


@pytest.mark.heading("Opportunity Attacks", "Sidestep", "Getting Up")
def test_nobody_who_stands_aware_and_fit_is_open_or_rises() -> None:
    assert Table({"knight": {}, "squire": {"team": "blue"}, "orc": {}}).legal("knight") == ["pass", "help 1"]


# ---- talk


@pytest.mark.heading("Strategic Discussion")
def test_fighters_may_say_which_stance_they_mean_to_take() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue", "conditions": {"mute": 1}}, "rogue": {}}
    table = Table(fighters, rules={"talk": "overheard"}).pass_to("talk")
    assert table.choosers() == {"knight", "rogue"}, "the mute say nothing"
    assert table.legal("knight") == ["pass", "say might", "say agility", "say cunning", "say defensive"]
    table.play(knight="say might")
    assert table.events_of("talk") == [{"type": "talk", "fighter": "knight", "stance": "might"}]
    assert (table.sees("rogue")["enemy 1 said might"], table.sees("squire")["ally 1 said might"]) == (1, 1)
    table.engage(knight="cunning", squire="defensive", rogue="defensive")  # talk binds nobody
    table.finish_round().pass_to("talk")
    assert table.sees("rogue")["enemy 1 said might"] == 0


@pytest.mark.heading("Strategic Discussion")
def test_what_a_fighter_says_to_its_side_stays_there_when_it_falls() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue"}, "rogue": {"hp_now": 1}, "page": {"team": "red"}}
    table = Table(fighters, [(8, 6, 8), (1, 1)], rules={"talk": "team"})
    table.engage(rogue="defensive")  # in the next round it has a stance to remember
    table.finish_round().pass_to("talk").play(rogue="say might")
    table.engage(knight="agility: attack 1", squire="defensive", rogue="defensive", page="might")
    table.pass_to("attack", "might")
    assert table.status("rogue") == "defeated"
    assert (table.sees("page")["ally 1 said might"], table.sees("knight")["enemy 1 said might"]) == (1, 0)


@pytest.mark.heading("Strategic Discussion")
def test_the_surprised_and_the_senseless_say_nothing() -> None:
    fighters = {"knight": {"surprised": True}, "squire": {"team": "blue", "conditions": {"stunned": 1}}, "rogue": {}}
    assert Table(fighters, rules={"talk": "open"}).choosers() == {"rogue"}
