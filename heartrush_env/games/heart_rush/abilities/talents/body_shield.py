"""Body Shield."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.abilities import ON_FIRST_ROLL, fighter_named, is_destined, memo, remember
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus
from heartrush_env.games.heart_rush.rules.hits import add_hit
from heartrush_env.games.heart_rush.rules.sheet import halved
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.stances import stance_met
from heartrush_env.games.heart_rush.rules.terms import DEFENSIVE, FROM_OPPORTUNITY, MELEE, NOBODY
from heartrush_env.games.heart_rush.rules.weapons import type_against


@ability(
    "body_shield", on=[ON_FIRST_ROLL], rulings=["R-10", "R-223"],
    left_out="the defense roll of the held creature in the destiny version, and missiles through its square",
)  # fmt: skip
class BodyShield:
    """The creature that the owner grapples adds its defense bonus to a defense, and shares the damage.

    In the destiny version, it takes all the damage. The memo is one more than the held creature.
    """

    def may(fight, i, slot, target):
        """Return whether the owner is about to defend against a melee attack from beside it and its captive."""
        exchange, held = fight.exchange, fight.fighters[i].grappling
        if exchange.target != i or exchange.contest or exchange.beaten or held == NOBODY or held == exchange.striker:
            return False
        beside = next_to(fight, exchange.striker, i) and next_to(fight, exchange.striker, held)
        return beside and type_against(fight, exchange.striker, i) == MELEE

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, 1 + fight.fighters[i].grappling)

    def defense(fight, i, slot, striker, stance):
        held = fighter_named(fight, memo(fight, i, slot))
        if held != NOBODY:
            add_ability_bonus(fight.pool, fight.fighters[held].armor + fight.fighters[held].shield)
        return 0

    def cuts(fight, i, slot, striker, cause, damage):
        """Return the owner's share; the captive's share is not halved by the owner's defensive stance."""
        held = fighter_named(fight, memo(fight, i, slot))
        if held == NOBODY:
            return damage
        remember(fight, i, slot, 0)
        guarded = stance_met(fight, striker, i, True) == DEFENSIVE and cause != FROM_OPPORTUNITY
        exchange = fight.exchange
        if is_destined(fight, i, slot):
            add_hit(fight, held, striker, cause, damage, exchange.rank)
            return 0 * damage
        add_hit(fight, held, striker, cause, damage if guarded else halved(damage), exchange.rank)
        return halved(damage)
