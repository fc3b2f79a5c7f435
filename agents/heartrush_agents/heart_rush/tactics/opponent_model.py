"""The memory of the stances that each side has revealed in a match, counted from the reveals in observations."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.tables import Features, Layout
from heartrush_env.games.heart_rush.rules.terms import NO_STANCE, STANCES
from heartrush_env.tabletop.game import Game

LONGEST: Final = 8  # the most rounds of a sequence that is compared with earlier rounds
KEPT: Final = 16  # the latest rounds that are kept one by one
KINDS: Final = ("own", "other", "both")  # whose stances a sequence holds
DECAY: Final = 0.8  # factor on the recent counts, per round

Weights = NDArray[np.float64]  # (..., stances), all 0 where nothing is known


def why_unsupported(game: Game, rounds: int = 1) -> str | None:
    """Return why an agent that needs the reveals of the last `rounds` cannot play a game, or None if it can."""
    memory = game.options["memory"]
    if memory is None or memory >= rounds:
        return None
    if memory == 0:
        return "it relies on past reveals, but memory=0 shows none"
    return f"it needs the reveal of {rounds} rounds ago, but memory={memory} does not show it"


class Round(NamedTuple):
    """The revealed stances of a round; NO_STANCE for no stance."""

    own: int
    other: int


GAP = Round(NO_STANCE, NO_STANCE)  # between two fights; the last reveal of a fight is never seen


class Looks:
    """A counter of new reveals in stance windows; a second look at a window finds none.

    Unless sides take turns, the number of reveals equals the number of rounds that are over. With turns, each window
    belongs to a different engagement, because each engagement costs an action; the engagement before it has revealed
    one stance of each fighter in it. The reveals of a fight's last engagement are never seen.
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


class Memory:
    """The stances of the player (index 0) and of one enemy (index 1) in a match, counted in several ways."""

    def __init__(self, *, matches: bool = False) -> None:
        """Start with an empty memory; with `matches`, it also finds repeats of the latest rounds."""
        self._matches = matches
        self.rounds: list[Round] = []  # the latest ones
        self.counts = np.zeros((2, len(STANCES)))
        self.recent = np.zeros((2, len(STANCES)))
        self._followed: dict[tuple[Any, ...], Round] = {}  # the latest round after each sequence of rounds
        self._habits: dict[tuple[int, ...], Weights] = {}  # counts of a side's stances after its own latest stances

    def enter(self, seen: Round) -> None:
        """Add a round."""
        if seen != GAP:
            for kind in KINDS if self._matches else ():
                self._followed |= dict.fromkeys(self._endings(kind), seen)
            self.recent *= DECAY
            for side, stance in enumerate(seen):
                if stance != NO_STANCE:
                    for length in (1, 2):
                        after = self._habits.setdefault(self._latest(side, length), np.zeros(len(STANCES)))
                        after[stance] += 1
                    self.counts[side, stance] += 1
                    self.recent[side, stance] += 1
        self.rounds.append(seen)
        del self.rounds[:-KEPT]

    def _endings(self, kind: str) -> list[tuple[Any, ...]]:
        """Return the latest 1 to LONGEST rounds as keys, longest first; `kind` selects whose stances they hold."""
        last = self.rounds[-LONGEST:]
        line = last if kind == "both" else [getattr(seen, kind) for seen in last]
        return [(kind, *line[start:]) for start in range(len(line))]

    def _latest(self, side: int, length: int) -> tuple[int, ...]:
        """Return a side's latest `length` stances as a key, padded in front with NO_STANCE."""
        latest = [seen[side] for seen in self.rounds[-length:]]
        return (side, *[NO_STANCE] * (length - len(latest)), *latest)

    def habit(self, length: int) -> Weights:
        """Return how often each side took each stance after its own latest `length` stances, (2, stances)."""
        nothing = np.zeros(len(STANCES))
        return np.stack([self._habits.get(self._latest(side, length), nothing) for side in (0, 1)])

    def next_stances(self, longest: int) -> Weights:
        """Return how often the enemy took each stance after its own latest ones, of which at most `longest` count.

        If these have nothing in common with earlier rounds, fewer of them count, down to none.
        """
        for length in range(longest, 0, -1):
            key = self._latest(1, length)
            if NO_STANCE not in key and key in self._habits:
                return self._habits[key]
        found: Weights = self.counts[1]
        return found

    def after_repeat(self, kind: str) -> NDArray[np.float64]:
        """Return both sides' stances after the longest earlier repeat of the latest rounds, one-hot, (2, stances)."""
        found = np.zeros((2, len(STANCES)))
        for key in self._endings(kind):
            if key in self._followed:
                for side, stance in enumerate(self._followed[key]):
                    if stance != NO_STANCE:
                        found[side, stance] = 1.0
                break
        return found


class History:
    """The memories of all enemies, updated from observations in stance windows."""

    def __init__(self, layout: Layout, *, matches: bool = False) -> None:
        """Start with an empty memory of each enemy; with `matches`, they find repeats of the latest rounds."""
        self._layout, self._matches = layout, matches
        self.new_match()

    def new_match(self) -> None:
        """Forget everything."""
        self.memories = [Memory(matches=self._matches) for _ in self._layout.places]
        self._looks = Looks(self._layout)

    def new_fight(self) -> None:
        """Mark the end of the last fight by a gap in each memory."""
        self._looks = Looks(self._layout)
        for memory in self.memories:
            if memory.rounds and memory.rounds[-1] != GAP:
                memory.enter(GAP)

    def look(self, features: Features) -> int:
        """Add the reveals since the last look, and return their number."""
        new, places = self._looks.new(features)
        shown = len(self._layout.own_reveals)
        for place in places if new else ():
            memory = self.memories[place]
            if new > shown:
                memory.enter(GAP)
            for k in reversed(range(min(new, shown))):
                own, other = features[self._layout.own_reveals[k]], features[self._layout.enemy_reveals[place, k]]
                memory.enter(Round(_stance(own), _stance(other)))
        return new


def _stance(shown: Features) -> int:
    return int(shown.argmax()) if shown.any() else NO_STANCE
