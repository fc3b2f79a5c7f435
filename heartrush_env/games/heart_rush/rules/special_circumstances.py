"""Special Circumstances: surprise, the helpless, and states that an attack ends. Cover is in cover.py."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.conditions import lose
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import CHARMED, ENRAGED, HIDDEN, INCAPACITATED, STANDING, UNCONSCIOUS
from heartrush_env.tabletop.rule import rule


@rule("Combat > Special Circumstances > Surprise", "R-7", hot=True)
def is_surprised(fight, i):
    """Return whether a fighter is surprised now; surprise lasts for the first round, all of which the fighter loses."""
    return fight.fighters[i].surprised and fight.round_number <= 1


@rule("Combat > Special Circumstances > Attacking the Helpless", "R-37")
def is_helpless(fighter):
    """Return whether a fighter is helpless: unconscious or incapacitated, unable to defend itself properly."""
    return fighter.status == UNCONSCIOUS or (fighter.status == STANDING and has(fighter, INCAPACITATED))


@rule("Conditions > Enraged > Venting", "R-42")
def vent_rage(fight, i, target):
    """End the attacker's rage after an attack roll against the source of its rage."""
    fighter = fight.fighters[i]
    if has(fighter, ENRAGED) and fighter.source[ENRAGED] == target:
        lose(fighter, ENRAGED)


@rule("Conditions > Hidden, Charmed", "R-42")
def end_by_striking(fight, i, target):
    """Reveal a hidden attacker, and end its rage at the target and its charm over the target."""
    other = fight.fighters[target]
    lose(fight.fighters[i], HIDDEN)
    vent_rage(fight, i, target)
    if has(other, CHARMED) and other.source[CHARMED] == i:
        lose(other, CHARMED)
