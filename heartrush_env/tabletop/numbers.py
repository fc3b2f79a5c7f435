"""Hooks for `json.loads` that refuse NaN, Infinity and numbers out of range, such as 1e999."""

from __future__ import annotations

import math
from typing import NoReturn


def not_finite(word: str) -> NoReturn:
    """Refuse NaN and the infinities; for use as the hook `parse_constant`."""
    raise ValueError(f"{word} is not a number")


def finite(digits: str) -> float:
    """Return a finite number and refuse others; for use as the hook `parse_float`."""
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value
