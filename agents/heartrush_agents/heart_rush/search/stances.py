"""Expected stances of fighters, and the worth of stance pairs before any roll-out.

Both come from the exact odds of the next round (tactics/odds.py). A fighter is expected to repeat the stances that it
has shown; the more it has shown, the more its past counts.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.tables import Features, scenario_of
from heartrush_agents.heart_rush.tactics.default_policy import layout_of
from heartrush_agents.heart_rush.tactics.matchup import matchups_of
from heartrush_agents.heart_rush.tactics.odds import ASKS_STAKES, odds_of
from heartrush_agents.heart_rush.tactics.pairs import turned
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, DEFENSIVE, STANCES
from heartrush_env.research.zero_sum import mix_both, workspace
from heartrush_env.tabletop.game import Game

Floats = NDArray[np.float64]

IN_ADVANCE: Final = 2.0  # prior weight of the mix by the odds, in reveals
OF_A_BASE: Final = 12.0  # prior weight of the mix by the agent that a thinker searches with, in reveals
LEAST_SPREAD: Final = 0.02  # least standard deviation of a stance pair's worth beyond the odds


class Mixes:
    """Stance mixes that follow from the probabilities of the dice, for any seat of a game."""

    def __init__(self, game: Game) -> None:
        """Look up the tables of the game."""
        self._layout, self._matchups = layout_of(game), matchups_of(game)
        self._odds = odds_of(scenario_of(game).settings)
        self._space = workspace(ATTACKING_STANCES, ATTACKING_STANCES)

    def of(self, features: Features) -> Floats:
        """Return the mixes of many observations against the weakest enemy faced, (n, features) to (n, stances)."""
        places = self._layout.weakest(features)
        pairs = self._matchups.pairs(features, placed=False)[np.arange(len(features)), places]
        stakes = self._odds.matrices(ASKS_STAKES, pairs)[:, :, :ATTACKING_STANCES]
        mixes, column = np.zeros((len(features), len(STANCES))), np.zeros(ATTACKING_STANCES)
        for row, game in enumerate(stakes):
            mix = np.zeros(ATTACKING_STANCES)
            mix_both(np.ascontiguousarray(game), mix, column, *self._space)
            mixes[row, :ATTACKING_STANCES] = mix / mix.sum()
        return mixes

    def stakes(self, features: Features, place: int) -> Floats:
        """Return the worth of each pair of stances against an enemy in the next round, (own stances, its stances)."""
        pair = self._matchups.pairs(features[None], placed=False)[:, place]
        worth = np.zeros((len(STANCES), len(STANCES)))
        both = self._odds.matrices(ASKS_STAKES, np.concatenate([pair, turned(pair)]))
        worth[:ATTACKING_STANCES] = both[0][:, : len(STANCES)]
        worth[DEFENSIVE, :ATTACKING_STANCES] = -both[1][:, DEFENSIVE]
        return worth

    def expected(self, features: Features, place: int, mix: Floats, in_advance: float = IN_ADVANCE) -> Floats:
        """Return an enemy's expected stance mix: its reveals, plus `mix` as a prior, (stances,)."""
        shown: Floats = features[self._layout.enemy_reveals[place]].sum(axis=0, dtype=np.float64)
        counted: Floats = in_advance * mix + shown
        counted /= counted.sum()
        return counted


def estimated(means: Floats, error: float, stakes: Floats) -> Floats:
    """Return the worth of pairs of stances, from noisy means of roll-outs and the stakes of one round.

    A line in the stakes is fitted to the means. Deviations from the line count less, the larger the error.

    Args:
        means: The mean of each pair, (own stances, the other's).
        error: The standard error of such a mean.
        stakes: The worth of each pair, calculated from the dice of one round, (own stances, the other's).
    """
    centred = stakes - stakes.mean()
    slope = max(0.0, float((centred * means).sum() / max(1e-12, float((centred**2).sum()))))
    line = means.mean() + slope * centred
    spread = max(LEAST_SPREAD**2, float(((means - line) ** 2).mean()) - error**2)
    fitted: Floats = line + (means - line) * spread / (spread + error**2)
    return fitted
