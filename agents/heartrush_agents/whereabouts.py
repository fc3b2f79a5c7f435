"""What it is worth to a fighter to be in one place of a map rather than in another when the next engagement begins.

Like all odds of the tactician it is counted in shares of the hit points left. A place is worth what its best attack
there is expected to take, less what those will take who may attack it there, less what the way costs.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.customs import MapLayout
from heartrush_agents.ground import MIGHT_PUSH, NO_LINE, Body, Ground, Squares
from heartrush_agents.layout import Features
from heartrush_agents.odds import Pairing, dealt, strike_outside
from heartrush_agents.sight import Sight
from heartrush_env.heart_rush.encoding.features import ROUNDS_SCALE
from heartrush_env.heart_rush.rules.terms import ATTACKING_STANCES
from heartrush_env.heart_rush.settings import Settings

NEARER = 0.02  # share that a square on the way to the nearest enemy is worth, so that fights come about
FEAR = 0.25  # how much those count who could yet come, beside those who are there
ALONE = 0.3  # how much one who has no ally left to hide behind counts what it suffers
MOST_AIM = 4  # levels on an attack from which on it makes no difference
PATIENCE = 20  # rounds until what it suffers counts for nothing, so that fights end
CHANCE_TO_PUSH = 0.1  # that a stance beats the other (a third), and that the other is still there by then

Worths = NDArray[np.float64]


@lru_cache(maxsize=2**15)
def prospects(pair: Pairing, settings: Settings) -> tuple[float, float]:
    """The share that one's best stance is expected to take, and the one to be lost, all the enemy's alike."""
    both = slice(ATTACKING_STANCES)
    return (
        float(dealt(pair, settings)[:, both].mean(1).max()),
        float(dealt(pair.turned(), settings)[:, both].mean()),
    )


class View(NamedTuple):
    """Who is where, in the eyes of one fighter."""

    own: Body
    enemies: dict[int, Body]
    allies: dict[int, Body]
    pairs: dict[int, Pairing]  # with each enemy, places aside
    care: float  # how much it counts what it suffers
    attention: dict[int, float]  # how likely each enemy is to go for the fighter if it is in its reach


class Whereabouts:
    """Values places for the fighter whose observation it is shown."""

    def __init__(self, layout: MapLayout, sight: Sight, settings: Settings) -> None:
        """Sit down with a tactician."""
        self._layout, self._ground, self._sight, self._settings = layout, layout.ground, sight, settings

    def view(self, features: Features) -> View:
        """Look around."""
        bodies, ground = self._layout.bodies, self._ground
        own, enemies, allies = bodies.own(features), bodies.enemies(features), bodies.allies(features)
        pairs = {place: self._sight.faced(features, place) for place in enemies}
        attention = {
            place: 1 / (1 + sum(_may_get_at(ground, enemy, ally) for ally in allies.values()))
            for place, enemy in enemies.items()
        }
        holds = any(not ally.shoots for ally in allies.values())
        rounds = round(float(features[self._layout.round]) * ROUNDS_SCALE)
        care = max(0.0, 1 - rounds / PATIENCE) * (1.0 if holds else ALONE)
        return View(own, enemies, allies, pairs, care, attention)

    def worths(self, view: View, xs: Squares, ys: Squares) -> Worths:
        """What it is worth to be in each of these places, the way there left aside."""
        ground, own = self._ground, view.own
        best, suffers = np.zeros(len(xs)), np.zeros(len(xs))
        nearest, pushed = np.full(len(xs), np.inf), np.zeros(len(xs))
        for place, enemy in view.enemies.items():
            distance = enemy.distances(xs, ys, own.side)
            walk = ground.walk(own.side, enemy.x, enemy.y, enemy.side)[ys, xs]
            nearest = np.minimum(nearest, walk)
            comes = (walk <= enemy.speed) if enemy.dash and not enemy.shoots else np.zeros(len(xs), np.bool_)
            if distance.min() > max(own.furthest, enemy.furthest) and not comes.any():
                continue
            hits, hurts, reached = self._prospects(view, place, distance, xs, ys)
            best = np.maximum(best, hits + self._pushes(view, place, distance, xs, ys))
            presence = np.where(reached, 1.0, FEAR * comes) * view.attention[place]
            suffers += presence * hurts
            if not enemy.shoots:
                pushed += presence
        brink = CHANCE_TO_PUSH * np.minimum(pushed, 1.0) * np.minimum(1.0, ground.brink[ys, xs] / _left(view))
        return best - view.care * (suffers + brink) - NEARER * np.where(best > 0, 0.0, nearest)

    def _prospects(
        self, view: View, place: int, distance: Squares, xs: Squares, ys: Squares
    ) -> tuple[Worths, Worths, NDArray[np.bool_]]:
        """What attacks are expected to take from an enemy and its from the fighter, and whether it reaches that."""
        ground, own, enemy, pair = self._ground, view.own, view.enemies[place], view.pairs[place]
        cover, its_cover = (ground.cover(enemy, attacks=attacks)[ys, xs] for attacks in (False, True))
        height = ground.height[ys, xs]
        its_height = int(ground.height[enemy.y : enemy.y + enemy.side, enemy.x : enemy.x + enemy.side].max())
        reaches = (distance <= own.furthest) & (cover < NO_LINE)
        reached = (distance <= enemy.furthest) & (its_cover < NO_LINE)
        aim, its_aim = (
            np.minimum(MOST_AIM, levels) for levels in (own.aim(distance, cover), enemy.aim(distance, its_cover))
        )
        water = ground.water[ys, xs]
        situation = np.stack([reaches, reached, height > its_height, height < its_height, aim, its_aim, water])
        coded = np.array([1, 2, 4, 8, 16, 256, 4096]) @ situation
        codes, inverse = np.unique(coded, return_inverse=True)
        hits, hurts = np.zeros(len(codes)), np.zeros(len(codes))
        sink = ground.water_at(enemy)
        for k, code in enumerate(codes.tolist()):
            situated = pair._replace(
                own=pair.own._replace(
                    far=0 if code & 1 else 1,
                    higher=code >> 2 & 1,
                    aim=code >> 4 & 15,
                    water=code >> 12,
                    gloom=ground.light,
                ),
                other=pair.other._replace(
                    far=0, higher=code >> 3 & 1, aim=code >> 8 & 15, water=sink, gloom=ground.light
                ),
            )
            hits[k], hurts[k] = prospects(situated, self._settings)
        return hits[inverse], hurts[inverse], reached

    def _pushes(self, view: View, place: int, distance: Squares, xs: Squares, ys: Squares) -> Worths:
        """What pushing an enemy off, or against what is behind it, adds to attacks from beside it."""
        worth, enemy, left = np.zeros(len(xs)), view.enemies[place], view.pairs[place].other_left
        if not view.own.shoots:
            for k in (distance == 1).nonzero()[0].tolist():
                own = view.own._replace(x=int(xs[k]), y=int(ys[k]))
                worth[k] = CHANCE_TO_PUSH * self.pushed(own, enemy, MIGHT_PUSH, left)
        return worth

    def pushed(self, own: Body, enemy: Body, squares: int, left: int) -> float:
        """The share of the hit points left that a push of an enemy as large as oneself takes."""
        if own.side > 1 or enemy.side > 1:
            return 0.0
        dx, dy = _snapped(enemy.x - own.x, enemy.y - own.y)
        return min(1.0, self._ground.push_damage(enemy.x, enemy.y, dx, dy, squares) / left)

    def price(self, view: View, xs: Squares, ys: Squares) -> Worths:
        """What strikes at a fighter who goes there on foot are expected to take."""
        own, cost = view.own, np.zeros(len(xs))
        steps = np.maximum(abs(xs - own.x), abs(ys - own.y))
        for place, enemy in view.enemies.items():
            if not enemy.guards or enemy.distances(own.x, own.y, own.side) > 1:
                continue
            stays = enemy.distances(xs, ys, own.side) <= 1
            pair = view.pairs[place].turned()
            struck = max(strike_outside(pair, stance, self._settings) for stance in range(ATTACKING_STANCES))
            cost += np.where(stays & (steps <= 1), 0.0, struck)
        return cost


def _left(view: View) -> int:
    """The damage that brings the fighter down."""
    return next((pair.own_left for pair in view.pairs.values()), 1)


def _may_get_at(ground: Ground, enemy: Body, ally: Body) -> bool:
    """Whether an enemy reaches somebody where both stand, or could walk up to it in this round."""
    if enemy.distance(ally) <= enemy.furthest:
        return True
    return enemy.dash and float(ground.walk(enemy.side, ally.x, ally.y, ally.side)[enemy.y, enemy.x]) <= enemy.speed


def _snapped(dx: int, dy: int) -> tuple[int, int]:
    """The nearest of the eight directions."""
    if abs(dx) >= 2 * abs(dy):
        return int(np.sign(dx)), 0
    if abs(dy) >= 2 * abs(dx):
        return 0, int(np.sign(dy))
    return int(np.sign(dx)), int(np.sign(dy))
