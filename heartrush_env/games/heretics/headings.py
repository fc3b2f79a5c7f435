"""The headings of the rule text, the functions that claim them, and the parts that are not played yet."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Final

from heartrush_env.games.heretics.book import heading_of
from heartrush_env.tabletop.claims import CLAIMS, Claim

PACKAGE: Final = "heartrush_env.games.heretics"
# Each heading with what is not played yet, and the ruling or the reason; an empty list for a heading that is complete.
HEADINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "Dice and checks": (),
    "A fighter": (
        "two pools of hit points",
        "magicked defense, wards and mana",
        "big creatures",
        "the role of retainers",
    ),
    "Space": ("R-7: ammunition is not counted",),
    "Surprise, once a fight": ("fighters that are unaware without being surprised",),
    "The round": ("windows of retainers",),
    "What a fighter may do": ("casting", "orders", "opportunists and the window strike", "speaking"),
    "Attacks": ("attacks by int", "hiding", "hazards with more than one die", "answers as standing orders"),
    "Stunts": ("douse, because nothing burns",),
    "Conditions": ("charmed, because only spells charm",),
    "Morale, retreat, retainers": ("rout in place of surrender", "pursuit: R-34", "retainers and orders: R-35, R-46"),
    "Spells": ("all: R-36, R-47",),
    "End": (),
    "The dueling beat": ("all: R-49 to R-61",),
}


def claims() -> list[Claim]:
    """Import all modules of the game, and return its claims in the order of the files."""
    package = importlib.import_module(PACKAGE)
    for module in pkgutil.walk_packages(package.__path__, f"{PACKAGE}."):
        importlib.import_module(module.name)
    return sorted((claim for claim in CLAIMS if claim.module.startswith(f"{PACKAGE}.")), key=lambda claim: claim.module)


def played() -> dict[str, list[Claim]]:
    """Return the claims of each heading."""
    found: dict[str, list[Claim]] = {heading: [] for heading in HEADINGS}
    for claim in claims():
        found[claim.heading.removeprefix(heading_of(""))].append(claim)
    return found


def rulings() -> dict[str, str]:
    """Return the text of each ruling by its number, such as "R-7"."""
    text = (files(PACKAGE) / "rules" / "RULINGS.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^- \*\*(R-\d+)\*\* (.*)$", text, re.MULTILINE))
