"""A network that corrects another agent, its advisor, and the agent that plays it.

The logit of an action is the network's output for it, plus the logarithm of the advisor's probability times a weight,
whose logarithm is another output. So a network of zeros plays like its advisor, and training only has to learn where
the advisor errs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from heartrush_agents.base import Agent, Level, Player, Probabilities
from heartrush_agents.learned.fitting import why_other_rules
from heartrush_agents.learned.network import Floats, Layers, Network
from heartrush_agents.vector_player import BatchPolicy, Places
from heartrush_env.tabletop.game import ByteArray, Game, Observation, policies_of, policy_of, tables_digest
from heartrush_env.tabletop.text import escaped

VIEW = "advised"
FLOOR = 1e-4  # the least probability that an advisor is taken to give to an action


def advice_of(advisor: Player, features: Floats, masks: ByteArray) -> Floats:
    """Return the logarithms of the probabilities that an advisor gives to actions, (n, actions)."""
    if isinstance(advisor, BatchPolicy):
        shares = policies_of(advisor, features, masks)
    else:
        seen = zip(features, masks, strict=True)
        shares = np.array([policy_of(advisor, {"observation": each, "action_mask": mask}) for each, mask in seen])
    found: Floats = np.log(np.maximum(shares.reshape(masks.shape), FLOOR)).astype(np.float32)
    return found


class AdvisedPlayer(Player):
    """A player of a network that corrects an advisor."""

    def __init__(self, game: Game, network: Network, advisor: Agent, actions: Sequence[str]) -> None:
        """Bind the network, which scores these actions, and its advisor to a game."""
        super().__init__(game)
        *first, last = zip(network.policy.weights, network.policy.biases, strict=True)
        own = places_of(game, actions)
        weights, biases = zip(*first, (last[0][:, own], last[1][own]), strict=True)
        self.layers_of_game, self.advisor = Layers(weights, biases), advisor.seat(game)

    def policy(self, observation: Observation) -> Probabilities:
        """Return the corrected mixed strategy for one observation."""
        found: Probabilities = self.policies(observation["observation"][None], observation["action_mask"][None])[0]
        return found

    def policies(self, features: Floats, masks: ByteArray) -> Probabilities:
        """Return the corrected mixed strategies (n, actions) for features (n, features) and masks (n, actions)."""
        found = self.layers_of_game(features)
        logits = found[:, :-1] + np.exp(found[:, -1:]) * advice_of(self.advisor, features, masks)
        logits = np.where(masks, logits, -np.inf)
        shares: Probabilities = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return shares


def places_of(game: Game, actions: Sequence[str]) -> Places:
    """Return the places of a game's actions among the outputs of a network, and that of the weight of advice."""
    at = {name: place for place, name in enumerate(actions)}
    return np.array([*(at[name] for name in game.action_names), len(actions)])


def claims(games: Sequence[Game], advisor: str, actions: Sequence[str]) -> dict[str, Any]:
    """Return the facts in which a game must match those that a network was trained on, for its card."""
    first = games[0]
    return {  # settings in which the scenarios differ are left out
        "view": VIEW,
        "advisor": advisor,
        "shape": None,
        "tables": tables_digest(first),
        "features": digest_of(first.feature_names),
        "actions": list(actions),
        "rules": {key: value for key, value in first.rules.items() if all(game.rules[key] == value for game in games)},
        "memory": first.options["memory"],
        "scenarios": {game.scenario_name: game.scenario_digest for game in games},
    }


def digest_of(names: Sequence[str]) -> str:
    """Return a digest of names in order."""
    return hashlib.sha256("\n".join(names).encode()).hexdigest()


def why_not(fits: Mapping[str, Any], advisor: Agent, game: Game) -> str | None:
    """Return why a network of a card cannot play a game, as a clause, or None if it can."""
    if reason := advisor.plays(game):
        return f"its advisor {advisor.id!r} cannot: {reason}"
    if digest_of(game.feature_names) != fits["features"] or not {*game.action_names} <= {*fits["actions"]}:
        return "its weights are for other tables of actions and features than this game has"
    return why_other_rules(fits["rules"], game.rules)


def caution(home: Mapping[str, str], game: Game) -> str | None:
    """Return a warning about a scenario that the network was not trained on, as a clause, or None."""
    if game.scenario_digest in home.values():
        return None
    return f"it was trained on {', '.join(home)}, so how well it plays here is not known"


def read_advised(card: Mapping[str, Any], network: Network, levels: Mapping[str, Level]) -> Agent:
    """Return the agent of a card of a network that corrects an advisor; raise ValueError if a fact is missing."""
    from heartrush_agents.registry import load  # the registry reads cards

    fits = card["fits"]
    advisor, home, actions = (fits.get(key) for key in ("advisor", "scenarios", "actions"))
    if not (isinstance(advisor, str) and isinstance(home, dict) and isinstance(actions, list)):
        raise ValueError("its advisor, its scenarios or its actions are missing")
    if network.policy.sizes[-1] != len(actions) + 1:
        raise ValueError(f"its network scores {network.policy.sizes[-1]} actions, not {len(actions)}")
    adviser = load(advisor)
    return Agent(
        card["id"],
        escaped(card["description"]),
        partial(AdvisedPlayer, network=network, advisor=adviser, actions=actions),
        why_unsupported=partial(why_not, fits, adviser),
        caution=partial(caution, home),
        levels=levels,
        games=adviser.games,
    )
