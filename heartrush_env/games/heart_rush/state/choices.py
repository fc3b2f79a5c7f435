"""Fighters' choices, which are saved while an inner window is open and restored after it."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.abilities import PARTS
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.tabletop.flow import interrupts
from heartrush_env.tabletop.rule import compiled, inlined


@inlined
def choose(fight, i, deed, target, detail):
    """Set fighter i's choice in the open window."""
    fighter = fight.fighters[i]
    fighter.deed = deed
    fighter.target = target
    fighter.detail = detail


@compiled
def push_choices(fight):
    """Save every fighter's choices before an inner window opens."""
    start = fight.kept_count * fight.n
    for i in range(fight.n):
        fighter, kept = fight.fighters[i], fight.kept[start + i]
        kept.deed, kept.target, kept.detail = fighter.deed, fighter.target, fighter.detail
        push_answers(fight, i, start + i)
    fight.kept_count += 1


@compiled
def pop_choices(fight):
    """Restore every fighter's choices from before the inner window."""
    fight.kept_count -= 1
    start = fight.kept_count * fight.n
    for i in range(fight.n):
        fighter, kept = fight.fighters[i], fight.kept[start + i]
        fighter.deed, fighter.target, fighter.detail = kept.deed, kept.target, kept.detail
        pop_answers(fight, i, start + i)


@with_abilities(None)
@compiled
def push_answers(fight, i, place):
    """Save the answers to the parts of fighter i's choice."""
    for part in range(PARTS):
        fight.kept[place].answers[part] = fight.fighters[i].answers[part]


@with_abilities(None)
@compiled
def pop_answers(fight, i, place):
    """Restore the answers to the parts of fighter i's choice."""
    for part in range(PARTS):
        fight.fighters[i].answers[part] = fight.kept[place].answers[part]


@inlined
def outer_choice(fight, i):
    """Return fighter i's choice in the window that encloses the open window."""
    return fight.kept[(fight.kept_count - 1) * fight.n + i]


interrupt = interrupts(push_choices, pop_choices)
