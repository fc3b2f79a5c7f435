"""Entities as a network reads them, in torch: on a GPU, the observations stay in its memory.

The numbers are those of `heartrush_agents.heart_rush.learned.entity_view.look`, which reads them in NumPy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from heartrush_agents.heart_rush.learned.entity_view import (
    DX,
    DY,
    FACTS,
    OF_SQUARE,
    ROWS,
    Seen,
    slots_of,
)
from torch import Tensor

from heartrush_env.games.heart_rush.encoding.ability_facts import AT, OF_FIGHTER, OF_SLOT, ability_facts
from heartrush_env.games.heart_rush.encoding.entities import N_SECRETS, SECRETS, STAND_AT, X_AT, Y_AT
from heartrush_env.games.heart_rush.encoding.fighter import FIGHTER
from heartrush_env.games.heart_rush.encoding.ground import N_CHANNELS
from heartrush_env.games.heart_rush.encoding.loadouts import CODE_BITS
from heartrush_env.games.heart_rush.encoding.place import FURTHEST, STAND
from heartrush_env.games.heart_rush.game import as_heart_rush
from heartrush_env.games.heart_rush.rules.abilities import LETTERS
from heartrush_env.games.heart_rush.rules.terms import NEAR, NOBODY
from heartrush_env.tabletop.game import Game

ARRAYS = ("viewer", "places", "secrets", "moment", "fighters", "relations", "ground")  # what a network reads


class EntityReader:
    """A reader of the entities of a game's fights, as tensors on a device."""

    def __init__(self, game: Game, device: torch.device) -> None:
        """Copy the tables of the game's facts and actions to the device."""
        heart_rush = as_heart_rush(game)
        self.shape, slots, rows = heart_rush.shape, heart_rush.action_slots, heart_rush.entities.rows
        self.device, count = device, self.shape.fighters
        self.facts = {name: self._columns(name, rows[of]) for name, of in OF.items()}
        place = {name: torch.tensor(getattr(slots, name)) for name in ("place", "square", "has_square", "ability")}
        place["slot"] = torch.tensor(slots_of(slots))
        self.of_action = {name: array.to(device) for name, array in place.items()}
        self.ability_facts = torch.from_numpy(ability_facts().copy()).to(device)
        self.loadout_at = torch.from_numpy(np.array(AT) + np.arange(len(LETTERS))[:, None]).to(device)
        self.powers = (1 << torch.arange(CODE_BITS)).to(device)
        self.count = count

    def _columns(self, name: str, row: Any) -> tuple[Tensor, Tensor]:
        """Return the columns of a row that have the facts of this kind, and which facts the row has."""
        columns, has = np.zeros(len(FACTS[name]), np.int64), np.zeros(len(FACTS[name]), np.float32)
        for _, block in ROWS[name].parts:
            if block in row:
                first, at = ROWS[name].first(block), row.first(block)
                columns[first : first + len(block)], has[first : first + len(block)] = range(at, at + len(block)), 1
        if name == "fighters" and self.shape.on_map:
            first = ROWS[name].first(STAND)
            columns[first : first + len(STAND)], has[first : first + len(STAND)] = STAND_AT, 1
        return torch.from_numpy(columns).to(self.device), torch.from_numpy(has).to(self.device)

    def _facts(self, name: str, numbers: Tensor) -> Tensor:
        """Return the facts of this kind, (..., facts); facts that the numbers lack are 0."""
        columns, has = self.facts[name]
        return numbers[..., columns] * has

    def look(self, entities: Mapping[str, Tensor], fights: Tensor, seats: Tensor, legal: Tensor) -> Seen:
        """Return the inputs of a network for these seats of these fights.

        Args:
            entities: The arrays of an observation, of many fights.
            fights: (rows,): the fight of each row.
            seats: (rows,): the seat of each row.
            legal: (rows, actions): the actions to be scored.
        """
        viewer = entities["viewer"][fights, seats].long()
        secrets, shown = entities["secrets"][fights, seats], entities["fighters"][fights]
        rows = torch.arange(len(fights), device=self.device)
        itself = shown[rows, viewer]
        fighters = self._facts("fighters", shown)
        for line in SECRETS.lines:  # the side's own picks and words
            (first, length), (at, _) = FIGHTER.part(line.name), SECRETS.part(line.name)
            fighters[..., first : first + length] += secrets[..., at : at + length]
        relations = self._facts("relations", entities["relations"][fights, viewer])
        loadouts = None
        if self.shape.abilities:
            relations[..., -OF_FIGHTER:] = secrets[..., N_SECRETS : N_SECRETS + OF_FIGHTER]
            loadouts = self._loadouts(secrets[..., N_SECRETS:])
        moment, own = self._facts("moment", entities["moment"][fights]), self._facts("own", itself)
        return Seen(
            legal.shape[1], rows, viewer, moment, own, fighters, relations, loadouts,
            *self._choices(entities, fights, itself, entities["places"][fights, viewer].long(), relations, legal),
        )  # fmt: skip

    def _loadouts(self, blocks: Tensor) -> Tensor:
        """Return the facts of loadouts as they are seen, (..., slots, facts)."""
        slots = blocks[..., self.loadout_at].float()
        code = ((slots[..., 1 : 1 + CODE_BITS] > 0) * self.powers).sum(dim=-1)
        version = (slots[..., OF_SLOT.index("destiny")] > 0).long()
        return torch.cat([slots, self.ability_facts[version, code] * slots[..., :1]], dim=-1)

    def _choices(
        self, entities: Mapping[str, Tensor], fights: Tensor, itself: Tensor, at_places: Tensor, relations: Tensor,
        legal: Tensor,
    ) -> tuple[Tensor, ...]:  # fmt: skip
        """Return the fields of Seen from `row` on: each legal choice, and the squares that choices name."""
        row, action = legal.nonzero(as_tuple=True)
        of = {name: array[action] for name, array in self.of_action.items()}
        target = torch.where(of["place"] == NOBODY, NOBODY, at_places[row, of["place"]])
        at = (of["has_square"] & self.shape.on_map).nonzero()[:, 0]
        squares = torch.zeros((len(at), OF_SQUARE), device=self.device)
        apart = torch.zeros((len(at), relations.shape[1]), dtype=torch.int64, device=self.device)
        if self.shape.on_map:
            rows, steps = row[at], of["square"][at]
            x, y = ((itself[:, [X_AT, Y_AT]] * FURTHEST).round().long()[rows] + steps).unbind(dim=1)
            ground = entities["ground"]
            inside = (x >= 0) & (y >= 0) & (x < ground.shape[-1]) & (y < ground.shape[-2])
            squares[:, :N_CHANNELS] = ground[fights[rows], :, y * inside, x * inside] * inside[:, None]
            squares[:, N_CHANNELS:-1] = steps / NEAR
            squares[:, -1] = 1
            ways = (relations[..., [DX, DY]] * FURTHEST).round().long()
            apart = (ways[rows] - steps[:, None]).abs().amax(dim=-1)
        return row, action, of["slot"], target, of["ability"], at, squares, apart


class Entities:
    """Observations as entities, for the lean learner: those of now, and those of all windows of a rollout."""

    def __init__(self, env: Any, steps: int, decisions: int, device: torch.device) -> None:
        """Prepare to read the entities of an environment's fights."""
        self.reader, self.agents, self.steps = EntityReader(env.game, device), env.num_agents, steps
        self.kept: dict[str, Tensor] = {}

    def begin(self, seen: Mapping[str, Tensor]) -> None:
        """Take the arrays of the environment, which it rewrites in each step."""
        self.now = {name: seen[name] for name in ARRAYS if name in seen}
        if not self.kept:
            self.kept = {name: array.new_zeros((self.steps, *array.shape)) for name, array in self.now.items()}
        self.whole = {name: array.flatten(0, 1) for name, array in self.kept.items()}

    def chooses(self, asked: Tensor, legal: Tensor) -> Tensor:
        """Return which agents decide by a network, (fights, agents), of those that are asked: all of them."""
        return asked

    def look(self, where: Tensor, legal: Tensor) -> tuple[Seen]:
        """Return a network's inputs for these agents, numbered through all fights, and their legal actions."""
        return (self._read(self.now, where, legal),)

    def keep(self, step: int, where: Tensor, legal: Tensor, part: slice) -> tuple[Seen]:
        """Return what `look` returns, and keep the entities of this window."""
        for name, array in self.now.items():
            self.kept[name][step].copy_(array)
        return self.look(where, legal)

    def for_players(self, env: Any, first: int) -> Any:
        """Return the features of the agents of fight number `first` and those after it, for players on the host."""
        return Later(env.vectors, first)

    def close(self, count: int, legal: Tensor) -> None:
        """Return None: the network scores all actions that are legal."""

    def batch(self, part: Tensor, places: Tensor, legal: Tensor) -> tuple[Seen]:
        """Return a network's inputs for decisions at these places of the rollout, and their legal actions."""
        return (self._read(self.whole, places, legal),)

    def last(self, told: Mapping[str, Tensor], where: Tensor, legal: Tensor) -> tuple[Seen]:
        """Return a network's inputs for the last observations of these agents, in fights that have ended."""
        return (self._read({name: told[f"final_{name}"] for name in self.now}, where, legal),)

    def _read(self, entities: Mapping[str, Tensor], places: Tensor, legal: Tensor) -> Seen:
        return self.reader.look(entities, places // self.agents, places % self.agents, legal)


class Later:
    """The vectors of fight number `first` and those after it, counted from 0, which are made when they are read."""

    def __init__(self, vectors: Any, first: int) -> None:
        self.vectors, self.first = vectors, first

    def __getitem__(self, places: Any) -> Any:
        slots, seats = places
        return self.vectors[slots + self.first, seats]


OF = {"moment": "moment", "own": "fighters", "fighters": "fighters", "relations": "relations"}  # the array of each kind
