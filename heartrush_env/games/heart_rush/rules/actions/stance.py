"""The Engagement > Choosing Your Stance."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.choices import choice
from heartrush_env.games.heart_rush.rules.engaging import takes_part
from heartrush_env.games.heart_rush.rules.terms import DEFENSIVE, STANCES
from heartrush_env.games.heart_rush.rules.weapons import must_defend


@choice(
    "stance",
    windows=("stance",),
    words="{detail}",
    heading="Combat > The Engagement > Choosing Your Stance",
    rulings=("R-7", "R-56"),
    details=dict(enumerate(STANCES)),
    fallback=DEFENSIVE,
    alike=True,  # except for the fallback
)
class Stance:
    """An able fighter takes any stance, or only the defensive one if it moved too far to use its ranged weapon."""

    def may(fight, i, target, detail):
        if not is_able(fight, i) or not takes_part(fight, i):
            return False
        return detail == DEFENSIVE or not must_defend(fight, i)
