"""Target the Weakness."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, options, parts
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_ACTION,
    ON_DECLARATION,
    ON_ENGAGEMENT,
    Aim,
    answer,
    note,
    notes,
    remember,
    version,
)
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus
from heartrush_env.games.heart_rush.rules.terms import DEFENSE, DEFENSIVE, MOST_FIGHTERS, STANCES
from heartrush_env.tabletop.rule import compiled

IGNORED = parts("target_the_weakness", "ignored")  # one of this many equal parts


@ability(
    "target_the_weakness", on=[ON_ACTION, ON_DECLARATION, ON_ENGAGEMENT], aim=Aim.ENEMY, rulings=["R-192"],
    picks=[options(*STANCES[:DEFENSIVE])],
)  # fmt: skip
class TargetTheWeakness:
    """Before the stances, the owner names an enemy and a stance: attacks on it in that stance ignore half its defense.

    In the destiny version, they ignore all of it. The memo is the set of enemies named in this round for each stance.
    """

    def may(fight, i, slot, target):
        for stance in range(DEFENSIVE):
            if not notes(fight, i, slot, weakness(target, stance)):
                return True
        return False

    def may_pick(fight, i, slot, target, part, picked):
        return not notes(fight, i, slot, weakness(target, picked))

    def do(fight, log, i, slot, target):
        note(fight, i, slot, weakness(target, answer(fight, i, 0)), True)

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)

    def rolled_by(fight, i, slot, who, kind, other, roll):
        if kind == DEFENSE and roll.total > 0 and notes(fight, i, slot, weakness(who, fight.exchange.stance)):
            ignored = roll.total // IGNORED[version(fight, i, slot)]
            add_ability_bonus(roll.pool, -ignored)
            roll.total -= ignored


@compiled
def weakness(target, stance):
    """Return the number of a fighter and a stance in a memo."""
    return MOST_FIGHTERS * stance + target
