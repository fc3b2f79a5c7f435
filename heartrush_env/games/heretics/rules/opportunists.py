"""Opportunists: they may answer an enemy's leaving their melee range with an attack, made before the step."""

import numpy as np

from heartrush_env.games.heretics import events, terms
from heartrush_env.games.heretics.book import choice, rule
from heartrush_env.games.heretics.rules import conditions, fighters, space
from heartrush_env.games.heretics.rules.items import HEADING
from heartrush_env.tabletop.choosing import NOBODY, Target
from heartrush_env.tabletop.grids.squares import WIDTH
from heartrush_env.tabletop.rule import compiled

OFF_MAP = -WIDTH  # in place of the column to which a fighter goes that leaves the map


@rule(HEADING, "R-17")
def can_strike(fight, i, mover):
    """Return whether an opportunist has its reaction, and the mover, an enemy, in its melee range and in sight."""
    fighter = fight.fighters[i]
    ready = fighter.opportunist and fighters.decides(fight, i) and fighter.left[terms.REACTION] > 0
    if not ready or conditions.cannot_react(fighter) or conditions.has(fighter, terms.CHARMED):
        return False
    x, y = space.column_of(fight, mover), space.row_of(fight, mover)
    near = space.sees_square(fight, i, x, y, space.melee_squares(fight, i))
    return fight.fighters[mover].team != fighter.team and fighters.is_able(fight, mover) and near


@compiled
def is_beyond(fight, i, x, y):
    """Return whether a square is outside fighter i's melee range, which walls do not shorten."""
    far = max(abs(space.column_of(fight, i) - x), abs(space.row_of(fight, i) - y))
    return far > space.melee_squares(fight, i)


@rule(HEADING, "R-17")
def is_watched(fight, mover, x, y):
    """Note which opportunists can strike before the mover goes to a square; return whether there are any."""
    found = False
    for i in range(fight.n):
        watches = can_strike(fight, i, mover) and is_beyond(fight, i, x, y)
        fight.fighters[i].watches = watches
        found = found or watches
    return found


@choice(
    "strike", windows=("strike",), words="strike at {target}", target=Target.ENEMY, costs={"reaction": 1},
    heading=HEADING, rulings=("R-17",), needs=space.MAP,
)  # fmt: skip
class Strike:
    """Attack an enemy that is about to leave the fighter's melee range, as a reaction; fists serve a shooter."""

    def may(fight, i, target, detail):
        return fight.fighters[i].watches and target == fight.mover and can_strike(fight, i, target)

    def do(fight, log, i, target, detail):
        fighter = fight.fighters[i]
        events.tell_strike(fight, log, i, target)
        fighter.deed = terms.UNARMED if fighters.holds_missile_weapon(fighter) else terms.ATTACK
        fighter.picked[0] = np.int64(NOBODY)
