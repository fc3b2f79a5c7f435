"""Measurement of an agent's predictability: its opening stances, and how well its past stances predict the next."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from heartrush_agents import Agent, load
from heartrush_agents.tournament.play import SEED

from heartrush_env.envs.match_runner import Players, play_fight
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.research.analysis.predictability import SHUFFLES, predictability
from heartrush_env.tabletop.game import Game
from heartrush_train.export import percent

FIGHTS = 200  # for each team
AGAINST = "uniform"  # an opponent whose stances carry no information


def habits(
    agent: Agent, game: Game, *, fights: int = FIGHTS, seed: int = SEED, shuffles: int = SHUFFLES
) -> dict[str, Any] | None:
    """Measure the habits of an agent in fights, for its card; return None in a game without stances.

    The agent commands each team in turn. `uniform` commands the others, or the agent itself if `uniform` cannot play.
    Each fight is its own match.

    Args:
        agent: The agent to observe.
        game: The game to play.
        fights: Number of fights for each team.
        seed: Seed of all dice and choices.
        shuffles: Number of shuffled histories to compare predictors with.

    Returns:
        JSON-able facts, in percent: "first_stance" for each seat, with the "usual" stance, its "percent" and the "bits"
        of its entropy, out of 2; "foreseen", the percentage of stances that the best predictor gets right when
        "looking_back" at that number of earlier ones; "by_chance", its percentage in shuffled histories; "p_value".
    """
    even = load(AGAINST)
    other = agent if even.plays(game) is not None else even
    histories: list[list[str]] = []
    first: dict[str, dict[str, Any]] = {}
    for team in dict.fromkeys(game.teams):
        own = [seat for seat, its in zip(game.agents, game.teams, strict=True) if its == team]
        players = {seat: agent if seat in own else other for seat in game.agents}
        taken = [_stances(game, players, own, seed, number) for number in range(fights)]
        for place, seat in enumerate(own):
            of_seat = [fight[place] for fight in taken if fight[place]]
            if of_seat:
                first[seat] = _opening([history[0] for history in of_seat])
            histories += of_seat
    if not histories:
        return None
    found = predictability(histories, shuffles=shuffles)
    best = found.orders[found.best]
    return {
        "against": other.id,
        "fights": fights * len(set(game.teams)),
        "seed": seed,
        "first_stance": first,
        "foreseen": percent(best.hits),
        "looking_back": best.order,
        "by_chance": percent(best.shuffled_hits),
        "p_value": round(found.p_value, 4),
    }


def _stances(game: Game, agents: dict[str, Agent], own: Sequence[str], seed: int, number: int) -> list[list[str]]:
    """Return the stances that each of the agent's seats takes in one fight."""
    players = Players(game, {seat: agent.seat(game) for seat, agent in agents.items()})
    players.new_match()
    taken: dict[str, list[str]] = {seat: [] for seat in own}
    for window in play_fight(ParallelFights(game), players, seed, number):
        for event in window.events:
            if event["type"] == "reveal":
                for seat in own:
                    if (stance := event.get("stances", {}).get(seat)) is not None:
                        taken[seat].append(stance)
    return list(taken.values())


def _opening(stances: Sequence[str]) -> dict[str, Any]:
    """Return the most frequent first stance, its frequency in percent, and the choice's entropy in bits."""
    counts = Counter(stances)
    ((usual, often),) = counts.most_common(1)
    bits = sum(count / len(stances) * math.log2(len(stances) / count) for count in counts.values())
    return {"usual": usual, "percent": percent(often / len(stances)), "bits": round(bits, 2)}
