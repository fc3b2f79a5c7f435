"""Conditions > Burning > Putting It Out: one's own flames, or an ally's."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.choices import Target, action
from heartrush_env.games.heart_rush.rules.conditions import lose_levels
from heartrush_env.games.heart_rush.rules.sheet import halved, has
from heartrush_env.games.heart_rush.rules.terms import BURNING
from heartrush_env.tabletop.rule import rule


@rule("Conditions > Burning > Putting It Out")
def put_out_fire(fighter):
    """Put out half of the fighter's levels of burning, rounded up, with one action."""
    lose_levels(fighter, BURNING, halved(fighter.levels[BURNING]))


@action(
    "put_out_fire",
    words="put out the flames",
    tells="{fighter} puts out flames",
    conditions=(BURNING,),
)
class PutOutFire:
    """A fighter puts out the flames on itself."""

    def do(fight, log, i, target, detail):
        put_out_fire(fight.fighters[i])


@action(
    "douse",
    words="put out the flames on {target}",
    tells="{fighter} puts out the flames on {target}",
    heading="Conditions > Burning > Putting It Out",
    target=Target.ALLY,
)
class Douse:
    """A fighter puts out the flames on an ally."""

    def may(fight, i, target, detail):
        return has(fight.fighters[target], BURNING)

    def do(fight, log, i, target, detail):
        put_out_fire(fight.fighters[target])
