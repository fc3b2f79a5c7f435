"""Claims of the headings of Heretics' rule text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from heartrush_env.tabletop.rule import rule as claim

F = TypeVar("F", bound=Callable[..., object])
BOOK = "Heretics"


def heading_of(name: str) -> str:
    """Return a heading of the rule text as claims write it."""
    return f"{BOOK} > {name}"


def rule(heading: str, *rulings: str) -> Callable[[F], F]:
    """Claim a heading of the rule text for a function, name the rulings that it follows, and compile it."""
    return claim(heading_of(heading), *rulings)
