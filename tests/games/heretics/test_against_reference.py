"""The engine against the reference: random blows and morale checks with the same dice."""

import random

import pytest

from tests.games.heretics.table import Table
from tests.reference.heretics.attacks import Blow, Outcome, gives_up, outcome

FIRST = 4
WEAPONS = {"halberd": (8, True), "cudgel": (4, False), "long_sword": (8, True), "dagger": (6, False), None: (0, False)}
HELPS = ("stunned", "paralyzed", "prone")  # of the target, in melee


def a_blow(seed: int) -> tuple[Blow, Outcome, Table, str | None]:
    """Return a random blow, its outcome by the reference, and the table at which it is played."""
    rng = random.Random(seed)
    weapon = rng.choice(list(WEAPONS))
    sides, both_hands = WEAPONS[weapon]
    helps, hinders = rng.sample(HELPS, rng.randint(0, 2)), rng.choice([[], ["exhausted"], ["exhausted", "blind"]])
    shield, strength, armor = rng.random() < 0.5, rng.randint(-1, 3), rng.choice(["none", "cloth", "mail"])
    able = not {"stunned", "paralyzed"} & set(helps)
    blow = Blow(
        bonus=strength, defense=10 + {"none": 0, "cloth": 1, "mail": 3}[armor] + shield, sides=sides,
        both_hands=both_hands, sunders=weapon is not None and rng.random() < 0.5,
        breaks_shield=shield and able and rng.random() < 0.5, advantages=len(helps), hindrances=len(hinders),
        strength=strength,
    )  # fmt: skip
    dice = [FIRST, rng.randint(1, 20), rng.choice([1, 20, rng.randint(1, 20)])]
    if bool(helps) == bool(hinders):
        dice = [FIRST, dice[2]]
    dice += [rng.randint(1, sides or 4) for _ in range(8)]
    attacker = {"id": "attacker", "str": strength, "dex": -1, "hp": 9, "steady": False, "conditions": hinders}
    if weapon:
        attacker["held"] = weapon
    target = {"id": "target", "hp": 99, "body": armor, "shield": shield, "conditions": helps}
    expected = outcome(blow, dice[1:])
    dice = [*dice[: 1 + expected.used], *[FIRST] * 3]
    return blow, expected, Table([attacker], [target], dice=dice, advantage_use="dice_only"), weapon


@pytest.mark.parametrize("seed", range(60))
def test_a_blow_has_the_outcome_of_the_second_reading(seed: int) -> None:
    blow, expected, table, weapon = a_blow(seed)
    if table.window == "move":
        table.play("stay")
    table.play("attack 1")
    attack = table.told("attack")[0]
    assert attack["hit"] == expected.hits
    if table.window == "sunder":
        table.play("sunder" if blow.sunders else "keep")
    if table.window == "shield":
        table.play("break_shield" if blow.breaks_shield else "keep")
    assert 99 - table.hp("target_0") == expected.damage
    opened = [event for event in table.told("condition") if event["condition"] == "open"]
    assert bool(opened) == expected.opens
    if expected.hits:
        assert (table.held("attacker_0") is None) == (blow.sunders or weapon is None)
    assert table.dice_left >= 2  # of the three for the rounds that follow, as no more were rolled than expected
    Table.laid.clear()


@pytest.mark.parametrize("seed", range(20))
def test_a_morale_check_has_the_outcome_of_the_second_reading(seed: int) -> None:
    rng = random.Random(seed)
    wil, enemy_wil, die = rng.randint(-1, 3), rng.randint(-1, 3), rng.choice([1, 20, rng.randint(5, 15)])
    hero = {"id": "hero", "role": "hero", "str": 3, "wil": wil, "hp": 9, "held": "dagger"}
    enemies = [{"id": "captain", "hd": 3, "hp": 9, "wil": enemy_wil}, {"id": "knave", "hp": 1}]
    table = Table([hero], enemies, dice=[FIRST, 15, 1, FIRST, die])
    table.play("attack 2", "keep", "stand_by", "request self")
    assert bool(table.told("surrender")) == gives_up(wil, enemy_wil, die)
