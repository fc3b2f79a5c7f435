"""Reads the pairings of fighters, and the components of their rolls, from an observation."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import numpy as np

from heartrush_agents.tables import Features, Places, scenario_of
from heartrush_agents.tactics.default_policy import MapLayout, layout_of
from heartrush_agents.tactics.odds import Fighter, Pairing
from heartrush_env.core.game import Game
from heartrush_env.heart_rush.encoding.view import Columns
from heartrush_env.heart_rush.rules.environment import WATER_LEVELS
from heartrush_env.heart_rush.rules.terms import NO_STANCE, STANCES

if TYPE_CHECKING:
    from heartrush_env.heart_rush.game import HeartRush

IN_WATER = ("in_shallow_water", "in_deep_water")
ACTION = Fighter._fields.index("action")
READ = [field for field in Fighter._fields if field not in Fighter._field_defaults]


class Matchups:
    """Reads the fighter itself and its enemies from observations; enemies by place, counted from 0."""

    def __init__(self, game: Game) -> None:
        """Look up the indices of all features."""
        self._layout, scenario = layout_of(game), scenario_of(game)
        feature = {name.replace(" ", "_"): number for name, number in self._layout.feature.items()}
        enemies = [f"enemy_{place}" for place in self._layout.places]
        blocks = ["self", *enemies]
        names = tuple(self._layout.feature)

        def columns(block: str, words: Iterable[str]) -> Columns:
            return Columns(names, [names[feature[f"{block}_{word}"]] for word in words])

        self._fields = [columns(block, READ) for block in blocks]
        self._hp = [columns(block, ("hp", "hp_max")) for block in blocks]
        self._hero: Places = np.array([feature[f"{block}_hero"] for block in blocks])
        self._attack_costs_action = scenario.settings.attack_costs_action
        self._fights_on = scenario.victory == "last_standing"
        self._may_choose_at_zero = [scenario.settings.may_choose_at_zero(hero) for hero in (False, True)]
        self._stance: Places = np.array(
            [[feature[f"{block}_stance_{stance}"] for stance in STANCES] for block in blocks]
        )
        relations = ("enrages_me", "climbs_on_me", "climbed_by_me")
        self._relations: Places = np.array([[feature[f"{enemy}_{word}"] for word in relations] for enemy in enemies])
        self._map = self._layout if isinstance(self._layout, MapLayout) else None
        if self._map:
            between = ("distance", "in_my_range", "in_its_range", "cover_from_me", "cover_from_it", "height")
            self._between = [columns(enemy, between) for enemy in enemies]
            self._own_place = columns("self", ("height", *IN_WATER))

    def standing(self, features: Features) -> list[int]:
        """The standing enemies."""
        places: list[int] = features[self._layout.enemy_standing].nonzero()[0].tolist()
        return places

    def stances(self, features: Features, place: int) -> tuple[int, int]:
        """The fighter's own stance of this round and the enemy's."""
        own, other = (
            int(shown.argmax()) if shown.any() else NO_STANCE for shown in features[self._stance[[0, 1 + place]]]
        )
        return own, other

    def pairing(self, features: Features, place: int) -> Pairing:
        """The fighter and this enemy, on a map in their current positions."""
        pair = self.faced(features, place)
        return self._situated(self._map, pair, features, place) if self._map else pair

    def _situated(self, map: MapLayout, pair: Pairing, features: Features, place: int) -> Pairing:
        squares, mine, its, cover, its_cover, its_height = self._between[place].of(features).tolist()
        height, *in_water = self._own_place.of(features).tolist()
        own, other = map.bodies.own(features), map.bodies.enemy(features, place)
        sink = int(WATER_LEVELS[2 if in_water[1] else 1 if in_water[0] else 0])
        return pair._replace(
            own=pair.own._replace(
                far=int(not mine),
                higher=int(height > its_height),
                aim=own.aim(squares, cover),
                water=sink,
                gloom=map.ground.light,
            ),
            other=pair.other._replace(
                far=int(not its),
                higher=int(its_height > height),
                aim=other.aim(squares, its_cover),
                water=map.ground.water_at(other),
                gloom=map.ground.light,
            ),
        )

    def faced(self, features: Features, place: int) -> Pairing:
        """The fighter and this enemy without positions; an enraged enemy is assumed to rage at the fighter."""
        own, other = self._fighter(features, 0), self._fighter(features, 1 + place)
        enrages, on_me, by_me = features[self._relations[place]].tolist()
        own = own._replace(climbs=int(by_me), **({"enraged": 0, "aggravated": 0} if enrages else {}))
        other = other._replace(climbs=int(on_me), enraged=0, aggravated=0)
        return Pairing(own, other, self._left(features, 0), self._left(features, 1 + place))

    def _fighter(self, features: Features, block: int) -> Fighter:
        numbers = self._fields[block].of(features).tolist()
        if not self._attack_costs_action:
            numbers[ACTION] = 1  # rolls do not depend on the action, and fewer distinct pairs have to be computed
        return Fighter(*numbers)

    def hp_share(self, features: Features, place: int) -> float:
        """The share of its hit points that this enemy has left."""
        hp, hp_max = self._hp[1 + place].of(features)
        return max(0.0, float(hp / hp_max))

    def _left(self, features: Features, block: int) -> int:
        """The damage that defeats a fighter: down to 0, or to its death if it may fight on."""
        hp, hp_max = self._hp[block].of(features).tolist()
        lasts = self._fights_on and self._may_choose_at_zero[int(features[self._hero[block]])]
        left = hp + hp_max if lasts else hp
        return max(1, int(left))


def matchups_of(game: Game) -> Matchups:
    """The matchups of a game, shared by all its players."""
    return _matchups(cast("HeartRush", game))


@lru_cache(maxsize=64)
def _matchups(game: HeartRush) -> Matchups:
    return Matchups(game)
