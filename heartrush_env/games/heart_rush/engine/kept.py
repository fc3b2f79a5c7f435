"""Nested windows: the outer window's choices are saved while an inner window is open, and restored after it."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.abilities import PARTS
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.tabletop.flow import interrupts
from heartrush_env.tabletop.rule import compiled, inlined


@compiled
def push_choices(match):
    """Save every fighter's choices before an inner window opens."""
    start = match.kept_count * match.n
    for i in range(match.n):
        fighter, kept = match.fighters[i], match.kept[start + i]
        kept.deed, kept.target, kept.detail = fighter.deed, fighter.target, fighter.detail
        push_answers(match, i, start + i)
    match.kept_count += 1


@compiled
def pop_choices(match):
    """Restore every fighter's choices from before the inner window."""
    match.kept_count -= 1
    start = match.kept_count * match.n
    for i in range(match.n):
        fighter, kept = match.fighters[i], match.kept[start + i]
        fighter.deed, fighter.target, fighter.detail = kept.deed, kept.target, kept.detail
        pop_answers(match, i, start + i)


@with_abilities(None)
@compiled
def push_answers(match, i, place):
    """Save the answers to the parts of fighter i's choice."""
    for part in range(PARTS):
        match.kept[place].answers[part] = match.fighters[i].answers[part]


@with_abilities(None)
@compiled
def pop_answers(match, i, place):
    """Restore the answers to the parts of fighter i's choice."""
    for part in range(PARTS):
        match.fighters[i].answers[part] = match.kept[place].answers[part]


@inlined
def outer_choice(match, i):
    """Return fighter i's choice in the window that encloses the open one."""
    return match.kept[(match.kept_count - 1) * match.n + i]


interrupt = interrupts(push_choices, pop_choices)
