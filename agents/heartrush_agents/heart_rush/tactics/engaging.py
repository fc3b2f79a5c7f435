"""How a tactician decides whether to begin or enter an engagement, if sides take turns.

An engagement is worth the damage that the fighter's best stance is expected to deal to its enemy, minus the damage that
it is expected to suffer, as fractions of the hit points left. The engaged enemy cannot refuse, and keeps its action.
Any fighter may enter if a participant is within its weapon range: further enemies strike too, and further allies share
the damage that the enemies deal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.tables import Features, Layout, Places, numbers
from heartrush_agents.heart_rush.tactics.default_policy import MapLayout
from heartrush_agents.heart_rush.tactics.matchup import Matchups
from heartrush_agents.heart_rush.tactics.odds import dealt, stakes
from heartrush_agents.heart_rush.tactics.rounds import SLIGHT
from heartrush_agents.heart_rush.tactics.terrain import Body
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, NO_STANCE
from heartrush_env.games.heart_rush.scenario.settings import Settings

Mask = NDArray[np.int8]
Expects = Callable[[Features], NDArray[np.float64]]  # the expected stances of enemies in observations


class Engaging:
    """The value of engagements for the fighter that an observation belongs to, and the choice among them."""

    def __init__(self, layout: Layout, matchups: Matchups, settings: Settings, expects: Expects) -> None:
        """Prepare to judge engagements for a tactician."""
        self._layout, self._matchups, self._settings, self._expects = layout, matchups, settings, expects
        allies = range(1, 1 + sum(name.startswith("help ") for name in layout.action))
        self._enemies, self._allies = (
            numbers(layout.feature, f"{kind} {{}} {{}}", places, ("standing", "action", "joined"))
            for kind, places in (("enemy", layout.places), ("ally", allies))
        )

    def choice(self, mask: Mask, features: Features) -> int | None:
        """Return the action that engages an enemy or enters an engagement, or None to stay out."""
        best, worth = self.best(mask, features)
        return best if worth > -SLIGHT else None  # an even engagement is accepted

    def best(self, mask: Mask, features: Features) -> tuple[int | None, float]:
        """Return the action that begins or enters the best engagement, or None, and that engagement's worth."""
        worth = {
            int(self._layout.engages[place]): self.worth(features, place)
            for place in mask[self._layout.engages].nonzero()[0].tolist()
        }
        enters = self._layout.enters[0]
        if mask[enters]:
            faced = self._layout.faced(features).nonzero()[0].tolist()
            worth[enters] = max(self.worth(features, place) for place in faced)
        return max(worth.items(), key=lambda way: way[1], default=(None, 0.0))

    def worth(self, features: Features, place: int) -> float:
        """Return the expected gain of an engagement in which the fighter faces the enemy at index `place`."""
        pair = self._matchups.pairing(features, place)
        against, helpers = self._others(features, place)
        patience = float(self._layout.patience(features))
        suffers = patience / (1 + helpers)  # an enemy strikes one fighter of the engagement
        matrix, both = stakes(pair, self._settings).copy(), slice(ATTACKING_STANCES)
        matrix[:, both] += (1 - suffers) * dealt(pair.turned(), self._settings)[:, both].T
        gained = matrix[:, NO_STANCE] if pair.other.is_senseless else matrix @ self._expects(features[None])[0, place]
        return float(gained.max()) - suffers * sum(self._harm(features, other) for other in against)

    def _harm(self, features: Features, place: int) -> float:
        """Return the fraction of the fighter's hit points that an enemy's strike is expected to take."""
        turned = self._matchups.pairing(features, place).turned()
        return float(dealt(turned, self._settings)[:, :ATTACKING_STANCES].mean())

    def _others(self, features: Features, target: int) -> tuple[list[int], int]:
        """Return the indices of other enemies in the engagement or able to enter it, and the number of such allies."""
        if not isinstance(self._layout, MapLayout):
            against, helpers = self._coming(features, self._enemies), self._coming(features, self._allies)
        else:
            bodies = self._layout.bodies
            fought = bodies.own(features), bodies.enemy(features, target)
            against, helpers = (
                self._coming(features, flags, {k for k, who in others.items() if _reaches(who, fought)})
                for flags, others in (
                    (self._enemies, bodies.enemies(features)),
                    (self._allies, bodies.allies(features)),
                )
            )
        return [place for place in against if place != target], len(helpers)

    def _coming(self, features: Features, flags: Places, in_range: AbstractSet[int] | None = None) -> list[int]:
        """Return the indices of fighters in the engagement or able to enter: with an action and, on a map, in range."""
        return [
            place
            for place, (standing, action, joined) in enumerate(features[flags].tolist() if len(flags) else ())
            if standing and (joined or (action and (in_range is None or place in in_range)))
        ]


def _reaches(who: Body, others: Iterable[Body]) -> bool:
    """Return whether a fighter has any of the others in weapon range."""
    return any(who.distance(other) <= who.furthest for other in others)
