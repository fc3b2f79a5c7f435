"""The Action Phase > Dash: the length, the cost and the path of a dash.

The path search works on boards of rows of bits (boards.py).
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.boards import (
    ENDS,
    LED_TO,
    REACHED,
    REACHED_AT,
    SHUT,
    SLOW,
    SLOWEST,
    TAKEN,
    WALLS,
    WATCHED,
    affordable,
    led_to,
    new_boards,
    one_step,
    survey,
)
from heartrush_env.games.heart_rush.rules.destinations import columns_near, offset
from heartrush_env.games.heart_rush.rules.movement import (
    DIRECTIONS,
    STEP_X,
    STEP_Y,
    dreads,
    is_enterable,
    is_in_drop,
    is_vacant,
    legal_sidesteps,
    may_climb_out,
    step_cost,
)
from heartrush_env.games.heart_rush.rules.opportunity_attacks import threat_reach
from heartrush_env.games.heart_rush.rules.parts import bearer_of
from heartrush_env.games.heart_rush.rules.speed import squares_per_dash
from heartrush_env.games.heart_rush.rules.terms import (
    MAP_SIDE,
    MOST_SQUARES,
    NEAR,
    NOBODY,
    ROWS,
)
from heartrush_env.games.heart_rush.rules.weapons import half_speed_left
from heartrush_env.tabletop.arrays import fill, workspace
from heartrush_env.tabletop.rule import compiled, inlined, rule

# The path search's notes on each square.
KEYS, QUEUE, QUEUED, THREATS = range(4)
NOTES = 4
new_notes = workspace((NOTES, MOST_SQUARES), np.int32)
BEFORE = 1 << 16  # weight of a path's first criterion relative to its second
FAR = 1 << 30


# Squares within reach of a dash.


@rule("Combat > The Action Phase > Actions You Can Take > Dash", "R-83")
def dash_budget(fight, i):
    """Return the squares of the next dash: half of a free dash after rising, half the speed in total after a shot.

    Riders, parts and fighters that have lunged get 0.
    """
    fighter = fight.fighters[i]
    if bearer_of(fight, i) != NOBODY or fighter.lunged:
        return 0
    speed = squares_per_dash(fight, i)
    budget = speed // 2 if fighter.dash and fighter.stood else speed
    return min(budget, half_speed_left(fight, i)) if fighter.shot else budget


@rule("Combat > The Action Phase > Actions You Can Take > Dash")
def is_reachable(fight, i, x, y):
    """Return whether fighter i's next dash may end at this place."""
    budget = dash_budget(fight, i)
    if budget < 1 or x < 0 or y < 0 or x >= fight.width or y >= fight.height:
        return False
    return may_end(fight, i, x, y, new_boards(), budget)


@compiled
def may_dash_anywhere(fight, i):
    """Return whether there is any place, among those that the action table names, where fighter i's dash may end."""
    budget = dash_budget(fight, i)
    if budget < 1:
        return False
    if legal_sidesteps(fight, i):
        return True
    boards = new_boards()
    find_ends(fight, i, boards, budget)
    y = np.int64(fight.fighters[i].y)
    for row in range(max(0, y - NEAR), min(fight.height, y + NEAR + 1)):
        if boards[ENDS, row + 1] & columns_near(fight.fighters[i].x):
            return True
    return False


@compiled
def write_reachable(fight, i, reach, start):
    """Write 1 into `reach` for each place of the action table where i's next dash may end; return whether there is any.

    The places around the fighter are numbered row by row from `start`, the northwest corner. Entries of places where no
    dash may end are 0 or stay unchanged.
    """
    fighter, anywhere = fight.fighters[i], False
    budget = dash_budget(fight, i)
    if budget < 1:
        return False
    boards = new_boards()
    find_ends(fight, i, boards, budget)
    most = min(budget, NEAR)
    for y in range(max(0, fighter.y - most), min(fight.height, fighter.y + most + 1)):
        ends = boards[ENDS, y + 1] & columns_near(fighter.x)
        if ends:
            anywhere = True
            for x in range(max(0, fighter.x - most), min(fight.width, fighter.x + most + 1)):
                reach[start + offset(x - fighter.x, y - fighter.y)] = ends >> x & 1
    return anywhere


@compiled
def find_ends(fight, i, boards, budget):
    """Fill the board of the places where a dash with this budget may end, and the boards that it is derived from."""
    fighter = fight.fighters[i]
    survey(fight, i, boards)
    spread(fight, i, boards, budget, 0, 0)
    for row in range(ROWS):
        boards[ENDS, row] = boards[REACHED, row] & ~boards[TAKEN, row]
    boards[ENDS, fighter.y + 1] &= ~(np.int64(1) << np.int64(fighter.x))
    add_edges(fight, i, boards, budget)


@compiled
def may_end(fight, i, x, y, boards, budget):
    """Return whether a dash with this budget may end at one place, filling the boards only as far as needed."""
    fighter, square = fight.fighters[i], np.int64(1) << np.int64(x)
    survey(fight, i, boards)
    if boards[TAKEN, y + 1] & square or (x == fighter.x and y == fighter.y):
        return False
    spread(fight, i, boards, budget, y + 1, square)
    if boards[REACHED, y + 1] & square == 0:
        add_edges(fight, i, boards, budget)
    return (boards[REACHED, y + 1] | boards[ENDS, y + 1]) & square != 0


@compiled
def add_edges(fight, i, boards, budget):
    """Add the places at the edge of a drop that a dash climbs to from the drop's bottom."""
    fighter = fight.fighters[i]
    if budget < 1 or not is_in_drop(fight, i, fighter.x, fighter.y):
        return
    for d in range(DIRECTIONS):
        x, y = fighter.x + STEP_X[d], fighter.y + STEP_Y[d]
        if may_climb_out(fight, i, STEP_X[d], STEP_Y[d]) and not dreads(fight, i, x, y):
            row, square = y + 1, np.int64(1) << np.int64(x)
            boards[ENDS, row] |= square
            boards[REACHED_AT + budget, row] |= square


@rule("Combat > The Action Phase > Actions You Can Take > Dash")
def spread(fight, i, boards, budget, goal_row, goal):
    """Fill the boards of the places that a dash gets to, cost by cost; the first step is always affordable.

    The search stops once it reaches `goal`, a bit of row `goal_row`.
    """
    start = np.int64(fight.fighters[i].y) + 1
    boards[REACHED_AT, start] = boards[REACHED, start] = np.int64(1) << np.int64(fight.fighters[i].x)
    for cost in range(budget + 1):
        north, south = max(1, start - cost), min(fight.height, start + cost)
        if cost > 0:
            for row in range(north, south + 1):
                places = affordable(boards, cost, row)
                if cost == budget:
                    places |= boards[LED_TO, row]
                places &= ~boards[REACHED, row]
                boards[REACHED, row] |= places
                boards[REACHED_AT + cost, row] = places
        if boards[REACHED, goal_row] & goal:
            return
        if cost < budget:
            for row in range(max(1, north - 1), min(fight.height, south + 1) + 1):
                boards[LED_TO + cost, row] = led_to(boards, REACHED_AT + cost, row)


# The path of a dash.


@rule("Combat > The Action Phase > Actions You Can Take > Dash", "R-172")
def take_way(fight, i):
    """Fill fight.path with the legal part of the path that i has chosen, up to the last place where i may stay."""
    fighter = fight.fighters[i]
    fight.path_length = trace_way(fight, i)[4]
    for k in range(fight.path_length):
        fight.path[k] = fighter.route[k]


@compiled
def forget_way(fighter):
    """Clear the path that a fighter has chosen, so that equal positions have equal records."""
    for k in range(fighter.route_length):
        fighter.route[k] = 0
    fighter.route_length = 0


@rule("Combat > The Action Phase > Actions You Can Take > Dash", "R-172")
def trace_way(fight, i):
    """Trace the path that fighter i has chosen as far as the path is legal, without moving the fighter.

    Returns the x and y of the last legal place, the squares of the dash that are left there, the number of steps to
    that place, and the number of steps to the last place where the fighter may stay.
    """
    fighter = fight.fighters[i]
    x, y, left = np.int64(fighter.x), np.int64(fighter.y), np.int64(dash_budget(fight, i))
    length = last = np.int64(0)
    while length < fighter.route_length:
        d = np.int64(fighter.route[length])
        cost = cost_on_way(fight, i, x, y, d, left, length)
        if cost == NOBODY:
            break
        x, y, left, length = x + STEP_X[d], y + STEP_Y[d], left - cost, length + 1
        if (x != fighter.x or y != fighter.y) and is_vacant(fight, i, x, y):
            last = length
    return x, y, left, length, last


@rule("Combat > The Action Phase > Actions You Can Take > Dash", "R-66", "R-172")
def cost_on_way(fight, i, x, y, d, left, number):
    """Return the cost of a step of the path that fighter i has chosen, or NOBODY if the step is not legal.

    The step goes from x, y in direction d with this many squares left. Steps are numbered from 0; the first is always
    affordable. A climb out of a drop takes the whole dash.
    """
    dx, dy = STEP_X[d], STEP_Y[d]
    if left < 1 or dreads(fight, i, x + dx, y + dy):
        return np.int64(NOBODY)
    if number == 0 and may_climb_out(fight, i, dx, dy):
        return left
    if not is_enterable(fight, i, x, y, dx, dy):
        return np.int64(NOBODY)
    cost = np.int64(step_cost(fight, i, x + dx, y + dy))
    if number == 0:
        cost = min(cost, left)
    return cost if cost <= left else np.int64(NOBODY)


@rule("Combat > The Action Phase > Actions You Can Take > Dash", "R-14")
def find_path(fight, i, x, y):
    """Fill fight.path with a dash to this place, if it may end there: fewest openings first, then shortest.

    If that path is too long, the order is shortest first, then fewest openings. Ties go to the path whose first
    differing direction has the lower number. Returns whether the dash may end there.
    """
    fight.path_length = 0
    budget = dash_budget(fight, i)
    if budget < 1 or x < 0 or y < 0 or x >= fight.width or y >= fight.height:
        return False
    boards = new_boards()
    if not may_end(fight, i, x, y, boards, budget):
        return False
    least = cost_of_reaching(boards, x, y)
    meets = mark_threats(fight, i, boards)
    if keep_ways(fight, i, x, y, boards, least):
        follow(fight, i, x, y, boards, least)
    elif not meets or not search_path(fight, i, x, y, boards, budget):
        fight.path_length = 1
        fight.path[0] = direction_to(x - fight.fighters[i].x, y - fight.fighters[i].y)
    return True


@inlined
def cost_of_reaching(boards, x, y):
    """Return the least cost of reaching a place, no matter how many opportunities the path gives."""
    cost = 0
    while boards[REACHED_AT + cost, y + 1] >> np.int64(x) & 1 == 0:
        cost += 1
    return cost


@inlined
def direction_to(dx, dy):
    """Return the direction of one step, or NOBODY if dx, dy is not one step."""
    for d in range(DIRECTIONS):
        if STEP_X[d] == dx and STEP_Y[d] == dy:
            return d
    return NOBODY


@compiled
def mark_threats(fight, i, boards):
    """Mark the places where a step starts within an enemy's threat reach; return whether a dash meets any."""
    met = 0
    for spot in range(fight.fighters[i].enemy_count):
        left, right, top, bottom = threatened(fight, i, fight.fighters[i].enemies[spot])
        places = (np.int64(1) << right) - (np.int64(1) << left)
        for row in range(top + 1, bottom + 1):
            boards[WATCHED, row] |= places
            met |= boards[REACHED, row] & places
    return met != 0


@rule("Combat > The Action Phase > Actions You Can Take > Dash")
def threatened(fight, i, e):
    """Return the left, right, top and bottom (half-open) of the places where i is within enemy e's threat reach."""
    enemy, side, reach = fight.fighters[e], np.int64(fight.fighters[i].side), threat_reach(fight, e)
    if reach == 0 or not is_able(fight, e):
        return 0, 0, 0, 0
    left, right = max(0, enemy.x - side - reach + 1), min(MAP_SIDE, enemy.x + enemy.side + reach)
    top, bottom = max(0, enemy.y - side - reach + 1), min(MAP_SIDE, enemy.y + enemy.side + reach)
    return left, right, top, bottom


# The common case: one of the shortest paths starts no step but the first in an enemy's reach, so no path has fewer
# openings. The boards hold all such paths, and no search is needed.


@compiled
def keep_ways(fight, i, x, y, boards, least):
    """Keep, on the board of each cost, only the places that are on a shortest path to x, y.

    Places in an enemy's reach are removed, except for the first and the last. Returns whether any path is left.
    """
    start = np.int64(fight.fighters[i].y) + 1
    for row in range(max(1, start - least), min(fight.height, start + least) + 1):
        boards[REACHED_AT + least, row] = 0
    boards[REACHED_AT + least, y + 1] = np.int64(1) << np.int64(x)
    for cost in range(least - 1, -1, -1):
        for row in range(max(1, start - cost), min(fight.height, start + cost) + 1):
            places = boards[REACHED_AT + cost, row]
            if places and abs(row - y - 1) > least - cost:
                places = np.int64(0)  # too far from x, y
            if places:
                places &= one_step_before(boards, cost, least, row)
            boards[REACHED_AT + cost, row] = places & ~boards[WATCHED, row] if cost > 0 else places
    return boards[REACHED_AT, start] != 0


@inlined
def one_step_before(boards, cost, least, row):
    """Return the places of a row from which, after a path of this cost, one step leads to a kept place."""
    places = np.int64(0)
    for step in (1, 2, 4):
        if cost + step <= least:
            above, here = kept_at(boards, cost, step, row - 1), kept_at(boards, cost, step, row)
            places |= one_step(boards, row, above, here, kept_at(boards, cost, step, row + 1))
    return places


@inlined
def kept_at(boards, cost, step, row):
    """Return the kept places of a row that a step of cost `step` enters, after a path of cost `cost`."""
    slow, slowest = boards[SLOW, row], boards[SLOWEST, row]
    entered = ~slow if step == 1 else slow & ~slowest if step == 2 else slowest
    return boards[REACHED_AT + cost + step, row] & entered


@compiled
def follow(fight, i, x, y, boards, least):
    """Fill fight.path with the first kept path: from each place, the first direction that leads to a kept place."""
    at_x, at_y = np.int64(fight.fighters[i].x), np.int64(fight.fighters[i].y)
    length = cost = 0
    while at_x != x or at_y != y:
        for d in range(DIRECTIONS):
            to_x, to_y = at_x + STEP_X[d], at_y + STEP_Y[d]
            if to_x < 0 or to_y < 0 or to_x >= fight.width or to_y >= fight.height:
                continue
            after = cost + entry_cost(boards, to_x, to_y)
            if after > least or boards[REACHED_AT + after, to_y + 1] >> to_x & 1 == 0:
                continue
            if leads(boards, at_x, at_y, d):
                fight.path[length] = d
                length += 1
                at_x, at_y, cost = to_x, to_y, after
                break
    fight.path_length = length


# The search, for when each of the shortest paths leads through an enemy's reach.


@compiled
def search_path(fight, i, x, y, boards, budget):
    """Fill fight.path with the path of the fewest openings, or the shortest if that path is too long for the budget.

    Returns whether either is affordable.
    """
    notes = new_notes()
    count_threats(fight, i, notes)
    if measure(fight, i, x, y, boards, notes, BEFORE, 1) % BEFORE <= budget:
        walk(fight, i, x, y, boards, notes, BEFORE, 1)
    elif measure(fight, i, x, y, boards, notes, 1, BEFORE) // BEFORE <= budget:
        walk(fight, i, x, y, boards, notes, 1, BEFORE)
    else:
        return False
    return True


@compiled
def count_threats(fight, i, notes):
    """Count for each place the enemies that threaten a step from there."""
    for spot in range(fight.fighters[i].enemy_count):
        left, right, top, bottom = threatened(fight, i, fight.fighters[i].enemies[spot])
        for y in range(top, bottom):
            for x in range(left, right):
                notes[THREATS, y * MAP_SIDE + x] += 1


@inlined
def entry_cost(boards, x, y):
    """Return the cost of entering a place, read from the boards."""
    return 1 + (boards[SLOW, y + 1] >> x & 1) + 2 * (boards[SLOWEST, y + 1] >> x & 1)


@inlined
def leads(boards, x, y, d):
    """Return whether a step from x, y in direction d cuts no corner; its destination is not checked."""
    dx, dy = STEP_X[d], STEP_Y[d]
    if dx == 0 or dy == 0:
        return True
    return boards[WALLS, y + 1] >> (x + dx) & 1 == 0 or boards[WALLS, y + dy + 1] >> x & 1 == 0


@compiled
def measure(fight, i, x, y, boards, notes, per_opening, per_cost):
    """Record, for each place on a best path of i to x, y, the least key of a path from that place; return i's key.

    The key of a path is `per_opening` for each opening that it gives, plus `per_cost` for each square of its cost.
    """
    start_x, start_y = np.int64(fight.fighters[i].x), np.int64(fight.fighters[i].y)
    start = start_y * MAP_SIDE + start_x
    keys, queue, queued = notes[KEYS], notes[QUEUE], notes[QUEUED]
    fill(keys, FAR)
    first = last = 0
    goal = np.int64(y) * MAP_SIDE + x
    keys[goal] = 0
    queue[0] = goal
    last = 1
    while first != last:
        here = np.int64(queue[first % MOST_SQUARES])
        first += 1
        queued[here] = 0
        here_x, here_y = here % MAP_SIDE, here // MAP_SIDE
        cost = entry_cost(boards, here_x, here_y)
        for d in range(DIRECTIONS):
            from_x, from_y = here_x - STEP_X[d], here_y - STEP_Y[d]
            if from_x < 0 or from_y < 0 or from_x >= fight.width or from_y >= fight.height:
                continue
            place = from_y * MAP_SIDE + from_x
            key = keys[here] + per_opening * notes[THREATS, place] + per_cost * cost
            steps_before = max(abs(from_x - start_x), abs(from_y - start_y))
            if key >= keys[place] or key + per_cost * steps_before > keys[start]:
                continue
            if not leads(boards, from_x, from_y, d):
                continue
            if place != start and boards[SHUT, from_y + 1] >> from_x & 1:
                continue
            keys[place] = key
            if place != start and not queued[place]:
                queued[place] = 1
                queue[last % MOST_SQUARES] = place
                last += 1
    return np.int64(keys[start])


@compiled
def walk(fight, i, x, y, boards, notes, per_opening, per_cost):
    """Fill fight.path with the measured path: from each place, the first direction on a path with the least key."""
    at_x, at_y = np.int64(fight.fighters[i].x), np.int64(fight.fighters[i].y)
    length = 0
    while at_x != x or at_y != y:
        here = at_y * MAP_SIDE + at_x
        for d in range(DIRECTIONS):
            to_x, to_y = at_x + STEP_X[d], at_y + STEP_Y[d]
            if to_x < 0 or to_y < 0 or to_x >= fight.width or to_y >= fight.height:
                continue
            is_goal = to_x == x and to_y == y  # the goal may be the edge of a drop
            if not leads(boards, at_x, at_y, d) or not (is_goal or boards[SHUT, to_y + 1] >> to_x & 1 == 0):
                continue
            step = per_opening * notes[THREATS, here] + per_cost * entry_cost(boards, to_x, to_y)
            if notes[KEYS, here] == notes[KEYS, to_y * MAP_SIDE + to_x] + step:
                fight.path[length] = d
                length += 1
                at_x, at_y = to_x, to_y
                break
    fight.path_length = length
