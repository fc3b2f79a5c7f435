"""The default actions of a fighter that is left to itself (the defaults for windows that do not surface)."""

from __future__ import annotations

from .board import DIRECTIONS, STEPS, Space, Square, distance
from .fight import Fight
from .moving import dash_budget, dash_goals, is_near
from .objects import locked
from .sheet import Fighter
from .table import Table

CONDITION_ON = {"might": "weakened", "agility": "off_balanced", "cunning": "dazed"}
"""The condition that hinders each die, in the order that settles ties between dice."""


def default_action(fight: Fight, agent: str) -> str:
    """Attack the legal target with the fewest hit points; shrug off serious damage; choose defensive; otherwise pass.

    In the classic edition engage the enemy in reach with the fewest hit points, and enter wherever possible (R-89).
    """
    names = fight.choices()[agent]
    fighter = fight.table[agent]
    if len(names) == 1:
        return names[0]
    if fight.window == "stance":
        return "stance defensive"
    if fight.window == "shrug":
        damage = fight.state()["fighters"][agent]["hits"][0]
        return "shrug" if damage >= 10 or fighter.hp - damage <= 0 else "take"
    if "enter" in names:
        return "enter"
    if "engage" in " ".join(names):
        return f"engage {_weakest(fight, fighter, names, 'engage')}"
    if fight.window == "action" and fight.table.board is not None:
        chosen = _close_in(fight.table, fighter)
        goes_on = all(name.startswith("dash") for name in names[1:])  # the second part of a far dash
        return _parts_of_dash(fight.table, fighter, chosen)[goes_on] if chosen.startswith("dash") else chosen
    if fight.window == "follow":
        return next((name for name in names if name.startswith("grapple")), "pass")
    if fight.window in ("attack", "follow_up"):
        return _attack_the_weakest(fight, fighter, names)
    return "pass"


def _attack_the_weakest(fight: Fight, fighter: Fighter, names: list[str]) -> str:
    if "attack" not in " ".join(names):
        return "pass"
    place = _weakest(fight, fighter, names, "attack")
    dice = fight.table.enemies(fighter)[place - 1].dice
    condition = CONDITION_ON[max(CONDITION_ON, key=lambda ability: dice[ability])]
    with_levels = f"attack {place} {condition}+{condition}"
    return with_levels if with_levels in names else f"attack {place}"


def _weakest(fight: Fight, fighter: Fighter, names: list[str], verb: str) -> int:
    """Return the number of the enemy with the fewest hit points among those it may attack or engage."""
    enemies = fight.table.enemies(fighter)
    places = [place for place in range(1, len(enemies) + 1) if f"{verb} {place}" in names]
    return min(places, key=lambda place: enemies[place - 1].hp)


def _close_in(table: Table, fighter: Fighter) -> str:
    """Dash to where the nearest enemy is in weapon range, or as near as possible, if none is in range now (R-73).

    If no dash gets the fighter nearer, it opens a door on its way.
    """
    enemies = [enemy for enemy in table.enemies(fighter) if enemy.standing]
    attack_type = fighter.weapon_in_hand.attack_type
    reach = 1 if attack_type == "melee" else table.weapon_range(fighter)
    if not table.able(fighter) or not enemies:
        return "pass"
    for enemy in enemies:
        in_range = table.distance(fighter, enemy) <= table.weapon_range(fighter, enemy)
        if in_range and table.in_sight(fighter, enemy) and not table.barred_by_charm(fighter, enemy):
            return "pass"
    steps = _steps_to_an_enemy(table, fighter, enemies)
    dash = _nearest_dash(table, fighter, enemies, reach, steps) if table.can_spend_dash(fighter) else "pass"
    return dash if dash != "pass" else _door_on_the_way(table, fighter, steps)


def _parts_of_dash(table: Table, fighter: Fighter, name: str) -> tuple[str, str]:
    """Return the choices that name a dash: a square twelve away comes before one that is farther away (R-281)."""
    dx, dy = map(int, name.split()[1].split(","))
    if is_near(dx, dy):
        return name, "pass"
    goals = dash_goals(table, fighter, dash_budget(table, fighter))
    x, y = next((x, y) for x, y in goals if max(abs(x), abs(y)) == 12 and is_near(dx - x, dy - y))
    return f"dash {x},{y}", f"dash {dx - x},{dy - y}"


Steps = dict[Square, int]


def _nearest_dash(table: Table, fighter: Fighter, enemies: list[Fighter], reach: int, steps: Steps) -> str:
    attack_type = fighter.weapon_in_hand.attack_type
    budget = dash_budget(table, fighter)
    if attack_type == "ranged":
        budget = min(budget, table.squares_of_speed(fighter) // 2 - fighter.squares_moved)

    def gap(offset: tuple[int, int]) -> int:
        there = fighter.space.moved(*offset)
        if steps:
            return steps.get(there.place, 9999)
        return max(0, min(distance(there, enemy.space) for enemy in enemies) - reach)

    goals = dash_goals(table, fighter, budget)
    if not goals:
        return "pass"
    best = min(goals, key=lambda offset: (gap(offset), goals[offset], offset[1], offset[0]))
    return f"dash {best[0]},{best[1]}" if gap(best) < gap((0, 0)) else "pass"


def _steps_to_an_enemy(table: Table, fighter: Fighter, enemies: list[Fighter]) -> Steps:
    """Return the steps from each square to one beside an enemy, as if all doors were open and no fighter in the way.

    Return nothing if steps do not count: on a map without doors, for a large fighter, and for a fighter without a path.
    """
    board = table.board
    assert board is not None
    if fighter.side > 1 or not any(glyph in "+/" for row in board.rows for glyph in row):
        return {}

    def is_open(x: int, y: int) -> bool:
        return board.glyph((x, y)) not in "#o" and not (board.glyph((x, y)) == "+" and locked(table, (x, y)))

    def can_walk(x: int, y: int) -> bool:
        return is_open(x, y) and board.glyph((x, y)) != "v"

    beside = [
        (x, y)
        for y in range(board.height)
        for x in range(board.width)
        if can_walk(x, y) and any(distance(Space(x, y, 1), enemy.space) <= 1 for enemy in enemies)
    ]
    steps = dict.fromkeys(beside, 0)
    for x, y in beside:  # grows during the loop
        for dx, dy in STEPS:
            there = (x + dx, y + dy)
            passes = is_open(x + dx, y) or is_open(x, y + dy) or dx == 0 or dy == 0
            if there not in steps and can_walk(*there) and passes:
                steps[there] = steps[x, y] + 1
                beside.append(there)
    return steps if fighter.space.place in steps else {}


def _door_on_the_way(table: Table, fighter: Fighter, steps: Steps) -> str:
    """Open, by free interaction, a closed door nearer to an enemy than the fighter and the open squares around it."""
    board = table.board
    assert board is not None
    if not steps or not fighter.interaction:
        return "pass"
    x, y = fighter.space.place
    doors, least = {}, steps[x, y]
    for name, (dx, dy) in zip(DIRECTIONS, STEPS, strict=True):
        beside = [(x + dx, y), (x, y + dy)]
        solid = [board.glyph(at) in "#o" or (board.glyph(at) == "+" and locked(table, at)) for at in beside]
        around_corner = dx != 0 and dy != 0 and all(solid)
        there = (x + dx, y + dy)
        if there in steps and not around_corner:
            if board.glyph(there) == "+":
                doors[name] = steps[there]
            else:
                least = min(least, steps[there])
    nearer = [name for name in doors if doors[name] < least]
    return f"door {min(nearer, key=lambda name: doors[name])}" if nearer else "pass"
