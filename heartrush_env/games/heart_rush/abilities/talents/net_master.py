"""Net Master."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version

NUMBER = figures("net_master", "cn_bonus")
LEVELS = figures("net_master", "restrained", otherwise=1)
USUAL = 1  # the level of restrained of a creature in a net


@ability(
    "net_master", rulings=["R-219"],
    left_out="throwing a net, so its range, the size of its prey, and the third level from might stance",
)  # fmt: skip
class NetMaster:
    """The owner's nets are harder to escape and, in the destiny version, restrain by one more level."""

    def net_number(fight, i, slot):
        return NUMBER[version(fight, i, slot)]

    def net_levels(fight, i, slot):
        return LEVELS[version(fight, i, slot)] - USUAL
