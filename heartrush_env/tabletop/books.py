"""The rule text of a game: its headings, the functions that claim them, and the rulings."""

from __future__ import annotations

import importlib
import pkgutil
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any, Final, Literal, TypeVar

from heartrush_env.tabletop import rule
from heartrush_env.tabletop.claims import CLAIMS, Claim

F = TypeVar("F", bound=Callable[..., object])
_RULING: Final = re.compile(r"^- \*\*(R-\d+)\*\* (.*)$", re.MULTILINE)


Status = Literal["played", "later", "out"]


@dataclass(frozen=True)
class Heading:
    """A heading of the rules and its implementation status."""

    path: str  # "Combat > Taking Damage"
    status: Status
    why: str  # the subject on which its missing part depends, or the reason why it is out of scope
    see: str  # the heading under which its rule is claimed
    claims: tuple[Claim, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the heading as JSON-able data."""
        return {**asdict(self), "claims": [asdict(claim) for claim in self.claims]}


class Book:
    """The rule text of a game, with headings such as "Combat > Taking Damage"."""

    def __init__(self, package: str, *chapters: str, rooms: Sequence[str] = ()) -> None:
        """Describe a rule text.

        Args:
            package: The game's package, whose functions claim headings.
            chapters: The chapters whose headings are listed; claims may also name other parts of the rules.
            rooms: The subpackages of `package` that play rules; by default, all of its modules are searched.
        """
        self.chapters, self._package, self._rooms = chapters, package, rooms

    def heading(self, name: str) -> str:
        """Return the path of a heading of the first chapter, as claims write it."""
        return f"{self.chapters[0]} > {name}"

    def rule(self, heading: str, *rulings: str) -> Callable[[F], F]:
        """Claim a heading for a function, name the rulings that it follows, and compile it."""
        return rule.rule(self.heading(heading), *rulings)

    def claims(self) -> list[Claim]:
        """Import the modules that play rules, and return all their claims, sorted by module."""
        return claims_of(self._package, self._rooms)

    def rulings(self) -> dict[str, str]:
        """Return the text of each ruling by its number, such as "R-7"."""
        return rulings_of(self._package)

    def headings(self) -> list[Heading]:
        """Return every heading of the chapters in order, then claimed headings from other parts of the rules."""
        by_heading: dict[str, list[Claim]] = {}
        for claim in self.claims():
            by_heading.setdefault(claim.heading, []).append(claim)
        entries = listed_headings(self._package)
        paths = {entry["path"] for entry in entries}
        elsewhere = [{"path": path} for path in sorted(by_heading) if path not in paths]
        return [_heading(entry, by_heading) for entry in entries + elsewhere]


def _heading(entry: dict[str, str], by_heading: dict[str, list[Claim]]) -> Heading:
    path, see = entry["path"], entry.get("see", "")
    found = [
        claim for heading in by_heading if heading == path or _below(heading, see) for claim in by_heading[heading]
    ]
    status: Status = "later" if "later" in entry else "out" if "out" in entry else "played"
    why = entry.get("later") or entry.get("out") or entry.get("rest", "")
    return Heading(path, status, why, see, tuple(found))


def _below(heading: str, above: str) -> bool:
    return bool(above) and (heading == above or heading.startswith(f"{above} > "))


def claims_of(package: str, rooms: Sequence[str] = ()) -> list[Claim]:
    """Import a package's modules, or only those in its subpackages `rooms`; return its claims, sorted by module."""
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
