"""The exact scores on an agent's card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from heartrush_agents.base import Agent
from heartrush_agents.heart_rush.exact.best_response import readings, why_no_score
from heartrush_agents.heart_rush.exact.equilibrium import solution
from heartrush_agents.tournament.pairing import game_of

from heartrush_env.games.heart_rush.game import as_heart_rush
from heartrush_env.research.best_response import exploitability
from heartrush_env.research.recall.policies import seated_player

MODES: Final = 1  # the most modes for an exact response; each further mode takes as long again


def exact(
    agent: Agent, scenario: str, rules: Mapping[str, Any], report: Callable[[str], None] = lambda line: None
) -> dict[str, Any] | None:
    """Return the exact NashConv on a duel and the gain of a best response in each seat; None if it is not computed.

    An exact NashConv needs the player's policy in every state of the duel, which takes a million decisions or more.
    Characters compute the odds of the dice again for each decision, which would take hours, so they get no exact score.
    """
    game = as_heart_rush(game_of(scenario, tuple(sorted(rules.items()))))
    if agent.plays(game) is not None or why_no_score(agent, game) is not None:
        return None
    player, recall = seated_player(agent.seat, game)
    if recall.size > MODES:
        return None
    if hasattr(player, "together"):
        report(
            "no exact figure, because it weighs the dice of each decision, and all states of a duel would take hours"
        )
        return None
    gained = exploitability(solution(game), readings(agent, game))
    return {
        "scenario": scenario,
        "rules": dict(rules),
        "nash_conv": round(gained.nash_conv, 5),
        "gains": {seat: round(gain, 5) for seat, gain in zip(game.agents, gained.gains, strict=True)},
    }
