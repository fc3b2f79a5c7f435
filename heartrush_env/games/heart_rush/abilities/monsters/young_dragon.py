"""The abilities of the Young Dragon: Breath, Dread, Wing Buffet."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import DIRECTION, ability, figure, later, term
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, Aim, memo, open_pick, remember
from heartrush_env.games.heart_rush.rules.actions.sidestep import step_out_of_turn, steps_out_of_turn
from heartrush_env.games.heart_rush.rules.conditions import spread
from heartrush_env.games.heart_rush.rules.cover import is_enemy_within, is_in_cone, is_within
from heartrush_env.games.heart_rush.rules.saves import roll_save
from heartrush_env.games.heart_rush.rules.sheet import attack_type
from heartrush_env.games.heart_rush.rules.terms import (
    ABILITIES,
    BURNING,
    BY_ATTACK,
    FEET,
    FRIGHTENED,
    MELEE,
    NOBODY,
    STANDING,
)
from heartrush_env.tabletop.rule import compiled

REACH, FLAMES = figure("young_dragon.breath", "range_ft"), figure("young_dragon.breath", "burning")
DODGE, DODGED_AT = term("young_dragon.breath", "save", ABILITIES), figure("young_dragon.breath", "against")
EVERY = 2  # rounds

RADIUS = figure("young_dragon.dread", "radius_ft")
SAVE, AGAINST = term("young_dragon.dread", "save", ABILITIES), figure("young_dragon.dread", "against")
FRIGHT = figure("young_dragon.dread", "frightened")

STEPS = figure("young_dragon.wing_buffet", "move_ft") // FEET


@ability("young_dragon.breath", on=[ON_ACTION], aim=Aim.ENEMY, rulings=["R-139"])
class Breath:
    """Creatures in a cone toward an enemy burn unless they save with agility; the memo is the round of its last use."""

    def may(fight, i, slot, target):
        last = memo(fight, i, slot)
        return (last == 0 or fight.round_number - last >= EVERY) and is_within(fight, i, target, REACH)

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, fight.round_number)
        for j in range(fight.n):
            if is_in_flames(fight, i, target, j) and not roll_save(fight, log, j, i, DODGE, DODGED_AT):
                spread(fight, i, j, BURNING, FLAMES)
                hooks.lights(fight, i, j)


@compiled
def is_in_flames(fight, i, target, j):
    """Return whether fighter j stands in the cone from fighter i toward the target; without a map, only the target."""
    if j == i or fight.fighters[j].status != STANDING:
        return False
    return j == target or is_in_cone(fight, i, target, j, REACH)


@ability("young_dragon.dread", rulings=["R-132"])
class Dread:
    """As the first round starts, enemies near the owner are frightened unless they save with presence."""

    def round_starts(fight, i, slot, log):
        if fight.round_number > 1:
            return
        for j in range(fight.n):
            if is_enemy_within(fight, i, j, RADIUS) and not roll_save(fight, log, j, i, SAVE, AGAINST):
                spread(fight, i, j, FRIGHTENED, FRIGHT)


@ability(
    "young_dragon.wing_buffet", needs="cells", rulings=["R-191"], picks=[later(DIRECTION, optional=True)] * STEPS
)  # fmt: skip
class WingBuffet:
    """Once a round, after damage by a melee attack, the owner may move 10 feet, in two steps that give no openings.

    The memo is the round of its last move.
    """

    def damaged(fight, i, slot, log, victim, striker, cause, damage):
        if victim != i or damage <= 0 or striker == NOBODY or cause not in BY_ATTACK:
            return
        if attack_type(fight.fighters[striker]) == MELEE and memo(fight, i, slot) < fight.round_number:
            open_pick(fight, i, i, slot, 0)

    def may_pick(fight, i, slot, who, part, picked):
        return steps_out_of_turn(fight, who) >> picked & 1 == 1

    def picked(fight, log, i, slot, who, part, picked):
        remember(fight, i, slot, fight.round_number)
        step_out_of_turn(fight, log, who, picked)
        if part + 1 < STEPS:
            open_pick(fight, i, i, slot, part + 1)
