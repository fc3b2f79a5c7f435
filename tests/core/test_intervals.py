"""Intervals of shares."""

import pytest

from heartrush_env.core.intervals import wilson


def test_wilson_intervals() -> None:
    """From Wilson (1927) as tabulated for 95 %: 8 of 10, none of 10, all of 10."""
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
