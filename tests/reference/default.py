"""What a fighter does that is left to itself (the defaults for windows that do not surface)."""

from __future__ import annotations

from .board import distance
from .fight import Fight
from .moving import dash_budget, dash_goals
from .sheet import Fighter
from .table import Table

CONDITION_ON = {"might": "weakened", "agility": "off_balanced", "cunning": "dazed"}
"""Which condition hinders which die, in the order that settles ties between dice."""


def default_action(fight: Fight, agent: str) -> str:
    """Attack the legal target with least hit points; shrug off what is grave; choose defensive; otherwise pass."""
    names = fight.choices()[agent]
    fighter = fight.table[agent]
    if fight.window == "stance" and len(names) > 1:
        return "stance defensive"
    if fight.window == "shrug" and len(names) > 1:
        damage = fight.state()["fighters"][agent]["hits"][0]
        return "shrug" if damage >= 10 or fighter.hp - damage <= 0 else "take"
    if fight.window == "action" and fight.table.board is not None:
        return _close_in(fight.table, fighter)
    if fight.window in ("attack", "follow_up"):
        return _attack_the_weakest(fight, fighter, names)
    return "pass"


def _attack_the_weakest(fight: Fight, fighter: Fighter, names: list[str]) -> str:
    enemies = fight.table.enemies(fighter)
    places = [place for place in range(1, len(enemies) + 1) if f"attack {place}" in names]
    if not places:
        return "pass"
    place = min(places, key=lambda place: enemies[place - 1].hp)
    dice = enemies[place - 1].dice
    condition = CONDITION_ON[max(CONDITION_ON, key=lambda ability: dice[ability])]
    with_levels = f"attack {place} {condition}+{condition}"
    return with_levels if with_levels in names else f"attack {place}"


def _close_in(table: Table, fighter: Fighter) -> str:
    """The free dash, to where the nearest enemy is in weapon range or least far from it, if none is (R-73)."""
    enemies = [enemy for enemy in table.enemies(fighter) if enemy.standing]
    attack_type = fighter.weapon_in_hand.attack_type
    reach = 1 if attack_type == "melee" else table.weapon_range(fighter)
    if not table.able(fighter) or not table.can_spend_dash(fighter) or not enemies:
        return "pass"
    for enemy in enemies:
        in_range = table.distance(fighter, enemy) <= table.weapon_range(fighter)
        if in_range and table.in_sight(fighter, enemy) and not table.barred_by_charm(fighter, enemy):
            return "pass"
    budget = dash_budget(table, fighter)
    if attack_type == "ranged":
        budget = min(budget, table.squares_of_speed(fighter) // 2 - fighter.squares_moved)

    def gap(offset: tuple[int, int]) -> int:
        there = fighter.space.moved(*offset)
        return max(0, min(distance(there, enemy.space) for enemy in enemies) - reach)

    goals = dash_goals(table, fighter, budget)
    if not goals:
        return "pass"
    best = min(goals, key=lambda offset: (gap(offset), goals[offset], offset[1], offset[0]))
    return f"dash {best[0]},{best[1]}" if gap(best) < gap((0, 0)) else "pass"
