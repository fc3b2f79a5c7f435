"""Fights of one scenario, observed as entities, in which a learner plays one side and other agents the rest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from heartrush_agents import load
from heartrush_agents.learned.entity_agent import are_stances
from heartrush_agents.learned.entity_view import Seen, look
from heartrush_agents.tactics.tactician import TacticalPlayer
from heartrush_agents.vector_player import VectorPlayer
from numpy.typing import NDArray

from heartrush_env.envs.vector import VectorFights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.validate import join_or
from heartrush_train.config import TrainingError
from heartrush_train.entity_net import EntityNet

NOT_YET = np.random.default_rng(0)  # a placeholder: `start` gives the players their generators
ITSELF = "itself"  # as an opponent: the learner plays both sides
PAST = "past"  # as an opponent: an earlier policy; the recipe chooses for it
Whole = NDArray[np.int64]


class EntitySeats:
    """Fights of one scenario, in slots.

    The learner has the first team in the first slot, the second team in the second slot, and so on in turn. Opponents
    have the other teams. If the learner trains for one side, it has that team in every slot.
    """

    def __init__(
        self, game: HeartRush, slots: int, opponents: Sequence[str], only_stances: bool = False, side: str = ""
    ) -> None:
        """Seat the opponents in turn, slot by slot.

        Args:
            game: The game.
            slots: The number of fights that are played at once.
            opponents: Agents by id, `ITSELF` or `PAST`; agents that cannot play the game are left out.
            only_stances: Whether the learner and its past selves decide only stances; the tactician decides all else.
            side: The learner's team in every slot; by default it has all teams in turn.

        Raises:
            TrainingError: The game has no such team.
        """
        self.game, self.fights = game, VectorFights(game, slots, observations="entities")
        plays = [id for id in opponents if id in (ITSELF, PAST) or load(id).plays(game) is None] or [ITSELF]
        teams = list(dict.fromkeys(game.teams))
        team_of = np.array([teams.index(team) for team in game.teams])
        if side and side not in teams:
            raise TrainingError(f"side: found {side!r}, allowed in {game.scenario_name!r}: {join_or(teams)}.")
        turn = np.arange(slots)
        in_turn = len(teams) if not side else 1  # slots in a row that differ only in the learner's team
        self.opponent = [plays[slot // in_turn % len(plays)] for slot in turn]  # opponent of each slot
        own = np.full(slots, teams.index(side)) if side else turn % len(teams)
        self.learns = team_of == own[:, None]  # (slots, seats)
        self.learns[[id == ITSELF for id in self.opponent]] = True
        self.past = ~self.learns & np.array([[id == PAST] for id in self.opponent])  # (slots, seats)
        self.own_seat = self.learns.argmax(axis=1)  # a seat of the learner's team in each slot
        self.players = [
            VectorPlayer(load(id), game, self._seats_of(id), NOT_YET) for id in plays if id not in (ITSELF, PAST)
        ]
        self.tactician = TacticalPlayer(game) if only_stances else None
        self.actions = np.zeros((slots, len(game.teams)), np.int64)
        self.scores: defaultdict[str, list[float]] = defaultdict(list)

    def _seats_of(self, id: str) -> list[tuple[int, int]]:
        """Return the slots and seats of an opponent."""
        theirs = ~self.learns & np.array([[who == id] for who in self.opponent])
        return list(zip(*(part.tolist() for part in theirs.nonzero()), strict=True))

    def start(self, rng: np.random.Generator) -> None:
        """Start new fights, with all randomness from `rng`."""
        self.fights.reset(int(rng.integers(2**62)))
        for player in self.players:
            player.rng = rng.spawn(1)[0]
            player.new_match()
            player.new_fight()

    def asked(self, who: str = ITSELF) -> tuple[Whole, Whole]:
        """Return the fights and seats in which the network of the learner, or of `PAST`, has a choice."""
        having, stances = self._choices(self.past if who == PAST else self.learns)
        slots, seats = (having if self.tactician is None else having & stances).nonzero()
        return slots, seats

    def _choices(self, seats_of: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which of these seats have a choice, and which seats take a stance now, both (slots, seats)."""
        masks = self.fights.observations["action_mask"]
        having: NDArray[np.bool_] = (masks.sum(axis=2) > 1) & seats_of
        return having, are_stances(self.game, masks)

    def look(self, slots: Whole, seats: Whole) -> Seen:
        """Return the view of these seats, with their choices."""
        shown = self.fights.observations
        masks = shown["action_mask"][slots, seats]
        return look(shown, slots, seats, self.game.action_slots, masks=masks)

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
            if self.opponent[slot] != ITSELF:
                self.scores[self.opponent[slot]].append((1 + float(rewards[slot, self.own_seat[slot]])) / 2)
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
