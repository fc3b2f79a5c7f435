"""`heartrush encounter abilities`: measures what each ability is worth in fights."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from heartrush_env.app.cli.arguments import add_number, add_simulation, read_rules, seed_of
from heartrush_env.app.cli.terminal import aligned, progress
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import suggestion

if TYPE_CHECKING:
    from heartrush_env.app.heart_rush.encounters.worth import Plan, Worth

USUAL_AGENT, USUAL_FIGHTS = "tactician", 60
ABOUT = (
    "Plays the same fights with each ability and without it, and prints how much more often its owner's side wins. Two "
    "equal teams meet without a map and on a small one, and the owner has a blade and a shield, an axe, or a bow, or "
    "what the ability needs. Below the table are the abilities that hardly help and those that nearly always win."
)
EXAMPLES = """examples:
  heartrush encounter abilities rage duelist feint
  heartrush encounter abilities -n 100 --out worth.json --plot worth.png    repeat it to continue after Ctrl-C
  heartrush encounter abilities rage fury --agent charger --markdown"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("ability", nargs="*", metavar="ABILITY", help="ids of abilities (default: all that are played)")
    add_number(parser, "-n", f"fights of each standard fight and side (default: {USUAL_FIGHTS})", least=2)
    parser.add_argument("--agent", default=USUAL_AGENT, help=f"agent of both sides (default: {USUAL_AGENT})")
    parser.add_argument(
        "--no-map", action="store_true", help="play on the map only abilities that need one; these fights are slow"
    )
    parser.add_argument("--out", metavar="FILE", help="write results as they come; a file of results is continued")
    parser.add_argument("--show", metavar="FILE", help="play nothing, and print the results in a file of --out")
    parser.add_argument("--plot", metavar="FILE", help="write a picture, as .png, .svg or .pdf")
    add_simulation(parser, markdown=True)


def run(arguments: argparse.Namespace) -> int:
    """Play the fights, and print the table."""
    from heartrush_env.app.heart_rush.encounters import worth  # loads compiled code, so only when needed
    from heartrush_env.games.heart_rush.abilities.all import NUMBERS
    from heartrush_env.research import plots

    for id in arguments.ability:
        if id not in NUMBERS:
            raise HeartRushError(
                f"abilities: expected the id of an ability that fights play, got {show(id)}{suggestion(id, NUMBERS)}."
            )
    if arguments.plot is not None:
        plots.check_picture(arguments.plot)
    if arguments.show is None:
        fights, rules = arguments.n or USUAL_FIGHTS, read_rules(arguments.rule)
        plan = worth.Plan(arguments.agent, fights, seed_of(arguments), rules, maps=not arguments.no_map)
        found, cut = _measured(arguments, plan)
    else:
        (plan, found), cut = worth.read_results(Path(arguments.show)), False
        found = [one for one in found if one.id in arguments.ability or not arguments.ability]
    found.sort(key=lambda one: -one.gain.mean)
    if arguments.json:
        print(json.dumps({"interrupted": cut, "abilities": [asdict(one) for one in found]}, indent=1))
    else:
        rows = table(found)
        print("\n".join(as_markdown(rows) if arguments.markdown else aligned(rows, left=1)))
        print("\n".join(["", *(f"{what}: {', '.join(names) or 'none'}." for what, names in remarks(found).items())]))
        print(f"\nBoth sides are played by {plan.agent}; seed {plan.seed}; 95 % intervals in brackets.")
    if arguments.plot is not None:
        shown = [(name_of(one), one.gain) for one in found]
        plots.write(plots.gains(shown, f"Abilities, both sides played by {plan.agent}"), arguments.plot)
    return 0


def _measured(arguments: argparse.Namespace, plan: Plan) -> tuple[list[Worth], bool]:
    """Play what is asked for, and return the results and whether Ctrl-C cut the work short."""
    from heartrush_agents.tournament.play import cores

    from heartrush_env.app.heart_rush.encounters import worth
    from heartrush_env.games.heart_rush.abilities.all import NUMBERS

    path = None if arguments.out is None else Path(arguments.out)
    kept = [] if path is None else worth.kept_results(path, plan)

    def each(found: list[Worth], total: int) -> None:
        if path is not None:
            worth.write_results(path, plan, found)
        progress(len(found), total, "abilities")

    ids = list(dict.fromkeys(arguments.ability)) or list(NUMBERS)
    return worth.worth_of(ids, plan, arguments.processes or cores(), kept, each)


def name_of(one: Worth) -> str:
    """Return the id of an ability, with a star for its destiny version."""
    return one.id + " *" * one.destiny


def table(found: Sequence[Worth]) -> list[list[str]]:
    """Return the rows of the table, first its head; gains are in percentage points."""
    from heartrush_env.app.heart_rush.encounters.worth_cases import KITS

    rows = [["ability", "gain", *(f"with {kit}" for kit in KITS), "other kit", "uses", "changed", "fights"]]
    for one in found:
        gain = f"{100 * one.gain.mean:+.1f} [{100 * one.gain.low:+.1f}, {100 * one.gain.high:+.1f}]"
        kits = [f"{100 * one.kits[kit]:+.1f}" if kit in one.kits else "-" for kit in KITS]
        other = ", ".join(kit for kit in one.kits if kit not in KITS) or "-"
        changed = f"{100 * one.changed:.0f} %" if one.changed else "never"
        rows.append([name_of(one), gain, *kits, other, f"{one.uses:.1f}", changed, str(one.fights)])
    return rows


def as_markdown(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table."""
    head, *others = [f"| {' | '.join(row)} |" for row in rows]
    return [head, "|---" * len(rows[0]) + "|", *others]


def remarks(found: Sequence[Worth]) -> dict[str, list[str]]:
    """Return lists of abilities that stand out; what is sure holds for all rows together, in 95 % of such tables."""
    from heartrush_env.app.heart_rush.encounters.worth import ALWAYS_WINS, HELPS_LITTLE, surely

    played = [one for one in found if one.changed]
    little, always = f"{100 * HELPS_LITTLE:.0f} points", f"{100 * ALWAYS_WINS:.0f} %"
    lists = {
        f"Win {always} of fights or more with a kit": [one for one in played if one.always_wins],
        f"Surely gain less than {little}": [one for one in played if surely(found, one)[1] < HELPS_LITTLE],
        "Surely harm their owner": [one for one in played if surely(found, one)[1] < 0],
        "Surely help": [one for one in played if surely(found, one)[0] > 0],
        "Never used in these fights, although a fighter chooses when to use them": [
            one for one in found if _is_never_used(one)
        ],
        "Never changed one of these fights, which say nothing about them": [one for one in found if not one.changed],
    }
    return {what: [name_of(one) for one in those] for what, those in lists.items()}


def _is_never_used(one: Worth) -> bool:
    """Return whether an ability that its owner may use was used in no fight."""
    from heartrush_env.games.heart_rush.abilities.all import NUMBERS, PLAYED

    ability = PLAYED[NUMBERS[one.id]]
    return one.uses == 0 and bool(ability.destined_on if one.destiny else ability.on)
