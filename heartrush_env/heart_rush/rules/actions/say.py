"""The Engagement > Choosing Your Stance > Strategic Discussion."""

from __future__ import annotations

from heartrush_env.heart_rush.rules.action_phase import is_able
from heartrush_env.heart_rush.rules.choices import choice
from heartrush_env.heart_rush.rules.sheet import has
from heartrush_env.heart_rush.rules.terms import MUTE, STANCES


@choice(
    "say",
    windows=("talk",),
    words="say {detail}",
    details=dict(enumerate(STANCES)),
    heading="Combat > The Engagement > Choosing Your Stance > Strategic Discussion",
    rulings=("R-50",),
)
class Say:
    """An able fighter with a voice may say which stance it means to take."""

    def may(fight, i, target, detail):
        return is_able(fight, i) and not has(fight.fighters[i], MUTE)
