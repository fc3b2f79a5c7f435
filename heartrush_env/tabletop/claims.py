"""Claims: the functions that play each heading of the rule text, and the rulings that they follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from inspect import unwrap
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Claim:
    """A heading of the rule text and the function that plays it."""

    heading: str
    rulings: tuple[str, ...]
    function: str  # qualified name; a method's includes its class, as in "PickUp.do"
    module: str
    file: str  # relative to the package
    summary: str


CLAIMS: list[Claim] = []


def record_claim(function: Callable[..., Any], heading: str, rulings: tuple[str, ...]) -> None:
    """Add a function's claim to the list of claims."""
    CLAIMS.append(
        Claim(
            heading=heading,
            rulings=rulings,
            function=function.__qualname__,
            module=function.__module__,
            file=_place(unwrap(function).__code__.co_filename),
            summary=(function.__doc__ or "").strip().split("\n")[0],
        )
    )


@cache
def _place(file: str) -> str:
    """Return the path of a source file relative to the package, or only its name if it is outside."""
    source = Path(file)
    folder = _resolved(source.parent)
    return (folder.relative_to(PACKAGE) / source.name).as_posix() if folder.is_relative_to(PACKAGE) else source.name


@cache
def _resolved(folder: Path) -> Path:
    return folder.resolve()
