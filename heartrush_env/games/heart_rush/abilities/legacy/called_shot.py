"""Called Shot."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figure, numbers
from heartrush_env.games.heart_rush.rules.abilities import ON_PHASE, Aim, answer, memo, remember
from heartrush_env.games.heart_rush.rules.actions.attack import is_attacker
from heartrush_env.games.heart_rush.rules.attack_rolls import attack_pool
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus, kept_dice
from heartrush_env.games.heart_rush.rules.stances import beats, may_attack
from heartrush_env.games.heart_rush.rules.terms import ATTACK, DIE_LADDER, FROM_ATTACK, MOST_FIGHTERS
from heartrush_env.tabletop.rule import compiled

DISADVANTAGE = figure("called_shot", "defense_disadvantage")
MOST_SHOWN = max(DIE_LADDER)
MOST_TIMES = 6
PAID = MOST_FIGHTERS  # a memo is the target, plus this if the shot is paid for, the number, the multiplier, the round
NUMBER = 2 * PAID
TIMES = NUMBER * (MOST_SHOWN + 1)
ROUND = TIMES * (MOST_TIMES + 1)
USUAL_NUMBER, USUAL_TIMES = 6, 1


@ability(
    "called_shot", on=[ON_PHASE], aim=Aim.ENEMY, rulings=["R-95", "R-200"],
    picks=[numbers(MOST_SHOWN), numbers(MOST_TIMES)],
)  # fmt: skip
class CalledShot:
    """The owner may name a number before an attack with advantage and pay levels of it for a multiplier.

    If a die of the attack reaches the number, the number is added, as often as the multiplier says. All defenses of the
    owner have disadvantage.
    """

    def may(fight, i, slot, target):
        if not is_attacker(fight, i) or not may_attack(fight, i, target) or is_called(fight, i, slot):
            return False
        return advantage(fight, i, target) > 0

    def may_pick(fight, i, slot, target, part, picked):
        return picked > 0 and (part == 0 or price(picked) <= advantage(fight, i, target))

    def auto(fight, i, slot, target, part):
        return USUAL_NUMBER if part == 0 else USUAL_TIMES

    def do(fight, log, i, slot, target):
        shot = answer(fight, i, 1) * TIMES + answer(fight, i, 0) * NUMBER + target
        remember(fight, i, slot, np.int64(fight.round_number) * ROUND + shot)

    def balance(fight, i, slot, target, net):
        if not is_called_at(fight, i, slot, target):
            return net
        shot = memo(fight, i, slot)
        unpaid = shot - PAID * (shot // PAID % 2)
        cost = price(shot % ROUND // TIMES)
        if net <= 0 or net < cost:
            remember(fight, i, slot, unpaid)
            return net
        remember(fight, i, slot, unpaid + PAID)
        return net - cost

    def rolled(fight, i, slot, kind, other, roll):
        if kind != ATTACK or not is_called_at(fight, i, slot, other):
            return
        shot = memo(fight, i, slot) % ROUND
        remember(fight, i, slot, 0)
        number = shot % TIMES // NUMBER
        if shot // PAID % 2 == 1 and reaches(roll, number):
            more = number * (shot // TIMES)
            add_ability_bonus(roll.pool, more)
            roll.total += more

    def defense(fight, i, slot, striker, stance):
        return -DISADVANTAGE


@compiled
def price(times):
    """Return the levels of advantage that a multiplier costs: 1 for the second, 2 more for the third and so on."""
    return times * (times - 1) // 2


@compiled
def is_called(fight, i, slot):
    """Return whether fighter i has called a shot in this round that it has yet to make."""
    return memo(fight, i, slot) // ROUND == fight.round_number


@compiled
def is_called_at(fight, i, slot, target):
    """Return whether fighter i has called a shot at this target in this round that it has yet to make."""
    return is_called(fight, i, slot) and memo(fight, i, slot) % MOST_FIGHTERS == target


@compiled
def advantage(fight, i, target):
    """Return the net levels of advantage that fighter i's attack on the target would have now."""
    exchange = fight.exchange
    recording, striker, cause = fight.recording, exchange.striker, exchange.cause
    fight.recording, exchange.striker, exchange.cause = 0, i, FROM_ATTACK
    stance = np.int64(fight.fighters[i].stance)
    attack_pool(fight, i, target, stance, beats(fight, stance, fight.fighters[target].stance))
    fight.recording, exchange.striker, exchange.cause = recording, striker, cause
    return np.int64(fight.pool.net)


@compiled
def reaches(roll, number):
    """Return whether any die of a roll that counts shows at least this number."""
    kept = kept_dice(roll)
    for k in range(roll.count):
        if kept >> k & 1 and roll.results[k] >= number:
            return True
    return False
