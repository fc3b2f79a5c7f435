"""The Action Phase > Dash: where a dash leads, what it costs and the way it takes; and the way off a creature.

The search for ways works on boards of rows of bits, as space.py notes the map. A bit of a board for fighter i speaks of
the whole space that i would have with its top-left square there, so large creatures need no loops of their own.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.core.borrow import workspace
from heartrush_env.core.rule import compiled, inlined, rule
from heartrush_env.heart_rush.rules.action_phase import is_able
from heartrush_env.heart_rush.rules.conditions import is_charmed_by, may_still_move
from heartrush_env.heart_rush.rules.cover import in_sight
from heartrush_env.heart_rush.rules.movement import (
    DIRECTIONS,
    STEP_X,
    STEP_Y,
    bars_stop,
    bars_way,
    dash_budget,
    dreads,
    falls,
    is_body,
    is_enterable,
    is_in_drop,
    is_vacant,
    may_climb_out,
    place,
    sidesteps,
    step_cost,
)
from heartrush_env.heart_rush.rules.opportunity_attacks import threat_reach
from heartrush_env.heart_rush.rules.sheet import attack_type, has
from heartrush_env.heart_rush.rules.space import (
    CLOSED_DOOR,
    DROP,
    IS_WALL,
    OPEN_DOOR,
    WHOLE_ROW,
    cell_at,
    distance,
    distance_from,
    on_map,
)
from heartrush_env.heart_rush.rules.speed import FASTEST
from heartrush_env.heart_rush.rules.terms import (
    FRIGHTENED,
    MAP_SIDE,
    MELEE,
    MOST_SQUARES,
    NOBODY,
    RANGED,
    ROWS,
    STANDING,
)
from heartrush_env.heart_rush.rules.weapons import REACH, half_speed_left, weapon_range

AROUND = 2 * FASTEST + 1  # squares that a dash may end in, side by side

# Boards. The first five note what stands against a place; the next two where a dash gets to, and where it may end. Then
# come two for each cost: what is first reached with it, and what one more step leads to from there. A new set of boards
# is empty.
WALLS, SHUT, TAKEN, SLOW, SLOWEST, REACHED, ENDS, REACHED_AT = range(8)
LED_TO = REACHED_AT + FASTEST + 1
BOARDS = LED_TO + FASTEST + 1

# What the search for a way keeps for each square.
KEYS, QUEUE, QUEUED, THREATS = range(4)
NOTES = 4
new_boards = workspace((BOARDS, ROWS), np.int64)
new_notes = workspace((NOTES, MOST_SQUARES), np.int32)
BEFORE = 1 << 16  # weight of what a way is judged by first, against what it is judged by next
FAR = 1 << 30


# Where a dash leads.


@compiled
def survey(match, i, boards):
    """Fill the boards that say what stands against each place: walls, fear, others, and cost."""
    fighter = match.fighters[i]
    survey_ground(match, boards, is_in_drop(match, i, fighter.x, fighter.y))
    survey_bodies(match, i, boards)
    if fighter.side > 1:
        widen(boards, fighter.side)
    if has(fighter, FRIGHTENED):
        for y in range(match.height):
            for x in range(match.width):
                boards[SHUT, y + 1] |= np.int64(dreads(match, i, x, y)) << x


@inlined
def survey_ground(match, boards, down):
    """What the ground has against each square, for who is down in a drop or not."""
    for row in range(ROWS):
        boards[WALLS, row] = match.walls[row]
        boards[SHUT, row] = match.walls[row] | (WHOLE_ROW ^ match.drops[row] if down else match.drops[row])
        boards[SLOW, row] = match.slow[row]
        boards[SLOWEST, row] = match.slowest[row]


@inlined
def survey_bodies(match, i, boards):
    """What others have against fighter i on each of their squares."""
    for k in range(match.n):
        if is_body(match, i, k):
            mark_body(match, boards, SLOW, k)
            if bars_stop(match, i, k):
                mark_body(match, boards, TAKEN, k)
            if bars_way(match, i, k):
                mark_body(match, boards, SHUT, k)


@compiled
def mark_body(match, boards, board, k):
    """Mark fighter k's squares on a board."""
    other = match.fighters[k]
    squares = ((np.int64(1) << np.int64(other.side)) - 1) << np.int64(other.x)
    for row in range(other.y + 1, other.y + other.side + 1):
        boards[board, row] |= squares


@compiled
def widen(boards, side):
    """From squares to places: what stands against a square stands against each place whose space has it."""
    for board in range(WALLS, SLOWEST + 1):
        for row in range(ROWS):
            squares = boards[board, row]
            for k in range(1, side):
                boards[board, row] |= squares >> k
        for row in range(ROWS):
            for k in range(1, min(side, ROWS - row)):
                boards[board, row] |= boards[board, row + k]


@inlined
def beside(places):
    """The places to the left and to the right."""
    return places << 1 | places >> 1


@rule("Environment > Diagonals", "R-65", hot=True)
def one_step(boards, board, row):
    """The places of a row that one step leads to from the places on a board, if only walls stood in the way."""
    steps = beside(boards[board, row])
    for other in (row - 1, row + 1):
        places = boards[board, other]
        steps |= places | (beside(places) & ~boards[WALLS, other]) | beside(places & ~boards[WALLS, row])
    return steps & ~boards[SHUT, row]


@rule("Combat > The Action Phase > Actions You Can Take > Dash")
def spread(match, i, boards, budget):
    """Fill the boards that say which places a dash gets to, cost by cost; the first step is always affordable."""
    start = np.int64(match.fighters[i].y) + 1
    boards[REACHED_AT, start] = boards[REACHED, start] = np.int64(1) << np.int64(match.fighters[i].x)
    for cost in range(budget + 1):
        north, south = max(1, start - cost), min(match.height, start + cost)
        if cost > 0:
            for row in range(north, south + 1):
                places = affordable(boards, cost, row)
                if cost == budget:
                    places |= boards[LED_TO, row]
                places &= ~boards[REACHED, row]
                boards[REACHED, row] |= places
                boards[REACHED_AT + cost, row] = places
        if cost < budget:
            for row in range(max(1, north - 1), min(match.height, south + 1) + 1):
                boards[LED_TO + cost, row] = one_step(boards, REACHED_AT + cost, row)


@rule("Environment > Difficult Terrain", hot=True)
def affordable(boards, cost, row):
    """The places of a row that a dash enters with this cost in all: each by a step from what was reached with less."""
    places = boards[LED_TO + cost - 1, row] & ~boards[SLOW, row]
    if cost >= 2:
        places |= boards[LED_TO + cost - 2, row] & boards[SLOW, row] & ~boards[SLOWEST, row]
    if cost >= 4:
        places |= boards[LED_TO + cost - 4, row] & boards[SLOWEST, row]
    return places


@compiled
def find_ends(match, i, boards, budget):
    """Fill the board of the places where a dash with this budget may end, and the boards that lead to it."""
    fighter = match.fighters[i]
    survey(match, i, boards)
    spread(match, i, boards, budget)
    for row in range(ROWS):
        boards[ENDS, row] = boards[REACHED, row] & ~boards[TAKEN, row]
    boards[ENDS, fighter.y + 1] &= ~(np.int64(1) << np.int64(fighter.x))
    for d in range(DIRECTIONS if budget > 0 else 0):
        x, y = fighter.x + STEP_X[d], fighter.y + STEP_Y[d]
        if may_climb_out(match, i, STEP_X[d], STEP_Y[d]) and not dreads(match, i, x, y):
            row, square = y + 1, np.int64(1) << np.int64(x)
            boards[ENDS, row] |= square
            boards[REACHED_AT + budget, row] |= square


@rule("Combat > The Action Phase > Actions You Can Take > Dash")
def is_reachable(match, i, x, y):
    """Whether fighter i's next dash may end at this place."""
    budget = dash_budget(match, i)
    if budget < 1 or x < 0 or y < 0 or x >= match.width or y >= match.height:
        return False
    boards = new_boards()
    find_ends(match, i, boards, budget)
    return boards[ENDS, y + 1] >> np.int64(x) & 1 == 1


@compiled
def may_dash_anywhere(match, i):
    """Whether there is any place that fighter i's next dash may end at."""
    budget = dash_budget(match, i)
    if budget < 1:
        return False
    if sidesteps(match, i):
        return True
    boards = new_boards()
    find_ends(match, i, boards, budget)
    for row in range(ROWS):
        if boards[ENDS, row]:
            return True
    return False


@compiled
def write_reachable(match, i, reach, start):
    """Write, from `start` on, 1 where i's next dash may end: squares to the east and south from its place, row by row.

    Where it may not end is left as it is.
    """
    fighter = match.fighters[i]
    budget = dash_budget(match, i)
    if budget < 1:
        return
    boards = new_boards()
    find_ends(match, i, boards, budget)
    for y in range(max(0, fighter.y - budget), min(match.height, fighter.y + budget + 1)):
        ends = boards[ENDS, y + 1]
        if ends:
            for x in range(max(0, fighter.x - budget), min(match.width, fighter.x + budget + 1)):
                reach[start + offset(x - fighter.x, y - fighter.y)] = ends >> x & 1


@inlined
def offset(dx, dy):
    """The number of a place around a fighter, among those that a dash may end in."""
    return (np.int64(dy) + FASTEST) * AROUND + dx + FASTEST


# The way that a dash takes.


@rule("Combat > The Action Phase > Actions You Can Take > Dash", "R-14")
def find_path(match, i, x, y):
    """Fill match.path with the way of a dash to this place, if it may end there: past the fewest openings, then short.

    Where that way is too long it is the shortest, then past the fewest openings; among equals the one whose first
    differing direction comes first.
    """
    match.path_length = 0
    budget = dash_budget(match, i)
    if budget < 1 or x < 0 or y < 0 or x >= match.width or y >= match.height:
        return False
    boards = new_boards()
    find_ends(match, i, boards, budget)
    if boards[ENDS, y + 1] >> np.int64(x) & 1 == 0:
        return False
    notes = new_notes()
    more = FAR if note_threats(match, i, boards, notes) else cost_of_reaching(boards, x, y) + 1
    if measure(match, i, x, y, boards, notes, BEFORE, 1, more) % BEFORE <= budget:
        walk(match, i, x, y, boards, notes, BEFORE, 1)
    elif measure(match, i, x, y, boards, notes, 1, BEFORE, FAR) // BEFORE <= budget:
        walk(match, i, x, y, boards, notes, 1, BEFORE)
    else:
        match.path_length = 1
        match.path[0] = direction_to(x - match.fighters[i].x, y - match.fighters[i].y)
    return True


@inlined
def cost_of_reaching(boards, x, y):
    """What getting to a place costs at least, past however many openings."""
    cost = 0
    while boards[REACHED_AT + cost, y + 1] >> np.int64(x) & 1 == 0:
        cost += 1
    return cost


@inlined
def direction_to(dx, dy):
    """The direction of one step."""
    for d in range(DIRECTIONS):
        if STEP_X[d] == dx and STEP_Y[d] == dy:
            return d
    return NOBODY


@rule("Combat > The Action Phase > Opportunity Attacks")
def note_threats(match, i, boards, notes):
    """Count for each place the enemies in whose threat reach a step from there begins; returns if a dash meets any."""
    fighter = match.fighters[i]
    met = 0
    for spot in range(fighter.enemy_count):
        e = fighter.enemies[spot]
        enemy = match.fighters[e]
        reach = threat_reach(match, e)
        if reach > 0 and is_able(match, e):
            for y in range(max(0, enemy.y - fighter.side - reach + 1), min(MAP_SIDE, enemy.y + enemy.side + reach)):
                for x in range(max(0, enemy.x - fighter.side - reach + 1), min(MAP_SIDE, enemy.x + enemy.side + reach)):
                    notes[THREATS, y * MAP_SIDE + x] += 1
                    met |= boards[REACHED, y + 1] >> x & 1
    return met == 1


@inlined
def entry_cost(boards, x, y):
    """The cost of entering a place, by the boards."""
    return 1 + (boards[SLOW, y + 1] >> x & 1) + 2 * (boards[SLOWEST, y + 1] >> x & 1)


@inlined
def leads(boards, x, y, d):
    """Whether a step from a place in a direction does not cut a corner; where it leads to is not asked."""
    dx, dy = STEP_X[d], STEP_Y[d]
    if dx == 0 or dy == 0:
        return True
    return boards[WALLS, y + 1] >> (x + dx) & 1 == 0 or boards[WALLS, y + dy + 1] >> x & 1 == 0


@compiled
def measure(match, i, x, y, boards, notes, per_opening, per_cost, more):
    """Note for each place on a best way of fighter i to x, y the least key of a way from there; returns i's own.

    A key that is not less than `more` is not looked for.
    """
    start_x, start_y = np.int64(match.fighters[i].x), np.int64(match.fighters[i].y)
    start = start_y * MAP_SIDE + start_x
    keys, queue, queued = notes[KEYS], notes[QUEUE], notes[QUEUED]
    keys[:] = FAR
    first = last = 0
    goal = np.int64(y) * MAP_SIDE + x
    keys[goal] = 0
    keys[start] = more
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
            if from_x < 0 or from_y < 0 or from_x >= match.width or from_y >= match.height:
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
def walk(match, i, x, y, boards, notes, per_opening, per_cost):
    """Fill match.path with the measured way: at each place the first direction that keeps to the least key."""
    at_x, at_y = np.int64(match.fighters[i].x), np.int64(match.fighters[i].y)
    length = 0
    while at_x != x or at_y != y:
        here = at_y * MAP_SIDE + at_x
        for d in range(DIRECTIONS):
            to_x, to_y = at_x + STEP_X[d], at_y + STEP_Y[d]
            if to_x < 0 or to_y < 0 or to_x >= match.width or to_y >= match.height:
                continue
            is_goal = to_x == x and to_y == y  # which may be the edge of a drop
            if not leads(boards, at_x, at_y, d) or not (is_goal or boards[SHUT, to_y + 1] >> to_x & 1 == 0):
                continue
            step = per_opening * notes[THREATS, here] + per_cost * entry_cost(boards, to_x, to_y)
            if notes[KEYS, here] == notes[KEYS, to_y * MAP_SIDE + to_x] + step:
                match.path[length] = d
                length += 1
                at_x, at_y = to_x, to_y
                break
    match.path_length = length


@rule("Combat > The Action Phase > Actions You Can Take > Dash")
def follow_route(match, i, x, y):
    """Fill match.path with the fighter's own route to this place, if each step of it is legal and it is affordable."""
    fighter = match.fighters[i]
    match.path_length = 0
    budget = dash_budget(match, i)
    at_x, at_y = np.int64(fighter.x), np.int64(fighter.y)
    spent = 0
    for k in range(fighter.route_length):
        dx, dy = STEP_X[fighter.route[k]], STEP_Y[fighter.route[k]]
        climbs = fighter.route_length == 1 and may_climb_out(match, i, dx, dy)
        if not climbs and not is_enterable(match, i, at_x, at_y, dx, dy):
            return False
        at_x, at_y = at_x + dx, at_y + dy
        if dreads(match, i, at_x, at_y):
            return False
        cost = step_cost(match, i, at_x, at_y)
        spent += cost if k > 0 else min(cost, budget)
    if fighter.route_length == 0 or budget < 1 or spent > budget or at_x != x or at_y != y:
        return False
    if not is_vacant(match, i, x, y):
        return False
    match.path_length = fighter.route_length
    for k in range(fighter.route_length):
        match.path[k] = fighter.route[k]
    return True


@on_map(-1)
@rule("Combat > The Action Phase > Actions You Can Take > Dash", "R-73")
def default_dash(match, i):
    """The dash of who leaves its movement to the engine: to where its weapon reaches, or nearly; -1 for none."""
    fighter = match.fighters[i]
    if not fighter.dash or not may_still_move(fighter) or not is_able(match, i) or has_prey(match, i):
        return -1
    budget = dash_budget(match, i)
    weapon = REACH if attack_type(fighter) == MELEE else weapon_range(match, i)
    if attack_type(fighter) == RANGED:
        budget = min(budget, half_speed_left(match, i))
    if budget < 1:
        return -1
    boards, notes = new_boards(), new_notes()
    find_ends(match, i, boards, budget)
    by_steps = fighter.side == 1 and count_steps(match, i, notes)
    best, least = -1, shortfall(match, i, fighter.x, fighter.y, weapon)
    if by_steps:
        least = notes[KEYS, fighter.y * MAP_SIDE + fighter.x]
    for cost in range(1, budget + 1):
        for y in range(match.height):
            ends = boards[ENDS, y + 1] & boards[REACHED_AT + cost, y + 1]
            for x in range(match.width if ends else 0):
                if ends >> x & 1:
                    short = notes[KEYS, y * MAP_SIDE + x] if by_steps else shortfall(match, i, x, y, weapon)
                    if short < least:
                        best, least = offset(x - fighter.x, y - fighter.y), short
    return best


@on_map(-1)
@rule("Combat > The Action Phase > Actions You Can Take > Object Interaction", "R-73")
def default_door(match, i):
    """The direction of the closed door that is in the way of who leaves its movement to the engine; -1 for none."""
    fighter = match.fighters[i]
    if fighter.side > 1 or not fighter.interaction or not is_able(match, i):
        return -1
    if not stands_by_closed_door(match, i) or has_prey(match, i):
        return -1
    notes = new_notes()
    if not count_steps(match, i, notes):
        return -1
    best, least = -1, notes[KEYS, fighter.y * MAP_SIDE + fighter.x]
    for doors in (False, True):  # a door is in the way where it is nearer than every square that is open anyway
        for d in range(DIRECTIONS):
            x, y = fighter.x + STEP_X[d], fighter.y + STEP_Y[d]
            if not is_passage(match, x, y) or cuts_solid_corner(match, fighter.x, fighter.y, d):
                continue
            if (cell_at(match, x, y) == CLOSED_DOOR) == doors and notes[KEYS, y * MAP_SIDE + x] < least:
                best, least = d if doors else -1, notes[KEYS, y * MAP_SIDE + x]
    return best


@compiled
def stands_by_closed_door(match, i):
    """Whether a closed door is right beside a fighter of one square."""
    for d in range(DIRECTIONS):
        if cell_at(match, match.fighters[i].x + STEP_X[d], match.fighters[i].y + STEP_Y[d]) == CLOSED_DOOR:
            return True
    return False


@compiled
def count_steps(match, i, notes):
    """Note for each square the steps from there until a fighter of one square stands beside an enemy.

    Closed doors count as open and bodies as no bar; squares as far as the fighter's own, or further, may be left out.
    Returns whether this is to be asked: the map has doors, and the fighter's own square is one that it gets on from.
    """
    if not has_doors(match):
        return False
    keys, queue = notes[KEYS], notes[QUEUE]
    keys[:] = FAR
    own = match.fighters[i].y * MAP_SIDE + match.fighters[i].x
    first, last = 0, queue_places_beside_enemies(match, i, notes)
    while first < last and keys[own] == FAR:
        here = np.int64(queue[first])
        first += 1
        for d in range(DIRECTIONS):
            x, y = here % MAP_SIDE + STEP_X[d], here // MAP_SIDE + STEP_Y[d]
            if not is_passage(match, x, y) or keys[y * MAP_SIDE + x] < FAR:
                continue
            if cuts_solid_corner(match, here % MAP_SIDE, here // MAP_SIDE, d):
                continue
            keys[y * MAP_SIDE + x] = keys[here] + 1
            queue[last] = y * MAP_SIDE + x
            last += 1
    return keys[own] < FAR


@compiled
def queue_places_beside_enemies(match, i, notes):
    """Queue the squares from which fighter i has a standing enemy within a square; returns how many there are."""
    number = 0
    for spot in range(match.fighters[i].enemy_count):
        enemy = match.fighters[match.fighters[i].enemies[spot]]
        if enemy.status != STANDING:
            continue
        for y in range(enemy.y - REACH, enemy.y + enemy.side + REACH):
            for x in range(enemy.x - REACH, enemy.x + enemy.side + REACH):
                if is_passage(match, x, y) and notes[KEYS, y * MAP_SIDE + x] == FAR:
                    notes[KEYS, y * MAP_SIDE + x] = 0
                    notes[QUEUE, number] = y * MAP_SIDE + x
                    number += 1
    return number


@compiled
def has_doors(match):
    """Whether any square of the map is a door."""
    for y in range(match.height):
        for x in range(match.width):
            terrain = cell_at(match, x, y)
            if terrain == CLOSED_DOOR or terrain == OPEN_DOOR:
                return True
    return False


@inlined
def is_solid(match, x, y):
    """Whether a square is a wall or a pillar, which no door is."""
    terrain = cell_at(match, x, y)
    return IS_WALL[terrain] == 1 and terrain != CLOSED_DOOR


@compiled
def cuts_solid_corner(match, x, y, d):
    """Whether one step from a square leads between two walls or pillars."""
    if STEP_X[d] == 0 or STEP_Y[d] == 0:
        return False
    return is_solid(match, x + STEP_X[d], y) and is_solid(match, x, y + STEP_Y[d])


@inlined
def is_passage(match, x, y):
    """Whether one may walk there once the doors are open."""
    return not is_solid(match, x, y) and cell_at(match, x, y) != DROP


@compiled
def has_prey(match, i):
    """Whether an enemy whom fighter i may go for is within its weapon's range."""
    fighter = match.fighters[i]
    for spot in range(fighter.enemy_count):
        e = fighter.enemies[spot]
        near = match.fighters[e].status == STANDING and distance(match, i, e) <= weapon_range(match, i)
        if near and not is_charmed_by(fighter, e) and in_sight(match, i, e):
            return True
    return False


@compiled
def shortfall(match, i, x, y, weapon):
    """Squares that fighter i at this place would be short of reaching the nearest standing enemy."""
    fighter = match.fighters[i]
    least = 2 * MAP_SIDE
    for spot in range(fighter.enemy_count):
        e = fighter.enemies[spot]
        if match.fighters[e].status == STANDING:
            least = min(least, distance_from(match, i, x, y, e))
    return max(0, least - weapon)


# Off a creature.


@on_map(None)
@rule("Combat > Other Offensive Actions > Climb On")
def set_down(match, i, bearer):
    """Who is off the creature that it climbed goes to the nearest place beside it, row by row; a body out is no bar."""
    x, y = place_beside(match, i, bearer)
    if x != NOBODY:
        place(match, i, x, y)


@on_map(True)
@rule("Combat > Other Offensive Actions > Climb On", "R-76")
def may_come_off(match, i):
    """A climber comes off a creature that stands only where there is room for it."""
    bearer = match.fighters[i].climbing
    if match.fighters[i].status != STANDING or match.fighters[bearer].status != STANDING:
        return True
    x, _ = place_beside(match, i, bearer)
    return x != NOBODY


@on_map(True)
@rule("Combat > Other Offensive Actions > Climb On", "R-84")
def may_hop_off(match, i):
    """Of its own will a climber comes off to a place right beside the creature only."""
    bearer = match.fighters[i].climbing
    x, y = place_beside(match, i, bearer)
    return x != NOBODY and distance_from(match, i, x, y, bearer) <= 1


@rule("Combat > Other Offensive Actions > Climb On", "R-84")
def place_beside(match, i, bearer):
    """The place where fighter i may stay off its bearer's space, by the fewest steps from its own, or nowhere (-1).

    Bodies are no bar to these steps, and among places as near the first row by row counts. Off a creature that is
    falling the steps lead on firm ground.
    """
    fighter, mount = match.fighters[i], match.fighters[bearer]
    boards = new_boards()
    down = is_in_drop(match, bearer, mount.x, mount.y) and not falls(match, bearer)
    survey_ground(match, boards, down)
    if fighter.side > 1:
        widen(boards, fighter.side)
    boards[LED_TO, fighter.y + 1] = np.int64(1) << np.int64(fighter.x)
    grows = True
    while grows:
        x, y = first_free(match, i, bearer, boards)
        if x != NOBODY:
            return x, y
        grows = False
        for row in range(1, match.height + 1):
            grows |= boards[LED_TO, row] & ~boards[REACHED, row] != 0
            boards[REACHED, row] |= boards[LED_TO, row]
        for row in range(1, match.height + 1):
            boards[LED_TO, row] = one_step(boards, REACHED, row)
    return np.int64(NOBODY), np.int64(NOBODY)


@compiled
def first_free(match, i, bearer, boards):
    """The first place, row by row, that has just been led to and where fighter i may stay off its bearer's space."""
    bears = match.fighters[bearer].status == STANDING
    for y in range(match.height):
        places = boards[LED_TO, y + 1] & ~boards[SHUT, y + 1]
        for x in range(match.width if places else 0):
            off = not bears or distance_from(match, i, x, y, bearer) > 0
            if places >> x & 1 and off and is_vacant(match, i, x, y):
                return np.int64(x), np.int64(y)
    return np.int64(NOBODY), np.int64(NOBODY)
