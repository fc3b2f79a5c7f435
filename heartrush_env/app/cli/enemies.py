"""`heartrush enemies`: lists the enemies with characters, and describes their levels and dials."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Mapping
from typing import Any

from heartrush_agents.roster import CHARACTERS

from heartrush_env.app.cli.listings import table
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.validate import look_up, unknown_name

WIDTH = 100  # columns of a character's text

EXAMPLES = """examples:
  heartrush enemies
  heartrush enemies berserker
  heartrush play duel --enemy berserker@7
  heartrush play skirmish --enemy wolf_pack@5,loyalty=0.2"""


def add_command(commands: Any) -> None:
    """Add `enemies` to the command line."""
    parser = commands.add_parser(
        "enemies",
        help="list the enemies with characters, or describe one",
        description="Lists the enemies with characters: names, levels and dials. An id takes a level from 1 to 10 and "
        "dials from 0 to 1: berserker@7, berserker@7,aggression=0.5. `heartrush list agents` lists all agents.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("enemy", nargs="?", metavar="ENEMY", help="the id or the name of one enemy")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def described() -> dict[str, dict[str, Any]]:
    """Return everything about the enemies with characters, by id, as JSON-able data."""
    return {
        each.ENEMY.id: {
            "name": each.CHARACTER.name,
            "says": each.CHARACTER.says,
            "text": each.CHARACTER.text,
            "dials": each.CHARACTER.dials._asdict(),
            "prey": {word: weight for word, weight in each.CHARACTER.prey._asdict().items() if weight},
            "taste": dict(each.CHARACTER.taste),
            "levels": {
                name: {
                    "mistakes": level.difficulty.mistakes,
                    "guile": level.arguments.get("guile", each.CHARACTER.dials.guile),
                    "wins": list(level.against["habits"]) if "habits" in level.against else None,
                }
                for name, level in each.ENEMY.levels.items()
            },
        }
        for each in CHARACTERS
    }


def run(arguments: argparse.Namespace) -> int:
    """Print the list, or one enemy."""
    known = described()
    wanted = None if arguments.enemy is None else which(arguments.enemy, known)
    if arguments.json:
        print(json.dumps({"enemies": known} if wanted is None else known[wanted], indent=1))
    elif wanted is None:
        rows = [[id, each["name"], "1 to 10", each["says"]] for id, each in known.items()]
        print("\n".join(table(("enemy", "name", "levels", "description"), rows)))
        print("Dials from 0 to 1: aggression, caution, guile, loyalty. heartrush enemies berserker tells more.")
    else:
        print("\n".join(portrait(wanted, known[wanted])))
    return 0


def which(given: str, known: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the id of the character with this id or printed name, in any spelling."""
    ids = {name: id for id, each in known.items() for name in (id, each["name"])}
    found = look_up(given, ids)
    if found is None:
        raise HeartRushError(f"enemies: {unknown_name('character', given, known)}.")
    return ids[found]


def portrait(id: str, enemy: dict[str, Any]) -> list[str]:
    """Describe one enemy in readable lines."""
    meanings = next(each.ENEMY.arguments for each in CHARACTERS if id == each.ENEMY.id)
    lines = [f"{enemy['name']} ({id})", enemy["says"], "", *textwrap.wrap(enemy["text"], WIDTH), ""]
    lines += [f"  {name:<11} {value:<5g} {meanings[name].meaning}" for name, value in enemy["dials"].items()]
    levels = enemy["levels"].items()
    shares = [f"{name}: {level['wins'][0]:.0f} %" for name, level in levels if level["wins"]]
    lines += ["", f"  wins by level against the panel of habits: {', '.join(shares)}"] if shares else []
    return lines
