"""`heartrush list enemies`: lists the enemies with characters, and describes their levels and dials."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping
from typing import Any

from heartrush_agents import load
from heartrush_agents.registry import characters

from heartrush_env.app.cli.terminal import table
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.validate import look_up, unknown_name

WIDTH = 100  # columns of a character's text


def described() -> dict[str, dict[str, Any]]:
    """Return everything about the enemies with characters, by id, as JSON-able data."""
    return {
        id: {
            "name": each.name,
            "says": each.says,
            "text": each.text,
            "dials": each.dials._asdict(),
            "prey": {word: weight for word, weight in each.prey._asdict().items() if weight},
            "taste": dict(each.taste),
            "levels": {
                name: {
                    "mistakes": level.difficulty.mistakes,
                    "guile": level.arguments.get("guile", each.dials.guile),
                    "wins": list(level.against["habits"]) if "habits" in level.against else None,
                }
                for name, level in load(id).levels.items()
            },
        }
        for id, each in characters().items()
    }


def show_enemies(name: str | None, *, as_json: bool) -> None:
    """Print the list of enemies, or describe the one with this id or name."""
    known = described()
    wanted = None if name is None else which(name, known)
    if as_json:
        print(json.dumps({"enemies": known} if wanted is None else known[wanted], indent=1))
    elif wanted is None:
        rows = [[id, each["name"], "1 to 10", each["says"]] for id, each in known.items()]
        print("\n".join(table(("enemy", "name", "levels", "description"), rows)))
        print("Dials from 0 to 1: aggression, caution, guile, loyalty. heartrush list enemies berserker tells more.")
        print("heartrush play duel --enemy berserker@7,guile=0.2 sets a level from 1 to 10 and a dial.")
    else:
        print("\n".join(portrait(wanted, known[wanted])))


def which(given: str, known: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the id of the character with this id or printed name, in any spelling."""
    ids = {name: id for id, each in known.items() for name in (id, each["name"])}
    found = look_up(given, ids)
    if found is None:
        raise HeartRushError(f"enemies: {unknown_name('character', given, known)}.")
    return ids[found]


def portrait(id: str, enemy: dict[str, Any]) -> list[str]:
    """Describe one enemy in readable lines."""
    meanings = load(id).arguments
    lines = [f"{enemy['name']} ({id})", enemy["says"], "", *textwrap.wrap(enemy["text"], WIDTH), ""]
    lines += [f"  {name:<11} {value:<5g} {meanings[name].meaning}" for name, value in enemy["dials"].items()]
    levels = enemy["levels"].items()
    shares = [f"{name}: {level['wins'][0]:.0f} %" for name, level in levels if level["wins"]]
    lines += ["", f"  wins by level against the panel of habits: {', '.join(shares)}"] if shares else []
    return lines
