"""A fight as a network reads it: each fighter once, and each legal action by its kind, its target and its square.

`look` reads observations of the kind "entities", of many fights at once; `VectorReader` reads the vectors that every
player receives. Both find the same facts, so a network trained on one kind can play from the other. All fights use the
facts named in FACTS. Facts that a fight does not have, such as positions without a map, are 0.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.encoding.ability_facts import OF_FIGHTER, OF_SLOT, loadout_fact_names, loadout_facts
from heartrush_env.games.heart_rush.encoding.action_slots import ActionSlots, action_slots, places, slot_feature_names
from heartrush_env.games.heart_rush.encoding.entities import (
    BLOCKS,
    N_KIND,
    N_SECRETS,
    PRESENT_AT,
    RELATION,
    STAND_AT,
    X_AT,
    Y_AT,
    Layout,
    tell_secrets,
)
from heartrush_env.games.heart_rush.encoding.features import Row, owners, row_of
from heartrush_env.games.heart_rush.encoding.fighter import FIGHTER
from heartrush_env.games.heart_rush.encoding.ground import AROUND, N_CHANNELS, SHOWN, VIEW, VIEW_SIDE
from heartrush_env.games.heart_rush.encoding.loadouts import LOADOUT
from heartrush_env.games.heart_rush.encoding.place import BETWEEN, FURTHEST, OWN, STAND
from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
from heartrush_env.games.heart_rush.encoding.turns import IN_TURNS
from heartrush_env.games.heart_rush.rules.space import WALL
from heartrush_env.games.heart_rush.rules.terms import MAP_SIDE, NEAR, NOBODY
from heartrush_env.tabletop.tables import Block

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]

PART_OF_ATTACK = Block(*LOADOUT.lines[:OF_FIGHTER])  # a fighter's part in the attack in progress
DX, DY = (len(RELATION) + BETWEEN.part(name)[0] for name in ("dx", "dy"))
OF_SQUARE = N_CHANNELS + 3  # its ground, its (dx, dy) from the viewer, and 1
ITSELF, ALLY, ENEMY = range(N_KIND)

# The order of the facts of each kind that entities have, too.
ROWS = {
    "moment": Row(("", block) for block in BLOCKS["moment"]),
    "own": Row([("", OWN)]),
    "fighters": Row(("", block) for block in (FIGHTER, STAND, IN_TURNS)),
    "relations": Row(("", block) for block in (RELATION, BETWEEN, PART_OF_ATTACK)),
}
FACTS: dict[str, tuple[str, ...]] = {
    **{name: tuple(feature.name for feature in row.features) for name, row in ROWS.items()},
    "loadouts": loadout_fact_names(),
    "slots": slot_feature_names(),
}


EARLIER = (121,)  # how many facts of abilities earlier versions had; weights for the first ones still fit


def facts_digest(abilities: int | None = None) -> str:
    """Return a digest of all fact names, 32 hexadecimal digits; weights depend on it.

    Args:
        abilities: How many of the facts of abilities there are; by default all of this version.
    """
    count = None if abilities is None else len(OF_SLOT) + abilities
    return hashlib.sha256(json.dumps({**FACTS, "loadouts": FACTS["loadouts"][:count]}).encode()).hexdigest()[:32]


def fitting_digests() -> set[str]:
    """Return the digests of all versions whose weights still fit."""
    return {facts_digest(), *map(facts_digest, EARLIER)}


@dataclass(frozen=True, eq=False)
class Seen:
    """The inputs of a network for some rows, each a seat of a fight, as arrays or tensors.

    A choice is an action that a row may take.

    Attributes:
        width: The number of columns of the answer.
        fights: (rows,): the fight of each row, an index into `fighters`.
        viewer: (rows,): the fighter that the seat decides for.
        moment: (rows, facts).
        own: (rows, facts): the viewer's position on a map and its means of moving.
        fighters: (fights, fighters, facts), once per fight.
        relations: (rows, fighters, facts), to the viewer.
        loadouts: (rows, fighters, slots, facts): abilities as the seat sees them; None in fights without any.
        row: (choices,): the row of each choice.
        column: (choices,): its column in the answer.
        slot: (choices,): its kind of action, an index into `slot_table()`.
        target: (choices,): its target fighter; -1 for none.
        ability: (choices,): the slot of the viewer's loadout that it uses; -1 for none.
        at: (squares,): the choices that name a square.
        squares: (squares, facts): the ground of each of these squares, its (dx, dy) from the viewer, and 1.
        apart: (squares, fighters): each fighter's distance to the square, in squares.
    """

    width: int
    fights: Any
    viewer: Any
    moment: Any
    own: Any
    fighters: Any
    relations: Any
    loadouts: Any
    row: Any
    column: Any
    slot: Any
    target: Any
    ability: Any
    at: Any
    squares: Any
    apart: Any

    def converted(self, convert: Callable[[Any], Any]) -> Seen:
        """Return these inputs with each array converted, for example by `torch.from_numpy`."""
        made = {field.name: getattr(self, field.name) for field in fields(self)}
        return Seen(**{k: v if k == "width" or v is None else convert(v) for k, v in made.items()})


@cache
def slot_table() -> Floats:
    """Return the distinct rows of facts about actions in games of all shapes, (slots, facts)."""
    every = [action_slots(shape, turns).features for shape in SHAPES.values() for turns in (False, True)]
    table: Floats = np.unique(np.concatenate(every), axis=0)
    return table


@lru_cache(maxsize=32)
def slots_of(slots: ActionSlots) -> Whole:
    """Return the index of each action in `slot_table()`, (actions,)."""
    place = {row.tobytes(): number for number, row in enumerate(slot_table())}
    return np.array([place[row.tobytes()] for row in slots.features], np.int64)


# ------------------------------------------------------------------------------------------------------- from entities


def look(
    entities: Mapping[str, Any], fights: Any, seats: Any, layout: Layout, slots: ActionSlots, masks: NDArray[np.int8]
) -> Seen:
    """Return the inputs of a network for these seats of these fights.

    Args:
        entities: The arrays of an observation, of many fights.
        fights: (rows,): the fight of each row.
        seats: (rows,): the seat of each row.
        layout: The layout of the arrays.
        slots: The slots of the game's actions.
        masks: (rows, actions): the actions to be scored.
    """
    shown = entities["fighters"]
    count = int(np.flatnonzero(shown[..., PRESENT_AT].any(axis=0))[-1]) + 1  # up to the last fighter present
    viewer = np.asarray(entities["viewer"])[fights, seats].astype(np.int64)
    secrets = np.asarray(entities["secrets"][fights, seats, :count])
    moment = _facts("moment", layout.rows["moment"], np.asarray(entities["moment"])[fights])
    own = _facts("own", layout.rows["fighters"], shown[fights, viewer])
    fighters = _facts("fighters", layout.rows["fighters"], shown[:, :count])
    relations = _facts("relations", layout.rows["relations"], entities["relations"][fights, viewer, :count])
    loadouts = None
    if layout.shape.on_map:
        first = ROWS["fighters"].first(STAND)
        fighters[..., first : first + len(STAND)] = shown[:, :count][..., STAND_AT]
    if layout.shape.abilities:
        relations[..., -OF_FIGHTER:] = secrets[..., N_SECRETS : N_SECRETS + OF_FIGHTER]
        loadouts = loadout_facts(secrets[..., N_SECRETS:])
    of_row = fights
    if secrets[..., :N_SECRETS].any():  # the side's own picks and words: each seat sees its own
        fighters, of_row = fighters[fights], np.arange(len(fights))
        tell_secrets(fighters, secrets)
    at_places = np.asarray(entities["places"])[fights, viewer].astype(np.int64)
    around_viewer = None
    if layout.shape.on_map:
        here = np.rint(shown[fights, viewer][:, [X_AT, Y_AT]] * FURTHEST).astype(np.int64)

        def around_viewer(rows: Whole, steps: Whole) -> Floats:
            return _ground_at(entities["ground"], fights[rows], here[rows] + steps)

    choices = _choices(slots, masks, at_places, relations, around_viewer)
    return Seen(masks.shape[1], of_row, viewer, moment, own, fighters, relations, loadouts, *choices)


def _facts(name: str, row: Row, numbers: Any) -> Floats:
    """Return facts of this kind, (..., facts), from an array with these blocks; facts that the array lacks are 0."""
    found = np.zeros((*numbers.shape[:-1], len(FACTS[name])), np.float32)
    for _, block in ROWS[name].parts:
        if block in row:
            first, at = ROWS[name].first(block), row.first(block)
            found[..., first : first + len(block)] = numbers[..., at : at + len(block)]
    return found


def _ground_at(ground: Any, fights: Whole, squares: Whole) -> Floats:
    """Return the ground of squares (n, 2), as (x, y), on these fights' maps, (n, channels); 0 outside."""
    x, y = squares.T
    inside = (x >= 0) & (y >= 0) & (x < ground.shape[-1]) & (y < ground.shape[-2])
    there = ground[fights, :, np.where(inside, y, 0), np.where(inside, x, 0)]
    shown: Floats = there * inside[:, None]
    return shown


def _choices(slots: ActionSlots, masks: Any, at_places: Whole, relations: Floats, ground: Any) -> tuple[Any, ...]:
    """Return the fields of Seen from `row` on: each choice of the masks, and the squares that choices name."""
    row, action = np.asarray(masks).nonzero()
    place = slots.place[action]
    target = np.where(place == NOBODY, NOBODY, at_places[row, place])
    at = np.flatnonzero(slots.has_square[action]) if ground is not None else np.zeros(0, np.int64)
    rows, steps = row[at], slots.square[action[at]]
    squares = np.zeros((len(at), OF_SQUARE), np.float32)
    apart = np.zeros((len(at), relations.shape[1]), np.int64)
    if len(at):
        squares[:, :N_CHANNELS] = ground(rows, steps)
        squares[:, N_CHANNELS:-1] = steps / np.float32(NEAR)
        squares[:, -1] = 1
        ways = np.rint(relations[..., [DX, DY]] * FURTHEST).astype(np.int64)
        apart = np.abs(ways[rows] - steps[:, None]).max(axis=-1)
    return row, action, slots_of(slots)[action], target, slots.ability[action], at, squares, apart


# -------------------------------------------------------------------------------------------------------- from vectors


class VectorReader:
    """A reader of the vectors of a game's seats. It also knows the scenario's map, which is public."""

    def __init__(self, game: HeartRush) -> None:
        """Find the columns of the game's vectors, with room for the most other fighters that any fighter sees."""
        shape, self.slots = game.shape, game.action_slots
        teams = [game.scenario.teams.index(sheet.team) for sheet in game.scenario.fighters]
        around = places(teams, shape)
        there = around[: len(teams)] != NOBODY
        enemies, allies = (int(part.sum(axis=1).max(initial=0)) for part in np.split(there, [shape.enemies], axis=1))
        self.at_places = np.full(shape.enemies + shape.allies, NOBODY, np.int64)
        self.count = 1 + enemies + allies
        self.at_places[[*range(enemies), *range(shape.enemies, shape.enemies + allies)]] = range(1, self.count)
        self.sizes = {name: len(FACTS[name]) for name in ("moment", "own", "fighters", "relations")}
        self.ground: Any = None
        self._find_columns(game, owners(enemies, allies), [ITSELF] + [ENEMY] * enemies + [ALLY] * allies)

    def _find_columns(self, game: HeartRush, fighters: Sequence[str], kinds: Sequence[int]) -> None:
        """Find the column of the vector for each fact of these fighters, the viewer first.

        Index `n` is a column of zeros and index `n + 1` a column of ones, with `n` the length of the vector.
        """
        column = {name: place for place, name in enumerate(game.feature_names)}
        nothing = len(column)

        def columns(facts: Sequence[str]) -> Whole:
            return np.array([[column.get(f"{owner} {fact}", nothing) for fact in facts] for owner in fighters])

        moment = np.array([column.get(fact, nothing) for fact in FACTS["moment"]])
        relations = columns(FACTS["relations"])
        relations[np.arange(self.count), kinds] = nothing + 1
        parts = moment, columns(FACTS["own"])[0], columns(FACTS["fighters"]), relations
        self.columns = np.concatenate([part.ravel() for part in parts])
        self.loadouts = columns([f.name for f in LOADOUT.features]) if game.shape.abilities else None
        if game.shape.on_map:
            first = row_of(game.shape).first(AROUND)
            self.around = slice(first, first + len(AROUND))
            self.ground = _ground_of(game)

    def look(self, vectors: Floats, masks: NDArray[np.int8]) -> Seen:
        """Return the inputs of a network for vectors (rows, features) and masks (rows, actions)."""
        rows, given = len(vectors), np.zeros((len(vectors), vectors.shape[1] + 2), np.float32)
        given[:, :-2], given[:, -1] = vectors, 1
        facts = given[:, self.columns]
        each = [size * (1 if name in ("moment", "own") else self.count) for name, size in self.sizes.items()]
        moment, own, fighters, relations = np.split(facts, np.cumsum(each)[:-1], axis=1)
        fighters, relations = (part.reshape(rows, self.count, -1) for part in (fighters, relations))
        loadouts = None if self.loadouts is None else loadout_facts(vectors[:, self.loadouts])
        ground = None
        if self.ground is not None:
            here = np.rint(own[:, [0, 1]] * FURTHEST).astype(np.int64)
            window = vectors[:, self.around].reshape(rows, N_CHANNELS, VIEW_SIDE, VIEW_SIDE)

            def ground(of: Whole, steps: Whole) -> Floats:
                near = np.abs(steps).max(axis=1) <= VIEW
                there = _ground_at(self.ground, np.zeros_like(of), here[of] + steps)
                x, y = np.where(near[:, None], steps + VIEW, 0).T
                inside = ((here[of] + steps >= 0) & (here[of] + steps < MAP_SIDE)).all(axis=1)
                there[near & inside] = window[of, :, y, x][near & inside]  # doors may have been opened
                return there

        at_places = np.broadcast_to(self.at_places, (rows, len(self.at_places)))
        choices = _choices(self.slots, masks, at_places, relations, ground)
        itself = np.zeros(rows, np.int64)
        inputs = np.arange(rows), itself, moment, own, fighters, relations, loadouts, *choices
        return Seen(masks.shape[1], *inputs)


def _ground_of(game: HeartRush) -> Floats:
    """Return the ground of a scenario's map, (1, channels, rows, columns)."""
    fight = game.new_template(False)[0]
    terrains = np.full((MAP_SIDE, MAP_SIDE), WALL)
    height, width = int(fight.height), int(fight.width)
    terrains[:height, :width] = fight.cells.reshape(MAP_SIDE, MAP_SIDE)[:height, :width]
    ground: Floats = SHOWN[:, terrains][None].astype(np.float32)
    return ground
