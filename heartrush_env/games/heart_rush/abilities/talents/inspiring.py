"""Inspiring."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import DIRECTION, ability, figures, later, options
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, Aim, answer, open_pick
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.actions.rise import get_up, may_get_up
from heartrush_env.games.heart_rush.rules.actions.sidestep import step_out_of_turn, steps_out_of_turn
from heartrush_env.games.heart_rush.rules.conditions import lose, lose_levels, may_still_move, rage_condition, sees
from heartrush_env.games.heart_rush.rules.cover import is_ally_within
from heartrush_env.games.heart_rush.rules.cunning import IMPAIRING
from heartrush_env.games.heart_rush.rules.engaging import takes_part
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.space import plays_on_map
from heartrush_env.games.heart_rush.rules.terms import BLINDED, DEAFENED, FRIGHTENED, MUTE, STANDING
from heartrush_env.tabletop.rule import compiled

LESS = int(figures("inspiring", "damage_reduction")[0])
RANGE = int(figures("inspiring", "range_ft")[1])
EACH, STAND, STEP = range(len(IMPAIRING), len(IMPAIRING) + 3)  # the options after one for each of these conditions
HELP, WAY = range(2)  # the parts
WORDS = ("no dazed", "no off-balanced", "no weakened", "a level less of each", "to its feet", "a sidestep")


@ability(
    "inspiring", destined_on=[ON_ACTION], aim=Aim.ALLY, rulings=["R-231"], per_round=(1, 1),
    picks=[options(*WORDS), later(DIRECTION)],
)  # fmt: skip
class Inspiring:
    """Allies of an owner that is neither enraged nor frightened cannot become so, and take less damage beside it.

    In the destiny version, the owner once a round raises an ally, lets it sidestep, or frees it from what impairs it.
    """

    def suffers_for(fight, i, slot, victim, condition, source, given):
        keeps = condition == rage_condition(fight) or condition == FRIGHTENED
        return -given if keeps and is_ally(fight, i, victim) and is_inspired(fight, i, victim) else 0

    def reduces_for(fight, i, slot, victim, striker, cause, damage):
        """Return the damage to an ally in the owner's engagement, whether or not the ally sees or hears the owner."""
        together = fight.engaged and takes_part(fight, i) and takes_part(fight, victim)
        return damage - LESS if damage > 0 and together and is_ally(fight, i, victim) else damage

    def may(fight, i, slot, target):
        if not is_ally_within(fight, i, target, RANGE):
            return False
        for option in range(len(WORDS)):
            if may_help(fight, target, option):
                return True
        return False

    def may_pick(fight, i, slot, target, part, picked):
        if part == WAY:
            return plays_on_map(fight) and steps_out_of_turn(fight, target) >> picked & 1 == 1
        return may_help(fight, target, picked)

    def do(fight, log, i, slot, target):
        option, ally = answer(fight, i, HELP), fight.fighters[target]
        if option < EACH:
            lose(ally, IMPAIRING[option])
        elif option == EACH:
            for condition in IMPAIRING:
                lose_levels(ally, condition, 1)
        elif option == STAND:
            ally.moved = True
            get_up(fight, log, target)
        else:
            open_pick(fight, target, i, slot, WAY)

    def picked(fight, log, i, slot, who, part, picked):
        step_out_of_turn(fight, log, who, picked)


@compiled
def is_ally(fight, i, victim):
    """Return whether fighter i stands and the victim is another fighter of its side."""
    return (
        victim != i and fight.fighters[victim].team == fight.fighters[i].team and fight.fighters[i].status == STANDING
    )


@compiled
def is_inspired(fight, i, ally):
    """Return whether the ally sees and hears fighter i, which is neither enraged nor frightened."""
    owner, other = fight.fighters[i], fight.fighters[ally]
    if has(owner, rage_condition(fight)) or has(owner, FRIGHTENED) or has(owner, MUTE):
        return False
    return not has(other, BLINDED) and not has(other, DEAFENED) and sees(fight, ally, i)


@compiled
def may_help(fight, target, option):
    """Return whether an option would help the target."""
    other = fight.fighters[target]
    if option < EACH:
        return has(other, IMPAIRING[option])
    if option == STAND:
        return is_able(fight, target) and may_get_up(other) and may_still_move(other)
    if option == STEP:
        return plays_on_map(fight) and steps_out_of_turn(fight, target) != 0
    for condition in IMPAIRING:
        if has(other, condition):
            return True
    return False
