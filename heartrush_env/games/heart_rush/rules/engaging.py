"""Classic > Engaging the Enemy: sides take turns, and only the fighters in an engagement fight it.

Fight records of other editions lack the fields used here: there every fighter may act and is in the engagement.
"""

from __future__ import annotations

from functools import partial

from heartrush_env.games.heart_rush.rules.choices import BY_TURNS
from heartrush_env.games.heart_rush.rules.special_circumstances import is_surprised
from heartrush_env.games.heart_rush.rules.terms import NO_STANCE, NOBODY, STANDING
from heartrush_env.games.heart_rush.rules.weapons import reaches
from heartrush_env.tabletop.rng import roll_die
from heartrush_env.tabletop.rule import compiled, only_with, rule

by_turns = partial(only_with, BY_TURNS)  # keeps a function where sides take turns; elsewhere its result is a constant
HEROES_BEGIN_FROM = 4  # on a d6


@by_turns(False)
@compiled
def goes_by_turns(fight):
    """Return whether sides take turns; this is a constant for each type of record."""
    return True


@by_turns(True)
@rule("Classic > Engaging the Enemy", "R-89")
def has_priority(fight, i):
    """Return whether the fighter's side has the turn; no side has it during an engagement."""
    return fight.fighters[i].team == fight.priority


@by_turns(True)
@rule("Classic > Engaging the Enemy")
def takes_part(fight, i):
    """Return whether the fighter is in the engagement, where it chooses a stance, attacks and can be attacked."""
    return fight.fighters[i].joined


@rule("Combat > The Engagement > How Engagements Work", "R-55")
def has_two_sides(fight):
    """Return whether standing fighters of at least two sides are in the engagement, so that it can be fought."""
    side = NOBODY
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if fighter.status == STANDING and takes_part(fight, i):
            if side != NOBODY and fighter.team != side:
                return True
            side = fighter.team
    return False


@by_turns(0)
@rule("Classic > Engaging the Enemy", "R-89", "R-260")
def first_priority(fight):
    """Choose the side that begins the round: one that is not surprised or, if none is surprised, one chosen by a d6.

    The heroes' side begins on a roll of four or more, otherwise the next side. Returns the roll, or 0 without a roll.
    """
    die = 0
    fight.passes = 0
    fight.engaged_side = NOBODY
    fight.priority = side_of_heroes(fight)
    surprised = 0
    for side in range(fight.n_teams):
        surprised += is_side_surprised(fight, side)
    if surprised == 0:
        die = roll_die(fight, 6)
        if die < HEROES_BEGIN_FROM:
            next_side(fight)
    while 0 < surprised < fight.n_teams and is_side_surprised(fight, fight.priority):
        next_side(fight)
    return die


@compiled
def side_of_heroes(fight):
    """Return the side of the first hero, or the first side if there are no heroes."""
    for i in range(fight.n):
        if fight.fighters[i].hero:
            return fight.fighters[i].team
    return 0


@compiled
def is_side_surprised(fight, side):
    """Return whether a side has standing fighters and all of them are surprised."""
    anyone = False
    for i in range(fight.n):
        if fight.fighters[i].team == side and fight.fighters[i].status == STANDING:
            if not is_surprised(fight, i):
                return False
            anyone = True
    return anyone


@compiled
def next_side(fight):
    """Give the turn to the next side."""
    fight.priority = (fight.priority + 1) % fight.n_teams


@by_turns(False)
@rule("Classic > Engaging the Enemy", "R-89")
def turns_go_on(fight):
    """Return whether the round has turns left: it ends once all sides have passed in a row."""
    return fight.passes < fight.n_teams


@by_turns(None)
@rule("Classic > Engaging the Enemy")
def pass_priority(fight):
    """Pass the turn to the next side, whether this side used or declined its turn; do nothing in an engagement."""
    if fight.priority != NOBODY:
        next_side(fight)


@by_turns(None)
@rule("Classic > Engaging the Enemy")
def begin_engagement(fight, i, target):
    """Put fighter i and its target in an engagement; no side has priority until it is over."""
    enter_engagement(fight, i)
    enter_engagement(fight, target)
    fight.engaged_side = fight.fighters[target].team
    fight.priority = NOBODY


@by_turns(None)
@rule("Classic > Engaging the Enemy", "R-92")
def enter_engagement(fight, i):
    """Put a fighter in the engagement, which makes it active this round."""
    fight.fighters[i].joined = True
    fight.fighters[i].active = True


@compiled
def forget_step(fight, k):
    """Forget that fighter k has stepped in the agility phase."""
    fight.fighters[k].stepped = False


@by_turns(False)
@compiled
def is_engagement(fight):
    """Return whether an engagement is in progress."""
    return fight.engaged_side != NOBODY


@by_turns(False)
@rule("Classic > Engaging the Enemy")
def may_enter(fight, i):
    """Return whether the fighter may enter the engagement: a standing fighter in it is within weapon range."""
    if fight.fighters[i].joined:
        return False
    for k in range(fight.n):
        if fight.fighters[k].joined and fight.fighters[k].status == STANDING and reaches(fight, i, k):
            return True
    return False


@by_turns(None)
@rule("Classic > Engaging the Enemy", "R-90")
def leave_engagement(fight):
    """End the engagement with its talk, stances and steps: all fighters leave, and the engaged side has priority."""
    for i in range(fight.n):
        fight.fighters[i].joined = False
        fight.fighters[i].said = fight.fighters[i].heard = fight.fighters[i].stance = NO_STANCE
        forget_step(fight, i)
    fight.priority = fight.engaged_side
    fight.engaged_side = NOBODY
    fight.engaged = False
