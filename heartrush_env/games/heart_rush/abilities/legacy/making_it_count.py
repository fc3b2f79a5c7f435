"""Making It Count."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import DIRECTION, ability, figure, later
from heartrush_env.games.heart_rush.rules.abilities import ON_PHASE, begin_again, memo_for, open_pick, remember_now
from heartrush_env.games.heart_rush.rules.actions.attack import is_attacker
from heartrush_env.games.heart_rush.rules.actions.sidestep import step_out_of_turn, steps_out_of_turn
from heartrush_env.games.heart_rush.rules.space import plays_on_map
from heartrush_env.games.heart_rush.rules.stances import beats_target, may_attack
from heartrush_env.games.heart_rush.rules.terms import AGILITY, CUNNING, MELEE, WHIP
from heartrush_env.games.heart_rush.rules.weapons import type_against
from heartrush_env.tabletop.rule import compiled

FACTOR = figure("making_it_count", "factor")
COUNTS = 1  # the memo in the round of a use


@ability(
    "making_it_count", on=[ON_PHASE], rulings=["R-228"], per_round=(1, 1), picks=[later(DIRECTION)],
    left_out="a further throw of the might bonus",
)  # fmt: skip
class MakingItCount:
    """As the phase of its stance begins, the owner makes the benefit of the stance count twice in this engagement.

    The benefit is the levels of the cunning effect, the might bonus of the weapon, or the sidestep in agility stance.
    """

    def may(fight, i, slot, target):
        """Return whether it is the phase of the owner's stance and the benefit can count."""
        if fight.phase != fight.fighters[i].stance:
            return False
        if fight.phase == AGILITY:
            return steps_out_of_turn(fight, i) != 0
        return is_attacker(fight, i) and can_gain(fight, i)

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, COUNTS)
        if fight.phase == AGILITY:
            open_pick(fight, i, i, slot, 0)

    def engagement_ends(fight, i, slot):
        begin_again(fight, i, slot)

    def may_pick(fight, i, slot, who, part, picked):
        return plays_on_map(fight) and steps_out_of_turn(fight, who) >> picked & 1 == 1

    def picked(fight, log, i, slot, who, part, picked):
        step_out_of_turn(fight, log, who, picked)

    def rider(fight, i, slot, striker, dealt):
        return dealt * FACTOR if striker == i and memo_for(fight, i, slot, 1) == COUNTS else dealt

    def might_bonus(fight, i, slot, striker, target):
        return FACTOR - 1 if striker == i and memo_for(fight, i, slot, 1) == COUNTS else 0


@compiled
def can_gain(fight, i):
    """Return whether fighter i may attack a creature whose stance it beats, with a benefit that can count twice."""
    fighter = fight.fighters[i]
    for place in range(fighter.enemy_count):
        target = fighter.enemies[place]
        if may_attack(fight, i, target) and beats_target(fight, i, target):
            kind = type_against(fight, i, target)
            pushes = kind == WHIP or (kind == MELEE and plays_on_map(fight))
            gains = fight.rules.levels if fighter.stance == CUNNING else pushes
            if gains:
                return True
    return False
