"""Hordebreaker."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.engine.strikes import add_extra, call_off_extras
from heartrush_env.games.heart_rush.rules.abilities import note, notes, remember
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.stances import is_able_to_attack, may_attack


@ability(
    "hordebreaker", rulings=["R-232", "R-282"],
    left_out="the levels and the pushes of these attacks, and all of it in the classic edition",
)  # fmt: skip
class Hordebreaker:
    """As the engagement ends, the owner attacks each adjacent creature that has not fought it in this round.

    It attacks those that its stance may attack. The memo is the set of the creatures that have attacked the owner or
    that it has attacked.
    """

    def round_starts(fight, i, slot, log):
        remember(fight, i, slot, 0)

    def attacked(fight, i, slot, striker, target, cause, damage):
        if striker != i and target != i:
            return
        other = target if striker == i else striker
        note(fight, i, slot, other, True)
        if not fight.engaged:
            call_off_extras(fight, i, other)

    def round_ends(fight, i, slot, log):
        if is_able_to_attack(fight, i):
            for j in range(fight.n):
                if not notes(fight, i, slot, j) and next_to(fight, i, j) and may_attack(fight, i, j):
                    add_extra(fight, i, j, False)
