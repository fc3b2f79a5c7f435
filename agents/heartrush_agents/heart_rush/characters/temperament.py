"""How a character picks its prey, and where it moves on a map: close to its prey and its allies, or out of reach.

Everything is read from public information, so that a pack with one taste in prey hunts the same enemy.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.characters.dials import Character, Dials
from heartrush_agents.heart_rush.tables import Features, Layout, numbers
from heartrush_agents.heart_rush.tactics.default_policy import MapLayout
from heartrush_agents.heart_rush.tactics.matchup import Matchups
from heartrush_agents.heart_rush.tactics.positioning import Positioning, View
from heartrush_env.games.heart_rush.encoding.view import Columns
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.games.heart_rush.scenario.settings import Settings

Regard = NDArray[np.float64]  # (..., enemies), 1 for the prey, less for other enemies

LARGEST_DIE: Final = 12
MANY_HP: Final = 20
# In fractions of hit points, for each square:
PULL: Final = 0.01  # towards the prey
COMPANY: Final = 0.01  # towards the nearest ally, beyond a few squares
FLIGHT: Final = 0.08  # away from the nearest enemy, at full fear


class Manners:
    """A character's fear for itself, and its regard for each enemy."""

    def __init__(self, layout: Layout, character: Character, dials: Dials) -> None:
        """Look up the public features."""
        self.dials, self.prey = dials, character.prey
        feature, places = layout.feature, layout.places
        names = tuple(feature)
        self._layout = layout
        self._share = numbers(feature, "enemy {} hp_share", places)
        self._hp = Columns(names, [f"enemy {place} hp" for place in places])
        self._dice = Columns(
            names, [[f"enemy {place} {die}" for die in ("might", "agility", "cunning")] for place in places]
        )
        self._own_share = feature["self hp_share"]
        allies = range(1, 1 + sum(name.startswith("ally ") and name.endswith(" hp_share") for name in feature))
        self._ally_shares = numbers(feature, "ally {} hp_share", allies)

    def fear(self, features: Features) -> Any:
        """Return a fighter's fear for itself, 0 to its caution; it grows with lost hit points.

        It fades over the rounds of a fight, in quiet ones faster, so that no fighter hides while its allies fight.
        """
        hurt = np.clip(1.5 - 2 * features[..., self._own_share], 0.0, 1.0)
        patience = np.minimum(self._layout.patience(features), Layout.patience(self._layout, features))
        return self.dials.caution * hurt * patience

    def regard(self, features: Features) -> Regard:
        """Return how much each enemy appeals to the character as prey, for each observation, (n, enemies)."""
        prey = self.prey
        score = prey.hurt * (1 - features[:, self._share])
        score = score + prey.frail / (1 + np.maximum(0, self._hp.of(features)) / MANY_HP)
        score = score + prey.strong * self._dice.of(features).mean(axis=-1) / LARGEST_DIE
        if isinstance(self._layout, MapLayout) and (prey.near or prey.pressing):
            for row, seen in enumerate(features):
                for place, near, pressing in self._distances(self._layout, seen):
                    score[row, place] += prey.near / near + self.dials.loyalty * prey.pressing / pressing
        score = np.where(features[:, self._layout.enemy_standing] > 0, score, -np.inf)
        best = score.max(axis=1, keepdims=True)
        regard: Regard = np.exp(score - np.where(np.isfinite(best), best, 0.0))
        return regard

    def _distances(self, layout: MapLayout, features: Features) -> list[tuple[int, int, int]]:
        """Return each standing enemy's index, and its distances to the character and the character's weakest ally."""
        own, allies = layout.bodies.own(features), layout.bodies.allies(features)
        shares = {place: features[self._ally_shares[place]] for place in allies}
        weakest = allies[min(shares, key=lambda place: float(shares[place]))] if allies else own
        return [
            (place, max(1, own.distance(enemy)), max(1, weakest.distance(enemy)))
            for place, enemy in layout.bodies.enemies(features).items()
        ]


class CharacterPositioning(Positioning):
    """An evaluation of squares like the tactician's, adjusted by a character's manners."""

    def __init__(self, layout: MapLayout, matchups: Matchups, settings: Settings, manners: Manners) -> None:
        """Prepare to evaluate squares for a character."""
        super().__init__(layout, matchups, settings)
        self._manners = manners

    def view(self, features: Features) -> View:
        """Read the positions, the prey and the fear from an observation."""
        view, manners, dials = super().view(features), self._manners, self._manners.dials
        regard, fear = manners.regard(features[None])[0], float(manners.fear(features))
        return view._replace(
            care=2 * (1 - dials.aggression) * view.care + 2 * fear,
            prey=int(regard[list(view.enemies)].argmax()) if view.enemies else NOBODY,
            pull=PULL * 2 * dials.aggression * (1 - fear),
            company=COMPANY * dials.loyalty,
            flight=FLIGHT * fear,
        )
