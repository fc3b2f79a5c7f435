"""Picks: the answers that complete a choice that one action number cannot; see engine/picks.py, which masks them."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.abilities import MOST_OPTIONS
from heartrush_env.games.heart_rush.rules.choices import Target, choice
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD

OPTIONS = {number: str(number) for number in range(MOST_OPTIONS)}


@choice("pick", windows=(), words="option {detail}", details=OPTIONS, needs=ABILITY_FIELD, answers=True)
class Pick:
    """One of the options that an ability gives, by its number."""


@choice("pick_at", windows=(), words="{target}", target=Target.ENEMY, needs=ABILITY_FIELD, answers=True)
class PickAt:
    """An enemy."""


@choice("pick_for", windows=(), words="{target}", target=Target.COMPANION, needs=ABILITY_FIELD, answers=True)
class PickFor:
    """An ally."""
