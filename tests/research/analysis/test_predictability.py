"""The predictability of stances: counts by hand, entropies against scipy, and play with and without a habit."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import entropy

from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.analysis.predictability import predictability
from heartrush_env.research.zero_sum import SolverError

M, A, C, D = STANCES


def test_hits_and_entropies_by_hand() -> None:
    """The stances are m m a m m a. Order 0 always predicts m, the most frequent stance so far, and is right for the
    2nd, 4th and 5th. Order 1 predicts what most often followed the last stance, the latest follower in a tie, and
    falls back on order 0 after a new stance: m right, m wrong, m right, a wrong, m wrong. The frequencies are 4 and 2
    of 6; m is followed by m twice and by a twice, and a by m."""
    found = predictability([[M, M, A, M, M, A]], longest=1, shuffles=10)
    assert (found.stances, found.predicted, found.counts, found.chance) == (6, 5, (4, 2, 0, 0), 0.5)
    assert [order.hits for order in found.orders] == [3 / 5, 2 / 5]
    assert found.orders[0].entropy == pytest.approx(entropy([4, 2], base=2))
    assert found.orders[1].entropy == pytest.approx(4 / 5)  # one bit after each of the four m, none after the a
    assert found.best == 0


def test_a_cycle_is_foreseen_once_it_has_been_seen() -> None:
    """Order 1 misses only the first follower of each of m, a and c, so it is right for 26 of 29 stances. Order 0
    predicts the latest of equally frequent stances, and is always wrong."""
    found = predictability([[M, A, C] * 10])
    assert [order.hits for order in found.orders[:2]] == [0, 26 / 29]
    assert found.orders[1].entropy == pytest.approx(0) and found.orders[0].entropy == pytest.approx(np.log2(3))
    assert found.best == 1 and found.p_value == 1 / 201
    assert found.orders[1].low > found.orders[1].shuffled_hits


def test_one_fight_says_nothing_of_what_follows_in_the_next() -> None:
    """In each fight m is followed by a; the m that begins the next fight does not count as following a."""
    found = predictability([[M, A]] * 20, longest=1, shuffles=10)
    assert found.orders[1].entropy == 0
    one = predictability([[M, A] * 20], longest=1, shuffles=10)
    assert one.orders[1].hits > found.orders[1].hits


def test_habit_shows_and_its_absence_does_not() -> None:
    """Of 300 independent stances no order predicts better than chance; a habit followed in 80 % of rounds is found."""
    rng = np.random.default_rng(1)
    even = [STANCES[stance] for stance in rng.integers(3, size=300)]
    found = predictability([even])
    assert found.p_value > 0.05
    assert found.orders[0].entropy == pytest.approx(np.log2(3), abs=0.02)
    assert found.orders[3].entropy == pytest.approx(found.orders[3].shuffled_entropy, abs=0.05)
    sticky = [0]
    for stays in rng.random(299) < 0.8:
        sticky.append(sticky[-1] if stays else (sticky[-1] + int(rng.integers(1, 3))) % 3)
    found = predictability([[STANCES[stance] for stance in sticky]])
    assert found.best == 1 and found.p_value == 1 / 201
    assert found.orders[1].low < 0.8 < found.orders[1].high
    habit = 0.8 * np.log2(1 / 0.8) + 0.2 * np.log2(1 / 0.1)
    assert found.orders[1].entropy == pytest.approx(habit, abs=0.1)


def test_frequencies_alone_are_no_order() -> None:
    """Independent stances with 75 % might are predicted with 75 %, whether they are shuffled or not."""
    rng = np.random.default_rng(2)
    found = predictability([[M if often else C for often in rng.random(400) < 0.75]])
    assert found.orders[0].low < 0.75 < found.orders[0].high and found.p_value > 0.05


def test_the_seed_decides_the_shuffling() -> None:
    history = [[M, A, A, C, M, D, A, C, C, M, A]]
    assert predictability(history, seed=4) == predictability(history, seed=4)


def test_what_is_no_history_is_refused() -> None:
    with pytest.raises(SolverError, match="A history: expected might, agility, cunning or defensive, got 'block'"):
        predictability([[M, "block"]])
    with pytest.raises(SolverError, match=r"Expected at least 2 stances, .* got 1"):
        predictability([[M], []])
