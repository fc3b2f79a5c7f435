"""A fight in public facts, in one line, and as a picture in text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from heartrush_env.games.heretics.scenario.sheets import Battlefield
from heartrush_env.games.heretics.terms import ABLE, CONDITIONS, POOLS, STATUSES, WINDOWS
from heartrush_env.games.heretics.weapons import ITEMS, NO_ITEM


def describe(fight: Any, names: Sequence[str], sides: Sequence[str], field: Battlefield | None) -> dict[str, Any]:
    """Return the public facts of a fight, JSON-able."""
    shown = [_fighter(name, fighter, sides, field) for name, fighter in zip(names, fight.fighters, strict=False)]
    ground = [
        {"item": ITEMS[lying.thing], **({"at": [int(lying.column), int(lying.row)]} if field else {})}
        for lying in fight.lying[: int(fight.lying_count)]
    ]
    return {
        "round": int(fight.round_number),
        "window": WINDOWS[fight.window].name,
        "side": sides[fight.side],
        "requests": [side for side, held in zip(sides, fight.requests, strict=True) if held],
        "fighters": shown,
        "lying": ground,
        **({"map": list(field.rows)} if field else {}),
    }


def _fighter(name: str, fighter: Any, sides: Sequence[str], field: Battlefield | None) -> dict[str, Any]:
    return {
        "fighter": name,
        "side": sides[fighter.team],
        "hp": int(fighter.hp),
        "hp_max": int(fighter.hp_max),
        "status": STATUSES[fighter.status],
        "conditions": [word for k, word in enumerate(CONDITIONS) if fighter.afflicted >> k & 1],
        "held": None if fighter.held == NO_ITEM else ITEMS[fighter.held],
        "shield": bool(fighter.shield),
        "inventory": [None if item == NO_ITEM else ITEMS[item] for item in fighter.inventory.tolist()],
        "left": {pool: int(fighter.left[k]) for k, pool in enumerate(POOLS)},
        **({"at": [int(fighter.x), int(fighter.y)]} if field else {}),
    }


def in_one_line(fight: Any, names: Sequence[str]) -> str:
    """Return a fight in one line."""
    parts = [f"round {int(fight.round_number)} {WINDOWS[fight.window].name}"]
    for name, fighter in zip(names, fight.fighters, strict=False):
        state = f"hp{int(fighter.hp)}" if fighter.status == ABLE else STATUSES[fighter.status]
        where = f"@{int(fighter.x)},{int(fighter.y)}" if "x" in fighter.dtype.names else ""
        parts.append(f"{name} {state}{where}")
    return " | ".join(parts)


def picture(view: Mapping[str, Any]) -> str:
    """Return a fight as lines of text: the map with a letter for each able fighter, then a line for each fighter."""
    lines = [f"round {view['round']}, {view['window'].replace('_', ' ')}, {view['side']} acts"]
    marks = dict(zip([shown["fighter"] for shown in view["fighters"]], ascii_uppercase, strict=False))
    if "map" in view:
        rows = [list(row) for row in view["map"]]
        for shown in view["fighters"]:
            if shown["status"] == "able":
                x, y = shown["at"]
                rows[y][x] = marks[shown["fighter"]]
        lines += ["".join(row) for row in rows]
    for shown in view["fighters"]:
        held = [shown["held"] or "", "shield" if shown["shield"] else "", *shown["conditions"]]
        state = [shown["status"].replace("_", " ")] if shown["status"] != "able" else []
        words = " ".join(filter(None, [*held, *state])).replace("_", " ")
        name, hp = shown["fighter"], f"{shown['hp']}/{shown['hp_max']}"
        lines.append(f"{marks[name]} {name:<18} {hp:>5}  {words}".rstrip())
    return "\n".join(lines)
