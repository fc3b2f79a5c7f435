"""Fights of one scenario, observed as entities, in which a learner plays one side and other agents the rest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from heartrush_agents.heart_rush.learned.entity_agent import are_stances
from heartrush_agents.heart_rush.learned.entity_view import Seen, look
from heartrush_agents.heart_rush.tactics.tactician import TacticalPlayer
from numpy.typing import NDArray

from heartrush_env.envs.vector import BatchEnv
from heartrush_env.games.heart_rush.game import as_heart_rush
from heartrush_env.tabletop.game import Game
from heartrush_train.heart_rush.entity_net import EntityNet
from heartrush_train.opponents import ITSELF, PAST, in_turn

Whole = NDArray[np.int64]


class EntitySeats:
    """Fights of one scenario, in slots, with the opponents seated in turn."""

    def __init__(
        self, game: Game, slots: int, opponents: Sequence[str], only_stances: bool = False, side: str = ""
    ) -> None:
        """Seat the opponents.

        Args:
            game: The game.
            slots: The number of fights that are played at once.
            opponents: Agents by id, `ITSELF` or `PAST`; agents that cannot play the game are left out.
            only_stances: Whether the learner and its past selves decide only stances; the tactician decides all else.
            side: The learner's team in every slot; by default it has all teams in turn.

        Raises:
            TrainingError: The game has no such team.
            HeartRushError: The game is not Heart Rush.
        """
        self.game, self.fights = as_heart_rush(game), BatchEnv(game, slots, observations="entities")
        seating = in_turn(game, slots, opponents, side)
        self.opponents, self.players = seating.opponents, seating.players
        self.learns, self.past = seating.learns, seating.past  # (slots, seats)
        self.own_seat = self.learns.argmax(axis=1)  # a seat of the learner's team in each slot
        self.tactician = TacticalPlayer(game) if only_stances else None
        self.actions = np.zeros((slots, len(game.teams)), np.int64)
        self.scores: defaultdict[str, list[float]] = defaultdict(list)

    def start(self, rng: np.random.Generator) -> None:
        """Start new fights, with all randomness from `rng`."""
        self.fights.reset(int(rng.integers(2**62)))
        for player in self.players:
            player.rng = rng.spawn(1)[0]
            player.new_match()
            player.new_fight()

    def asked(self, who: str = ITSELF) -> tuple[Whole, Whole]:
        """Return the slots and the seats in which the learner's network, or that of a past self, has a choice."""
        having, stances = self._choices(self.past if who == PAST else self.learns)
        slots, seats = (having if self.tactician is None else having & stances).nonzero()
        return slots, seats

    def _choices(self, seats_of: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which of these seats have a choice, and which seats choose a stance now; both are (slots, seats)."""
        masks = self.fights.observations["action_mask"]
        having: NDArray[np.bool_] = (masks.sum(axis=2) > 1) & seats_of
        return having, are_stances(self.game, masks)

    def look(self, slots: Whole, seats: Whole) -> Seen:
        """Return a network's inputs for these seats, with their legal choices."""
        shown = self.fights.observations
        masks = shown["action_mask"][slots, seats]
        return look(shown, slots, seats, self.game.entities, self.game.action_slots, masks)

    def others_choose(self) -> None:
        """Write the actions of the opponents, and of the tactician where it decides for the learner.

        All other seats get the first legal action, until the learner has chosen.
        """
        masks = self.fights.observations["action_mask"]
        self.actions[:] = masks.argmax(axis=2)
        read = {"observation": self.fights.vectors, "action_mask": masks}
        for player in self.players:
            player.act(read, self.actions)
        if self.tactician is not None:
            having, stances = self._choices(self.learns | self.past)
            left = having & ~stances
            if left.any():
                self.actions[left] = self.tactician.choices(self.fights.vectors[left], masks[left])

    def step(self) -> tuple[Any, Any]:
        """Play the chosen actions; return the rewards (slots, seats), and which fights ended (slots,)."""
        _, rewards, _, _, told = self.fights.step(self.actions)
        ended: Any = told["ended"]
        for slot in np.flatnonzero(ended):
            if self.opponents[slot] != ITSELF:
                self.scores[self.opponents[slot]].append((1 + float(rewards[slot, self.own_seat[slot]])) / 2)
        if ended.any():
            for player in self.players:
                player.new_fight(np.flatnonzero(ended))
        return rewards, ended


@torch.no_grad()
def policies(net: EntityNet, seen: Seen) -> tuple[Any, Any]:
    """Return a network's probabilities of all actions, (rows, actions), and its values, (rows,)."""
    logits, values = net(seen.converted(torch.from_numpy))
    return torch.softmax(logits, dim=1).numpy(), values.numpy()


def drawn(shares: Any, rng: np.random.Generator) -> Whole:
    """Sample one action for each row of probabilities."""
    steps = np.cumsum(shares, axis=1, dtype=np.float64)
    places = (steps <= rng.random((len(shares), 1)) * steps[:, -1:]).sum(axis=1)
    chosen: Whole = np.minimum(places, (steps < steps[:, -1:]).sum(axis=1))
    return chosen


def mean_scores(several: Sequence[EntitySeats]) -> dict[str, float]:
    """Return the learner's mean score against each agent since the last call."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for seats in several:
        for id, scores in seats.scores.items():
            found[id] += scores
        seats.scores.clear()
    return {id: float(np.mean(scores)) for id, scores in found.items() if scores}
