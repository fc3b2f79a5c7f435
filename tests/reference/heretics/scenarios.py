"""Random scenarios: fighters with all traits, items and conditions, maps of section 18 and others, and all settings."""

from __future__ import annotations

import random
from typing import Any

from tests.reference.heretics.fighters import BODIES, PLATES, SAMPLES, WEAPONS

SETTINGS = {
    "natural_extremes": ["all", "attacks", "none"], "advantage_dice": ["two", "none"],
    "melee_range": ["by_weapon", "ten_for_all"], "ranged_lock": ["any_enemy", "target_only"],
    "late_move": ["on", "off"], "spoilt_declaration": ["redeclare", "lost"],
    "initiative": ["side_d6", "dex_check", "leaders"],
    "retrievals": [0, 1, 2, 3], "fumble": ["open", "none"], "shield_break": ["on", "off"],
    "doubling": ["multiply", "add"], "subtle_triples": ["off", "on"], "roll_to_defend": ["off", "on"],
    "advantage_use": ["choice", "stunt_only", "dice_only"], "morale_requests": ["on", "off"],
    "morale_targets": ["npc_sides", "all", "none"], "pursuit": ["on", "off"],
    "magic": ["on", "off"], "interrupts": ["ask", "standing"], "share_declarations": ["off", "on"],
    "public_hp": ["on", "off"], "two_pools": ["off", "on"], "ammunition": ["off", "on"],
}  # fmt: skip
BANDS = {"broken": ["surrender", "rout", "rout"], "retainers_as": ["scripted", "scripted", "agents"]}
DUELS = {
    "duel_bonus": ["winner", "chooser"], "duel_fumble": ["open", "none"], "duel_rearm": ["off", "on"],
    "duel_sunder": ["on", "off"], "duel_shield": ["on", "off"], "duel_yield": ["on", "off"], "beat_cap": [2, 4, 50],
    "after_beats": ["draw", "rounds"], "duel_profile": ["full", "full", "plain"],
}  # fmt: skip
CONDITIONS = ("prone", "exhausted", "paralyzed", "stunned", "blind", "deafened", "burning", "corroding", "charmed")
SPELLS = ("magic_missile", "lightning_bolt", "fireball", "binding_chains", "aid")
TAGS = ("undead", "beast")
MAPS = {
    "gate": """
................
................
................
................
#######..#######
#######..#######
................
................
................
................""",
    "crypt": """
##############
#....#..#....#
#.##.#..#.##.#
#.#........#.#
#.#.#....#.#.#
#............#
#............#
#.#.#....#.#.#
#.#........#.#
#.##.#..#.##.#
#....#..#....#
######..######""",
    "bridge": """
.......~~~~~~.......
.......~~~~~~.......
.......~~~~~~.......
.......~~~~~~.......
....................
.......~~~~~~.......
.......~~~~~~.......
.......~~~~~~.......
.......~~~~~~.......""",
    "loopholes": """
..................
..................
.##.##.##.##.##.##
..................
..................
......^^^^^^......
..................
..................
..................
..................""",
    "road": """
...#....#.....#.....
.#....#....#....#..#
....................
....................
....................
....................
....................
....................
#...#.....#....#....
..#.....#....#....#.""",
}


def random_fighter(rng: random.Random) -> dict[str, Any]:
    """Return a fighter's table without its team, place and role."""
    if rng.random() < 0.4:
        name = rng.choice([it for it in SAMPLES if it not in ("retainer", "sergeant")])
        fighter: dict[str, Any] = {"from": name}
    else:
        fighter = {"id": "guard", **{it: rng.choice((-2, -1, 0, 0, 1, 2, 3)) for it in ("str", "dex", "int", "wil")}}
        fighter["hp"] = rng.randint(1, 14)
        fighter["body"] = rng.choice([*BODIES, *PLATES])
        fighter["helmet"] = rng.random() < 0.5
        held = rng.choice([*WEAPONS, None, None])
        if held is not None:
            fighter["held"] = held
        fighter["shield"] = (held is None or WEAPONS[held].hands != "two") and rng.random() < 0.4
        fighter["inventory"] = [rng.choice(list(WEAPONS)) for _ in range(rng.choice((0, 0, 1, 2, 4, 7)))]
        if rng.random() < 0.2:
            fighter["speed"] = rng.choice((0, 5, 15, 25, 35))
        if rng.random() < 0.2:
            fighter["to_hit"] = rng.randint(-2, 6)
        if rng.random() < 0.2:
            fighter["natural"] = rng.choice((4, 6, 8))
        if "natural" in fighter and rng.random() < 0.8:
            fighter["on_hit"] = {
                "save": rng.choice(("str", "dex", "int", "wil")), "number": rng.randint(8, 16),
                "condition": rng.choice(CONDITIONS),
            }  # fmt: skip
        fighter["hd"] = rng.choice((1, 1, 2, 3))
    for trait, chance in (("fearless", 0.1), ("steady", 0.15), ("opportunist", 0.3)):
        if rng.random() < chance:
            fighter[trait] = True
    if rng.random() < 0.15:
        fighter["spells"] = rng.sample(SPELLS, rng.randint(1, 3))
        fighter["mana"] = rng.randint(1, 4)
    if rng.random() < 0.25:
        fighter["fears"] = rng.sample(TAGS, rng.choice((1, 1, 2)))
    if rng.random() < 0.15:
        fighter["fearsome"] = rng.choice(TAGS)
    if rng.random() < 0.2:
        fighter["conditions"] = rng.sample(CONDITIONS, rng.choice((1, 1, 2)))
    if rng.random() < 0.06:
        fighter["conditions"] = [*fighter.get("conditions", []), "unaware"]
    if rng.random() < 0.3:
        fighter["ammunition"] = rng.choice((0, 1, 1, 2))
    if rng.random() < 0.2:
        fighter["hp_now"] = rng.randint(1, fighter.get("hp", SAMPLES.get(fighter.get("from", ""), {}).get("hp", 9)))
    return fighter


def random_map(rng: random.Random) -> list[str]:
    """Return a map of the rule text, an open field, or a random one."""
    kind = rng.random()
    if kind < 0.3:
        return MAPS[rng.choice(list(MAPS))].split()
    width, height = rng.randint(3, 10), rng.randint(2, 8)
    if kind < 0.5:
        return ["." * width] * height
    glyphs = rng.choice(("......#", "....#~", ".....^*", "....##~^*"))
    return ["".join(rng.choice(glyphs) for _ in range(width)) for _ in range(height)]


def random_scenario(rng: random.Random) -> dict[str, Any]:
    """Return a random scenario."""
    in_beats, in_the_end = rng.random() < 0.08, rng.random() < 0.15
    sizes = [1 if in_beats else rng.choice((1, 1, 2, 2, 3, 4)) for _ in range(2)]
    teams = ["blue"] * sizes[0] + ["red"] * sizes[1]
    if rng.random() < 0.3:
        rng.shuffle(teams)
    scenario: dict[str, Any] = {"fighter": [{**random_fighter(rng), "team": team} for team in teams]}
    heroes = rng.choice(("blue", "blue", "red", None))
    if heroes is not None:
        scenario["heroes"] = heroes
    for fighter in scenario["fighter"]:
        if "from" not in fighter and fighter["team"] == heroes and rng.random() < 0.7:
            fighter["role"] = "hero"
    if rng.random() < 0.4:
        add_retainers(rng, scenario)
    scenario["surprise"] = rng.choice(("roll", "none", "none", "blue", "red"))
    scenario["round_cap"] = rng.randint(2, 12)
    count = rng.choice((1, 2, 4, 8))
    drawn = {name: rng.choice(SETTINGS[name]) for name in rng.sample(list(SETTINGS), count)}
    scenario["rules"] = {**drawn, **{name: rng.choice(BANDS[name]) for name in BANDS}}
    if in_beats or in_the_end:
        add_duel(rng, scenario, in_beats)
    on_map = rng.random() < (0.2 if in_beats else 0.7)
    if on_map:
        add_map(rng, scenario)
    if rng.random() < 0.25 and not in_beats:
        kind = rng.choice(("escape", "hold") if on_map and "battlefield" in scenario else ("hold",))
        team = rng.choice(("blue", "red"))
        most = teams.count(team) if kind == "escape" else 6
        scenario["objective"] = {"kind": kind, "team": team, "count": rng.randint(1, most)}
    return scenario


def add_retainers(rng: random.Random, scenario: dict[str, Any]) -> None:
    """Let some fighters be retainers of one of the others of their side."""
    for team in ("blue", "red"):
        members = [it for it in scenario["fighter"] if it["team"] == team]
        commander = rng.choice(members)
        for fighter in members:
            if fighter is not commander and rng.random() < 0.7:
                commander["id"] = f"chief_{team}"
                hp = SAMPLES.get(fighter.get("from", ""), {}).get("hp")
                fighter.update(role="retainer", commander=f"chief_{team}", hp=fighter.get("hp", hp))
                if rng.random() < 0.3:
                    fighter.update(id="bowman", held=rng.choice(("bow", "crossbow", "sling")), shield=False)


def add_duel(rng: random.Random, scenario: dict[str, Any], in_beats: bool) -> None:
    """Let a scenario be a duel in beats from the start, or become one."""
    for name in rng.sample(list(DUELS), rng.choice((0, 1, 2, 4))):
        scenario["rules"][name] = rng.choice(DUELS[name])
    if in_beats:
        scenario["mode"] = "beats"
    else:
        scenario["rules"]["duel_entry"] = "last_two"


def add_map(rng: random.Random, scenario: dict[str, Any]) -> None:
    """Put the fighters of a scenario onto a map, near each other, if it has room for them."""
    rows = random_map(rng)
    floor = [(x, y) for y, row in enumerate(rows) for x in range(len(row)) if row[x] not in "#~"]
    if len(floor) < len(scenario["fighter"]):
        return
    around = rng.choice(floor)
    floor.sort(key=lambda it: max(abs(it[0] - around[0]), abs(it[1] - around[1])))
    near = floor[: max(len(scenario["fighter"]), rng.choice((12, 30, 200)))]
    if scenario.get("mode") == "beats":
        near = [it for it in floor if max(abs(it[0] - around[0]), abs(it[1] - around[1])) <= 1][:2]
        near = near if len(near) == 2 and max(abs(near[0][k] - near[1][k]) for k in (0, 1)) == 1 else []
        if not near:
            return
    for fighter, square in zip(scenario["fighter"], rng.sample(near, len(scenario["fighter"])), strict=True):
        fighter["at"] = list(square)
    scenario["battlefield"] = {"map": rows}
    if rng.random() < 0.3:
        scenario["battlefield"] |= {"small_dice": rng.randint(1, 3), "fire_dice": rng.randint(1, 2)}
    if rng.random() < 0.3:
        scenario["battlefield"]["exits"] = [list(it) for it in rng.sample(floor, min(3, len(floor)))]
