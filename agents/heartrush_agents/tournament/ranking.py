"""Rankings of agents by their results against each other: maximal lotteries, and OpenSkill ratings for display.

A mean win rate depends on the agents that take part: ten copies of a weak agent raise every agent that beats it. The
maximal lottery (Fishburn 1984) does not have this flaw. It is the equilibrium of the game in which each of two sides
names an agent, and the payoff is the margin by which the first side's agent wins. No agent beats the lottery on
average. An agent's margin against the lottery is its score in Nash averaging (Balduzzi et al., "Re-evaluating
Evaluation", NeurIPS 2018): 0 for the agents of the lottery, and 0 or less for all others.

Ranks follow iterative maximal lotteries (Lanctot et al., "Evaluating Agents using Social Choice Theory", 2023). The
first tier contains the agents that the lottery does not beat, in the order of their shares. The lottery of the
remaining agents makes the second tier, and so on. If several lotteries are optimal, the mean of the simplex method's
solutions for the two sides is used, which is also optimal.

OpenSkill ratings (Plackett-Luce) are one number per agent, as players know them from ladders. They assume that strength
is transitive, so they are for display only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.tournament.cross_table import Table
from heartrush_agents.tournament.play import DRAW, LOSS, WIN
from heartrush_env.research.zero_sum import solve_matrix
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.intervals import Z_95

Floats = NDArray[np.float64]

NEGLIGIBLE = 1e-9  # smaller shares and margins are rounding errors
RESAMPLES = 200  # of the bootstrap
RATED_FIGHTS = 100  # the most fights of a pairing that a rating uses
EXTRA = "OpenSkill ratings need openskill: pip install 'heartrush-env[rank]' installs it."


@dataclass(frozen=True)
class Rank:
    """An agent's rank among others."""

    id: str
    tier: int  # from 1
    share: float  # of its tier's maximal lottery, from 0 to 1
    margin: float  # wins minus losses per fight against the lottery of the first tier
    low: float  # the ends of the 95 % interval, bootstrapped over matches
    high: float


def ranked(tables: Sequence[Table], seed: int) -> list[Rank]:
    """Return the ranks of the agents that are in all of these tables, best first; empty for fewer than two agents.

    Margins are means over the tables.

    Args:
        tables: Cross tables of every agent against every other.
        seed: Seed of the bootstrap, which resamples the matches of each table for all pairings together, because they
            share their dice.
    """
    agents = [id for id in tables[0].columns if all(id in table.columns for table in tables)]
    if len(agents) < 2:
        return []
    margins = np.mean([_margins(table, agents)[0] for table in tables], axis=0)
    lottery = maximal_lottery(margins)
    places = tiers(margins)
    rng = np.random.default_rng(seed)
    drawn = np.mean([_margins(table, agents, rng)[1] for table in tables], axis=0)
    against = np.array([again @ maximal_lottery(again) for again in drawn])  # (resamples, agents)
    low, high = np.quantile(against, [0.025, 0.975], axis=0)
    found = [
        Rank(id, *places[k], float(margins[k] @ lottery), float(low[k]), float(high[k])) for k, id in enumerate(agents)
    ]
    return sorted(found, key=lambda rank: (rank.tier, -rank.share, -rank.margin))


def maximal_lottery(margins: Floats) -> Floats:
    """Return an optimal mix of agents, (agents,), in the game with these antisymmetric payoffs, (agents, agents)."""
    solution = solve_matrix(margins)
    mix: Floats = (solution.row + solution.column) / 2
    return mix


def tiers(margins: Floats) -> list[tuple[int, float]]:
    """Return the tier of each agent, from 1, and its share of that tier's lottery."""
    found = [(0, 0.0)] * len(margins)
    left, tier = np.arange(len(margins)), 0
    while len(left):
        tier += 1
        among = np.ascontiguousarray(margins[np.ix_(left, left)])
        lottery = maximal_lottery(among)
        unbeaten = (lottery > NEGLIGIBLE) | (among @ lottery > -NEGLIGIBLE)
        for agent, share in zip(left[unbeaten], lottery[unbeaten], strict=True):
            found[agent] = (tier, float(share))
        left = left[~unbeaten]
    return found


def _margins(table: Table, agents: Sequence[str], rng: np.random.Generator | None = None) -> tuple[Floats, Floats]:
    """Return each agent's margin over each other agent, (agents, agents), and these margins in resampled matches."""
    matches = len(next(iter(table.outcomes.values())))
    resamples = 0 if rng is None else RESAMPLES
    weights = np.ones((1 + resamples, matches))
    if rng is not None:
        weights[1:] = rng.multinomial(matches, np.full(matches, 1 / matches), size=resamples)
    scores = np.full((1 + resamples, len(agents), len(agents)), table.even)
    for i, row in enumerate(agents):
        for j, column in enumerate(agents):
            if row != column:
                counts = table.outcomes[row, column].sum(axis=1)  # (matches, 3)
                won = counts[:, WIN] + table.even * counts[:, DRAW]
                scores[:, i, j] = weights @ won / (weights @ counts.sum(axis=1))
    margins = scores - scores.transpose(0, 2, 1)
    return margins[0], margins[1:]


# -- for display -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Skill:
    """An OpenSkill rating; every agent starts at 25."""

    mu: float
    sigma: float

    @property
    def reach(self) -> float:
        """The distance to the ends of the 95 % interval."""
        return Z_95 * self.sigma


def skills(tables: Sequence[Table], seed: int) -> dict[str, Skill]:
    """Return OpenSkill ratings of all agents of some tables, from at most 100 fights of each pairing.

    The fights are rated in rounds. Each round rates one fight of every pairing, in an order drawn from the seed.

    Raises:
        HeartRushError: openskill is not installed.
    """
    model = skill_model()
    rng = np.random.default_rng(seed)
    games = [
        (row, column, rng.permutation(_results(table.outcomes[row, column]))[:RATED_FIGHTS])
        for table in tables
        for row, column in table.outcomes
        if len(table.teams) > 2 or table.columns.index(row) < table.columns.index(column)
    ]
    now = {id: model.rating() for table in tables for id in table.columns}
    for turn in range(RATED_FIGHTS):
        for place in rng.permutation(len(games)):
            row, column, results = games[place]
            if turn < len(results):
                ranks = {WIN: [1, 2], DRAW: [1, 1], LOSS: [2, 1]}[int(results[turn])]
                ((now[row],), (now[column],)) = model.rate([[now[row]], [now[column]]], ranks=ranks)
    return {id: Skill(float(rating.mu), float(rating.sigma)) for id, rating in now.items()}


def _results(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the result of each fight of a cell, (matches, teams, 3) to (fights,): WIN, DRAW or LOSS."""
    return np.repeat(np.arange(3), counts.sum(axis=(0, 1)))


def skill_model() -> Any:
    """Return the OpenSkill model; raise an error that explains how to install it if it is missing."""
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise HeartRushError(EXTRA) from None
    return PlackettLuce()


def as_rows(ranks: Sequence[Rank], tables: Sequence[Table], rated: Mapping[str, Skill]) -> list[dict[str, Any]]:
    """Return the ranking as JSON-able rows: rank, tier, lottery share, margin, mean win rate in percent, rating."""
    return [
        {
            "rank": place,
            "id": rank.id,
            "tier": rank.tier,
            "share": round(rank.share, 4),
            "margin": _rounded((rank.margin, rank.low, rank.high), 3),
            "mean": round(float(np.mean([100 * table.mean(rank.id).score for table in tables])), 1),
            "openskill": _rounded((rated[rank.id].mu, rated[rank.id].sigma), 2) if rated else None,
        }
        for place, rank in enumerate(ranks, 1)
    ]


def _rounded(numbers: Sequence[float], places: int) -> list[float]:
    return [round(number, places) + 0.0 for number in numbers]
