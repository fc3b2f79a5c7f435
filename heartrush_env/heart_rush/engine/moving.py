"""Movement by one's own will: the dash, square by square with what others do on the way, and single steps."""

from __future__ import annotations

from heartrush_env.core.rule import compiled, rule
from heartrush_env.heart_rush.engine.events import (
    BY_DASH,
    BY_FOLLOWING,
    BY_SIDESTEP,
    BY_SWINGING,
    MOVE,
    tell_conditions,
    tell_square,
    tell_timing,
)
from heartrush_env.heart_rush.engine.places import (
    drag,
    end_climb_out_of_reach,
    end_holds_out_of_reach,
    go,
    tell_carried,
)
from heartrush_env.heart_rush.rules.forced_movement import SWING, follow_push, swing_past
from heartrush_env.heart_rush.rules.movement import STEP_X, STEP_Y, is_vacant, may_sidestep
from heartrush_env.heart_rush.rules.opportunity_attacks import find_openings_at_step
from heartrush_env.heart_rush.rules.sheet import has
from heartrush_env.heart_rush.rules.space import on_map
from heartrush_env.heart_rush.rules.speed import squares_per_dash
from heartrush_env.heart_rush.rules.terms import (
    FOLLOW,
    MAP_SIDE,
    NOBODY,
    OPPORTUNITY,
    PRONE,
    SIDESTEP,
    STANDING,
)
from heartrush_env.heart_rush.rules.timing import settle_timing
from heartrush_env.heart_rush.rules.trip import find_trippers

SQUARES = 100  # what those go for who step to a square is this and the square's number


# ---------------------------------------------------------------------------------------------------------- a dash


@on_map(False)
@rule("Combat > The Action Phase > Actions You Can Take > Dash")
def goes_on(match):
    """Whether the way is not at its end, and the mover neither down nor held."""
    fighter = match.fighters[match.mover]
    if match.path_at >= match.path_length or fighter.status != STANDING:
        return False
    if has(fighter, PRONE) and not match.crawling:
        return False
    return squares_per_dash(match, match.mover) > 0


@on_map(False)
@compiled
def opens_itself(match):
    """Whether the mover's next step is an opening for anybody."""
    direction = match.path[match.path_at]
    return find_openings_at_step(match, match.mover, STEP_X[direction], STEP_Y[direction])


@on_map(False)
@rule("Combat > The Action Phase > Actions You Can Take > Dash")
def make_step(match, log):
    """One square of the way; returns whether anybody may trip the mover there."""
    i = match.mover
    fighter = match.fighters[i]
    direction = match.path[match.path_at]
    match.path_at += 1
    fighter.squares_moved += 1
    go(match, log, i, fighter.x + STEP_X[direction], fighter.y + STEP_Y[direction], BY_DASH)
    end_holds_out_of_reach(match)
    return find_trippers(match, i)


@on_map(None)
@rule("Combat > The Action Phase > Actions You Can Take > Dash", "R-74")
def step_back(match, log, i):
    """Whoever is stopped in the space of another goes back along its way to the last place where it may stay."""
    fighter = match.fighters[i]
    if fighter.status != STANDING or is_vacant(match, i, fighter.x, fighter.y):
        return
    x, y = fighter.x, fighter.y
    for step in range(match.path_at - 1, -1, -1):
        x, y = x - STEP_X[match.path[step]], y - STEP_Y[match.path[step]]
        if is_vacant(match, i, x, y):
            go(match, log, i, x, y, BY_DASH)
            end_holds_out_of_reach(match)
            return


@on_map(None)
@compiled
def note_strikes_at_mover(match):
    """Who has answered the opening has struck at this mover; the opening is over."""
    for e in range(match.n):
        match.fighters[e].struck_mover |= match.fighters[e].deed == OPPORTUNITY
        match.fighters[e].has_opening = 0


# ------------------------------------------------------------------------------------------------------------ steps


@rule("Combat > The Action Phase > Actions You Can Take > Sidestep")
def sidestep(match, log, i, direction):
    """One step that never opens; whoever the fighter holds comes along."""
    fighter = match.fighters[i]
    x, y = fighter.x, fighter.y
    fighter.squares_moved += 1
    go(match, log, i, x + STEP_X[direction], y + STEP_Y[direction], BY_SIDESTEP)
    drag(match, log, i, x, y)
    end_climbs_out_of_reach(match)
    end_holds_out_of_reach(match)
    tell_conditions(match, log)


@compiled
def end_climbs_out_of_reach(match):
    """Whoever was moved off the creature that it rides rides it no more."""
    for i in range(match.n):
        end_climb_out_of_reach(match, i)


@on_map(None)
@compiled
def aim_for_squares(match):
    """Those who step to the same square contend for it, apart from all who contend for a target."""
    for i in range(match.n):
        fighter = match.fighters[i]
        if fighter.deed == SIDESTEP:
            x, y = fighter.x + STEP_X[fighter.detail], fighter.y + STEP_Y[fighter.detail]
            fighter.contends = SQUARES + y * MAP_SIDE + x


@on_map(False)
@rule("Combat > The Engagement > Choosing Your Stance > Agility Stance", "R-5", "R-25")
def step_in_turn(match, log):
    """Those who chose the step of their agility take it in timing order; returns whether anybody did."""
    anyone = False
    for spot in range(match.n):
        i = match.order[spot]
        fighter = match.fighters[i]
        if fighter.deed == SIDESTEP:
            anyone = True
            fighter.stepped = 1
            if fighter.status == STANDING and may_sidestep(match, i, fighter.detail):
                fighter.moved = 1
                sidestep(match, log, i, fighter.detail)
    return anyone


@on_map(None)
@rule("Combat > The Engagement > Choosing Your Stance > Agility Stance", "R-25", "R-68")
def step_last(match, log):
    """Those who struck first step now; those who want the same square roll for it, and the phase's order stands."""
    for spot in range(match.n):
        match.window_order[spot] = match.order[spot]
        match.fighters[spot].contends = NOBODY
    aim_for_squares(match)
    settle_timing(match)
    tell_timing(match, log)
    step_in_turn(match, log)
    for spot in range(match.n):
        match.order[spot] = match.window_order[spot]
        match.fighters[match.order[spot]].turn = spot


@on_map(None)
@rule("Weapons > Might Bonus > Melee", "R-70")
def follow_in_turn(match, log):
    """Those who follow whom they pushed do so in timing order."""
    for spot in range(match.n):
        i = match.order[spot]
        fighter = match.fighters[i]
        if fighter.deed == FOLLOW:
            x, y, dx, dy = fighter.x, fighter.y, fighter.follow_x, fighter.follow_y
            squares = follow_push(match, i, dx, dy, fighter.follow_squares)
            fighter.squares_moved += squares
            for step in range(1, squares + 1):
                tell_square(match, log, MOVE, i, NOBODY, BY_FOLLOWING, x + step * dx, y + step * dy)
            tell_carried(match, log, i)
        fighter.has_pushed = NOBODY
    end_holds_out_of_reach(match)
    tell_conditions(match, log)


@on_map(None)
@rule("Combat > Other Offensive Actions > Stunt", "R-48", "R-69")
def swing(match, log, i, target):
    """To the place straight beyond the target, if there is room."""
    fighter = match.fighters[i]
    if swing_past(match, i, target):
        fighter.squares_moved += SWING
        tell_square(match, log, MOVE, i, target, BY_SWINGING, fighter.x, fighter.y)
        end_climb_out_of_reach(match, i)
        end_holds_out_of_reach(match)
