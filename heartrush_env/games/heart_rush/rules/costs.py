"""The costs of choices: whether a fighter can pay them, and the payment."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.choices import Cost
from heartrush_env.games.heart_rush.rules.conditions import may_still_move
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.movement import may_rush_aside
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.stances import has_action_left
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.games.heart_rush.state.events import RUSH_EVENT, tell
from heartrush_env.tabletop.rule import compiled, rule


@compiled
def can_pay(fight, i, cost):
    """Return whether fighter i can pay this cost."""
    fighter = fight.fighters[i]
    if cost == Cost.ACTION:
        return has_action_left(fighter)
    if cost == Cost.HELP or cost == Cost.STEP or cost == Cost.RISE:
        return has_action_left(fighter) or is_free(fight, i, cost, False)
    if cost == Cost.RUSH:
        return fighter.rush > 0
    if cost == Cost.RUSH_STEP:
        return may_rush_aside(fighter)
    if cost == Cost.INTERACTION:
        return may_interact(fight, i)
    if cost == Cost.DASH:
        return may_move(fighter)
    if cost == Cost.HALF_DASH:
        return may_move(fighter) and not has_stood(fight, i)
    return cost == Cost.NOTHING or may_move(fighter) or has_action_left(fighter)


@compiled
def pay(fight, log, i, cost):
    """Spend the cost of a choice; return whether paying it exerts fighter i (R-49)."""
    fighter = fight.fighters[i]
    had_action = fighter.action
    if cost == Cost.RUSH or cost == Cost.RUSH_STEP:
        spend_rush(fight, log, i)
    elif cost == Cost.DASH_OR_ACTION:
        if not may_move(fighter):
            spend_action(fighter)
        spend_dash(fighter)
        note_dash(fight, i)
    elif cost == Cost.DASH:
        spend_dash(fighter)
    elif cost == Cost.HALF_DASH:
        if not spend_half_dash(fight, i):
            spend_dash(fighter)
    elif cost == Cost.INTERACTION:
        spend_interaction(fight, i)
    elif cost == Cost.HELP or cost == Cost.STEP or cost == Cost.RISE:
        if is_free(fight, i, cost, True):
            fighter.moved |= cost != Cost.HELP
            return cost != Cost.HELP
        spend_action(fighter)
    elif cost != Cost.NOTHING:
        spend_action(fighter)
    if cost == Cost.STEP or cost == Cost.RUSH_STEP:
        fighter.moved = 1
    if cost == Cost.INTERACTION:
        return had_action and not fighter.action
    return cost != Cost.NOTHING and cost != Cost.RUSH


@rule("Combat > The Action Phase > Understanding Actions and Abilities")
def spend_action(fighter):
    """Spend the fighter's one action of the round, or a further one that an ability gives it."""
    if not spend_further_action(fighter):
        fighter.action = 0
    fighter.acted = 1


@with_abilities(False)
@compiled
def spend_further_action(fighter):
    """Spend a further action of the fighter; return whether it had one."""
    if fighter.more_actions == 0:
        return False
    fighter.more_actions -= 1
    return True


@rule("Classic > Special Use Cases", "R-18")
def spend_rush(fight, log, i):
    """Spend a rush point and log it."""
    fight.fighters[i].rush -= 1
    tell(fight, log, RUSH_EVENT, i, NOBODY, 0, fight.fighters[i].rush)


@compiled
def spend_points(fight, log, i, points):
    """Spend rush points on an ability and log it."""
    fight.fighters[i].rush -= points
    tell(fight, log, RUSH_EVENT, i, NOBODY, points, fight.fighters[i].rush)


@rule("Combat > The Action Phase > Actions You Can Take > Object Interaction")
def may_interact(fight, i):
    """Return whether the fighter may interact: the first interaction of a round is free, others cost the action."""
    fighter = fight.fighters[i]
    return fighter.interaction or has_action_left(fighter) or is_free(fight, i, Cost.INTERACTION, False)


@rule("Combat > The Action Phase > Actions You Can Take > Object Interaction")
def spend_interaction(fight, i):
    """Spend the free interaction, or the action if the interaction is gone."""
    fighter = fight.fighters[i]
    if fighter.interaction:
        fighter.interaction = 0
    elif not is_free(fight, i, Cost.INTERACTION, True):
        spend_action(fighter)


@rule("Combat > The Action Phase > Understanding Actions and Abilities", "R-47")
def is_free(fight, i, cost, pays):
    """Return whether an ability spares fighter i the action for what has this cost; it counts if the fighter `pays`."""
    moves = cost == Cost.STEP or cost == Cost.RISE
    return (not moves or may_still_move(fight.fighters[i])) and hooks.spares_action(fight, i, cost == Cost.HELP, pays)


@rule("Combat > The Action Phase > Understanding Actions and Abilities", "R-47")
def may_move(fighter):
    """Return whether the fighter may make its free dash: it is unspent, and confusion does not forbid moving."""
    return fighter.dash and may_still_move(fighter)


@compiled
def spend_dash(fighter):
    """Spend the round's free dash."""
    fighter.dash = 0
    fighter.moved = 1


@on_map(None)
@compiled
def note_dash(fight, i):
    """Record that the fighter has dashed this round."""
    fight.fighters[i].dashed = 1


@on_map(False)
@compiled
def has_stood(fight, i):
    """Return whether the fighter has stood up with half its dash this round, which is allowed only once."""
    return fight.fighters[i].stood


@on_map(False)
@rule("Combat > The Action Phase > Understanding Actions and Abilities", "R-40")
def spend_half_dash(fight, i):
    """Spend half of the free dash and return True; return False without a map, where a dash has no halves."""
    fighter = fight.fighters[i]
    fighter.stood = 1
    fighter.moved = 1
    return True
