"""The Engagement > Choosing Your Stance."""

from __future__ import annotations

from heartrush_env.heart_rush.rules.choices import choice
from heartrush_env.heart_rush.rules.space import may_only_defend
from heartrush_env.heart_rush.rules.stances import may_take_stance
from heartrush_env.heart_rush.rules.terms import DEFENSIVE, STANCES


@choice(
    "stance",
    windows=("stance",),
    words="{detail}",
    details=dict(enumerate(STANCES)),
    fallback=DEFENSIVE,
    alike=True,  # but for the fallback
)
class Stance:
    """A fighter takes any stance, or only the defensive one after too long a way for its ranged weapon."""

    def may(fight, i, target, detail):
        return may_take_stance(fight, i) and (detail == DEFENSIVE or not may_only_defend(fight, i))
