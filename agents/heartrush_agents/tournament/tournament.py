"""Tournaments: every agent against every other on several scenarios, resumable, with ranks and ratings.

    found = tournament(["uniform", "tactician", "turtle"], ["duel", "brawl"], fights=200, match=10)
    print(found.as_text())

All pairings of a scenario use the same dice. With a folder, each pairing is written as it finishes, and a repeated call
resumes the tournament. An agent that cannot play a scenario is left out of it, and listed with the reason.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from heartrush_agents import AgentError, load
from heartrush_agents.base import read_object
from heartrush_agents.cards import weights_of
from heartrush_agents.learned.agent import read_card
from heartrush_agents.tournament.cross_table import Table, aligned
from heartrush_agents.tournament.pairing import (
    Executor,
    Outcomes,
    Pairing,
    as_table,
    game_of,
    lineups_of,
    matches_of,
    play_pairing,
)
from heartrush_agents.tournament.play import SEED, Progress, agents_by_id, cores, in_processes
from heartrush_agents.tournament.ranking import Skill, as_rows, ranked, skills
from heartrush_env import __version__
from heartrush_env.tabletop.arguments import at_least_one, read_seed
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.registry import DEFAULT_GAME
from heartrush_env.tabletop.writing import make_folder, replace_file, sole_writer

PLAN, PAIRINGS, RATINGS = "tournament.json", "pairings", "ratings.json"
LARGEST = 64 * 2**20  # maximum bytes of a tournament's file
NEEDED = "a file of a tournament"


@dataclass(frozen=True)
class Stage:
    """One scenario of a tournament: its pairings, and the agents that cannot play it."""

    game: Game
    agents: tuple[str, ...]
    pairings: tuple[Pairing, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)  # the reason, by agent


@dataclass(frozen=True)
class Tournament:
    """The results of a tournament: a cross table of each scenario, ranks and ratings."""

    plan: Mapping[str, Any]
    stages: tuple[Stage, ...]
    tables: tuple[Table, ...]
    skills: Mapping[str, Skill]  # of all fights, by agent; empty without the extra `rank`

    def ranking(self, tables: Sequence[Table]) -> list[dict[str, Any]]:
        """Return the ranking of these tables' agents as JSON-able rows, best first."""
        return as_rows(ranked(tables, self.plan["seed"]), tables, self.skills)

    def as_dict(self) -> dict[str, Any]:
        """Return all results as JSON-able data: win rates in percent with the ends of their 95 % intervals."""
        return {
            **self.plan,
            "overall": self.ranking(self.tables) if len(self.tables) > 1 else None,
            "results": [
                {
                    "scenario": table.scenario,
                    "fights": table.fights,
                    "left_out": dict(stage.left_out),
                    "ranking": self.ranking([table]),
                    "won": {row: _row(table, row) for row in table.rows},
                }
                for stage, table in zip(self.stages, self.tables, strict=True)
            ],
        }

    def as_text(self) -> str:
        """Return the cross table and the ranking of each scenario, then the overall ranking, as text."""
        parts = []
        found = self.as_dict()
        for stage, table, result in zip(self.stages, self.tables, found["results"], strict=True):
            parts += [table.as_text(), ranking_text(table.scenario, result["ranking"])]
            if stage.left_out:
                parts.append(left_out_text(table.scenario, stage.left_out))
        if found["overall"] is not None:
            parts.append(ranking_text(f"all {len(self.tables)} scenarios", found["overall"]))
        return "\n\n".join(parts)


def tournament(
    agents: Sequence[str],
    scenarios: Sequence[str],
    *,
    game: str = DEFAULT_GAME,
    rules: Mapping[str, Any] | None = None,
    fights: int = 4000,
    match: int = 20,
    seed: int = SEED,
    processes: int | None = None,
    folder: Path | None = None,
    executor: Executor = in_processes,
    progress: Progress | None = None,
) -> Tournament:
    """Play every agent against every other on each scenario; the same arguments give the same results anywhere.

    Args:
        agents: Ids or folders of agents.
        scenarios: Names or files of scenarios, or "random:" and a seed.
        game: The game, by name.
        rules: Settings of the rules, the same for all scenarios.
        fights: Number of fights of each pairing, divided evenly among the teams, rounded up.
        match: Number of fights after which players forget their opponents.
        seed: Seed of all dice and choices.
        processes: Number of worker processes; one per core by default.
        folder: Where finished pairings are kept, so that a repeated call resumes; by default nowhere.
        executor: Runs the pairings; by default in processes of this machine.
        progress: Called with the fights played and their total, as pairings finish.

    Raises:
        AgentError: An agent is unknown or plays none of the scenarios, or the folder holds another tournament.
    """
    ids = list(agents_by_id(agents))
    settings = dict(rules or {})
    usual: dict[str, Any] = {
        "rules": settings,
        "fights": at_least_one("fights", fights),
        "match": at_least_one("match", match),
        "seed": read_seed(seed) or 0,
        **({"game": game} if game != DEFAULT_GAME else {}),  # folders of earlier versions do not name it
    }
    if len(set(scenarios)) < len(scenarios):
        raise AgentError("Expected different scenarios, got one twice.")
    stages = tuple(_stage(scenario, dict(zip(ids, agents, strict=True)), usual) for scenario in scenarios)
    for id in ids:
        if all(id in stage.left_out for stage in stages):
            reason = next(iter(stages)).left_out[id]
            raise AgentError(f"The agent {id!r} plays none of these scenarios ({reason}).")
    plan = {
        "version": __version__,
        **usual,
        "scenarios": [
            {"name": scenario, "digest": stage.game.digest} for scenario, stage in zip(scenarios, stages, strict=True)
        ],
        "agents": [{"id": id, "sha256": weights_digest(given)} for id, given in zip(ids, agents, strict=True)],
    }
    work = [pairing for stage in stages for pairing in stage.pairings]
    workers = at_least_one("processes", cores() if processes is None else processes)
    report = progress or (lambda done, total: None)
    if folder is None:
        found = _play_pairings(work, stages, {}, None, workers, executor, report)
    else:
        with sole_writer(make_folder(folder, AgentError), AgentError):
            kept = _kept(folder, plan, work)
            found = _play_pairings(work, stages, kept, folder, workers, executor, report)
    tables = []
    for stage in stages:
        own, found = found[: len(stage.pairings)], found[len(stage.pairings) :]
        tables.append(as_table(stage.game, stage.pairings, own, stage.agents))
    return Tournament(plan, stages, tuple(tables), _skills(tables, usual["seed"]))


def _stage(scenario: str, agents: Mapping[str, str], usual: Mapping[str, Any]) -> Stage:
    """Return the stage of a scenario, with the pairings of the agents that can play it."""
    game = game_of(scenario, tuple(sorted(usual["rules"].items())), usual.get("game", DEFAULT_GAME))
    reasons = {id: load(given).plays(game) for id, given in agents.items()}
    able = [id for id, reason in reasons.items() if reason is None]
    if len(able) < 2:
        why = "; ".join(f"{id!r}: {reason}" for id, reason in reasons.items() if reason)
        raise AgentError(f"Expected at least two agents that play {game.scenario_name!r}, got {len(able)} ({why}).")
    pairings = [{**usual, "scenario": scenario, "agents": [agents[a], agents[b]]} for a, b in combinations(able, 2)]
    if len(matches_of(pairings[0], game)) < 2:
        teams, match = len(set(game.teams)), usual["match"]
        raise AgentError(
            f"fights: expected at least {teams * match + 1} on {game.scenario_name!r}, because an interval needs two "
            f"matches of {match} fights for each team, got {usual['fights']}."
        )
    return Stage(game, tuple(able), tuple(pairings), {id: why for id, why in reasons.items() if why is not None})


def weights_digest(given: str) -> str | None:
    """Return the SHA-256 of a learned agent's weights; None for an agent without weights."""
    folder = weights_of(given.partition("@")[0])
    return None if folder is None else str(read_card(folder)["sha256"])


def _play_pairings(
    work: Sequence[Pairing],
    stages: Sequence[Stage],
    kept: Mapping[int, Outcomes],
    folder: Path | None,
    processes: int,
    executor: Executor,
    progress: Progress,
) -> list[Outcomes]:
    """Return the outcomes of all pairings in order, playing only the pairings that `kept` lacks."""
    found = dict(kept)
    fights = [_fights(stage, pairing) for stage in stages for pairing in stage.pairings]
    left = [place for place in range(len(work)) if place not in found]
    done = sum(fights[place] for place in found)
    progress(done, sum(fights))
    if left:
        with closing(executor(play_pairing, [(work[place],) for place in left], min(processes, len(left)))) as results:
            for number, outcomes in results:
                place = left[number]
                found[place] = outcomes
                if folder is not None:
                    _write(_file(folder, place), {"pairing": work[place], **outcomes})
                done += fights[place]
                progress(done, sum(fights))
    return [found[place] for place in range(len(work))]


def _fights(stage: Stage, pairing: Pairing) -> int:
    return len(lineups_of(pairing["agents"], stage.game)) * sum(matches_of(pairing, stage.game))


# -- the folder --------------------------------------------------------------------------------------------------------


def _kept(folder: Path, plan: Mapping[str, Any], work: Sequence[Pairing]) -> dict[int, Outcomes]:
    """Return the outcomes of a folder's finished pairings by index; if the folder holds no plan yet, write the plan."""
    path = folder / PLAN
    if not path.is_file():
        make_folder(folder / PAIRINGS, AgentError)
        _write(path, plan)
        return {}
    there = read_object(path, LARGEST, NEEDED)
    other = [name for name in plan if there.get(name) != plan[name]]
    if other:
        raise AgentError(
            f"{folder}: expected an empty folder or the results of this tournament, got a tournament with other "
            f"{' and other '.join(other)}; repeat its command, or choose another folder."
        )
    found = {}
    for place, pairing in enumerate(work):
        if (file := _file(folder, place)).is_file():
            outcomes = read_object(file, LARGEST, NEEDED)
            if outcomes.pop("pairing", None) != pairing:
                raise AgentError(f"{file}: expected a pairing of this tournament, got another one.")
            found[place] = outcomes
    return found


def _file(folder: Path, place: int) -> Path:
    return folder / PAIRINGS / f"{place:05d}.json"


def _write(path: Path, content: Mapping[str, Any]) -> None:
    replace_file(path, (json.dumps(content) + "\n").encode(), AgentError)


# -- what it shows -----------------------------------------------------------------------------------------------------


def _skills(tables: Sequence[Table], seed: int) -> dict[str, Skill]:
    """Return OpenSkill ratings, or none without the extra `rank`."""
    from importlib.util import find_spec

    return skills(tables, seed) if find_spec("openskill") else {}


def _row(table: Table, row: str) -> dict[str, list[float]]:
    """Return an agent's win rates by opponent, in percent, with the ends of their intervals."""
    cells = {column: table.cell(row, column) for column in table.columns}
    return {
        column: [round(100 * number, 1) for number in (score.score, score.low, score.high)]
        for column, score in cells.items()
        if score
    }


def ranking_text(where: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return a ranking as text, with an explanation of its numbers."""
    if not rows:
        return f"No agent is ranked over {where}, because fewer than two agents play each of them."
    columns = [
        ["agent", *(row["id"] for row in rows)],
        ["rank", *(str(row["rank"]) for row in rows)],
        ["tier", *(str(row["tier"]) for row in rows)],
        ["share", *(f"{100 * row['share']:.1f} %" for row in rows)],
        ["margin", *(f"{row['margin'][0]:+.3f}" for row in rows)],
        ["95 % interval", *(f"{row['margin'][1]:+.3f} to {row['margin'][2]:+.3f}" for row in rows)],
        ["mean", *(f"{row['mean']:.1f}" for row in rows)],
    ]
    if rows[0]["openskill"]:
        columns.append(["OpenSkill", *("{:.1f} ± {:.1f}".format(*row["openskill"]) for row in rows)])
    head = (
        f"Ranks over {where}. No agent beats the first tier, mixed by these shares; no agent below the second tier "
        "beats the second.\n"
        "Margin: wins minus losses per fight against the first tier. Mean: percent won against all."
    )
    head += "\nOpenSkill: mu ± sigma, for display; every agent starts at 25." if rows[0]["openskill"] else ""
    return "\n".join([head, "", *aligned(columns)])


def left_out_text(where: str, left_out: Mapping[str, str]) -> str:
    """Return the agents that cannot play a scenario, each with the reason, as text."""
    return "\n".join([f"Left out of {where}:", *(f"  {id}: {reason}." for id, reason in left_out.items())])
