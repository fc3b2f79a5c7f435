"""Hooks for `json.loads` that accept only finite numbers, where it would accept NaN, Infinity and 1e999."""

from __future__ import annotations

import math
from typing import NoReturn


def not_finite(word: str) -> NoReturn:
    """Refuse NaN and the infinities, as `parse_constant`."""
    raise ValueError(f"{word} is not a number")


def finite(digits: str) -> float:
    """A finite number, as `parse_float`."""
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value
