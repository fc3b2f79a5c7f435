"""The rule text of a game: the claims of its headings, the list of its headings, and the rulings."""

from __future__ import annotations

import importlib
import pkgutil
import re
import tomllib
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any, Final, TypeVar

from heartrush_env.tabletop import rule
from heartrush_env.tabletop.claims import CLAIMS, Claim

F = TypeVar("F", bound=Callable[..., object])
_RULING: Final = re.compile(r"^- \*\*(R-\d+)\*\* (.*)$", re.MULTILINE)


class Book:
    """A rule text whose headings stand under one name, as in "Combat > Taking Damage"."""

    def __init__(self, name: str, package: str) -> None:
        """Describe the rule text of this name, which the functions of a game's package play."""
        self._name, self._package = name, package

    def heading(self, name: str) -> str:
        """Return a heading as claims write it."""
        return f"{self._name} > {name}"

    def rule(self, heading: str, *rulings: str) -> Callable[[F], F]:
        """Claim a heading for a function, name the rulings that it follows, and compile it."""
        return rule.rule(self.heading(heading), *rulings)

    def headings(self) -> dict[str, tuple[dict[str, str], list[Claim]]]:
        """Return each listed heading with its entry in the list and with its claims."""
        found = claims_of(self._package)
        listed = ((entry["path"], entry) for entry in listed_headings(self._package))
        return {path: (entry, [claim for claim in found if claim.heading == path]) for path, entry in listed}


def claims_of(package: str, rooms: Sequence[str] = ()) -> list[Claim]:
    """Import all modules of a package, or of these packages in it alone, and return its claims by file."""
    for name in [f"{package}.{room}" for room in rooms] or [package]:
        for module in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."):
            importlib.import_module(module.name)
    return sorted((claim for claim in CLAIMS if claim.module.startswith(f"{package}.")), key=lambda claim: claim.module)


def listed_headings(package: str) -> list[dict[str, Any]]:
    """Return the headings of a game's rule text, as its file `rules/headings.toml` lists them."""
    text = (files(package) / "rules" / "headings.toml").read_text(encoding="utf-8")
    entries: list[dict[str, Any]] = tomllib.loads(text)["heading"]
    return entries


def rulings_of(package: str) -> dict[str, str]:
    """Return the text of each ruling of a game by its number, such as "R-7"."""
    return dict(_RULING.findall((files(package) / "rules" / "RULINGS.md").read_text(encoding="utf-8")))
