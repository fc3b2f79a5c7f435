"""`heartrush encounter abilities`: measures what each ability is worth in fights."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from heartrush_env.app.cli.arguments import add_number, add_simulation, seed_of
from heartrush_env.app.cli.terminal import aligned, progress
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import suggestion

if TYPE_CHECKING:
    from heartrush_env.app.heart_rush.encounters.worth import Worth

USUAL_AGENT, USUAL_FIGHTS = "tactician", 100
ABOUT = (
    "Plays the same fights with each ability and without it, and prints how much more often its owner's side wins. Two "
    "equal pairs meet without a map and on a small one, and the owner has a blade and a shield, a maul, or a bow. "
    "Below the table are the abilities that hardly help and those that nearly always win."
)
EXAMPLES = """examples:
  heartrush encounter abilities rage duelist feint
  heartrush encounter abilities -n 500 --markdown
  heartrush encounter abilities rage fury --agent charger --plot worth.png"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("ability", nargs="*", metavar="ABILITY", help="ids of abilities (default: all that are played)")
    add_number(parser, "-n", f"fights of each pair and place (default: {USUAL_FIGHTS})", least=2)
    parser.add_argument("--agent", default=USUAL_AGENT, help=f"agent of both sides (default: {USUAL_AGENT})")
    parser.add_argument("--plot", metavar="FILE", help="write a picture, as .png, .svg or .pdf")
    add_simulation(parser, markdown=True)


def run(arguments: argparse.Namespace) -> int:
    """Play the fights, and print the table."""
    from heartrush_env.app.encounters.amounts import Amount  # loads compiled code, so only when needed
    from heartrush_env.app.heart_rush.encounters.worth import worth_of
    from heartrush_env.games.heart_rush.abilities.all import NUMBERS
    from heartrush_env.research import plots

    for id in arguments.ability:
        if id not in NUMBERS:
            raise HeartRushError(
                f"abilities: expected the id of an ability that fights play, got {show(id)}{suggestion(id, NUMBERS)}."
            )
    if arguments.plot is not None:
        plots.check_picture(arguments.plot)
    amount = Amount(seed_of(arguments), arguments.n or USUAL_FIGHTS, processes=arguments.processes)
    ids = list(dict.fromkeys(arguments.ability)) or list(NUMBERS)
    found, cut = worth_of(ids, arguments.agent, amount, lambda done, total: progress(done, total, "fights"))
    found.sort(key=lambda one: -one.gain.mean)
    if arguments.json:
        print(json.dumps({"interrupted": cut, "abilities": [asdict(one) for one in found]}, indent=1))
    else:
        print("\n".join(table(found, markdown=arguments.markdown)))
        print("\n".join(["", *remarks(found)]))
        print(f"\nBoth sides are played by {arguments.agent}; seed {amount.seed}; 95 % intervals in brackets.")
    if arguments.plot is not None:
        shown = [(name_of(one), one.gain) for one in found]
        plots.write(plots.gains(shown, f"Abilities, both sides played by {arguments.agent}"), arguments.plot)
    return 0


def name_of(one: Worth) -> str:
    """Return the id of an ability, with a star for its destiny version."""
    return one.id + " *" * one.destiny


def table(found: Sequence[Worth], *, markdown: bool) -> list[str]:
    """Return the lines of the table, one row for each version of an ability; gains are in percentage points."""
    from heartrush_env.app.heart_rush.encounters.worth import KITS

    rows = [["ability", "wins", "gain", *(f"with a {kit}" for kit in KITS), "uses", "fights"]]
    for one in found:
        gain = f"{100 * one.gain.mean:+.1f} [{100 * one.gain.low:+.1f}, {100 * one.gain.high:+.1f}]"
        kits = [f"{100 * one.kits[kit]:+.1f}" if kit in one.kits else "-" for kit in KITS]
        rows.append([name_of(one), f"{100 * one.share:.1f} %", gain, *kits, f"{one.uses:.1f}", str(one.fights)])
    if markdown:
        lines = [f"| {' | '.join(row)} |" for row in rows]
        return [lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]
    return aligned(rows, left=1)


def remarks(found: Sequence[Worth]) -> list[str]:
    """Return sentences on the abilities that hardly help and those that nearly always win."""
    little, always, unused = (
        [name_of(one) for one in found if test(one)]
        for test in (lambda one: one.helps_little, lambda one: one.always_wins, _is_never_used)
    )
    return [
        f"{what}: {', '.join(names) or 'none'}."
        for what, names in (
            ("Gain less than 2 points for certain", little),
            ("Win 95 % of fights or more", always),
            ("Never used, although a fighter chooses when to use it", unused),
        )
    ]


def _is_never_used(one: Worth) -> bool:
    """Return whether an ability that its owner may use was used in no fight."""
    from heartrush_env.games.heart_rush.abilities.all import NUMBERS, PLAYED

    return one.uses == 0 and bool(PLAYED[NUMBERS[one.id]].on)
