"""Random small fights on maps, with any terrain, sizes, weapons and conditions that a scenario may have."""

import random
from typing import Any

from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.tabletop.errors import ScenarioError

GLYPHS = "." * 24 + "###o,,,,llhs^^^vv~~w+//"
DICE = (4, 6, 8, 10)
SIZES = ("tiny", "small", "medium", "medium", "medium", "large", "L2", "L3")
CONDITIONS = (
    "prone", "off_balanced", "slowed", "confused", "hidden", "highground", "stunned", "burning", "suffocating",
    "dazed", "weakened", "crippled",
)  # fmt: skip
WITH_SOURCE = ("frightened", "enraged", "charmed", "entangled", "grappled", "creature_climber")
SETTINGS: tuple[dict[str, Any], ...] = (
    {}, {}, {"attack_costs_action": True}, {"contested": "mutual"}, {"rush_mode": "round_number"},
    {"rush_mode": "none"}, {"profile": "plain"}, {"defensive_is_beaten": True}, {"zero_hp": "all_choose"},
    {"windows_per_round": 3},
)  # fmt: skip


def random_map_scenario(rng: random.Random) -> Scenario:
    """Return a scenario of two to six fighters, drawing maps and positions until they fit."""
    while True:
        try:
            return load_scenario(_draw(rng))
        except ScenarioError:
            continue


def _draw(rng: random.Random) -> dict[str, Any]:
    width, height = rng.randint(3, 10), rng.randint(2, 8)
    rows = ["".join(rng.choice(GLYPHS) for _ in range(width)) for _ in range(height)]
    count = rng.randint(2, 6)
    fighters = [_fighter(rng, k, width, height) for k in range(count)]
    for k, fighter in enumerate(fighters):
        if rng.random() < 0.2:
            other = rng.choice([j for j in range(count) if j != k])
            fighter["conditions"][rng.choice(WITH_SOURCE)] = {"source": f"{fighters[other]['id']}_0"}
    return {
        "fighter": fighters,
        "heroes": ["blue"],
        "max_rounds": 8,
        "rules": dict(rng.choice(SETTINGS)),
        "battlefield": {
            "map": rows,
            "drop": rng.choice([5, 10, 20, 25]),
            "light": rng.choice(["bright", "bright", "dim", "dark"]),
        },
    }


def _fighter(rng: random.Random, k: int, width: int, height: int) -> dict[str, Any]:
    fighter: dict[str, Any] = {
        "id": "abcdef"[k],
        "team": "blue" if k == 0 else "red" if k == 1 else rng.choice(["blue", "red", "green"]),
        **{ability: rng.choice(DICE) for ability in ("might", "agility", "cunning", "presence")},
        "heart": rng.choice([6, 8, 12]),
        "hp": rng.randint(8, 40),
        "size": rng.choice(SIZES),
        "weapon": _weapon(rng),
        "rush": rng.randint(0, 3),
        "surprised": rng.random() < 0.1,
        "conditions": {rng.choice(CONDITIONS): 1} if rng.random() < 0.4 else {},
        "at": [rng.randrange(width), rng.randrange(height)],
    }
    if rng.random() < 0.3:
        fighter["spare_weapon"] = _weapon(rng)
    if rng.random() < 0.3:
        fighter["speed"] = rng.choice([10, 20, 30, 60])
    return fighter


def _weapon(rng: random.Random) -> dict[str, Any]:
    attack_type = rng.choice(["melee", "melee", "melee", "ranged", "thrown", "whip"])
    return {
        "size": rng.choice(["light", "ultralight"]),
        "attack_type": attack_type,
        "damage_type": rng.choice(["bludgeoning", "slashing", "piercing", "none"]),
        "reach": attack_type == "melee" and rng.random() < 0.3,
    }
