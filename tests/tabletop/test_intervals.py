"""Confidence intervals of shares and means."""

import pytest

from heartrush_env.tabletop.intervals import mean_of, wilson


def test_wilson_intervals() -> None:
    """The values are tabulated by Wilson (1927) for 95 %: 8 of 10, 0 of 10, 10 of 10."""
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)


def test_the_interval_of_a_mean() -> None:
    """The numbers 1, 2, 3 have mean 2 and deviation 1, so half of the interval is 1.96 / sqrt(3)."""
    found = mean_of([1, 2, 3])
    assert (found.mean, found.deviation) == (2, 1)
    assert (found.low, found.high) == pytest.approx((2 - 1.1316, 2 + 1.1316), abs=1e-4)
