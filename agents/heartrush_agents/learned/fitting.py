"""Compares the settings by which weights were trained with those of a game."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from heartrush_env.core.text import show

# The limit of windows was a number once. Observations show the share that is left, so weights play longer rounds too.
WINDOWS, USUAL = "windows_per_round", ("auto", 8)


def why_other_rules(trained: Mapping[str, Any], rules: Mapping[str, Any], ignored: Collection[str] = ()) -> str | None:
    """Return why weights do not play by these settings, as half a sentence, or None if they do.

    Settings that are newer than the weights do not matter.
    """
    for key, here in rules.items():
        then = trained.get(key, here)
        if key in ignored or then == here or (key == WINDOWS and then in USUAL and here in USUAL):
            continue
        return f"it was trained by other rules ({key} = {show(then)}, but here {show(here)})"
    return None
