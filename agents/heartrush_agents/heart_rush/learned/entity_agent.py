"""Players with a network that reads entities: one set of weights for fights of any size, on any map.

A player receives vectors, as all players do, and reads them as entities; it sees nothing beyond its seat's own view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Argument, Player, Probabilities
from heartrush_agents.heart_rush.learned.entity_network import EntityNetwork
from heartrush_agents.heart_rush.learned.entity_view import Floats, VectorReader, facts_digest, fitting_digests
from heartrush_agents.heart_rush.search.stances import Mixes
from heartrush_agents.heart_rush.tactics.tactician import TacticalPlayer
from heartrush_agents.learned.fitting import why_other_rules
from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.games.heart_rush.state.record import REVEALS
from heartrush_env.tabletop.game import Game, Observation
from heartrush_env.tabletop.text import show

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush

ENTITIES = "entities"
EVERYTHING, ONLY_STANCES = "everything", "stances"  # what a network decides
DECIDES = (EVERYTHING, ONLY_STANCES)


class EntityPlayer(Player):
    """A player of the mixed strategy of a network that reads entities."""

    def __init__(self, game: Game, network: EntityNetwork) -> None:
        """Bind the network to a game."""
        super().__init__(game)
        self.network = network
        self.memory = REVEALS if game.options["memory"] is None else game.options["memory"]
        self._reader = VectorReader(cast("HeartRush", game))

    def policy(self, observation: Observation) -> Probabilities:
        """Return the network's mixed strategy for one observation."""
        one: Probabilities = self.policies(observation["observation"][None], observation["action_mask"][None])[0]
        return one

    def policies(self, features: Floats, masks: NDArray[np.int8]) -> Probabilities:
        """Return the mixed strategies (n, actions) for features (n, features) and masks (n, actions)."""
        logits = self.network(self._reader.look(features, masks))[0]
        shares: Probabilities = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return shares


class StancePlayer(EntityPlayer):
    """A player that mixes a network's stances with stances calculated from the dice; the tactician decides all else.

    A network foresees how its enemies usually mix their stances, so enemies that mix them differently can exploit it.
    The equilibrium of one round's odds can hardly be exploited, and wins little. `trust` balances the two.
    """

    def __init__(self, game: Game, network: EntityNetwork, trust: float = 1.0) -> None:
        """Bind the network and a tactician to a game; `trust` is the network's weight in the mix of stances."""
        super().__init__(game, network)
        self._trust, self._tactician, self._mixes = trust, TacticalPlayer(game), Mixes(game)
        self._stances = [game.action_names.index(f"stance {stance}") for stance in STANCES]

    def policies(self, features: Floats, masks: NDArray[np.int8]) -> Probabilities:
        """Return the mixed strategy in stance windows, and the tactician's choices in all other windows."""
        stances = are_stances(self.game, masks)
        shares: Probabilities = np.zeros(masks.shape)
        for deciding, rows in ((self._mixed, stances), (self._tactician.policies, ~stances)):
            if rows.any():
                shares[rows] = deciding(features[rows], masks[rows])
        return shares

    def _mixed(self, features: Floats, masks: NDArray[np.int8]) -> Probabilities:
        """Return the mixture of the network's stances and the equilibrium of one round's odds, weighted by trust."""
        shares = super().policies(features, masks)
        if self._trust < 1:
            shares *= self._trust
            shares[:, self._stances] += (1 - self._trust) * self._mixes.of(features)
        return shares


def are_stances(game: Game, masks: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return whether each of these masks (..., actions) belongs to a stance window, (...)."""
    stances = [game.action_names.index(f"stance {stance}") for stance in STANCES]
    found: NDArray[np.bool_] = np.any(masks[..., stances], axis=-1)
    return found


def player_of(fits: Mapping[str, Any]) -> type[EntityPlayer]:
    """Return the player class for a card with these claims."""
    return StancePlayer if fits.get("decides") == ONLY_STANCES else EntityPlayer


def arguments_of(fits: Mapping[str, Any]) -> dict[str, Argument]:
    """Return the numbers that an agent takes, given its card's claims."""
    if fits.get("decides") != ONLY_STANCES:
        return {}
    says = "Share of its stances that the network takes; the rest are mixed by the odds of one round."
    return {"trust": Argument(0, 1, 1.0, says)}


def claims(games: Sequence[Game], decides: str = EVERYTHING) -> dict[str, Any]:
    """Return, as JSON-able data, the facts in which a game must match weights trained on these games.

    Rule settings are required only where all these games agree. `decides` names what the network decides, one of
    DECIDES.
    """
    first, *others = games
    agreed = {key: value for key, value in first.rules.items() if all(game.rules[key] == value for game in others)}
    return {
        "observations": ENTITIES,
        "decides": decides,
        "shape": None,
        "shapes": sorted({game.options["shape"] for game in games}, key=list(SHAPES).index),
        "tables": facts_digest(),
        "rules": agreed,
        "memory": first.options["memory"],
    }


def is_for_entities(fits: Mapping[str, Any]) -> bool:
    """Return whether a card's weights read entities."""
    return fits.get("observations") == ENTITIES


def is_sound(fits: Mapping[str, Any]) -> bool:
    """Return whether a card names valid shapes and decisions, if its weights read entities."""
    shapes = fits.get("shapes")
    named = isinstance(shapes, list) and all(isinstance(shape, str) for shape in shapes)
    sound = named and fits.get("decides", EVERYTHING) in DECIDES
    return sound if is_for_entities(fits) else "observations" not in fits


def why_unsupported(fits: Mapping[str, Any], game: Game) -> str | None:
    """Return why weights trained for `fits` cannot play a game, as a clause, or None if they can."""
    shape = game.options["shape"]
    if shape not in fits["shapes"]:
        trained = ", ".join(map(show, fits["shapes"]))
        return f"its weights are for fights of the shapes {trained}, but this is {shape}"
    if reason := why_other_rules(fits["rules"], game.rules):
        return reason
    if fits["tables"] not in fitting_digests():
        return "its weights are for other facts about fights than this version has"
    if fits["memory"] != game.options["memory"]:
        trained, shown = ("all" if memory is None else memory for memory in (fits["memory"], game.options["memory"]))
        return f"it was trained with memory {trained}, but here it is {shown}"
    return None
