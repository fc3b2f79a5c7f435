"""Classic > Engaging the Enemy: the actions that begin an engagement and enter one."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.choices import BY_TURNS, Target, action
from heartrush_env.games.heart_rush.rules.engaging import begin_engagement, enter_engagement, may_enter
from heartrush_env.games.heart_rush.rules.stances import may_target
from heartrush_env.games.heart_rush.rules.terms import STANDING


@action(
    "engage",
    words="engage {target}",
    tells="{fighter} engages {target}",
    heading="Classic > Engaging the Enemy",
    target=Target.ENEMY,
    needs=BY_TURNS,
)
class Engage:
    """A fighter engages an enemy in weapon range; the enemy cannot refuse."""

    def may(fight, i, target, detail):
        return fight.fighters[target].status == STANDING and may_target(fight, i, target)

    def do(fight, log, i, target, detail):
        begin_engagement(fight, i, target)


@action(
    "enter",
    words="enter the engagement",
    tells="{fighter} enters the engagement",
    heading="Classic > Engaging the Enemy",
    windows=("enter",),
    needs=BY_TURNS,
)
class Enter:
    """A fighter joins the engagement if any fighter in it is within weapon range."""

    def may(fight, i, target, detail):
        return may_enter(fight, i)

    def do(fight, log, i, target, detail):
        enter_engagement(fight, i)
