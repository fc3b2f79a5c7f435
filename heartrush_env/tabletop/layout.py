"""The layout of observations: vectors, state, reader and schema all come from one list of features."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.tables import Block, Counts, Feature, Flag, Line, Word
from heartrush_env.tabletop.units import Function


class Seen(NamedTuple):
    """The blocks of features of a game."""

    moment: Block  # written once; its values take `fight`
    fighter: Block  # what every viewer sees of a fighter; its values take `fight`, `i` and `fighter`, i's record
    own: Block  # what only the fighter itself sees; its values take `fight`, `i` and `fighter`
    relation: Block  # what depends on the viewer; its values take `fight, i, viewer`
    ally: Block  # what is seen of allies alone; its values take `fight, i, viewer`


class Writers(NamedTuple):
    """The compiled writers of a game's observations; one pair serves all numbers of enemies and allies."""

    observation: Function  # (fight, viewer, enemies, allies, out, at)
    state: Function  # (fight, out)


class Layout:
    """The features of an observation: the moment, the viewer, then each enemy and each ally, in the order of places."""

    def __init__(self, seen: Seen, enemies: int, allies: int) -> None:
        self.seen, self.enemies, self.allies = seen, enemies, allies

    @cached_property
    def parts(self) -> list[tuple[str, Block]]:
        """All blocks of an observation in order, each with its owner."""
        seen = self.seen
        found = [("moment", seen.moment), ("self", seen.fighter), ("self", seen.own)]
        for k in range(self.enemies):
            found += [(f"enemy {k + 1}", block) for block in (seen.fighter, seen.relation)]
        for k in range(self.allies):
            found += [(f"ally {k + 1}", block) for block in (seen.fighter, seen.relation, seen.ally)]
        return found

    @cached_property
    def features(self) -> list[Feature]:
        """The features of an observation."""
        return [feature for owner, block in self.parts for feature in _of(owner, block)]

    @cached_property
    def state(self) -> list[Feature]:
        """The features of the state: the moment, and each fighter by its index."""
        whole = self.seen.fighter + self.seen.own
        fighters = range(self.enemies + self.allies + 1)
        return [*self.seen.moment.features, *(feature for k in fighters for feature in whole.of(f"fighter {k}"))]

    def read(self, vector: Sequence[float]) -> dict[str, dict[str, Any]]:
        """Return the values that an observation shows, by owner and then by the names of lines."""
        said: dict[str, dict[str, Any]] = {}
        at = 0
        for owner, block in self.parts:
            said.setdefault(owner, {}).update(block.read(vector, at))
            at += len(block)
        return said

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of what `read` returns."""
        owners: dict[str, dict[str, Any]] = {}
        for owner, block in self.parts:
            owners.setdefault(owner, {}).update({line.name: _schema_of(line) for line in block.lines})
        return _object({owner: _object(lines) for owner, lines in owners.items()})


def _of(owner: str, block: Block) -> list[Feature]:
    return block.features if owner == "moment" else block.of(owner)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object that has exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _schema_of(line: Line) -> dict[str, Any]:
    """Return the JSON schema of a line's value."""
    if isinstance(line, Word):
        return {"enum": [*line.words, None]}
    if isinstance(line, Counts):
        numbers = {word: {"type": "number"} for word in line.words}
        return {"type": "object", "properties": numbers, "additionalProperties": False}
    return {"type": "boolean"} if isinstance(line, Flag) else {"type": "number"}


def writers_of(seen: Seen) -> Writers:
    """Return the compiled writers of a game's observations and of its state."""

    def writer(name: str, block: Block, parameters: str, **given: Any) -> Function:
        return block.writer(f"write_{name}", parameters, compiles=compiled, **given)

    write_moment = writer("moment", seen.moment, "fight")
    write_fighter = writer("fighter", seen.fighter, "fight, i", fighter=lambda fight, i: fight.fighters[i])
    write_own = writer("own", seen.own, "fight, i", fighter=lambda fight, i: fight.fighters[i])
    write_relation = writer("relation", seen.relation, "fight, i, viewer")
    write_ally = writer("ally", seen.ally, "fight, i, viewer")
    MOMENT, FIGHTER, OWN = len(seen.moment), len(seen.fighter), len(seen.own)
    RELATION, ALLY = len(seen.relation), len(seen.ally)

    @compiled
    def write_observation(fight, viewer, enemies, allies, out, at):
        me = fight.fighters[viewer]
        write_moment(fight, out, at)
        write_fighter(fight, viewer, out, at + MOMENT)
        write_own(fight, viewer, out, at + MOMENT + FIGHTER)
        at += MOMENT + FIGHTER + OWN
        for k in range(enemies):
            if k < me.enemy_count:
                i = np.int64(me.enemies[k])
                write_fighter(fight, i, out, at)
                write_relation(fight, i, viewer, out, at + FIGHTER)
            else:
                clear(out, at, FIGHTER + RELATION)
            at += FIGHTER + RELATION
        for k in range(allies):
            if k < me.ally_count:
                i = np.int64(me.allies[k])
                write_fighter(fight, i, out, at)
                write_relation(fight, i, viewer, out, at + FIGHTER)
                write_ally(fight, i, viewer, out, at + FIGHTER + RELATION)
            else:
                clear(out, at, FIGHTER + RELATION + ALLY)
            at += FIGHTER + RELATION + ALLY

    @compiled
    def write_state(fight, out):
        write_moment(fight, out, 0)
        for i in range(fight.n):
            write_fighter(fight, i, out, MOMENT + i * (FIGHTER + OWN))
            write_own(fight, i, out, MOMENT + i * (FIGHTER + OWN) + FIGHTER)

    return Writers(write_observation, write_state)


@compiled
def clear(out, at, count):
    """Write zeros into a flat array."""
    for k in range(count):
        out[np.uint64(at + k)] = 0
