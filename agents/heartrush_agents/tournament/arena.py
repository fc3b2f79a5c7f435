"""The mind-game arena: how much an agent wins from a population of bots, and how much the best of them wins from it.

    standings = arena(["duelist", "uniform"], open_game({"scenario": "duel"}), matches=20)
    print(standings.as_text())

A match is 26 duels against the same opponent in each seat; players remember earlier duels of a match, and forget them
afterwards. Match m consists of the same duels, with the same dice, for all players. All numbers are returns per duel: 1
for a win, -1 for a loss, 0 for a draw. The measures are those of the repeated rock-paper-scissors benchmark (Lanctot et
al. 2023, arXiv 2303.03196):

    PopulationReturn        the mean return against a uniformly drawn member of the population
    WithinPopExploitability the return of the member that wins most from the agent
    AggregateScore          PopulationReturn minus WithinPopExploitability

A member against itself is even by construction, so that counts as 0 and is not played. The population's winnings are a
lower bound on how far an agent can be exploited. Intervals are bootstrapped over matches, resampling all members'
matches together because they share their dice: 95 % between percentiles, somewhat narrow for few matches. The maximum
of many noisy numbers is biased upwards, so exploitability is overstated, the more so the fewer the matches.

Hold-out splits divide the population into members for training and members held out. An agent that is only rated here
has not trained on any of them, so the splits show how much its score depends on the choice of bots, whether the ranking
of agents is stable, and how much is lost by choosing the best agent on some bots for play against others. A learner
uses the same `splits`: it trains on the first part of each and is rated on the second, with `arena(...,
population=held_out)`.

If the duel can be solved, bots based on its solution join the population; otherwise the standings name those left out.
In such a duel, the exact policies of many members can be computed; these members are called readable. With `exact`, the
ExploitationRatio is the sum of an agent's winnings from readable members, divided by the sum of exact best responses'
winnings from them. Over both seats the value of a duel is 0, so this is (return - value) / (best response - value).
Members that lose next to nothing to a best response are excluded. An agent first has to find out which member it meets,
so it cannot reach 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import numpy as np
from numpy.typing import NDArray

from heartrush_agents import Agent, AgentError
from heartrush_agents import population as bots
from heartrush_agents.base import AgentLike
from heartrush_agents.registry import left_out, told
from heartrush_agents.tournament.play import SEED, Plan, Progress, agents_by_id, cells_of, fight_out, lineup, lineups
from heartrush_agents.tournament.standings import Standings
from heartrush_env import __version__
from heartrush_env.tabletop.arguments import at_least_one, read_seed
from heartrush_env.tabletop.game import Game

DUELS = 26  # per match
MATCHES = 20
SEATINGS = 2


def arena(
    agents: Sequence[AgentLike],
    game: Game,
    *,
    population: Sequence[AgentLike] | None = None,
    duels: int = DUELS,
    matches: int = MATCHES,
    seed: int = SEED,
    processes: int | None = None,
    progress: Progress | None = None,
    exact: bool = False,
) -> Standings:
    """Play each agent against each bot; the same arguments give the same standings on any number of processes.

    Worker processes import the main module, so a program that uses several needs `if __name__ == "__main__":`.

    Args:
        agents: The agents to measure: agents, ids or classes of Player.
        game: The game, which must have two teams.
        population: The bots to play against; by default `heartrush_agents.population(game)`.
        duels: Number of duels in a match, after which players forget their opponents.
        matches: Number of matches of each pair in each seating, at least 2.
        seed: Seed of all dice and choices.
        processes: Number of worker processes; one per core by default.
        progress: Called as duels finish.
        exact: Whether to compute members' exact policies for the exploitation ratio; takes seconds or minutes for each.

    Raises:
        AgentError: An agent cannot play the game, or no duel of the game can be solved exactly.
    """
    exact_scores = told(game.name, "exact_scores", None)
    if exact and exact_scores is None:
        raise AgentError(f"exact: expected a game with duels that can be solved, got {game.name}.")
    teams = tuple(dict.fromkeys(game.teams))
    if len(teams) != SEATINGS:
        raise AgentError(f"The arena: expected a scenario of two teams, got {game.scenario_name!r} with {len(teams)}.")
    if at_least_one("matches", matches) < 2:
        raise AgentError("matches: expected at least 2, since a single match gives no confidence interval, got 1.")
    measured, members = agents_by_id(agents), agents_by_id(bots(game) if population is None else population)
    cells, places = cells_of(game, measured, members)
    plan = Plan(
        game,
        agents={**members, **measured},
        lineups=lineups(cells, SEATINGS, places),
        matches=(at_least_one("duels", duels),) * matches,
        seed=read_seed(seed) or 0,
    )
    ends = {who: np.zeros((matches, duels, 2), dtype=np.int8) for who in plan.lineups}
    with closing(plan.results(ends_of_duels, processes, progress)) as results:
        for (who, first, last), found in results:
            ends[who][first:last] = found
    returns = {row: np.zeros((len(members), matches, SEATINGS, duels)) for row in measured}
    undecided = {row: np.zeros(len(members)) for row in measured}
    for row, column in cells:
        place = list(members).index(column)
        for seat, sign in enumerate((1, -1)):
            found = ends[lineup((row, column), SEATINGS, seat)]
            returns[row][place, :, seat] = sign * found[..., 0]
            undecided[row][place] += found[..., 1].mean() / SEATINGS
    return Standings(
        game=game.name,
        scenario=game.scenario_name,
        digest=game.digest,
        version=__version__,
        seed=plan.seed,
        population=tuple(members),
        returns=returns,
        undecided=undecided,
        left_out=left_out(game) if population is None else {},
        **(exact_scores(list(members.values()), game) if exact and exact_scores else {}),
    )


def ends_of_duels(
    game: Game, agents: Sequence[Agent], matches: Sequence[int], seed: int, number: int
) -> NDArray[np.int8]:
    """Return the first team's result in each duel, and 1 if it ended without a winning blow, (matches, duels, 2)."""
    ends = np.zeros((len(matches), max(matches), 2), dtype=np.int8)
    names, teams = list(game.feature_names), np.array(game.teams)
    standing = names.index("self standing") if "self standing" in names else None
    for ended in fight_out(game, agents, matches, seed, number):
        ends[ended.slots, ended.numbers, 0] = np.sign(ended.rewards[:, 0])
        if standing is not None:
            stands = ended.batch.final_observations[ended.slots, :, standing] > 0  # (ended, seats)
            both = np.stack([stands[:, teams == team].any(axis=1) for team in dict.fromkeys(game.teams)])
            ends[ended.slots, ended.numbers, 1] = both.all(axis=0)
    return ends
