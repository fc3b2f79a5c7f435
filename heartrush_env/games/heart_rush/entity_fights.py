"""Batches of fights that are observed as entities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush import entity_kernel
from heartrush_env.games.heart_rush.encoding.action_slots import places
from heartrush_env.games.heart_rush.encoding.entities import Layout
from heartrush_env.games.heart_rush.encoding.vector_of import vector_of
from heartrush_env.games.heart_rush.fights import Fights, Plan
from heartrush_env.tabletop.game import Arrays, FloatArray


class EntityFights(Fights):
    """A batch of fights whose `observations` are an array (fights, numbers): one row per fight, not one per seat.

    `seen` has the parts of the rows by name, and three further arrays. "viewer" (fights, seats) is the fighter for
    which a seat decides. "asked" (fights, seats) is whether this fighter has a choice. "places" (fights, fighters,
    places) is the fighter at each place of each fighter's view.
    """

    view_record = staticmethod(entity_kernel.entity_view_record)
    _player_of = staticmethod(entity_kernel.player_of)

    def __init__(self, game: Plan, layout: Layout, num_fights: int, record: bool) -> None:
        self.layout = layout
        super().__init__(game, num_fights, record)
        self.seen = self._parts(self.observations, "viewer", "asked")
        self.final_seen = self._parts(self.final_observations, "last_viewer", "last_asked")
        self.vectors = EntityVectors(self.seen)

    def _parts(self, rows: NDArray[Any], viewer: str, asked: str) -> Arrays:
        """Return the arrays of an observation by name; `viewer` and `asked` are names of fields of the view records."""
        fight, seats = self._template[0], len(self.game.agents)
        around = places(fight.fighters["team"][: int(fight.n)].tolist(), self.layout.shape)
        return {
            **self.layout.split(rows),
            "viewer": self._views[viewer][:, :seats],
            "asked": self._views[asked][:, :seats],
            "places": np.broadcast_to(around, (len(rows), *around.shape)),
        }

    def _new_options(self, num_fights: int) -> Any:
        return entity_kernel.entity_options(super()._new_options(num_fights), self.layout)

    def _shape_of_observations(self) -> tuple[int, ...]:
        return (self.layout.size,)


class EntityVectors:
    """The seats' observations as vectors, computed from entities when indexed like an array (fights, seats)."""

    def __init__(self, entities: Arrays) -> None:
        self.entities = entities

    def __getitem__(self, chosen: Any) -> FloatArray:
        fights, seats = self.entities["viewer"].shape
        rows = np.arange(fights * seats).reshape(fights, seats)[chosen]
        vectors = vector_of(self.entities, *np.divmod(np.ravel(rows), seats))
        return vectors.reshape(*np.shape(rows), -1)
