"""Results of played duels with the luck taken out: AIVAT (Burch, Schmid, Moravcik, Morrill, Bowling, AAAI 2018).

Wherever dice fall, or a player chooses by a mix that is known, what then came is held against its mean beforehand, both
by the exact values of the solution. The difference is luck. It is 0 on average whatever anybody plays, so a result less
its luck has the same mean as the result, and a smaller variance the closer play is to the solution. A round has four
such moments: both stances, who attacks, the dice, and whether the hit is shrugged off.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heartrush_env.core.intervals import Z_95
from heartrush_env.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.heart_rush.rules.terms import NOBODY
from heartrush_env.heart_rush.solver.analysis.played_rounds import Fight, Round
from heartrush_env.heart_rush.solver.analysis.round_values import check_plain
from heartrush_env.heart_rush.solver.duel import EXCHANGE, NOTHING, Duel
from heartrush_env.heart_rush.solver.solve import expected_matrix
from heartrush_env.heart_rush.solver.tablebase import Tablebase
from heartrush_env.solver.zero_sum import Floats, SolverError

ROUNDING = 1e-9  # a deviation below this is none


@dataclass(frozen=True)
class Luck:
    """How lucky the first fighter was in a duel: what it gained by chance, in value of the duel."""

    result: float  # 1 for a win of the first fighter, 0 for a draw, -1 for a loss
    stances: float  # in what players drew from their known mixes of stances
    attacks: float  # likewise, in whether they attacked
    dice: float
    shrugs: float  # likewise, in whether they shrugged off

    @property
    def total(self) -> float:
        """All luck together."""
        return self.stances + self.attacks + self.dice + self.shrugs

    @property
    def corrected(self) -> float:
        """The result less luck; its mean is that of the results."""
        return self.result - self.total


def luck(table: Tablebase, fight: Fight) -> Luck:
    """How lucky the first fighter was in a duel, by the values of a solution of it; both as played_rounds.py reads it.

    The less is known of how players choose, the more of the noise stays; nothing of it is counted as luck then.
    """
    check_plain(table)
    parts = np.zeros(4)
    for now in fight.rounds:
        parts += _luck_of(table, now)
    return Luck(fight.result, *(float(part) for part in parts))


def _luck_of(table: Tablebase, now: Round) -> tuple[float, float, float, float]:
    """What a round gave the first fighter by chance: stances, attacks, dice, shrug."""
    left = None if table.rounds is None else table.rounds - now.number + 1
    values = table.values[0 if left is None else left - 1]
    round_ = _RoundValues(table.duel, values, table.place(now.state))
    game = expected_matrix(table, now.state, values)
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
    """A known mix, or the stance that was taken, as if it had been certain."""
    return np.eye(4)[stance] if mix is None else mix


def _share(strikes: float | None, did: int, goes: int) -> float:
    """How often a seat attacks or does not, or what it did as if that had been certain."""
    if strikes is None:
        return float(did == goes)
    return strikes if goes else 1.0 - strikes


class _RoundValues:
    """What the moments of a round in one state are worth to the first fighter."""

    def __init__(self, duel: Duel, values: Floats, place: tuple[int, int, int, int]) -> None:
        self.duel, self.values, self.place = duel, values, place
        self.stay = float(values[place])

    def choices(self, hurt: int, damage: int) -> tuple[float, float]:
        """What taking a hit and shrugging it off are worth."""
        h1, h2, k, m = self.place
        half = int(self.duel.halves[damage])
        if hurt == 0:
            return self._at(h1 - damage, h2, k, m), self._at(h1 - half, h2, k - 1, m)
        return self._at(h1, h2 - damage, k, m), self._at(h1, h2 - half, k, m - 1)

    def _at(self, h1: int, h2: int, k: int, m: int) -> float:
        return float(self.values[max(0, h1), max(0, h2), k, m])

    def hit(self, hurt: int, damage: int) -> float:
        """What a hit is worth, shrugged off if that is better for who is hurt, or as the default does."""
        taken, shrugged = self.choices(hurt, damage)
        if self.place[2 + hurt] == 0:
            return taken
        if not self.duel.free:
            return shrugged if damage >= SHRUG_FROM or damage >= self.place[hurt] - self.duel.below[hurt] else taken
        return max(taken, shrugged) if hurt == 0 else min(taken, shrugged)

    def exchange(self, exchange: int) -> float:
        """What an exchange is worth before its dice."""
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
class Mean:
    """A mean with its 95 % interval (normal) and the standard deviation of one duel."""

    mean: float
    low: float
    high: float
    deviation: float


@dataclass(frozen=True)
class Results:
    """What many duels say of two players, to the first fighter, as they went and with the luck taken out."""

    fights: int
    plain: Mean
    corrected: Mean

    @property
    def reduction(self) -> float:
        """How many times fewer duels show as much: the variance as they went over the one without luck."""
        return (
            math.inf if self.corrected.deviation < ROUNDING else (self.plain.deviation / self.corrected.deviation) ** 2
        )


def results(lucks: Sequence[Luck]) -> Results:
    """What many duels say, at least two."""
    if len(lucks) < 2:
        raise SolverError(f"Found {len(lucks)} duels, needed: at least 2 for an interval.")
    return Results(len(lucks), _mean([found.result for found in lucks]), _mean([found.corrected for found in lucks]))


def _mean(numbers: Any) -> Mean:
    mean, deviation = float(np.mean(numbers)), float(np.std(numbers, ddof=1))
    half = Z_95 * deviation / math.sqrt(len(numbers))
    return Mean(mean, mean - half, mean + half, deviation)
