"""The start and end of a round, of a declaration and of the fight; the edition decides their order."""

from __future__ import annotations

from heartrush_env.games.heart_rush.engine.engagement import end_what_strikes_end
from heartrush_env.games.heart_rush.engine.events import END, ROUND_EVENT, tell, tell_conditions
from heartrush_env.games.heart_rush.engine.state import ACTION, OVER
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.conditions import drench, fade, fade_further, hold_levels
from heartrush_env.games.heart_rush.rules.endings import find_ending
from heartrush_env.games.heart_rush.rules.hits import take_out_together
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.rush_points import gain_rush
from heartrush_env.games.heart_rush.rules.space import on_map, plays_on_map
from heartrush_env.games.heart_rush.rules.taking_damage import tire
from heartrush_env.games.heart_rush.rules.terms import (
    NO_STANCE,
    NOBODY,
    STANDING,
    UNCONSCIOUS,
)
from heartrush_env.games.heart_rush.rules.timing import base_order
from heartrush_env.tabletop.arrays import fill
from heartrush_env.tabletop.rule import compiled, rule


@compiled
def prepare(match, log):
    """Prepare the first round: compare agility for the timing order, and let soaking put out fire."""
    if match.recording:  # otherwise all fights share one log, and threads would contend to write it
        fill(log.seen, 0)
        log.attack = NOBODY
    for i in range(match.n):
        drench(match.fighters[i])
        hooks.begin(match, i)
    base_order(match)
    begin_in_order(match)


@with_abilities(None)
@compiled
def begin_in_order(match):
    """Copy the base order into the timing order, which attacks by abilities need before the first window sets it."""
    for spot in range(match.n):
        match.order[spot] = match.base_order[spot]


@rule("Combat > Understanding Combat Flow", "R-30", unfolds=True)
def start_round(match, log):
    """Start a round: fading conditions lose a level, the action and free moves return, and rush points are gained."""
    match.round_number += 1
    match.windows_used = 0
    tell(match, log, ROUND_EVENT, NOBODY, NOBODY, 0, match.round_number)
    for i in range(match.n):
        fighter = match.fighters[i]
        fighter.action = True
        fighter.interaction = True
        fighter.dash = True
        fighter.moved = False
        fighter.acted = False
        fighter.stepped = False
        fighter.shrugs = 0
        fighter.stance = NO_STANCE
        fighter.said = fighter.heard = NO_STANCE
        if match.round_number > 1 and fighter.afflicted:
            hold_levels(match, i)
            fade(fighter, match.rules.fading_uniform)
            fade_further(match, i)
        gain_rush(match, i)
        start_round_on_map(match, i)
        start_round_with_abilities(match, i)
    tell_conditions(match, log)


@on_map(None)
@compiled
def start_round_on_map(match, i):
    """Reset a fighter's record of movement and trips for the round."""
    fighter = match.fighters[i]
    fighter.dashed = False
    fighter.stood = False
    fighter.shot = False
    fighter.lunged = False
    fighter.squares_moved = 0
    fighter.tripped_at = 0
    fighter.went_within = 0


@with_abilities(None)
@compiled
def start_round_with_abilities(match, i):
    """Forget which abilities a fighter used in the last round."""
    fill(match.fighters[i].uses_now, 0)


@compiled
def windows_allowed(match):
    """Return the action windows per round; 0 if only stances are decided and the fight has no map."""
    return match.rules.windows_per_round if match.full_decisions or plays_on_map(match) else 0


@compiled
def end_declaration(match, log):
    """End the effects that a declaration and its hits bring to an end, and set the action window again."""
    end_what_strikes_end(match, log)
    tell_conditions(match, log)
    match.window = ACTION


@compiled
def anyone_took(match, stance):
    """Return whether any standing fighter has shown this stance; if none has, its phase is skipped."""
    for i in range(match.n):
        if match.fighters[i].stance == stance and match.fighters[i].status == STANDING:
            return True
    return False


@rule("Combat > Understanding Combat Flow", "R-11", "R-45", "R-158", unfolds=True)
def end_round(match, log):
    """End a round: unused help lapses, fighters too long at zero hit points fall, and the fight may end."""
    out = 0
    for i in range(match.n):
        fighter = match.fighters[i]
        if not match.rules.help_stays:
            fighter.helped = 0
        if tire(match, fighter):
            fighter.status = UNCONSCIOUS
            out |= 1 << i
    take_out_together(match, log, out)
    find_ending(match)


@compiled
def end_fight(match, log):
    """End the fight: close the window, and write an event with the outcome."""
    match.window = OVER
    tell(match, log, END, NOBODY, match.winner, match.ending, 0)
