"""Rewards of your own: a function of what happened in a step, in place of the game's."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from heartrush_env.core.errors import HeartRushError
from heartrush_env.core.game import Event

RewardFunction = Callable[[list[Event]], Mapping[str, float]]  # from the events of a step to what each agent is paid


def paid(function: RewardFunction, events: list[Event], agents: Sequence[str]) -> list[float]:
    """What a function pays each agent for a step, 0 to those that it does not name.

    Raises:
        HeartRushError: it names an agent that does not exist, or pays what is no finite number.
    """
    given = function(events)
    if not isinstance(given, Mapping):
        raise HeartRushError(f"The reward function gave {given!r}, allowed: a mapping from agents to numbers.")
    for agent, amount in given.items():
        if agent not in agents:
            raise HeartRushError(f"The reward function pays {agent!r}, allowed: {', '.join(agents)}.")
        try:
            sound = math.isfinite(amount)
        except TypeError:
            sound = False
        if not sound:
            raise HeartRushError(f"The reward function pays {agent} {amount!r}, allowed: a finite number.")
    return [float(given.get(agent, 0.0)) for agent in agents]


def of_the_fight_that_ended(events: list[Event]) -> list[Event]:
    """The events of a step up to the end of its fight, without those with which a slot's next fight begins."""
    for place, event in enumerate(events):
        if event["type"] == "end":
            return events[: place + 1]
        if event["type"] == "round" and event["round"] == 1:
            return events[:place]
    return events
