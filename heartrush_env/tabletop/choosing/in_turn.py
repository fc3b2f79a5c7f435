"""Fighters of a side that choose one after another in one window, and see what the others have chosen."""

from __future__ import annotations

from heartrush_env.tabletop.rule import compiled


@compiled
def let_others_wait(fight):
    """Let all but the first of the fighters that are asked wait, until `ask_waiting` asks them."""
    found = False
    for i in range(fight.n):
        fighter = fight.fighters[i]
        fighter.waits = found and fighter.pending
        found = found or fighter.pending
        fighter.pending = fighter.pending and not fighter.waits


@compiled
def ask_waiting(fight, window, i):
    """Ask fighter i in the open window, if it has waited for the others; return whether the fight pauses."""
    fighter = fight.fighters[i]
    fighter.pending = fighter.waits
    fighter.waits = False
    return fighter.pending
