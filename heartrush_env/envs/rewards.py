"""User-defined rewards: a function of a step's events replaces the game's rewards."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Event

RewardFunction = Callable[[list[Event]], Mapping[str, float]]  # from the events of a step to each agent's reward


def payments(function: RewardFunction, events: list[Event], agents: Sequence[str]) -> list[float]:
    """Return the payment of each agent for a step; agents that the function leaves out get 0.

    Raises:
        HeartRushError: The function names an unknown agent, or pays something other than a finite number.
    """
    given = function(events)
    if not isinstance(given, Mapping):
        raise HeartRushError(f"The reward function: expected a mapping from agents to numbers, got {given!r}.")
    for agent, amount in given.items():
        if agent not in agents:
            raise HeartRushError(
                f"The reward function: expected payments to {', '.join(agents)}, got one to {agent!r}."
            )
        try:
            sound = math.isfinite(amount)
        except TypeError:
            sound = False
        if not sound:
            raise HeartRushError(f"The reward function: expected a finite number for {agent}, got {amount!r}.")
    return [float(given.get(agent, 0.0)) for agent in agents]


def of_the_fight_that_ended(events: list[Event]) -> list[Event]:
    """Return the events of a step up to the end of its fight, without the events of the slot's next fight."""
    for place, event in enumerate(events):
        if event["type"] == "end":
            return events[: place + 1]
        if event["type"] == "round" and event["round"] == 1:
            return events[:place]
    return events
