"""Random scenarios, rich and legal, to compare the engine and the reference in."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from .conditions import FADING, OF_THE_CUNNING_EFFECT, OTHER_LEVELED, WITH_SOURCE
from .settings import Settings
from .sheet import ARMOR, ATTACK_TYPES, CANTRIPS, SIZE_RANKS, WEAPON_DICE, WEAPONS, read_weapon, size_allows

IDS = ("orc", "knight", "wolf", "archer", "giant", "imp", "rogue", "dragon")
SIZES = ("minuscule", "tiny", "small", "medium", "medium", "medium", "large", "L2", "L3", "L4")
NEEDS_A_TALENT = ("shield_bash", "javelin")
SAMPLE_WEAPONS = tuple(name for name in WEAPONS if name not in NEEDS_A_TALENT)
PLAIN_CONDITIONS = tuple(name for name in (*FADING, *OTHER_LEVELED) if name not in WITH_SOURCE)
STATES = ("stunned", "incapacitated", "suffocating", "crippled", "obscured", "hidden", "highground", "mute", "wet")

SETTINGS: dict[str, tuple[Any, ...]] = {
    "edition": ("june2025", "december2025"),
    "profile": ("full", "full", "full", "full", "levels", "plain"),
    "attack_costs_action": (False, True),
    "shrug_per_round": ("unlimited", "once"),
    "fading": ("book", "uniform"),
    "rush_mode": ("book", "round_number", "none"),
    "contested": ("if_able", "mutual"),
    "armor_in_contest": (False, True),
    "cunning_split": (True, False),
    "defensive_is_beaten": (False, True),
    "thrown": ("counted", "unlimited"),
    "levels": (True, True, False),
    "maneuvers": (True, True, False),
    "conditions": (True, True, True, False),
    "wounds": (True, True, False),
    "windows_per_round": (1, 2, 3, 8),
    "fatigue_rounds": (1, 2, 3, 100),
    "advantage_cap": (1, 2, 5, 10),
    "zero_hp": ("heroes_choose", "all_out", "all_choose"),
    "death_at": ("maximum", "reduced_maximum"),
    "helpless_dies": (False, True),
    "talk": ("none", "team", "open"),
    "agility_rises": (True, True, False),
    "trip_on": ("steps", "steps", "dashes"),
    "trips_per_round": ("once", "unlimited"),
}

LATER: dict[str, tuple[Any, ...]] = {
    "opportunity_first": (True, False),
    "options_on_rolls": (False, True),
    "help_lasts": ("round", "fight"),
    "windows_per_round": ("auto",),
    "contested": ("always",),
    "talk": ("overheard",),
    "top_speed": (24, 12),
}
"""Settings and values that are drawn separately, so that the seeds of older fights still give the same fights."""


def with_cantrips(scenario: dict[str, Any]) -> dict[str, Any]:
    """Give a cantrip to each fighter of the scenario that is a warcaster, and to some of them both of its element."""
    rng = random.Random(repr(scenario))
    for fighter in scenario["fighter"]:
        if "warcaster" in fighter.get("abilities", ()):
            element = rng.choice(sorted({cantrip.element for cantrip in CANTRIPS.values()}))
            both = [name for name, cantrip in CANTRIPS.items() if cantrip.element == element]
            rng.shuffle(both)
            fighter |= {"weapon": both[0], "shield": "none"}
            if "spare_weapon" in fighter and rng.random() < 0.5:
                fighter |= {"spare_weapon": both[1], "spare_shield": "none"}
    return scenario


def with_later_settings(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scenario with some of the later settings, where the scenario does not name them itself."""
    rng = random.Random(repr(scenario))
    share = rng.choice((0.0, 0.3, 0.6))
    drawn = {key: rng.choice(values) for key, values in LATER.items() if rng.random() < share}
    fighters = [_with_stat_block(rng, fighter) for fighter in scenario["fighter"]]
    return {**scenario, "fighter": fighters, "rules": {**drawn, **scenario.get("rules", {})}}


def _with_stat_block(rng: random.Random, fighter: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fighter, now and then with what only monsters have: attacks of a kind and range, defense by kind."""
    more: dict[str, Any] = {}
    if rng.random() < 0.15:
        kinds = rng.sample(("bludgeoning", "slashing", "piercing", "physical", "magic"), rng.randint(1, 3))
        more["defense_vs"] = {kind: rng.randint(0, 8) for kind in kinds}
    if "attack_bonus" in fighter and "weapon" not in fighter and rng.random() < 0.4:
        more["weapon"] = {"size": "none", "attack_type": rng.choice(ATTACK_TYPES)}
        if rng.random() < 0.7:
            more["weapon"]["range"] = rng.choice((5, 10, 30, 60))
    return {**fighter, **more}


def random_scenario(rng: random.Random) -> dict[str, Any]:
    """Return a fight of two to eight fighters: teams or free-for-all, any gear, any conditions, any settings."""
    rules = _random_rules(rng)
    settings = Settings.read(rules)
    teams = _random_teams(rng)
    frail = rng.random() < 0.4
    thrown = rng.choice((0.1, 0.1, 0.7))
    fighters = [_random_fighter(rng, team, settings, frail, thrown) for team in teams]
    _name_them(rng, fighters)
    _give_conditions(rng, fighters, settings)
    for fighter in fighters:
        fighter.pop("agent")
    scenario: dict[str, Any] = {
        "name": "random",
        "victory": rng.choice(("first_down", "last_standing", "last_standing")),
        "max_rounds": rng.randint(1, 12),
        "round_cap": rng.choice(("draw", "hp")),
        "fighter": fighters,
    }
    named = sorted(set(teams))
    heroes = rng.choice(([], [named[0]], [named[-1]], named, named[0]))
    if heroes:
        scenario["heroes"] = heroes
    if rules:
        scenario["rules"] = rules
    return scenario


def _random_rules(rng: random.Random) -> dict[str, Any]:
    share = rng.choice((0.0, 0.1, 0.3, 0.6))
    return {key: rng.choice(values) for key, values in SETTINGS.items() if rng.random() < share}


def _random_teams(rng: random.Random) -> list[str]:
    number = rng.choice((2, 2, 3, 3, 4, 4, 5, 6, 7, 8))
    colours = ["amber", "blue", "crimson", "dun", "ebony", "fawn", "green", "hazel"]
    sides = number if rng.random() < 0.2 else min(number, rng.choice((2, 2, 2, 3, 4)))
    teams = colours[:sides] + [rng.choice(colours[:sides]) for _ in range(number - sides)]
    rng.shuffle(teams)
    return teams


def _random_fighter(rng: random.Random, team: str, settings: Settings, frail: bool, thrown: float) -> dict[str, Any]:
    heart = rng.choice((4, 6, 6, 8, 8, 8, 10, 12, 20))
    most = rng.choice((3, 6, 10) if frail else (6, 12, 20, 30, 40))
    fighter: dict[str, Any] = {
        "team": team,
        "might": rng.choice((4, 6, 8, 10, 12)),
        "agility": rng.choice((6, 6, 8, 8, 4, 10, 12)),
        "cunning": rng.choice((4, 6, 8, 10, 12)),
        "presence": rng.choice((4, 6, 8, 10, 12)),
        "heart": heart,
        "hp": most,
        "size": rng.choice(SIZES),
    }
    if rng.random() < 0.25:
        fighter["heart_now"] = rng.choice([die for die in (4, 6, 8, 10, 12, 20) if die <= heart])
    if settings.wounds and most >= 20 and rng.random() < 0.3:
        fighter["wounds"] = [rng.randint(1, most // 4) for _ in range(rng.randint(1, 2))]
        fighter["hp_now"] = rng.randint(1, most - sum(fighter["wounds"]))
    elif rng.random() < 0.25:
        fighter["hp_now"] = rng.randint(1, most)
    if rng.random() < 0.2:
        fighter["wound_threshold"] = rng.choice((0, 3, 5, 15))
    if rng.random() < 0.12:
        fighter["surprised"] = True
    if rng.random() < 0.2:
        fighter["rush"] = rng.randint(0, 3)
    if rng.random() < 0.2:
        fighter["attack_bonus"] = rng.randint(1, 12)
        fighter["defense_bonus"] = rng.randint(0, 8)
    else:
        _give_gear(rng, fighter, thrown)
    return fighter


def _give_gear(rng: random.Random, fighter: dict[str, Any], thrown: float) -> None:
    attack_types = ("thrown",) if rng.random() < thrown else ATTACK_TYPES
    while True:
        said: Any = rng.choice(SAMPLE_WEAPONS)
        if rng.random() < 0.4:
            said = {
                "size": rng.choice(tuple(WEAPON_DICE)),
                "attack_type": rng.choice(attack_types),
                "damage_type": rng.choice(("bludgeoning", "slashing", "piercing", "none")),
            }
        weapon = read_weapon(said)
        if size_allows(fighter["size"], weapon) and weapon.attack_type in attack_types:
            break
    fighter["weapon"] = said
    if weapon.attack_type == "thrown" and rng.random() < 0.7:
        fighter["thrown"] = rng.randint(1, 4)
    fighter["armor"] = rng.choice(tuple(ARMOR))
    fighter["shield"] = rng.choice(("none", "light_shield", "heavy_shield")) if weapon.hands < 2 else "none"


def with_spares(rng: random.Random, scenario: dict[str, Any]) -> dict[str, Any]:
    """Give some fighters of a fight without a map another weapon and shield to swap to."""
    for fighter in scenario["fighter"]:
        said = rng.choice(SAMPLE_WEAPONS)
        weapon = read_weapon(said)
        if rng.random() < 0.4 and size_allows(fighter["size"], weapon):
            fighter["spare_weapon"] = said
            fighter["spare_shield"] = rng.choice(("none", "light_shield")) if weapon.hands < 2 else "none"
    return scenario


def _name_them(rng: random.Random, fighters: list[dict[str, Any]]) -> None:
    counts: dict[str, int] = {}
    for fighter in fighters:
        name = rng.choice(IDS)
        fighter["id"] = name
        fighter["agent"] = f"{name}_{counts.get(name, 0)}"
        counts[name] = counts.get(name, 0) + 1


def _give_conditions(rng: random.Random, fighters: list[dict[str, Any]], settings: Settings) -> None:
    share = rng.choice((0.0, 0.15, 0.5))
    if not settings.conditions:
        for fighter in fighters:
            if settings.levels and rng.random() < share:
                fighter["conditions"] = {rng.choice(OF_THE_CUNNING_EFFECT): rng.randint(1, 5)}
        return
    for fighter in fighters:
        conditions: dict[str, Any] = {}
        if rng.random() < share:
            for name in rng.sample(PLAIN_CONDITIONS, rng.randint(1, 3)):
                conditions[name] = rng.randint(1, 3)
        if rng.random() < share:
            for name in rng.sample(STATES, rng.randint(1, 2)):
                conditions[name] = 1
        if rng.random() < share:
            conditions["prone"] = 1
        if rng.random() < share:
            for name in rng.sample(WITH_SOURCE, rng.randint(1, 2)):
                source = rng.choice([other["agent"] for other in fighters if other is not fighter])
                levels = {} if name == "entangled" else {"levels": rng.randint(1, 3)}
                conditions[name] = {**levels, "source": source}
        if conditions:
            fighter["conditions"] = conditions
    if rng.random() < share:
        _join_some(rng, fighters)


def _join_some(rng: random.Random, fighters: list[dict[str, Any]]) -> None:
    """Add holds and climbs to the start of a fight where they are possible."""
    for _ in range(rng.randint(1, 2)):
        holder, held = rng.sample(fighters, 2)
        already = {f["agent"]: f["conditions"]["grappled"] for f in fighters if "grappled" in f.get("conditions", {})}
        holding = holder["agent"] in [hold["source"] for hold in already.values()]
        if holder["team"] == held["team"] or holding or held["agent"] in already:
            continue
        held.setdefault("conditions", {})["grappled"] = {"source": holder["agent"]}
    for _ in range(rng.randint(1, 4)):
        climber, climbed = rng.sample(fighters, 2)
        large_enough = SIZE_RANKS[climbed["size"]] - SIZE_RANKS[climber["size"]] >= 2
        if climber["team"] != climbed["team"] and large_enough:
            climber.setdefault("conditions", {})["creature_climber"] = {"source": climbed["agent"]}
