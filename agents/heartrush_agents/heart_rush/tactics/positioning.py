"""The positions of fighters as one of them sees them, and the value of its moves by the kernel in squares.py."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.tables import Features, Places, Shares
from heartrush_agents.heart_rush.tactics.constants import USUAL, Constants
from heartrush_agents.heart_rush.tactics.default_policy import MapLayout
from heartrush_agents.heart_rush.tactics.equipment import Kit
from heartrush_agents.heart_rush.tactics.matchup import Matchups
from heartrush_agents.heart_rush.tactics.odds import (
    ANSWERS,
    ASKS_GAINS,
    ASKS_PROSPECTS,
    ASKS_STRIKES,
    odds_of,
)
from heartrush_agents.heart_rush.tactics.pairs import Pairs, paired, raw, turned
from heartrush_agents.heart_rush.tactics.rounds import STANCES_TAKEN
from heartrush_agents.heart_rush.tactics.squares import (
    BODY,
    DASH,
    FACTS,
    MOVE,
    N_SITUATIONS,
    RUSH_STEP,
    SITUATION,
    STAY,
    STEP,
    VIEW,
    judge,
)
from heartrush_agents.heart_rush.tactics.terrain import Body, Ground
from heartrush_env.games.heart_rush.rules.environment import WATER_LEVELS
from heartrush_env.games.heart_rush.rules.terms import ATTACK_TYPES, DAMAGE_TYPES, NO_DAMAGE_TYPE, NO_STANCE, NOBODY
from heartrush_env.games.heart_rush.scenario.catalog import carries
from heartrush_env.games.heart_rush.scenario.settings import Settings

MOST_PAIRS: Final = 128  # in a table of prospects, before it is emptied
MOST_ASKED: Final = 256  # situations in one call
PRONE: Final = -1  # the last of the gains by hindrances


class View(NamedTuple):
    """The positions of all fighters, as one fighter sees them; lists and arrays follow the order of `enemies`."""

    own: Body
    enemies: dict[int, Body]
    allies: dict[int, Body]
    pairs: Pairs  # with each enemy, without the fighter's own position
    expects: Shares  # the stances of each enemy, (enemies, stances and none)
    attention: list[float]  # how likely each enemy is to attack the fighter if it can
    patience: float  # from 1 down to 0 in quiet rounds
    care: float  # the weight of its own losses
    # A character's wishes, by square:
    prey: int = NOBODY  # an index into the enemies' order
    pull: float = 0.0  # towards the prey
    company: float = 0.0  # towards the nearest ally
    flight: float = 0.0  # away from the nearest enemy


class Prospects:
    """A table of what fighters deal and lose in each situation under some settings, filled on demand."""

    lock = Lock()

    def __init__(self, settings: Settings) -> None:
        """Allocate an empty table."""
        self._odds = odds_of(settings)
        self._rows: dict[bytes, int] = {}
        self.known = np.full((MOST_PAIRS, N_SITUATIONS, ANSWERS[ASKS_PROSPECTS]), np.nan)
        self.blows = np.zeros((MOST_PAIRS, 2))  # an opportunity attack, and a trip

    def rows(self, pairs: Pairs) -> list[int]:
        """Return the table's row of each pair; new pairs get an empty row."""
        keys = [pair.tobytes() for pair in pairs]
        new = [k for k, key in enumerate(keys) if key not in self._rows]
        if len(self._rows) + len(new) > MOST_PAIRS:
            self._rows, new = {}, list(range(len(keys)))
        if new:
            self._begin(pairs[new], [keys[k] for k in new])
        return [self._rows[key] for key in keys]

    def _begin(self, pairs: Pairs, keys: list[bytes]) -> None:
        """Give each new pair a row, and find what an opportunity attack and a trip of the fighter would take."""
        facing = turned(pairs)
        struck = self._odds.ask(ASKS_STRIKES, facing).max(axis=1)
        unsteady = (pairs["own"]["off_balanced"] > 0) & (pairs["own"]["prone"] == 0)
        tripped = np.zeros(len(pairs))
        if unsteady.any():
            tripped[unsteady] = np.maximum(0.0, self._odds.ask(ASKS_GAINS, facing[unsteady])[:, PRONE])
        for k, key in enumerate(keys):
            row = self._rows.setdefault(key, len(self._rows))
            self.known[row, :, 0] = np.nan
            self.blows[row] = struck[k], tripped[k]

    def fill(self, pairs: Pairs, rows: Places, asked: Places) -> bool:
        """Write what the kernel has asked for, (count, enemy, situation, ...); return whether there was anything."""
        count = int(asked[0])
        if not count:
            return False
        enemies, numbers = asked[1 : 1 + 2 * count].reshape(count, 2).T
        ways = paired(raw(pairs)[enemies])
        slope, aim, its_aim, depth = np.unravel_index(numbers, SITUATION)
        ways["own"]["higher"], ways["other"]["higher"] = slope == 1, slope == 2
        ways["own"]["aim"], ways["other"]["aim"] = aim, its_aim
        ways["own"]["water"] = WATER_LEVELS[depth]
        self.known[rows[enemies], numbers] = self._odds.ask(ASKS_PROSPECTS, ways)
        return True


@lru_cache(maxsize=8)
def prospects_of(settings: Settings) -> Prospects:
    """Return the prospects under these settings, which all players share."""
    return Prospects(settings)


class Judge:
    """The kernel's arguments for the fights of one game: moves, map and table, and room for what a fighter sees."""

    def __init__(self, ground: Ground, places: int, actions: int, moves: NDArray[Any], settings: Settings) -> None:
        """Allocate room.

        Args:
            ground: The map.
            places: The number of enemies that an observation may show.
            actions: The number of actions in the game's table.
            moves: All moves to choose from, of MOVE.
            settings: The settings of the rules.
        """
        self._ground, self._prospects = ground, prospects_of(settings)
        rows, columns = ground.shape
        self._cost = np.zeros((rows + 2, columns + 2))
        self._walks = np.zeros((places + 1, rows, columns))
        self._covers = np.zeros((places, 2, rows, columns), np.int8)
        self._view, self._foes, self._friends = np.zeros(1, VIEW), np.zeros(places, BODY), np.zeros(places, BODY)
        self._constants: Constants | None = None
        self._view["drop"], self._view["all_trip"] = ground.drop, settings.trip_on == "steps"
        self._foe_numbers, self._friend_numbers = (
            bodies.view(np.int64).reshape(places, -1) for bodies in (self._foes, self._friends)
        )
        self._foe_shares = self._foes.view(np.float64).reshape(places, -1)
        self._own_numbers = self._view.view(np.int64)
        self._mask, self._asked = np.zeros(actions, np.int8), np.zeros(1 + 2 * MOST_ASKED, np.int64)
        self._facts = np.zeros(len(moves), FACTS)
        table, workspaces = self._prospects, (np.zeros((rows, columns), np.int64), np.zeros(rows * columns, np.int64))
        self._run = judge.prepare(
            ground.tiles, self._cost, self._walks, self._covers, self._view, self._foes, self._friends, moves,
            self._mask, table.known, self._asked, *workspaces, self._facts,
        )  # fmt: skip

    def best(
        self, view: View, mask: NDArray[np.int8], prices: list[float], most: float, constants: Constants
    ) -> tuple[float, int]:
        """Return the value of the best move, and its place among the moves.

        Args:
            view: The positions.
            mask: The legal actions.
            prices: The price of each kind of move.
            most: The squares that a dash may take if the fighter is to shoot after it.
            constants: The tactician's constants.
        """
        with self._prospects.lock:
            self._weigh(view, mask, prices, most, constants)
            seen = self._view[0]
            return float(seen.best), int(seen.chosen)

    def facts(
        self, view: View, mask: NDArray[np.int8], prices: list[float], most: float, constants: Constants
    ) -> NDArray[Any]:
        """Return all facts of each move, (moves,) of FACTS; the arguments are those of `best`."""
        with self._prospects.lock:
            self._weigh(view, mask, prices, most, constants)
            return self._facts.copy()

    def _weigh(
        self, view: View, mask: NDArray[np.int8], prices: list[float], most: float, constants: Constants
    ) -> None:
        own, ground, enemies = view.own, self._ground, view.enemies.values()
        pairs, count = view.pairs, len(view.enemies)
        rows = np.array(self._prospects.rows(pairs), np.intp)
        self._cost[:], self._mask[:] = ground.cost_of(own.side), mask
        if own.weapon == "ranged":
            self._walks[-1] = ground.walk(own.side, own.x, own.y, own.side)
        for k, enemy in enumerate(enemies):
            self._walks[k] = ground.walk(own.side, enemy.x, enemy.y, enemy.side)
            if ground.has_cover:
                self._covers[k] = ground.covers(enemy, own.side)
        numbers, shares = self._foe_numbers, self._foe_shares
        numbers[:count, :FOR_ALL] = [_numbers(enemy) for enemy in enemies]
        numbers[:count, ROW], numbers[:count, OTHER_LEFT] = rows, pairs["other_left"]
        shares[:count, ATTENTION], shares[:count, EXPECTS] = view.attention, view.expects
        shares[:count, BLOWS] = self._prospects.blows[rows]
        if view.allies:
            self._friend_numbers[: len(view.allies), :FOR_ALL] = [_numbers(ally) for ally in view.allies.values()]
        self._own_numbers[:FOR_ALL] = _numbers(own)
        seen = self._view[0]
        seen.foes, seen.friends, seen.left = count, len(view.allies), pairs["own_left"][0]
        seen.most, seen.care, seen.prices = most, view.care, prices
        if constants is not self._constants:
            self._constants = constants
            for name in ("nearer", "fear", "push", "crowded"):
                seen[name] = getattr(constants, name)
        seen.prey, seen.pull, seen.company, seen.flight = view.prey, view.pull, view.company, view.flight
        self._run()
        while self._prospects.fill(pairs, rows, self._asked):
            self._run()


_FIELDS: Final = list(BODY.fields or ())
FOR_ALL = ROW = _FIELDS.index("pair")
OTHER_LEFT, ATTENTION = _FIELDS.index("left"), _FIELDS.index("attention")
BLOWS: Final = slice(ATTENTION + 1, ATTENTION + 3)  # an opportunity attack, and a trip
EXPECTS: Final = slice(ATTENTION + 3, ATTENTION + 3 + STANCES_TAKEN)  # numbers of BODY, which are of 8 bytes each


def _numbers(body: Body) -> tuple[int, ...]:
    """Return the first fields of BODY."""
    return (*body[:5], ATTACK_TYPES.index(body.weapon), *body[6:])


class Positioning:
    """An evaluation of moves for the fighter that an observation belongs to."""

    def __init__(self, layout: MapLayout, matchups: Matchups, settings: Settings, constants: Constants = USUAL) -> None:
        """Prepare to evaluate moves for a tactician with these constants."""
        self._layout, self._ground, self._matchups, self._settings = layout, layout.ground, matchups, settings
        self.constants = constants

    def view(self, features: Features) -> View:
        """Read the positions from an observation."""
        bodies, ground = self._layout.bodies, self._ground
        own, enemies, allies = bodies.own(features), bodies.enemies(features), bodies.allies(features)
        standing = list(enemies)
        pairs = paired(raw(self._matchups.pairs(features[None], placed=False)[0])[standing])
        pairs["own"]["gloom"] = pairs["other"]["gloom"] = ground.light
        pairs["other"]["water"] = [ground.water_at(enemy) for enemy in enemies.values()]
        pairs["stance"] = pairs["against"] = NO_STANCE
        attention = [
            1 / (1 + sum(_could_attack(ground, enemy, ally) for ally in allies.values())) for enemy in enemies.values()
        ]
        holds = any(not ally.shoots for ally in allies.values())
        expects, patience = self._layout.expects(features[None])[0, standing], float(self._layout.patience(features))
        care = patience * (1.0 if holds else self.constants.alone)
        return View(own, enemies, allies, pairs, expects, attention, patience, care)

    def rearmed(self, view: View, kit: Kit) -> View:
        """Return the view with this weapon and shield in the fighter's hands."""
        weapon, own, pairs = kit.weapon, view.own, view.pairs.copy()
        shapes = {kind: int(weapon.attack_type == kind) for kind in ATTACK_TYPES[1:]}
        kinds = {kind: int(weapon.damage_type == kind) for kind in DAMAGE_TYPES[:NO_DAMAGE_TYPE]}
        held = {f"weapon_{kind}": flag for kind, flag in {**shapes, **kinds}.items()}
        for name, number in {"armed": 1, "weapon_die": weapon.die, "shield": kit.shield, **held}.items():
            pairs["own"][name] = number
        body = own._replace(weapon=weapon.attack_type, range=carries(weapon), reach=int(weapon.reach and own.dash))
        return view._replace(own=body, pairs=pairs)

    def pushed(self, own: Body, enemy: Body, squares: int, left: int) -> float:
        """Return the fraction of hit points left that a push takes from an enemy; 0 unless each fills one square."""
        if own.side > 1 or enemy.side > 1:
            return 0.0
        dx, dy = _snapped(enemy.x - own.x, enemy.y - own.y)
        return min(1.0, self._ground.push_damage(enemy.x, enemy.y, dx, dy, squares) / left)


@lru_cache(maxsize=64)
def judge_of(layout: MapLayout, settings: Settings) -> Judge:
    """Return the judge of a game's moves, which all its players share."""
    return Judge(layout.ground, len(layout.places), len(layout.action), moves_of(layout), settings)


def moves_of(layout: MapLayout) -> NDArray[Any]:
    """Return all moves of a game's table, in the order that settles ties: dashes, steps by rush, steps, staying."""
    moves = layout.moves
    dashes = range(moves.first_dash, moves.first_dash + len(moves.dash_x))
    around = range(len(moves.step_x))
    return np.array(
        [
            *((action, x, y, DASH) for action, x, y in zip(dashes, moves.dash_x, moves.dash_y, strict=True)),
            *((moves.rush_steps[k], moves.step_x[k], moves.step_y[k], RUSH_STEP) for k in around),
            *((moves.steps[k], moves.step_x[k], moves.step_y[k], STEP) for k in around),
            (layout.passes, 0, 0, STAY),
        ],
        MOVE,
    )


def _could_attack(ground: Ground, enemy: Body, ally: Body) -> bool:
    """Return whether an enemy reaches an ally from its position, or could walk up to it in this round."""
    if enemy.distance(ally) <= enemy.furthest:
        return True
    return enemy.dash and float(ground.walk(enemy.side, ally.x, ally.y, ally.side)[enemy.y, enemy.x]) <= enemy.speed


def _snapped(dx: int, dy: int) -> tuple[int, int]:
    """Return the one of the eight directions that is nearest to this offset."""
    if abs(dx) >= 2 * abs(dy):
        return int(np.sign(dx)), 0
    if abs(dy) >= 2 * abs(dx):
        return 0, int(np.sign(dy))
    return int(np.sign(dx)), int(np.sign(dy))
