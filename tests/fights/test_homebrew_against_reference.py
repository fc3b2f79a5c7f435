"""Fights with random homebrew abilities: the engine against the reference, window by window.

The tables below are those of the page on homebrew abilities.
"""

import random
from typing import Any

import pytest

from tests.fights.test_maps_against_reference import play_both
from tests.reference.map_scenarios import brawl_scenario
from tests.reference.scenarios import random_scenario

pytestmark = pytest.mark.usefixtures("plainly")  # a declaration is data, and tests/fights/test_loadouts.py compiles it
CHANGES = ("heal", "give", "clear", "rush")
ROLLING = ("extra_dice", "bonus", "advantage", "disadvantage")
TRIGGERS = {
    "attack": ROLLING, "defense": ROLLING, "attacked": ("advantage", "disadvantage"), "attack_rolled": ("bonus",),
    "defense_rolled": ("bonus",), "harms": ("more_damage",), "harmed": ("reduce_damage", "halve_damage"),
    "hurt": CHANGES, "after_attack": (*CHANGES, "harm"), "struck": (*CHANGES, "harm"), "round_starts": CHANGES,
    "stances_shown": CHANGES, "suffers": ("resist",),
}  # fmt: skip
USES = {
    "action": (*CHANGES, "harm"), "declaration": CHANGES, "engagement": (*CHANGES, "harm"), "reveal": CHANGES,
    "phase": (*CHANGES, "harm"), "first_roll": CHANGES, "second_roll": (*CHANGES, "bonus"),
    "damage": (*CHANGES, "reduce_damage", "halve_damage"), "landed": CHANGES, "any_moment": CHANGES,
}  # fmt: skip
ALONE = ("round_starts", "stances_shown")
SOURCED = ("frightened", "enraged", "charmed", "aggravated")
GIVEN = (
    "dazed", "off_balanced", "weakened", "shaken", "restrained", "poisoned", "blinded", "slowed", "confused",
    "burning", "deafened", "prone", "stunned", "mute", *SOURCED,
)  # fmt: skip
CLEARED = (*GIVEN, "vulnerability", "crippled", "wet")
STANCES = ("might", "agility", "cunning", "defensive")
AMOUNTS = {"bonus": 10, "more_damage": 20, "reduce_damage": 30, "heal": 100, "harm": 30, "rush": 5}
WITH_DICE = ("more_damage", "reduce_damage", "heal", "harm")
MOST_STEPS = 60
LONG = [pytest.param(range(first, first + 50), marks=pytest.mark.long) for first in range(100, 600, 50)]


def random_effect(rng: random.Random, does: str, has_other: bool) -> dict[str, Any]:
    """Return a random effect of this kind."""
    effect: dict[str, Any] = {"do": does}
    dice = f"{rng.randint(1, 3)}d{rng.choice((4, 6, 8, 10, 12, 20))}"
    if does == "extra_dice" or (does in WITH_DICE and rng.random() < 0.5):
        effect["dice"] = dice
    elif does in AMOUNTS:
        effect["amount"] = rng.randint(1, min(10, AMOUNTS[does]))
    if does in ("advantage", "disadvantage", "give", "clear") and rng.random() < 0.5:
        effect["levels"] = rng.randint(1, 5)
    if does in CHANGES:
        effect["whom"] = rng.choice(("own", "other")) if has_other else "own"
    if does == "give":
        effect["condition"] = rng.choice(GIVEN if effect["whom"] == "other" else GIVEN[: -len(SOURCED)])
    elif does == "clear":
        effect["condition"] = rng.choice(CLEARED)
    elif does == "resist" and rng.random() < 0.5:
        effect["condition"] = rng.choice(GIVEN)
    if "whom" in effect and rng.random() < 0.3 and has_other == (does == "give"):
        del effect["whom"]  # the usual one
    return effect


def random_when(rng: random.Random, moment: str, has_other: bool) -> dict[str, Any]:
    """Return up to two random conditions."""
    known: dict[str, Any] = {
        "own_stance": rng.choice(STANCES), "own_condition": rng.choice((*GIVEN, "grappled", "grappling")),
        "own_below_half": rng.random() < 0.5, "own_wounded": rng.random() < 0.5, "own_full_heart": rng.random() < 0.5,
        "first_round": rng.random() < 0.5, "from_round": rng.randint(1, 3), "ally_within": 5 * rng.randint(1, 6),
        "enemy_within": 5 * rng.randint(1, 6),
    }  # fmt: skip
    if has_other:
        known |= {
            "other_stance": rng.choice(STANCES), "other_condition": rng.choice(GIVEN),
            "other_below_half": rng.random() < 0.5, "other_wounded": rng.random() < 0.5,
            "own_stance_beats": rng.random() < 0.5, "other_within": 5 * rng.randint(1, 6),
        }  # fmt: skip
    if moment in ("attack_rolled", "defense_rolled", "second_roll"):
        known["roll_at_most"] = rng.randint(5, 20)
    if moment in ("harms", "harmed", "hurt", "damage"):
        known |= {"damage_at_least": rng.randint(1, 8), "damage_at_most": rng.randint(4, 20)}
    return {key: known[key] for key in rng.sample(sorted(known), rng.choice((0, 0, 1, 2)))}


def random_declaration(rng: random.Random, id: str) -> dict[str, Any]:
    """Return a random declaration."""
    kind = rng.choice(("trigger", "use", "both"))
    made: dict[str, Any] = {"id": id, "name": id.capitalize(), "effect": "It does what it does."}
    if kind != "use":
        made["trigger"] = rng.choice(sorted(TRIGGERS))
    if kind != "trigger":
        made["use"] = rng.choice(sorted(USES))
        made["frequency"] = rng.choice(("at_will", "once_a_round", "minor", "major"))
        if kind == "use":
            made["aim"] = rng.choice(("own", "ally", "enemy"))
            made["range"] = 5 * rng.randint(0, 6)
        if made["frequency"] != "minor":
            made["rush"] = rng.randint(0, 2)
        if made["use"] == "action" and rng.random() < 0.5:
            made["costs_action"] = rng.random() < 0.5
        costs_action = made.get("costs_action", made["use"] == "action")
        if made["frequency"] == "at_will" and not made["rush"] and not costs_action:
            made["rush"] = 1
    moment = made.get("trigger") or made["use"]
    has_other = moment not in ALONE if "trigger" in made else made["aim"] != "own"
    allowed = TRIGGERS[moment] if "trigger" in made else USES[moment]
    allowed = [
        does
        for does in allowed
        if (does != "harm" or has_other) and (does != "rush" or made.get("frequency") != "at_will")
    ]
    made["effects"] = [random_effect(rng, rng.choice(allowed), has_other) for _ in range(rng.randint(1, 3))]
    when = random_when(rng, moment, has_other)
    return made | ({"when": when} if when else {})


def scenario_with_homebrew(rng: random.Random, *, on_map: bool = False) -> dict[str, Any]:
    """Return a random scenario whose fighters own random homebrew abilities."""
    scenario = brawl_scenario(rng) if on_map else random_scenario(rng)
    declared = [random_declaration(rng, f"own_{number}") for number in range(8)]
    for fighter in scenario["fighter"]:
        free = 12  # dice that homebrew abilities may add to one roll
        fighter["abilities"] = []
        for one in rng.sample(declared, rng.randint(1, 4)):
            free -= sum(int(effect["dice"][0]) for effect in one["effects"] if effect["do"] == "extra_dice")
            fighter["abilities"] += [one["id"]] * (free >= 0)
    return {**scenario, "ability": declared}


def eager(rng: random.Random, options: list[str]) -> str:
    """Choose uses of abilities and attacks more often than not."""
    for wanted in ("use", "attack"):
        found = [name for name in options if name.startswith(wanted)]
        if found and rng.random() < 0.5:
            return rng.choice(found)
    return rng.choice(options)


@pytest.mark.parametrize("seeds", [*(range(first, first + 3) for first in range(0, 12, 3)), *LONG], ids=str)
def test_engine_and_reference_play_homebrew_abilities_alike(seeds: range) -> None:
    for seed in seeds:
        play_both(scenario_with_homebrew(random.Random(seed)), seed, MOST_STEPS, eager, narrates=False)


@pytest.mark.long
@pytest.mark.parametrize("seeds", [range(2), *LONG[:2]], ids=str)
def test_engine_and_reference_play_homebrew_abilities_alike_on_maps(seeds: range) -> None:
    for seed in seeds:
        play_both(scenario_with_homebrew(random.Random(seed), on_map=True), seed, MOST_STEPS, eager, narrates=False)
