"""Weapons > Might Bonus > Melee, on a map: following a fighter that an attack in might has pushed."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.choices import ON_MAPS, choice
from heartrush_env.games.heart_rush.rules.might_push import may_follow


@choice(
    "follow",
    windows=("follow",),
    words="follow: into the squares that the push left",
    needs=ON_MAPS,
)
class Follow:
    """A fighter follows the fighter that it has pushed."""

    def may(fight, i, target, detail):
        return may_follow(fight, i)
