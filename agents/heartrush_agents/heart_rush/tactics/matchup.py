"""The pairings of fighters, and the components of their rolls, as read from observations."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.tables import Features, Places, numbers, scenario_of
from heartrush_agents.heart_rush.tactics.default_policy import MapLayout, layout_of
from heartrush_agents.heart_rush.tactics.pairs import NUMBER, PAIR, WORDS, Fighter, Pairing, Pairs, pairing_of
from heartrush_env.games.heart_rush.encoding.view import Columns
from heartrush_env.games.heart_rush.rules.environment import WATER_LEVELS
from heartrush_env.games.heart_rush.rules.terms import NO_STANCE, STANCES
from heartrush_env.tabletop.game import Game

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush

IN_WATER = ("in_shallow_water", "in_deep_water")
OTHER = len(Fighter._fields)  # the index of the other fighter's first number in a pair
READ = [field for field in Fighter._fields if field not in Fighter._field_defaults]


class Matchups:
    """A reader of the observing fighter and its enemies from observations; enemy indices count from 0."""

    def __init__(self, game: Game) -> None:
        """Look up the indices of all features."""
        self._layout, scenario = layout_of(game), scenario_of(game)
        feature = {name.replace(" ", "_"): number for name, number in self._layout.feature.items()}
        enemies = [f"enemy_{place}" for place in self._layout.places]
        blocks = ["self", *enemies]
        names = tuple(self._layout.feature)

        def columns(*blocks: str, words: Iterable[str]) -> Columns:
            return Columns(names, [[names[feature[f"{block}_{word}"]] for word in words] for block in blocks])

        self._own_fields, self._fields = columns("self", words=READ), columns(*enemies, words=READ)
        self._hp = columns(*blocks, words=("hp", "hp_max"))
        self._hero = numbers(feature, "{}_hero", blocks)
        self._fights_on = scenario.victory == "last_standing"
        self._may_choose_at_zero = np.array([scenario.settings.may_choose_at_zero(hero) for hero in (False, True)])
        self._stance = numbers(feature, "{}_stance_{}", blocks, STANCES)
        self._relations = numbers(feature, "{}_{}", enemies, ("enrages_me", "climbs_on_me", "climbed_by_me"))
        self._map = self._layout if isinstance(self._layout, MapLayout) else None
        if self._map:
            between = ("distance", "in_my_range", "in_its_range", "cover_from_me", "cover_from_it", "height")
            self._between = columns(*enemies, words=between)
            self._own_place = columns("self", words=("height", *IN_WATER))

    def standing(self, features: Features) -> list[int]:
        """Return the indices of the standing enemies."""
        places: list[int] = features[self._layout.enemy_standing].nonzero()[0].tolist()
        return places

    def stances(self, features: Features) -> Places:
        """Return this round's stances of the fighter and its enemies, (..., features) to (..., 1 + enemies)."""
        shown = features[..., self._stance]
        taken: Places = np.where(shown.any(axis=-1), shown.argmax(axis=-1), NO_STANCE)
        return taken

    def pairs(self, features: Features, *, placed: bool = True) -> Pairs:
        """Return the fighter paired with each enemy in many observations, (n, features) to (n, enemies).

        An enraged enemy is assumed to rage at the fighter. With `placed`, standing enemies on a map have positions.
        """
        numbers = np.zeros((len(features), len(self._layout.places), WORDS), NUMBER)
        numbers[:, :, : len(READ)] = self._own_fields.of(features)
        numbers[:, :, OTHER : OTHER + len(READ)] = self._fields.of(features)
        pairs = numbers.view(PAIR)[..., 0]
        enrages, on_me, by_me = np.moveaxis(features[:, self._relations] != 0, -1, 0)
        for rage in ("enraged", "aggravated"):
            pairs["own"][rage][enrages] = 0
            pairs["other"][rage] = 0
        pairs["own"]["climbs"], pairs["other"]["climbs"] = by_me, on_me
        left, taken = self._left(features), self.stances(features)
        pairs["own_left"], pairs["other_left"] = left[:, :1], left[:, 1:]
        pairs["stance"], pairs["against"] = taken[:, :1], taken[:, 1:]
        if self._map and placed:
            for row, seen in enumerate(features):
                for place in self.standing(seen):
                    self._put(self._map, pairs[row, place], seen, place)
        return pairs

    def pairing(self, features: Features, place: int) -> Pairing:
        """Return the fighter paired with the enemy at index `place`; on a map, with their current positions."""
        return pairing_of(self.pairs(features[None])[0, place])

    def _put(self, map: MapLayout, pair: Any, features: Features, place: int) -> None:
        """Write the positions of the two fighters on the map into their pair."""
        squares, mine, its, cover, its_cover, its_height = self._between.of(features)[place].tolist()
        height, *in_water = self._own_place.of(features)[0].tolist()
        own, other = map.bodies.own(features), map.bodies.enemy(features, place)
        pair.own.far, pair.other.far = not mine, not its
        pair.own.higher, pair.other.higher = height > its_height, its_height > height
        pair.own.aim, pair.other.aim = own.aim(squares, cover), other.aim(squares, its_cover)
        pair.own.water = WATER_LEVELS[2 if in_water[1] else 1 if in_water[0] else 0]
        pair.other.water = map.ground.water_at(other)
        pair.own.gloom = pair.other.gloom = map.ground.light

    def hp_shares(self, features: Features) -> NDArray[np.float64]:
        """Return the fraction of hit points that each enemy has left, (n, features) to (n, enemies)."""
        hp, hp_max = np.moveaxis(self._hp.of(features)[:, 1:], -1, 0)
        shares: NDArray[np.float64] = np.maximum(0, hp / np.maximum(1, hp_max))
        return shares

    def _left(self, features: Features) -> NDArray[np.int64]:
        """Return the damage that defeats each fighter, (n, 1 + enemies), or kills it if it may fight on at 0."""
        hp, hp_max = np.moveaxis(self._hp.of(features), -1, 0)
        lasts = self._fights_on & self._may_choose_at_zero[(features[:, self._hero] != 0).astype(np.intp)]
        left: NDArray[np.int64] = np.maximum(1, hp + hp_max * lasts)
        return left


def matchups_of(game: Game) -> Matchups:
    """Return the matchups of a game, shared by all its players."""
    return _matchups(cast("HeartRush", game))


@lru_cache(maxsize=64)
def _matchups(game: HeartRush) -> Matchups:
    return Matchups(game)
