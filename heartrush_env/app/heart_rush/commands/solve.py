"""`heartrush duel solve`: the exact solution of a duel, and how far an agent is from it.

One against two is also solved exactly, for a pair that decides as one player.
"""

from __future__ import annotations

import argparse
import json
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heartrush_agents import load

from heartrush_env.app.cli.arguments import add_decisions, add_game, add_number, add_rules, add_scenario, opened
from heartrush_env.app.cli.terminal import note, progress
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.registry import DEFAULT_GAME

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush
    from heartrush_env.research.duel import Duel
    from heartrush_env.research.full_rules.table import PlayedTable

EXACT = 1e-6  # tolerance of an exact solution under the full rules
FEW = 1_000_000  # solutions with at most this many states are checked by default
SELDOM = 5e-4  # choices with smaller probabilities are not shown
ABOUT = (
    "Computes the exact solution of a duel of two without a map under the rules profile 'plain' or 'levels': its "
    "value, and how often each side should take each stance. Small duels under any other rules, including maneuvers, "
    "are solved by enumerating every course of play. One against two is solved exactly under 'plain', for a pair that "
    "decides as one player."
)
EXAMPLES = """examples:
  heartrush duel solve duel --rule profile=plain
  heartrush duel solve mirror_duel --rule profile=plain --exploit uniform
  heartrush duel solve my_duel.toml --rule profile=plain --out my_duel.npz --json
  heartrush duel solve duel --rule profile=levels --checkpoint duel.part --out duel.npz
  heartrush duel solve duel --rule profile=plain --rule edition=classic
  heartrush duel solve examples/small_brawl.toml                 # full rules, small dice: every maneuver
  heartrush duel solve ambush.toml --rule profile=plain          # one against two
  heartrush duel solve my_beats.toml --game GAME                 # a duel in beats"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_scenario(parser, None)
    add_game(parser)
    add_rules(parser)
    add_decisions(parser)
    parser.add_argument("--exploit", metavar="AGENT", help="also measure how far this agent can be exploited")
    parser.add_argument("--check", action="store_true", help="verify the solution by best responses, whatever its size")
    parser.add_argument("--checkpoint", metavar="FILE", help="save progress to a file, and resume from it")
    parser.add_argument("--memory", metavar="GB", type=_gigabytes, help="memory limit of the solution")
    parser.add_argument("--out", metavar="FILE", help="write the solution to a file")
    add_number(parser, "--rounds", "full rules: number of rounds to solve")
    add_number(parser, "--positions", "full rules: most positions (default: 200000)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _gigabytes(text: str) -> int:
    return int(float(text) * 2**30)


def run(arguments: argparse.Namespace) -> int:
    """Solve the game and print the result."""
    from heartrush_env.games.heart_rush.game import as_heart_rush  # loads compiled code, so only when needed
    from heartrush_env.research import duel
    from heartrush_env.research.full_rules import graph

    out = arguments.out
    if out is not None and not Path(out).absolute().parent.is_dir():
        raise HeartRushError(f"--out {out}: expected an existing folder, got {Path(out).parent}.")
    if arguments.game != DEFAULT_GAME:
        found, text = _beats(opened(arguments), arguments)
        print(json.dumps(found) if arguments.json else text)
        return 0
    game = as_heart_rush(opened(arguments, decisions=arguments.decisions, memory=0))
    teams = [sheet.team for sheet in game.scenario.fighters]
    solver = _duel
    if sorted(teams.count(team) for team in set(teams)) == [1, 2]:
        solver = _one_against_two
    elif not game.edition.turns and duel.why_unsupported(game) is not None and graph.why_unsupported(game) is None:
        solver = _by_play
    found, text = solver(game, arguments)
    print(json.dumps(found) if arguments.json else text)
    return 0


def _refuse(arguments: argparse.Namespace, options: tuple[str, ...], expected: str, game: Game, kind: str) -> None:
    """Raise an error if one of these options is given, because they do not apply to this kind of game."""
    for option in options:
        if getattr(arguments, option):
            raise HeartRushError(f"--{option}: expected {expected}, got {game.scenario_name!r}, which is {kind}.")


def _head(game: HeartRush, label: str) -> dict[str, Any]:
    """Return the facts about a solution, including whether it is exact."""
    return {
        "scenario": game.scenario_name,
        "digest": game.scenario.digest,
        "decisions": game.decisions,
        "label": label,
    }


def _as_text(found: dict[str, Any], size: str, proof: str, window: str = "first round") -> list[str]:
    """Return the lines common to all solutions: the size, the value with its proof, the mixes in the first window."""
    first = next(iter(found["mixes"]))
    return [
        f"{found['scenario']}: {size}, decisions {found['decisions']}",
        f"Value {round(found['value'], 6) + 0.0:+.6f} for {first}: P(win) - P(loss){proof}",
        "",
        f"in the {window}",
        *(f"{side:<20}{_mix_text(mix)}" for side, mix in found["mixes"].items()),
    ]


def _mix_text(mix: dict[str, float]) -> str:
    """Format one side's mix as text, the most frequent choice first; choices that look equal keep their order."""
    often = [(round(100 * share, 1), choice) for choice, share in mix.items() if share > SELDOM]
    often.sort(key=lambda part: -part[0])
    return ", ".join(f"{choice} {share:.1f} %" for share, choice in often)


# -- duels -------------------------------------------------------------------------------------------------------------


def _duel(game: HeartRush, arguments: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Solve a duel, classic or not, and return the result as data and as text."""
    from heartrush_env.research.analysis.benchmark_quality import warnings_of
    from heartrush_env.research.best_response import (
        exploitability,
        head_to_head,
        read_policies,
        report_nothing,
        solved_policies,
    )
    from heartrush_env.research.classic.solve import read_classic, solve_classic
    from heartrush_env.research.classic.turns import ANSWER
    from heartrush_env.research.duel import supported, why_unsupported
    from heartrush_env.research.query import refuse_memory
    from heartrush_env.research.solve import MEMORY, read_duel, solve
    from heartrush_env.research.tablebase import bytes_needed

    classic = game.edition.turns
    if classic:
        _refuse(arguments, ("checkpoint", "out"), "a duel of June 2025", game, "classic")
    else:
        supported(game, why_unsupported)
    agent = None if arguments.exploit is None else load(arguments.exploit)
    if agent is not None:
        refuse_memory(agent.seat(game), game)
    duel: Any = read_classic(game) if classic else read_duel(game)
    memory, start = MEMORY if arguments.memory is None else arguments.memory, duel.state
    table: Any
    engaged: Any
    found: dict[str, Any] = {**_head(game, "exact"), "states": duel.states}
    if classic:
        table = solve_classic(game, memory=memory)
        engaged, back = table.engagement(0, True), rounds_back
        found["acting_first"] = table.acting_first
        found["engages"] = {
            seat: bool(table.engages[(-1, number, ANSWER, *duel.start)]) for number, seat in enumerate(game.agents)
        }
    else:
        note(f"{duel.states} states take {bytes_needed(duel, None) / 2**20:.0f} MB")
        table = solve(
            game, lambda done, total: progress(done, total, "parts"), memory=memory, checkpoint=arguments.checkpoint
        )
        engaged, back = table, report_nothing
    checked = arguments.check or duel.states <= FEW
    found |= {
        "rounds": table.rounds,
        "value": table.value,
        "fatigue_rounds": duel.fatigue,
        "cap_bound": table.cap_bound,
        "certificate": table.certificate,
        "nash_conv": exploitability(table, progress=back).nash_conv if checked else None,
        "mixes": {
            seat: dict(zip(STANCES, engaged.mix(number, start).tolist(), strict=True))
            for number, seat in enumerate(game.agents)
        },
        "warnings": None if classic or game.scenario.settings.levels else warnings_of(table),
    }
    if agent is not None:
        if classic:
            note(back_from_the_cap(agent.id, duel))
        policies, solved = read_policies(agent.seat(game), table), solved_policies(table)
        gained = exploitability(table, policies, progress=back)
        pairs = ((policies[0], solved[1]), (solved[0], policies[1]))
        first, second = (head_to_head(*pair, table.rounds, progress=back) for pair in pairs)
        found["exploited"] = {
            "agent": agent.id,
            "gains": dict(zip(game.agents, gained.gains, strict=True)),
            "nash_conv": gained.nash_conv,
            "against_the_solution": dict(zip(game.agents, (first - table.value, table.value - second), strict=True)),
        }
    if arguments.out is not None:
        table.save(arguments.out)
    return found, _duel_text(found)


def back_from_the_cap(id: str, duel: Duel) -> str:
    """Return the notice printed before a best response to an agent in a classic duel is computed."""
    return (
        f"Best responses to {id}: {duel.states} states, for each seat up to {duel.max_rounds} rounds back from the cap."
    )


def rounds_back(done: int, total: int) -> None:
    """Show how many rounds have been processed, counting back from the cap."""
    progress(done, total, "rounds")


def cap_text(found: dict[str, Any]) -> str:
    """Describe the effect on a solution of the round cap, and of fatigue if it matters, without a full stop."""
    if found["rounds"] is not None:
        return f"Solved with its cap of {found['rounds']} rounds"
    what = "The round cap changes" if found["fatigue_rounds"] is None else "The round cap and fatigue change"
    return f"{what} that by at most {found['cap_bound']:.1g}"


def _duel_text(found: dict[str, Any]) -> str:
    """Format the solution of a duel as text."""
    proof = f"No choice in any one round gains more than {found['certificate']:.1g}; --check computes best responses."
    if found["nash_conv"] is not None:
        proof = f"Best responses gain {max(0.0, found['nash_conv']):.1g} against both sides together"
        if found["fatigue_rounds"] is not None:  # twice the cap bound: once for each side
            proof += f", and at most {2 * found['cap_bound']:.1g} more if they count rounds"
        proof += "."
    lines = _as_text(found, f"{found['states']} states", f". {cap_text(found)}.")
    lines.insert(2, proof)
    lines += [line for warning in found["warnings"] or [] for line in ("", f"Warning: {warning}")]
    lines += _exploited_text(found)
    if "engages" in found:
        will = [f"{seat} engages" if engages else f"{seat} passes" for seat, engages in found["engages"].items()]
        lines += ["", f"In the first round {' and '.join(will)}; acting first is worth nothing."]
    return "\n".join(lines)


def _exploited_text(found: dict[str, Any]) -> list[str]:
    """Return lines about what an agent loses, if one was measured."""
    if "exploited" not in found:
        return []
    exploited = found["exploited"]
    lines = ["", f"{exploited['agent']}: NashConv {exploited['nash_conv']:.4f}"]
    for seat, gain in exploited["gains"].items():
        against = exploited["against_the_solution"][seat]
        lines.append(f"  as {seat}: loses {gain:.4f} to a best response, {max(0.0, -against):.4f} to the solution")
    return lines


# -- duels in beats of another game ------------------------------------------------------------------------------------


def _beats(game: Game, arguments: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Solve a duel in beats, and return the result as data and as text."""
    from heartrush_env.research.beats.figures import CHOICES, read_duel
    from heartrush_env.research.beats.reading import read_policy, refuse_unread
    from heartrush_env.research.beats.solve import gains, solve, value_of

    options = ("check", "checkpoint", "memory", "rounds", "positions")
    _refuse(arguments, options, "a duel of Heart Rush", game, f"a scenario of {game.name}")
    duel, agent = read_duel(game), None if arguments.exploit is None else load(arguments.exploit)
    if agent is not None:
        refuse_unread(agent.id, agent.seat, game)
    table = solve(duel)
    first, second = table.policy(0), table.policy(1)
    found: dict[str, Any] = {
        "scenario": game.scenario_name,
        "digest": game.scenario_digest,
        "decisions": "full",
        "label": "exact",
        "states": int(table.values[1:, ..., 1:, 1:].size),
        "rounds": table.duel.beats,
        "value": table.value,
        "nash_conv": sum(gains(table, first, second)),
        "mixes": {
            seat: dict(zip(CHOICES, mix.tolist(), strict=True))
            for seat, mix in zip(game.agents, table.first_mixes, strict=True)
        },
    }
    if agent is not None:
        played = [read_policy(agent.seat(game), game, seat) for seat in (0, 1)]
        lost = gains(table, played[0], played[1])
        against = (
            value_of(table.duel, played[0], second) - table.value,
            table.value - value_of(table.duel, first, played[1]),
        )
        found["exploited"] = {
            "agent": agent.id,
            "gains": dict(zip(game.agents, lost, strict=True)),
            "nash_conv": sum(lost),
            "against_the_solution": dict(zip(game.agents, against, strict=True)),
        }
    if arguments.out is not None:
        table.save(arguments.out)
    lines = _as_text(found, f"{found['states']} states", f". {cap_text(found)}.", "first beat")
    lines.insert(2, f"Best responses gain {max(0.0, found['nash_conv']):.1g} against both sides together.")
    return found, "\n".join([*lines, *_exploited_text(found)])


# -- small duels under any rules ---------------------------------------------------------------------------------------


def _by_play(game: HeartRush, arguments: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Solve a game by enumerating every course of play, and return the result as data and as text."""
    from heartrush_env.research.full_rules.graph import MAX_POSITIONS
    from heartrush_env.research.full_rules.solve import solve_by_play

    wanted, kind = "a duel under the profile 'plain' or 'levels'", "solved by enumerating every course of play"
    _refuse(arguments, ("exploit", "check", "checkpoint", "memory"), wanted, game, kind)
    table = solve_by_play(
        game,
        lambda done, total: progress(done, total, "positions"),
        rounds=arguments.rounds,
        max_positions=arguments.positions or MAX_POSITIONS,
    )
    if arguments.out is not None:
        table.save(arguments.out)
    exact = table.gap <= EXACT
    found = {
        **_head(game, "exact" if exact else "bounded"),
        "positions": len(table.graph.words),
        "windows": table.graph.steps,
        "seconds": round(table.seconds, 2),
        "rounds": table.rounds,
        "value": table.value,
        "least": table.least,
        "best": table.best,
        "gap": table.gap,
        "window": table.window(table.place()),
        "mixes": dict(zip(game.agents, table.opening(), strict=True)),
        "beaten": _when_beaten(table),
    }
    size = f"{found['positions']} positions, {found['windows']} windows played, {found['seconds']:.1f} s"
    proof = f", proven to {table.gap:.1g}."
    if not exact:
        proof = f", surely from {table.least:+.4f} to {table.best:+.4f}. "
        proof += f"Only {table.rounds} rounds are solved; later ones are left open."
    lines = _as_text(found, size, proof, f"first window ({found['window']})")
    if found["beaten"]:
        lines += ["", "when its stance beats the other's, in the first round"]
    for case in found["beaten"]:
        mine, theirs = (stance for _, stance in sorted(case["stances"].items(), key=lambda it: it[0] != case["agent"]))
        lines.append(f"{case['agent']:<20}{f'{mine} against {theirs}: ':<28}{_mix_text(case['mix'])}")
    return found, "\n".join(lines)


def _when_beaten(table: PlayedTable) -> list[dict[str, Any]]:
    """Return the mix of attack and maneuvers for each first-round case in which a side's stance beats the other's."""
    from heartrush_env.games.heart_rush.rules.stances import table_of_beats

    beats = table_of_beats(table.game.scenario.settings)
    place = table.place()
    while table.window(place) == "action":
        place = table.follow(place, "pass", "pass")[0][1]
    found = []
    for (i, mine), (j, theirs) in product(enumerate(STANCES), repeat=2) if table.window(place) == "stance" else ():
        led = table.follow(place, f"stance {mine}", f"stance {theirs}")
        for seat, beaten in ((0, beats[i, j]), (1, beats[j, i])):
            if beaten and led and table.window(led[0][1]) == "attack":
                stances = dict(zip(table.game.agents, (mine, theirs), strict=True))
                mix = table.mix(seat, led[0][1])
                found.append({"agent": table.game.agents[seat], "stances": stances, "mix": mix})
    return found


# -- one against two ---------------------------------------------------------------------------------------------------


def _one_against_two(game: HeartRush, arguments: argparse.Namespace) -> tuple[dict[str, Any], str]:
    """Solve one against two exactly, and return the result as data and as text."""
    from heartrush_env.research.teams.one_v_two import MEMORY, solve_team

    options = ("exploit", "check", "checkpoint", "out")
    _refuse(arguments, options, "a duel of two fighters", game, "one against two")
    table = solve_team(game, memory=MEMORY if arguments.memory is None else arguments.memory)
    fight = table.fight
    start: Any = (*fight.hp, *(ladder[-1] for ladder in fight.hearts))
    solo, first, second = (game.agents[place] for place in fight.seats)
    mix, joint = table.mixes(start)
    found = {
        **_head(game, "exact"),
        "states": fight.states,
        "rounds": table.rounds,
        "solo": solo,
        "pair": [first, second],
        "value": table.value,
        "certificate": table.certificate,
        "helped": [seat for seat, helped in zip((first, second), table.helps(start), strict=True) if helped],
        "mixes": {
            solo: dict(zip(STANCES, mix.tolist(), strict=True)),
            f"{first}+{second}": {
                f"{one}+{two}": float(joint[i, j])
                for (i, one), (j, two) in product(enumerate(STANCES), enumerate(STANCES))
            },
        },
    }
    size = f"{solo} against {first} and {second}, who decide as one, {fight.states} states"
    proof = f", exact to {table.certificate:.0e} a round without the cap of {fight.max_rounds} rounds."
    return found, "\n".join(_as_text(found, size, proof))
