"""The Engagement > Choosing Your Stance."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.choices import choice
from heartrush_env.games.heart_rush.rules.engaging import takes_part
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, DEFENSIVE, NO_STANCE, STANCES
from heartrush_env.games.heart_rush.rules.weapons import must_defend
from heartrush_env.tabletop.rule import compiled


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
        return detail == DEFENSIVE or not (must_defend(fight, i) or has_committed(fight, i))


@with_abilities(False)
@compiled
def has_committed(fight, i):
    """Return whether an ability has already decided fighter i's stance."""
    return hooks.commits(fight, i, np.int64(NO_STANCE)) != NO_STANCE


@compiled
def may_commit(fight, i, stance):
    """Return whether fighter i may show a stance early: it may take it, and has not committed to another."""
    earlier = hooks.commits(fight, i, np.int64(NO_STANCE))
    return not must_defend(fight, i) and (earlier == NO_STANCE or earlier == stance)


@compiled
def may_commit_to_any(fight, i):
    """Return whether fighter i may show any attacking stance early."""
    for stance in range(ATTACKING_STANCES):
        if may_commit(fight, i, stance):
            return True
    return False


@with_abilities(DEFENSIVE)
@compiled
def stance_without_choice(fight, i):
    """Return the stance of a fighter that has no choice: the one that an ability has decided, or defensive."""
    stance = hooks.commits(fight, i, np.int64(NO_STANCE))
    return np.int64(DEFENSIVE) if stance == NO_STANCE else stance
