"""A tactician's movement on a map: dashes, sidesteps, rising, following, doors; one decision at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.tables import Features, Places
from heartrush_agents.heart_rush.tactics.default_policy import MapLayout
from heartrush_agents.heart_rush.tactics.matchup import Matchups
from heartrush_agents.heart_rush.tactics.odds import gains
from heartrush_agents.heart_rush.tactics.pairs import Pairing
from heartrush_agents.heart_rush.tactics.positioning import Positioning, View, judge_of, moves_of
from heartrush_agents.heart_rush.tactics.rounds import NEVER
from heartrush_agents.heart_rush.tactics.squares import STAY
from heartrush_agents.heart_rush.tactics.walking import COLLISION, MIGHT_PUSH, SHOVE
from heartrush_env.games.heart_rush.rules.stances import table_of_beats
from heartrush_env.games.heart_rush.rules.terms import MIGHT
from heartrush_env.games.heart_rush.scenario.settings import Settings

Mask = NDArray[np.int8]


class Movement:
    """The choice of the legal move that leads to the best square."""

    def __init__(self, layout: MapLayout, matchups: Matchups, settings: Settings, positioning: Positioning) -> None:
        """Prepare to move for a tactician, by its evaluation of squares."""
        self._layout, self._moves, self._settings = layout, layout.moves, settings
        self._positioning, self._matchups = positioning, matchups
        self._judge, moves = judge_of(layout, settings), moves_of(layout)
        self._actions, self._kinds = moves["action"].tolist(), moves["kind"].tolist()
        self._free_dash = layout.feature["self dash"]
        self._interaction = layout.feature["self interaction"]
        self._in_action_phase = layout.feature["window action"]

    def choice(self, mask: Mask, features: Features) -> int | None:
        """Return the move to make now, or None to stay."""
        moves = self._moves
        for rising in (moves.rise_by_rush, moves.stand):
            if mask[rising]:
                return rising
        if mask[moves.follow]:
            return moves.follow
        squeeze = self._layout.squeeze(mask, features)
        if squeeze is not None:
            return self._layout.passes if self._pushes_instead(squeeze, features) else squeeze
        if not (mask[moves.swap] or any(mask[table].any() for table in (moves.dashes, moves.steps, moves.rush_steps))):
            return self._layout.approach(mask, features)
        view, constants = self._positioning.view(features), self._positioning.constants
        if not view.enemies:
            return None
        worth, chosen = self._best(view, mask, features)
        kit = self._layout.bodies.other_kit(features) if mask[moves.swap] else None
        if kit:
            price = constants.swap if features[self._interaction] else constants.action
            if self._best(self._positioning.rearmed(view, kit), mask, features)[0] - price > worth:
                return moves.swap
        if chosen is not None:
            return chosen
        shut_off = self._layout.who_is_where(features)[2]
        goes_on = self._layout.approach if len(shut_off) == len(view.enemies) else self._layout.door
        return goes_on(mask, features)

    def _pushes_instead(self, squeeze: int, features: Features) -> bool:
        """Return whether a push would cost the enemy more than twice what a squeeze does, for example over an edge.

        A collision, which hurts both fighters, is never enough.
        """
        place = self._layout.grapples.tolist().index(squeeze)
        own, enemy = self._layout.bodies.own(features), self._layout.bodies.enemy(features, place)
        left = self._matchups.pairing(features, place).other_left
        return self._positioning.pushed(own, enemy, MIGHT_PUSH, left) > min(1.0, 2 * COLLISION / left)

    def _best(self, view: View, mask: Mask, features: Features) -> tuple[float, int | None]:
        """Return the value of the best square in reach, and the move that leads there, or None to stay."""
        constants, own = self._positioning.constants, view.own
        strikes = features[self._layout.in_my_range[list(view.enemies)]].any()
        prices = [
            0.0 if features[self._free_dash] else constants.action,
            constants.rush,
            constants.action if features[self._in_action_phase] else 0.0,
            -constants.worth_it * view.patience * strikes,
        ]
        most = own.speed // 2 - self._layout.moved.one(features)
        worth, chosen = self._judge.best(view, mask, prices, most, constants)
        return worth, None if self._kinds[chosen] == STAY else self._actions[chosen]

    def pushes(self, features: Features, place: int, pair: Pairing) -> tuple[float, float]:
        """Return the value that the ground behind an enemy adds to an attack, and the value of a shove."""
        if not table_of_beats(self._settings)[pair.stance, pair.against]:
            return 0.0, NEVER
        own, enemy = self._layout.bodies.own(features), self._layout.bodies.enemy(features, place)
        attack, shove = 0.0, NEVER
        if pair.stance == MIGHT and not own.shoots:
            attack = self._positioning.pushed(own, enemy, MIGHT_PUSH, pair.other_left)
        if own.distance(enemy) <= 1:
            hindered = gains(pair, self._settings)["off_balanced"]
            shove = hindered + self._positioning.pushed(own, enemy, SHOVE, pair.other_left)
        return attack, shove

    def trips(self, masks: Mask, otherwise: Places) -> Places:
        """Return the trip of a passing enemy in each observation; the action in `otherwise` if none can be tripped."""
        legal = masks[:, self._layout.trips] != 0
        passing = legal.any(axis=1) & ~masks[:, self._layout.attacks].any(axis=1)
        chosen: Places = np.where(passing, self._layout.trips[legal.argmax(axis=1)], otherwise)
        return chosen
