"""`heartrush check`: checks the fighters of a file against the creation rules, and lists what they may take next."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from textwrap import wrap
from typing import Any

from heartrush_env.app.cli.arguments import add_number
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import abilities
from heartrush_env.games.heart_rush.scenario.advancement import Purchase, purchases
from heartrush_env.games.heart_rush.scenario.creation import (
    CHARACTER,
    POINTS,
    Finding,
    Report,
    character_report,
    is_monster,
    monster_report,
)
from heartrush_env.games.heart_rush.scenario.homebrew import (
    ABILITY,
    Homebrew,
    declarations_in,
    table_of,
    with_homebrew,
)
from heartrush_env.games.heart_rush.scenario.load import load_scenario, written_fighters
from heartrush_env.games.heart_rush.scenario.stat_blocks import FIGHTER, checked, completed, read_sheet
from heartrush_env.tabletop.scenario.reading import parsed, text_of
from heartrush_env.tabletop.text import escaped

LINE_WIDTH = 100  # characters of a line of purchases
BEYOND = 1  # exit code if a figure is beyond the rules

ABOUT = (
    "Checks the fighters of a scenario, a sheet or a list of fighters against the creation rules: characters against "
    "the prices of experience, monsters against the ranges of their tier. Figures beyond the "
    f"rules still play. The exit code is {BEYOND} if there are any. A file of homebrew abilities is checked, too."
)
EXAMPLES = """examples:
  heartrush check my_fight.toml
  heartrush check grim.txt --xp 30
  heartrush check grim.txt --xp 50 --next
  heartrush check party.toml --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", metavar="FILE", help="a scenario, a sheet, or [[fighter]] or [[ability]] tables")
    add_number(parser, "--xp", "experience points of each character (default: those it needs)", least=0)
    parser.add_argument("--next", action="store_true", help="list what each character may take next, and its cost")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print a report on each fighter, or on each homebrew ability of a file that holds only these."""
    declared = _declared_in(Path(arguments.file))
    if declared is not None:
        return _tell_abilities(declared, as_json=arguments.json)
    tables, plays = _fighters_in(arguments.file)
    reports = {name: _report(table, arguments.xp) for name, table in tables.items()}
    beyond = sum(not report.legal for report in reports.values())
    coming = {
        name: purchases(table, reports[name].xp)
        for name, table in tables.items()
        if arguments.next and reports[name].kind == CHARACTER
    }
    if arguments.json:
        print(json.dumps({name: _as_data(report, coming.get(name)) for name, report in reports.items()}, indent=1))
        return BEYOND if beyond else 0
    for name, report in reports.items():
        print(escaped(f"{name}: a {report.kind}"))
        for finding in report.findings:
            print(escaped(f"  {'beyond' if finding.beyond else 'ok':<7} {finding.text}"))
        print(f"  {report.summary}")
        for line in _next_lines(coming.get(name, []), report.xp - report.spent):
            print(escaped(f"  {line}"))
        print()
    said = f"{beyond} of {len(reports)} beyond the creation rules" if beyond else "All within the creation rules"
    print(said + ("; the scenario plays." if plays else "."))
    return BEYOND if beyond else 0


def _declared_in(path: Path) -> dict[str, Homebrew] | None:
    """Return the homebrew abilities of a file that holds only these, or None for another file.

    Raises:
        ScenarioError: A declaration has faults; all faults are told.
    """
    held = parsed(text_of(path, "a scenario or a sheet"), str(path)) if path.suffix == ".toml" else {}
    if held.keys() != {ABILITY} or not isinstance(held[ABILITY], list):
        return None
    return declarations_in(path)


def _tell_abilities(declared: Mapping[str, Homebrew], *, as_json: bool) -> int:
    """Print homebrew abilities without faults."""
    if as_json:
        print(json.dumps({id: table_of(made) for id, made in declared.items()}, indent=1))
        return 0
    for id, made in declared.items():
        print(escaped(f"{id}: {made.name} ({made.how}): {made.effect}"))
    print("Fights play all of them.")
    return 0


def _as_data(report: Report, coming: list[Purchase] | None) -> dict[str, Any]:
    """Return a report as data for JSON, with the purchases that a character may make next if they are asked for."""
    data = {**asdict(report), "legal": report.legal}
    if coming is not None:
        data["next"] = [{"kind": kind, "name": name, "cost": cost} for kind, name, cost, _ in coming]
    return data


def _next_lines(coming: list[Purchase], left: int) -> Iterator[str]:
    """Yield the purchases that a character may make next, as one line for each kind and cost."""
    names: dict[tuple[str, int], list[str]] = {}
    for purchase in coming:
        names.setdefault((purchase.kind, purchase.cost), []).append(purchase.name)
    if coming:
        yield f"Next, with {left} {POINTS} left:"
    for (kind, cost), listed in sorted(names.items(), key=lambda item: item[0][1]):
        price = "free" if cost == 0 else str(cost) if cost <= left else f"{cost}, {cost - left} short"
        yield from wrap(
            f"{kind} ({price}): {', '.join(listed)}", LINE_WIDTH, initial_indent="  ", subsequent_indent="    "
        )


def _fighters_in(file: str) -> tuple[dict[str, dict[str, Any]], bool]:
    """Return the file's fighters by name, with all defaults filled in, and whether they form a playable scenario."""
    path = Path(file)
    whole = parsed(text_of(path, "a scenario or a sheet"), file) if path.suffix == ".toml" else {}
    held = whole.get(FIGHTER)
    if not isinstance(held, list):
        sheet = read_sheet(path)
        return {sheet["id"]: _priced(completed(sheet))}, False
    if not any(isinstance(one, Mapping) and "team" in one for one in held):
        declared = {ABILITY: with_homebrew(whole, path.parent, file).get(ABILITY, [])}
        sheets = [
            checked({**one, **declared} if isinstance(one, Mapping) else one, f"{file}, fighter {number}")
            for number, one in enumerate(held, start=1)
        ]
        return {f"{sheet['id']}_{number}": _priced(completed(sheet)) for number, sheet in enumerate(sheets)}, False
    agents = [fighter.agent for fighter in load_scenario(path).fighters]
    tables = [_priced(completed(fighter)) for fighter in written_fighters(path)]
    return dict(zip(agents, tables, strict=True)), True


def _priced(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a fighter with its homebrew abilities under a key of their own, since the creation rules know none."""
    shipped = [id for id in table["abilities"] if id in abilities()]
    return {**table, "abilities": shipped, "homebrew": [id for id in table["abilities"] if id not in abilities()]}


def _report(table: Mapping[str, Any], xp: int | None) -> Report:
    """Return the report on one fighter."""
    tier = _tier(table)
    report = monster_report(table, tier) if tier or is_monster(table) else character_report(table, xp)
    homebrew = [Finding(False, f"{id!r} is homebrew, which has no price") for id in table.get("homebrew", ())]
    return replace(report, findings=(*report.findings, *homebrew))


def _tier(table: Mapping[str, Any]) -> str:
    """Return the tier given by a fighter's template, role or stat line, or an empty string."""
    if "template" in table:
        return str(table["template"])
    role = table.get("role") or (catalog.role(table["from"]) if "from" in table else "")
    first = role.partition(",")[0].strip()
    return first if first in catalog.tiers() else ""
