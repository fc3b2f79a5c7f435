"""Conditions > Entangled: four ways out of a net."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.attack_rolls import roll_attack
from heartrush_env.games.heart_rush.rules.checks import challenge_number, roll_check
from heartrush_env.games.heart_rush.rules.choices import Target, action
from heartrush_env.games.heart_rush.rules.conditions import lose
from heartrush_env.games.heart_rush.rules.sheet import damage_type, has
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    CHECK,
    CUNNING,
    CUT_FREE,
    ENTANGLED,
    MIGHT,
    NOBODY,
    SLASHING,
    TEAR_FREE,
    WRIGGLE_FREE,
)
from heartrush_env.games.heart_rush.state.events import tell_check
from heartrush_env.tabletop.rule import compiled, rule

NET_CUT_AT = 10  # total of an attack roll that cuts a net
NET_TEAR_EXTRA = 4  # added to the thrower's might number


@action(
    "wriggle_free",
    words="wriggle out of the net",
    tells="{fighter} tries to wriggle out of the net",
    heading="Conditions > Entangled",
    rulings=("R-58", "R-59"),
    conditions=(ENTANGLED,),
)
class WriggleFree:
    """A fighter wriggles out of a net with an agility check against the thrower's cunning number."""

    def do(fight, log, i, target, detail):
        thrower = fight.fighters[i].source[ENTANGLED]
        total = roll_check(fight, i, CHECK, AGILITY, thrower, 0, fight.attack_roll)
        leave_net(
            fight,
            log,
            i,
            WRIGGLE_FREE,
            total >= number_of_net(fight, i, challenge_number(fight.fighters[thrower], CUNNING)),
        )


@action(
    "tear_free",
    words="tear the net",
    tells="{fighter} tries to tear the net",
    heading="Conditions > Entangled",
    rulings=("R-58", "R-59"),
    conditions=(ENTANGLED,),
)
class TearFree:
    """A fighter tears a net with a might check against the thrower's might number plus 4."""

    def do(fight, log, i, target, detail):
        thrower = fight.fighters[i].source[ENTANGLED]
        total = roll_check(fight, i, CHECK, MIGHT, thrower, 0, fight.attack_roll)
        number = challenge_number(fight.fighters[thrower], MIGHT) + NET_TEAR_EXTRA
        leave_net(fight, log, i, TEAR_FREE, total >= number_of_net(fight, i, number))


@action(
    "cut_free",
    words="cut the net",
    tells="{fighter} tries to cut the net",
    heading="Conditions > Entangled",
    rulings=("R-59", "R-141"),
    conditions=(ENTANGLED,),
)
class CutFree:
    """A fighter cuts a net with a slashing weapon, by an agility attack roll of 10 or more."""

    def may(fight, i, target, detail):
        return can_cut(fight.fighters[i])

    def do(fight, log, i, target, detail):
        fight.fighters[i].check_ability = AGILITY
        total = roll_attack(fight, i, NOBODY, AGILITY, False, fight.attack_roll)
        leave_net(fight, log, i, CUT_FREE, total >= number_of_net(fight, i, NET_CUT_AT))


@action(
    "cut_loose",
    words="cut {target} loose",
    tells="{fighter} cuts {target} loose",
    heading="Conditions > Entangled",
    rulings=("R-59",),
    target=Target.ALLY,
)
class CutLoose:
    """A fighter with a slashing weapon frees an ally from a net."""

    def may(fight, i, target, detail):
        return has(fight.fighters[target], ENTANGLED) and can_cut(fight.fighters[i])

    def do(fight, log, i, target, detail):
        lose(fight.fighters[target], ENTANGLED)


@rule("Conditions > Entangled", "R-59")
def can_cut(fighter):
    """Return whether the fighter has a slashing weapon in hand, which cuts nets."""
    return fighter.armed and damage_type(fighter) == SLASHING


@compiled
def number_of_net(fight, i, number):
    """Return the number that fighter i must reach to leave its net, after abilities of the thrower have changed it."""
    return number + hooks.net_number(fight, fight.fighters[i].source[ENTANGLED])


@compiled
def leave_net(fight, log, i, purpose, success):
    """Free the fighter from the net if the attempt succeeded, and write the event of the check."""
    if success:
        lose(fight.fighters[i], ENTANGLED)
    tell_check(fight, log, i, purpose, success)
