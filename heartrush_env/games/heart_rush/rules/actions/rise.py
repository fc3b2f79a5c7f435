"""Getting up from prone: a sidestep to one's feet, or half a dash, which others may answer."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.actions.sidestep import may_step_now
from heartrush_env.games.heart_rush.rules.choices import Comes, Cost, action
from heartrush_env.games.heart_rush.rules.conditions import lose
from heartrush_env.games.heart_rush.rules.opportunity_attacks import find_openings_at_riser, forget_openings
from heartrush_env.games.heart_rush.rules.rush_points import RISE_BY_RUSH
from heartrush_env.games.heart_rush.rules.sheet import HELD, has
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.terms import GRAPPLING, NOBODY, PRONE
from heartrush_env.games.heart_rush.state.events import STAND_EVENT, tell
from heartrush_env.tabletop.rule import compiled, rule


@rule("Conditions > Prone > Getting Up")
def may_get_up(fighter):
    """Return whether a prone fighter may rise: it must neither be held nor hold another fighter."""
    return has(fighter, PRONE) and fighter.afflicted & HELD == 0 and not has(fighter, GRAPPLING)


@compiled
def get_up(fight, log, i):
    """End the fighter's prone condition, and write the event."""
    lose(fight.fighters[i], PRONE)
    tell(fight, log, STAND_EVENT, i, NOBODY, 0, 0)


@action(
    "rise",
    words="sidestep to your feet: the action, and no opening",
    words_by_rush="sidestep to your feet for a rush point: no opening for them",
    tells="{fighter} sidesteps to its feet",
    details={0: "", RISE_BY_RUSH: "rush"},
    cost=Cost.RISE,
    by_rush=Cost.RUSH_STEP,
    rush_from=RISE_BY_RUSH,
    conditions=(PRONE,),
    windows=("action", "attack", "step"),
)
class Rise:
    """A fighter stands up without giving opportunities, for its action, a rush point or its stance's free step."""

    def may(fight, i, target, detail):
        return may_get_up(fight.fighters[i]) and not hooks.stays(fight, i)

    def may_in_attack(fight, i, target, detail):
        return detail == 0 and rises_by_stance(fight, i)

    def may_in_step(fight, i, target, detail):
        return detail == 0 and rises_by_stance(fight, i)

    def do(fight, log, i, target, detail):
        rise(fight, log, i)


@rule("Conditions > Prone > Getting Up", "R-161")
def rises_by_stance(fight, i):
    """Return whether the free sidestep of the agility stance may be spent on rising."""
    if not fight.rules.agility_rises or hooks.stays(fight, i):
        return False
    return may_get_up(fight.fighters[i]) and may_step_now(fight, i)


@compiled
def rise(fight, log, i):
    """Let the fighter sidestep to its feet."""
    get_up(fight, log, i)
    hooks.sidestepped(fight, i, log)


@action(
    "stand",
    words="stand up: the dash, and an opening for them",
    tells="{fighter} gets up with half its dash, which leaves an opening",
    cost=Cost.HALF_DASH,
    conditions=(PRONE,),
    comes=Comes.RISING,
)
class Stand:
    """A fighter rises for half its dash, which gives an opportunity to every enemy that threatens it."""

    def may(fight, i, target, detail):
        return may_get_up(fight.fighters[i])

    def do(fight, log, i, target, detail):
        open_riser(fight, i)


@on_map(None)
@compiled
def open_riser(fight, i):
    """Record the enemies that may strike at the fighter while it rises."""
    forget_openings(fight)
    find_openings_at_riser(fight, i)
