"""`heartrush solve`: the exact solution of a duel, and how far an agent is from it."""

from __future__ import annotations

import argparse
import json
from typing import Any

from heartrush_agents import load

from heartrush_env.cli.arguments import add_rules, add_scenario, read_rules
from heartrush_env.cli.fight import compile_note
from heartrush_env.cli.terminal import note, progress
from heartrush_env.heart_rush.rules.terms import STANCES

FEW = 1_000_000  # states that are checked unasked
EXAMPLES = """examples:
  heartrush solve duel --rule profile=plain
  heartrush solve mirror_duel --rule profile=plain --exploit uniform
  heartrush solve my_duel.toml --rule profile=plain --out my_duel.npz --json
  heartrush solve duel --rule profile=levels --checkpoint duel.part --out duel.npz"""


def add_command(commands: Any) -> None:
    """Add `solve` to the command line."""
    parser = commands.add_parser(
        "solve",
        help="the exact value and mixes of a duel",
        description="The exact solution of a duel of two without a map, under the rules profile 'plain' or 'levels': "
        "what it is worth, and how often each side should take each stance.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_scenario(parser)
    add_rules(parser)
    parser.add_argument("--decisions", choices=("full", "stance"), default="full", help="what fighters decide")
    parser.add_argument("--exploit", metavar="AGENT", help="how much the best answer to this agent gains")
    parser.add_argument("--check", action="store_true", help="answer the solution best, however many states it has")
    parser.add_argument("--checkpoint", metavar="FILE", help="keep what is solved in a file, and go on from there")
    parser.add_argument("--memory", metavar="GB", type=_gigabytes, help="what the solution may take")
    parser.add_argument("--out", metavar="FILE", help="write the solution into a file")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Solve, and print what was found."""
    from heartrush_env.heart_rush.game import HeartRush  # with compiled code, which is loaded when it is needed
    from heartrush_env.solver.outcomes import read_duel
    from heartrush_env.solver.responses import exploitability, head_to_head, read_policies, solved_policies
    from heartrush_env.solver.solve import MEMORY, solve
    from heartrush_env.solver.tablebase import bytes_needed

    game = HeartRush(arguments.scenario, read_rules(arguments.rule), decisions=arguments.decisions, memory=0)
    agent = None if arguments.exploit is None else load(arguments.exploit)
    compile_note()
    duel = read_duel(game)
    note(f"{duel.states} states take {bytes_needed(duel, None) / 2**20:.0f} MB")
    table = solve(
        game,
        lambda done, total: progress(done, total, "parts"),
        memory=MEMORY if arguments.memory is None else arguments.memory,
        checkpoint=arguments.checkpoint,
    )
    checked = arguments.check or duel.states <= FEW
    start = state_of(duel)
    found: dict[str, Any] = {
        "scenario": game.scenario_name,
        "digest": game.scenario.digest,
        "decisions": game.decisions,
        "states": duel.states,
        "rounds": table.rounds,
        "value": table.value,
        "cap_bound": table.cap_bound,
        "certificate": table.certificate,
        "nash_conv": exploitability(table).nash_conv if checked else None,
        "mixes": {
            seat: dict(zip(STANCES, table.mix(number, start).tolist(), strict=True))
            for number, seat in enumerate(game.agents)
        },
    }
    if agent is not None:
        policies, solved = read_policies(agent.seat(game), table), solved_policies(table)
        gained = exploitability(table, policies)
        found["exploited"] = {
            "agent": agent.id,
            "gains": dict(zip(game.agents, gained.gains, strict=True)),
            "nash_conv": gained.nash_conv,
            "against_the_solution": {
                game.agents[0]: head_to_head(policies[0], solved[1], table.rounds) - table.value,
                game.agents[1]: table.value - head_to_head(solved[0], policies[1], table.rounds),
            },
        }
    if arguments.out is not None:
        table.save(arguments.out)
    print(json.dumps(found) if arguments.json else as_text(found))
    return 0


def state_of(duel: Any) -> Any:
    """The state in which a duel begins: hit points, hearts, and levels where it has them."""
    plain = (*duel.hp, duel.hearts[0][-1], duel.hearts[1][-1])
    if not duel.game.scenario.settings.levels:
        return plain
    return (*plain, *(tuple(duel.vectors[side][duel.begins[side]].tolist()) for side in (0, 1)))


def _gigabytes(text: str) -> int:
    return int(float(text) * 2**30)


def as_text(found: dict[str, Any]) -> str:
    """The solution for people."""
    first, second = found["mixes"]
    cap = (
        f"The round cap changes that by at most {found['cap_bound']:.1g}."
        if found["rounds"] is None
        else f"Solved with its cap of {found['rounds']} rounds."
    )
    lines = [
        f"{found['scenario']}: {found['states']} states, decisions {found['decisions']}",
        f"Worth {found['value']:+.4f} to {first}: its chance to win less that of {second}. {cap}",
        f"Best answers gain {max(0.0, found['nash_conv']):.1g} against both sides together."
        if found["nash_conv"] is not None
        else f"No choice in any one round gains more than {found['certificate']:.1g}; --check answers it best.",
        "",
        f"{'in the first round':<20}" + "".join(f"{stance:>11}" for stance in STANCES),
    ]
    for seat, mix in found["mixes"].items():
        lines.append(f"{seat:<20}" + "".join(f"{100 * mix[stance]:>9.1f} %" for stance in STANCES))
    if "exploited" in found:
        exploited = found["exploited"]
        lines += ["", f"{exploited['agent']}: NashConv {exploited['nash_conv']:.4f}"]
        for seat, gain in exploited["gains"].items():
            against = exploited["against_the_solution"][seat]
            lines.append(f"  as {seat}: loses {gain:.4f} to a best answer, {max(0.0, -against):.4f} to the solution")
    return "\n".join(lines)
