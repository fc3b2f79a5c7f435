"""Baited Attack."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.engine.strikes import attack_of, attacker_on
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_SECOND_ROLL,
    Aim,
    fighter_named,
    is_destined,
    memo,
    remember,
    version,
)
from heartrush_env.games.heart_rush.rules.attack_rolls import contest_damage, damage_dealt
from heartrush_env.games.heart_rush.rules.conditions import inflict_from, rage_condition
from heartrush_env.games.heart_rush.rules.cover import runs_through
from heartrush_env.games.heart_rush.rules.hits import add_hit
from heartrush_env.games.heart_rush.rules.sheet import bit
from heartrush_env.games.heart_rush.rules.space import distance, next_to
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS, NOBODY, STANDING
from heartrush_env.tabletop.rule import compiled

LEVELS = figures("baited_attack", "enraged")
PLACES = 2 * MOST_FIGHTERS  # the memo is the round, the set of creatures to enrage, and the victim's index + 1
SETS = PLACES << MOST_FIGHTERS


@ability("baited_attack", on=[ON_SECOND_ROLL], aim=Aim.ENEMY, needs="cells", rulings=["R-140"])
class BaitedAttack:
    """An attack that would not hurt the owner hits an enemy behind the owner.

    The destiny version enrages both enemies.
    """

    def may(fight, i, slot, target):
        """Return whether the attack in progress would deal the owner no damage and the enemy is behind the owner."""
        striker = attacker_on(fight, i)
        return striker != NOBODY and misses(fight, striker, i) and stands_behind(fight, striker, i, target)

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, np.int64(fight.round_number) * SETS + provoked(fight, i, slot) * PLACES + target + 1)

    def attacked(fight, i, slot, striker, target, cause, damage):
        victim = fighter_named(fight, memo(fight, i, slot) % PLACES)
        if target != i or victim == NOBODY:
            return
        enraged = provoked(fight, i, slot)
        if damage == 0:
            total = hooks.cuts(fight, victim, striker, cause, np.int64(attack_of(fight, striker).total))
            add_hit(fight, victim, striker, cause, total, fight.exchange.rank)
            if is_destined(fight, i, slot):
                enraged |= bit(striker) | bit(victim)
        remember(fight, i, slot, np.int64(fight.round_number) * SETS + enraged * PLACES)

    def struck(fight, i, slot, log, striker):
        enraged = provoked(fight, i, slot) if fight.fighters[i].status == STANDING else np.int64(0)
        for j in range(fight.n):
            if enraged >> j & 1 and fight.fighters[j].status == STANDING:
                inflict_from(fight, i, j, rage_condition(fight), LEVELS[version(fight, i, slot)])
        remember(fight, i, slot, 0)


@compiled
def provoked(fight, i, slot):
    """Return the set of creatures that this round's baits enrage at the end of the phase."""
    number = memo(fight, i, slot)
    return number % SETS // PLACES if number // SETS == fight.round_number else np.int64(0)


@compiled
def misses(fight, striker, i):
    """Return whether, by the rolls of the attack in progress, the striker deals no damage to fighter i."""
    harm = damage_dealt(attack_of(fight, striker).total, attack_of(fight, i).total)
    return (contest_damage(fight, harm, i, striker) if fight.exchange.contest else harm) == 0


@compiled
def stands_behind(fight, striker, i, victim):
    """Return whether the victim is adjacent to fighter i and behind it, as the striker sees it.

    The victim is then farther from the striker, and a line between corners of their spaces crosses i's space.
    """
    if not next_to(fight, i, victim) or distance(fight, striker, victim) <= distance(fight, striker, i):
        return False
    return runs_through(fight, striker, i, victim)
