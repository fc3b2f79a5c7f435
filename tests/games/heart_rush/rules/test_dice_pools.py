"""Dice pools: the distribution and the mean by brute force, kept and dropped dice, and rolls against all of these."""

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import stats

from heartrush_env.games.heart_rush.rules import dice as pools
from heartrush_env.games.heart_rush.rules.dice import add_die, clear_pool, distribution, new_pool, roll
from heartrush_env.games.heart_rush.rules.terms import DIE_LADDER, OF_DAMAGE, OF_HEART, OF_WHIP
from heartrush_env.tabletop.compiling.jit import for_python
from heartrush_env.tabletop.kernels import PLAIN
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rng import CHANCE
from tests.reference import dice as reference

SOURCE = record([*CHANCE, ("recording", "?")])
LEAST_CHANCE = 1e-4  # p-value below which a roll is not what the distribution says; the keys are fixed
ROLLS = 4_000 if PLAIN else 20_000

HANDFULS = [(4,), (20,), (6, 8), (8, 8), (4, 12), (6, 8, 4), (4, 6, 6), (10, 4, 6), (4, 4, 4, 4)]
NETS = (-3, -2, -1, 0, 1, 2, 3)
MOST_OUTCOMES = 50_000  # what brute force goes through in a moment


@for_python
def throw(pool, match, out):
    return roll(pool, match, out)


@for_python
def throw_often(pool, match, out, totals):
    for k in range(len(totals)):
        totals[k] = roll(pool, match, out)


@for_python
def fill_again(pool, dice):
    clear_pool(pool)
    for sides in dice:
        add_die(pool, OF_DAMAGE, sides)


def source(*given: int) -> Any:
    match = np.zeros(1, SOURCE)[0]
    match.given[: len(given)] = given
    match.given_count = len(given)
    return match


def rolled(pool: Any, *given: int) -> Any:
    """Return the roll of a pool with these results, which must be exactly as many as the pool rolls."""
    out, match = np.zeros(1, pools.ROLL)[0], source(*given)
    total = throw(pool, match, out)
    assert match.given_used == len(given) and match.draw == 0 and match.bad_die == 0
    assert total == out.total
    assert out.results[: out.count].tolist() == list(given), "results stand in the order in which they were rolled"
    return out


def test_a_pool_names_its_dice_in_the_order_in_which_they_are_rolled() -> None:
    pool = np.zeros(1, pools.POOL)[0]
    pool.count, pool.net, pool.bonus_count = 2, -2, 1
    pool.sides[:2], pool.source[:2], pool.bonus[0] = (6, 8), (OF_HEART, OF_WHIP), 4
    named = [("heart", 6), ("whip", 8), ("disadvantage", 8), ("disadvantage", 8), ("bonus", 4)]
    assert pools.dice_of(pool) == named
    pool.net = 1
    assert pools.dice_of(pool)[2:] == [("advantage", 6), ("bonus", 4)]


@pytest.mark.parametrize("recording", [False, True])
def test_a_roll_keeps_its_pool_while_events_are_kept(recording: bool) -> None:
    out, match = np.zeros(1, pools.ROLL)[0], source(3, 2)
    match.recording = recording
    throw(new_pool(6, flat_bonus=2, bonus=(4,)), match, out)
    assert (out.pool.count, out.pool.flat_bonus, out.pool.bonus_count) == ((1, 2, 1) if recording else (0, 0, 0))


SMALL_POOLS = [
    (handful, net)
    for handful in HANDFULS
    for net in NETS
    if np.prod(reference.whole_handful(handful, net)) <= MOST_OUTCOMES
]


@pytest.mark.parametrize(("handful", "net"), SMALL_POOLS)
def test_the_distribution_is_what_brute_force_counts(handful: tuple[int, ...], net: int) -> None:
    assert distribution(new_pool(*handful, net=net)) == reference.distribution(handful, net)


def test_flat_and_bonus_dice_stand_beside_the_handful() -> None:
    # 1d6 with one level of advantage and a d4 rolled beside it, +3: only the d6s are dropped from.
    found = distribution(new_pool(6, net=1, flat_bonus=3, bonus=(4,)))
    counts = Counter(max(a, b) + c + 3 for a in range(1, 7) for b in range(1, 7) for c in range(1, 5))
    assert found == {total: Fraction(ways, 144) for total, ways in counts.items()}


@pytest.mark.parametrize("net", [-20, -10, -5, 0, 5, 10, 20])
def test_chances_sum_to_one_for_large_handfuls_too(net: int) -> None:
    found = distribution(new_pool(8, 10, 12, 4, net=net, flat_bonus=-2))
    assert sum(found.values()) == 1
    assert min(found) == 4 - 2 and max(found) == 34 - 2


@pytest.mark.parametrize("net", [-20, -10, -3, -1, 0, 1, 3, 10, 20])
@pytest.mark.parametrize("handful", [(4,), (6, 8), (20, 4), (8, 6, 12), (8, 10, 12, 4), (20, 20, 20, 20)])
def test_the_mean_is_that_of_the_distribution_and_of_the_reference(handful: tuple[int, ...], net: int) -> None:
    pool = new_pool(*handful, net=net, flat_bonus=5, bonus=(4, 6))
    mean = sum(total * chance for total, chance in distribution(pool).items())
    assert mean == reference.expected(handful, net) + 5 + Fraction(5, 2) + Fraction(7, 2)
    assert pools.expected(pool) == pytest.approx(float(mean), abs=1e-9)


@pytest.mark.parametrize(
    ("handful", "net", "given", "total"),
    [
        ((6, 8), 0, (5, 7), 12),
        ((6, 8), 2, (5, 7, 1, 6), 13),  # A2 rolls 1d8 + 3d6 and drops the two lowest: 5 and 1
        ((6, 8), -2, (5, 7, 8, 1), 6),  # D2 rolls 1d6 + 3d8 and drops the two highest: 7 and 8
        ((8, 6), 1, (2, 6, 6), 12),  # the added die is a d6 wherever the smallest stands
        ((8, 4, 10), -1, (8, 4, 10, 10), 22),  # of two tens one is dropped
        ((6,), 3, (1, 1, 1, 1), 1),
        ((20,), -1, (20, 20), 20),
        ((10, 6, 8, 6), 1, (1, 6, 1, 6, 2), 15),
    ],
)
def test_advantage_drops_the_lowest_and_disadvantage_the_highest(
    handful: tuple[int, ...], net: int, given: tuple[int, ...], total: int
) -> None:
    assert (rolled(new_pool(*handful, net=net), *given).total, reference.kept_total(given, net)) == (total, total)


def test_bonus_dice_are_read_last_and_never_dropped() -> None:
    out = rolled(new_pool(6, 8, net=1, flat_bonus=-1, bonus=(4, 12)), 3, 2, 6, 1, 12)
    assert out.total == 3 + 6 + 1 + 12 - 1


def test_a_pool_is_filled_in_reading_order_and_a_die_of_no_sides_is_none() -> None:
    pool = new_pool(20, 20, net=3, flat_bonus=4, bonus=(4,))
    fill_again(pool, np.array([8, 0, 6]))
    assert (pool.count, pool.net, pool.flat_bonus, pool.bonus_count) == (2, 0, 0, 0)
    assert pool.sides[:2].tolist() == [8, 6]


def test_the_largest_pool_finds_room() -> None:
    pool = new_pool(*[20] * pools.MAX_HANDFUL, net=-pools.MAX_LEVELS, bonus=(4,) * pools.MAX_BONUS)
    given = [20] * pools.MAX_LEVELS + [1] * pools.MAX_HANDFUL + [4] * pools.MAX_BONUS
    out = rolled(pool, *given)
    assert out.count == len(given) == pools.MAX_ROLLED
    assert out.total == pools.MAX_HANDFUL + 4 * pools.MAX_BONUS


@pytest.mark.parametrize(
    ("handful", "net", "flat", "bonus"),
    [
        ((6, 8), 0, 0, ()),
        ((6, 8), 2, 0, ()),
        ((6, 8), -2, 0, ()),
        ((8, 10, 12, 4), 1, 3, ()),
        ((4, 20), -1, 0, (4,)),
        ((12,), 10, -2, (6, 6)),
    ],
)
def test_rolls_come_as_the_distribution_says(
    handful: tuple[int, ...], net: int, flat: int, bonus: tuple[int, ...]
) -> None:
    pool = new_pool(*handful, net=net, flat_bonus=flat, bonus=bonus)
    match, totals = source(), np.zeros(ROLLS, np.int64)
    with np.errstate(over="ignore"):  # in plain Python, NumPy warns where 64 bits are meant to overflow
        match.key = 7
        throw_often(pool, match, np.zeros(1, pools.ROLL)[0], totals)
    exact = distribution(pool)
    seen = Counter(totals.tolist())
    assert seen.keys() <= exact.keys()
    assert fits(seen, {total: float(chance) for total, chance in exact.items()}) > LEAST_CHANCE


def fits(seen: Counter[int], chances: dict[int, float]) -> float:
    """Return the p-value of Pearson's test, with rare totals merged with their neighbours."""
    rolls = seen.total()
    observed, wanted = [0.0], [0.0]
    for total, chance in sorted(chances.items()):
        if wanted[-1] >= 10:
            observed.append(0.0)
            wanted.append(0.0)
        observed[-1] += seen[total]
        wanted[-1] += chance * rolls
    if wanted[-1] < 10:
        observed[-2:], wanted[-2:] = [sum(observed[-2:])], [sum(wanted[-2:])]
    return float(stats.chisquare(observed, wanted).pvalue)


def test_the_test_of_rolls_would_notice_a_die_that_is_a_little_too_kind() -> None:
    # A d6 that shows a six as often as a one and a six together should, and never a one.
    seen = Counter({2: 3300, 3: 3300, 4: 3300, 5: 3300, 6: 6600, 1: 200})
    assert fits(seen, {face: 1 / 6 for face in range(1, 7)}) < LEAST_CHANCE


def test_the_ladder_of_dice_is_the_rulebooks() -> None:
    assert DIE_LADDER == reference.DIE_SIZES == (4, 6, 8, 10, 12, 20)
