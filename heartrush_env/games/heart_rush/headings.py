"""The headings of the rule chapters, each with the functions that claim it, or the reason why none does."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from heartrush_env.tabletop.books import claims_of, listed_headings
from heartrush_env.tabletop.claims import Claim

CHAPTERS = ("Combat", "Classic")  # of the rule texts; claims outside them refer to other parts of the rules
PACKAGE = "heartrush_env.games.heart_rush"
RULE_ROOMS = ("rules", "abilities", "engine", "editions")

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
    return claims_of(PACKAGE, RULE_ROOMS)


def headings() -> list[Heading]:
    """Return every heading of the chapters in order, then claimed headings from other parts of the rules."""
    by_heading: dict[str, list[Claim]] = {}
    for claim in claims():
        by_heading.setdefault(claim.heading, []).append(claim)
    entries = listed_headings(PACKAGE)
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
