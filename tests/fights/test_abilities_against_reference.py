"""The engine against the reference where fighters own abilities: the same fights, dice and choices.

The fighters of test_against_reference.py get random loadouts of the abilities that both implement.
"""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from heartrush_env.games.heart_rush.abilities.all import NUMBERS
from heartrush_env.games.heart_rush.scenario.abilities import abilities, key_of
from tests.editions_of_abilities import of_one_edition
from tests.fights.test_against_reference import play_scenario
from tests.fights.test_maps_against_reference import play_both
from tests.reference.abilities import READ
from tests.reference.map_scenarios import brawl_scenario
from tests.reference.scenarios import random_scenario, with_cantrips

SHORT, LONG = 5, 4000  # fights
FOUND = (667, 798, 1229, 2025, 2218, 3452, 3576, 3798)  # later ones, in which engine and reference once differed
MOST_ON_MAPS = 60  # steps of a fight
ASKING = ["hulking_blows", "bandit_captain.orders", "fall_back"]
"""Abilities that ask in the middle of resolution."""
FIRST = """
    action_surge agile assassinate baited_attack bandit.dirty_fighter bandit_captain.orders bandit_captain.riposte
    battlefrenzy battlespirit bloodblade bloodknight bloodlust bowl_over brutal_attacks brutal_criticals
    committed_blows cruelty cry_of_defiance cunning curseweaver death_mark debts_repaid deoric_endurance
    destined_for_glory divine_dexterity dodge_and_weave double_shot down_with_the_weak draconic_presence duelist
    everywhere execute exert fall_back fast_friends favored_attacker favored_defender first_strike focused fury
    haphazard hit_em_where_it_counts hulking_blows hydra.many_heads hydra.regrowth i_didnt_feel_a_thing
    in_the_thick_of_it indomitable_fortitude indomitable_might ingenious_cunning intimidating iron_constitution
    kick_em_while_theyre_down last_stand light_footed mighty ogre.thick_hide orc_warrior.savage overexert pack
    perfect_defense phalanx phantom_knight.fade phantom_knight.punish_aggression queen_rat.brood
    queen_rat.filthy_bite queen_rat.plague rage reckless_attack reflect rejuvenate relentless sand_serpent.ambusher
    searing_blood several_attacks skeleton.mindless skirmisher.press_the_advantage staggering_blows still_fresh
    tactics take_advantage the_starving.hunger titanic_strength tough_as_nails uncanny_accuracy
    vampire_spawn.life_drain vampire_spawn.regeneration vampiric_mark violent_defense whirlwind_strike
    whispers_of_madness wind_touched_wraith.yearning_touch wolf.hamstring young_dragon.breath young_dragon.dread
    """.split()
"""The abilities that were known when the fights of TOLD were found: the same seed draws the same fight from them."""
KNOWN = sorted(set(NUMBERS) & set(READ))
TOLD = {
    137: "Action Surge gives the action back to a confused fighter, which has acted and moves no more",
    746: "Destined for Glory and Committed Blows roll for one defense, in the order of the sheet",
    177: "a blow takes the last hit points of an enemy that has passed out, and its striker is Intimidating",
    1200: "Staggering Blows of destiny adds a weapon die to the second of two attacks by its own dice only",
    2948: "Who answers the further attack of Several Attacks in a contest does not suffer from Curseweaver",
    2878: "a 1 that Haphazard of destiny counts as 12 is no maximum of its d8 for Staggering Blows",
    3680: "Regeneration heals a fighter that has passed out above 0 hit points",
}
"""Seeds of fights in which the reference was once wrong, with what happens in them."""
TOLD_OF_PARTS = {
    734: "a body goes out, and its parts with it, before another fighter is asked whether it yields",
    880: "a part that was helped before it was cut off grows back without that help",
}
"""Seeds of fights with creatures of parts in which the reference was once wrong."""
TOLD_OF_REQUESTS = {21: "Hulking Blows does not count the dice twice of its owner's answer in a contest"}
"""Seeds of fights with questions in the middle of resolution in which the reference was once wrong."""


def scenario_with_abilities(
    rng: random.Random, *, on_map: bool = False, known: Sequence[str] = KNOWN
) -> dict[str, Any]:
    """Return a random scenario whose fighters own some of these abilities, which engine and reference implement."""
    scenario = brawl_scenario(rng) if on_map else random_scenario(rng)
    for fighter in scenario["fighter"]:
        for name in of_one_edition(rng.sample(known, rng.randint(0, min(8, len(known))))):
            key = key_of(abilities()[name])
            key = rng.choice((key, "destiny_talents")) if key == "talents" else key
            fighter.setdefault(key, []).append(name)
            for die, sides in abilities()[name].requires.get("dice", {}).items():
                fighter[die] = max(fighter[die], sides)
    return with_cantrips(scenario)


def agents_of(fighters: Sequence[dict[str, Any]]) -> list[str]:
    """Return the agents of fighters that have ids."""
    counts = Counter[str]()
    agents = []
    for fighter in fighters:
        agents.append(f"{fighter['id']}_{counts[fighter['id']]}")
        counts[fighter["id"]] += 1
    return agents


def scenario_with_companions(rng: random.Random) -> dict[str, Any]:
    """Return a random scenario in which fighters of each team are animals that obey the first of it."""
    scenario = random_scenario(rng)
    fighters = scenario["fighter"]
    for team in dict.fromkeys(fighter["team"] for fighter in fighters):
        owner, *animals = [k for k, fighter in enumerate(fighters) if fighter["team"] == team][:3]
        key = rng.choice(("talents", "destiny_talents"))
        fighters[owner][key] = ["beast_companion"] * len(animals) + ["beast_bond"] * rng.randint(0, 1)
        fighters[owner]["abilities"] = ["beast_combat"] * rng.randint(0, 1)
        for k in animals:
            fighters[k] |= {"companion_of": agents_of(fighters)[owner], rng.choice(("might", "agility", "cunning")): 2}
    return scenario


def scenario_with_parts(rng: random.Random) -> dict[str, Any]:
    """Return a random scenario in which one fighter has team-mates as parts, some of which have yet to grow."""
    while True:
        scenario = random_scenario(rng)
        fighters = scenario["fighter"]
        agents = agents_of(fighters)
        body = rng.randrange(len(fighters))
        parts = [k for k, fighter in enumerate(fighters) if k != body and fighter["team"] == fighters[body]["team"]]
        if parts and len(parts) + 1 < len(fighters):
            break
    fighters[body]["abilities"] = ["hydra.many_heads", "hydra.regrowth"]
    to_grow = [k for k in parts if rng.random() < 0.5]
    for k in parts:
        fighters[k]["part_of"] = agents[body]
    for k in to_grow:
        fighters[k]["to_grow"] = True
        for key in ("hp_now", "heart_now", "wounds", "conditions", "surprised"):
            fighters[k].pop(key, None)
    absent = {agents[k] for k in to_grow}
    for fighter in fighters:  # no fighter is held, ridden or frightened by a part that is not there yet
        carried = fighter.get("conditions", {})
        for name in [name for name, said in carried.items() if isinstance(said, dict) and said.get("source") in absent]:
            del carried[name]
    return scenario


def test_every_ability_that_is_played_has_a_second_reading() -> None:
    assert set(READ) == set(NUMBERS)


def play(seeds: range) -> None:
    """Play a random fight for each seed."""
    for seed in seeds:
        rng = random.Random(seed)
        play_scenario(scenario_with_abilities(rng), rng, f"seed {seed}", narrates=False)


MANY = [pytest.param(range(first, min(LONG, first + 80)), marks=pytest.mark.long) for first in range(SHORT, LONG, 80)]
MANY_ON_MAPS = [pytest.param(range(first, first + 20), marks=pytest.mark.long) for first in range(1, 201, 20)]
MANY_PARTS = [pytest.param(range(first, first + 100), marks=pytest.mark.long) for first in range(100, 1000, 100)]


@pytest.mark.parametrize("seeds", [range(SHORT), *(range(seed, seed + 1) for seed in FOUND), *MANY], ids=str)
def test_engine_and_reference_play_abilities_alike(seeds: range) -> None:
    play(seeds)


@pytest.mark.parametrize("seeds", [range(1), *MANY_ON_MAPS], ids=str)
def test_engine_and_reference_play_abilities_alike_on_maps(seeds: range) -> None:
    for seed in seeds:
        play_both(scenario_with_abilities(random.Random(seed), on_map=True), seed, MOST_ON_MAPS, eager, narrates=False)


@pytest.mark.parametrize("seed", TOLD, ids=str)
def test_engine_and_reference_play_alike_what_the_reference_has_learned(seed: int) -> None:
    rng = random.Random(seed)
    play_scenario(scenario_with_abilities(rng, known=FIRST), rng, f"seed {seed}", narrates=False, later=False)


def play_parts(seeds: range) -> None:
    """Play a random fight with a creature of parts for each seed."""
    for seed in seeds:
        rng = random.Random(seed)
        play_scenario(scenario_with_parts(rng), rng, f"seed {seed}", narrates=False)


@pytest.mark.parametrize("seeds", [*(range(first, first + 4) for first in range(0, 8, 4)), *MANY_PARTS], ids=str)
def test_engine_and_reference_play_creatures_of_parts_alike(seeds: range) -> None:
    play_parts(seeds)


@pytest.mark.parametrize("seeds", [range(4), *MANY_PARTS], ids=str)
def test_engine_and_reference_play_companions_alike(seeds: range) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        play_scenario(scenario_with_companions(rng), rng, f"seed {seed}", narrates=False)


@pytest.mark.parametrize("seed", TOLD_OF_PARTS, ids=str)
def test_engine_and_reference_play_alike_what_the_reference_has_learned_of_parts(seed: int) -> None:
    play_parts(range(seed, seed + 1))


def scenario_of_steps(rng: random.Random) -> dict[str, Any]:
    """Return a brawl on a map with fighters whose abilities make them step, dodge and give orders."""
    scenario = brawl_scenario(rng)
    for key in ("profile", "edition"):
        scenario.get("rules", {}).pop(key, None)
    for fighter in scenario["fighter"]:
        fighter["abilities"] = rng.sample(ASKING, rng.randint(1, len(ASKING)))
        fighter["talents"] = rng.sample(["dodge_and_weave", "whirlwind_strike", "agile"], rng.randint(0, 2))
        if "hulking_blows" in fighter["abilities"] and fighter["size"] not in ("tiny", "small"):
            fighter.pop("shield", None)
            fighter["rush"] = 3
            fighter["weapon"] = {"size": "heavy", "attack_type": "melee", "damage_type": "slashing"}
    return scenario


def eager(rng: random.Random, options: list[str]) -> str:
    """Choose uses of abilities and attacks more often than not."""
    for wanted in ("use", "opportunity", "attack"):
        found = [name for name in options if name.startswith(wanted)]
        if found and rng.random() < 0.6:
            return rng.choice(found)
    return rng.choice(options)


def play_steps(seeds: range, **rules: Any) -> Counter[str]:
    """Play a brawl by these rules for each seed; return how often each window, choice and kind of event was seen."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        scenario = scenario_of_steps(random.Random(seed))
        scenario["rules"] = {**scenario.get("rules", {}), **rules}
        seen += play_both(scenario, seed, 60, eager, narrates=False)
    return seen


def test_engine_and_reference_ask_alike_in_the_middle_of_resolution() -> None:
    seen = play_steps(range(3))
    wanted = ("pick window", "chosen sidestep", "pick", "move sidestep")
    assert [what for what in wanted if not seen[what]] == []


@pytest.mark.parametrize("seed", TOLD_OF_REQUESTS, ids=str)
def test_engine_and_reference_ask_alike_what_the_reference_has_learned(seed: int) -> None:
    assert play_steps(range(seed, seed + 1), top_speed=12)["chosen pick"] > 0  # the limit when they were found


@pytest.mark.long
@pytest.mark.parametrize("first", range(100, 500, 50))
def test_engine_and_reference_ask_alike_many_times(first: int) -> None:
    play_steps(range(first, first + 50))
