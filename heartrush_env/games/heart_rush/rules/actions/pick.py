"""Picks: answers that complete a choice which one action number cannot express. engine/picks.py masks them."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.abilities import MOST_OPTIONS
from heartrush_env.games.heart_rush.rules.choices import Target, choice
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD

OPTIONS = {number: str(number) for number in range(MOST_OPTIONS)}


@choice("pick", windows=(), words="option {detail}", details=OPTIONS, needs=ABILITY_FIELD, answers=True)
class Pick:
    """The pick of an option of an ability, by the option's number."""


@choice("pick_at", windows=(), words="{target}", target=Target.ENEMY, needs=ABILITY_FIELD, answers=True)
class PickAt:
    """The pick of an enemy."""


@choice("pick_for", windows=(), words="{target}", target=Target.COMPANION, needs=ABILITY_FIELD, answers=True)
class PickFor:
    """The pick of an ally."""
