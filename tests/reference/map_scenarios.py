"""Random fights on small maps where much happens: drops, doors, water, giants, riders, holds, spare weapons."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .board import Board, Space, distance
from .conditions import OF_THE_CUNNING_EFFECT
from .scenarios import random_scenario
from .settings import Settings
from .sheet import SHIELDS, SIZE_RANKS, WEAPON_DICE, WEAPONS, read_weapon, size_allows

GROUND = "....,,lhs^^vv~w+/#o:"
LARGEST = 4
HINDERING = ("stunned", "incapacitated", "restrained", "entangled", "crippled", "charmed", "grappled")
BRAWLERS = ("mace", "rapier", "unarmed", "halberd", "maul", "whip", "spear")


def tight_scenario(rng: random.Random) -> dict[str, Any]:
    """Return a random fight on a small random map."""
    while True:
        scenario = _placed(rng, random_scenario(rng), lambda: _random_rows(rng, most=12))
        if scenario is not None:
            return scenario


def brawl_scenario(rng: random.Random) -> dict[str, Any]:
    """Return a fight of fit fighters at close quarters, with much pushing, following, grappling and climbing."""
    while True:
        fight = random_scenario(rng)
        for fighter in fight["fighter"]:
            fighter.pop("surprised", None)
            fighter["hp"] = fighter["hp"] + 30
            fighter["size"] = rng.choice(("tiny", "small", "medium", "medium", "large", "L2", "L3"))
            conditions = fighter.get("conditions", {})
            conditions.pop("creature_climber", None)
            for name in (*HINDERING, *conditions):
                if name in HINDERING or rng.random() < 0.5:
                    conditions.pop(name, None)
            if not conditions:
                fighter.pop("conditions", None)
            if "weapon" in fighter:
                small = SIZE_RANKS[fighter["size"]] < 0
                fighter["weapon"] = rng.choice(("dagger", "unarmed") if small else BRAWLERS)
                fighter["shield"] = "none" if small else rng.choice(("none", "heavy_shield"))
                if read_weapon(fighter["weapon"]).hands == 2:
                    fighter["shield"] = "none"
        _join_some(rng, fight["fighter"])
        scenario = _placed(rng, fight, lambda: _random_rows(rng, most=7))
        if scenario is not None:
            return scenario


def crush_scenario(rng: random.Random) -> dict[str, Any]:
    """Return a fight of small, mighty fighters among large ones in a close room: pushes meet bodies, many climb."""
    while True:
        fight = random_scenario(rng)
        for key in ("profile", "maneuvers", "conditions", "levels", "edition"):
            fight.get("rules", {}).pop(key, None)
        fight.setdefault("rules", {})["windows_per_round"] = 1
        fight.update(victory="last_standing", max_rounds=12)
        for fighter in fight["fighter"]:
            for key in ("surprised", "conditions", "attack_bonus", "defense_bonus", "shield", "wounds", "hp_now"):
                fighter.pop(key, None)
            large = rng.random() < 0.5
            dice = (4, 6) if large else (10, 12)
            fighter.update({ability: rng.choice(dice) for ability in ("might", "agility")})
            fighter.update(size=rng.choice(("L2", "L3") if large else ("small", "medium")), hp=fighter["hp"] + 60)
            fighter.update(weapon=rng.choice(("mace", "unarmed")), armor="none", speed=rng.choice((0, 0, 30)))
        scenario = _placed(rng, fight, lambda: _random_rows(rng, most=7))
        if scenario is not None:
            room = ["".join("." if glyph != "#" else "#" for glyph in row) for row in scenario["battlefield"]["map"]]
            scenario["battlefield"]["map"] = room
            return scenario


def scuffle_scenario(rng: random.Random) -> dict[str, Any]:
    """Return a brawl of equally quick, unsteady fighters: many step to the same squares, many may be tripped."""
    while True:
        scenario = brawl_scenario(rng)
        for fighter in scenario["fighter"]:
            fighter.setdefault("conditions", {})["off_balanced"] = 3
            fighter["agility"] = rng.choice((6, 8, 8, 8))
            if rng.random() < 0.2:
                fighter["conditions"]["suffocating"] = 1
        if _allowed(scenario):
            return scenario


def hall_scenario(rng: random.Random) -> dict[str, Any]:
    """Return a fight of fast fighters in a long hall, whose dashes are often longer than twelve squares."""
    while True:
        scenario = _placed(rng, random_scenario(rng), lambda: _hall(rng))
        if scenario is not None:
            for fighter in scenario["fighter"]:
                fighter["speed"] = rng.choice((60, 65, 70, 80, 100, 120, 150))
            return scenario


def _hall(rng: random.Random) -> list[str]:
    width, height, open_share = rng.randint(15, 32), rng.choice((1, 2, 2, 3, 4)), rng.choice((0.8, 0.9, 1))
    return [
        "".join("." if rng.random() < open_share else rng.choice(GROUND) for _ in range(width)) for _ in range(height)
    ]


def _join_some(rng: random.Random, fighters: Sequence[dict[str, Any]]) -> None:
    """Let many fighters that may ride or hold an enemy do so from the start."""
    held_by: set[str] = set()
    for fighter in fighters:
        enemies = {name: other for name, other in _agents(fighters).items() if other["team"] != fighter["team"]}
        rank = SIZE_RANKS[fighter["size"]]
        bearers = [name for name, other in enemies.items() if SIZE_RANKS[other["size"]] >= rank + 2]
        holders = [name for name in enemies if name not in held_by]
        if bearers and rng.random() < 0.5:
            fighter.setdefault("conditions", {})["creature_climber"] = {"source": rng.choice(bearers)}
        elif holders and rng.random() < 0.25:
            holder = rng.choice(holders)
            held_by.add(holder)
            fighter.setdefault("conditions", {})["grappled"] = {"source": holder}


def _placed(rng: random.Random, scenario: dict[str, Any], draw: Callable[[], list[str]]) -> dict[str, Any] | None:
    """Put the fighters on a map that is drawn for them; return None if they do not fit."""
    board_rows = draw()
    board = Board(board_rows)
    scenario["battlefield"] = {
        "map": board_rows,
        "drop": rng.choice((5, 10, 10, 15, 20, 40)),
        "light": rng.choice(("bright", "bright", "dim", "dark")),
    }
    agents = _agents(scenario["fighter"])
    places: dict[str, Space] = {}
    if any("conditions" in fighter for fighter in scenario["fighter"]) and not _allowed(scenario):
        return None
    for agent, fighter in sorted(agents.items(), key=lambda item: -SIZE_RANKS[item[1]["size"]]):
        if not _put_somewhere(rng, board, agents, places, agent, fighter):
            return None
    for fighter in scenario["fighter"]:
        _equip(rng, fighter)
    if rng.random() < 0.6:
        scenario["object"] = _objects(rng, board_rows, list(places.values()))
    if rng.random() < 0.2:
        scenario.setdefault("rules", {})["rush_mode"] = rng.choice(("none", "round_number"))
    return scenario


def _objects(rng: random.Random, rows: Sequence[str], spaces: Sequence[Space]) -> list[dict[str, Any]]:
    """Return objects of all kinds, most of them near a fighter and not too hard to use."""
    squares = [(x, y) for y, row in enumerate(rows) for x in range(len(row))]
    near = [at for at in squares if any(distance(space, Space(*at, 1)) == 1 for space in spaces)] or squares
    found: list[dict[str, Any]] = []
    for at in rng.sample(near, min(len(near), rng.randint(1, 6))):
        effect = rng.choice(("open", "collapse", "collapse", "drop"))
        thing: dict[str, Any] = {"at": list(at), "effect": effect, "cost": rng.choice(("interaction", "action"))}
        if rng.random() < 0.5:
            thing["check"] = rng.choice(("might", "agility", "cunning", "presence"))
            thing["number"] = rng.randint(3, 12)
        if effect == "collapse":
            damage = f"{rng.randint(1, 3)}d{rng.choice((4, 6, 8))}"
            thing |= {"squares": rng.randint(0, 4), "save": rng.randint(5, 15), "damage": damage}
        elif effect == "drop" or rng.random() < 0.3:
            thing["item"] = rng.choice([name for name in WEAPONS if name not in ("shield_bash", "javelin")])
        found.append(thing)
    return found


def _allowed(scenario: Mapping[str, Any]) -> bool:
    """Return whether the settings allow the conditions that fighters begin with."""
    settings = Settings.read(scenario.get("rules", {}))
    begins = {name for fighter in scenario["fighter"] for name in fighter.get("conditions", {})}
    return settings.conditions or (settings.levels and begins <= set(OF_THE_CUNNING_EFFECT))


def _random_rows(rng: random.Random, most: int) -> list[str]:
    width, height = rng.randint(4, most), rng.randint(4, most)
    open_share = rng.choice((0.4, 0.6, 0.8, 0.9))
    kinds = rng.sample(GROUND, rng.randint(2, 8)) + ["v"] * rng.choice((0, 0, 2, 6))
    rows = [["." if rng.random() < open_share else rng.choice(kinds) for _ in range(width)] for _ in range(height)]
    for _ in range(rng.randint(0, 3)):
        x, y, glyph = rng.randrange(width), rng.randrange(height), rng.choice("vvw~#+^")
        for dy in range(rng.randint(1, 3)):
            for dx in range(rng.randint(1, 3)):
                if x + dx < width and y + dy < height:
                    rows[y + dy][x + dx] = glyph
    return ["".join(row) for row in rows]


def _agents(fighters: Sequence[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    counts: dict[str, int] = {}
    agents = {}
    for fighter in fighters:
        number = counts.get(fighter["id"], 0)
        counts[fighter["id"]] = number + 1
        agents[f"{fighter['id']}_{number}"] = fighter
    return agents


def _put_somewhere(
    rng: random.Random,
    board: Board,
    agents: Mapping[str, dict[str, Any]],
    places: dict[str, Space],
    agent: str,
    fighter: dict[str, Any],
) -> bool:
    """Choose a legal place for one fighter; return False if there is none."""
    conditions = fighter.get("conditions", {})
    side = max(1, SIZE_RANKS[fighter["size"]])
    if side > LARGEST:
        return False
    bearer = conditions.get("creature_climber", {}).get("source")
    if bearer is not None:
        inside = set(places[bearer].squares)
        square = rng.choice([at for at in places[bearer].squares if inside.issuperset(Space(*at, side).squares)])
        places[agent] = Space(*square, side)
        if rng.random() < 0.5:
            places[agent] = Space(*places[bearer].place, side)
        else:
            fighter["at"] = list(square)
    else:
        small = SIZE_RANKS[fighter["size"]] < SIZE_RANKS["small"]
        others = [
            places[name]
            for name, other in agents.items()
            if name in places
            and SIZE_RANKS[other["size"]] >= SIZE_RANKS["small"]
            and "creature_climber" not in other.get("conditions", {})
        ]
        free = [
            space
            for space in board.all_places(side)
            if board.fits(space)
            and not any(board.glyph(square) == "v" for square in space.squares)
            and (small or not any(space.overlaps(other) for other in others))
        ]
        if not free:
            return False
        if others and rng.random() < 0.5:
            free = sorted(free, key=lambda space: min(distance(space, other) for other in others))[:4]
        places[agent] = rng.choice(free)
        fighter["at"] = list(places[agent].place)
    for name, other in agents.items():
        holder = other.get("conditions", {}).get("grappled", {}).get("source")
        if holder in places and name in places and distance(places[holder], places[name]) > 1:
            del other["conditions"]["grappled"]
            if not other["conditions"]:
                del other["conditions"]
    return True


def _equip(rng: random.Random, fighter: dict[str, Any]) -> None:
    """Give a fighter a spare weapon, a speed or rush points, now and then."""
    if rng.random() < 0.3:
        fighter["speed"] = rng.choice((0, 5, 10, 20, 30, 45, 60))
    if rng.random() < 0.3:
        fighter["rush"] = rng.randint(0, 5)
    if rng.random() < 0.4:
        said: Any = rng.choice([name for name in WEAPONS if name not in ("shield_bash", "javelin")])
        if rng.random() < 0.4:
            said = {
                "size": rng.choice(tuple(WEAPON_DICE)),
                "attack_type": "melee",
                "damage_type": rng.choice(("bludgeoning", "slashing", "piercing", "none")),
                "reach": rng.random() < 0.5,
            }
        weapon = read_weapon(said)
        if size_allows(fighter["size"], weapon):
            fighter["spare_weapon"] = said
            if weapon.hands < 2:
                fighter["spare_shield"] = rng.choice(tuple(SHIELDS))
            if rng.random() < 0.2:
                fighter["spare_speed"] = rng.choice((10, 25, 60))
