"""The default policy on maps: approach the nearest enemy, attack it, and follow it when it is pushed."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.tables import (
    EVENLY,
    Features,
    Layout,
    Places,
    Shares,
    layout,
    likely,
    numbers,
    scenario_of,
)
from heartrush_agents.heart_rush.tactics.equipment import Equipment
from heartrush_agents.heart_rush.tactics.terrain import Bodies, Body, Moves, ground_of
from heartrush_env.games.heart_rush.encoding.view import Columns
from heartrush_env.games.heart_rush.rules.cover import NO_LINE
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, STANCES
from heartrush_env.tabletop.game import Game

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush
    from heartrush_env.games.heart_rush.scenario.sheets import Scenario

FADING: Final = 0.8  # the weight of a shown stance, relative to that of the round after it
BUSY: Final = 5  # rounds of fighting that the loss of all hit points of one fighter takes on average
QUIET: Final = 10  # rounds beyond these until a fighter's own losses count for nothing, so that fights end


class MapLayout(Layout):
    """The layout of a game on a map, whose default policy also moves and takes opportunities."""

    def __init__(self, action_names: tuple[str, ...], feature_names: tuple[str, ...], scenario: Scenario) -> None:
        """Look up the actions and features that only maps have."""
        super().__init__(action_names, feature_names)
        assert scenario.battlefield is not None
        self.ground = ground_of(scenario.battlefield)
        fading = FADING ** np.arange(len(self.own_reveals))  # the latest first
        self._weights = fading * len(fading) / max(1.0, fading.sum())
        self.moves = Moves(self.action)
        self.bodies = Bodies(feature_names, len(self.places), Equipment(scenario))
        self.window_action = self.feature["window action"]
        self.moved = Columns(feature_names, "self moved")
        attacks = STANCES[:ATTACKING_STANCES]
        self.strikes = numbers(self.action, "opportunity {} {}", self.places, attacks)  # paid by the action
        self.rush_strikes = numbers(self.action, "opportunity {} {} rush", self.places, attacks)
        self.trips = numbers(self.action, "trip {}", self.places)
        around = zip(self.moves.step_x.tolist(), self.moves.step_y.tolist(), strict=True)
        self.square_blocked = [self.feature[f"square {x},{y} blocked"] for x, y in around]
        self.in_sight, self.in_my_range = (
            numbers(self.feature, f"enemy {{}} {word}", self.places) for word in ("in_sight", "in_my_range")
        )
        self.opening, self.following = self.feature["window opportunity"], self.feature["window follow"]
        self.grapples = numbers(self.action, "grapple {}", self.places)
        allies = range(1, 1 + sum(name.startswith("help ") for name in self.action))
        whose = ["self", *(f"enemy {place}" for place in self.places), *(f"ally {place}" for place in allies)]
        self._present, self._shares = (numbers(self.feature, f"{{}} {word}", whose) for word in ("present", "hp_share"))

    def expects(self, features: Features) -> Shares:
        """Return the stances that enemies are expected to take, by those that they have shown, (n, enemies, ...)."""
        return likely(self.shown(features))

    def shown(self, features: Features) -> Shares:
        """Return how often enemies have lately shown each stance, (n, enemies, ...); the latest rounds weigh most."""
        shown = np.zeros((len(features), len(self.places), len(EVENLY)))
        np.einsum("nprs,r->nps", features[:, self.enemy_reveals], self._weights, out=shown[:, :, : len(STANCES)])
        return shown

    def patience(self, features: Features) -> Any:
        """Return how much a fighter's own losses still count, (...,); it falls in rounds in which none loses much."""
        lost = (features[..., self._present] * (1 - features[..., self._shares])).sum(axis=-1)
        quiet = self.round.of(features) - BUSY * lost
        return np.minimum(1.0, np.maximum(0.0, 1 - quiet / QUIET))

    def defaults(self, features: Features, masks: NDArray[np.int8]) -> Places:
        """Return the default actions on a map: take opportunities, squeeze and move, otherwise as without a map."""
        chosen = super().defaults(features, masks)
        for row, (seen, mask) in enumerate(zip(features, masks, strict=True)):
            ways = (choose(mask, seen) for choose in (self.taken_opening, self.squeeze, self.approach))
            chosen[row] = next((action for action in ways if action is not None), chosen[row])
        return chosen

    def taken_opening(self, mask: NDArray[np.int8], features: Features) -> int | None:
        """Return a trip or attack of an enemy that offers an opportunity, or None.

        The attack is with the largest die, and for a rush point if possible.
        """
        if features[self.opening]:
            trips = mask[self.trips].nonzero()[0]
            if len(trips):
                return int(self.trips[trips[0]])
        best = int(features[self.dice].argmax())
        for paid in (self.rush_strikes, self.strikes):
            for place in mask[paid[:, best]].nonzero()[0].tolist():
                if features[self.enemy_standing[place]]:
                    return int(paid[place, best])
        return None

    def squeeze(self, mask: NDArray[np.int8], features: Features) -> int | None:
        """Return the squeeze of a captive that an attack would push out of the fighter's hold, or None."""
        if not features[self.following]:
            return None
        captives = mask[self.grapples].nonzero()[0]
        return int(self.grapples[captives[0]]) if len(captives) else None

    def approach(self, mask: NDArray[np.int8], features: Features) -> int | None:
        """Return a move that brings the fighter closer to attacking an enemy, or None to stay.

        The fighter follows a pushed enemy, rises, moves into range of an enemy or closer to it, or opens a door.
        """
        moves = self.moves
        if mask[moves.follow]:
            return moves.follow
        if mask[moves.stand]:
            return moves.stand
        dashes, steps = mask[moves.dashes].nonzero()[0], mask[moves.steps].nonzero()[0]
        if features[self.window_action]:
            steps = steps[:0]
        elif mask[self.attacks].any():
            return None
        doors = mask[moves.doors].nonzero()[0]
        if not len(dashes) and not len(steps) and not len(doors):
            return None
        own, enemies, shut_off = self.who_is_where(features)
        here = self.distances_to_range(own, enemies, shut_off, np.array([own.x]), np.array([own.y]))[0]
        if here == 0:
            return None
        best = here
        if len(dashes):
            xs, ys = own.x + moves.dash_x[dashes], own.y + moves.dash_y[dashes]
            far = self.path_cost(own, xs, ys)
            if own.weapon == "ranged":
                near = far <= own.speed // 2 - self.moved.one(features)
                dashes, xs, ys, far = dashes[near], xs[near], ys[near], far[near]
            if len(dashes):
                short = self.distances_to_range(own, enemies, shut_off, xs, ys)
                first = int(np.lexsort((far, short))[0])
                if short[first] < best:
                    return int(moves.first_dash + dashes[first])
        if len(steps):
            xs, ys = own.x + moves.step_x[steps], own.y + moves.step_y[steps]
            short = self.distances_to_range(own, enemies, shut_off, xs, ys)
            if short.min() < best:
                return int(moves.steps[steps[short.argmin()]])
        return self.door(mask, features)

    def door(self, mask: NDArray[np.int8], features: Features) -> int | None:
        """Return the action that opens the adjacent closed door nearest to an enemy, or None if it leads away.

        A door at the side of the path counts: closed, it keeps fighters from going around the corner beside it.
        """
        doors = mask[self.moves.doors].nonzero()[0]
        closed = doors[features[[self.square_blocked[way] for way in doors]] != 0]
        if not len(closed):
            return None
        own, enemies, shut_off = self.who_is_where(features)
        xs, ys = (
            np.append(here + steps[closed], here)
            for here, steps in ((own.x, self.moves.step_x), (own.y, self.moves.step_y))
        )
        short = self.distances_to_range(own, enemies, shut_off, xs, ys)
        nearest = int(short[:-1].argmin())
        return int(self.moves.doors[closed[nearest]]) if short[nearest] <= short[-1] else None

    def who_is_where(self, features: Features) -> tuple[Body, dict[int, Body], set[int]]:
        """Return the fighter, the standing enemies by index, and the indices of enemies behind closed doors."""
        own, enemies = self.bodies.own(features), self.bodies.enemies(features)
        hidden = [place for place in enemies if not features[self.in_sight[place]]]
        return own, enemies, {place for place in hidden if self.ground.is_shut_off(own, enemies[place])}

    def path_cost(self, own: Body, xs: Places, ys: Places) -> NDArray[np.float64]:
        """Return the approximate path cost from the fighter's square to other squares."""
        return self.ground.walk(own.side, own.x, own.y, own.side)[ys, xs] + 1

    def distances_to_range(
        self, own: Body, enemies: dict[int, Body], shut_off: set[int], xs: Places, ys: Places
    ) -> NDArray[np.float64]:
        """Return the distance left, from each of these squares, until the fighter's weapon reaches an enemy.

        The fighter has to walk up to an enemy behind a closed door, whatever the range of its weapon.
        """
        least = np.full(len(xs), np.inf)
        for place, enemy in enemies.items():
            short = self.ground.walk(own.side, enemy.x, enemy.y, enemy.side)[ys, xs]
            distance = enemy.distances(xs, ys, own.side)
            if own.range > 1 and place not in shut_off:
                short = np.where(distance <= own.range, 0.0, np.maximum(short + 1 - own.range, 1.0))
            if self.ground.has_cover:
                seen = self.ground.cover(enemy, own.side, attacks=False)[ys, xs] < NO_LINE
                short = np.where(seen, short, np.maximum(short, 1.0))
            least = np.minimum(least, short)
        return least


def layout_of(game: Game) -> Layout:
    """Return the layout of a game's tables, including the ground if its fights have a map."""
    if scenario_of(game).battlefield is None:
        return layout(game.action_names, game.feature_names)
    return _map_layout(cast("HeartRush", game))


@lru_cache(maxsize=64)
def _map_layout(game: HeartRush) -> MapLayout:
    return MapLayout(game.action_names, game.feature_names, game.scenario)
