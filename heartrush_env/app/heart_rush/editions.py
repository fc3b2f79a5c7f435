"""Comparison of rules editions: equal fighters, agents and seeds under each edition, fight by fight."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from heartrush_agents import Agent, load
from heartrush_agents.base import AgentError, AgentLike
from heartrush_agents.tournament.play import Progress

from heartrush_env.app.encounters.amounts import FIGHTS_TOGETHER, Amount, play
from heartrush_env.envs.match_runner import Players, play_fight
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.tabletop.game import Event, Game
from heartrush_env.tabletop.intervals import Mean, mean_of, wilson

Interval = tuple[float, float, float]  # a number with its 95 % interval


@dataclass(frozen=True)
class Facts:
    """The counts of one fight."""

    rounds: int
    declarations: int  # actions that fighters declared
    decisions: int  # choices among at least two legal actions
    damage: int
    payoff: float  # to the first team
    first: str | None  # the team that had priority first; None if no team has priority
    idle: bool  # whether some fighter never attacked and never tried a maneuver
    stances: Counter[tuple[str, str]]  # how often each fighter revealed each stance


@dataclass(frozen=True)
class Summary:
    """The averages of fights under one edition.

    Attributes:
        edition: The edition.
        fights: The number of fights.
        rounds: Rounds per fight.
        declarations: Declared actions per fight, by all fighters.
        decisions: Choices per fight among at least two legal actions, by all fighters.
        damage: Damage per round, to all fighters.
        first: The worth of acting first, with its 95 % interval: half the difference between a team's payoff when it
            has priority first and when the other team has it. None unless each of two teams has it first in at least
            two fights.
        idle: The fraction of fights in which some fighter never attacked, with its 95 % interval.
        entropy: The entropy of a fighter's stances in bits, averaged over fighters: 0 if it takes only one, 2 if it
            takes all four equally often.
    """

    edition: str
    fights: int
    rounds: Mean
    declarations: Mean
    decisions: Mean
    damage: Mean
    first: Interval | None
    idle: Interval
    entropy: float


def compare(
    games: Mapping[str, Game],
    agent: AgentLike,
    *,
    fights: int,
    seed: int,
    processes: int | None = None,
    progress: Progress = lambda done, total: None,
) -> list[Summary]:
    """Play the same fights under each edition, with one agent on all teams.

    Args:
        games: A game for each edition, with the same fighters.
        agent: The agent, or its id or path.
        fights: Fights under each edition, at least 2.
        seed: The seed of all fights.
        processes: Number of worker processes; by default one per core.
        progress: Called with the fights played and their total.
    """
    if fights < 2:
        raise AgentError(f"Expected at least 2 fights for an interval, got {fights}.")
    loaded = load(agent)
    for game in games.values():
        loaded.seat(game)  # raises an error if the agent cannot play it
    for game in games.values():
        game.batch(1).start([0], 0, [0])  # everything that needs compiling is compiled here, once
    jobs = [partial(watch, game, [loaded] * len(set(game.teams)), seed) for game in games.values()]
    found, cut = play(jobs, Amount(seed, fights, processes=processes), FIGHTS_TOGETHER, progress)
    if cut:
        raise KeyboardInterrupt
    return [
        summary(edition, [facts for piece in each for facts in piece], list(dict.fromkeys(game.teams)))
        for (edition, game), each in zip(games.items(), found, strict=True)
    ]


def watch(game: Game, agents: Sequence[Agent], seed: int, fights: int, first: int) -> list[Facts]:
    """Play some fights of a seed, each as a match of its own, and return their facts.

    Args:
        game: The game.
        agents: The agent of each team.
        seed: The seed of all fights.
        fights: The number of fights.
        first: The number of the first fight.
    """
    teams = list(dict.fromkeys(game.teams))
    seated = {seat: agents[teams.index(team)].seat(game) for seat, team in zip(game.agents, game.teams, strict=True)}
    players, env, team_of = Players(game, seated), ParallelFights(game), dict(zip(game.agents, game.teams, strict=True))
    found = []
    for fight in range(first, first + fights):
        players.new_match()
        windows = list(play_fight(env, players, seed, fight))
        events = [event for window in windows for event in window.events]
        decisions = sum(len(window.chosen) for window in windows)
        found.append(facts(events, team_of, decisions, windows[-1].rewards[game.agents[0]]))
    return found


def facts(events: Iterable[Event], teams: Mapping[str, str], decisions: int, payoff: float) -> Facts:
    """Return the facts of a fight from its events.

    Args:
        events: All events of the fight, in order.
        teams: The team of each fighter.
        decisions: The number of choices among at least two legal actions.
        payoff: The payoff of the first team.
    """
    counts: Counter[str] = Counter()
    stances: Counter[tuple[str, str]] = Counter()
    attackers, turns, damage = set(), [], 0
    for event in events:
        counts[event["type"]] += 1
        if event["type"] == "attack":
            attackers |= {event["attacker"], event["target"]} if event["mutual"] else {event["attacker"]}
        elif event["type"] == "maneuver":
            attackers.add(event["fighter"])
        elif event["type"] == "damage":
            damage += event["amount"]
        elif event["type"] == "priority":
            turns.append(event["team"])
        elif event["type"] == "reveal":
            stances.update(event["stances"].items())
    return Facts(
        rounds=counts["round"],
        declarations=counts["declare"],
        decisions=decisions,
        damage=damage,
        payoff=payoff,
        first=turns[0] if turns else None,
        idle=attackers < set(teams),
        stances=stances,
    )


def summary(edition: str, fights: Sequence[Facts], teams: Sequence[str]) -> Summary:
    """Return the averages of at least two fights between these teams; payoffs are the first team's."""
    idle = sum(fight.idle for fight in fights)
    return Summary(
        edition,
        len(fights),
        rounds=mean_of([fight.rounds for fight in fights]),
        declarations=mean_of([fight.declarations for fight in fights]),
        decisions=mean_of([fight.decisions for fight in fights]),
        damage=mean_of([fight.damage / fight.rounds for fight in fights]),
        first=_worth_of_acting_first(fights, teams[0]) if len(teams) == 2 else None,
        idle=(idle / len(fights), *wilson(idle, len(fights))),
        entropy=_entropy(fights),
    )


def _worth_of_acting_first(fights: Sequence[Facts], team: str) -> Interval | None:
    """Return half the difference between a team's payoffs when it acts first and when the other team does."""
    groups = [
        [fight.payoff for fight in fights if fight.first == team],
        [fight.payoff for fight in fights if fight.first not in (team, None)],
    ]
    if min(len(group) for group in groups) < 2:
        return None
    first, later = (mean_of(group) for group in groups)
    worth = (first.mean - later.mean) / 2
    half = math.hypot(first.high - first.mean, later.high - later.mean) / 2
    return worth, worth - half, worth + half


def _entropy(fights: Sequence[Facts]) -> float:
    """Return the entropy of each fighter's stances in bits, averaged over fighters."""
    counts: dict[str, Counter[str]] = {}
    for fight in fights:
        for (fighter, stance), number in fight.stances.items():
            counts.setdefault(fighter, Counter())[stance] += number
    bits = []
    for stances in counts.values():
        total = stances.total()
        bits.append(sum(number / total * math.log2(total / number) for number in stances.values()))
    return float(np.mean(bits)) if bits else 0.0


def _of_mean(mean: Mean) -> Interval:
    return mean.mean, mean.low, mean.high


# The measures of a summary, by heading.
MEASURES: Mapping[str, Callable[[Summary], Interval | None]] = {
    "rounds": lambda found: _of_mean(found.rounds),
    "declared actions": lambda found: _of_mean(found.declarations),
    "decisions": lambda found: _of_mean(found.decisions),
    "damage a round": lambda found: _of_mean(found.damage),
    "worth of acting first": lambda found: found.first,
    "somebody never attacked": lambda found: found.idle,
    "entropy of stances (bits)": lambda found: (found.entropy,) * 3,
}
