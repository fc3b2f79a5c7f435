"""How predictable an agent is: what it opens with, and how far its stances follow from those before."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from heartrush_agents import Agent, load
from heartrush_agents.tournament.play import SEED

from heartrush_env.core.game import Game
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.heart_rush.solver.analysis.predictability import SHUFFLES, predictability

FIGHTS = 200  # in each team
AGAINST = "uniform"  # whose stances tell nothing


def habits(
    agent: Agent, game: Game, *, fights: int = FIGHTS, seed: int = SEED, shuffles: int = SHUFFLES
) -> dict[str, Any]:
    """What is known of an agent after watching it, for its card.

    The agent commands each team in turn, and all others are commanded by `uniform`, or by itself where that one does
    not play. Each fight is a match of its own.

    Args:
        agent: Who is watched.
        game: What is fought.
        fights: In each team.
        seed: Of all dice and choices.
        shuffles: How many shuffled histories predictors are held against.

    Returns:
        JSON-able, numbers in percent: "first_stance" by seat, as the "usual" one, its "percent" and the "bits" of
        entropy that an opponent is left with, of 2; "foreseen", the share of all stances that the best predictor
        names, "looking_back" at so many of them; "by_chance", the share that it names in shuffled histories; and
        "p_value".
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
            first[seat] = _opening([history[0] for history in of_seat])
            histories += of_seat
    found = predictability(histories, shuffles=shuffles)
    best = found.orders[found.best]
    return {
        "against": other.id,
        "fights": fights * len(set(game.teams)),
        "seed": seed,
        "first_stance": first,
        "foreseen": _percent(best.hits),
        "looking_back": best.order,
        "by_chance": _percent(best.shuffled_hits),
        "p_value": round(found.p_value, 4),
    }


def _stances(game: Game, agents: dict[str, Agent], own: Sequence[str], seed: int, number: int) -> list[list[str]]:
    """The stances that each of some seats takes in one fight."""
    env = ParallelFights(game)
    observations, _ = env.reset(seed=seed, options={"fight": number})
    players = {seat: agent.seat(game) for seat, agent in agents.items()}
    chances = {seat: np.random.default_rng([seed, number, place]) for place, seat in enumerate(players)}
    taken: dict[str, list[str]] = {seat: [] for seat in own}
    for player in players.values():
        player.new_match()
        player.new_fight()
    while True:
        events = env.events
        for player in players.values():
            player.observe(events)
        for event in events:
            if event["type"] == "reveal":
                for seat in own:
                    if (stance := event["stances"].get(seat)) is not None:
                        taken[seat].append(stance)
        if not env.agents:
            return list(taken.values())
        observations, *_ = env.step({seat: players[seat].act(observations[seat], chances[seat]) for seat in env.agents})


def _opening(stances: Sequence[str]) -> dict[str, Any]:
    """The usual one of some stances, and how much the others are hidden behind it."""
    counts = Counter(stances)
    ((usual, often),) = counts.most_common(1)
    bits = sum(count / len(stances) * math.log2(len(stances) / count) for count in counts.values())
    return {"usual": usual, "percent": _percent(often / len(stances)), "bits": round(bits, 2)}


def _percent(share: float) -> float:
    return round(100 * share, 1)
