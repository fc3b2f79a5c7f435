"""First Strike."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.own_dice import add_own_dice
from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figures
from heartrush_env.games.heart_rush.engine.opportunities import strike_by_ability
from heartrush_env.games.heart_rush.rules.abilities import ON_ENGAGEMENT, Aim, is_destined, note, notes, version
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.cunning import worst_for
from heartrush_env.games.heart_rush.rules.engaging import goes_by_turns, takes_part
from heartrush_env.games.heart_rush.rules.opportunity_attacks import may_pay_any_strike
from heartrush_env.games.heart_rush.rules.stances import may_target
from heartrush_env.games.heart_rush.rules.terms import ATTACK, MOST_FIGHTERS, STANDING
from heartrush_env.tabletop.rule import compiled, inlined

DICE = dice("first_strike", "attack_dice")
LEVELS = figures("first_strike", "impair")
FOUGHT = MOST_FIGHTERS  # the bit of the memo after those of the fighters that were unhurt when the owner attacked them


@ability("first_strike", on=[ON_ENGAGEMENT], aim=Aim.ENEMY, rulings=["R-115", "R-116", "R-117", "R-259"])
class FirstStrike:
    """The owner's attacks on unhurt creatures have an extra die; the owner may strike early if no fighter is quicker.

    In the destiny version, attacks on unhurt creatures also impair them.
    """

    def may(fight, i, slot, target):
        """Return whether the owner may strike early: round 1, no attack yet, and no quicker fighter with a target."""
        if fight.round_number > 1 or not may_pay_any_strike(fight.fighters[i]) or not may_target(fight, i, target):
            return False
        return takes_part(fight, target) and is_first(fight, i, slot)

    def do(fight, log, i, slot, target):
        strike_by_ability(fight, log, i, target)

    def attack(fight, i, slot, target, stance):
        if is_unhurt(fight.fighters[target]):
            add_own_dice(fight, i, slot, DICE)
        return 0

    def rolled(fight, i, slot, kind, other, roll):
        if kind == ATTACK:
            note(fight, i, slot, other, is_unhurt(fight.fighters[other]))

    def attacked(fight, i, slot, striker, target, cause, damage):
        if goes_by_turns(fight):
            note(fight, i, slot, FOUGHT, True)

    def engagement_ends(fight, i, slot):
        note(fight, i, slot, FOUGHT, True)

    def effect(fight, i, slot, log, target):
        if is_destined(fight, i, slot) and notes(fight, i, slot, target):
            inflict(fight, i, target, worst_for(fight.fighters[target]), LEVELS[version(fight, i, slot)])


@inlined
def is_unhurt(fighter):
    """Return whether a fighter has all its hit points."""
    return fighter.hp == fighter.hp_max


@compiled
def is_first(fight, i, slot):
    """Return whether no fighter has attacked yet and none in the engagement that is quicker has a target there."""
    if has_anyone_fought(fight, i, slot):
        return False
    for spot in range(fight.n):
        j = fight.base_order[spot]
        if j == i:
            return True
        for target in range(fight.n):
            ready = is_able(fight, j) and fight.fighters[target].status == STANDING
            ready = ready and takes_part(fight, j) and takes_part(fight, target)
            if ready and may_target(fight, j, target):
                return False
    return False


@compiled
def has_anyone_fought(fight, i, slot):
    """Return whether any fighter has attacked; by turns, whether one has, or an engagement is over."""
    if goes_by_turns(fight):  # there, those in an engagement are active before they attack
        return notes(fight, i, slot, FOUGHT)
    for j in range(fight.n):
        if fight.fighters[j].active:
            return True
    return False
