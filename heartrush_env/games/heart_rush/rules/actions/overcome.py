"""Conditions > Frightened and Enraged > Overcoming."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.checks import challenge_number, roll_check
from heartrush_env.games.heart_rush.rules.choices import action
from heartrush_env.games.heart_rush.rules.conditions import lose
from heartrush_env.games.heart_rush.rules.sheet import has, note_cause
from heartrush_env.games.heart_rush.rules.terms import (
    AGGRAVATED,
    BY_ABILITY,
    CONDITIONS,
    CUNNING,
    ENRAGED,
    FRIGHTENED,
    OVERCOME,
    PRESENCE,
    SAVE,
)
from heartrush_env.games.heart_rush.state.events import tell_check

OVERCOMABLE = (FRIGHTENED, ENRAGED, AGGRAVATED)


@action(
    "overcome",
    words="overcome being {detail}",
    tells="{fighter} tries to overcome its feelings",
    more="with a save",
    heading="Conditions > Frightened and Enraged > Overcoming",
    rulings=("R-58",),
    conditions=OVERCOMABLE,
    details={condition: CONDITIONS[condition] for condition in OVERCOMABLE},
)
class Overcome:
    """A fighter clears all levels of a condition with a cunning save against the presence number of its source."""

    def may(fight, i, target, detail):
        return has(fight.fighters[i], detail)

    def do(fight, log, i, target, detail):
        source = fight.fighters[i].source[detail]
        levels = hooks.hampers(fight, i, detail)
        total = roll_check(fight, i, SAVE, CUNNING, source, levels, fight.attack_roll)
        note_cause(fight, BY_ABILITY, levels)
        success = total >= challenge_number(fight.fighters[source], PRESENCE)
        if success:
            lose(fight.fighters[i], detail)
        tell_check(fight, log, i, OVERCOME, success)
