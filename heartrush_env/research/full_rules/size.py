"""A lower bound on a duel's number of positions, computed from its fighters' figures before anything is played.

It counts the stance windows of later rounds by hit points, heart dice and the levels named by cunning. In each round
one fighter attacks with might against cunning, so that the other does not strike back. The attacker can deal any damage
from 1 up to what its smallest dice allow, and the target may shrug off each hit. Or the attacker takes cunning against
agility, names levels and deals no damage. Other ways to reach positions in the same number of rounds are ignored.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import DIE_LADDER
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet

LEVEL_CAP, NAMED = 5, 2
SMALLEST = DIE_LADDER[0]

Levels = tuple[int, int, int]
Counts = NDArray[np.int64]  # (rounds,): number of states first reached after exactly this many rounds


def least_positions(game: HeartRush, rounds: int) -> int:
    """Return a lower bound on the positions of a duel within this number of rounds; 1 if no better bound is known.

    Args:
        game: A game that can be solved by playing it out.
        rounds: The number of rounds to solve.
    """
    first, second = game.scenario.fighters
    if game.decisions != "full" or any(sheet.conditions or sheet.surprised for sheet in (first, second)):
        return 1
    hits = np.convolve(_hits(first, second), _hits(second, first))
    return max(1, int(np.convolve(hits, _levels(first, second, game.scenario.settings))[:rounds].sum()))


def _hits(sheet: FighterSheet, other: FighterSheet) -> Counts:
    """Count, by rounds, the pairs (hit points above 0, heart die) to which the other fighter can bring a fighter."""
    guard = sheet.armor_against(other) + sheet.shield
    most = SMALLEST + other.might + other.weapon.die + other.attack_bonus - 2 - guard
    if sheet.wound_threshold > 0:
        most = min(most, sheet.wound_threshold - 1)
    needed = {0} if sheet.hp_now > 0 else set()
    counts = [len(needed)]
    if most < 1:
        return np.array(counts, np.int64)
    lower_hearts = sum(SMALLEST <= die < sheet.heart_now for die in DIE_LADDER)
    for lost, shrugs in product(range(1, sheet.hp_now), range(lower_hearts + 1)):
        if shrugs <= lost:
            rest = lost - min(lost, shrugs * ((most + 1) // 2))
            hits = shrugs + -(-rest // most)
            counts += [0] * (hits + 1 - len(counts))
            counts[hits] += 1
    return np.array(counts, np.int64)


def _levels(sheet: FighterSheet, other: FighterSheet, settings: Settings) -> Counts:
    """Count, by rounds needed, the vectors of levels that the first fighter can name by attacks without damage."""
    guard = other.armor_against(sheet) + other.shield
    unhurt = SMALLEST + other.cunning + guard  # the defender's maximum with its smallest dice
    if not settings.levels or 4 + sheet.attack_bonus > unhurt:  # the attacker's minimum: at most four dice
        return np.ones(1, np.int64)
    each = range(NAMED + 1)
    splits = [split for split in product(each, each, each) if sum(split) <= NAMED]
    splits = [split for split in splits if settings.cunning_split or max(split) == sum(split)]
    known, fresh, counts = {(0, 0, 0)}, {(0, 0, 0)}, [1]
    while fresh:
        fresh = {_next(levels, split) for levels, split in product(fresh, splits)} - known
        known |= fresh
        counts.append(len(fresh))
    return np.array(counts, np.int64)


def _next(levels: Levels, named: Levels) -> Levels:
    """Return the levels one round later: named levels are added, and then each condition loses one level."""
    a, b, c = (max(0, min(LEVEL_CAP, level + more) - 1) for level, more in zip(levels, named, strict=True))
    return a, b, c
