"""A bundle's description: everything about a policy except its weights, as JSON."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from heartrush_agents.learned.agent import claims
from heartrush_agents.learned.network import Layers

from heartrush_env import __version__
from heartrush_env.app.heart_rush.export.duel import duel_table, why_not_played
from heartrush_env.app.heart_rush.export.policy import Policy
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.games.heart_rush.editions import edition_of
from heartrush_env.games.heart_rush.encoding.features import features
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import CONDITIONS
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet
from heartrush_env.protocol.requests import game_fields
from heartrush_env.tabletop.views import short

FORMAT, FORMAT_VERSION = "heartrush-export", 1
OF_SHIPPED_WEIGHTS = "MIT"  # their licence
OF_FEATURE = ("name", "low", "high", "scale", "meaning")
OF_CARD = ("training", "scores", "habits", "levels")


def description(policy: Policy, files: dict[str, str]) -> dict[str, Any]:
    """Return the JSON-able description; `files` maps the bundle's other files to their SHA-256 digests."""
    game = policy.game
    turns = edition_of(game.scenario.settings).turns
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "agent": policy.agent.id,
        "description": policy.agent.description,
        "licence": OF_SHIPPED_WEIGHTS if policy.is_shipped else None,
        "fits": claims(game),
        "game": game_fields(game),
        "scenario_digest": game.scenario_digest,
        "windows_per_round": game.scenario.windows_per_round,
        "max_rounds": game.scenario.max_rounds,
        "features": [{key: getattr(each, key) for key in OF_FEATURE} for each in features(game.shape, turns)],
        "actions": list(game.action_names),
        "conditions": list(CONDITIONS),
        "network": {
            "policy": _shape(policy.network.policy),
            "value": _shape(policy.network.value) if policy.gives_value else None,
        },
        **strength(policy),
        "start": _start(policy),
        "places": {sheet.agent: _places(game, sheet) for sheet in game.scenario.fighters},
        "hit_points": {sheet.agent: sheet.hp for sheet in game.scenario.fighters},
        **({} if why_not_played(game) else {"duel": duel_table(game)}),
        "card": {key: policy.card[key] for key in OF_CARD if key in policy.card},
        "files": files,
        "versions": {
            "heartrush-env": __version__,
            "python": ".".join(map(str, sys.version_info[:3])),
            "numpy": np.__version__,
        },
    }


def strength(policy: Policy) -> dict[str, Any]:
    """Return how the policy's play is weakened, and how its levels would weaken it."""
    names, difficulty = policy.game.action_names, policy.difficulty
    return {
        "difficulty": {
            "temperature": difficulty.temperature,
            "mistakes": difficulty.mistakes,
            "mistaken": [name for name, may in zip(names, policy.mistaken, strict=True) if may],
        },
        "levels": {
            name: {"temperature": level.difficulty.temperature, "mistakes": level.difficulty.mistakes}
            for name, level in policy.agent.levels.items()
            if not level.arguments
        },
    }


def _shape(layers: Layers) -> dict[str, Any]:
    """Return the layer sizes; weights have the shape (inputs, outputs) and the safetensors file's names."""
    return {"activation": "tanh", "sizes": list(layers.sizes)}


def _places(game: HeartRush, viewer: FighterSheet) -> dict[str, str]:
    """Return the fighter in each slot of a viewer's observations, such as `enemy 1`."""
    others = [sheet for sheet in game.scenario.fighters if sheet is not viewer]
    enemies = [sheet.agent for sheet in others if sheet.team != viewer.team]
    allies = [sheet.agent for sheet in others if sheet.team == viewer.team]
    places = {"self": viewer.agent, **{f"enemy {place}": agent for place, agent in enumerate(enemies, 1)}}
    return places | {f"ally {place}": agent for place, agent in enumerate(allies, 1)}


def _start(policy: Policy) -> dict[str, list[float]]:
    """Return each seat's first observation in a fight; it supplies the values of omitted named fields."""
    observations, _ = ParallelFights(policy.game).reset(seed=0)
    return {seat: short(observation["observation"]) for seat, observation in observations.items()}
