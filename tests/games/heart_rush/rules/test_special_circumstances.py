"""Special Circumstances: surprise and the helpless, and the conditions that an attack ends."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, strike, weapon


def about(source: str, levels: int = 1) -> Fields:
    return {"levels": levels, "source": source}


@pytest.mark.heading("Surprise")
def test_the_surprised_lose_the_first_round() -> None:
    rogue = {"surprised": True, "conditions": {"prone": 1}}
    table = Table({"knight": {}, "rogue": rogue, "orc": {"conditions": {"stunned": 1}}})
    assert table.choosers() == table.pass_to("stance").choosers() == {"knight"}
    assert table.finish_round().choosers() == {"rogue", "orc"}
    assert table.pass_to("stance").choosers() == {"knight", "rogue", "orc"}


@pytest.mark.heading("Surprise")
@pytest.mark.parametrize("stance", ["might", "agility", "cunning"])
def test_everyone_may_attack_the_surprised_and_nobody_beats_them(stance: str) -> None:
    table = Table({"knight": {}, "rogue": {"surprised": True, "armor": "light"}}, [5, 4, 6, 3, 2])
    table.engage(knight=stance)
    assert table.legal("knight") == ["pass", "attack 1"]
    table.play(knight="attack 1")
    assert table.last("attack")["damage"] == 8  # 15 against 3+2+2: defense as usual
    assert not table.last("attack")["contested"]


@pytest.mark.heading("Surprise", "Opportunity Attacks")
def test_the_prepared_strike_at_the_surprised_in_the_first_round_only() -> None:
    fighters = {"knight": {}, "squire": {"team": "blue"}, "rogue": {"surprised": True}, "orc": {}}
    table = Table(fighters, [5, 4, 6, 3, 2])
    assert "opportunity 1 might" in table.legal("knight") and "opportunity 2 might" not in table.legal("knight")
    table.play(knight="opportunity 1 might").play()
    assert table.hp("rogue") == 30  # 15 - 5
    table.finish_round()
    assert "opportunity 1 might" not in table.legal("knight")


@pytest.mark.heading("Surprise", "Taking Damage")
def test_the_surprised_still_shrug_off() -> None:
    table = Table({"knight": {}, "rogue": {"surprised": True}}, [5, 4, 6, 3, 2])
    table.play(knight="opportunity 1 might").play(rogue="shrug")
    assert table.hp("rogue") == 35


def with_one_down(dice: Dice, **rules: Any) -> Table:
    """Return a table at which the orc is unconscious beside its friend, the troll."""
    fighters = {"knight": {}, "orc": {"hp_now": 0, "armor": "light"}, "troll": {}}
    table = Table(fighters, dice, rules, heroes=["red"]).play(orc="yield")
    assert table.status("orc") == "unconscious"
    return table


@pytest.mark.heading("Attacking the Helpless", "Opportunity Attacks")
def test_the_unconscious_may_be_struck_in_the_action_phase() -> None:
    table = with_one_down([5, 4, 6, 3, 2]).play(knight="opportunity 1 might")
    assert (table.last("attack")["damage"], table.hp("orc")) == (8, -8)  # 15 against 3+2+2, an ordinary defense
    assert not table.fighter("knight")["action"]


@pytest.mark.heading("Attacking the Helpless")
def test_the_unconscious_are_no_targets_in_the_engagement() -> None:
    table = with_one_down([])
    table.engage(knight="might", troll="cunning").pass_to("attack", "might")
    assert not any(choice.startswith("attack 1") for choice in table.legal("knight"))
    assert "attack 2" in table.legal("knight")


@pytest.mark.heading("Attacking the Helpless", "Opportunity Attacks")
def test_the_incapacitated_may_be_struck_and_the_stunned_may_not() -> None:
    fighters = {"knight": {}, "orc": {"conditions": {"incapacitated": 1}}, "troll": {"conditions": {"stunned": 1}}}
    table = Table(fighters, [5, 4, 6, 3, 2])
    assert "opportunity 2 might" not in table.legal("knight")
    table.play(knight="opportunity 1 might").play(orc="take")
    assert table.hp("orc") == 30


@pytest.mark.heading("Attacking the Helpless")
@pytest.mark.parametrize("status", ["dead", "defeated"])
def test_the_dead_and_the_defeated_are_left_alone(status: str) -> None:
    orc = {"surprised": True, "hp": 40 if status == "defeated" else 5, "hp_now": 5}
    fighters = {"knight": {}, "squire": {"team": "blue"}, "orc": orc, "troll": {}}
    table = Table(fighters, [8, 6, 8, 1, 1]).play(knight="opportunity 1 might").play()
    assert table.status("orc") == status
    table.pass_to("action")
    assert not any(choice.startswith("opportunity") for choice in table.legal("squire"))


@pytest.mark.heading("Attacking the Helpless")
def test_under_helpless_dies_an_opportunity_attack_kills_without_a_roll() -> None:
    assert with_one_down([], helpless_dies=True).play(knight="opportunity 1 might").status("orc") == "dead"


@pytest.mark.heading("Attacking the Helpless")
def test_a_shot_that_kills_the_helpless_without_a_roll_is_a_shot() -> None:
    """A fighter that shoots moves at most half its speed of 30 feet, which is three squares (R-78)."""
    archer = {"weapon": "longbow", "speed": 30}
    fighters = {"knight": archer, "orc": {"conditions": {"incapacitated": 1}}, "troll": {"surprised": True}}
    table = on_map("K........OT", fighters, [], {"helpless_dies": True})
    assert {"dash 3,0", "dash 4,0", "dash 6,0"} < set(table.legal("knight"))
    table.play(knight="opportunity 1 might")
    assert "dash 3,0" in table.legal("knight") and "dash 4,0" not in table.legal("knight")


@pytest.mark.heading("Attacking the Helpless")
@pytest.mark.parametrize(("drawing", "dashes"), [("K.O.......T", False), ("KO........T", True)])
def test_a_kill_without_a_roll_at_long_reach_bars_dashes(drawing: str, dashes: bool) -> None:
    """An attack beyond five feet with a reach weapon ends the dashes of the round; one at five feet does not (R-83)."""
    spear = {"weapon": {**weapon(), "reach": True}, "speed": 30}
    fighters = {"knight": spear, "orc": {"conditions": {"incapacitated": 1}}, "troll": {"surprised": True}}
    table = on_map(f"{drawing}\n...........", fighters, [], {"helpless_dies": True})
    assert "dash 0,1" in table.legal("knight")
    table.play(knight="opportunity 1 might")
    assert table.status("orc") == "dead"
    assert ("dash 0,1" in table.legal("knight")) == dashes


@pytest.mark.heading("Attacking the Helpless")
def test_the_surprised_are_not_helpless() -> None:
    table = Table({"knight": {}, "orc": {"surprised": True}}, [5, 4, 6, 3, 2], {"helpless_dies": True})
    table.play(knight="opportunity 1 might").play(orc="take")
    assert table.hp("orc") == 30


# ---- what striking ends


@pytest.mark.heading("Venting", "Hidden, Charmed")
@pytest.mark.parametrize(
    ("case", "conditions", "dropped", "left"),
    [
        ("an attack on its source ends rage", {"knight": {"enraged": about("rogue", 2)}}, [], {}),
        ("one on another does not", {"knight": {"enraged": about("orc", 2)}}, [8, 8], {"enraged": 2}),
        ("an attack by the charmer breaks the charm", {"rogue": {"charmed": about("knight", 2)}}, [], {}),
        ("one by another does not", {"rogue": {"charmed": about("orc", 2)}}, [], {"charmed": 2}),
    ],
)
def test_what_an_attack_ends(case: str, conditions: Fields, dropped: list[int], left: dict[str, int]) -> None:
    fighters = {name: {"conditions": conditions.get(name, {})} for name in ("knight", "rogue", "orc")}
    table = Table(fighters, [1, 2, 3, *dropped, 2, 4])
    table.engage(knight="might: attack 1", rogue="cunning", orc="agility")
    assert table.conditions(*conditions) == left


@pytest.mark.heading("Venting")
def test_aggravation_is_not_vented() -> None:
    knight = {"conditions": {"aggravated": about("rogue", 2)}}
    assert strike(knight, dice=[1, 2, 3, 2, 4]).conditions("knight") == {"aggravated": 2}


@pytest.mark.heading("Venting")
def test_an_attack_roll_in_a_contest_counts_and_a_maneuver_is_none() -> None:
    # The rogue only answers the knight's attack, and vents its rage at the knight; it would not give the rogue away.
    rogue = {"conditions": {"enraged": about("knight", 2), "hidden": 1}}
    table = strike({}, rogue, stance="might", against="might", dice=[1, 2, 3, *[8] * 5, 2, 2, 2])
    assert (table.last("attack")["contested"], table.conditions("rogue")) == (True, {"hidden": 1})
    knight = {"agility": 8, "conditions": {"enraged": about("rogue", 2)}}
    table = strike(knight, stance="agility", against="might", choice="shove 1", dice=[])
    assert table.conditions("knight") == {"enraged": 2}


@pytest.mark.heading("Hidden, Charmed", "Opportunity Attacks")
@pytest.mark.parametrize("at", ["action", "engagement"])
def test_an_attack_gives_the_hidden_away_and_nothing_else_does(at: str) -> None:
    table = Table({"thief": {"conditions": {"hidden": 1}}, "orc": {}}, [1, 2, 3, 2, 4, 8, 8, 8, 8, 8]).finish_round()
    assert table.conditions("thief") == {"hidden": 1}
    if at == "action":
        table.play(thief="opportunity 1 might")
    else:
        table.engage(thief="might: attack 1", orc="cunning")
    assert (table.last("attack")["damage"], table.conditions("thief")) == (0, {})


@pytest.mark.heading("Hidden, Charmed", "Venting")
def test_a_strike_at_an_opening_vents_and_breaks_too() -> None:
    rogue = {"conditions": {"prone": 1, "charmed": about("knight", 1)}}
    fighters = {"knight": {"conditions": {"enraged": about("rogue", 2)}}, "rogue": rogue}
    table = Table(fighters, [1, 2, 3, 2, 4, 8]).play(rogue="stand").play(knight="opportunity 1 might")
    assert table.conditions("knight") == table.conditions("rogue") == {}


@pytest.mark.heading("Hidden, Charmed", "Resolution Phases")
def test_what_an_attack_ends_is_over_when_the_phase_ends() -> None:
    # The thief strikes first, and is still unseen when the slow wolf goes for it in the same phase.
    fighters = {"thief": {"agility": 12, "conditions": {"hidden": 1}}, "orc": {}, "wolf": {"agility": 4}}
    table = Table(fighters, [(1, 2, 3, 2, 4, *[8] * 5), (1, 2, 3, 2, 2, 2, *[8] * 5)])
    table.engage(thief="might: attack 1", orc="cunning", wolf="might: attack 1")
    assert [attack["attacker"] for attack in table.events_of("attack")] == ["thief", "wolf"]
    assert (table.last("attack")["attack_causes"], table.conditions("thief")) == ({"unseen": -5}, {})
