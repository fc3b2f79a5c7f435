"""What the stat blocks of monsters print: ranged attacks, a reach, and a defense by kind of damage."""

from typing import Any

import pytest

from heartrush_env.games.heart_rush.scenario.catalog import combined_weapon
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Table, strike, weapon

SHOT = {"size": "none", "attack_type": "ranged", "range": 30}  # of the Bandit Archer and the Hex Priest
LONG = {"size": "none", "attack_type": "melee", "range": 30}  # of the Hydra's head
OF_SHOTS = combined_weapon("none", "ranged", range=30)
KNIGHT = {"from": "knight", "team": "blue"}
ARCHER = {"weapon": SHOT, "attack_bonus": 5}
BONES = {"defense_bonus": 2, "defense_vs": {"slashing": 4, "piercing": 4, "bludgeoning": 1}}
GHOST = {"defense_bonus": 3, "defense_vs": {"physical": 8, "magic": 4}}


@pytest.mark.heading("Range")
@pytest.mark.parametrize("monster", ["bandit_archer", "hex_priest"])
def test_its_shot_is_heart_ability_and_bonus_and_flies_30_feet(monster: str) -> None:
    assert load_scenario({"fighter": [{"from": monster, "team": "red"}, KNIGHT]}).fighters[0].weapon == OF_SHOTS
    plain = {"from": monster, "might": 6, "agility": 6, "cunning": 6, "heart": 8, "weapon": SHOT}
    table = on_map("A.....R", {"archer": plain, "rogue": {}}, [(5, 3), (2, 1)])
    table.engage(archer="agility: attack 1", rogue="might")
    assert table.rolls() == (5 + 3 + 5, 3)


@pytest.mark.heading("Range")
@pytest.mark.parametrize(("gap", "levels"), [(5, 0), (6, 1), (7, 1), (8, 2), (11, 3)])
def test_beyond_30_feet_it_loses_a_level_for_two_squares(gap: int, levels: int) -> None:
    """Six squares away is 30 feet; twelve are the end of long range."""
    table = on_map(f"A{'.' * gap}R", {"archer": ARCHER, "rogue": {}}, [(5, 3, *(1,) * levels), (2, 1)])
    table.engage(archer="agility: attack 1", rogue="might")
    assert table.last("attack")["attack_causes"].get("long_range", 0) == -levels


@pytest.mark.heading("Range")
def test_farther_than_60_feet_it_shoots_nobody() -> None:
    table = on_map(f"A{'.' * 12}R", {"archer": ARCHER, "rogue": {}}).engage(archer="agility", rogue="might")
    assert "attack 1" not in table.legal("archer")


@pytest.mark.heading("Ranged")
def test_its_shot_in_might_ignores_the_armor_of_cunning() -> None:
    table = strike(ARCHER, {"armor": "heavy", "shield": "light_shield"}, dice=[(5, 3), (2, 1)])
    assert table.rolls() == (13, 4)  # 2 + 1 and the shield


@pytest.mark.heading("Whip")
def test_without_a_weapon_die_the_might_bonus_of_a_whip_adds_none() -> None:
    lash = {"size": "none", "attack_type": "whip"}
    table = strike({"weapon": lash, "attack_bonus": 5}, {}, dice=[(5, 3), (2, 1)])
    assert table.rolls() == (13, 3)


@pytest.mark.heading("Opportunity Attacks", "Range")
@pytest.mark.parametrize(("arm", "window"), [(SHOT, "action"), ({**SHOT, "attack_type": "melee"}, "opportunity")])
def test_an_archer_threatens_nobody_who_moves_past_it(arm: dict[str, Any], window: str) -> None:
    table = on_map(".....\n.AR..\n.....", {"archer": {**ARCHER, "weapon": arm}, "rogue": {}}).play(rogue="dash 2,0")
    assert table.window == window


@pytest.mark.heading("Range")
def test_after_more_than_half_its_speed_it_may_only_defend() -> None:
    table = on_map("A........R", {"archer": {**ARCHER, "speed": 40}, "rogue": {}}).play(archer="dash 4,0")
    assert "stance might" in table.pass_to("stance").legal("archer")
    table = on_map("A........R", {"archer": {**ARCHER, "speed": 40}, "rogue": {}}).play(archer="dash 5,0")
    assert table.pass_to("stance").legal("archer") == ["pass"], "it can only defend"


@pytest.mark.heading("Range")
@pytest.mark.parametrize(("gap", "struck"), [(5, 1), (6, 0)])
def test_a_reach_of_30_feet_strikes_six_squares_away(gap: int, struck: int) -> None:
    fighters = {"hydra": {"weapon": LONG, "attack_bonus": 3}, "rogue": {}}
    table = on_map(f"H{'.' * gap}R", fighters, [(5, 3), (2, 1)] * struck)
    table.engage(hydra="agility", rogue="might")
    if struck:
        table.play(hydra="attack 1")
    assert len(table.events_of("attack")) == struck


@pytest.mark.heading("Opportunity Attacks", "Range")
def test_so_far_it_also_threatens_those_who_move_and_a_dash_does_not_shorten_it() -> None:
    fighters = {"hydra": {"weapon": LONG, "attack_bonus": 3, "rush": 2}, "rogue": {"rush": 1}}
    table = on_map("H.......R", fighters, [(5, 3), (2, 1)])
    table.play(hydra="dash 2,0")
    table.play(rogue="dash -2,0")  # two squares within its reach
    assert table.window == "opportunity"
    table.play(hydra="opportunity 1 agility rush")
    assert (table.rolls(), at(table, "hydra")) == ((11, 3), (2, 0))
    assert not any("lunge" in name for name in table.legal("hydra"))


@pytest.mark.heading("Defender's Roll")
@pytest.mark.parametrize(
    ("kind", "target", "armor"),
    [
        ("slashing", BONES, 4),
        ("piercing", BONES, 4),
        ("bludgeoning", BONES, 1),
        ("none", BONES, 2),
        ("slashing", GHOST, 8),
        ("none", GHOST, 8),
        ("slashing", {"armor": "light", **BONES}, 6),  # a suit is worn over it
        ("bludgeoning", {"defense_bonus": 2, "defense_vs": {"bludgeoning": 0}}, 0),
    ],
)
def test_the_defense_printed_for_its_damage_type_meets_an_attack(kind: str, target: dict, armor: int) -> None:
    dice: Dice = [(5, 3, 4), (2, 1)]
    table = strike(
        {"weapon": weapon(damage_type=kind)}, target, stance="agility", against="might", dice=_extra(kind, dice)
    )
    assert table.last("attack")["defense_roll"] == 3 + armor


def _extra(kind: str, dice: Dice) -> Dice:
    """Return the dice with one more weapon die if the damage type favors agility."""
    return [(5, 3, 4, 4), (2, 1)] if kind == "slashing" else dice


@pytest.mark.heading("Defender's Roll")
def test_bare_hands_strike_as_bludgeoning_ones() -> None:
    table = strike({"weapon": "unarmed"}, BONES, stance="agility", against="might", dice=[(5, 3, 4), (2, 1)])
    assert table.last("attack")["defense_roll"] == 3 + 1


@pytest.mark.heading("Ranged")
def test_a_bow_in_might_ignores_it_too() -> None:
    table = strike({"weapon": weapon("light", "ranged", "piercing")}, BONES, dice=[(5, 3, 4), (2, 1)])
    assert table.rolls() == (12, 3)


@pytest.mark.heading("Same Stance Combat")
def test_the_loser_of_a_contest_takes_it_off_where_armor_counts_there() -> None:
    rules = {"armor_in_contest": True}
    dice = [(5, 3, 4), (2, 1, 1)]
    fighters = {"knight": {"weapon": weapon(damage_type="piercing")}, "rogue": BONES}
    table = Table(fighters, dice, rules).engage(knight="might: attack 1", rogue="might")
    table.play()
    assert table.hp("rogue") == 40 - (12 - 4 - 4)  # 12 against 4, less the 4 against piercing
