"""Doing nothing."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.choices import choice

WINDOWS = (
    "talk", "action", "opportunity", "attack", "follow_up", "yield", "step", "follow", "enter", "instant", "pick",
)  # fmt: skip


@choice("pass", windows=WINDOWS, words="do nothing", fallback=0)
class Pass:
    """A fighter does nothing."""
