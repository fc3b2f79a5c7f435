"""A model of the enemies' next stances: counts over a match, from the reveals in observations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.tables import Features, Layout
from heartrush_env.core.game import Game
from heartrush_env.heart_rush.rules.terms import STANCES

Counts = NDArray[np.int64]  # (stances,)


def why_unsupported(game: Game) -> str | None:
    """Why an agent that relies on reveals cannot play a game that shows none."""
    if game.options["memory"] == 0:
        return "it relies on past reveals, and memory=0 shows none"
    return None


class OpponentModel:
    """Counts each enemy's stances after its latest ones.

    It reads observations of stance windows alone. Each round that is over has made one reveal, so the number of the
    round says which of the reveals shown are new, and reading an observation twice counts nothing twice. It never sees
    the reveal of a fight's last round.
    """

    def __init__(self, layout: Layout, longest: int) -> None:
        """Use contexts of at most `longest` stances; with 0 all rounds are alike."""
        self._layout, self._longest = layout, longest
        self.new_match()

    def new_match(self) -> None:
        """Forget everything."""
        self._counts: dict[tuple[int, tuple[int, ...]], Counts] = {}
        self.new_fight()

    def new_fight(self) -> None:
        """Keep the counts, and start a new sequence."""
        self._seen = 0  # reveals of this fight
        self._latest: list[tuple[int, ...]] = [()] * len(self._layout.places)  # oldest first

    def look(self, features: Features) -> None:
        """Count the reveals since the last look; call it in a stance window."""
        revealed = self._layout.round.one(features) - 1
        new = revealed - self._seen
        shown = features[self._layout.enemy_reveals]  # (enemies, reveals, stances)
        if new > shown.shape[1]:
            self._latest = [()] * len(self._latest)
        for k in reversed(range(min(new, shown.shape[1]))):
            for place, stances in enumerate(shown[:, k]):
                self._enter(place, stances)
        self._seen = max(self._seen, revealed)

    def _enter(self, place: int, stances: Features) -> None:
        """Count one enemy's next stance; a round without a stance breaks the sequence."""
        if not stances.any():
            self._latest[place] = ()
            return
        stance, latest = int(stances.argmax()), self._latest[place]
        for context in _endings(latest):
            self._counts.setdefault((place, context), np.zeros(len(STANCES), np.int64))[stance] += 1
        self._latest[place] = (*latest, stance)[-self._longest :] if self._longest else ()

    def next_stances(self, place: int) -> Counts:
        """The counts of the enemy's stances after its latest ones, using the longest context seen before."""
        known = ((place, context) for context in _endings(self._latest[place]) if (place, context) in self._counts)
        context = next(known, None)
        return np.zeros(len(STANCES), np.int64) if context is None else self._counts[context]


def _endings(latest: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The latest stances, then shorter and shorter contexts down to none."""
    return [latest[start:] for start in range(len(latest) + 1)]
