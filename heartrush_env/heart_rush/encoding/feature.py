"""What a feature is, and how one number is written into an observation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from heartrush_env.core.rule import inlined


@dataclass(frozen=True)
class Feature:
    """One number of an observation: its name, its range and what it counts."""

    name: str
    low: float
    high: float
    meaning: str


def flag(name: str, meaning: str) -> Feature:
    """A feature that is 0 or 1."""
    return Feature(name, 0.0, 1.0, meaning)


def one_of(prefix: str, words: tuple[str, ...], meaning: str) -> list[Feature]:
    """A feature for each word, of which at most one is 1."""
    return [flag(f"{prefix}{word}", meaning) for word in words]


@inlined
def clip(value, least, most):
    """The value within its range."""
    return min(max(value, least), most)


@inlined
def has_bit(bits, k):
    """Whether bit k is among these."""
    return bits >> np.int64(k) & 1 == 1


@inlined
def put(out, start, k, value):
    """Write a number at start + k, which Numba then knows to be no index from the end."""
    out[np.uint64(start + k)] = value


@inlined
def renew(out, start, k, value):
    """Write a number at start + k, and tell whether another stood there."""
    new = np.float32(value)
    changed = out[np.uint64(start + k)] != new
    out[np.uint64(start + k)] = new
    return changed
