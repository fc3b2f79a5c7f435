"""Beast Companion."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.companions import (
    ANY_ATTACKS,
    IN_ENGAGEMENTS,
    attacks_allowed,
    companion_in,
)
from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.engine.strikes import defend_instead
from heartrush_env.games.heart_rush.rules.abilities import ON_FIRST_ROLL, note, notes
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.engaging import takes_part
from heartrush_env.games.heart_rush.rules.space import next_to
from heartrush_env.games.heart_rush.rules.terms import FROM_OPPORTUNITY, MOST_FIGHTERS, NO_STANCE, NOBODY
from heartrush_env.tabletop.rule import compiled


@ability(
    "beast_companion", destined_on=[ON_FIRST_ROLL], rulings=["R-273", "R-274", "R-275", "R-276"],
    left_out="that the animal obeys, since each fighter has a player of its own",
)  # fmt: skip
class BeastCompanion:
    """The owner's animal has its own action and is drawn into engagements, but makes no attacks.

    In the destiny version, owner and animal may defend each other and take the damage while they are adjacent, once
    from each creature that then hits. The memo names the animal; its sets are those whose attacks have hit the owner
    and the animal.
    """

    def may(fight, i, slot, target):
        """Return whether one of the two is about to defend, and the other may do that in its place."""
        exchange, companion = fight.exchange, companion_in(fight, i, slot)
        if companion == NOBODY or exchange.contest or not (exchange.target == i or exchange.target == companion):
            return False
        other = other_of(i, companion, exchange.target)
        if other == exchange.striker or not is_able(fight, other) or not next_to(fight, i, companion):
            return False
        drawn_in = takes_part(fight, other) or exchange.cause == FROM_OPPORTUNITY
        return drawn_in and not notes(fight, i, slot, np.int64(exchange.striker) + MOST_FIGHTERS * (other == companion))

    def do(fight, log, i, slot, target):
        defend_instead(fight, log, other_of(i, companion_in(fight, i, slot), fight.exchange.target))

    def attacked(fight, i, slot, striker, target, cause, damage):
        companion = companion_in(fight, i, slot)
        if damage > 0 and companion != NOBODY and (target == i or target == companion):
            note(fight, i, slot, striker + MOST_FIGHTERS * (target == companion), True)

    def bars(fight, i, slot, striker, target):
        if striker != companion_in(fight, i, slot):
            return False
        allowed = attacks_allowed(fight, i, striker)
        shows_stance = fight.fighters[striker].stance != NO_STANCE
        return not (allowed == ANY_ATTACKS or (allowed == IN_ENGAGEMENTS and shows_stance))


@compiled
def other_of(i, companion, target):
    """Return the owner for its companion, and the companion for its owner."""
    return companion if target == i else i
