"""Monsters scaled to another tier (R-101)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or

SCALABLE: Final = ("minion", "standard", "elite", "boss")


def scaled(own: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the figures that a fighter's template sets, or an empty dict if it has no template.

    Raises:
        ScenarioError: `from` does not name a monster of a scalable tier.
    """
    if "template" not in own:
        return {}
    tier = catalog.role(own["from"]) if "from" in own else ""
    if tier not in SCALABLE:
        monsters = [id for id in catalog.monsters() if catalog.role(id) in SCALABLE]
        found = f"from is {show(own['from'])}" if "from" in own else "from is missing"
        raise ScenarioError(
            f"{where}: template {show(own['template'])}: expected from = {join_or(monsters)}, but {found}."
        )
    if tier == own["template"]:
        return {}
    line = catalog.stat_line(own["from"])
    old, new = _ranges(tier), _ranges(own["template"])
    damage = sum(new["damage"]) - sum(old["damage"])  # twice the difference between the midpoints
    threshold = line["wound_threshold"]
    return {
        "hp": _moved(line["hp"], old["hp"], new["hp"]),
        "wound_threshold": _moved(threshold, old["wound_threshold"], new["wound_threshold"]) if threshold else 0,
        "attack_bonus": max(0, line["attack_bonus"] + int(damage / 2)),
    }


def _ranges(tier: str) -> dict[str, Sequence[int]]:
    """Return the ranges of a tier; an open end is replaced by the start of the next tier."""
    tiers = catalog.tiers()
    names = list(tiers)
    after = tiers[names[names.index(tier) + 1]]
    keys = ("hp", "wound_threshold", "damage")
    return {key: (tiers[tier][key][0], tiers[tier][key][1] or after[key][0]) for key in keys}


def _moved(value: int, old: Sequence[int], new: Sequence[int]) -> int:
    """Return the value at the same relative position in the new range as in the old one, rounded down."""
    up = min(max(value, old[0]), old[1]) - old[0]
    return new[0] + up * (new[1] - new[0]) // (old[1] - old[0])
