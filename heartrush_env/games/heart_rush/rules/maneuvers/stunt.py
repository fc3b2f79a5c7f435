"""Other Offensive Actions > Stunt: contested maneuvers."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.choices import Contest, maneuver
from heartrush_env.games.heart_rush.rules.conditions import inflict, inflict_from
from heartrush_env.games.heart_rush.rules.contests import MIGHT_OR_AGILITY
from heartrush_env.games.heart_rush.rules.forced_movement import push_direction
from heartrush_env.games.heart_rush.rules.maneuvers.climb_on import end_climb_out_of_reach
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import end_holds_out_of_reach
from heartrush_env.games.heart_rush.rules.movement import cuts_corner, dreads, is_stoppable, place
from heartrush_env.games.heart_rush.rules.parts import bearer_of
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.speed import squares_per_dash
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    CHARM,
    CHARMED,
    CUNNING,
    ENRAGED,
    MIGHT,
    NOBODY,
    OFF_BALANCED,
    PRESENCE,
    STANDING,
)
from heartrush_env.games.heart_rush.state.events import BY_SWINGING, MOVE, tell_square
from heartrush_env.tabletop.rule import compiled, rule

STUNT = "Combat > Other Offensive Actions > Stunt"

SWING = 2  # squares moved past an opponent


@maneuver(
    "disarm",
    words="disarm {target}: a contest of might",
    tells="{fighter} tries to disarm {target}",
    heading=STUNT,
    rulings=("R-20", "R-48"),
    contest=Contest(MIGHT, MIGHT_OR_AGILITY),
)
class Disarm:
    """The target's weapon, unless it is a part of the target's body, falls to the floor where the target stands."""

    def may(fight, i, target, detail):
        return fight.fighters[target].armed and not fight.fighters[target].natural_weapon

    def do(fight, log, i, target, detail):
        fight.fighters[target].armed = 0
        drop_weapon(fight, target)


@on_map(None)
@compiled
def drop_weapon(fight, i):
    """Drop the fighter's weapon on its own square."""
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
    """The target becomes enraged at the fighter that taunts it."""

    def do(fight, log, i, target, detail):
        inflict_from(fight, i, target, ENRAGED, 1)

    @rule(STUNT, "R-48")
    def advantage(fight, i, target):
        """Return the advantage of a taunt: 1 if the fighter has charmed the target, else 0."""
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
    """The target gets a level of off-balanced; on a map the fighter moves straight past it, if there is room."""

    def do(fight, log, i, target, detail):
        inflict(fight, i, target, OFF_BALANCED, 1)
        if fight.fighters[i].status == STANDING:
            swing(fight, log, i, target)


@on_map(None)
@rule("Combat > Other Offensive Actions > Stunt", "R-48", "R-69")
def swing(fight, log, i, target):
    """Move the fighter to the place directly beyond the target, if there is room."""
    fighter = fight.fighters[i]
    if swing_past(fight, i, target):
        fighter.squares_moved += SWING
        tell_square(fight, log, MOVE, i, target, BY_SWINGING, fighter.x, fighter.y)
        end_climb_out_of_reach(fight, i)
        end_holds_out_of_reach(fight)


@on_map(False)
@rule("Combat > Other Offensive Actions > Stunt", "R-69", "R-77")
def swing_past(fight, i, j):
    """Move 10 feet straight past an adjacent creature of one square, if possible; return whether the fighter moved."""
    fighter, other = fight.fighters[i], fight.fighters[j]
    dx, dy = push_direction(fight, i, j)
    x, y = np.int64(fighter.x) + SWING * dx, np.int64(fighter.y) + SWING * dy
    if fighter.side > 1 or other.side > 1 or (dx == 0 and dy == 0) or bearer_of(fight, i) != NOBODY:
        return False
    if squares_per_dash(fight, i) < SWING or not is_stoppable(fight, i, x, y) or dreads(fight, i, x, y):
        return False
    if cuts_corner(fight, i, fighter.x, fighter.y, dx, dy) or cuts_corner(fight, i, x - dx, y - dy, dx, dy):
        return False
    place(fight, i, x, y)
    return True
