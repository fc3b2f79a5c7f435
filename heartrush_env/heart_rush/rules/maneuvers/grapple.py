"""Other Offensive Actions > Grappling."""

from __future__ import annotations

from heartrush_env.core.rule import rule
from heartrush_env.heart_rush.rules.choices import Contest, maneuver
from heartrush_env.heart_rush.rules.maneuvers.core import MIGHT_OR_AGILITY, takes_hold
from heartrush_env.heart_rush.rules.sheet import has
from heartrush_env.heart_rush.rules.space import on_map
from heartrush_env.heart_rush.rules.taking_damage import take_hold
from heartrush_env.heart_rush.rules.terms import GRAPPLED, MIGHT, NOBODY


@rule("Combat > Other Offensive Actions > Grappling > Grappling Requirements")
def free_hands(fighter):
    """Two hands, less those that the weapon in hand and the shield take."""
    return 2 - (fighter.weapon_hands if fighter.armed else 0) - fighter.shield_hands


@maneuver(
    "grapple",
    words="grapple {target}: a contest",
    tells="{fighter} tries to grapple {target}",
    heading="Combat > Other Offensive Actions > Grappling",
    contest=Contest(MIGHT, MIGHT_OR_AGILITY, size_counts=True),
    windows=("attack", "follow"),
)
class Grapple:
    """A free hand takes hold of a creature that nobody holds."""

    def may(fight, i, target, detail):
        fighter = fight.fighters[i]
        return fighter.grappling == NOBODY and not has(fight.fighters[target], GRAPPLED) and free_hands(fighter) >= 1

    def may_in_follow(fight, i, target, detail):
        return may_squeeze(fight, i, target)

    def do(fight, log, i, target, detail):
        if takes_hold(fight, i, target) and not has(fight.fighters[target], GRAPPLED):
            take_hold(fight, i, target)

    @rule("Combat > Other Offensive Actions > Grappling > Grappling Requirements", "R-10")
    def total(fight, i, total):
        """A grapple with one free hand counts half, rounded up."""
        return (total + 1) // 2 if free_hands(fight.fighters[i]) == 1 else total


@on_map(False)
@rule("Combat > Other Offensive Actions > Grappling", "R-80")
def may_squeeze(fight, i, target):
    """Whether the push that is about to come is one of fighter i's captive, which it may squeeze instead."""
    return fight.fighters[i].squeezes and target == fight.fighters[i].grappling
