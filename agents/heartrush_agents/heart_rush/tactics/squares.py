"""The value of the squares that a fighter can move to, as one compiled kernel over all its moves.

Values are fractions of the hit points left, as everywhere in the tactician. The value of a square is the expected
damage of the fighter's best attack from there, minus the expected damage of the enemies that may attack it there, minus
the price of the way. What two fighters deal and lose in each situation comes from the odds, through a table: the kernel
lists the situations that the table lacks, and is called again once they are filled in.
"""

from __future__ import annotations

from typing import Any, Final

from heartrush_agents.heart_rush.tactics.rounds import NEVER, SLIGHT, STANCES_TAKEN
from heartrush_agents.heart_rush.tactics.walking import FAR_AWAY, MELEE_RANGE, MIGHT_PUSH, between, push_damage
from heartrush_env.games.heart_rush.engine.outlook import ONE, OTHER
from heartrush_env.games.heart_rush.rules.cover import NO_LINE
from heartrush_env.games.heart_rush.rules.environment import WATER_LEVELS
from heartrush_env.games.heart_rush.rules.movement import STEP_X, STEP_Y
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, MELEE, RANGED, THROWN
from heartrush_env.tabletop.kernels import kernel
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rule import compiled

MOST_AIM: Final = 4  # cap on the levels of disadvantage on an attack
BEYOND: Final = 40  # squares that count as walked to an enemy that cannot be walked up to, beside the distance
FAR: Final = 40  # squares; no walk to the prey counts as longer
ARM_S_LENGTH: Final = 3  # squares; an ally within this distance counts as near
A_SQUARE: Final = 1e-4  # the price per square of a move, so that no fighter moves to an equal square

# A situation: level, higher or lower than the enemy; levels of aim of the fighter and of the enemy; depth of water.
SITUATION = 3, 1 + MOST_AIM, 1 + MOST_AIM, len(WATER_LEVELS)
N_SITUATIONS: Final = SITUATION[0] * SITUATION[1] * SITUATION[2] * SITUATION[3]
DASH, RUSH_STEP, STEP, STAY = range(4)  # kinds of moves
UNTOUCHED, LEFT, PASSED = range(3)  # what dashes may do to an enemy's reach: nothing, leave it, or pass through it

MOVE = record([("action", "i8"), ("x", "i8"), ("y", "i8"), ("kind", "i8")])  # x and y relative to the fighter
BODY = record(
    [
        ("x", "i8"),
        ("y", "i8"),
        ("side", "i8"),
        ("speed", "i8"),
        ("rush", "i8"),
        ("weapon", "i8"),  # an index into ATTACK_TYPES
        ("range", "i8"),
        ("action", "i8"),
        ("dash", "i8"),
        ("reach", "i8"),
        # Of an enemy alone:
        ("pair", "i8"),  # the row of the fighter's pair with it in the table
        ("left", "i8"),  # the damage that defeats it
        ("attention", "f8"),  # how likely it is to attack the fighter if it can
        ("blow", "f8"),  # the fraction of hit points that its opportunity attack takes from the fighter
        ("trip", "f8"),  # its gain from a trip of the fighter
        ("expects", "f8", (STANCES_TAKEN,)),
        # Worked out by the kernel:
        ("shoots", "i8"),
        ("furthest", "i8"),
        ("threat", "i8"),  # squares within which it threatens moving fighters
        ("height", "i8"),
        ("way", "i8"),  # UNTOUCHED, LEFT or PASSED
    ]
)
VIEW = record(
    [
        ("own", BODY),
        ("foes", "i8"),
        ("friends", "i8"),
        ("drop", "i8"),  # feet
        ("left", "i8"),  # the damage that defeats the fighter
        ("most", "f8"),  # squares that a dash may take, if the fighter is to shoot after it
        ("all_trip", "i8"),  # whether enemies trip at each step, and not at the end of dashes alone
        ("care", "f8"),  # the weight of its own losses
        ("prices", "f8", (4,)),  # of each kind of move
        # Constants of the tactician:
        ("nearer", "f8"),
        ("fear", "f8"),
        ("push", "f8"),
        ("crowded", "f8"),
        # Wishes of a character:
        ("prey", "i8"),  # an enemy
        ("pull", "f8"),
        ("company", "f8"),
        ("flight", "f8"),
        # The answer:
        ("chosen", "i8"),
        ("best", "f8"),
    ]
)
FACTS = record(
    [
        ("worth", "f8"),  # NEVER for a move that is not considered
        ("dealt", "f8"),  # by the best attack
        ("lost", "f8"),  # to all enemies
        ("risk", "f8"),  # of a push over an edge
        ("nearest", "f8"),  # squares to walk to an enemy
        ("blows", "f8"),  # lost to opportunity attacks on the way
        ("fall", "f8"),  # lost by a trip beside an enemy
        ("crowded", "i8"),
    ]
)


@compiled
def apart(x: Any, y: Any, side: Any, body: Any) -> Any:
    """Return the distance in squares between a space and a fighter."""
    return between(x, y, side, body.x, body.y, body.side)


@compiled
def aim(body: Any, distance: Any, cover: Any) -> Any:
    """Return the levels of disadvantage on a fighter's attack at a distance on a target with this cover, capped."""
    if not body.shoots:
        return 0
    beyond = max(0, distance - body.range)
    return min(MOST_AIM, cover + ((beyond + 1) // 2 if body.weapon == RANGED else beyond))


@compiled
def derive(body: Any) -> None:
    """Work out how far a fighter attacks and threatens others."""
    body.shoots = body.weapon == RANGED or body.weapon == THROWN
    body.furthest = 2 * body.range if body.shoots else body.range + body.reach
    body.threat = (body.range if body.weapon == MELEE else MELEE_RANGE) + body.reach


@compiled
def prepare(tiles: Any, view: Any, foes: Any, friends: Any) -> None:
    """Work out what does not depend on the square: ranges, heights, ways out of reach, and allies about to dash."""
    own = view.own
    derive(own)
    for k in range(view.foes):
        foe = foes[k]
        derive(foe)
        foe.height = tiles[foe.y, foe.x].height
        for y in range(foe.y, foe.y + foe.side):
            for x in range(foe.x, foe.x + foe.side):
                foe.height = max(foe.height, tiles[y, x].height)
        distance = apart(own.x, own.y, own.side, foe)
        guards = not foe.shoots and (foe.action or foe.rush > 0)
        foe.way = UNTOUCHED
        if guards and distance <= foe.threat + own.speed:
            foe.way = LEFT if distance <= foe.threat else PASSED
    for k in range(view.friends):
        friend = friends[k]
        derive(friend)
        for other in range(view.foes):
            if apart(friend.x, friend.y, friend.side, foes[other]) <= friend.furthest:
                friend.dash = 0  # it strikes where it is


@compiled
def evade(cost: Any, view: Any, foes: Any, evaded: Any, queue: Any) -> None:
    """Find the squares that one dash may reach without leaving the reach of a PASSED enemy: the steps to each, or -1.

    `queue` is a workspace of as many numbers as there are squares.
    """
    own, columns, any_passed = view.own, evaded.shape[1], False
    for k in range(view.foes):
        any_passed = any_passed or foes[k].way == PASSED
    if not any_passed:
        return
    for y in range(len(evaded)):
        for x in range(columns):
            evaded[y, x] = -1
    evaded[own.y, own.x] = 0
    queue[0] = own.y * columns + own.x
    first, last = 0, 1
    while first < last:
        y, x = queue[first] // columns, queue[first] % columns
        first += 1
        if evaded[y, x] < own.speed and not is_threatened(view, foes, x, y):
            for way in range(len(STEP_X)):
                there_x, there_y = x + STEP_X[way], y + STEP_Y[way]
                if cost[1 + there_y, 1 + there_x] < FAR_AWAY and evaded[there_y, there_x] < 0:
                    evaded[there_y, there_x] = evaded[y, x] + 1
                    queue[last] = there_y * columns + there_x
                    last += 1


@compiled
def is_threatened(view: Any, foes: Any, x: Any, y: Any) -> Any:
    """Return whether a square is in the reach of a PASSED enemy."""
    for k in range(view.foes):
        if foes[k].way == PASSED and apart(x, y, view.own.side, foes[k]) <= foes[k].threat:
            return True
    return False


@compiled
def situation(tiles: Any, own: Any, foe: Any, covers: Any, k: Any, x: Any, y: Any, distance: Any) -> Any:
    """Return the number of the situation of a fighter on a square and enemy k."""
    height = tiles[y, x].height
    slope = 1 if height > foe.height else 2 if height < foe.height else 0
    number = slope * SITUATION[1] + aim(own, distance, int(covers[k, ONE, y, x]))
    number = number * SITUATION[2] + aim(foe, distance, int(covers[k, OTHER, y, x]))
    return number * SITUATION[3] + tiles[y, x].depth


@compiled
def ask(asked: Any, k: Any, number: Any) -> None:
    """List a situation with enemy k that the table lacks, once, in `asked`: their count, then k and number of each."""
    for other in range(asked[0]):
        if asked[1 + 2 * other] == k and asked[2 + 2 * other] == number:
            return
    if 3 + 2 * asked[0] <= len(asked):
        asked[1 + 2 * asked[0]], asked[2 + 2 * asked[0]] = k, number
        asked[0] += 1


@compiled
def deals(known: Any, foe: Any, number: Any) -> Any:
    """Return the fraction of an enemy's hit points that the best stance is expected to take."""
    best = 0.0
    for stance in range(ATTACKING_STANCES):
        total = 0.0
        for against in range(STANCES_TAKEN):
            total += known[foe.pair, number, stance * STANCES_TAKEN + against] * foe.expects[against]
        best = max(best, total)
    return best


@compiled
def loses(known: Any, foe: Any, number: Any) -> Any:
    """Return the fraction of the fighter's hit points that an enemy's attack is expected to take."""
    total = 0.0
    for against in range(ATTACKING_STANCES):
        total += known[foe.pair, number, ATTACKING_STANCES * STANCES_TAKEN + against] * foe.expects[against]
    return total


@compiled
def weigh_square(
    tiles: Any, walks: Any, covers: Any, view: Any, foes: Any, known: Any, asked: Any, x: Any, y: Any, dashed: Any,
    facts: Any,
) -> None:  # fmt: skip
    """Write what the fighter deals and loses on a square, by a dash or not, and how far it has to walk from there."""
    own = view.own
    facts.dealt, facts.lost, facts.nearest = 0.0, 0.0, FAR_AWAY
    pushed = 0.0
    for k in range(view.foes):
        foe = foes[k]
        distance = apart(x, y, own.side, foe)
        walk = walks[k, y, x]
        facts.nearest = min(facts.nearest, walk if walk < FAR_AWAY else float(BEYOND + distance))
        comes = foe.dash and not foe.shoots and walk <= foe.speed
        reaches = distance <= own.furthest - (own.reach if dashed else 0) and covers[k, ONE, y, x] < NO_LINE
        reached = distance <= foe.furthest and covers[k, OTHER, y, x] < NO_LINE
        if reaches or reached or comes:
            number = situation(tiles, own, foe, covers, k, x, y, distance)
            if known[foe.pair, number, 0] != known[foe.pair, number, 0]:  # it is not a number yet
                ask(asked, k, number)
            if reaches:
                hits = deals(known, foe, number)
                if distance == 1 and not own.shoots:
                    hits += view.push * pushed_share(tiles, view.drop, own, foe, x, y)
                facts.dealt = max(facts.dealt, hits)
            presence = (1.0 if reached else view.fear if comes else 0.0) * foe.attention
            if presence > 0:
                facts.lost += presence * loses(known, foe, number)
            if not foe.shoots:
                pushed += presence
    facts.risk = view.push * min(pushed, 1.0) * min(1.0, tiles[y, x].risk / view.left)


@compiled
def pushed_share(tiles: Any, drop: Any, own: Any, foe: Any, x: Any, y: Any) -> Any:
    """Return the fraction of hit points left that a push takes from an enemy; 0 unless each fills one square."""
    if own.side > 1 or foe.side > 1:
        return 0.0
    dx, dy = foe.x - x, foe.y - y  # of an adjacent enemy
    return min(1.0, push_damage(tiles, drop, foe.x, foe.y, dx, dy, MIGHT_PUSH) / foe.left)


@compiled
def weigh_way(view: Any, foes: Any, friends: Any, evaded: Any, x: Any, y: Any, facts: Any) -> None:
    """Write what the way to a square draws: opportunity attacks, a trip, and whether an ally is likely to go there."""
    own = view.own
    squares = max(abs(x - own.x), abs(y - own.y))
    facts.blows, facts.fall, facts.crowded = 0.0, 0.0, 0
    passing = FAR_AWAY
    for k in range(view.foes):
        foe = foes[k]
        distance = apart(x, y, own.side, foe)
        if foe.way == PASSED:
            passing = min(passing, foe.blow)
        elif foe.way == LEFT and (distance > foe.threat or squares > 1):
            facts.blows += foe.blow
        if distance <= 1:
            facts.fall = max(facts.fall, foe.trip)
    if passing < FAR_AWAY and evaded[y, x] < 0:
        facts.blows += passing
    own_distance = between(x, y, own.side, own.x, own.y, own.side)
    for k in range(view.friends):
        friend = friends[k]
        distance = apart(x, y, own.side, friend)
        north_west = friend.y < own.y or (friend.y == own.y and friend.x < own.x)
        if friend.dash and (distance < own_distance or (north_west and distance == own_distance)):
            facts.crowded = 1


@compiled
def wishes(walks: Any, view: Any, foes: Any, friends: Any, x: Any, y: Any) -> Any:
    """Return what a square is worth to a character: close to its prey and its allies, or away from enemies."""
    own, worth = view.own, 0.0
    if view.prey >= 0 and view.pull != 0:
        walk = walks[view.prey, y, x] - (own.range if own.shoots else 0)
        worth -= view.pull * max(0.0, min(float(FAR), walk))
    if view.friends and view.company != 0:
        least = apart(x, y, own.side, friends[0])
        for k in range(1, view.friends):
            least = min(least, apart(x, y, own.side, friends[k]))
        worth -= view.company * max(0, least - ARM_S_LENGTH)
    if view.foes and view.flight != 0:
        least = apart(x, y, own.side, foes[0])
        for k in range(1, view.foes):
            least = min(least, apart(x, y, own.side, foes[k]))
        worth += view.flight * least
    return worth


@kernel
def judge(
    tiles: Any, cost: Any, walks: Any, covers: Any, views: Any, foes: Any, friends: Any, moves: Any, mask: Any,
    known: Any, asked: Any, evaded: Any, queue: Any, facts: Any,
) -> None:  # fmt: skip
    """Compute the value of all legal moves and choose the best; the answer is invalid while any situations are asked.

    Args:
        tiles: The map, (rows, columns) of TILE.
        cost: The cost of entering each square for the fighter's space, with a margin of walls.
        walks: Walking distances up to each enemy, (enemies, rows, columns), and to the fighter itself in the last one.
        covers: Levels of cover, (enemies, 2, rows, columns): OTHER of the fighter on a square, ONE of the enemy.
        views: The fighter's view, one of VIEW.
        foes: Its enemies, of BODY.
        friends: Its allies, of BODY.
        moves: All moves of the game's table, of MOVE, in the order that settles ties.
        mask: The legal actions.
        known: What is dealt and lost, (pairs, situations, stances by stances and then by the enemy's stances).
        asked: The situations that the table lacks: their count, then an enemy and a number each.
        evaded: A workspace, (rows, columns).
        queue: A workspace, as long as the map has squares.
        facts: The results, of FACTS, by move.
    """
    view = views[0]
    own = view.own
    asked[0] = 0
    prepare(tiles, view, foes, friends)
    evade(cost, view, foes, evaded, queue)
    view.best = NEVER
    for k in range(len(moves)):
        move, found = moves[k], facts[k]
        x, y, dashed = own.x + move.x, own.y + move.y, move.kind == DASH
        found.worth = NEVER
        legal = move.kind == STAY or mask[move.action] != 0
        if legal and dashed and own.weapon == RANGED:
            legal = walks[len(walks) - 1, y, x] + 1 <= view.most
        if legal:
            weigh_square(tiles, walks, covers, view, foes, known, asked, x, y, dashed, found)
            weigh_way(view, foes, friends, evaded, x, y, found)
            worth = found.dealt - view.care * (found.lost + found.risk)
            if found.dealt <= 0:
                worth -= view.nearer * found.nearest
            worth += wishes(walks, view, foes, friends, x, y) - view.prices[move.kind]
            worth -= A_SQUARE * max(abs(move.x), abs(move.y)) + view.crowded * found.crowded
            if dashed:
                worth -= found.blows
            if dashed or (view.all_trip and move.kind != STAY):
                worth -= found.fall
            found.worth = worth
            view.best = max(view.best, worth)
    view.chosen = 0
    while view.chosen < len(moves) - 1 and not facts[view.chosen].worth >= view.best - SLIGHT:
        view.chosen += 1
