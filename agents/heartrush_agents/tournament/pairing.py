"""Pairings: the fights of two agents on one scenario, in all seatings. Input and output are plain data.

    found = play_pairing({"game": "heart_rush", "scenario": "duel", "rules": {}, "agents": ["uniform", "might"],
                          "fights": 100, "match": 10, "seed": 1})

Plain data can go to any process, machine or file. `tournament` hands pairings to an executor, which may be any function
with the parameters of `play.in_processes`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Any

import numpy as np

from heartrush_agents import load
from heartrush_agents.tournament.cross_table import Table
from heartrush_agents.tournament.play import Counts, Lineup, lineups, play, split
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.registry import DEFAULT_GAME, open_game

# A pairing has "scenario", "rules", "agents" (two ids or folders), "fights", "match" and "seed"; "game" names the game
# if it is not the default one.
Pairing = Mapping[str, Any]
Outcomes = dict[
    str, Any
]  # "agents" (two ids), and "lineups": each with its "teams" and its "counts" (matches, teams, 3)
Job = Callable[[Pairing], Outcomes]
Executor = Callable[[Job, Sequence[tuple[Pairing]], int], Generator[tuple[int, Outcomes], None, None]]


def play_pairing(pairing: Pairing) -> Outcomes:
    """Play a pairing; equal pairings give equal outcomes, whether played alone or in a tournament.

    With up to 100 matches, the cells and the dice equal those of `cross_table.rate`.

    Args:
        pairing: Two agents, their scenario and settings; "fights" is the number of fights per cell of the cross table.

    Returns:
        JSON-able data: for each lineup, "teams" with the agent of each team, and "counts" with each team's wins, draws
        and losses in each match.
    """
    rules = tuple(sorted(pairing["rules"].items()))
    game = game_of(pairing["scenario"], rules, pairing.get("game", DEFAULT_GAME))
    agents = {agent.id: agent for agent in map(load, pairing["agents"])}
    matches = matches_of(pairing, game)
    return {
        "agents": list(agents),
        "lineups": [
            {
                "teams": list(who),
                "counts": play(game, [agents[id] for id in who], matches, pairing["seed"], 0).tolist(),
            }
            for who in lineups_of(tuple(agents), game)
        ],
    }


@lru_cache(maxsize=8)
def game_of(scenario: str, rules: tuple[tuple[str, Any], ...] = (), name: str = DEFAULT_GAME) -> Game:
    """Return the game of this name on a scenario under some settings, created once per process."""
    game = open_game({"game": name, "scenario": scenario, **({"rules": dict(rules)} if rules else {})})
    game.batch(1).start([0], 0, [0])  # everything that needs compiling is compiled here, once
    return game


def lineups_of(agents: Sequence[str], game: Game) -> tuple[Lineup, ...]:
    """Return every lineup of a pairing: each agent has each team in turn, and the other agent has the rest."""
    teams = len(set(game.teams))
    return lineups(permutations(agents, 2), teams, range(teams))


def matches_of(pairing: Pairing, game: Game) -> tuple[int, ...]:
    """Return the number of fights of each match, equal for every lineup."""
    return split(math.ceil(pairing["fights"] / len(set(game.teams))), pairing["match"])


def as_table(game: Game, pairings: Sequence[Pairing], found: Sequence[Outcomes], order: Sequence[str]) -> Table:
    """Return the cross table of the pairings of one scenario, with the agents in this order."""
    counts: dict[Lineup, Counts] = {
        tuple(each["teams"]): np.array(each["counts"], dtype=np.int64) for pair in found for each in pair["lineups"]
    }
    cells = [cell for pair in found for cell in permutations(pair["agents"], 2)]
    cells.sort(key=lambda cell: (order.index(cell[0]), order.index(cell[1])))
    return Table.of(game, counts, cells, order, pairings[0]["seed"], pairings[0]["match"])
