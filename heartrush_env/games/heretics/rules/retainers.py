"""Retainers: a commander's orders, and what scripted retainers do; the routed flee as if ordered to retreat."""

from typing import Any

import numpy as np

from heartrush_env.games.heretics import events, terms
from heartrush_env.games.heretics.book import action, choice, rule
from heartrush_env.games.heretics.rules import attacks, conditions, fighters, items, moves, space, stunts
from heartrush_env.games.heretics.rules.morale import HEADING, is_half_dead
from heartrush_env.games.heretics.terms import ACT, ATTACK, LATE_MOVE, LEAVE, LEAVE_AGAIN, MOVE, STAY
from heartrush_env.tabletop.choosing import NOBODY, Target, set_choice
from heartrush_env.tabletop.grids import places
from heartrush_env.tabletop.grids.squares import FAR_AWAY, WIDTH, new_distances
from heartrush_env.tabletop.rule import compiled

LEAST_NUMBER = 10  # an order's check must reach this, or the enemies' total hit dice
FAR_ENOUGH = 6  # squares from the nearest enemy with which those who kite are content
STUNT_DEEDS = np.array([terms.CHOICES.index(stunt) for stunt in terms.STUNTS], np.int8)
STAGES = np.array([MOVE, ACT, LATE_MOVE], np.int8)  # the windows in which a scripted retainer would be asked
TO_EXIT, TO_DO, AWAY = range(3)  # what makes a square a goal: it is an exit, i can act there, it is far from enemies
FAULT = 256  # weighs a fault of a goal against the steps to it
NO_GOAL = 1000  # the fault of a square that is no goal at all


# ------------------------------------------------------------------------------------------------------------- orders


@compiled
def hears(fight, i, commander):
    """Return whether a fighter is a retainer that can carry out the commander's orders."""
    fighter = fight.fighters[i]
    obeys = fighter.commander == commander and fighters.is_able(fight, i) and not fighter.routed
    return obeys and not conditions.has(fighter, terms.DEAFENED)


@rule(HEADING, "R-35")
def give_order(fight, log, i, order, target, stunt):
    """Roll wil against the enemies' total hit dice or 10; on a success, the retainers carry out the order."""
    fighter, total = fight.fighters[i], np.int64(0)
    for j in range(fight.n):
        if fight.fighters[j].team != fighter.team and fighters.is_able(fight, j):
            total += np.int64(fight.fighters[j].hd)
    events.tell_order(fight, log, i, order, target, stunt)
    if not conditions.check_ability(fight, log, i, i, terms.CHECK_ORDER, terms.WIL, max(total, LEAST_NUMBER)):
        return
    for j in range(fight.n):
        if hears(fight, j, i):
            fight.fighters[j].order = order
            fight.fighters[j].order_target = target
            fight.fighters[j].order_stunt = max(stunt, 0)


def add_order(name: str, order: int, words: str, pick: int, **columns: Any) -> None:
    """Put a kind of order on the shelf: `order`, or else the one that its detail names; `pick` completes it."""

    @action(name, words=words, heading=HEADING, rulings=("R-35", "R-46"), **columns)
    class Order:
        """Order the retainers what to do in this phase."""

        def may(fight, i, target, detail):
            heard = 0
            for j in range(fight.n if fight.rules.retainers_as != fighters.AGENTS else 0):
                heard += hears(fight, j, i)
            return heard > 0 and (target == NOBODY or fighters.is_able(fight, target))

        def do(fight, log, i, target, detail):
            stunt = np.int64(fight.fighters[i].picked[0])
            give_order(fight, log, i, detail if order == NOBODY else order, target, stunt)

        def next_pick(fight, i):
            return pick if fight.fighters[i].picked[0] == NOBODY else NOBODY


add_order("order", NOBODY, "order: {detail}", NOBODY, details=terms.PLAIN_ORDERS)
add_order("order_focus", terms.FOCUS, "order: attack {target}", NOBODY, target=Target.ENEMY)
add_order("order_stunt", terms.TRY_STUNT, "order: a stunt against {target}", terms.BY, target=Target.ENEMY)


@choice("by", windows=(), words="{detail}", details=terms.STUNTS, pick=True)
class By:
    """The stunt that retainers are ordered to try."""


# ------------------------------------------------------------------------------------------------- what retainers do


@rule(HEADING, "R-31", "R-35")
def decide(fight, i):
    """Choose for a fighter that acts but does not decide: the routed flee, and scripted retainers obey.

    It loads its weapon where it would shoot if that were loaded.
    """
    fighter = fight.fighters[i]
    opens = fight.window == MOVE or fight.window == ACT or fight.window == LATE_MOVE
    if not (opens and fighter.acting and fighters.is_able(fight, i)) or fighters.decides(fight, i):
        return
    loaded = np.bool_(fighter.loaded)
    fighter.loaded = True
    obey(fight, i)
    fighter.loaded = loaded
    if fighter.deed == ATTACK and items.must_load(fighter):
        set_choice(fighter, terms.RELOAD, NOBODY)


@rule(HEADING, "R-31", "R-35")
def obey(fight, i):
    """Choose for a fighter that flees or obeys; it stands up if it can, but does nothing else without a reason."""
    fighter = fight.fighters[i]
    stands = fight.window == MOVE and moves.stands_up(fight, i, terms.STAND)
    set_choice(fighter, terms.STAND_BY if fight.window == ACT else terms.STAND if stands else STAY, NOBODY)
    set_goal(fight, i, AWAY, NOBODY, 0, 0)  # its own square
    if is_aimed(fighter) and not fighters.is_able(fight, fighter.order_target):
        fighter.order = NOBODY
    if fight.window == LATE_MOVE:
        if fighter.order == terms.KITE and not fighter.routed:
            make_off(fight, i, FAR_ENOUGH)
    elif fighter.routed or fighter.order == terms.RETREAT:
        flee(fight, i)
    elif fighter.order == NOBODY and is_half_dead(fighter):
        make_off(fight, i, FAR_AWAY)
    elif fighter.order == terms.CUT_OFF:
        goal = set_goal(fight, i, TO_EXIT, NOBODY, NOBODY, FAR_AWAY)
        if goal <= 1:  # no exit is free, or it is there
            attack_in_reach(fight, i)
        go(fight, i, goal)
    elif fighter.order == terms.SHIELD_WALL:
        close_ranks(fight, i)
    elif fighter.order == terms.KITE:
        shoot(fight, i)
    else:
        go_for(fight, i)


@compiled
def stages_of(fight, i):
    """Return how many windows of this phase the script plays for a fighter: none unless it is a scripted retainer."""
    fighter = fight.fighters[i]
    scripted = fighter.commander != NOBODY and fight.rules.retainers_as != fighters.AGENTS
    if not (scripted and fighter.acting and fight.ending == terms.GOES_ON):
        return 0
    return len(STAGES) if fight.rules.late_move == 0 else len(STAGES) - 1


@compiled
def is_aimed(fighter):
    """Return whether a fighter has an order that names an enemy."""
    return fighter.order == terms.FOCUS or fighter.order == terms.TRY_STUNT


@rule(HEADING, "R-46")
def go_for(fight, i):
    """Move up to the target and attack it, or try the ordered stunt; without a target, the nearest enemy is it."""
    fighter = fight.fighters[i]
    deed = np.int64(ATTACK)
    if fighter.order == terms.TRY_STUNT:
        deed = np.int64(STUNT_DEEDS[fighter.order_stunt])
    elif fighter.order == terms.CHARGE and fighters.holds_missile_weapon(fighter):
        deed = np.int64(terms.UNARMED)
    target = np.int64(fighter.order_target)
    if not is_aimed(fighter) and (fight.window == MOVE or target == NOBODY or not fighters.is_able(fight, target)):
        target = nearest(fight, i, NOBODY)
        fighter.order_target = target
    if can_do(fight, i, deed, target):
        act(fight, i, deed, target)
    else:
        go(fight, i, set_goal(fight, i, TO_DO, deed, target, FAR_AWAY))


@rule(HEADING, "R-46")
def shoot(fight, i):
    """Let a retainer shoot the nearest enemy that it can, and move first to the nearest square from which it can."""
    target = nearest(fight, i, ATTACK)
    if not fighters.holds_missile_weapon(fight.fighters[i]):
        return
    if target != NOBODY:
        act(fight, i, ATTACK, target)
    elif fight.window == MOVE:
        go(fight, i, set_goal(fight, i, TO_DO, ATTACK, NOBODY, FAR_AWAY))


@rule(HEADING, "R-46")
def close_ranks(fight, i):
    """Move beside the nearest other shielded retainer, and attack an enemy in reach."""
    mate = nearest(fight, i, STAY)
    if fight.window == ACT:
        attack_in_reach(fight, i)
    elif mate != NOBODY and fight.fighters[i].shield:
        go(fight, i, set_goal(fight, i, TO_DO, STAY, mate, FAR_AWAY))


@rule(HEADING, "R-46")
def attack_in_reach(fight, i):
    """Let a retainer attack the nearest enemy in reach, with fists if the weapon cannot be used."""
    for deed in (terms.UNARMED, ATTACK):
        act(fight, i, deed, nearest(fight, i, deed))


@rule(HEADING, "R-31", "R-46")
def flee(fight, i):
    """Move to the nearest free exit and leave there; those who were ordered to retreat break first."""
    fighter = fight.fighters[i]
    goal = set_goal(fight, i, TO_EXIT, NOBODY, NOBODY, FAR_AWAY)
    deed = LEAVE_AGAIN if fight.window == ACT else LEAVE
    if 0 < goal <= moves.squares_for(fight, i, deed) + 1 and moves.may_move(fight, i, deed):
        set_choice(fight.fighters[i], deed, NOBODY)
    elif goal > 0 and fight.window == MOVE and not fighter.routed and moves.may_move(fight, i, terms.BREAK):
        set_choice(fight.fighters[i], terms.BREAK, NOBODY)
    else:
        go(fight, i, goal)


@rule(HEADING, "R-46")
def make_off(fight, i, enough):
    """Move to the reachable square that is farthest from its nearest enemy; `enough` steps are as good as more."""
    go(fight, i, set_goal(fight, i, AWAY, NOBODY, enough, moves.squares_for(fight, i, move_now(fight, i))))


@compiled
def act(fight, i, deed, target):
    """Choose an action against a target in the window "act", if there is one."""
    if fight.window == ACT and target != NOBODY:
        set_choice(fight.fighters[i], deed, target)


@compiled
def move_now(fight, i):
    """Return the kind of move that a fighter makes in the open window; if it can, it stands up first."""
    if fight.window == ACT:
        return terms.GO_AGAIN
    return terms.STAND if moves.stands_up(fight, i, terms.STAND) else terms.GO


@compiled
def go(fight, i, goal):
    """Choose to move to the goal that `set_goal` has found, if it is in another square and the fighter can move."""
    deed = move_now(fight, i)
    if goal % FAULT > 1 and moves.may_move(fight, i, deed):
        set_choice(fight.fighters[i], deed, NOBODY)


@compiled
def can_do(fight, i, deed, target):
    """Return whether fighter i is where it wants to be: it can try a stunt, attack or, to stay, is beside the target.

    Without a target, any enemy will do.
    """
    if deed == STAY:
        return space.distance(fight, i, target) <= 1
    for stunt in range(len(terms.STUNTS)):
        if deed == STUNT_DEEDS[stunt]:
            return stunts.may_stunt(fight, i, target, stunt)
    for j in range(fight.n):
        wanted = j == target or (target == NOBODY and fight.fighters[j].team != fight.fighters[i].team)
        if wanted and attacks.reaches(fight, i, j, deed):
            return True
    return False


@rule(HEADING, "R-46")
def nearest(fight, i, deed):
    """Return the enemy with the fewest steps to it, then the lowest index, on which fighter i can do this deed.

    NOBODY for a deed takes any enemy, and "stay" looks for another shielded retainer. The result may be NOBODY.
    """
    best, least = np.int64(NOBODY), np.int64(FAR_AWAY + 1)
    team = np.int64(fight.fighters[i].team)
    distances = new_distances()
    places.measure(fight, i, distances)
    for j in range(fight.n):
        if deed == STAY:
            wanted = j != i and space.is_shielded_retainer(fight, j, team)
        else:
            wanted = fight.fighters[j].team != team and fighters.is_able(fight, j)
            wanted = wanted and (deed == NOBODY or can_do(fight, i, deed, j))
        steps = np.int64(distances[places.row_of(fight, j) * WIDTH + places.column_of(fight, j)])
        steps = FAR_AWAY if steps == 0 else steps
        if wanted and steps < least:
            best, least = np.int64(j), steps
    return best


@places.on_map(0)
@rule(HEADING, "R-46")
def set_goal(fight, i, purpose, deed, target, squares):
    """Set the square to which fighter i goes, at most this many squares away; return its faults and the steps to it.

    The goal has the fewest faults, then the fewest steps, then the first place row by row. The result is 1 + the steps,
    and FAULT for each fault; 0 stands for no goal. To go AWAY, `target` steps from all enemies are as good as more.
    """
    me = fight.fighters[i]
    own_x, own_y = me.x, me.y
    distances, near = new_distances(), new_distances()
    places.find_ends(fight, i, min(squares, FAR_AWAY - 1), distances)
    for j in range(fight.n):
        enemy = fight.fighters[j].team != me.team and fighters.is_able(fight, j)
        if enemy if purpose == AWAY else j == target:
            places.keep_least_steps(fight, j, near)
    best = np.int64(NO_GOAL * FAULT)
    for y in range(fight.height):
        for x in range(fight.width):
            steps, apart = np.int64(distances[y * WIDTH + x]), np.int64(near[y * WIDTH + x]) - 1
            if 0 < steps < best:
                me.x = x
                me.y = y
                apart = apart if apart >= 0 else FAR_AWAY
                if purpose == AWAY:
                    faults = FAR_AWAY - min(apart, target)
                elif places.is_exit(fight, x, y) if purpose == TO_EXIT else can_do(fight, i, deed, target):
                    faults = 0
                else:
                    faults = NO_GOAL if target == NOBODY else apart
                if faults * FAULT + steps < best:
                    best = faults * FAULT + steps
                    fight.to_x = x
                    fight.to_y = y
    me.x = own_x
    me.y = own_y
    return best if best < NO_GOAL * FAULT else 0
