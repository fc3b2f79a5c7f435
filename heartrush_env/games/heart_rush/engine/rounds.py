"""The start and end of a round, of a declaration and of the fight; the edition decides their order."""

from __future__ import annotations

from heartrush_env.games.heart_rush.engine.engagement import end_what_strikes_end
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import works_once
from heartrush_env.games.heart_rush.rules.conditions import drench, fade, fade_further, hold_levels
from heartrush_env.games.heart_rush.rules.endings import find_ending
from heartrush_env.games.heart_rush.rules.engaging import goes_by_turns
from heartrush_env.games.heart_rush.rules.hits import take_out_together
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.rush_points import gain_rush
from heartrush_env.games.heart_rush.rules.space import on_map, plays_on_map
from heartrush_env.games.heart_rush.rules.taking_damage import tire
from heartrush_env.games.heart_rush.rules.terms import NO_STANCE, NOBODY, STANDING, UNCONSCIOUS
from heartrush_env.games.heart_rush.rules.timing import base_order
from heartrush_env.games.heart_rush.state.events import END, ROUND_EVENT, tell, tell_conditions
from heartrush_env.games.heart_rush.state.record import ACTION, OVER
from heartrush_env.tabletop.arrays import fill
from heartrush_env.tabletop.rule import compiled, rule


@compiled
def prepare(fight, log):
    """Prepare the first round: put out the fire on soaked fighters, and compare agility for the timing order."""
    if fight.recording:  # otherwise all fights share one log, and threads would contend to write it
        fill(log.seen, 0)
        log.attack = NOBODY
    for i in range(fight.n):
        drench(fight.fighters[i])
        hooks.begin(fight, i)
    base_order(fight)
    begin_in_order(fight)


@with_abilities(None)
@compiled
def begin_in_order(fight):
    """Copy the base order into the timing order, which attacks by abilities need before the first window sets it."""
    for spot in range(fight.n):
        fight.order[spot] = fight.base_order[spot]


@rule("Combat > Understanding Combat Flow", "R-30", unfolds=True)
def start_round(fight, log):
    """Start a round: fading conditions lose a level, the action and free moves return, and rush points are gained."""
    end_loans(fight)
    fight.round_number += 1
    fight.windows_used = 0
    tell(fight, log, ROUND_EVENT, NOBODY, NOBODY, 0, fight.round_number)
    for i in range(fight.n):
        fighter = fight.fighters[i]
        fighter.action = True
        fighter.interaction = True
        fighter.dash = True
        fighter.moved = False
        fighter.acted = False
        fighter.stepped = False
        fighter.shrugs = 0
        fighter.stance = NO_STANCE
        fighter.said = fighter.heard = NO_STANCE
        if fight.round_number > 1 and fighter.afflicted:
            hold_levels(fight, i)
            fade(fighter, fight.rules.fading_uniform)
            fade_further(fight, i)
        gain_rush(fight, i)
        start_round_on_map(fight, i)
        start_round_with_abilities(fight, i)
    tell_conditions(fight, log)


@with_abilities(None)
@compiled
def end_loans(fight):
    """Take back all abilities that fighters have been lent; those that work once have then been used."""
    for i in range(fight.n):
        fighter = fight.fighters[i]
        for slot in range(fighter.slots if fighter.loans else 0):
            if fighter.loans >> slot & 1 and fighter.loadout[slot] >= 0:
                if works_once(fight, i, slot, fighter.loadout[slot]):
                    fighter.uses[slot] = 1
                fighter.loadout[slot] = ~fighter.loadout[slot]


@on_map(None)
@compiled
def start_round_on_map(fight, i):
    """Reset a fighter's record of movement and trips for the round."""
    fighter = fight.fighters[i]
    fighter.dashed = False
    fighter.stood = False
    fighter.shot = False
    fighter.lunged = False
    fighter.squares_moved = 0
    fighter.tripped_at = 0
    fighter.went_within = 0


@with_abilities(None)
@compiled
def start_round_with_abilities(fight, i):
    """Forget which abilities a fighter used in the last round, and any further action that it had."""
    fill(fight.fighters[i].uses_now, 0)
    fight.fighters[i].more_actions = 0


@compiled
def windows_allowed(fight):
    """Return the action windows per round; 0 if only stances are decided and the fight has no map."""
    return fight.rules.windows_per_round if fight.full_decisions or plays_on_map(fight) else 0


@compiled
def end_action_phase(fight):
    """Take from all fighters the further actions that they have not spent in the action phase.

    Where sides take turns, the round goes on after an engagement, and the actions last until it ends.
    """
    if goes_by_turns(fight):
        return
    for i in range(fight.n):
        fight.fighters[i].more_actions = 0


@compiled
def end_declaration(fight, log):
    """End the conditions that a declaration and its hits end, and set the action window again."""
    end_what_strikes_end(fight, log)
    tell_conditions(fight, log)
    fight.window = ACTION


@compiled
def anyone_took(fight, stance):
    """Return whether any standing fighter has shown this stance; if none has, its phase is skipped."""
    for i in range(fight.n):
        if fight.fighters[i].stance == stance and fight.fighters[i].status == STANDING:
            return True
    return False


@rule("Combat > Understanding Combat Flow", "R-11", "R-45", "R-158", unfolds=True)
def end_round(fight, log):
    """End a round: unused help lapses, fighters too long at zero hit points fall, and the fight may end."""
    out = 0
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if not fight.rules.help_stays:
            fighter.helped = 0
        if tire(fight, fighter):
            fighter.status = UNCONSCIOUS
            out |= 1 << i
    take_out_together(fight, log, out)
    find_ending(fight)


@compiled
def end_fight(fight, log):
    """End the fight: close the window, and write an event with the outcome."""
    fight.window = OVER
    tell(fight, log, END, NOBODY, fight.winner, fight.ending, 0)
