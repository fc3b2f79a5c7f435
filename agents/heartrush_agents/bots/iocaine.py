"""Predictors that read the whole history of a match: recency, longest match, and a meta-predictor that second-guesses.

The meta-predictor follows the published idea of Iocaine Powder (Dan Egnor, 1999): whatever predicts the enemy may be
answered plainly, or on the guess that the enemy sees that coming, or on the guess that it sees that too; and what the
enemy may predict of oneself is answered in the same three ways. All such answers are scored round by round as if they
had been played, and the one is played that would have done best of late. The code and the predictors are our own.

All are about the enemy whom the default attacks, and leave all windows but the choice of stance to the default.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Agent
from heartrush_agents.bots.predictors import AnsweringPlayer, PredictingPlayer
from heartrush_agents.bots.scripted import Shares, uniform
from heartrush_agents.tables import Features, Layout, scenario_of
from heartrush_agents.tactics.matchup import Matchups
from heartrush_agents.tactics.odds import stakes
from heartrush_agents.tactics.opponent_model import why_unsupported
from heartrush_env.core.game import Game
from heartrush_env.heart_rush.rules.terms import ATTACKING_STANCES, NO_STANCE, STANCES

LONGEST = 8  # rounds that are matched with earlier ones
DECAY = 0.8  # of a count, each round
HORIZONS = (6, 24, 96, 10**6)  # rounds over which answers are scored

Weights = NDArray[np.float64]  # (stances,), 0 in all where nothing is known
Stakes = NDArray[np.float64]  # (attacking stances, stances), what each is worth against each


class Round(NamedTuple):
    """What was revealed in a round; NO_STANCE where nothing was."""

    own: int
    other: int


GAP = Round(NO_STANCE, NO_STANCE)  # between two fights, whose last reveal is never seen


class Memory:
    """What one enemy and oneself have taken in a match, counted in several ways; index 0 is oneself, 1 the enemy."""

    def __init__(self) -> None:
        """Nothing is known."""
        self.rounds: list[Round] = []
        self.counts = np.zeros((2, len(STANCES)))
        self.recent = np.zeros((2, len(STANCES)))
        self._followed: dict[tuple[Any, ...], Round] = {}  # what came last after such rounds
        self._habits: dict[tuple[int, ...], Weights] = {}  # what a side took after its own latest stances, counted

    def enter(self, seen: Round) -> None:
        """One round more."""
        if seen != GAP:
            for key in self._endings("own") + self._endings("other") + self._endings("both"):
                self._followed[key] = seen
            self.recent *= DECAY
            for side, stance in enumerate(seen):
                if stance != NO_STANCE:
                    for length in (1, 2):
                        after = self._habits.setdefault(self._latest(side, length), np.zeros(len(STANCES)))
                        after[stance] += 1
                    self.counts[side, stance] += 1
                    self.recent[side, stance] += 1
        self.rounds.append(seen)

    def _endings(self, kind: str) -> list[tuple[Any, ...]]:
        """The latest rounds as keys, the longest first."""
        last = self.rounds[-LONGEST:]
        line = last if kind == "both" else [getattr(seen, kind) for seen in last]
        return [(kind, *line[start:]) for start in range(len(line))]

    def _latest(self, side: int, length: int) -> tuple[int, ...]:
        """A side's latest stances as a key; gaps stand before the first."""
        latest = [seen[side] for seen in self.rounds[-length:]]
        return (side, *[NO_STANCE] * (length - len(latest)), *latest)

    def habit(self, length: int) -> NDArray[np.float64]:
        """How often each side took what after its own latest stances, so many of them, (2, stances)."""
        nothing = np.zeros(len(STANCES))
        return np.stack([self._habits.get(self._latest(side, length), nothing) for side in (0, 1)])

    def match(self, kind: str) -> NDArray[np.float64]:
        """What followed last time after as many of the latest rounds as there were once before, (2, stances)."""
        found = np.zeros((2, len(STANCES)))
        for key in self._endings(kind):
            if key in self._followed:
                for side, stance in enumerate(self._followed[key]):
                    if stance != NO_STANCE:
                        found[side, stance] = 1.0
                break
        return found


class History:
    """The memories of all enemies, kept up by looking at observations in stance windows.

    As many reveals have been made then as rounds are over, so the round says which of those shown are new, and a second
    look at the same finds none.
    """

    def __init__(self, layout: Layout) -> None:
        """Nothing is known."""
        self._layout = layout
        self.new_match()

    def new_match(self) -> None:
        """Forget everything."""
        self.memories = [Memory() for _ in self._layout.places]
        self._seen = 0

    def new_fight(self) -> None:
        """What comes first follows on a gap."""
        self._seen = 0
        for memory in self.memories:
            if memory.rounds and memory.rounds[-1] != GAP:
                memory.enter(GAP)

    def look(self, features: Features) -> int:
        """Enter what was revealed since the last look; returns how many rounds that were."""
        revealed = self._layout.round.one(features) - 1
        new = revealed - self._seen
        if new <= 0:
            return 0
        shown = len(self._layout.own_reveals)
        for place, memory in enumerate(self.memories):
            if new > shown:
                memory.enter(GAP)
            for k in reversed(range(min(new, shown))):
                own, other = features[self._layout.own_reveals[k]], features[self._layout.enemy_reveals[place, k]]
                memory.enter(Round(_stance(own), _stance(other)))
        self._seen = revealed
        return new


def _stance(shown: Features) -> int:
    return int(shown.argmax()) if shown.any() else NO_STANCE


class RememberingPlayer(AnsweringPlayer):
    """Knows the history of the match."""

    memory: int | Literal["match"] = "match"

    def __init__(self, game: Game) -> None:
        """Sit down at a game."""
        super().__init__(game)
        self._history = History(self._layout)

    def new_match(self) -> None:
        """Forget the enemies."""
        self._history.new_match()

    def new_fight(self) -> None:
        """Keep what was seen."""
        self._history.new_fight()

    def shares(self, features: Features) -> Shares:
        """All on the answer to what the enemy is expected to take."""
        self._history.look(features)
        return self.answer(self.expects(self._history.memories[self._layout.weakest_enemy(features)]), features)

    def expects(self, memory: Memory) -> Weights:
        """What the enemy is expected to take."""
        raise NotImplementedError


class RecentPlayer(RememberingPlayer):
    """Answers the stances of late."""

    def expects(self, memory: Memory) -> Weights:
        """Counts that fade."""
        weights: Weights = memory.recent[1]
        return weights


class MatchingPlayer(RememberingPlayer):
    """Answers what followed the last time that the match went as it just has."""

    def __init__(self, game: Game, kind: str) -> None:
        """Sit down; what is matched: "own" stances, those of the "other", or "both"."""
        super().__init__(game)
        self._kind = kind

    def expects(self, memory: Memory) -> Weights:
        """What followed then; if it never went so, all that the enemy has taken."""
        found: Weights = memory.match(self._kind)[1]
        return found if found.any() else memory.counts[1]


class SeenThroughPlayer(RememberingPlayer):
    """Expects to be answered by one that counts, and answers that."""

    def expects(self, memory: Memory) -> Weights:
        """What beats most of its own stances."""
        own: Weights = memory.counts[0]
        if not own.any():
            return own
        scores = self._edge @ own
        return np.append((scores == scores.max()).astype(float), 0.0)


class HalfPlayer(PredictingPlayer):
    """Every other time, drawn by lot, the attacking stances equally often."""

    def shares(self, features: Features) -> Shares:
        """Half of what it would do, half of all."""
        shares: Shares = (super().shares(features) + uniform()) / 2
        return shares


class SecondGuesser(RememberingPlayer):
    """Plays the answer that would have done best of late, of all that its predictors and their guesses come to."""

    def __init__(self, game: Game, *, odds: bool = False) -> None:
        """Sit down; with `odds`, answers are chosen and scored by the tactician's stakes, else by who beats whom."""
        super().__init__(game)
        self._matchups = Matchups(game) if odds else None
        self._settings = scenario_of(game).settings
        self._forget()

    def new_match(self) -> None:
        """Forget the enemies and how answers did."""
        super().new_match()
        self._forget()

    def _forget(self) -> None:
        self._scores = [np.zeros(ANSWERS)]  # of each answer, summed up to each round
        self._trust = np.zeros(len(HORIZONS))  # how well the choices of each horizon did
        self._asked: tuple[Places, Places, Stakes, int] | None = None  # answers, choices, stakes, whose place

    def new_fight(self) -> None:
        """Keep all; how the last round of a fight went is never seen."""
        super().new_fight()
        self._asked = None

    def shares(self, features: Features) -> Shares:
        """All on the answer that is trusted most."""
        if self._history.look(features) == 1 and self._asked is not None:
            self._score(*self._asked)
        place = self._layout.weakest_enemy(features)
        worth = self._stakes(features, place)
        answers = guesses(predictions(self._history.memories[place]), worth)
        chosen = self._choices()
        self._asked = answers, chosen, worth, place
        answer = int(answers[chosen[self._trust.argmax()]])
        if answer == EVENLY:
            return uniform()
        shares: Shares = np.eye(len(STANCES))[answer]
        return shares

    def _stakes(self, features: Features, place: int) -> Stakes:
        """What each attacking stance is worth against each stance."""
        if self._matchups is None:
            return self._edge.astype(np.float64)
        matrix: Stakes = stakes(self._matchups.pairing(features, place), self._settings)[:, : len(STANCES)]
        return matrix

    def _choices(self) -> Places:
        """The answer that did best over each horizon; at first, and among equals, the even mix."""
        now = self._scores[-1]
        return np.array(
            [int((now - self._scores[max(0, len(self._scores) - 1 - back)]).argmax()) for back in HORIZONS], np.intp
        )

    def _score(self, answers: Places, chosen: Places, worth: Stakes, place: int) -> None:
        """Count what each answer would have made of the round that was just revealed."""
        seen = self._history.memories[place].rounds[-1]
        if seen.other == NO_STANCE:
            return
        column = worth[:, seen.other]
        made = np.append(column, column.mean())[answers] - column.mean()
        self._scores.append(self._scores[-1] + made)
        self._trust += made[chosen]


Places = NDArray[np.intp]
PREDICTORS = 7
EVENLY = ATTACKING_STANCES  # stands for the three attacking stances equally often
GUESSES = 3  # plain, second and third
ANSWERS = 1 + 2 * GUESSES * PREDICTORS


def predictions(memory: Memory) -> NDArray[np.float64]:
    """What each predictor expects of oneself and of the enemy, (2, predictors, stances)."""
    matches = [memory.match(kind) for kind in ("other", "own", "both")]
    return np.stack([memory.counts, memory.recent, memory.habit(1), memory.habit(2), *matches], axis=1)


def guesses(expected: NDArray[np.float64], worth: Stakes) -> Places:
    """The even mix, then the answers that predictions come to, by guess, side and predictor; (ANSWERS,).

    What the enemy is expected to take is answered plainly. What it may expect of oneself, it answers, and that is
    answered. A guess further, the enemy answers that answer in turn.
    """
    own, other = expected
    known = np.concatenate([other.any(axis=1), own.any(axis=1)])
    against = -worth[:, :ATTACKING_STANCES].T  # what the enemy's attacking stances are worth against one's own
    reply = (own[:, :ATTACKING_STANCES] @ against.T).argmax(axis=1)
    answer = np.concatenate([(other @ worth.T).argmax(axis=1), worth[:, reply].argmax(axis=0)])
    found = [answer]
    for _ in range(GUESSES - 1):
        answer = worth[:, against[:, answer].argmax(axis=0)].argmax(axis=0)
        found.append(answer)
    answers: Places = np.concatenate([[EVENLY], *(np.where(known, each, EVENLY) for each in found)])
    return answers


AGENTS = (
    Agent(
        "frequency_recent",
        "Beats what the enemy has taken of late: each round counts four fifths of the one after it.",
        RecentPlayer,
        why_unsupported=why_unsupported,
    ),
    Agent(
        "history_match",
        "Beats what the enemy took the last time that its own latest stances had been the same.",
        partial(MatchingPlayer, kind="other"),
        why_unsupported=why_unsupported,
    ),
    Agent(
        "history_match_both",
        "Beats what the enemy took the last time that both sides' latest stances had been the same.",
        partial(MatchingPlayer, kind="both"),
        why_unsupported=why_unsupported,
    ),
    Agent(
        "anti_frequency",
        "Beats the answer to all that it has taken itself, as if the enemy counted that.",
        SeenThroughPlayer,
        why_unsupported=why_unsupported,
    ),
    Agent(
        "markov_1_half",
        "Every other time, drawn by lot, what markov_1 takes, else the attacking stances equally often.",
        partial(HalfPlayer, longest=1),
        why_unsupported=why_unsupported,
    ),
    Agent(
        "second_guesser",
        "Predicts in seven ways for both sides, guesses up to three deep, and plays what would have won most of late.",
        SecondGuesser,
        why_unsupported=why_unsupported,
    ),
    Agent(
        "second_guesser_odds",
        "The same, but answers are chosen and scored by the exact odds of the dice.",
        partial(SecondGuesser, odds=True),
        why_unsupported=why_unsupported,
    ),
)
