"""The standings of an arena: its measures with their intervals, hold-out splits, and output as text or data."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartrush_agents import AgentError
from heartrush_agents.tournament.cross_table import aligned, markdown
from heartrush_agents.tournament.play import SEED
from heartrush_env.tabletop.arguments import at_least_one

RESAMPLES = 2000  # of the bootstrap
CAPPED = 0.05  # the fraction of duels above which the round cap decides too much
UNIFORM = "uniform"  # an attacker that some bot should be able to exploit
HIDING = ("defensive", "half_defensive")  # bots that should not win
NOTHING_TO_WIN = 0.02  # per duel; ratios are meaningless for members that lose less to best responses

Returns = NDArray[np.float64]  # (members, matches, seatings, duels), of an agent; 0 against itself


# -- measures ----------------------------------------------------------------------------------------------------------


class Measure(NamedTuple):
    """A number with a 95 % interval."""

    value: float
    low: float
    high: float

    def written(self) -> str:
        """Return the number with its sign, and the distance to the farther end of its interval."""
        return f"{self.value:+.3f} ±{max(self.high - self.value, self.value - self.low):.3f}"


def population_return(returns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of an agent's returns against all members, (..., members) to (...)."""
    mean: NDArray[np.float64] = returns.mean(axis=-1)
    return mean


def exploitability(returns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how much the member that wins most from the agent wins from it, (..., members) to (...)."""
    most: NDArray[np.float64] = (0.0 - returns).max(axis=-1)
    return most


def aggregate_score(returns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the population return minus the exploitability, (..., members) to (...)."""
    return population_return(returns) - exploitability(returns)


def resampled(values: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Return the mean of per-match `values`, (..., matches), in each bootstrap sample of matches, (RESAMPLES, ...)."""
    matches = values.shape[-1]
    drawn = np.random.default_rng(seed).multinomial(matches, np.full(matches, 1 / matches), size=RESAMPLES)
    means: NDArray[np.float64] = np.moveaxis(values @ (drawn.T / matches), -1, 0)
    return means


def measured(value: float, again: NDArray[np.float64]) -> Measure:
    """Return `value` with the 95 % interval of its bootstrap samples `again`."""
    low, high = np.quantile(again, [0.025, 0.975])
    return Measure(float(value), float(low), float(high))


@dataclass(frozen=True)
class HeldOut:
    """Agents' results on random splits of the population into members in training and members held out."""

    share: float
    splits: int
    training: Mapping[str, float]  # the mean aggregate score on the members in training, by agent
    held_out: Mapping[str, float]  # the mean aggregate score on the members held out, by agent
    deviation: Mapping[str, float]  # the standard deviation of `held_out` between splits
    order_kept: float  # mean Spearman correlation of the agents' orders in both parts; nan for one agent
    lost_by_choice: float  # held-out score lost by choosing the agent that is best in training

    def as_dict(self) -> dict[str, Any]:
        """Return the results as JSON-able data."""
        return {
            "share": self.share,
            "splits": self.splits,
            "order_kept": None if math.isnan(self.order_kept) else self.order_kept,
            "lost_by_choice": self.lost_by_choice,
            "agents": [
                {
                    "id": id,
                    "training": score,
                    "held_out": self.held_out[id],
                    "deviation": self.deviation[id],
                }
                for id, score in self.training.items()
            ],
        }

    def as_text(self) -> str:
        """Return the results as text."""
        ids = sorted(self.held_out, key=lambda id: -self.held_out[id])
        columns = [
            ["agent", *ids],
            ["in training", *(f"{self.training[id]:+.3f}" for id in ids)],
            ["held out", *(f"{self.held_out[id]:+.3f}" for id in ids)],
            ["between splits", *(f"{self.deviation[id]:.3f}" for id in ids)],
        ]
        order = "" if math.isnan(self.order_kept) else f" The rankings correlate by {self.order_kept:.2f} (Spearman)."
        return "\n".join(
            [
                f"{self.splits} splits, {100 * self.share:.4g} % of the members held out: aggregate scores.",
                f"Choosing the best in training loses {self.lost_by_choice:.3f} held out.{order}",
                "",
                *aligned(columns),
            ]
        )


@dataclass(frozen=True)
class Standings:
    """The results of some agents against the members of a population."""

    game: str
    scenario: str
    digest: str | None
    version: str
    seed: int
    population: tuple[str, ...]
    returns: Mapping[str, Returns]  # by agent
    undecided: Mapping[str, NDArray[np.float64]]  # by agent, the fraction of duels without a winning blow, (members,)
    left_out: Mapping[str, str] = field(default_factory=dict)  # bots missing from the population, and why
    ceilings: Mapping[str, float] = field(default_factory=dict)  # by member, an exact best response's return per duel
    unread: Mapping[str, str] = field(default_factory=dict)  # members without a known best response, and why

    @property
    def matches(self) -> int:
        """The number of matches of each pair in each seating."""
        return int(next(iter(self.returns.values())).shape[1])

    @property
    def duels(self) -> int:
        """The number of duels in a match."""
        return int(next(iter(self.returns.values())).shape[3])

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """The agents, the highest aggregate score first."""
        scores = {id: float(aggregate_score(self.by_member(id))) for id in self.returns}
        return tuple(sorted(scores, key=lambda id: -scores[id]))

    def by_member(self, id: str) -> NDArray[np.float64]:
        """Return the agent's mean return against each member, (members,)."""
        means: NDArray[np.float64] = self.returns[id].mean(axis=(1, 2, 3))
        return means

    def _again(self, id: str) -> NDArray[np.float64]:
        """Return the agent's mean returns over bootstrap samples of matches, (RESAMPLES, members)."""
        return resampled(self.returns[id].mean(axis=(2, 3)), self.seed)

    def _measured(self, measure: Callable[[NDArray[np.float64]], NDArray[np.float64]], id: str) -> Measure:
        return measured(float(measure(self.by_member(id))), measure(self._again(id)))

    def population_return(self, id: str) -> Measure:
        """Return the agent's PopulationReturn with its interval."""
        return self._measured(population_return, id)

    def exploitability(self, id: str) -> Measure:
        """Return the agent's WithinPopExploitability with its interval."""
        return self._measured(exploitability, id)

    def aggregate_score(self, id: str) -> Measure:
        """Return the agent's AggregateScore with its interval."""
        return self._measured(aggregate_score, id)

    def exploiter(self, id: str) -> str:
        """Return the member that wins most from the agent."""
        return self.population[int(self.by_member(id).argmin())]

    def curve(self, id: str) -> list[float]:
        """Return the agent's mean return in the first duel of a match, in the second, and so on."""
        means: list[float] = self.returns[id].mean(axis=(0, 1, 2)).tolist()
        return means

    def learned(self, id: str) -> Measure:
        """Return the agent's gain per duel from a match's first third to its last; 0 for matches of one duel."""
        third = max(1, self.duels // 3)
        duels = self.returns[id].mean(axis=(0, 2))  # (matches, duels)
        gain = duels[:, -third:].mean(axis=1) - duels[:, :third].mean(axis=1)
        return measured(float(gain.mean()), resampled(gain, self.seed))

    def _worth_exploiting(self, id: str) -> list[int]:
        """Return the indices of the members that a best response is known to beat noticeably."""
        return [
            place
            for place, member in enumerate(self.population)
            if member != id and self.ceilings.get(member, 0.0) >= NOTHING_TO_WIN
        ]

    def exploitation_ratio(self, id: str) -> Measure | None:
        """Return the agent's winnings from readable members divided by a best response's; None if none can lose."""
        places = self._worth_exploiting(id)
        if not places:
            return None
        most = sum(self.ceilings[self.population[place]] for place in places)
        return measured(self.by_member(id)[places].sum() / most, self._again(id)[:, places].sum(axis=1) / most)

    def ratios_by_member(self, id: str) -> dict[str, float]:
        """Return the exploitation ratio for each readable member separately."""
        made = self.by_member(id)
        names = {place: self.population[place] for place in self._worth_exploiting(id)}
        return {member: float(made[place] / self.ceilings[member]) for place, member in names.items()}

    def held_out(self, share: float, number: int) -> HeldOut:
        """Return the agents' results on `number` random splits of the population that hold out a `share` of it."""
        means = np.stack([self.by_member(id) for id in self.returns])  # (agents, members)
        scores = np.array(
            [
                [aggregate_score(means[:, [self.population.index(id) for id in part]]) for part in parts]
                for parts in splits(self.population, share, number, self.seed)
            ]
        )  # (splits, 2, agents)
        training, held = scores[:, 0], scores[:, 1]
        kept = [order for one, other in scores if not math.isnan(order := _spearman(one, other))]
        chosen = held[np.arange(len(held)), training.argmax(axis=1)]
        return HeldOut(
            share=share,
            splits=len(scores),
            training=dict(zip(self.returns, training.mean(axis=0).tolist(), strict=True)),
            held_out=dict(zip(self.returns, held.mean(axis=0).tolist(), strict=True)),
            deviation=dict(zip(self.returns, held.std(axis=0).tolist(), strict=True)),
            order_kept=float(np.mean(kept)) if kept else math.nan,
            lost_by_choice=float((held.max(axis=1) - chosen).mean()),
        )

    # -- where the benchmark shows little --------------------------------------------------------------------------

    def warnings(self) -> list[str]:
        """Return the reasons why this is a poor benchmark, one sentence each; empty if there are none."""
        return [warning for warning in (self._unexploited(), self._capped(), *self._hiding()) if warning]

    def _unexploited(self) -> str | None:
        """Return a warning if simultaneous intervals show no member that beats the uniform attacker."""
        if UNIFORM not in self.returns:
            return None
        others = [place for place, id in enumerate(self.population) if id != UNIFORM]
        if not others:
            return None
        made = -self.returns[UNIFORM][others].mean(axis=(2, 3))  # (others, matches)
        reach = NormalDist().inv_cdf(1 - 0.025 / len(others)) * made.std(axis=1, ddof=1) / math.sqrt(self.matches)
        means = made.mean(axis=1)
        if (means - reach > 0).any():
            return None
        most = int(means.argmax())
        return (
            f"Degenerate: no member of the population is shown to exploit {UNIFORM} on {self.scenario} (the best is "
            f"{self.population[others[most]]}: {means[most]:+.3f} ±{reach[most]:.3f}), so random attacks may be as "
            "good as any play, and the ranking means little."
        )

    def _capped(self) -> str | None:
        """Return a warning if too many duels end undecided."""
        shares = {
            (row, column): float(share)
            for row, found in self.undecided.items()
            for column, share in zip(self.population, found, strict=True)
            if row != column
        }
        capped = float(np.mean(list(shares.values())))
        if capped <= CAPPED:
            return None
        row, column = max(shares, key=lambda pair: shares[pair])
        return (
            f"Degenerate: {100 * capped:.1f} % of the duels end by the round cap instead of a hit, above "
            f"{100 * CAPPED:g} % (most between {row} and {column}: {100 * shares[row, column]:.0f} %)."
        )

    def _hiding(self) -> list[str]:
        """Return warnings about bots that hide and nevertheless win."""
        found = []
        for id in HIDING:
            if id in self.returns:
                made = self.returns[id].mean(axis=(0, 2, 3))
            elif id in self.population:
                place = self.population.index(id)
                made = -np.mean([returns[place].mean(axis=(1, 2)) for returns in self.returns.values()], axis=0)
            else:
                continue
            reach = NormalDist().inv_cdf(0.975) * float(made.std(ddof=1)) / math.sqrt(self.matches)
            if made.mean() - reach > 0:
                found.append(
                    f"Degenerate: {id} wins on {self.scenario} ({made.mean():+.3f} ±{reach:.3f} a duel), "
                    "so hiding pays and stances matter less."
                )
        return found

    # -- results ---------------------------------------------------------------------------------------------------

    def as_dict(self) -> dict[str, Any]:
        """Return the standings as JSON-able data."""
        return {
            **{name: getattr(self, name) for name in ("game", "scenario", "digest", "version", "seed")},
            "duels": self.duels,
            "matches": self.matches,
            "population": list(self.population),
            "left_out": dict(self.left_out),
            "best_responses": dict(self.ceilings),
            "not_read": dict(self.unread),
            "agents": [
                {
                    "id": id,
                    "population_return": self.population_return(id)._asdict(),
                    "within_pop_exploitability": {**self.exploitability(id)._asdict(), "by": self.exploiter(id)},
                    "aggregate_score": self.aggregate_score(id)._asdict(),
                    "exploitation_ratio": None if (ratio := self.exploitation_ratio(id)) is None else ratio._asdict(),
                    "ratio_by_member": self.ratios_by_member(id),
                    "learned": self.learned(id)._asdict(),
                    "curve": self.curve(id),
                    "by_member": dict(zip(self.population, self.by_member(id).tolist(), strict=True)),
                    "undecided": float(self.undecided[id].mean()),
                }
                for id in self.agents
            ],
            "warnings": self.warnings(),
        }

    def introduction(self) -> list[str]:
        """Return an explanation of the numbers, one line per item."""
        return [
            f"{self.scenario}: against each of {len(self.population)} bots {self.matches} matches of {self.duels} "
            f"duels in both seats, seed {self.seed}.",
            "A win is +1, a loss -1. Return: mean over the bots. Exploited: the return of the bot that wins most from "
            "the agent. Score: return minus exploited.",
            "Learned: mean return in the last third of a match minus that in the first. "
            "± is the distance to the farther end of the 95 % interval.",
            *self.notes(),
        ]

    def notes(self) -> list[str]:
        """Return sentences about bots that are left out, about the exploitation ratio, and about unreadable bots."""
        found = []
        for reason in dict.fromkeys(self.left_out.values()):
            names = ", ".join(id for id, why in self.left_out.items() if why == reason)
            found.append(f"Left out of the population: {names}; {reason}.")
        if self.ceilings:
            found.append(
                f"Exploits: winnings from those of the {len(self.ceilings)} readable bots that can be beaten, "
                "divided by the winnings of exact best responses."
            )
        if self.unread:
            found.append(f"Not readable, so not included: {', '.join(self.unread)}.")
        return found

    def as_text(self) -> str:
        """Return the standings as text."""
        return "\n".join([*self.introduction(), *self.warnings(), "", *aligned(self._columns())])

    def as_markdown(self) -> str:
        """Return the standings as a Markdown table."""
        return markdown([*self.introduction(), *self.warnings()], self._columns())

    def _columns(self) -> list[list[str]]:
        return [
            ["agent", *self.agents],
            ["return", *(self.population_return(id).written() for id in self.agents)],
            ["exploited", *(self.exploitability(id).written() for id in self.agents)],
            ["by", *(self.exploiter(id) for id in self.agents)],
            ["score", *(self.aggregate_score(id).written() for id in self.agents)],
            ["learned", *(self.learned(id).written() for id in self.agents)],
            *([["exploits", *map(self._exploits, self.agents)]] if self.ceilings else []),
        ]

    def _exploits(self, id: str) -> str:
        ratio = self.exploitation_ratio(id)
        return "-" if ratio is None else ratio.written()


def _spearman(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return the rank correlation of two arrays, with shared ranks for ties; nan if an array's values are all equal."""
    ranks = [
        np.array([np.mean(np.flatnonzero(np.sort(each) == value)) for value in each], dtype=np.float64)
        for each in (one, other)
    ]
    if any(each.std() == 0 for each in ranks):
        return math.nan
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def splits(members: Sequence[str], share: float, number: int, seed: int = SEED) -> list[tuple[list[str], list[str]]]:
    """Return `number` random splits of a population into members to train on and a `share` of members held out."""
    if not 0 < share < 1:
        raise AgentError(f"held_out: expected a fraction above 0 and below 1, got {share:g}.")
    if len(members) < 2:
        raise AgentError("held_out: expected a population of at least two members, got one, which cannot be split.")
    held = min(max(1, round(share * len(members))), len(members) - 1)
    chance, found = np.random.default_rng(seed), []
    for _ in range(at_least_one("splits", number)):
        out = set(chance.permutation(len(members))[:held].tolist())
        parts = [[id for place, id in enumerate(members) if (place in out) == side] for side in (False, True)]
        found.append((parts[0], parts[1]))
    return found
