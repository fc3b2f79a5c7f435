"""The exportable part of an agent: its network, and how its play is weakened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from heartrush_agents import load
from heartrush_agents.base import Agent, Difficulty, Player
from heartrush_agents.cards import weights_of
from heartrush_agents.difficulty import WeakenedPlayer, mistaken_actions
from heartrush_agents.heart_rush.learned.duelist import DuelPlayer
from heartrush_agents.heart_rush.learned.entity_agent import EntityPlayer
from heartrush_agents.learned.agent import ALL_DUELS, LearnedPlayer, ValuingPlayer, read_card, shipped
from heartrush_agents.learned.network import Network
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.game import HeartRush, as_heart_rush
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.registry import open_game
from heartrush_env.tabletop.text import show

DEFAULT_SCENARIO = "duel"


class ExportError(HeartRushError):
    """An error for an agent that cannot be exported, or for a bundle that cannot be written."""


@dataclass(frozen=True, eq=False)
class Policy:
    """An agent's play on one game in exportable form: probabilities as a function of observation and mask."""

    agent: Agent
    game: HeartRush
    player: Player  # the seated player; the export must agree with it
    network: Network
    difficulty: Difficulty
    mistaken: NDArray[np.bool_]  # (actions,), which actions may be mistakes
    card: Mapping[str, Any] = field(default_factory=dict)  # the card of the weights; empty if they have none
    is_shipped: bool = False

    @property
    def gives_value(self) -> bool:
        """Whether the agent gives its expected result, as it does only at full strength on its training scenario."""
        return isinstance(self.player, ValuingPlayer)


def read_policy(id: str, scenario: str | None = None, rules: Mapping[str, Any] | None = None) -> Policy:
    """Read the policy of an agent.

    Args:
        id: A learned agent of the package or the folder of a trained one, either with a level as in "duelist@easy".
        scenario: The scenario; by default the one that the agent was trained on.
        rules: Settings; omitted ones are as in the agent's training.

    Raises:
        ExportError: The agent does not play by a single network over observations.
        AgentError: There is no such agent, or it does not play this scenario.
    """
    agent, folder = load(id), weights_of(id) or weights_of(id.rpartition("@")[0])
    card = read_card(folder) if folder is not None else {}
    fits, training = card.get("fits", {}), card.get("training")
    home = training.get("scenario") if isinstance(training, dict) else None
    table = {
        "scenario": scenario or (home if isinstance(home, str) else DEFAULT_SCENARIO),
        "rules": {**(fits.get("rules", {}) if _is_bound(fits) else {}), **(rules or {})},
        "memory": fits.get("memory"),
    }
    game = as_heart_rush(open_game(table, ""))
    player = agent.seat(game)
    difficulty, words, inner = Difficulty(), None, player
    if isinstance(player, WeakenedPlayer):
        difficulty, inner = player.difficulty, player.player
        words = getattr(inner, "blunders", None)
    if not isinstance(inner, LearnedPlayer):
        raise ExportError(f"Expected an agent that can be exported ({_allowed()}), got {show(id)}: {_why_not(inner)}.")
    mistaken = mistaken_actions(game, words)
    shipped_here = folder is not None and folder in shipped().values()
    return Policy(agent, game, player, inner.network, difficulty, mistaken, card, shipped_here)


def _why_not(player: Player) -> str:
    """Return why a player is not a network over observations, as a clause."""
    if isinstance(player, DuelPlayer):
        return "its network reads the odds of hits, which the rules compute for each duel"
    if isinstance(player, EntityPlayer):
        return "its network reads entities, whose number changes from fight to fight"
    return "it decides by rules and searches, not by a network"


def _is_bound(fits: Mapping[str, Any]) -> bool:
    """Return whether weights fit only the rules that their card names."""
    return bool(fits.get("shape")) or fits.get("view") == ALL_DUELS


def _allowed() -> str:
    exported = [id for id, folder in shipped().items() if read_card(folder)["fits"].get("shape")]
    return f"{', '.join(exported)}, or a folder trained by ppo_self_play, exploiter or shapley"
