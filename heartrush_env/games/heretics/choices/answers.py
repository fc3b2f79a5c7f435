"""The choices of windows that ask one fighter alone, and the action of a seat that is not asked."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heretics.book import heading_of
from heartrush_env.games.heretics.choices.unit import choice
from heartrush_env.games.heretics.rules.attacks import may_break_shield, may_sunder
from heartrush_env.games.heretics.rules.fighters import is_able
from heartrush_env.games.heretics.rules.morale import can_be_broken, check_morale, give_up
from heartrush_env.tabletop.choosing import Target


@choice("pass", windows=(), words="wait")
class Pass:
    """Wait, while others are asked."""


@choice("keep", windows=("request", "sunder", "shield"), words="keep it", fallback=True)
class Keep:
    """Keep the request, the weapon, or the shield."""


@choice(
    "request", windows=("request",), words="demand that they give up; {target} speaks", target=Target.MEMBER,
    heading=heading_of("Morale, retreat, retainers"), rulings=("R-30",),
)  # fmt: skip
class Request:
    """Use up the request that the side holds; one of its fighters rolls."""

    def may(fight, i, target, detail):
        side = np.int64(fight.fighters[i].team)
        return fight.requests[side] > 0 and is_able(fight, target) and can_be_broken(fight, 1 - side)

    def do(fight, log, i, target, detail):
        side = np.int64(fight.fighters[i].team)
        fight.requests[side] = 0
        if check_morale(fight, log, target):
            give_up(fight, log, 1 - side, False)


@choice("sunder", windows=("sunder",), words="break the weapon for twice the dice")
class Sunder:
    """Destroy the weapon that has hit."""

    def may(fight, i, target, detail):
        return may_sunder(fight, i)


@choice("break_shield", windows=("shield",), words="break the shield and take nothing", costs={"reaction": 1})
class BreakShield:
    """Destroy the shield to stop the blow."""

    def may(fight, i, target, detail):
        return may_break_shield(fight, i)
