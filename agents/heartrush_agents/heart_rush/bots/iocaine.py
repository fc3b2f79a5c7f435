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

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.bots.predictors import RememberingPlayer
from heartrush_agents.heart_rush.bots.scripted import Shares, uniform
from heartrush_agents.heart_rush.tables import Features, scenario_of
from heartrush_agents.heart_rush.tactics.matchup import Matchups
from heartrush_agents.heart_rush.tactics.odds import stakes
from heartrush_agents.heart_rush.tactics.opponent_model import Memory
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, NO_STANCE, STANCES
from heartrush_env.tabletop.game import Game

HORIZONS = (6, 24, 96, 10**6)  # rounds over which answers are scored

Stakes = NDArray[np.float64]  # (attacking stances, stances), value of each own stance against each enemy stance


class SecondGuesser(RememberingPlayer):
    """A player that takes the answer with the best recent score, among the answers of all predictors and guesses."""

    def __init__(self, game: Game, *, odds: bool = False) -> None:
        """Bind the player to a game; with `odds`, answers are scored by the tactician's stakes instead of wins."""
        super().__init__(game, matches=True)
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
