"""JSON whose numbers are finite: hooks for `json.loads`, which lets NaN, Infinity and 1e999 in unless it is told."""

from __future__ import annotations

import math
from typing import NoReturn


def not_finite(word: str) -> NoReturn:
    """Refuse NaN and the infinities: `parse_constant`."""
    raise ValueError(f"{word} is no number")


def finite(digits: str) -> float:
    """A number that is not too large: `parse_float`."""
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError("a number is too large")
    return value
