"""Battleweave."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import CREATURE, ability, figures, later, options
from heartrush_env.games.heart_rush.rules.abilities import is_destined, memo, open_pick, remember
from heartrush_env.games.heart_rush.rules.hits import add_late_hit
from heartrush_env.games.heart_rush.rules.space import next_to, standing_beside
from heartrush_env.games.heart_rush.rules.terms import FROM_ABILITY, STANDING
from heartrush_env.tabletop.rule import compiled

EACH = int(figures("battleweave", "damage_per_enemy")[0])
DOUBLED = int(figures("battleweave", "damage_per_enemy_single")[1])
HOW, WHOM = range(2)  # the parts
ONE, ALL = range(2)
WAITING = 32  # more than the number of enemies; the memo is this times the steps that wait, plus this number


@ability(
    "battleweave", rulings=["R-168", "R-243"],
    picks=[later(options("one enemy, doubled", "all adjacent enemies")), later(CREATURE)],
)  # fmt: skip
class Battleweave:
    """Each sidestep hurts an adjacent enemy, the more, the more enemies were adjacent as the round started.

    In the destiny version, it hurts one enemy twice as much or all of them. The memo holds that number of enemies and
    the number of sidesteps for which the owner has yet to be asked.
    """

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, standing_beside(fight, i, False))

    def sidestepped(fight, i, slot, log):
        enemies = memo(fight, i, slot) % WAITING
        if enemies > 0 and standing_beside(fight, i, False) > 0:
            waits = memo(fight, i, slot) if is_waiting(fight, i, slot) else enemies
            remember(fight, i, slot, waits + WAITING)
            ask_for_blow(fight, i, slot)

    def may_pick(fight, i, slot, who, part, picked):
        if part == HOW:
            return picked == ONE or standing_beside(fight, i, False) > 1
        return is_beside(fight, i, picked)

    def picked(fight, log, i, slot, who, part, picked):
        enemies = memo(fight, i, slot) % WAITING
        if part == HOW and picked == ONE:
            open_pick(fight, i, i, slot, WHOM)
            return
        if part == WHOM:
            damage = (DOUBLED if is_destined(fight, i, slot) else EACH) * enemies
            add_late_hit(fight, picked, i, FROM_ABILITY, damage)
        else:
            for j in range(fight.n):
                if is_beside(fight, i, j):
                    add_late_hit(fight, j, i, FROM_ABILITY, EACH * enemies)
        remember(fight, i, slot, memo(fight, i, slot) - WAITING)
        if memo(fight, i, slot) >= WAITING:
            ask_for_blow(fight, i, slot)


@compiled
def ask_for_blow(fight, i, slot):
    """Ask the owner how it hurts enemies or, in the base version, which enemy it hurts."""
    open_pick(fight, i, i, slot, HOW if is_destined(fight, i, slot) else WHOM)


@compiled
def is_waiting(fight, i, slot):
    """Return whether the owner has yet to answer for an earlier sidestep."""
    for k in range(fight.request_count):
        if fight.requests[k].owner == i and fight.requests[k].slot == slot:
            return True
    return False


@compiled
def is_beside(fight, i, j):
    """Return whether fighter j is a standing enemy next to fighter i."""
    other = fight.fighters[j]
    return other.team != fight.fighters[i].team and other.status == STANDING and next_to(fight, i, j)
