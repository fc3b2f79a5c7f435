"""The data files against the rulebook: weapons, armor, sizes, conditions, sample fighters and monsters."""

from typing import Any

import pytest

from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.tabletop.errors import ScenarioError

BLUE = {"from": "knight", "id": "other", "team": "blue"}
RED = {"from": "rogue", "id": "other", "team": "red"}


def test_weapon_dice_follow_their_size() -> None:
    # Weapons: heavy d12, light d8, ultralight d4, improvised as ultralight; hands as the attack type says.
    dice = {size: entry.die for size, entry in catalog.weapon_sizes().items()}
    assert dice == {"heavy": 12, "light": 8, "ultralight": 4, "improvised": 4}
    expected = {
        "longsword": (12, "melee", "slashing", 2), "maul": (12, "melee", "bludgeoning", 2),
        "pike": (12, "melee", "piercing", 2), "shortsword": (8, "melee", "slashing", 1),
        "rapier": (8, "melee", "piercing", 1), "war_hammer": (8, "melee", "bludgeoning", 1),
        "dagger": (4, "melee", "piercing", 1), "unarmed": (4, "melee", "bludgeoning", 0),
        "tusks": (12, "melee", "piercing", 0), "chair": (4, "melee", "bludgeoning", 2),
        "longbow": (12, "ranged", "piercing", 2), "crossbow": (8, "ranged", "piercing", 2),
        "sling": (4, "ranged", "bludgeoning", 2), "throwing_knives": (4, "thrown", "piercing", 1),
        "whip": (4, "whip", "slashing", 1), "heavy_flail_whip": (12, "whip", "bludgeoning", 2),
    }  # fmt: skip
    weapons = catalog.weapons()
    found = {id: (w.die, w.attack_type, w.damage_type, w.hands) for id, w in weapons.items() if id in expected}
    assert found == expected
    assert {id for id, weapon in weapons.items() if weapon.reach} == {"halberd", "pike", "longspear"}
    assert {id for id, w in weapons.items() if w.natural} == {"none", "unarmed", "claws", "teeth", "tusks", "tail_slam"}


def test_each_damage_type_favors_a_stance() -> None:
    assert catalog.damage_types() == {"bludgeoning": "might", "slashing": "agility", "piercing": "cunning", "none": ""}


def test_armor_and_shields_add_to_defence() -> None:
    armors = {id: (armor.defense_bonus, armor.speed_penalty) for id, armor in catalog.armors().items()}
    assert armors == {"none": (0, 0), "light": (2, 5), "medium": (4, 10), "heavy": (6, 15)}
    shields = {id: (shield.defense_bonus, shield.hands) for id, shield in catalog.shields().items()}
    assert shields == {"none": (0, 0), "light_shield": (1, 1), "heavy_shield": (2, 1)}


def test_sizes_are_ranked() -> None:
    named = {"minuscule": -3, "tiny": -2, "small": -1, "medium": 0, "large": 1}
    assert dict(catalog.sizes()) == {**named, **{f"L{level}": level for level in range(2, 9)}}


def test_conditions_are_complete_and_in_order() -> None:
    leveled = (
        "dazed off_balanced weakened shaken restrained poisoned blinded slowed vulnerability confused frightened "
        "enraged charmed burning aggravated deafened"
    ).split()
    fading = "dazed off_balanced weakened shaken blinded slowed burning deafened".split()
    order = (
        "dazed off_balanced weakened shaken restrained stunned incapacitated poisoned blinded suffocating slowed "
        "crippled vulnerability confused frightened enraged charmed prone burning obscured hidden highground "
        "creature_climber climbed_on grappling grappled entangled aggravated deafened mute wet"
    ).split()
    conditions = catalog.conditions()
    assert list(conditions) == order and len(order) == 31
    assert {id for id, condition in conditions.items() if condition.leveled} == set(leveled)
    assert {id for id, condition in conditions.items() if condition.fading} == set(fading)
    for condition in conditions.values():
        assert condition.max_level == {True: 5, False: 1}[condition.leveled] or condition.id == "vulnerability"
        assert condition.effect.endswith(".") and condition.effect.count(".") == 1


@pytest.mark.parametrize(
    ("id", "dice", "armor", "shield", "speed"),
    [
        # Dice (might, agility, cunning, presence), defence and speed of the samples at 15 experience points.
        ("knight", (8, 4, 6, 4), 6, 2, 40),
        ("rogue", (4, 6, 8, 4), 2, 0, 55),
        ("archer", (4, 6, 8, 4), 2, 0, 50),
        ("duelist", (4, 6, 8, 4), 2, 1, 55),
        ("barbarian", (8, 6, 4, 4), 2, 0, 50),
        ("spear_guard", (6, 4, 8, 4), 4, 2, 45),
        ("mage", (4, 6, 8, 4), 2, 0, 55),
        ("healer", (4, 4, 8, 6), 2, 1, 55),
    ],
)
def test_sample_fighters(id: str, dice: tuple[int, ...], armor: int, shield: int, speed: int) -> None:
    sheet = load_scenario({"fighter": [{"from": id, "team": "blue"}, RED]}).fighters[0]
    assert (sheet.might, sheet.agility, sheet.cunning, sheet.presence) == dice
    assert (sheet.heart, sheet.hp, sheet.armor, sheet.shield, sheet.speed) == (8, 40, armor, shield, speed)


@pytest.mark.parametrize("id", [*catalog.fighters(), *catalog.monsters()])
def test_every_fighter_and_monster_can_be_played(id: str) -> None:
    sheet = load_scenario({"fighter": [{"from": id, "team": "red"}, BLUE]}).fighters[0]
    assert sheet.agent == f"{id.replace('_', '')}_0"


def test_a_monster_of_the_guide() -> None:
    # The game master's guide: might d10, agility d6, cunning d10, presence d8, heart d10, 50 hp, wound 15, A+6, D+8.
    sheet = load_scenario({"fighter": [BLUE, {"from": "phantom_knight", "team": "red"}]}).fighters[1]
    assert (sheet.might, sheet.agility, sheet.cunning, sheet.presence, sheet.heart) == (10, 6, 10, 8, 10)
    assert (sheet.hp, sheet.wound_threshold, sheet.attack_bonus, sheet.armor) == (50, 15, 6, 8)


@pytest.mark.parametrize(
    ("look_up", "wrong", "close"),
    [
        (catalog.weapon, "rapeir", "rapier"),
        (catalog.condition, "prown", "prone"),
        (catalog.stat_line, "orge", "ogre"),
    ],
)
def test_the_library_lists_what_it_knows(look_up: Any, wrong: str, close: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        look_up(wrong)
    message = str(caught.value)
    assert f"(did you mean {close!r}?), expected " in message and message.endswith(".") and "\n" not in message
