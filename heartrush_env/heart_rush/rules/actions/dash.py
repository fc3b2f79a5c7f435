"""The Action Phase > Actions You Can Take > Dash, on a map: where it may lead, and how it begins."""

from __future__ import annotations

from heartrush_env.core.rule import compiled
from heartrush_env.heart_rush.rules.choices import ON_MAPS, Comes, Cost, action
from heartrush_env.heart_rush.rules.costs import can_pay
from heartrush_env.heart_rush.rules.opportunity_attacks import forget_openings
from heartrush_env.heart_rush.rules.sheet import has
from heartrush_env.heart_rush.rules.speed import FASTEST
from heartrush_env.heart_rush.rules.terms import PRONE
from heartrush_env.heart_rush.rules.ways import (
    AROUND,
    find_path,
    follow_route,
    is_reachable,
    may_dash_anywhere,
    write_reachable,
)

DASHES = AROUND * AROUND


@action(
    "dash",
    words="dash to {square}",
    tells="{fighter} dashes",
    cost=Cost.DASH_OR_ACTION,
    heading="Combat > The Action Phase > Actions You Can Take > Dash",
    details={number: f"{number % AROUND - FASTEST},{number // AROUND - FASTEST}" for number in range(DASHES)},
    needs=ON_MAPS,
    comes=Comes.WAY,
)
class Dash:
    """A fighter sets out for a square that its dash reaches, prone or not, by its own route where it has given one."""

    def may(fight, i, target, detail):
        x, y = dash_square(fight, i, detail)
        return is_reachable(fight, i, x, y)

    def any_of(fight, i):
        """Whether there is any square to dash to."""
        return may_dash(fight, i) and may_dash_anywhere(fight, i)

    def write(fight, i, masks, start):
        """Write 1 for each square that the dash may end in."""
        if may_dash(fight, i):
            write_reachable(fight, i, masks, start)

    def do(fight, log, i, target, detail):
        fighter = fight.fighters[i]
        x, y = dash_square(fight, i, detail)
        if not follow_route(fight, i, x, y):
            find_path(fight, i, x, y)
        fighter.route_length = 0
        fight.path_at = 0
        fight.crawling = has(fighter, PRONE)
        forget_openings(fight)


@compiled
def may_dash(fight, i):
    """The free dash is there, or the action is."""
    return can_pay(fight, i, Cost.DASH_OR_ACTION)


@compiled
def dash_square(fight, i, detail):
    """Where a dash of this number leads."""
    fighter = fight.fighters[i]
    return fighter.x + detail % AROUND - FASTEST, fighter.y + detail // AROUND - FASTEST
