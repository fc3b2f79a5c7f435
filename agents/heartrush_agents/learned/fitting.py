"""A comparison of a game's settings with those that weights were trained with."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from heartrush_env.tabletop.text import show

# The window limit used to be a number. Observations show the fraction left, so weights also play longer rounds.
WINDOWS, USUAL = "windows_per_round", ("auto", 8)


def why_other_rules(trained: Mapping[str, Any], rules: Mapping[str, Any], ignored: Collection[str] = ()) -> str | None:
    """Return why weights cannot play by these settings, as a clause, or None if they can.

    Settings that are newer than the weights are ignored.
    """
    for key, here in rules.items():
        then = trained.get(key, here)
        if key in ignored or then == here or (key == WINDOWS and then in USUAL and here in USUAL):
            continue
        return f"it was trained by other rules ({key} = {show(then)}, but here {show(here)})"
    return None
