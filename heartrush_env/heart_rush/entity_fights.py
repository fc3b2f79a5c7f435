"""Batches of fights that are observed as entities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.core.game import FlagArray
from heartrush_env.heart_rush import entity_kernel
from heartrush_env.heart_rush.encoding.action_slots import places
from heartrush_env.heart_rush.encoding.entities import Layout
from heartrush_env.heart_rush.fights import Fights, Plan

Arrays = dict[str, NDArray[Any]]


class EntityFights(Fights):
    """A batch of fights whose `observations` are one row a fight, (fights, size), laid out by `layout`.

    `entities` are the parts of these rows by name, with "viewer" (fights, seats), the fighter whose view each seat has,
    and "places" (fights, fighters, places), the fighters in the places of everybody's view; `final_entities` are
    those of the fight that ended in the last autoreset.
    """

    _kind_of_view, _player_of = entity_kernel.ENTITY_VIEW, staticmethod(entity_kernel.player_of)
    _show_slots = entity_kernel.show_slots

    def __init__(self, game: Plan, layout: Layout, num_fights: int, record: bool) -> None:
        self.layout = layout
        super().__init__(game, num_fights, record)
        teams = tuple(int(team) for team in self._template[0].fighters["team"][: int(self._template[0].n)])
        around, seats = places(teams, layout.shape), len(game.agents)
        shared = {"places": np.broadcast_to(around, (num_fights, *around.shape))}
        self.entities: Arrays = layout.split(self.observations) | shared
        self.entities["viewer"] = self._views["viewer"][:, :seats]
        self.final_entities: Arrays = layout.split(self.final_observations) | shared
        self.final_entities["viewer"] = self._views["last_viewer"][:, :seats]
        self.asked: FlagArray = self._views["asked"][:, :seats].view(np.bool_)

    def _new_options(self, num_fights: int) -> Any:
        return entity_kernel.entity_options(super()._new_options(num_fights), self.layout)

    def _shape_of_observations(self) -> tuple[int, ...]:
        return (self.layout.size,)
