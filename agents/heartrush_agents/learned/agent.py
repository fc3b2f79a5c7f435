"""Learned agents: a folder with a network's weights and a card that describes the weights and their training.

The weights (safetensors) and the card (JSON) are plain data: reading them runs no code and needs no torch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as read_arrays

from heartrush_agents.base import Agent, AgentError, Level, Player, Probabilities, read_object
from heartrush_agents.difficulty import read_levels
from heartrush_agents.heart_rush.learned import entity_agent
from heartrush_agents.heart_rush.learned.entity_network import EntityNetwork
from heartrush_agents.heart_rush.tables import HEART_RUSH
from heartrush_agents.learned.fitting import why_other_rules
from heartrush_agents.learned.network import Floats, Layers, Network
from heartrush_env.tabletop.files import read_file
from heartrush_env.tabletop.game import Game, Observation, memory_columns, most_reveals, tables_digest
from heartrush_env.tabletop.text import escaped, show
from heartrush_env.tabletop.validate import is_whole

if TYPE_CHECKING:
    from heartrush_env.research.levels.duel import LevelsDuel
    from heartrush_env.research.levels.evaluate import LevelsPolicy

FORMAT, FORMAT_VERSION = "heartrush-policy", 1
CARD, WEIGHTS = "card.json", "policy.safetensors"
ALL_DUELS = "duel"  # the view of weights for all duels
OF_ANY_GAME = {"advised": "heartrush_agents.learned.advised:read_advised"}  # views of weights for any game
LONGEST_ID = 64  # characters
LARGEST_CARD, LARGEST_WEIGHTS = 2**20, 64 * 2**20  # bytes
NEEDED = f"a file that training wrote: {CARD} and {WEIGHTS}"
Built = TypeVar("Built")


def shipped() -> dict[str, Path]:
    """Return the folders of the package's learned agents, by id."""
    root = Path(str(files("heartrush_agents") / "weights"))
    return {card.parent.name: card.parent for card in sorted(root.glob(f"*/{CARD}"))}


def claims(game: Game) -> dict[str, Any]:
    """Return the facts of a game that its weights must match: tables, rules, and the number of reveals shown.

    Returns:
        JSON-able: "shape" by name, "tables" as a digest of all actions, features and their bounds, "rules", "memory".
    """
    return {
        "shape": game.options["shape"],
        "tables": tables_digest(game),
        "rules": dict(game.rules),
        "memory": game.options["memory"],
    }


def why_unsupported(fits: Mapping[str, Any], network: Network, game: Game) -> str | None:
    """Return why a network trained for `fits` cannot play a game, as a clause, or None if it can."""
    here = claims(game)
    if here["shape"] != fits["shape"]:
        return f"its weights are for the shape {fits['shape']}, but this is {here['shape']}"
    if reason := why_other_rules(fits["rules"], here["rules"]):
        return reason
    sizes = len(game.feature_names), len(game.action_names)
    if here["tables"] != fits["tables"] or (network.policy.sizes[0], network.policy.sizes[-1]) != sizes:
        return "its weights are for other tables of actions and features than this version has"
    if here["memory"] != fits["memory"] and reads_memory(network, game):
        trained, shown = ("all" if memory is None else memory for memory in (fits["memory"], here["memory"]))
        return f"it was trained with memory {trained}, but here it is {shown}"
    return None


def reads_memory(network: Network, game: Game) -> bool:
    """Return whether a network reads any feature that depends on how many reveals the game shows."""
    columns = list(memory_columns(game))
    return any(layers.weights[0][columns].any() for layers in (network.policy, network.value))


class LearnedPlayer(Player):
    """A player of a network's mixed strategy."""

    def __init__(self, game: Game, network: Network, memory: int) -> None:
        """Bind the network to a game; `memory` is the number of reveals that it saw in training."""
        super().__init__(game)
        self.network = network
        self.memory = memory

    @property
    def layers(self) -> Layers:
        """The layers of the policy, which devices can play."""
        return self.network.policy

    def policy(self, observation: Observation) -> Probabilities:
        """Return the network's mixed strategy for one observation."""
        return self.network.probabilities(observation["observation"], observation["action_mask"])

    def policies(self, features: Floats, masks: NDArray[np.int8]) -> Probabilities:
        """Return the mixed strategies (n, actions) for features (n, features) and masks (n, actions)."""
        return self.network.probabilities(features, masks)

    def levels_policy_in(self, duel: LevelsDuel, seat: int) -> LevelsPolicy:
        """Return the policy of a seat in every state of a duel with levels, for exact solvers."""
        from heartrush_agents.heart_rush.learned.levels_policy import (
            NetworkPolicy,  # compiled code, loaded when it is needed
        )

        return NetworkPolicy(self.network.policy, duel, seat)


class ValuingPlayer(LearnedPlayer):
    """A learned player on the scenario it was trained on. It can therefore give its expected result."""

    def value(self, observation: Observation) -> float:
        """Return the seat's expected result, from -1 for a certain loss to 1 for a certain win."""
        return float(np.clip(self.network.value(observation["observation"])[0], -1.0, 1.0))


@dataclass(frozen=True)
class Home:
    """The scenario that an agent was trained on, as far as its card names it."""

    name: str
    digest: str | None  # None if it is not on the card

    @classmethod
    def of(cls, card: Mapping[str, Any]) -> Home:
        """Read the home scenario from a card."""
        training = card.get("training")
        told = training if isinstance(training, dict) else {}
        knobs = told.get("knobs")  # options; on cards of earlier versions, only they name the scenario
        name = told.get("scenario", knobs.get("scenario") if isinstance(knobs, dict) else None)
        digest = told.get("scenario_digest")
        return cls(
            show(name) if isinstance(name, str) else "another scenario", digest if isinstance(digest, str) else None
        )

    def is_here(self, game: Game) -> bool:
        """Return whether a game is on this scenario, with the same rules and fighters."""
        return self.digest is None or game.scenario_digest == self.digest

    def caution(self, game: Game) -> str | None:
        """Return a warning about a game on another scenario, as a clause, or None for its own scenario."""
        if self.is_here(game):
            return None
        return f"it was trained on {self.name}, so how well it plays here is not known, and it gives no value"


def _sit(game: Game, home: Home, network: Network, memory: int | None) -> LearnedPlayer:
    """Make a learned player; it gives values only on the scenario that its network was trained on."""
    seen = most_reveals(game) if memory is None else memory
    kind = ValuingPlayer if home.is_here(game) else LearnedPlayer
    return kind(game, network, seen if reads_memory(network, game) else 0)


def is_network(agent: Agent) -> bool:
    """Return whether an agent plays a network on vector observations at full strength."""
    return isinstance(agent.make, partial) and agent.make.func is _sit


def read_agent(folder: Path, views: Mapping[str, str] | None = None) -> Agent:
    """Load an agent from a folder written by training.

    Args:
        folder: The folder.
        views: Texts like "package.module:function", which name the functions that read the agents of weights with a
            view of a game's own, by the names of the views; without them, such an agent cannot play.

    Raises:
        AgentError: The folder is invalid.
    """
    card = read_card(folder)
    fits, says = card["fits"], escaped(card["description"])
    if entity_agent.is_for_entities(fits):
        plain = read_weights(folder, card, EntityNetwork.from_arrays)
        return Agent(
            card["id"],
            says,
            partial(entity_agent.player_of(fits), network=plain),
            why_unsupported=partial(entity_agent.why_unsupported, fits),
            levels=levels_of(folder, card),
            arguments=entity_agent.arguments_of(fits),
            games=HEART_RUSH,
        )
    network, home = read_network(folder, card), Home.of(card)
    module, _, name = {**OF_ANY_GAME, **(views or {})}.get(str(fits.get("view")), "").partition(":")
    if module:
        try:
            found: Agent = getattr(import_module(module), name)(card, network, levels_of(folder, card))
            return found
        except ValueError as problem:
            raise AgentError(f"{folder / CARD}: expected a card that training wrote, but {problem}.") from None
    sit = partial(_sit, home=home, network=network, memory=fits["memory"])
    levels = levels_of(folder, card)
    return Agent(
        card["id"],
        says,
        sit,
        why_unsupported=partial(why_unsupported, fits, network),
        caution=home.caution,
        levels=levels,
    )


def levels_of(folder: Path, card: Mapping[str, Any]) -> dict[str, Level]:
    """Return the calibrated levels on an agent's card; empty if it has none."""
    try:
        return read_levels(card.get("levels"))
    except ValueError as problem:
        found = str(problem).rstrip(".")
        raise AgentError(f"{folder / CARD}: {found}.") from None


def read_card(folder: Path) -> dict[str, Any]:
    """Read the card in a folder, and check the fields needed for playing."""
    path = folder / CARD
    card = read_object(path, LARGEST_CARD, "a card that training wrote")
    if card.get("format") != FORMAT:
        raise AgentError(f"{path}: expected a card that training wrote, with format {FORMAT!r}, got another file.")
    if card.get("version") != FORMAT_VERSION:
        raise AgentError(f"{path}: expected version {FORMAT_VERSION}, got {show(card.get('version'))}.")
    fits = card.get("fits")
    sound = (
        isinstance(card.get("id"), str)
        and card["id"].isidentifier()
        and len(card["id"]) <= LONGEST_ID
        and isinstance(card.get("description"), str)
        and isinstance(card.get("sha256"), str)
        and isinstance(fits, dict)
        and isinstance(fits.get("rules"), dict)
        and {"shape", "tables", "memory"} <= fits.keys()
        and entity_agent.is_sound(fits)
        and (fits["shape"] is None or (isinstance(fits["shape"], str) and fits["shape"].isidentifier()))
        and (fits["memory"] is None or (is_whole(fits["memory"]) and fits["memory"] >= 0))
    )
    if not sound:
        raise AgentError(f"{path}: expected a card that training wrote, got one with a missing or invalid field.")
    return card


def read_network(folder: Path, card: Mapping[str, Any]) -> Network:
    """Read a network for vector observations; raise AgentError if the file does not match the card."""
    return read_weights(folder, card, Network.from_arrays)


def read_weights(folder: Path, card: Mapping[str, Any], build: Callable[[Mapping[str, NDArray[Any]]], Built]) -> Built:
    """Read the weights and build the network from them; raise AgentError if the file does not match the card."""
    path = folder / WEIGHTS
    content = read_file(path, LARGEST_WEIGHTS, AgentError, NEEDED)
    if hashlib.sha256(content).hexdigest() != card["sha256"]:
        raise AgentError(f"{path}: it is damaged, or not the file that {CARD} was written for.")
    try:
        return build(read_arrays(content))
    except KeyError as kind:  # the library has no NumPy type for it
        message = f"{path}: expected weights of type F32, got {show(kind.args[0])}."
        raise AgentError(message) from None
    except (SafetensorError, ValueError) as error:
        raise AgentError(f"{path}: it does not hold a valid network ({error}).") from None
