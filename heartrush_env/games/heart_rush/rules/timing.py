"""The Action Phase > When Timing Matters: the order of fighters."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.checks import roll_check
from heartrush_env.games.heart_rush.rules.terms import AGILITY, CHECK, NOBODY
from heartrush_env.tabletop.rule import compiled, inlined, rule


@rule("Combat > The Action Phase > When Timing Matters")
def goes_before(fight, i, j):
    """Return whether fighter i acts before fighter j: larger agility die, then heroes before others."""
    first, second = quickness(fight, i), quickness(fight, j)
    if first != second:
        return first > second
    return fight.fighters[i].hero > fight.fighters[j].hero


@rule("Combat > The Action Phase > When Timing Matters", "R-3", hot=True)
def are_equals(fight, i, j):
    """Return whether neither the agility die nor heroism decides between two fighters, so that they must roll."""
    return quickness(fight, i) == quickness(fight, j) and fight.fighters[i].hero == fight.fighters[j].hero


@inlined
def quickness(fight, i):
    """Return fighter i's agility die as far as the order of fighters is concerned."""
    return hooks.timing_die(fight, i, np.int64(fight.fighters[i].ability[AGILITY]))


@compiled
def base_order(fight):
    """Fill fight.base_order: larger agility dice first, then heroes before others, then agent order."""
    for place in range(fight.n):
        spot = place
        while spot > 0 and goes_before(fight, place, fight.base_order[spot - 1]):
            fight.base_order[spot] = fight.base_order[spot - 1]
            spot -= 1
        fight.base_order[spot] = place


@rule("Combat > The Action Phase > When Timing Matters", "R-3", "R-31", unfolds=True)
def settle_timing(fight):
    """Fill fight.order and each fighter's turn; tied fighters that contend for one goal roll for their order.

    A fighter's `contends` is the number of its goal, 0 or more; NOBODY means that the fighter needs no order.
    """
    for spot in range(fight.n):
        fight.order[spot] = fight.base_order[spot]
        fight.fighters[spot].timing_total = 0
    for spot in range(fight.n - 1):
        if is_first_contender(fight, spot):
            roll_for_places(fight, spot)
    for spot in range(fight.n):
        fight.fighters[fight.order[spot]].turn = spot


@inlined
def contend_alike(fight, i, j):
    """Return whether two fighters are equals that contend for one goal."""
    first, second = fight.fighters[i], fight.fighters[j]
    return first.contends != NOBODY and first.contends == second.contends and are_equals(fight, i, j)


@compiled
def is_first_contender(fight, spot):
    """Return whether the fighter at this index of the base order is the first of two or more that must roll."""
    fighter = fight.base_order[spot]
    if fight.fighters[fighter].contends == NOBODY:
        return False
    for earlier in range(spot):
        if contend_alike(fight, fighter, fight.base_order[earlier]):
            return False
    for later in range(spot + 1, fight.n):
        if contend_alike(fight, fighter, fight.base_order[later]):
            return True
    return False


@compiled
def roll_for_places(fight, spot):
    """Roll agility checks until the contenders' totals differ, and give them their group's places in that order."""
    first = fight.base_order[spot]
    size = 0
    for later in range(spot, fight.n):
        if contend_alike(fight, first, fight.base_order[later]):
            fight.contenders[size] = fight.base_order[later]
            fight.split[size] = 0
            size += 1
    fight.split[size - 1] = 1
    start = next_tie(fight, size)
    while start < size:
        end = start
        while fight.split[end] == 0:
            end += 1
        roll_agility(fight, start, end)
        start = next_tie(fight, size)
    taken = 0
    for later in range(spot, fight.n):
        if contend_alike(fight, first, fight.base_order[later]):
            fight.order[later] = fight.contenders[taken]
            taken += 1


@compiled
def next_tie(fight, size):
    """Return the index of the first contender that is still tied with the next one; `size` if none is."""
    for k in range(size):
        if fight.split[k] == 0:
            return k
    return size


@compiled
def roll_agility(fight, start, end):
    """Roll for contenders start..end in agent order and sort them by their totals; ties remain."""
    for k in range(start, end + 1):  # back to agent order
        spot = k
        while spot > start and fight.contenders[spot] < fight.contenders[spot - 1]:
            swap(fight, spot)
            spot -= 1
    for k in range(start, end + 1):
        i = fight.contenders[k]
        total = roll_for_timing(fight, i)
        fight.fighters[i].timing_total = total
        spot = k
        while spot > start and total > fight.fighters[fight.contenders[spot - 1]].timing_total:
            swap(fight, spot)
            spot -= 1
    for k in range(start, end):
        ahead, behind = fight.fighters[fight.contenders[k]], fight.fighters[fight.contenders[k + 1]]
        fight.split[k] = ahead.timing_total > behind.timing_total


@compiled
def roll_for_timing(fight, i):
    """Roll fighter i's agility check, with the die that it has for the order of fighters; return the total."""
    fighter = fight.fighters[i]
    own = np.int64(fighter.ability[AGILITY])
    fighter.ability[AGILITY] = quickness(fight, i)
    total = roll_check(fight, i, CHECK, AGILITY, NOBODY, 0, fight.attack_roll)
    fighter.ability[AGILITY] = own
    return total


@compiled
def swap(fight, spot):
    """Exchange a contender with the one before it."""
    fight.contenders[spot], fight.contenders[spot - 1] = fight.contenders[spot - 1], fight.contenders[spot]
