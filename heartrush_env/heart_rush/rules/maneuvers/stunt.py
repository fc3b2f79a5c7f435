"""Other Offensive Actions > Stunt: contested maneuvers."""

from __future__ import annotations

from heartrush_env.core.rule import compiled, rule
from heartrush_env.heart_rush.engine.moving import swing
from heartrush_env.heart_rush.rules.choices import Contest, maneuver
from heartrush_env.heart_rush.rules.conditions import gain, gain_from
from heartrush_env.heart_rush.rules.maneuvers.core import MIGHT_OR_AGILITY
from heartrush_env.heart_rush.rules.sheet import has
from heartrush_env.heart_rush.rules.space import on_map
from heartrush_env.heart_rush.rules.terms import (
    AGILITY,
    CHARM,
    CHARMED,
    CUNNING,
    ENRAGED,
    MIGHT,
    OFF_BALANCED,
    PRESENCE,
    STANDING,
)

STUNT = "Combat > Other Offensive Actions > Stunt"


@maneuver(
    "disarm",
    words="disarm {target}: a contest of might",
    tells="{fighter} tries to disarm {target}",
    heading=STUNT,
    rulings=("R-20", "R-48"),
    contest=Contest(MIGHT, MIGHT_OR_AGILITY),
)
class Disarm:
    """A weapon in hand, unless it is part of the body, falls to the floor where its owner stands."""

    def may(fight, i, target, detail):
        return fight.fighters[target].armed and not fight.fighters[target].natural_weapon

    def do(fight, log, i, target, detail):
        fight.fighters[target].armed = 0
        drop_weapon(fight, target)


@on_map(None)
@compiled
def drop_weapon(fight, i):
    """The weapon lies where its owner stands."""
    fighter = fight.fighters[i]
    fighter.floor_x, fighter.floor_y = fighter.x, fighter.y


@maneuver(
    "taunt",
    words="taunt {target}: a contest of wits",
    tells="{fighter} taunts {target}",
    heading=STUNT,
    rulings=("R-20", "R-48"),
    contest=Contest(PRESENCE, CUNNING, advantage=CHARM),
)
class Taunt:
    """The target is enraged at the one who taunts it."""

    def do(fight, log, i, target, detail):
        gain_from(fight.fighters[target], ENRAGED, 1, i)

    @rule(STUNT, "R-48")
    def advantage(fight, i, target):
        """A creature that the fighter has charmed is easier to taunt."""
        other = fight.fighters[target]
        return 1 if has(other, CHARMED) and other.source[CHARMED] == i else 0


@maneuver(
    "swing_past",
    words="swing past {target}: a contest of agility, off-balanced",
    tells="{fighter} tries to swing past {target}",
    heading=STUNT,
    rulings=("R-48",),
    contest=Contest(AGILITY, AGILITY),
)
class SwingPast:
    """A level of off-balanced; on a map the fighter comes to the place straight beyond the target, if there is room."""

    def do(fight, log, i, target, detail):
        gain(fight.fighters[target], OFF_BALANCED, 1)
        if fight.fighters[i].status == STANDING:
            swing(fight, log, i, target)
