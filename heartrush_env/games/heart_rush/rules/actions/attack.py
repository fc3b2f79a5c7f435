"""The Engagement: an attack, with levels of the cunning effect if the stance gives them, and a follow-up throw."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION
from heartrush_env.games.heart_rush.rules.choices import Gate, Target, choice
from heartrush_env.games.heart_rush.rules.cunning import CUNNING_LEVELS, IMPAIRING, IMPAIRMENTS, may_name_levels
from heartrush_env.games.heart_rush.rules.stances import is_able_to_attack, may_attack
from heartrush_env.games.heart_rush.rules.terms import AGILITY, CONDITIONS, NOBODY
from heartrush_env.tabletop.rule import compiled


def levels_in_words(code: int) -> str:
    """Return the conditions that a code of cunning levels names, joined by "+", each once per level."""
    return "+".join(CONDITIONS[IMPAIRING[k]] for k in range(3) for _ in range(CUNNING_LEVELS[code, k]))


@choice(
    "attack",
    windows=("attack", "follow_up"),
    words="attack {target}",
    more=f"and name up to two levels of {IMPAIRMENTS}",
    target=Target.ENEMY,
    details={code: levels_in_words(code) for code in range(len(CUNNING_LEVELS))},
    gate=Gate.ATTACK,
    refines=True,
)
class Attack:
    """A fighter attacks an enemy that its stance may attack."""

    def may(fight, i, target, detail):
        return may_name_levels(fight, i, target, detail)

    def may_in_follow_up(fight, i, target, detail):
        """Allow a follow-up at another target only, and without levels unless an ability names them."""
        if detail != 0:
            named = hooks.names_levels(fight, i, np.int64(NOBODY)) != NOBODY
            if not named or not may_name_levels(fight, i, target, detail):
                return False
        return may_follow_up(fight, i, target)


@compiled
def is_attacker(fight, i):
    """Return whether this is the phase of fighter i's stance and the fighter may attack now."""
    if fight.fighters[i].stance != fight.phase or not is_able_to_attack(fight, i):
        return False
    return not strikes_later(fight, i)


@compiled
def attacks_next(fight, i):
    """Return whether an ability may prepare i's attack now: in the action phase or, with a setting, in i's phase."""
    return fight.occasion == ON_ACTION or (fight.rules.options_on_rolls and is_attacker(fight, i))


@compiled
def may_follow_up(fight, i, target):
    """Return whether fighter i may make a follow-up throw at this target, which it has not struck in this phase."""
    fighter = fight.fighters[i]
    if not fighter.follow_up or target == NOBODY or fighter.struck_at >> target & 1:
        return False
    return may_attack(fight, i, target) and not hooks.spares(fight, i, target)


@compiled
def strikes_later(fight, i):
    """Return whether fighter i may not attack now, because others have stepped in this agility phase and i has not."""
    if not fight.full_decisions:
        return False
    return fight.phase == AGILITY and not fight.fighters[i].stepped and steps_are_made(fight)


@compiled
def steps_are_made(fight):
    """Return whether any fighter has stepped in this agility phase; then the steps before the attacks are over."""
    for i in range(fight.n):
        if fight.fighters[i].stepped:
            return True
    return False
