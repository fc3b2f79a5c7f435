"""Policies that a device can play by itself: networks, and tables of fixed weights, which are networks of one layer.

A player offers such a policy as `layers`: the layers whose outputs, over the legal actions, are the logits of its
choices. It must depend on the observation alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import AgentLike, Difficulty, Flags, Player, as_agent
from heartrush_agents.difficulty import WeakenedPlayer, mistaken_actions
from heartrush_agents.learned.network import Layers
from heartrush_env.tabletop.game import Game

NEVER = -1e30  # the logit of an action that is not chosen


@dataclass(frozen=True, eq=False)
class PlainPolicy:
    """A policy of layers, with a rate of mistakes and a temperature."""

    layers: Layers
    difficulty: Difficulty
    mistaken: Flags  # (actions,), the actions that can be mistakes


def plain_policy(player: Player) -> PlainPolicy | None:
    """Return a player's policy, weakened or not, if it is a network or a table; otherwise None."""
    difficulty, mistaken, plays = Difficulty(), mistaken_actions(player.game), player
    if isinstance(player, WeakenedPlayer):
        plays, difficulty, mistaken = player.player, player.difficulty, player.mistaken
    layers = getattr(plays, "layers", None)
    return None if layers is None or difficulty.temperature == 0 else PlainPolicy(layers, difficulty, mistaken)


def plain_policy_of(agent: AgentLike, game: Game) -> PlainPolicy | None:
    """Return the policy of an agent in a game if it is a network or a table; otherwise None."""
    return plain_policy(as_agent(agent).seat(game))


def table(game: Game, shares: NDArray[np.float64]) -> Layers:
    """Return the layers that choose actions in proportion to fixed weights, (actions,)."""
    with np.errstate(divide="ignore"):
        logits = np.maximum(np.log(shares), NEVER).astype(np.float32)
    return Layers((np.zeros((len(game.feature_names), len(shares)), np.float32),), (logits,))
