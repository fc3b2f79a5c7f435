"""Predictors that use the whole history of a match: recent stances, repeated sequences, and second-guessing.

The meta-predictor follows the published idea of Iocaine Powder (Dan Egnor, 1999). The player can counter a prediction
of the enemy directly, or assume that the enemy expects this, or assume that the enemy expects even that. The enemy may
also predict the player; the player can counter that prediction at three levels too. Every round, all these answers are
scored as if they had been played, and the player plays the answer with the best recent score. The code and the
predictors are original.

All these players target the enemy that the default policy attacks, and leave all windows except the choice of stance
to the default policy.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Agent
from heartrush_agents.heart_rush.bots.predictors import AnsweringPlayer, PredictingPlayer
from heartrush_agents.heart_rush.bots.scripted import Shares, uniform
from heartrush_agents.heart_rush.tables import HEART_RUSH, Features, Layout, scenario_of
from heartrush_agents.heart_rush.tactics.matchup import Matchups
from heartrush_agents.heart_rush.tactics.odds import stakes
from heartrush_agents.heart_rush.tactics.opponent_model import Looks, why_unsupported
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, NO_STANCE, STANCES
from heartrush_env.tabletop.game import Game

LONGEST = 8  # the most rounds of a sequence that is compared with earlier rounds
DECAY = 0.8  # factor on the recent counts, per round
HORIZONS = (6, 24, 96, 10**6)  # rounds over which answers are scored

Weights = NDArray[np.float64]  # (stances,), all 0 where nothing is known
Stakes = NDArray[np.float64]  # (attacking stances, stances), value of each own stance against each enemy stance


class Round(NamedTuple):
    """The revealed stances of a round; NO_STANCE for no stance."""

    own: int
    other: int


GAP = Round(NO_STANCE, NO_STANCE)  # between two fights; the last reveal of a fight is never seen


class Memory:
    """The stances of the player (index 0) and of one enemy (index 1) in a match, counted in several ways."""

    def __init__(self) -> None:
        """Start with an empty memory."""
        self.rounds: list[Round] = []
        self.counts = np.zeros((2, len(STANCES)))
        self.recent = np.zeros((2, len(STANCES)))
        self._followed: dict[tuple[Any, ...], Round] = {}  # the latest round after each sequence of rounds
        self._habits: dict[tuple[int, ...], Weights] = {}  # counts of a side's stances after its own latest stances

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
        """Return the latest 1 to LONGEST rounds as keys, longest first; `kind` selects whose stances they hold."""
        last = self.rounds[-LONGEST:]
        line = last if kind == "both" else [getattr(seen, kind) for seen in last]
        return [(kind, *line[start:]) for start in range(len(line))]

    def _latest(self, side: int, length: int) -> tuple[int, ...]:
        """Return a side's latest `length` stances as a key, padded in front with NO_STANCE."""
        latest = [seen[side] for seen in self.rounds[-length:]]
        return (side, *[NO_STANCE] * (length - len(latest)), *latest)

    def habit(self, length: int) -> NDArray[np.float64]:
        """Return how often each side took each stance after its own latest `length` stances, (2, stances)."""
        nothing = np.zeros(len(STANCES))
        return np.stack([self._habits.get(self._latest(side, length), nothing) for side in (0, 1)])

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

    def __init__(self, layout: Layout) -> None:
        """Start with an empty memory of each enemy."""
        self._layout = layout
        self.new_match()

    def new_match(self) -> None:
        """Forget everything."""
        self.memories = [Memory() for _ in self._layout.places]
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


class RememberingPlayer(AnsweringPlayer):
    """A player that keeps the history of the match."""

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
        """Return the best counter to the enemy's expected stances."""
        self._history.look(features)
        return self.answer(
            self.expected_stances(self._history.memories[self._layout.weakest_enemy(features)]), features
        )

    def expected_stances(self, memory: Memory) -> Weights:
        """Return the weights of the enemy's expected stances, (stances,)."""
        raise NotImplementedError


class RecentPlayer(RememberingPlayer):
    """Counters the enemy's recent stances."""

    def expected_stances(self, memory: Memory) -> Weights:
        """Return the decayed counts of the enemy's stances."""
        weights: Weights = memory.recent[1]
        return weights


class MatchingPlayer(RememberingPlayer):
    """Counters the stance that came next when a sequence like the latest rounds last occurred in the match."""

    def __init__(self, game: Game, kind: str) -> None:
        """Bind the player to a game; `kind` selects the stances to match: "own", "other" or "both"."""
        super().__init__(game)
        self._kind = kind

    def expected_stances(self, memory: Memory) -> Weights:
        """Return the stance after the longest equal sequence; without one, the counts of all enemy stances so far."""
        found: Weights = memory.after_repeat(self._kind)[1]
        return found if found.any() else memory.counts[1]


class SeenThroughPlayer(RememberingPlayer):
    """Expects an enemy that counts the player's stances, and counters that enemy."""

    def expected_stances(self, memory: Memory) -> Weights:
        """Return the counter to the player's own stances so far."""
        own: Weights = memory.counts[0]
        if not own.any():
            return own
        scores = self._edge @ own
        return np.append((scores == scores.max()).astype(float), 0.0)


class HalfPlayer(PredictingPlayer):
    """In a random half of its choices, takes the attacking stances equally often instead of predicting."""

    def shares(self, features: Features) -> Shares:
        """Return the equal mixture of the predicting policy and the uniform policy."""
        shares: Shares = (super().shares(features) + uniform()) / 2
        return shares


class SecondGuesser(RememberingPlayer):
    """Plays the answer with the best recent score, among the answers of all predictors and guesses."""

    def __init__(self, game: Game, *, odds: bool = False) -> None:
        """Bind the player to a game; with `odds`, answers are scored by the tactician's stakes instead of wins."""
        super().__init__(game)
        self._matchups = Matchups(game) if odds else None
        self._settings = scenario_of(game).settings
        self._forget()

    def new_match(self) -> None:
        """Forget the enemies and the scores of answers."""
        super().new_match()
        self._forget()

    def _forget(self) -> None:
        self._scores = [np.zeros(ANSWERS)]  # cumulative score of each answer after each round
        self._trust = np.zeros(len(HORIZONS))  # total score of each horizon's choices
        self._asked: tuple[Places, Places, Stakes, int] | None = None  # answers, choices, stakes, enemy index

    def new_fight(self) -> None:
        """Keep the scores, but do not score the last answers: the last round of a fight is never observed."""
        super().new_fight()
        self._asked = None

    def shares(self, features: Features) -> Shares:
        """Return the answer of the most trusted horizon, after scoring the answers to the last round."""
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
        """Return the value of each attacking stance against each stance, (attacking stances, stances)."""
        if self._matchups is None:
            return self._edge.astype(np.float64)
        matrix: Stakes = stakes(self._matchups.pairing(features, place), self._settings)[:, : len(STANCES)]
        return matrix

    def _choices(self) -> Places:
        """Return each horizon's best answer, (horizons,); a tie picks the lowest index, and index 0 is the even mix."""
        now = self._scores[-1]
        return np.array(
            [int((now - self._scores[max(0, len(self._scores) - 1 - back)]).argmax()) for back in HORIZONS], np.intp
        )

    def _score(self, answers: Places, chosen: Places, worth: Stakes, place: int) -> None:
        """Score each answer by the enemy's stance in the round just revealed."""
        seen = self._history.memories[place].rounds[-1]
        if seen.other == NO_STANCE:
            return
        column = worth[:, seen.other]
        made = np.append(column, column.mean())[answers] - column.mean()
        self._scores.append(self._scores[-1] + made)
        self._trust += made[chosen]


Places = NDArray[np.intp]
PREDICTORS = 7
EVENLY = ATTACKING_STANCES  # the code of the answer that takes the three attacking stances equally often
GUESSES = 3  # levels of guessing
ANSWERS = 1 + 2 * GUESSES * PREDICTORS


def predictions(memory: Memory) -> NDArray[np.float64]:
    """Return each predictor's prediction for the player and for the enemy, (2, predictors, stances)."""
    matches = [memory.after_repeat(kind) for kind in ("other", "own", "both")]
    return np.stack([memory.counts, memory.recent, memory.habit(1), memory.habit(2), *matches], axis=1)


def guesses(expected: NDArray[np.float64], worth: Stakes) -> Places:
    """Return the code of the even mix, then the answers to all predictions by level, side and predictor, (ANSWERS,).

    At the first level, the player counters the enemy's expected stance. It also expects the enemy to counter the
    player's predicted stance, and counters that counter. At each further level, the enemy counters the player's answer
    in turn.
    """
    own, other = expected
    known = np.concatenate([other.any(axis=1), own.any(axis=1)])
    against = -worth[:, :ATTACKING_STANCES].T  # value of the enemy's attacking stances against the player's own
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
        games=HEART_RUSH,
    ),
    Agent(
        "history_match",
        "Beats what the enemy took the last time that its own latest stances had been the same.",
        partial(MatchingPlayer, kind="other"),
        why_unsupported=why_unsupported,
        games=HEART_RUSH,
    ),
    Agent(
        "history_match_both",
        "Beats what the enemy took the last time that both sides' latest stances had been the same.",
        partial(MatchingPlayer, kind="both"),
        why_unsupported=why_unsupported,
        games=HEART_RUSH,
    ),
    Agent(
        "anti_frequency",
        "Beats the counter to its own past stances, as if the enemy counted those.",
        SeenThroughPlayer,
        why_unsupported=why_unsupported,
        games=HEART_RUSH,
    ),
    Agent(
        "markov_1_half",
        "Plays like markov_1 half of the time, at random, otherwise the attacking stances equally often.",
        partial(HalfPlayer, longest=1),
        why_unsupported=why_unsupported,
        games=HEART_RUSH,
    ),
    Agent(
        "second_guesser",
        "Predicts both sides in seven ways, guesses up to three levels deep, and plays the best recent answer.",
        SecondGuesser,
        why_unsupported=why_unsupported,
        games=HEART_RUSH,
    ),
    Agent(
        "second_guesser_odds",
        "The same, but answers are chosen and scored by the exact odds of the dice.",
        partial(SecondGuesser, odds=True),
        why_unsupported=why_unsupported,
        games=HEART_RUSH,
    ),
)
