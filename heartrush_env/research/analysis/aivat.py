"""Results of played duels with the luck removed: AIVAT (Burch, Schmid, Moravcik, Morrill, Bowling, AAAI 2018).

Wherever dice are rolled, or a player draws from a known mix, the value of the outcome is compared with the expected
value; both are exact values of the solution. The difference is luck. Luck is 0 on average, whoever plays. So a result
minus its luck has the same mean as the result, and the closer play is to the solution, the smaller its variance. A
round has four moments of luck: the choice of stances, the choice to attack, the dice, and the choice to shrug off.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heartrush_env.games.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.research.analysis.played_rounds import Fight, Round
from heartrush_env.research.analysis.round_values import check_plain
from heartrush_env.research.duel import EXCHANGE, NOTHING
from heartrush_env.research.solve import expected_matrix
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.research.zero_sum import Floats, SolverError
from heartrush_env.tabletop.intervals import Mean, mean_of

ROUNDING = 1e-9  # smaller deviations count as 0


@dataclass(frozen=True)
class Luck:
    """The value that the first fighter of a duel gained by luck."""

    result: float  # 1 for a win of the first fighter, 0 for a draw, -1 for a loss
    stances: float  # from drawing stances from known mixes
    attacks: float  # from the choices to attack
    dice: float
    shrugs: float  # from the choices to shrug off

    @property
    def total(self) -> float:
        """The sum of all luck."""
        return self.stances + self.attacks + self.dice + self.shrugs

    @property
    def corrected(self) -> float:
        """The result minus the luck; its mean equals the mean of the results."""
        return self.result - self.total


def luck(table: Tablebase, fight: Fight) -> Luck:
    """Return the first fighter's luck in a duel from played_rounds.py, measured by the values of the duel's solution.

    Choices from unknown mixes do not count as luck, so the less is known about the players, the more noise remains.
    """
    check_plain(table)
    parts = np.zeros(4)
    for now in fight.rounds:
        parts += _luck_of(table, now)
    return Luck(fight.result, *(float(part) for part in parts))


def _luck_of(table: Tablebase, now: Round) -> tuple[float, float, float, float]:
    """Return the value that the first fighter gained by luck in a round: (stances, attacks, dice, shrug)."""
    round_ = RoundValues(table, now)
    game = expected_matrix(table, now.state, table.left_in(now.number))
    one, other = (_known(mix, stance) for mix, stance in zip(now.mixes, now.stances, strict=True))
    drawn = game[now.stances]
    exchange = int(EXCHANGE[(*now.stances, *now.attacks)])
    before_dice = round_.exchange(exchange)
    foreseen = 0.0
    for pair in np.ndindex(2, 2):
        share = math.prod(
            _share(strikes, did, goes) for strikes, did, goes in zip(now.strikes, now.attacks, pair, strict=True)
        )
        if share:
            foreseen += share * round_.exchange(int(EXCHANGE[(*now.stances, *pair)]))
    after_dice = round_.stay if now.hurt == NOBODY else round_.hit(now.hurt, now.damage)
    shrug = 0.0
    if now.shrugs is not None:
        taken, shrugged = round_.choices(now.hurt, now.damage)
        shrug = (shrugged if now.shrugged else taken) - (now.shrugs * shrugged + (1.0 - now.shrugs) * taken)
    return float(drawn - one @ game @ other), before_dice - foreseen, after_dice - before_dice, float(shrug)


def _known(mix: Floats | None, stance: int) -> Floats:
    """Return the mix; if it is unknown, return one that takes the given stance for certain."""
    return np.eye(4)[stance] if mix is None else mix


def _share(strikes: float | None, did: int, goes: int) -> float:
    """Return the probability that a seat makes the choice `goes`: 1 to attack, 0 to hold back.

    If the seat's probability of attacking, `strikes`, is unknown, its actual choice, `did`, counts as certain.
    """
    if strikes is None:
        return float(did == goes)
    return strikes if goes else 1.0 - strikes


class RoundValues:
    """The first fighter's value at each moment of a played round, if both sides play the solution from then on."""

    def __init__(self, table: Tablebase, now: Round) -> None:
        self.duel, self.place = table.duel, table.place(now.state)
        self.values = table.after(table.layer(table.left_in(now.number)))
        self.stay = float(self.values[self.place])

    def choices(self, hurt: int, damage: int) -> tuple[float, float]:
        """Return the values of taking a hit and of shrugging it off."""
        h1, h2, k, m = self.place
        half = int(self.duel.halves[damage])
        if hurt == 0:
            return self._at(h1 - damage, h2, k, m), self._at(h1 - half, h2, k - 1, m)
        return self._at(h1, h2 - damage, k, m), self._at(h1, h2 - half, k, m - 1)

    def _at(self, h1: int, h2: int, k: int, m: int) -> float:
        return float(self.values[max(0, h1), max(0, h2), k, m])

    def hit(self, hurt: int, damage: int) -> float:
        """Return the value of a hit, shrugged off if that is better for its target or if the default policy does so."""
        taken, shrugged = self.choices(hurt, damage)
        if self.place[2 + hurt] == 0:
            return taken
        if not self.duel.free:
            return shrugged if damage >= SHRUG_FROM or damage >= self.place[hurt] - self.duel.below[hurt] else taken
        return max(taken, shrugged) if hurt == 0 else min(taken, shrugged)

    def exchange(self, exchange: int) -> float:
        """Return the value of an exchange before its dice are rolled."""
        if exchange == NOTHING:
            return self.stay
        k, m = self.place[2:]
        chances = self.duel.chances[k, m, exchange]
        worth = float(self.duel.idle[k, m, exchange]) * self.stay
        for hurt, damage in np.argwhere(chances > 0):
            worth += float(chances[hurt, damage]) * self.hit(int(hurt), int(damage))
        return worth


# -- many duels --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Results:
    """The first fighter's results of many duels, as played and with the luck removed."""

    fights: int
    plain: Mean
    corrected: Mean

    @property
    def reduction(self) -> float:
        """The factor by which luck removal reduces the number of duels needed: the ratio of the variances."""
        return (
            math.inf if self.corrected.deviation < ROUNDING else (self.plain.deviation / self.corrected.deviation) ** 2
        )


def results(lucks: Sequence[Luck]) -> Results:
    """Return the results of two or more duels."""
    if len(lucks) < 2:
        raise SolverError(f"Expected at least 2 duels for an interval, got {len(lucks)}.")
    return Results(
        len(lucks), mean_of([found.result for found in lucks]), mean_of([found.corrected for found in lucks])
    )
