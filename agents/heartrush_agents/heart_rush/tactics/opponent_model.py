"""A model of the enemies' next stances: counts over a match, from the reveals in observations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.tables import Features, Layout
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.tabletop.game import Game

Counts = NDArray[np.int64]  # (stances,)


def why_unsupported(game: Game) -> str | None:
    """Return why an agent that relies on past reveals cannot play a game, or None if the game shows some."""
    if game.options["memory"] == 0:
        return "it relies on past reveals, but memory=0 shows none"
    return None


class Looks:
    """Finds which reveals shown in stance windows are new; a second look at one window finds none.

    Unless sides take turns, the number of reveals equals the number of rounds that are over. If they do, each look is
    at a different engagement, because each engagement costs an action; the previous look's engagement has revealed one
    stance of each fighter in it. The reveals of a fight's last engagement are never seen.
    """

    def __init__(self, layout: Layout) -> None:
        """Begin a fight."""
        self._layout = layout
        self._seen = 0  # reveals of this fight, if they are counted by rounds
        self._last: tuple[float, ...] = ()  # the round and the actions left at the last look
        self._met = np.zeros(len(self._layout.places), np.bool_)  # the enemies faced at the last look

    def new(self, features: Features) -> tuple[int, list[int]]:
        """Return the number of reveals since the last look, and the indices, from 0, of the enemies that made them."""
        layout = self._layout
        if not layout.enters:
            revealed = layout.round.one(features) - 1
            new = max(0, revealed - self._seen)
            self._seen += new
            return new, list(range(len(layout.places)))
        now = (layout.round.one(features), *features[layout.actions_left].tolist())
        if now == self._last:
            return 0, []
        new, met = int(bool(self._last)), self._met
        self._last, self._met = now, layout.faced(features)
        return new, met.nonzero()[0].tolist()


class OpponentModel:
    """Counts which stances follow each enemy's latest stances, from the reveals in stance windows."""

    def __init__(self, layout: Layout, longest: int) -> None:
        """Use contexts of at most `longest` stances; 0 means that context is ignored."""
        self._layout, self._longest = layout, longest
        self.new_match()

    def new_match(self) -> None:
        """Forget everything."""
        self._counts: dict[tuple[int, tuple[int, ...]], Counts] = {}
        self.new_fight()

    def new_fight(self) -> None:
        """Keep the counts, and start a new sequence."""
        self._looks = Looks(self._layout)
        self._latest: list[tuple[int, ...]] = [()] * len(self._layout.places)  # oldest first

    def look(self, features: Features) -> None:
        """Count the reveals since the last look; call it in a stance window."""
        new, places = self._looks.new(features)
        shown = features[self._layout.enemy_reveals]  # (enemies, reveals, stances)
        if new > shown.shape[1]:
            self._latest = [()] * len(self._latest)
        for k in reversed(range(min(new, shown.shape[1]))):
            for place in places:
                self._enter(place, shown[place, k])

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
        """Return how often the enemy took each stance after its latest ones, in the longest context that is known."""
        known = ((place, context) for context in _endings(self._latest[place]) if (place, context) in self._counts)
        context = next(known, None)
        return np.zeros(len(STANCES), np.int64) if context is None else self._counts[context]


def _endings(latest: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the latest stances, then ever shorter contexts down to the empty one."""
    return [latest[start:] for start in range(len(latest) + 1)]
