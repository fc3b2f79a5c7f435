"""What a table may choose instead of the book, and what the choice changes. Tests are named after their setting."""

from pathlib import Path
from typing import Any

import pytest

from heartrush_env.games.heart_rush.scenario.settings import KEYS
from tests.games.heart_rush.rules import test_positions
from tests.games.heart_rush.rules.table import Table, strike, weapon

ELSEWHERE = [Path(__file__).with_name(name) for name in ("test_own_steps.py", "test_far_dashes.py")]

DECEMBER = {"edition": "december2025"}


def offered(own: str, other: str, **rules: Any) -> list[str]:
    """Return what the knight may do in its phase, with its stance against the rogue's."""
    table = Table({"knight": {"weapon": "claws"}, "rogue": {}}, rules=rules).engage(knight=own, rogue=other)
    table.pass_to("attack", own)
    return table.legal("knight")


# ---- edition and profile


@pytest.mark.heading("The Engagement", "Same Stance Combat")
def test_edition_december_sets_the_eight_together() -> None:
    # attack_costs_action, and defensive_is_beaten with cunning_split off
    named = [choice for choice in offered("cunning", "agility", **DECEMBER) if choice.startswith("attack")]
    assert {"attack 1 dazed", "attack 1 dazed+dazed"} <= set(named) and "attack 1 dazed+weakened" not in named
    assert "shove 1" in offered("cunning", "defensive", **DECEMBER)
    # shrug_per_round, armor_in_contest and contested: a mutual contest, 22 against 3 less 4 for armor
    table = Table({"knight": {}, "rogue": {"armor": "medium"}}, [8, 6, 8, 1, 1, 1], DECEMBER)
    table.engage(knight="might: attack 1", rogue="might: attack 1").play()
    assert table.hp("rogue") == 25
    # fading: uniform
    table = strike(stance="agility", against="might", choice="blind 1", dice=[], rules=DECEMBER)
    assert table.conditions("rogue") == {}


def test_edition_a_setting_given_beside_it_wins() -> None:
    assert "attack 1 dazed+weakened" in offered("cunning", "agility", edition="december2025", cunning_split=True)


@pytest.mark.heading("Executing Special Maneuvers", "Cunning Stance", "More than 10 Damage")
def test_profile_plain_plays_stances_rolls_and_shrugs_alone() -> None:
    for own, other in ("cunning", "agility"), ("might", "cunning"), ("agility", "might"):
        assert offered(own, other, profile="plain") == ["pass", "attack 1"]
    table = strike(dice=[8, 6, 8, 1, 1], rules={"profile": "plain"}, answer="shrug")
    assert (table.hp("rogue"), table.heart("rogue"), table.events_of("wound")) == (30, 6, [])
    with pytest.raises(ValueError, match="the setting 'conditions' is off"):
        Table({"knight": {"conditions": {"dazed": 1}}, "rogue": {}}, rules={"profile": "plain"})


@pytest.mark.heading("Executing Special Maneuvers", "Cunning Stance")
def test_profile_levels_leaves_the_three_levels() -> None:
    assert "attack 1 dazed+weakened" in offered("cunning", "agility", profile="levels")
    assert "shove 1" not in offered("cunning", "agility", profile="levels")
    table = strike({"conditions": {"weakened": 1}}, dice=[1, 2, 3, 8, 2, 4], rules={"profile": "levels"})
    assert table.rolls() == (6, 6)
    with pytest.raises(ValueError, match="expected only dazed, off_balanced and weakened"):
        Table({"knight": {"conditions": {"prone": 1}}, "rogue": {}}, rules={"profile": "levels"})


# ---- the eight that an edition sets


@pytest.mark.heading("The Engagement")
@pytest.mark.parametrize(("setting", "choosers"), [(True, {"orc"}), (False, {"knight", "orc"})])
def test_attack_costs_action_lets_nobody_attack_who_has_acted(setting: bool, choosers: set[str]) -> None:
    fighters = {"knight": {"conditions": {"burning": 1}}, "rogue": {}, "orc": {}}
    table = Table(fighters, rules={"attack_costs_action": setting}).play(knight="put_out_fire")
    table.engage(knight="might", rogue="cunning", orc="might").pass_to("attack", "might")
    assert table.choosers() == choosers


@pytest.mark.heading("The Engagement", "Same Stance Combat")
def test_attack_costs_action_and_who_has_acted_rolls_defense() -> None:
    fighters = {"knight": {"conditions": {"burning": 1}, "armor": "light"}, "rogue": {}}
    table = Table(fighters, [8, 6, 8, 1, 1], {"attack_costs_action": True}).play(knight="put_out_fire")
    table.engage(knight="might", rogue="might: attack 1")
    assert (table.last("attack")["contested"], table.rolls()) == (False, (22, 4))  # 1+1+2


@pytest.mark.heading("The Engagement", "Understanding Actions and Abilities")
@pytest.mark.parametrize(("setting", "left"), [(True, False), (False, True)])
@pytest.mark.parametrize("choice", ["attack 1", "shove 1"])
def test_attack_costs_action_which_is_spent_by_attacks_and_maneuvers(setting: bool, left: bool, choice: str) -> None:
    dice = [1, 1, 1, 1, 2] if choice == "attack 1" else []
    fighters = {"knight": {}, "rogue": {}, "orc": {}, "squire": {"team": "blue"}}
    table = Table(fighters, dice, {"attack_costs_action": setting})
    table.engage(knight=f"cunning: {choice}", rogue="agility", orc="cunning", squire="might")
    assert table.phase == "agility"
    assert table.fighter("knight")["action"] is left and table.fighter("squire")["action"]


@pytest.mark.heading("Taking Damage")
@pytest.mark.parametrize(("setting", "hp", "heart"), [("unlimited", 20, 4), ("once", 10, 6)])
def test_shrug_per_round(setting: str, hp: int, heart: int) -> None:
    fighters = {"knight": {"agility": 8}, "squire": {"team": "blue", "agility": 10}, "rogue": {"team": "red"}}
    table = Table(fighters, [(8, 6, 8, 1, 1), (8, 6, 8, 1, 1)], {"shrug_per_round": setting})
    table.engage(knight="might: attack 1", squire="might: attack 1", rogue="cunning")
    while table.window == "shrug":
        table.play(rogue="shrug")
    assert (table.hp("rogue"), table.heart("rogue")) == (hp, heart)  # 40 - 10 - 10, or 40 - 10 - 20
    assert table.fighter("rogue")["shrugs"] == 0  # the next round has begun


@pytest.mark.heading("Taking Damage", "Understanding Combat Flow")
def test_shrug_per_round_once_is_once_in_each_round() -> None:
    table = Table({"knight": {}, "rogue": {}}, [8, 6, 8, 1, 1] * 2, {"shrug_per_round": "once"})
    for _ in range(2):
        table.engage(knight="might: attack 1", rogue="cunning").play(rogue="shrug")
    assert (table.hp("rogue"), table.heart("rogue")) == (20, 4)


@pytest.mark.heading("Fading")
@pytest.mark.parametrize(("setting", "left"), [("book", {"blinded": 1}), ("uniform", {})])
def test_fading(setting: str, left: dict[str, int]) -> None:
    table = strike(stance="agility", against="might", choice="blind 1", dice=[], rules={"fading": setting})
    assert (table.round, table.conditions("rogue")) == (2, left)


def test_rush_mode_changes_nothing_yet() -> None:
    for setting in "book", "round_number":
        assert strike(dice=[8, 6, 8, 1, 1], rules={"rush_mode": setting}).hp("rogue") == 20


@pytest.mark.heading("Same Stance Combat")
@pytest.mark.parametrize(("setting", "contested", "dice"), [("if_able", True, [3, 2, 1]), ("mutual", False, [3, 2])])
def test_contested_when_the_other_attacks_somebody_else(setting: str, contested: bool, dice: list[int]) -> None:
    table = Table({"knight": {"agility": 8}, "rogue": {"armor": "light"}}, [8, 6, 8, *dice], {"contested": setting})
    table.engage(knight="might: attack 1", rogue="might")
    assert table.last("attack")["contested"] is contested
    assert table.rolls() == (22, 6 if contested else 7)  # 3+2+1, or 3+2 and 2 for armor
    table.play()


@pytest.mark.heading("Same Stance Combat")
def test_contested_mutual_when_they_attack_each_other() -> None:
    table = Table({"knight": {}, "rogue": {}}, [8, 6, 8, 3, 2, 1], {"contested": "mutual"})
    table.engage(knight="might: attack 1", rogue="might: attack 1")
    assert (table.last("attack")["contested"], table.last("attack")["damage"]) == (True, 16)
    table.play()


@pytest.mark.heading("Same Stance Combat")
@pytest.mark.parametrize(("setting", "damage"), [(False, 16), (True, 10)])
def test_armor_in_contest(setting: bool, damage: int) -> None:
    rogue, rules = {"armor": "medium", "shield": "heavy_shield"}, {"armor_in_contest": setting}
    table = strike({"armor": "heavy"}, rogue, against="might", dice=[8, 6, 8, 3, 2, 1], rules=rules)
    assert table.last("attack")["damage"] == damage  # 22 - 6, and the loser's 4+2 off


@pytest.mark.heading("Same Stance Combat")
def test_armor_in_contest_never_turns_the_harm() -> None:
    table = strike({}, {"armor": "heavy"}, against="might", dice=[3, 2, 3, 3, 2, 1], rules={"armor_in_contest": True})
    assert (table.last("attack")["damage"], table.last("attack")["hurt"]) == (0, None)  # 8 - 6 = 2, less 6
    assert (table.hp("knight"), table.hp("rogue")) == (40, 40)


@pytest.mark.heading("Cunning Stance")
def test_cunning_split_off_names_levels_of_one_condition() -> None:
    named = [choice for choice in offered("cunning", "agility", cunning_split=False) if choice.startswith("attack")]
    assert named == [
        "attack 1", "attack 1 dazed", "attack 1 off_balanced", "attack 1 weakened", "attack 1 dazed+dazed",
        "attack 1 off_balanced+off_balanced", "attack 1 weakened+weakened",
    ]  # fmt: skip


@pytest.mark.heading("Understanding Stances", "Executing Special Maneuvers", "Cunning Stance")
@pytest.mark.parametrize("own", ["might", "agility", "cunning"])
def test_defensive_is_beaten(own: str) -> None:
    assert offered(own, "defensive") == ["pass", "attack 1"]
    beating = offered(own, "defensive", defensive_is_beaten=True)
    assert "shove 1" in beating
    assert ("attack 1 dazed+weakened" in beating) is (own == "cunning")


@pytest.mark.heading("Understanding Stances", "Whip")
def test_defensive_is_beaten_grants_the_might_bonus() -> None:
    whip = {"weapon": weapon("heavy", "whip")}
    table = strike(whip, against="defensive", dice=[5, 3, 9, 11, 2, 1], rules={"defensive_is_beaten": True})
    assert (table.rolls(), table.hp("rogue")) == ((28, 3), 27)  # 25 halved is 13
    # Beaten or not, the defensive attack nobody, and those without a stance are beaten by none.
    table = Table({"knight": {}, "rogue": {"conditions": {"stunned": 1}}}, rules={"defensive_is_beaten": True})
    table.engage(knight="might")
    assert table.legal("knight") == ["pass", "attack 1"]


# ---- the four of the profiles


@pytest.mark.heading("Cunning Stance")
def test_levels_off() -> None:
    named = [choice for choice in offered("cunning", "agility", levels=False) if choice.startswith("attack")]
    assert named == ["attack 1"]


@pytest.mark.heading("Executing Special Maneuvers")
def test_maneuvers_off() -> None:
    assert offered("might", "cunning", maneuvers=False) == ["pass", "attack 1"]


@pytest.mark.heading("Executing Special Maneuvers", "Cunning Stance")
def test_conditions_off_turns_maneuvers_off_and_leaves_the_levels() -> None:
    assert offered("might", "cunning", conditions=False) == ["pass", "attack 1"]
    assert "attack 1 dazed+weakened" in offered("cunning", "agility", conditions=False)


@pytest.mark.heading("More than 10 Damage")
@pytest.mark.parametrize(("setting", "wounds"), [(True, 20), (False, 0)])
def test_wounds_off(setting: bool, wounds: int) -> None:
    assert strike(dice=[8, 6, 8, 1, 1], rules={"wounds": setting}).fighter("rogue")["wounds"] == wounds


# ---- numbers


@pytest.mark.heading("The Action Phase")
@pytest.mark.parametrize(("windows", "acts"), [(0, 0), (1, 1), (2, 2), (8, 3)])
def test_windows_per_round(windows: int, acts: int) -> None:
    burning = {"conditions": {"burning": 1}}
    fighters = {"knight": burning, "squire": {**burning, "team": "blue"}, "rogue": burning}
    table = Table(fighters, [1] * (3 - acts), {"windows_per_round": windows})
    done = 0
    while table.window == "action" and done < 3:
        table.play(**{table.names[done]: "put_out_fire"})
        done += 1
    assert done == acts
    table.finish_round()


@pytest.mark.heading("Zero Hit points")
@pytest.mark.parametrize("rounds", [1, 2])
def test_fatigue_rounds(rounds: int) -> None:
    fighters = {"knight": {}, "rogue": {"hp_now": 0}, "orc": {}}
    table = Table(fighters, rules={"fatigue_rounds": rounds}, heroes=["red"])
    for _ in range(rounds):
        assert table.status("rogue") == "standing"
        table.finish_round()
    assert table.status("rogue") == "unconscious"


@pytest.mark.heading("Advantage and Disadvantage")
@pytest.mark.parametrize(("cap", "levels"), [(0, 0), (1, 1), (2, 2), (10, 3)])
def test_advantage_cap(cap: int, levels: int) -> None:
    rules = {"advantage_cap": cap}
    # three levels of weakened on the attack, and three of advantage for a climber in another fight
    assert strike({"conditions": {"weakened": 3}}, dice=[1, 2, 3, *[8] * levels, 2, 4], rules=rules).rolls() == (6, 6)
    climber = {"conditions": {"creature_climber": {"source": "rogue"}}}
    table = strike(climber, {"size": "L2"}, dice=[1, 2, 3, *[1] * levels, 2, 4], rules=rules, against="defensive")
    assert len(table.last("attack")["attack_dice"]) == 3 + levels


# ---- the end of a fighter


@pytest.mark.heading("Why would I go unconscious??", "Zero Hit points")
@pytest.mark.parametrize(
    ("setting", "hero", "monster"),
    [("heroes_choose", "yield", "defeated"), ("all_out", "unconscious", "defeated"), ("all_choose", "yield", "yield")],
)
def test_zero_hp(setting: str, hero: str, monster: str) -> None:
    for heroes, expected in (["red"], hero), ([], monster):
        fighters = {"knight": {}, "rogue": {"hp_now": 20}, "orc": {"team": "red"}}
        table = Table(fighters, [8, 6, 8, 1, 1], {"zero_hp": setting}, heroes=heroes)
        table.engage(knight="might: attack 1", rogue="cunning", orc="agility").play(rogue="take")
        assert (table.window if table.window == "yield" else table.status("rogue")) == expected
        if table.window == "yield":
            table.play(rogue="pass")
            assert "yield" in table.legal("rogue")


@pytest.mark.heading("Attacking the Helpless")
@pytest.mark.parametrize(("setting", "dice", "status"), [(True, [], "dead"), (False, [1, 1, 1, 2, 1], "standing")])
def test_helpless_dies(setting: bool, dice: list[int], status: str) -> None:
    fighters = {"knight": {}, "orc": {"conditions": {"incapacitated": 1}}, "troll": {"surprised": True}}
    table = Table(fighters, dice, {"helpless_dies": setting}).play(knight="opportunity 1 might")
    assert table.status("orc") == status


@pytest.mark.heading("Strategic Discussion")
def test_talk_is_none_by_default() -> None:
    assert Table({"knight": {}, "squire": {"team": "blue"}, "rogue": {}}).play().window == "stance"


@pytest.mark.heading("Thrown")
@pytest.mark.parametrize(("setting", "follows"), [("counted", False), ("unlimited", True)])
def test_thrown(setting: str, follows: bool) -> None:
    """The attack of 5 + 4 + 3 against 2 + 1 does damage: another throw follows if the setting leaves another weapon."""
    knight = {"weapon": weapon("light", "thrown")}
    table = Table({"knight": knight, "rogue": {}, "orc": {}}, [5, 4, 3, 2, 1], rules={"thrown": setting})
    table.engage(knight="might: attack 1", rogue="cunning", orc="cunning")
    assert (table.window == "follow_up") == follows


@pytest.mark.parametrize("key", KEYS)
def test_every_setting_has_a_test_here_or_a_position(key: str) -> None:
    named = any(name.startswith(f"test_{key}") for name in [*globals(), *vars(test_positions)])
    assert named or any(f'"{key}"' in file.read_text(encoding="utf-8") for file in ELSEWHERE)
