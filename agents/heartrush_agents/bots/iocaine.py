"""Predictors that read the whole history of a match: recency, longest match, and a meta-predictor that second-guesses.

The meta-predictor follows the published idea of Iocaine Powder (Dan Egnor, 1999). A prediction of the enemy can be
countered directly, or assuming that the enemy expects this, or assuming that it expects even that; the enemy's possible
prediction of the player itself is countered in the same three ways. All these answers are scored every round as if they
had been played, and the player plays the one with the best recent score. The code and the predictors are original.

All these players target the enemy that the default policy attacks, and leave all windows except the choice of stance to
the default policy.
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
from heartrush_agents.tactics.opponent_model import Looks, why_unsupported
from heartrush_env.core.game import Game
from heartrush_env.heart_rush.rules.terms import ATTACKING_STANCES, NO_STANCE, STANCES

LONGEST = 8  # rounds that are matched with earlier ones
DECAY = 0.8  # of a count, each round
HORIZONS = (6, 24, 96, 10**6)  # rounds over which answers are scored

Weights = NDArray[np.float64]  # (stances,), 0 in all where nothing is known
Stakes = NDArray[np.float64]  # (attacking stances, stances), what each is worth against each


class Round(NamedTuple):
    """The reveal of a round; NO_STANCE for no stance."""

    own: int
    other: int


GAP = Round(NO_STANCE, NO_STANCE)  # between two fights, whose last reveal is never seen


class Memory:
    """The stances of one enemy and of the player itself in a match, counted in several ways; index 0 is the player."""

    def __init__(self) -> None:
        """Start with an empty memory."""
        self.rounds: list[Round] = []
        self.counts = np.zeros((2, len(STANCES)))
        self.recent = np.zeros((2, len(STANCES)))
        self._followed: dict[tuple[Any, ...], Round] = {}  # what came last after such rounds
        self._habits: dict[tuple[int, ...], Weights] = {}  # what a side took after its own latest stances, counted

    def enter(self, seen: Round) -> None:
        """Add a round."""
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
        """The latest rounds as keys, longest first."""
        last = self.rounds[-LONGEST:]
        line = last if kind == "both" else [getattr(seen, kind) for seen in last]
        return [(kind, *line[start:]) for start in range(len(line))]

    def _latest(self, side: int, length: int) -> tuple[int, ...]:
        """A side's latest stances as a key; before the first there are gaps."""
        latest = [seen[side] for seen in self.rounds[-length:]]
        return (side, *[NO_STANCE] * (length - len(latest)), *latest)

    def habit(self, length: int) -> NDArray[np.float64]:
        """The counts of what each side took after its own latest stances, this many of them, (2, stances)."""
        nothing = np.zeros(len(STANCES))
        return np.stack([self._habits.get(self._latest(side, length), nothing) for side in (0, 1)])

    def match(self, kind: str) -> NDArray[np.float64]:
        """The stances that followed the longest earlier match with the latest rounds, (2, stances)."""
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

    def __init__(self, layout: Layout) -> None:
        """Start with an empty memory."""
        self._layout = layout
        self.new_match()

    def new_match(self) -> None:
        """Forget everything."""
        self.memories = [Memory() for _ in self._layout.places]
        self._looks = Looks(self._layout)

    def new_fight(self) -> None:
        """Separate the fights by a gap."""
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


class RememberingPlayer(AnsweringPlayer):
    """A player with the history of the match."""

    memory: int | Literal["match"] = "match"

    def __init__(self, game: Game) -> None:
        """Bind the player to a game."""
        super().__init__(game)
        self._history = History(self._layout)

    def new_match(self) -> None:
        """Forget the enemies."""
        self._history.new_match()

    def new_fight(self) -> None:
        """Keep the history."""
        self._history.new_fight()

    def shares(self, features: Features) -> Shares:
        """Play the counter to the enemy's expected stance."""
        self._history.look(features)
        return self.answer(self.expects(self._history.memories[self._layout.weakest_enemy(features)]), features)

    def expects(self, memory: Memory) -> Weights:
        """The enemy's expected stances."""
        raise NotImplementedError


class RecentPlayer(RememberingPlayer):
    """Counters the enemy's recent stances."""

    def expects(self, memory: Memory) -> Weights:
        """Counts that fade."""
        weights: Weights = memory.recent[1]
        return weights


class MatchingPlayer(RememberingPlayer):
    """Counters the stance that followed the last time the match went like this."""

    def __init__(self, game: Game, kind: str) -> None:
        """Bind the player to a game; it matches "own" stances, those of the "other", or "both"."""
        super().__init__(game)
        self._kind = kind

    def expects(self, memory: Memory) -> Weights:
        """The stance that followed then; if there is no match, all stances of the enemy so far."""
        found: Weights = memory.match(self._kind)[1]
        return found if found.any() else memory.counts[1]


class SeenThroughPlayer(RememberingPlayer):
    """Expects an enemy that counts its stances, and counters that enemy."""

    def expects(self, memory: Memory) -> Weights:
        """The counter to its own stances so far."""
        own: Weights = memory.counts[0]
        if not own.any():
            return own
        scores = self._edge @ own
        return np.append((scores == scores.max()).astype(float), 0.0)


class HalfPlayer(PredictingPlayer):
    """Plays the attacking stances equally often in half of its choices, at random."""

    def shares(self, features: Features) -> Shares:
        """The even mixture of its usual policy and the uniform one."""
        shares: Shares = (super().shares(features) + uniform()) / 2
        return shares


class SecondGuesser(RememberingPlayer):
    """Plays the answer that would have scored best recently, among those of all predictors and guesses."""

    def __init__(self, game: Game, *, odds: bool = False) -> None:
        """Bind the player to a game; `odds` scores answers by the tactician's stakes, not by wins."""
        super().__init__(game)
        self._matchups = Matchups(game) if odds else None
        self._settings = scenario_of(game).settings
        self._forget()

    def new_match(self) -> None:
        """Forget the enemies and the scores of answers."""
        super().new_match()
        self._forget()

    def _forget(self) -> None:
        self._scores = [np.zeros(ANSWERS)]  # of each answer, summed up to each round
        self._trust = np.zeros(len(HORIZONS))  # how well the choices of each horizon did
        self._asked: tuple[Places, Places, Stakes, int] | None = None  # answers, choices, stakes, whose place

    def new_fight(self) -> None:
        """Keep everything; the last round of a fight is never observed."""
        super().new_fight()
        self._asked = None

    def shares(self, features: Features) -> Shares:
        """Play the most trusted answer."""
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
        """The value of each attacking stance against each stance."""
        if self._matchups is None:
            return self._edge.astype(np.float64)
        matrix: Stakes = stakes(self._matchups.pairing(features, place), self._settings)[:, : len(STANCES)]
        return matrix

    def _choices(self) -> Places:
        """The best answer over each horizon; at first, and between equals, the even mix."""
        now = self._scores[-1]
        return np.array(
            [int((now - self._scores[max(0, len(self._scores) - 1 - back)]).argmax()) for back in HORIZONS], np.intp
        )

    def _score(self, answers: Places, chosen: Places, worth: Stakes, place: int) -> None:
        """Score each answer on the round just revealed."""
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
    """The predictions of each predictor for the player itself and for the enemy, (2, predictors, stances)."""
    matches = [memory.match(kind) for kind in ("other", "own", "both")]
    return np.stack([memory.counts, memory.recent, memory.habit(1), memory.habit(2), *matches], axis=1)


def guesses(expected: NDArray[np.float64], worth: Stakes) -> Places:
    """The even mix, then the answers to all predictions, by guess, side and predictor; (ANSWERS,).

    At the first level, the enemy's expected stance is countered; the enemy counters the stance that it expects of the
    player, and that is countered too. At each further level, the enemy counters the answer in turn.
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
        "Beats the enemy's recent stances: each round counts four fifths of the one after it.",
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
        "Beats the counter to its own past stances, as if the enemy counted those.",
        SeenThroughPlayer,
        why_unsupported=why_unsupported,
    ),
    Agent(
        "markov_1_half",
        "Plays like markov_1 half of the time, at random, otherwise the attacking stances equally often.",
        partial(HalfPlayer, longest=1),
        why_unsupported=why_unsupported,
    ),
    Agent(
        "second_guesser",
        "Predicts both sides in seven ways, guesses up to three levels deep, and plays the best recent answer.",
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
