"""Damage that goes on from one creature to the next: an attack roll that is used again as what is left of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.engine.strikes import add_extra, attack_of, has_rolled_attack, is_own_attack
from heartrush_env.games.heart_rush.rules.abilities import memo, remember
from heartrush_env.games.heart_rush.rules.engaging import takes_part
from heartrush_env.games.heart_rush.rules.stances import may_target
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, NOBODY, STANDING
from heartrush_env.tabletop.rule import compiled

LEFT = 64  # the memo is this times the damage that goes on, plus one more than the next creature


@compiled
def is_used_again(fight: Any) -> Any:
    """Return whether an added attack that reuses the roll of the one in progress is still to come."""
    for k in range(fight.extra_count):
        if fight.extras[k].again:
            return True
    return False


@compiled
def would_hurt(fight: Any, i: Any) -> Any:
    """Return whether the attack in progress is fighter i's own in the engagement, and its rolls leave damage."""
    exchange = fight.exchange
    in_turn = fight.fighters[i].stance < ATTACKING_STANCES and not is_used_again(fight)
    if not in_turn or not is_own_attack(fight, i) or not has_rolled_attack(fight, i):
        return False
    own = np.int64(attack_of(fight, i).total)
    return own > (fight.defense_roll.total if i == exchange.striker else fight.attack_roll.total)


@compiled
def may_go_on(fight: Any, i: Any, target: Any) -> Any:
    """Return whether damage of i's attack may go on to the target: it is standing, in reach and not struck yet."""
    exchange = fight.exchange
    if target == exchange.striker or target == exchange.target or fight.fighters[i].struck_at >> target & 1:
        return False
    return fight.fighters[target].status == STANDING and takes_part(fight, target) and may_target(fight, i, target)


@compiled
def go_on(fight: Any, i: Any, slot: Any, target: Any, damage: Any) -> None:
    """Let the damage go on to the target if there is a target and any damage."""
    goes = target != NOBODY and damage > 0 and not is_used_again(fight)
    remember(fight, i, slot, LEFT * damage + 1 + target if goes else 0)
    if goes:
        add_extra(fight, i, target, True)


@compiled
def use_what_is_left(fight: Any, i: Any, slot: Any, target: Any, roll: Any) -> None:
    """Turn the roll that is used again into the damage that goes on, if it goes on to this target."""
    number = memo(fight, i, slot)
    if number % LEFT == 1 + target and number >= LEFT:
        roll.total = number // LEFT
