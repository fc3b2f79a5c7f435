"""The move of a learned agent to tables of actions and features that have grown or been reordered, by name.

The agent plays as before: it ignores features and actions that it was not trained on. It can learn to use them only by
further training.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from heartrush_agents.heart_rush.learned.entity_network import EntityNetwork
from heartrush_agents.heart_rush.learned.entity_view import FACTS, facts_digest
from heartrush_agents.learned.agent import WEIGHTS, claims, read_card, read_network
from heartrush_agents.learned.network import Floats, Layers, Network
from heartrush_train.export import write_card
from safetensors.numpy import load, save

from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.writing import replace_file

# The layers that read facts, by the kind of facts.
OF_FACTS = {
    "fighters": "fighter",
    "relations": "relation",
    "moment": "moment",
    "slots": "slot",
    "loadouts": "ability",
    "own": "means",
}
NEVER = -30.0  # logit of an action unknown to the network, low enough that it is never chosen


def carry_over(folder: Path, actions: Sequence[str], features: Sequence[str], game: Game) -> dict[str, Any]:
    """Rewrite the weights and the card in a folder for the tables of a game, and return the card.

    Args:
        folder: The agent's folder.
        actions: Names of the actions that the weights were trained on, in order.
        features: Names of the features that they were trained on, in order.
        game: A game with the new tables, of the same shape and memory.

    Raises:
        ValueError: The number of names differs from that of the weights, or the game lacks one of the names.
    """
    card = read_card(folder)
    network = carried(read_network(folder, card), actions, features, game)
    content = save({name: np.ascontiguousarray(array) for name, array in network.arrays().items()})
    new = [
        sorted(set(known) - set(names))
        for names, known in ((actions, game.action_names), (features, game.feature_names))
    ]
    card["training"]["carried_over"] = {"never_chosen": new[0], "not_looked_at": new[1]}
    card["fits"] = {**claims(game), "rules": {**claims(game)["rules"], **card["fits"]["rules"]}}
    card["network"] = {**card["network"], "policy": network.policy.sizes, "value": network.value.sizes}
    card["sha256"] = hashlib.sha256(content).hexdigest()
    replace_file(folder / WEIGHTS, content)
    write_card(folder, card)
    return card


def carried(network: Network, actions: Sequence[str], features: Sequence[str], game: Game) -> Network:
    """Return the network with its inputs and logits reordered to match a game's tables.

    New features get weight 0 and new actions the logit `NEVER`.

    Raises:
        ValueError: The number of names differs from that of the weights, or the game lacks one of the names.
    """
    for kind, names, size, known in (
        ("actions", actions, network.policy.sizes[-1], game.action_names),
        ("features", features, network.policy.sizes[0], game.feature_names),
    ):
        if len(names) != size:
            raise ValueError(f"{len(names)} names of {kind} are given, but the weights have {size}")
        gone = sorted(set(names) - set(known))
        if gone:
            raise ValueError(f"the game has no {gone[0]!r} among its {kind}")
    inputs = [game.feature_names.index(name) for name in features]
    outputs = [game.action_names.index(name) for name in actions]
    policy = _with_inputs(network.policy, inputs, len(game.feature_names))
    last = np.zeros((policy.weights[-1].shape[0], len(game.action_names)), np.float32)
    bias = np.full(len(game.action_names), NEVER, np.float32)
    last[:, outputs], bias[outputs] = policy.weights[-1], policy.biases[-1]
    policy = Layers((*policy.weights[:-1], last), (*policy.biases[:-1], bias))
    return Network(policy, _with_inputs(network.value, inputs, len(game.feature_names)))


def carry_over_entities(folder: Path, facts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Rewrite the weights and the card of an agent that reads entities for the current facts, and return the card.

    Args:
        folder: The agent's folder.
        facts: The names of the facts that the weights were trained on, by kind, as in `FACTS`.

    Raises:
        ValueError: The number of names differs from that of the weights, or fights lack one of the facts.
    """
    card = read_card(folder)
    arrays = load((folder / WEIGHTS).read_bytes())
    ignored: list[str] = []
    for kind, layer in OF_FACTS.items():
        names, known, weight = list(facts[kind]), list(FACTS[kind]), arrays[f"{layer}.weight"]
        gone = sorted(set(names) - set(known))
        if gone:
            raise ValueError(f"fights have no {gone[0]!r} among the facts of {kind}")
        if len(names) != len(weight):
            raise ValueError(f"{len(names)} names of {kind} are given, but the weights have {len(weight)}")
        made = np.zeros((len(known), weight.shape[1]), np.float32)
        made[[known.index(name) for name in names]] = weight
        arrays[f"{layer}.weight"] = made
        ignored += [f"{kind}: {name}" for name in known if name not in names]
    EntityNetwork.from_arrays(arrays)  # checks that all shapes match
    content = save({name: np.ascontiguousarray(array) for name, array in arrays.items()})
    card["training"]["carried_over"] = {"not_looked_at": ignored}
    card["fits"]["tables"] = facts_digest()
    card["sha256"] = hashlib.sha256(content).hexdigest()
    replace_file(folder / WEIGHTS, content)
    write_card(folder, card)
    return card


def _with_inputs(layers: Layers, inputs: Sequence[int], count: int) -> Layers:
    """Return the layers with their inputs moved to these indices among `count`."""
    first: Floats = np.zeros((count, layers.weights[0].shape[1]), np.float32)
    first[list(inputs)] = layers.weights[0]
    return Layers((first, *layers.weights[1:]), layers.biases)
