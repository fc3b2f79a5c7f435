"""What a fighter does that is left to itself (the defaults for windows that do not surface)."""

from __future__ import annotations

from .fight import Fight
from .sheet import Fighter

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
