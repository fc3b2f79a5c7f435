"""Tripping an off-balanced enemy as it takes a step (RULES, "Trip")."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import TYPE_CHECKING, Any

from .choices import trip_choices
from .sheet import Fighter

if TYPE_CHECKING:
    from .fight import Fight

Windows = Generator[None, Mapping[str, str], Any]


def let_trip(fight: Fight, mover: Fighter, asked: set[str]) -> Windows:
    """Ask the fighters that may trip the mover here and are not in `asked` yet; return those that do."""
    options = {
        enemy.agent: trip_choices(fight.table, enemy, mover)
        for enemy in fight.table.enemies(mover)
        if enemy.agent not in asked
    }
    asked |= {agent for agent, names in options.items() if len(names) > 1}
    answers = yield from fight.ask("opportunity", options)
    trippers = [fighter for fighter in fight.fighters if answers[fighter.agent] != "pass"]
    for fighter in trippers:
        fighter.tripped.add(mover.agent)
    if trippers:
        fight.inflict(trippers[0], mover, "prone", 1)
    return trippers


def may_be_tripped_in_steps(fight: Fight, mover: Fighter) -> bool:
    """Return whether an off-balanced fighter on its feet may be tripped in movements other than dashes."""
    unsteady = "off_balanced" in mover.conditions and "prone" not in mover.conditions
    return fight.settings.trip_on == "steps" and unsteady and mover.standing


def let_trip_stepper(fight: Fight, mover: Fighter, asked: set[str] | None = None) -> Windows:
    """Let others trip the mover in a step that is not part of a dash; return those that do."""
    if not may_be_tripped_in_steps(fight, mover):
        return []
    return (yield from let_trip(fight, mover, set() if asked is None else asked))
