"""Letting go of a held creature."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.choices import Cost, action
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import let_go
from heartrush_env.games.heart_rush.rules.terms import GRAPPLING


@action(
    "let_go",
    words="let go",
    tells="{fighter} lets go",
    cost=Cost.NOTHING,
    conditions=(GRAPPLING,),
)
class LetGo:
    """A fighter lets go of the creature that it holds, which costs nothing."""

    def do(fight, log, i, target, detail):
        let_go(fight, i)
