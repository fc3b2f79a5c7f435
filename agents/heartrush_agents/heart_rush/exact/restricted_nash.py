"""Agents that exploit a model of an opponent and stay safe: `restricted_nash:ID`, `restricted_nash:ID@P`.

They play an exact equilibrium against an opponent that plays like the agent ID with probability P, 0.5 by default, but
freely otherwise, drawn independently at every decision. Johanson's restricted Nash response draws once for a whole
game. `heartrush_env.research.recall.restricted_nash` explains the difference and computes the frontier of
exploitation against safety.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from heartrush_agents.base import Agent, AgentError, Player, as_agent
from heartrush_agents.heart_rush.exact.best_response import TablesPlayer, readings, why_unsupported
from heartrush_agents.heart_rush.exact.equilibrium import solution
from heartrush_agents.heart_rush.tables import HEART_RUSH
from heartrush_env.tabletop.text import show

if TYPE_CHECKING:
    from heartrush_agents.heart_rush.exact.best_response import Answers
    from heartrush_env.games.heart_rush.game import HeartRush

PREFIX, SHARE = "restricted_nash:", 0.5


@lru_cache(maxsize=8)
def answers(agent: Agent, share: float, game: HeartRush) -> Answers:
    """Return the restricted responses to an agent, by the responder's seat."""
    from heartrush_env.research.recall.restricted_nash import restricted_response

    rounds, models = solution(game).rounds, reversed(readings(agent, game))
    first, second = (restricted_response(model, share, rounds).policies for model in models)
    return first, second


def split_share(text: str) -> tuple[str, float]:
    """Split "ID@P" into an agent's id and P, which is 0.5 if only "ID" is given."""
    id, at, number = text.rpartition("@")
    if not at:
        return text, SHARE
    try:
        share = float(number)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise AgentError(f"{PREFIX}{show(id)}: expected a probability from 0 to 1 after @, got {show(number)}.")
    return id, share


def restricted_nash_of(agent: Agent | type[Player], share: float = SHARE) -> Agent:
    """Return the agent that plays the restricted response to another agent."""
    agent = as_agent(agent)
    id = f"{PREFIX}{agent.id}@{share:g}"
    return Agent(
        id,
        f"The exact response to an opponent that plays like {agent.id} in {100 * share:.4g} % of its decisions and "
        "freely otherwise; computes it first.",
        partial(TablesPlayer, who=id, answers=partial(answers, agent, share)),
        why_unsupported=partial(why_unsupported, agent),
        games=HEART_RUSH,
    )


def read(text: str, load: Callable[[str], Agent]) -> Agent:
    """Return the restricted response that "ID" or "ID@P" names after the prefix."""
    id, share = split_share(text)
    return restricted_nash_of(load(id), share)
