"""What a tactician counts on a square of a map, read plainly: one move, one enemy and one square at a time.

It shares the odds of two fighters and the rules' cover with the agents, but no code about the map. Fractions of hit
points are those left.
"""

from functools import cache
from heapq import heappop, heappush
from math import inf
from typing import Any

from heartrush_agents.heart_rush.tactics.odds import dealt, gains, strike_outside
from heartrush_agents.heart_rush.tactics.pairs import pairing_of

from heartrush_env.games.heart_rush.engine.outlook import cover_around
from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield
from heartrush_env.games.heart_rush.scenario.settings import Settings

Square = tuple[int, int]
AROUND = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
WATER = (0, 1, 5)
TOTAL_COVER = 4


def squares_of(x: int, y: int, side: int) -> list[Square]:
    """Return the squares that a fighter fills."""
    return [(x + dx, y + dy) for dy in range(side) for dx in range(side)]


def apart(one: list[Square], other: list[Square]) -> int:
    """Return the distance between the nearest squares of two fighters."""
    return min(max(abs(a - c), abs(b - d)) for a, b in one for c, d in other)


class Reading:
    """A reading of the moves of one fighter."""

    def __init__(self, field: Battlefield, settings: Settings, view: Any, push: float, fear: float) -> None:
        """Take the map, the settings, what the fighter sees (None for walks alone), and two constants."""
        self.field, self.settings, self.view, self.push, self.fear = field, settings, view, push, fear
        if view is not None:
            self.own, self.enemies = view.own, list(view.enemies.values())
            self.pairs = [pairing_of(pair) for pair in view.pairs]
        self._walks: dict[Any, dict[Square, float]] = {}
        self._covers: dict[Any, Any] = {}
        everywhere = [field.terrain(x, y) for y in range(field.height) for x in range(field.width)]
        self.is_open = not any(tile.blocks_line or tile.cover for tile in everywhere)
        for name in ("cost", "worst_push", "_passed", "_blow"):  # asked for each square
            setattr(self, name, cache(getattr(self, name)))

    # -- the ground ----------------------------------------------------------------------------------------------------

    def cost(self, x: int, y: int, side: int) -> float:
        """Return what entering a space costs."""
        worst = 0.0
        for column, row in squares_of(x, y, side):
            if not (0 <= column < self.field.width and 0 <= row < self.field.height):
                return inf
            tile = self.field.terrain(column, row)
            shut = tile.id == "closed_door"
            worst = max(worst, 3 if shut else inf if tile.blocks_way or tile.fall else tile.cost)
        return worst

    def walks(self, side: int, target: Any) -> dict[Square, float]:
        """Return the walking distance from every square to one beside the target, by Dijkstra's algorithm."""
        key = side, target.x, target.y, target.side
        if key not in self._walks:
            body = squares_of(target.x, target.y, target.side)
            everywhere = squares_of(0, 0, max(self.field.width, self.field.height))
            found: dict[Square, float] = {}
            queue: list[tuple[float, Square]] = []
            for x, y in everywhere:
                if self.cost(x, y, side) < inf and apart(squares_of(x, y, side), body) <= 1:
                    heappush(queue, (0.0, (x, y)))
            while queue:
                spent, (x, y) = heappop(queue)
                if (x, y) in found:
                    continue
                found[x, y] = spent
                for dx, dy in AROUND:
                    before = x - dx, y - dy
                    corner = dx and dy and self.cost(x, y - dy, side) == inf and self.cost(x - dx, y, side) == inf
                    if before in everywhere and not corner and self.cost(x, y, side) < inf:
                        heappush(queue, (spent + self.cost(x, y, side), before))
            self._walks[key] = found
        return self._walks[key]

    def push_damage(self, x: int, y: int, dx: int, dy: int) -> float:
        """Return what a push by might over two squares costs a creature on this square."""
        for left, far in ((2, 1), (1, 2)):
            column, row = x + far * dx, y + far * dy
            if not (0 <= column < self.field.width and 0 <= row < self.field.height):
                return 3.5 * left
            tile = self.field.terrain(column, row)
            if tile.blocks_way:
                return 3.5 * left
            if tile.fall:
                return inf if self.field.drop > 20 else max(0, self.field.drop - 9)
        return 0

    def worst_push(self, x: int, y: int) -> float:
        """Return the most that a push costs on a square, from any side on which an attacker can stand."""
        ways = [(dx, dy) for dx, dy in AROUND if self.cost(x - dx, y - dy, 1) < inf]
        return max((self.push_damage(x, y, dx, dy) for dx, dy in ways), default=0)

    def top(self, body: Any) -> int:
        """Return the height of the highest square that a fighter fills."""
        return max(self.field.terrain(x, y).height for x, y in squares_of(body.x, body.y, body.side))

    # -- weapons -------------------------------------------------------------------------------------------------------

    @staticmethod
    def furthest(body: Any) -> int:
        """Return how far a fighter attacks at most."""
        return 2 * body.range if body.weapon in ("ranged", "thrown") else body.range + body.reach

    @staticmethod
    def threat(body: Any) -> int:
        """Return how far a fighter threatens who leaves; nothing but a melee weapon does so beyond one square."""
        return (body.range if body.weapon == "melee" else 1) + body.reach

    @staticmethod
    def aim(body: Any, distance: int, cover: int) -> int:
        """Return the levels that distance and cover take from an attack, at most four."""
        beyond = max(0, distance - body.range)
        if body.weapon == "ranged":
            return min(4, cover + (beyond + 1) // 2)
        return min(4, cover + beyond) if body.weapon == "thrown" else 0

    def cover(self, enemy: Any, x: int, y: int) -> tuple[int, int]:
        """Return the cover of a fighter on a square against an enemy, and that of the enemy against the fighter."""
        key = enemy.x, enemy.y, enemy.side, self.own.side
        if key not in self._covers:
            self._covers[key] = cover_around(self.field, *key)
        mine, its = self._covers[key][:, y, x].tolist()
        return (0, 0) if self.is_open else (mine, its)

    # -- a move --------------------------------------------------------------------------------------------------------

    def worth(self, move: Any, prices: list[float], *, care: float, nearer: float, crowded: float) -> Any:
        """Return the value of a move, given the price of each kind, its offset, and the tactician's other constants."""
        dash, stay = move.kind == 0, move.kind == len(prices) - 1
        found = self.facts(self.own.x + int(move.x), self.own.y + int(move.y), dashed=dash)
        worth = found["dealt"] - care * (found["lost"] + found["risk"]) - prices[move.kind]
        worth -= 0 if found["dealt"] > 0 else nearer * found["nearest"]
        worth -= crowded * found["crowded"] + 0.0001 * max(abs(int(move.x)), abs(int(move.y)))
        worth -= found["blows"] if dash else 0.0
        trips = dash or (self.settings.trip_on == "steps" and not stay)
        return worth - (found["fall"] if trips else 0)

    def facts(self, x: int, y: int, *, dashed: bool) -> dict[str, float]:
        """Return what the tactician counts on a square that the fighter reaches, by a dash or not."""
        dealt_most = lost = pushed = fall = 0.0
        nearest = inf
        for k, enemy in enumerate(self.enemies):
            distance = apart(squares_of(x, y, self.own.side), squares_of(enemy.x, enemy.y, enemy.side))
            walk = self.walks(self.own.side, enemy).get((x, y), inf)
            nearest = min(nearest, walk if walk < inf else 40 + distance)
            hits, hurts, shoots, presence = self._between(k, x, y, distance, walk, dashed=dashed)
            dealt_most, lost = max(dealt_most, hits), lost + presence * hurts
            pushed += 0 if shoots else presence
            pair = self.pairs[k]
            if distance <= 1 and pair.own.off_balanced and not pair.own.prone:
                fall = max(fall, gains(pair.turned(), self.settings)["prone"])
        risk = self.push * min(1, pushed) * min(1, self.worst_push(x, y) / self.pairs[0].own_left)
        blows, crowded = self.blows(x, y), self.is_crowded(x, y)
        found = {"dealt": dealt_most, "lost": lost, "risk": risk, "nearest": nearest}
        return {**found, "blows": blows, "fall": fall, "crowded": int(crowded)}

    def _between(
        self, k: int, x: int, y: int, distance: int, walk: float, *, dashed: bool
    ) -> tuple[float, float, bool, float]:
        """Return what is dealt to and lost to enemy k, whether it shoots, and how likely it attacks."""
        own, enemy, pair = self.own, self.enemies[k], self.pairs[k]
        mine, its = self.cover(enemy, x, y)
        reaches = distance <= self.furthest(own) - own.reach * dashed and its < TOTAL_COVER
        reached = distance <= self.furthest(enemy) and mine < TOTAL_COVER
        shoots = enemy.weapon in ("ranged", "thrown")
        comes = enemy.dash and not shoots and walk <= enemy.speed
        tile, top = self.field.terrain(x, y), self.top(enemy)
        here = pair.own._replace(
            higher=int(tile.height > top), aim=self.aim(own, distance, its), water=WATER[tile.depth]
        )
        there = pair.other._replace(higher=int(tile.height < top), aim=self.aim(enemy, distance, mine))
        placed, expects = pair._replace(own=here, other=there), self.view.expects[k].tolist()
        hits = 0.0
        if reaches:
            table = dealt(placed, self.settings)
            hits = max(sum(p * table[own][its] for its, p in enumerate(expects)) for own in range(3))
            if distance == 1 and own.side == enemy.side == 1 and own.weapon not in ("ranged", "thrown"):
                damage = self.push_damage(enemy.x, enemy.y, enemy.x - x, enemy.y - y)
                hits += self.push * min(1, damage / pair.other_left)
        table = dealt(placed.turned(), self.settings)
        hurts = sum(expects[its] * sum(table[its][own] for own in range(3)) / 3 for its in range(3))
        return hits, hurts, shoots, (1.0 if reached else self.fear * comes) * self.view.attention[k]

    def blows(self, x: int, y: int) -> float:
        """Return what opportunity attacks on the way to a square are expected to take."""
        own, cost = self.own, 0.0
        passed = [k for k in range(len(self.enemies)) if self._guards(k) == "passed"]
        for k, enemy in enumerate(self.enemies):
            if self._guards(k) == "left":
                body = squares_of(enemy.x, enemy.y, enemy.side)
                stays = apart(squares_of(x, y, own.side), body) <= self.threat(enemy)
                cost += 0 if stays and max(abs(x - own.x), abs(y - own.y)) <= 1 else self._blow(k)
        if passed and (x, y) not in self._passed():
            cost += min(self._blow(k) for k in passed)
        return cost

    def _guards(self, k: int) -> str:
        """Return whether a dash leaves the reach of enemy k, may pass through it, or neither ("")."""
        own, enemy = self.own, self.enemies[k]
        distance = apart(squares_of(own.x, own.y, own.side), squares_of(enemy.x, enemy.y, enemy.side))
        if enemy.weapon in ("ranged", "thrown") or not (enemy.action or enemy.rush > 0):
            return ""
        threat = self.threat(enemy)
        return "left" if distance <= threat else "passed" if distance <= threat + own.speed else ""

    def _blow(self, k: int) -> float:
        """Return what an opportunity attack of enemy k is expected to take."""
        return float(strike_outside(self.pairs[k].turned(), self.settings).max())

    def _passed(self) -> set[Square]:
        """Return the squares that a dash may reach before it leaves the reach of an enemy that it enters."""
        own, guards = self.own, [enemy for k, enemy in enumerate(self.enemies) if self._guards(k) == "passed"]
        found = last = {(own.x, own.y)}
        for _ in range(own.speed):
            safe = [(x, y) for x, y in last if not self._is_threatened(x, y, guards)]
            beside = {(x + dx, y + dy) for x, y in safe for dx, dy in AROUND}
            last = {square for square in beside if self.cost(*square, own.side) < inf} - found
            found = found | last
        return found

    def _is_threatened(self, x: int, y: int, guards: list[Any]) -> bool:
        """Return whether one of these enemies threatens the fighter on a square."""
        here = squares_of(x, y, self.own.side)
        return any(apart(here, squares_of(foe.x, foe.y, foe.side)) <= self.threat(foe) for foe in guards)

    def is_crowded(self, x: int, y: int) -> bool:
        """Return whether an ally that cannot strike yet is nearer to a square; the one in the north-west has ties."""
        own = self.own
        here = squares_of(x, y, own.side)
        for ally in self.view.allies.values():
            body = squares_of(ally.x, ally.y, ally.side)
            near = [apart(body, squares_of(foe.x, foe.y, foe.side)) for foe in self.enemies]
            if ally.dash and all(distance > self.furthest(ally) for distance in near):
                its, mine = apart(here, body), apart(here, squares_of(own.x, own.y, own.side))
                if its < mine or (its == mine and (ally.y, ally.x) < (own.y, own.x)):
                    return True
        return False
