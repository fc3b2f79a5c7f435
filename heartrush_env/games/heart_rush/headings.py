"""The headings of the rule chapters, each with the functions that claim it, or the reason why none does."""

from __future__ import annotations

import importlib
import pkgutil
import re
import tomllib
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any, Literal

from heartrush_env.tabletop.claims import CLAIMS, Claim

CHAPTERS = ("Combat", "Classic")  # of the rule texts; claims outside them refer to other parts of the rules
GAME = "heartrush_env.games.heart_rush."
RULE_PACKAGES = tuple(f"{GAME}{room}" for room in ("rules", "abilities", "engine", "editions"))

Status = Literal["played", "later", "out"]


@dataclass(frozen=True)
class Heading:
    """A heading of the rules and its implementation status."""

    path: str  # "Combat > Taking Damage"
    status: Status
    why: str  # the subject that its missing part needs, or why it is out of scope
    see: str  # the heading under which its rule is claimed
    claims: tuple[Claim, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the heading as JSON-able data."""
        return {**asdict(self), "claims": [asdict(claim) for claim in self.claims]}


def claims() -> list[Claim]:
    """Import the modules of the rules, abilities, engine and editions, and return all their claims by file."""
    for name in RULE_PACKAGES:
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(package.__path__, f"{name}."):
            importlib.import_module(module.name)
    rooms = {name: k for k, name in enumerate(RULE_PACKAGES)}
    own = [claim for claim in CLAIMS if claim.module.startswith(GAME)]
    room_of = {claim.module: rooms.get(".".join(claim.module.split(".")[:3]), len(rooms)) for claim in own}
    return sorted(own, key=lambda claim: (room_of[claim.module], claim.module))


def listed() -> list[dict[str, str]]:
    """Return the list of headings from its data file."""
    text = (files("heartrush_env.games.heart_rush") / "rules" / "headings.toml").read_text(encoding="utf-8")
    entries: list[dict[str, str]] = tomllib.loads(text)["heading"]
    return entries


def headings() -> list[Heading]:
    """Return every heading of the chapters in order, then claimed headings from other parts of the rules."""
    by_heading: dict[str, list[Claim]] = {}
    for claim in claims():
        by_heading.setdefault(claim.heading, []).append(claim)
    entries = listed()
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


def rulings() -> dict[str, str]:
    """Return the text of each ruling by its number, such as "R-7"."""
    text = (files("heartrush_env.games.heart_rush") / "rules" / "RULINGS.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^- \*\*(R-\d+)\*\* (.*)$", text, re.MULTILINE))
