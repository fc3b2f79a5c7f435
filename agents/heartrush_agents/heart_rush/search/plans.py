"""The short list of actions that a thinker compares in a window, led by the tactician's choice."""

from __future__ import annotations

from typing import Final, cast

import numpy as np

from heartrush_agents.heart_rush.tables import Places
from heartrush_agents.heart_rush.tactics.default_policy import MapLayout, layout_of
from heartrush_agents.heart_rush.tactics.pairs import HINDRANCE
from heartrush_env.tabletop.game import Game, Observation

MOST_PLANS: Final = 12
MOST_TARGETS: Final = 3  # enemies considered for attacks and dashes
# First words of the actions that roll-outs judge well; their default policy never chooses to rise, climb or hold.
JUDGED: Final = ("pass", "shrug", "take", "attack", "dirty_strike", "dash")


class Plans:
    """The plans to compare in a game's windows."""

    def __init__(self, game: Game) -> None:
        """Look up the actions."""
        self._layout = layout_of(game)
        action = self._layout.action
        self._alone = [self._layout.passes, self._layout.shrug, self._layout.take]
        self._at = [
            [
                action[f"attack {place}"],
                *(action[f"attack {place} {name}+{name}"] for name in HINDRANCE.values()),
                *(action[f"dirty_strike {place} {name}"] for name in HINDRANCE.values()),
            ]
            for place in self._layout.places
        ]
        self._judged = np.array([name.split()[0] in JUDGED for name in action])

    def of(self, observation: Observation, first: int) -> list[int]:
        """Return a window's plans, led by the tactician's `first`; only `first` if roll-outs cannot judge `first`."""
        if not self._judged[first]:
            return [first]
        mask, features = observation["action_mask"], observation["observation"]
        found = [first]
        if isinstance(self._layout, MapLayout):
            found += self._dashes(self._layout, observation)
        order = np.argsort(features[self._layout.enemy_hp], kind="stable")
        standing = [int(place) for place in order if features[self._layout.enemy_standing[place]]]
        found += [action for action in self._alone if mask[action]]
        for place in standing[:MOST_TARGETS]:
            found += [action for action in self._at[place] if mask[action]]
        return list(dict.fromkeys(found))[:MOST_PLANS]

    def _dashes(self, layout: MapLayout, observation: Observation) -> list[int]:
        """Return the dash closest to the range of each of the nearest enemies, and the dash farthest from all."""
        mask, features = observation["action_mask"], observation["observation"]
        moves = layout.moves
        dashes = cast(Places, mask[moves.dashes].nonzero()[0])
        if not len(dashes):
            return []
        own, enemies, shut_off = layout.who_is_where(features)
        if not enemies:
            return []
        xs, ys = own.x + moves.dash_x[dashes], own.y + moves.dash_y[dashes]
        cost = layout.path_cost(own, xs, ys)
        near = sorted(enemies, key=lambda place: float(enemies[place].distances(own.x, own.y, own.side)))
        chosen = []
        for place in near[:MOST_TARGETS]:
            short = layout.distances_to_range(own, {place: enemies[place]}, shut_off, xs, ys)
            chosen.append(int(np.lexsort((cost, short))[0]))
        far = np.min([enemy.distances(xs, ys, own.side) for enemy in enemies.values()], axis=0)
        chosen.append(int(np.lexsort((cost, -far))[0]))
        return [int(moves.first_dash + dashes[k]) for k in dict.fromkeys(chosen)]
