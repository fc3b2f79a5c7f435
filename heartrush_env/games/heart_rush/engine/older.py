"""Older snapshots: the fields that they lack and that are not zero, with the values that a fight of that time had."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrush_env.games.heart_rush.rules.terms import NO_STANCE, TEAM

_ADDED_RULES = (
    "agility_rises", "trip_on_steps", "trips_unlimited", "top_speed",
    "contested_always", "opportunity_first", "options_on_rolls", "help_stays",
)  # fmt: skip


def complete(data: Mapping[str, Any], start: Any) -> dict[str, Any]:
    """Return a position's data with the fields that older snapshots lack, as in `start`, the record of a new fight."""
    rules, fighters = data["rules"], data["fighters"]
    if isinstance(rules, Mapping):
        rules = {**{name: start["rules"][name].item() for name in _ADDED_RULES}, **rules}
    if isinstance(fighters, list):
        talk = start["rules"]["talk"]
        fighters = [{"heard": _heard(one, talk), **one} if isinstance(one, Mapping) else one for one in fighters]
    return {**data, "rules": rules, "fighters": fighters}


def _heard(fighter: Mapping[str, Any], talk: int) -> Any:
    """Return what all sides heard a fighter say in older versions: nothing if talk reached only its own side."""
    return NO_STANCE if talk == TEAM else fighter.get("said", NO_STANCE)
