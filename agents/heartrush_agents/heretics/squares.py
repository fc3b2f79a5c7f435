"""The worth of attacks, and of each square of a map for the fighter that decides."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final

import numpy as np

from heartrush_agents.heretics.ground import FAR, Grid, ground
from heartrush_agents.heretics.odds import Blow
from heartrush_agents.heretics.scene import Body, Scene, Weapon
from heartrush_env.games.heretics.terms import FEET_A_SQUARE, MOST_SQUARES
from heartrush_env.tabletop.table_game import TableGame

FALL: Final = 0.4  # the share of an enemy's worth that its fall gains; the rest is for the hit points that it loses
APPROACH: Final = 0.02  # what a square nearer to the enemies is worth in the first round
FLIGHT: Final = 3.0  # what a step toward an exit is worth to those that flee
GUARD: Final = 0.5  # what a narrow square is worth that closes the way of enemies who must escape
LAST_HP: Final = 3  # hit points with which a fighter that is alone against several gives the fight up
SPELL_RANGE: Final = 24  # squares of most spells


class Squares:
    """The worth of attacks and squares at one moment."""

    def __init__(self, game: TableGame, scene: Scene) -> None:
        self.scene, self.me = scene, scene.me
        exits = game.scenario.table.get("battlefield", {}).get("exits")
        rows = game.scenario.map
        self.ground = None if rows is None else ground(tuple(rows), exits and tuple(map(tuple, exits)))
        self.rules, self.extremes = game.rules, game.rules["natural_extremes"] != "none"
        own, objective = game.sides[self.me.seen["side"] == "second"], game.scenario.table.get("objective", {})
        self.escapes = objective.get("kind") == "escape" and objective["team"] == own
        self.guards = objective.get("kind") == "escape" and not self.escapes

    @property
    def foes(self) -> list[Body]:
        """The able enemies."""
        return self.scene.foes

    @property
    def allies(self) -> list[Body]:
        """The able allies."""
        return self.scene.allies

    @cached_property
    def worth(self) -> dict[str, float]:
        """The worth of each able fighter to its side, by owner."""
        return {body.owner: self._worth(body) for body in (self.me, *self.foes, *self.allies)}

    def _worth(self, body: Body) -> float:
        """Return what a fighter is worth to its side."""
        return 0.5 + body.threat / 3 + body.mana / 4

    def gain(self, target: Body, blow: Blow) -> float:
        """Return what a blow is worth to the side that deals it."""
        worth = self.worth[target.owner]
        return worth * (FALL * blow.out + (1 - FALL) * blow.loss / target.hp)

    def strike(self, body: Body, target: Body, arm: Weapon, edge: int) -> float:
        """Return what an attack is worth to the side of the attacker."""
        return self.gain(target, body.blow(target, arm, edge, self.extremes))

    @cached_property
    def out(self) -> Grid:
        """The steps from each square to the nearest exit."""
        assert self.ground is not None
        foes = [foe.at for foe in self.foes if foe.at is not None]
        found: Grid = self.ground.ways([self.ground.exits], foes, 8 * MOST_SQUARES)[0]
        return found

    @cached_property
    def flees(self) -> bool:
        """Whether the fighter makes for an exit: to escape, or because the fight is lost."""
        if self.ground is None or self.me.at is None:
            return False
        lost = not self.allies and len(self.foes) > 2 and self.me.hp <= LAST_HP
        wants = self.escapes or lost or self.me.seen["breaking"]
        return bool(wants and self.out[self.me.at[1], self.me.at[0]] < FAR)

    @cached_property
    def squares(self) -> Grid:
        """The value of each square."""
        assert self.ground is not None and self.me.at is not None
        value: Grid = -self.exposure - 0.1 * self.ground.harm
        if self.flees:
            value -= FLIGHT * self.out
            return value
        if self.guards:
            before = min(self.out[foe.at[1], foe.at[0]] for foe in self.foes if foe.at is not None)
            value = value + GUARD * (self.ground.narrow & (self.out < before))
        if self.scene.window == "move" and not self.me.idle:
            value = value + self.offense
        nearer = APPROACH * (1 + self.scene.moment["round"] / 2)
        value = value - nearer * self.away - 0.001 * self.ground.gap(self.me.at)
        return value

    @cached_property
    def ways(self) -> Grid:
        """The steps of each enemy to each square, (enemies, rows, columns)."""
        assert self.ground is not None
        own = [ally.at for ally in self.allies if ally.at is not None]
        return self.ground.ways([[foe.at] for foe in self.foes if foe.at is not None], own, 3 * MOST_SQUARES)

    @cached_property
    def away(self) -> Grid:
        """The distance of each square from the nearest enemy that is worth an attack."""
        nearest: Grid = np.minimum(self.ways.min(axis=0, initial=FAR), 3 * MOST_SQUARES)
        return (
            np.maximum(nearest - self.me.reach, 0) if not (self.me.shoots or self.me.mana) else np.zeros_like(nearest)
        )

    @cached_property
    def offense(self) -> Grid:
        """The value of the best attack from each square."""
        assert self.ground is not None
        best: Grid = np.zeros(self.ground.shape)
        arm = self.me.arm
        for foe in self.foes:
            assert foe.at is not None
            gap, blocked = self.ground.gap(foe.at), self.ground.blocked(foe.at)
            values = [self.strike(self.me, foe, arm, self.me.edge(foe, arm, hinders)) for hinders in (False, True)]
            if arm.far:
                hindered = (gap * FEET_A_SQUARE > arm.near) | (blocked > 0)
                reached = (gap * FEET_A_SQUARE <= arm.far) & (blocked < 4) & ~self.crowded
                found = np.where(reached, np.where(hindered, values[1], values[0]), 0.0)
            else:
                found = np.where((gap <= self.me.reach) & (gap > 0) & (blocked < 4), values[0], 0.0)
            if self.me.mana:
                cast = self.gain(foe, self.me.bolt(foe))
                found = np.maximum(found, np.where((gap <= SPELL_RANGE) & (blocked < 4), cast, 0.0))
            best = np.maximum(best, found)
        return best

    @cached_property
    def crowded(self) -> Any:
        """The squares that an enemy has in its melee range."""
        assert self.ground is not None
        found = np.zeros(self.ground.shape, np.bool_)
        for foe in self.foes:
            assert foe.at is not None
            found |= self.ground.gap(foe.at) <= foe.reach
        return found

    @cached_property
    def exposure(self) -> Grid:
        """The damage to the fighter in each square, if each enemy attacks the best of its possible targets."""
        assert self.ground is not None
        total: Grid = np.zeros(self.ground.shape)
        for foe, way in zip(self.foes, self.ways, strict=True):
            if foe.idle:
                continue
            threatened = self._threatened(foe, way)
            own = self.harm(foe, self.me)
            others = sum(
                self.harm(foe, ally)
                for ally in self.allies
                if ally.at is not None and threatened[ally.at[1], ally.at[0]]
            )
            total = total + threatened * own * own / (own + others + 1e-9)
        return total

    def harm(self, foe: Body, victim: Body) -> float:
        """Return what an enemy would do to one of us: a strike, or a spell."""
        return max(self.strike(foe, victim, foe.arm, 0), self.gain(victim, foe.bolt(victim)) if foe.mana else 0.0)

    def _threatened(self, foe: Body, way: Grid) -> Any:
        """Return the squares that an enemy can attack in its next phase."""
        assert self.ground is not None and foe.at is not None
        if foe.shoots or foe.mana:
            return self.ground.blocked(foe.at) < 4
        return self.ground.near(way <= (0 if foe.still else MOST_SQUARES), foe.reach)
