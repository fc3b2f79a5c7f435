"""What enemies tend to do next: their stances counted over a match, as observations reveal them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.tables import Features, Layout
from heartrush_env.core.game import Game
from heartrush_env.heart_rush.rules.terms import STANCES

Counts = NDArray[np.int64]  # (stances,)


def why_unsupported(game: Game) -> str | None:
    """What an agent that lives by what was revealed has against a game that shows nothing of it."""
    if game.options["memory"] == 0:
        return "it watches what was revealed, and memory=0 shows nothing of that"
    return None


class OpponentModel:
    """Which stance each enemy took after which, by its place and its latest stances.

    Looks only in stance windows: as many reveals have then been made as rounds are over, so the round says which of the
    reveals shown are new, and a second look at the same finds none. What a fight's last round revealed is never seen.
    """

    def __init__(self, layout: Layout, longest: int) -> None:
        """Contexts are of at most `longest` stances; with 0 all rounds are alike."""
        self._layout, self._longest = layout, longest
        self.new_match()

    def new_match(self) -> None:
        """Forget everything."""
        self._counts: dict[tuple[int, tuple[int, ...]], Counts] = {}
        self.new_fight()

    def new_fight(self) -> None:
        """Keep the counts; what comes first follows on nothing."""
        self._seen = 0  # reveals of this fight
        self._latest: list[tuple[int, ...]] = [()] * len(self._layout.places)  # the last one last

    def look(self, features: Features) -> None:
        """Count what was revealed since the last look, in a stance window."""
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
        """One enemy's stance, the next in order; a round without one breaks the chain."""
        if not stances.any():
            self._latest[place] = ()
            return
        stance, latest = int(stances.argmax()), self._latest[place]
        for context in _endings(latest):
            self._counts.setdefault((place, context), np.zeros(len(STANCES), np.int64))[stance] += 1
        self._latest[place] = (*latest, stance)[-self._longest :] if self._longest else ()

    def next_stances(self, place: int) -> Counts:
        """How often the enemy took each stance after its latest ones, as many of them as it is known to follow on."""
        known = ((place, context) for context in _endings(self._latest[place]) if (place, context) in self._counts)
        context = next(known, None)
        return np.zeros(len(STANCES), np.int64) if context is None else self._counts[context]


def _endings(latest: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The latest stances, then without the oldest of them, and so on to none."""
    return [latest[start:] for start in range(len(latest) + 1)]
