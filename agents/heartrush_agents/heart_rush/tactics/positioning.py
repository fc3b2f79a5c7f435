"""The value of a square on a map for a fighter at the start of the next engagement.

Values are fractions of the hit points left, as everywhere in the tactician. The value of a square is the expected
damage of the fighter's best attack from there, minus the expected damage of the enemies that may attack it there, minus
the price of the path.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.tables import Features, Shares
from heartrush_agents.heart_rush.tactics.default_policy import MapLayout
from heartrush_agents.heart_rush.tactics.equipment import Kit
from heartrush_agents.heart_rush.tactics.matchup import Matchups
from heartrush_agents.heart_rush.tactics.odds import dealt, gains, strike_outside
from heartrush_agents.heart_rush.tactics.pairs import Pairing
from heartrush_agents.heart_rush.tactics.rounds import STANCES_TAKEN
from heartrush_agents.heart_rush.tactics.terrain import MIGHT_PUSH, Body, Ground, Squares
from heartrush_env.games.heart_rush.rules.cover import NO_LINE
from heartrush_env.games.heart_rush.rules.environment import WATER_LEVELS
from heartrush_env.games.heart_rush.rules.terms import ATTACK_TYPES, ATTACKING_STANCES, DAMAGE_TYPES, NO_DAMAGE_TYPE
from heartrush_env.games.heart_rush.scenario.catalog import carries
from heartrush_env.games.heart_rush.scenario.settings import Settings

NEARER = 0.02  # the value of each square closer to the nearest enemy, so that fighters meet
FEAR = 0.25  # the weight of an enemy that could still come; an enemy in range has weight 1
ALONE = 0.3  # the weight of a fighter's own losses if it has no ally to hide behind
MOST_AIM = 4  # cap on the levels of disadvantage on an attack
BEYOND = 40  # squares that count as walked to an enemy that cannot be walked up to, beside the distance
CHANCE_TO_PUSH = 0.1  # probability that might beats the other's stance and the other is still in reach

Worths = NDArray[np.float64]


class Situations:
    """The expected results between two fighters in any positions, computed on demand."""

    SHAPE = 2, 3, 1 + MOST_AIM, 1 + MOST_AIM, len(WATER_LEVELS)

    def __init__(self, pair: Pairing, settings: Settings) -> None:
        """Start with an empty cache."""
        self._pair, self._settings = pair, settings
        self._known = np.full((int(np.prod(self.SHAPE)), 1 + ATTACKING_STANCES, STANCES_TAKEN), np.nan)

    def at(self, expects: Shares, *situation: Squares) -> tuple[Worths, Worths]:
        """Return the expected fractions dealt by the best stance, and lost, against an enemy with this mix of stances.

        A situation is: 1 if the fighter reaches the enemy; 1 if it stands higher, 2 if lower; the levels of aim of the
        fighter and of the enemy; the depth of the water, 0 to 2.
        """
        codes = np.ravel_multi_index(situation, self.SHAPE)
        for code in set(codes[np.isnan(self._known[codes, 0, 0])].tolist()):
            self._known[code] = self._work_out(*(int(part) for part in np.unravel_index(code, self.SHAPE)))
        worths = (self._known.reshape(-1, STANCES_TAKEN) @ expects).reshape(-1, 1 + ATTACKING_STANCES)
        return worths[codes, 1:].max(axis=1), worths[codes, 0]

    def _work_out(self, reaches: int, slope: int, aim: int, its_aim: int, depth: int) -> Worths:
        """Compute the fractions lost, as if the fighter could always fight back, and dealt in each stance.

        If it counted that it cannot fight back, it would avoid archers.
        """
        water = int(WATER_LEVELS[depth])
        own = self._pair.own._replace(far=1 - reaches, higher=int(slope == 1), aim=aim, water=water)
        other = self._pair.other._replace(higher=int(slope == 2), aim=its_aim)
        takes, loses = (
            dealt(pair, self._settings)
            for pair in (
                self._pair._replace(own=own, other=other),
                self._pair._replace(own=own._replace(far=0), other=other).turned(),
            )
        )
        lost = np.zeros(STANCES_TAKEN)
        lost[:ATTACKING_STANCES] = loses[:, :ATTACKING_STANCES].mean(axis=1)
        return np.vstack([lost, takes])


@lru_cache(maxsize=2**10)
def situations(pair: Pairing, settings: Settings) -> Situations:
    """Return the results for these two fighters from a cache that all players share."""
    return Situations(pair, settings)


class View(NamedTuple):
    """The positions of all fighters, as one fighter sees them."""

    own: Body
    enemies: dict[int, Body]
    allies: dict[int, Body]
    pairs: dict[int, Pairing]  # with each enemy, without relative positions
    expects: Shares  # the stances of each enemy, (enemies, stances and none)
    patience: float  # from 1 down to 0 in quiet rounds
    care: float  # the weight of its own losses
    attention: dict[int, float]  # how likely each enemy is to attack the fighter if it can


class Positioning:
    """An evaluation of squares for the fighter that an observation belongs to."""

    def __init__(self, layout: MapLayout, matchups: Matchups, settings: Settings) -> None:
        """Prepare to evaluate squares for a tactician."""
        self._layout, self._ground, self._matchups, self._settings = layout, layout.ground, matchups, settings

    def view(self, features: Features) -> View:
        """Read the positions from an observation."""
        bodies, ground = self._layout.bodies, self._ground
        own, enemies, allies = bodies.own(features), bodies.enemies(features), bodies.allies(features)
        faced = self._matchups.faced(features)
        pairs = {place: self._placed(faced[place], enemy) for place, enemy in enemies.items()}
        attention = {
            place: 1 / (1 + sum(_could_attack(ground, enemy, ally) for ally in allies.values()))
            for place, enemy in enemies.items()
        }
        holds = any(not ally.shoots for ally in allies.values())
        expects, patience = self._layout.expects(features[None])[0], float(self._layout.patience(features))
        return View(own, enemies, allies, pairs, expects, patience, patience * (1.0 if holds else ALONE), attention)

    def rearmed(self, view: View, kit: Kit) -> View:
        """Return the view with this weapon and shield in the fighter's hands."""
        weapon, own = kit.weapon, view.own
        shapes = {kind: int(weapon.attack_type == kind) for kind in ATTACK_TYPES[1:]}
        kinds = {kind: int(weapon.damage_type == kind) for kind in DAMAGE_TYPES[:NO_DAMAGE_TYPE]}
        held = {f"weapon_{kind}": flag for kind, flag in {**shapes, **kinds}.items()}
        pairs = {
            place: pair._replace(
                own=pair.own._replace(armed=1, weapon_die=weapon.die, shield=kit.shield, **held),
            )
            for place, pair in view.pairs.items()
        }
        body = own._replace(weapon=weapon.attack_type, range=carries(weapon), reach=int(weapon.reach and own.dash))
        return view._replace(own=body, pairs=pairs)

    def _placed(self, pair: Pairing, enemy: Body) -> Pairing:
        """Return the pair with this map's light and the enemy's current position."""
        gloom = self._ground.light
        other = pair.other._replace(water=self._ground.water_at(enemy), gloom=gloom)
        return pair._replace(own=pair.own._replace(gloom=gloom), other=other)

    def worths(self, view: View, xs: Squares, ys: Squares, dashed: Any = False) -> Worths:
        """Return the value of each of these squares, reached by a dash if `dashed`, without the cost of the path."""
        ground, own = self._ground, view.own
        best, suffers = np.zeros(len(xs)), np.zeros(len(xs))
        nearest, pushed = np.full(len(xs), np.inf), np.zeros(len(xs))
        for place, enemy in view.enemies.items():
            distance = enemy.distances(xs, ys, own.side)
            walk = ground.walk(own.side, enemy.x, enemy.y, enemy.side)[ys, xs]
            nearest = np.minimum(nearest, np.where(np.isfinite(walk), walk, BEYOND + distance))
            comes = (walk <= enemy.speed) if enemy.dash and not enemy.shoots else np.zeros(len(xs), np.bool_)
            if distance.min() > max(own.furthest, enemy.furthest) and not comes.any():
                continue
            hits, hurts, reached = self._prospects(view, place, distance, xs, ys, dashed)
            best = np.maximum(best, hits + self._pushes(view, place, distance, xs, ys))
            presence = np.where(reached, 1.0, FEAR * comes) * view.attention[place]
            suffers += presence * hurts
            if not enemy.shoots:
                pushed += presence
        risk = CHANCE_TO_PUSH * np.minimum(pushed, 1.0) * np.minimum(1.0, ground.push_risk[ys, xs] / _left(view))
        return best - view.care * (suffers + risk) - NEARER * np.where(best > 0, 0.0, nearest)

    def _prospects(
        self, view: View, place: int, distance: Squares, xs: Squares, ys: Squares, dashed: Any
    ) -> tuple[Worths, Worths, NDArray[np.bool_]]:
        """Return the expected fractions dealt to the enemy and lost to it, and whether it reaches the fighter."""
        ground, own, enemy = self._ground, view.own, view.enemies[place]
        cover, its_cover = (ground.cover(enemy, own.side, attacks=attacks)[ys, xs] for attacks in (False, True))
        height = ground.height[ys, xs]
        its_height = int(ground.height[enemy.y : enemy.y + enemy.side, enemy.x : enemy.x + enemy.side].max())
        reaches = (distance <= own.furthest - own.reach * dashed) & (cover < NO_LINE)
        reached = (distance <= enemy.furthest) & (its_cover < NO_LINE)
        hits, hurts = situations(view.pairs[place], self._settings).at(
            view.expects[place],
            reaches.astype(np.intp),
            (height > its_height) + 2 * (height < its_height),
            np.minimum(MOST_AIM, own.aim(distance, cover)),
            np.minimum(MOST_AIM, enemy.aim(distance, its_cover)),
            np.searchsorted(WATER_LEVELS, ground.water[ys, xs]),
        )
        return hits, hurts, reached

    def _pushes(self, view: View, place: int, distance: Squares, xs: Squares, ys: Squares) -> Worths:
        """Return the value that pushing an adjacent enemy over an edge or into an obstacle adds to attacks."""
        worth, enemy, left = np.zeros(len(xs)), view.enemies[place], view.pairs[place].other_left
        if not view.own.shoots:
            for k in (distance == 1).nonzero()[0].tolist():
                own = view.own._replace(x=int(xs[k]), y=int(ys[k]))
                worth[k] = CHANCE_TO_PUSH * self.pushed(own, enemy, MIGHT_PUSH, left)
        return worth

    def pushed(self, own: Body, enemy: Body, squares: int, left: int) -> float:
        """Return the fraction of hit points left that a push takes from an enemy; 0 unless each fills one square."""
        if own.side > 1 or enemy.side > 1:
            return 0.0
        dx, dy = _snapped(enemy.x - own.x, enemy.y - own.y)
        return min(1.0, self._ground.push_damage(enemy.x, enemy.y, dx, dy, squares) / left)

    def price(self, view: View, xs: Squares, ys: Squares) -> Worths:
        """Return the expected damage of opportunity attacks on the path to each square."""
        own, cost = view.own, np.zeros(len(xs))
        steps = np.maximum(abs(xs - own.x), abs(ys - own.y))
        passed: dict[int, Body] = {}  # guards whose reach a path may cross
        for place, enemy in view.enemies.items():
            distance = enemy.distance(own)
            if not enemy.guards or distance > enemy.threat + own.speed:
                continue
            if distance > enemy.threat:
                passed[place] = enemy
                continue
            stays = enemy.distances(xs, ys, own.side) <= enemy.threat
            cost += np.where(stays & (steps <= 1), 0.0, self._struck(view, place))
        if passed and len(xs):
            evaded = self._ground.evaded(own, passed.values())
            cost += np.where(evaded[ys, xs], 0.0, min(self._struck(view, place) for place in passed))
        return cost

    def _struck(self, view: View, place: int) -> float:
        """Return the expected fraction of hit points that an enemy's opportunity attack takes."""
        return float(strike_outside(view.pairs[place].turned(), self._settings).max())

    def crowded(self, view: View, xs: Squares, ys: Squares) -> NDArray[np.bool_]:
        """Return which squares an ally is likely to take: one that cannot strike yet, may dash, and is nearer.

        Of two allies at equal distances, the one farther to the north-west goes.
        """
        own, taken = view.own, np.zeros(len(xs), np.bool_)
        squares = own.distances(xs, ys, own.side)
        for ally in view.allies.values():
            if ally.dash and all(ally.distance(enemy) > ally.furthest for enemy in view.enemies.values()):
                first = (ally.y, ally.x) < (own.y, own.x)
                distances = ally.distances(xs, ys, own.side)
                taken |= (distances < squares) | (first & (distances == squares))
        return taken

    def falls(self, view: View, xs: Squares, ys: Squares) -> Worths:
        """Return the price of being tripped beside an enemy on these squares: the most that any enemy gains by it."""
        loss = np.zeros(len(xs))
        for place, enemy in view.enemies.items():
            pair = view.pairs[place]
            if pair.own.off_balanced and not pair.own.prone:
                beside = enemy.distances(xs, ys, view.own.side) <= 1
                loss = np.maximum(loss, beside * gains(pair.turned(), self._settings)["prone"])
        return loss


def _left(view: View) -> int:
    """Return the damage that defeats the fighter."""
    return next((pair.own_left for pair in view.pairs.values()), 1)


def _could_attack(ground: Ground, enemy: Body, ally: Body) -> bool:
    """Return whether an enemy reaches an ally from its position, or could walk up to it in this round."""
    if enemy.distance(ally) <= enemy.furthest:
        return True
    return enemy.dash and float(ground.walk(enemy.side, ally.x, ally.y, ally.side)[enemy.y, enemy.x]) <= enemy.speed


def _snapped(dx: int, dy: int) -> tuple[int, int]:
    """Return the one of the eight directions that is nearest to this offset."""
    if abs(dx) >= 2 * abs(dy):
        return int(np.sign(dx)), 0
    if abs(dy) >= 2 * abs(dx):
        return 0, int(np.sign(dy))
    return int(np.sign(dx)), int(np.sign(dy))
