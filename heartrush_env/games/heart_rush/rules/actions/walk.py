"""The Action Phase > Actions You Can Take > Dash, on a map: choosing the way of a dash square by square."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.actions.dash import may_dash
from heartrush_env.games.heart_rush.rules.choices import ON_MAPS, Cost, action
from heartrush_env.games.heart_rush.rules.paths import may_dash_anywhere


@action(
    "walk",
    words="walk: dash along a way that you choose step by step",
    tells="{fighter} dashes",
    cost=Cost.DASH_OR_ACTION,
    heading="Combat > The Action Phase > Actions You Can Take > Dash",
    rulings=["R-172"],
    needs=ON_MAPS,
)
class Walk:
    """A fighter chooses its dash square by square; engine/ways.py turns the finished walk into a dash."""

    def may(fight, i, target, detail):
        return may_dash(fight, i) and may_dash_anywhere(fight, i)

    def any_of(fight, i):
        """Return False, because `Dash.any_of` covers walks."""
        return False
