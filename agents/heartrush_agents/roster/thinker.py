"""Plays the fight forward in its mind before it decides."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from heartrush_agents.base import Agent, Argument
from heartrush_agents.search.positions import why_unsupported
from heartrush_agents.search.thinker import TRUST, USUAL_MS, ThinkingPlayer
from heartrush_env.tabletop.game import Game

PREFIX = "thinker:"

ENEMY = Agent(
    "thinker",
    "Plays the fight on in its mind from what it sees, in many roll-outs, before it decides.",
    ThinkingPlayer,
    why_unsupported=why_unsupported,
    arguments={
        "think_ms": Argument(0, 600_000, USUAL_MS, "Milliseconds to think over a decision; 0 for no thought."),
        "rollouts": Argument(0, 10_000_000, 0, "Roll-outs for a decision in place of the milliseconds; 0 for none."),
        "trust": Argument(0, 1, TRUST, "Share of its enemy's stances that it expects to be as those before."),
    },
)


def thinker_with(base: Agent) -> Agent:
    """Return an agent that thinks as `thinker` does and searches with another agent."""
    return replace(
        ENEMY,
        id=f"{PREFIX}{base.id}",
        description=f"Plays the fight on in its mind before it decides, and expects stances like those of {base.id}.",
        make=partial(ThinkingPlayer, base=base),
        why_unsupported=partial(why_not_with, base),
    )


def why_not_with(base: Agent, game: Game) -> str | None:
    """Return why the thinker cannot search with an agent in a game, as a clause, or None if it can."""
    found = why_unsupported(game) or base.plays(game)
    if found is None and base.seat(game).memory == "match":
        found = f"it can search only with agents that decide by what they see, and {base.id} remembers its fights"
    return found
