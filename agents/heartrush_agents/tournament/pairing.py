"""A pairing: the fights of two agents on one scenario, in all seatings, with plain data as input and output.

    found = play_pairing({"scenario": "duel", "rules": {}, "agents": ["uniform", "might"], "fights": 100, "match": 10,
                          "seed": 1})

Plain data can go to any process, machine or file. `tournament` hands pairings to an executor, which may be any function
with the parameters of `play.in_processes`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from heartrush_agents import load
from heartrush_agents.tournament.cross_table import Table
from heartrush_agents.tournament.play import Counts, Lineup, lineup, play, split
from heartrush_env import __version__
from heartrush_env.games import open_game
from heartrush_env.tabletop.game import Game

Pairing = Mapping[str, Any]  # "scenario", "rules", "agents" (two ids or folders), "fights", "match", "seed"
Outcomes = dict[
    str, Any
]  # "agents" (two ids), and "lineups": each with its "teams" and its "counts" (matches, teams, 3)
Job = Callable[[Pairing], Outcomes]
Executor = Callable[[Job, Sequence[tuple[Pairing]], int], Generator[tuple[int, Outcomes], None, None]]


def play_pairing(pairing: Pairing) -> Outcomes:
    """Play a pairing; equal pairings give equal outcomes, on their own and in any tournament.

    With up to 100 matches, the cells and the dice equal those of `cross_table.rate`.

    Args:
        pairing: Two agents, their scenario and settings; "fights" is the number of fights per cell of the cross table.

    Returns:
        JSON-able data: for each lineup, "teams" with the agent of each team, and "counts" with each team's wins, draws
        and losses in each match.
    """
    game = game_of(pairing["scenario"], tuple(sorted(pairing["rules"].items())))
    agents = {agent.id: agent for agent in map(load, pairing["agents"])}
    one, other = agents
    matches = matches_of(pairing, game)
    return {
        "agents": [one, other],
        "lineups": [
            {
                "teams": list(who),
                "counts": play(game, [agents[id] for id in who], matches, pairing["seed"], 0).tolist(),
            }
            for who in lineups(one, other, len(set(game.teams)))
        ],
    }


@lru_cache(maxsize=8)
def game_of(scenario: str, rules: tuple[tuple[str, Any], ...] = ()) -> Game:
    """Return the game of a scenario under some settings, created once per process."""
    game = open_game({"scenario": scenario, "rules": dict(rules)})
    game.batch(1).start([0], 0, [0])  # everything that needs compiling is compiled here, once
    return game


def lineups(one: str, other: str, teams: int) -> tuple[Lineup, ...]:
    """Return every lineup of a pairing: each agent has each team in turn, and the other agent has the rest."""
    cells = ((one, other), (other, one))
    return tuple(dict.fromkeys(lineup(cell, teams, place) for cell in cells for place in range(teams)))


def matches_of(pairing: Pairing, game: Game) -> tuple[int, ...]:
    """Return the number of fights of each match, equal for every lineup."""
    return split(math.ceil(pairing["fights"] / len(set(game.teams))), pairing["match"])


def as_table(game: Game, pairings: Sequence[Pairing], found: Sequence[Outcomes], order: Sequence[str]) -> Table:
    """Return the cross table of the pairings of one scenario, with the agents in this order."""
    teams = tuple(dict.fromkeys(game.teams))
    counts: dict[Lineup, Counts] = {
        tuple(each["teams"]): np.array(each["counts"], dtype=np.int64) for pair in found for each in pair["lineups"]
    }
    cells = [cell for pair in found for cell in (tuple(pair["agents"]), tuple(reversed(pair["agents"])))]
    places = {id: place for place, id in enumerate(order)}
    cells.sort(key=lambda cell: (places[cell[0]], places[cell[1]]))
    first = pairings[0]
    return Table(
        game=game.name,
        scenario=game.scenario_name,
        digest=game.digest,
        version=__version__,
        seed=first["seed"],
        fights=sum(matches_of(first, game)) * len(teams),
        match=first["match"],
        teams=teams,
        columns=tuple(order),
        outcomes={
            (row, column): np.stack(
                [counts[lineup((row, column), len(teams), place)][:, place] for place in range(len(teams))], axis=1
            )
            for row, column in cells
        },
        all_teams=len(teams),
    )
