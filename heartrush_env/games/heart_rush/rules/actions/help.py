"""The Action Phase > Actions You Can Take > Help."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.choices import Cost, Target, action
from heartrush_env.games.heart_rush.rules.conditions import lose
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import CONFUSED, MUTE

MOST_HELPS = 100  # more cannot matter: this exceeds all disadvantages of a roll together


@action(
    "help",
    words="help {target}: advantage on its next roll",
    tells="{fighter} helps {target}",
    heading="Combat > The Action Phase > Actions You Can Take > Help",
    rulings=("R-45", "R-158"),
    target=Target.ALLY,
    cost=Cost.HELP,
)
class Help:
    """An ally gets advantage on its next roll, and is no longer confused if the fighter can speak."""

    def do(fight, log, i, target, detail):
        ally = fight.fighters[target]
        ally.helped = min(MOST_HELPS, ally.helped + 1)
        if not has(fight.fighters[i], MUTE):
            lose(ally, CONFUSED)
