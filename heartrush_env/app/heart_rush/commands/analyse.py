"""`heartrush duel analyse`: judges a state, an agent or recorded fights by the exact solution of a duel."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from heartrush_agents import available, load, population
from heartrush_agents.base import Player

from heartrush_env.app.cli.arguments import add_decisions, add_number, add_own_game, add_rules, add_scenario, opened
from heartrush_env.app.cli.terminal import progress
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.tabletop.errors import HeartRushError

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush
    from heartrush_env.records import Record
    from heartrush_env.research.analysis.leaks import Leak, Leaks
    from heartrush_env.research.plain.policy import Policy
    from heartrush_env.research.tablebase import State, Tablebase

LEAST_HISTORY = 20  # fewer stances than this show nothing about predictability
GRID = 9  # hit points sampled per side for the picture of mixes
LEAK = ("own_hp", "enemy_hp", "own_heart", "enemy_heart", "rounds", "loss", "regret")
ABOUT = (
    "Solves a duel of two without a map under the rules profile 'plain'. Shows each stance's value in a state, where "
    "an agent loses value, and how lucky and how predictable the fighters of records were. Warns if the duel is a poor "
    "benchmark."
)
EXAMPLES = """examples:
  heartrush duel analyse duel --rule profile=plain
  heartrush duel analyse duel --rule profile=plain --state 12,30,6,10
  heartrush duel analyse duel --rule profile=plain --agent weighted --plots pictures
  heartrush duel analyse duel --rule profile=plain --record duels/*.hrr --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_scenario(parser)
    add_own_game(parser)
    add_rules(parser)
    add_decisions(parser)
    says = "hit points of both fighters, then their heart dice, as in 12,30,6,10 (default: the start)"
    parser.add_argument("--state", type=_state, metavar="HP,HP,HEART,HEART", help=says)
    parser.add_argument("--agent", metavar="AGENT", help="agent whose losses to find; it must have no memory")
    add_number(parser, "--top", "number of states to list", 8)
    parser.add_argument("--record", nargs="+", default=[], metavar="FILE", help="recorded fights of this duel")
    parser.add_argument("--plots", metavar="FOLDER", help="write pictures into this folder, each as PNG, SVG and PDF")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _state(text: str) -> tuple[int, ...]:
    """Parse four whole numbers separated by commas."""
    parts = text.split(",")
    if len(parts) != 4 or not all(part.isascii() and part.isdigit() for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is not a state such as 12,30,6,10")
    return tuple(int(part) for part in parts)


def run(arguments: argparse.Namespace) -> int:
    """Solve the duel and print the analysis."""
    from heartrush_env.games.heart_rush.game import as_heart_rush
    from heartrush_env.records import read_record
    from heartrush_env.research.analysis.benchmark_quality import (
        warnings_of,  # loads compiled code, so only when needed
    )
    from heartrush_env.research.duel import refuse_levels, why_unsupported
    from heartrush_env.research.solve import solve

    game = as_heart_rush(opened(arguments, decisions=arguments.decisions, memory=0))
    if game.on_map or len(game.fighters) != 2:
        raise HeartRushError(f"{game.scenario_name!r} cannot be analysed: {why_unsupported(game)}.")
    refuse_levels(game, "analysed")
    agent = None if arguments.agent is None else load(arguments.agent)
    player = None if agent is None else agent.seat(game)
    records = [_fitting(read_record(file), game) for file in arguments.record]
    folder = None if arguments.plots is None else _folder(arguments.plots)
    table = solve(game, lambda done, total: progress(done, total, "rounds"))
    state = arguments.state or table.duel.state
    found: dict[str, Any] = {
        "scenario": game.scenario_name,
        "digest": game.scenario.digest,
        "decisions": game.decisions,
        "rounds": table.rounds,
        "value": table.value,
        "warnings": warnings_of(table),
        "state": of_state(table, state),
    }
    policies, leaks = None, None
    if agent is not None:
        policies, leaks = read_leaks(table, player)
        found["agent"] = of_agent(agent.id, table, leaks, arguments.top)
    if records:
        found["records"] = of_records(table, records, state)
    if folder is not None:
        found["plots"] = [str(path) for path in draw(folder, table, state, arguments.agent, policies, leaks)]
    print(json.dumps(found) if arguments.json else as_text(found))
    return 0


def _fitting(record: Record, game: HeartRush) -> Record:
    """Return the record; raise an error unless it is of this duel."""
    from heartrush_env.games.heart_rush.game import as_heart_rush

    recorded = as_heart_rush(record.game)
    if (recorded.scenario.digest, recorded.decisions) != (game.scenario.digest, game.decisions):
        raise HeartRushError(
            f"{record.path}: expected the duel {game.scenario_name!r} with decisions {game.decisions} and the "
            f"same rules, got {recorded.scenario_name!r} with decisions {recorded.decisions}."
        )
    return record


def _folder(name: str) -> Path:
    """Create the folder for pictures; raise an error if matplotlib is missing."""
    from heartrush_env.research.plots import drawing_library

    drawing_library()
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HeartRushError(f"{folder}: the folder cannot be made ({error.strerror}).") from None
    return folder


# -- analysis ----------------------------------------------------------------------------------------------------------


def of_state(table: Tablebase, state: State) -> dict[str, Any]:
    """Return the stance game of a state, and the value of shrugging off damage in it."""
    from heartrush_env.research.analysis.stance_values import shrug_values, stance_values

    agents = table.duel.game.agents
    sides = dict(zip(agents, (stance_values(table, state, seat) for seat in (0, 1)), strict=True))
    shrugs = dict(zip(agents, (shrug_values(table, state, seat) for seat in (0, 1)), strict=True))
    first = sides[agents[0]]
    return {
        "hp": list(state[:2]),
        "hearts": list(state[2:]),
        "value": float(first.mix @ first.matrix @ first.other),
        "matrix": first.matrix.tolist(),
        "mixes": {agent: _by_stance(side.mix) for agent, side in sides.items()},
        "stances": {agent: _by_stance(side.worth) for agent, side in sides.items()},
        "shrugs": {agent: {"from": found.least, "worth": found.worth} for agent, found in shrugs.items()},
    }


def _by_stance(numbers: Any) -> dict[str, float]:
    return dict(zip(STANCES, numbers.tolist(), strict=True))


def read_leaks(table: Tablebase, player: Any) -> tuple[Any, dict[str, list[Leaks]]]:
    """Return a player's policy in each seat, and the value that it loses to best responses and to the solution."""
    from heartrush_env.research.analysis.leaks import leaks
    from heartrush_env.research.analysis.round_values import best_answer, solved
    from heartrush_env.research.best_response import read_policies

    policies = read_policies(player, table)
    return policies, {
        "best_answer": [leaks(table, policy, best_answer(table, policy)[0]) for policy in policies],
        "solution": [leaks(table, policy, solved(table, 1 - seat)) for seat, policy in enumerate(policies)],
    }


def of_agent(id: str, table: Tablebase, leaks: Mapping[str, Sequence[Leaks]], top: int) -> dict[str, Any]:
    """Return the states in which an agent loses value, and its total losses."""
    seats = {}
    for seat, agent in enumerate(table.duel.game.agents):
        worst = leaks["best_answer"][seat]
        seats[agent] = {
            "loses": {opponent: found[seat].total for opponent, found in leaks.items()},
            "states": [_leak(leak) for leak in worst.worst(top)],
            "hearts": [_leak(leak) for leak in worst.by_hearts()],
            "hit_points": [_leak(leak) for leak in worst.by_hit_points()],
        }
    return {"agent": id, "seats": seats}


def _leak(leak: Leak) -> dict[str, Any]:
    """Return a leak as JSON-able data, from the agent's point of view."""
    return dict(zip(LEAK, (*leak.state, leak.rounds, leak.loss, leak.regret), strict=True))


def of_records(table: Tablebase, records: Sequence[Record], state: State) -> dict[str, Any]:
    """Return the luck and predictability of recorded fighters, and what their average mixes lose in a given state."""
    from heartrush_env.games.heart_rush.game import as_heart_rush
    from heartrush_env.records import replay
    from heartrush_env.research.analysis.aivat import luck, results
    from heartrush_env.research.analysis.played_rounds import played, stances_taken
    from heartrush_env.research.analysis.predictability import predictability
    from heartrush_env.research.analysis.stance_values import mix_exploitability

    fights, lucks, rows = [], [], []
    for done, record in enumerate(records, 1):
        players = {seat: player for seat in record.game.agents if (player := _known(record, seat)) is not None}
        fight = played(as_heart_rush(record.game), replay(record), players)
        found = luck(table, fight)
        fights.append(fight)
        lucks.append(found)
        facts = {"record": str(record.path), "rounds": len(fight.rounds), "known": list(players), **asdict(found)}
        rows.append({**facts, "luck": found.total, "corrected": found.corrected})
        progress(done, len(records), "fights")
    summary: dict[str, Any] | None = None
    if len(lucks) > 1:
        both = results(lucks)
        summary = {**asdict(both), "reduction": both.reduction if math.isfinite(both.reduction) else None}
    foreseen = {}
    for seat, agent in enumerate(table.duel.game.agents):
        histories = [stances_taken(fight, seat) for fight in fights]
        if sum(map(len, histories)) >= LEAST_HISTORY:
            result = predictability(histories)
            foreseen[agent] = {**asdict(result), "mix_loses": mix_exploitability(table, state, result.counts, seat)}
    return {"fights": rows, "results": summary, "predictability": foreseen}


def _known(record: Record, seat: str) -> Player | None:
    """Return the player of a seat in a record if it is a packaged agent without memory between fights, or None.

    Programs, folders and people named in a record stay unknown, because a file must not cause anything to run.
    """
    id = record.seats[seat]["agent"]
    if id not in (*available(), *population()):
        return None
    agent = load(id)
    if agent.plays(record.game) is not None:
        return None
    player = agent.seat(record.game)
    return None if player.memory == "match" else player


# -- pictures ----------------------------------------------------------------------------------------------------------


def draw(
    folder: Path,
    table: Tablebase,
    state: State,
    id: str | None,
    policies: Any,
    leaks: Mapping[str, Sequence[Leaks]] | None,
) -> list[Path]:
    """Write all pictures, and return their paths."""
    from heartrush_env.research import plots
    from heartrush_env.research.analysis.round_values import solved
    from heartrush_env.research.best_response import at

    name, agents = table.duel.game.scenario_name, table.duel.game.agents
    mixes = {
        f"solution as {agent}": _mixes(table, seat, at(solved(table, seat), table.rounds))
        for seat, agent in enumerate(agents)
    }
    pictures = {"stances": plots.stance_game(table, state), "values": plots.value_map(table)}
    if id is not None and leaks is not None:
        mixes |= {f"{id} as {agent}": _mixes(table, seat, policies[seat]) for seat, agent in enumerate(agents)}
        pictures["leaks"] = plots.leak_map(leaks["best_answer"], f"{name}: where {id} loses to best responses")
        pictures["regrets"] = plots.regret_map(leaks["best_answer"], f"{name}: what a round of {id} may lose")
    note = "one point per state; larger points are more defensive"
    pictures["mixes"] = plots.simplex(mixes, f"{name}: mixes over hit points and heart dice", note)
    return [path for part, picture in pictures.items() for path in plots.write_each(picture, folder, part)]


def _mixes(table: Tablebase, seat: int, policy: Policy) -> Any:
    """Return a policy's mixes over a grid of states, (states, stances)."""
    grid = [np.unique(np.linspace(1, most, GRID).round().astype(int)) for most in table.duel.hp]
    dice = [np.arange(len(ladder)) for ladder in table.duel.hearts]
    h1, h2, k1, k2 = (axis.ravel() for axis in np.meshgrid(*grid, *dice))
    return policy.stances[(h1, h2, k1, k2) if seat == 0 else (h2, h1, k2, k1)]


# -- text output -------------------------------------------------------------------------------------------------------


def as_text(found: Mapping[str, Any]) -> str:
    """Return the whole analysis as text."""
    first, _ = found["state"]["mixes"]
    lines = [f"{found['scenario']}: value {_signed(found['value'])} for {first}, P(win) - P(loss)"]
    lines += [f"Warning: {sentence}" for sentence in found["warnings"]]
    lines += ["", *_state_lines(found["state"])]
    if "agent" in found:
        for seat, result in found["agent"]["seats"].items():
            lines += ["", *_agent_lines(found["agent"]["agent"], seat, result)]
    if "records" in found:
        lines += ["", *_record_lines(found["records"], first)]
    if "plots" in found:
        lines += ["", *(f"Written: {path}" for path in found["plots"])]
    return "\n".join(lines)


def _state_lines(state: Mapping[str, Any]) -> list[str]:
    """Return the stance game of a state as lines of text."""
    first, second = state["mixes"]
    lines = [
        f"{first} {state['hp'][0]} hp d{state['hearts'][0]}, {second} {state['hp'][1]} hp d{state['hearts'][1]}: "
        f"value {_signed(state['value'])} for {first}",
        f"{f'{first} (down)':<28}" + "".join(f"{stance:>11}" for stance in STANCES) + f"{'worth':>11}{'mix':>10}",
    ]
    for stance, row in zip(STANCES, state["matrix"], strict=True):
        worth, share = state["stances"][first][stance], state["mixes"][first][stance]
        lines.append(
            f"  {stance:<26}"
            + "".join(f"{_signed(entry):>11}" for entry in row)
            + f"{_signed(worth):>11}{_percent(share)}"
        )
    worths, shares = state["stances"][second].values(), state["mixes"][second].values()
    lines.append(f"  {f'worth to {second}':<26}" + "".join(f"{_signed(worth):>11}" for worth in worths))
    lines.append(f"  {f'mix of {second}':<26}" + "".join(f"{100 * share:>9.1f} %" for share in shares))
    for agent, shrug in state["shrugs"].items():
        rule = "never shrugs off here" if shrug["from"] is None else f"shrugs off from {shrug['from']} damage on"
        lines.append(f"  {agent} {rule}; the choice is worth {shrug['worth']:.4f} this round")
    return lines


def _signed(number: float) -> str:
    """Return a value with its sign; values that round to zero get a plus."""
    return f"{round(number, 4) + 0.0:+.4f}"


def _percent(share: float) -> str:
    return f"{100 * share:>8.1f} %"


def _agent_lines(id: str, seat: str, result: Mapping[str, Any]) -> list[str]:
    """Return an agent's losses of value in one seat as lines of text."""
    loses = result["loses"]
    lines = [
        f"{id} as {seat}: loses {loses['best_answer']:.4f} to the best response, "
        f"{loses['solution']:.4f} to the solution",
        "Where, against the best response:",
        f"  {'own hp':>7}{'enemy hp':>10}{'hearts':>10}{'rounds':>10}{'lost':>10}{'share':>10}{'a round may lose':>19}",
    ]
    most = loses["best_answer"]
    lines += [_leak_line(leak, most) for leak in result["states"]]
    lines.append("By heart dice:")
    lines += [_leak_line(leak, most, hp=False) for leak in result["hearts"] if leak["rounds"] > 0]
    lines.append("By hit points (up to):")
    lines += [_leak_line(leak, most, hearts=False) for leak in result["hit_points"] if leak["rounds"] > 0]
    return lines


def _leak_line(leak: Mapping[str, Any], total: float, *, hp: bool = True, hearts: bool = True) -> str:
    own, enemy = (leak["own_hp"], leak["enemy_hp"]) if hp else ("", "")
    dice = f"d{leak['own_heart']} d{leak['enemy_heart']}" if hearts else ""
    share = f"{100 * leak['loss'] / total:.1f} %" if total > 1e-9 else "-"
    return (
        f"  {own:>7}{enemy:>10}{dice:>10}{leak['rounds']:>10.3f}{leak['loss']:>10.4f}{share:>10}{leak['regret']:>19.4f}"
    )


def _record_lines(result: Mapping[str, Any], first: str) -> list[str]:
    """Return the luck and predictability of recorded fighters as lines of text."""
    width = max(len(row["record"]) for row in result["fights"])
    lines = [
        f"Results to {first} with the luck taken out (luck of the dice, and of choices of known players):",
        f"  {'':<{width}}{'rounds':>8}{'result':>8}{'dice':>9}{'choices':>9}{'corrected':>11}  known",
    ]
    for row in result["fights"]:
        choices = row["stances"] + row["attacks"] + row["shrugs"]
        lines.append(
            f"  {row['record']:<{width}}{row['rounds']:>8}{row['result']:>+8.0f}{row['dice']:>+9.3f}{choices:>+9.3f}"
            f"{row['corrected']:>+11.3f}  {', '.join(row['known']) or 'none'}"
        )
    if result["results"] is not None:
        plain, corrected = result["results"]["plain"], result["results"]["corrected"]
        reduction = result["results"]["reduction"]
        times = "no variance left" if reduction is None else f"{reduction:.1f} times less variance"
        lines += [
            f"  mean of {result['results']['fights']}: {_interval(plain)} as played, "
            f"{_interval(corrected)} without luck ({times})"
        ]
    for agent, foreseen in result["predictability"].items():
        lines += ["", *_foreseen_lines(agent, foreseen)]
    return lines


def _interval(mean: Mapping[str, float]) -> str:
    return f"{mean['mean']:+.3f} ({mean['low']:+.3f} to {mean['high']:+.3f})"


def _foreseen_lines(agent: str, foreseen: Mapping[str, Any]) -> list[str]:
    """Return the predictability of a fighter as lines of text."""
    lines = [
        f"Stances of {agent}, {foreseen['stances']} in all; an even guess hits {100 * foreseen['chance']:.1f} %:",
        f"  {'looking back':<14}{'bits left':>10}{'shuffled':>10}{'hits':>9}{'95 % interval':>20}{'shuffled':>10}",
    ]
    for order in foreseen["orders"]:
        interval = f"{100 * order['low']:.1f} to {100 * order['high']:.1f} %"
        lines.append(
            f"  {order['order']:<14}{order['entropy']:>10.3f}{order['shuffled_entropy']:>10.3f}"
            f"{100 * order['hits']:>7.1f} %{interval:>20}{100 * order['shuffled_hits']:>8.1f} %"
        )
    lines.append(
        f"  Best when looking {foreseen['best']} back; shuffled stances are as predictable "
        f"with probability {foreseen['p_value']:.3f}."
    )
    lines.append(f"  Their average mix would lose {foreseen['mix_loses']:.4f} per round in the state above.")
    return lines
