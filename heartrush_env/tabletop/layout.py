"""The layout of observations: vectors, state, reader and schema all come from one list of features."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from heartrush_env.tabletop.arrays import workspace
from heartrush_env.tabletop.memory import copy_numbers
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
    """The compiled writers of a game's observations, which serve all numbers of enemies and allies.

    The observations of a fight are adjacent, `size` numbers each, and the first of them begins at `start`. What all
    viewers see equally is written into one observation and copied into the others.
    """

    # (fight, viewer, out, at, start): writes the moment and the viewer into the observation that begins at `at`, and
    # returns whether what everyone sees of the viewer has changed.
    own: Function
    # (fight, viewer, enemies, allies, out, at, size, changed): writes the rest; places without a fighter are 0
    # already. Of fighters without a bit in `changed` it leaves what all viewers see equally. Unless teams decide, the
    # observations are those of all fighters, with their own parts written.
    others: Function
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
    new_block = workspace((FIGHTER,), np.float32)

    @compiled
    def write_first(fight, viewer, out, at, start):
        if at == start:
            write_moment(fight, out, at)
        else:
            copy_numbers(out, start, out, at, MOMENT)
        block, changed = new_block(), False
        write_fighter(fight, viewer, block, 0)
        for k in range(FIGHTER):
            changed |= out[np.uint64(at + MOMENT + k)] != block[k]
        copy_numbers(block, 0, out, at + MOMENT, FIGHTER)
        write_own(fight, viewer, out, at + MOMENT + FIGHTER)
        return changed

    @compiled
    def write_seen(fight, i, viewer, out, at, own, size, changed):
        if fight.team_control:
            write_fighter(fight, i, out, at)
        elif changed >> i & 1 != 0:
            copy_numbers(out, own + (i - viewer) * size + MOMENT, out, at, FIGHTER)
        write_relation(fight, i, viewer, out, at + FIGHTER)

    @compiled
    def write_others(fight, viewer, enemies, allies, out, at, size, changed):
        me, own = fight.fighters[viewer], at
        at += MOMENT + FIGHTER + OWN
        for k in range(me.enemy_count):
            write_seen(fight, np.int64(me.enemies[k]), viewer, out, at + k * (FIGHTER + RELATION), own, size, changed)
        at += enemies * (FIGHTER + RELATION)
        for k in range(me.ally_count):
            i, place = np.int64(me.allies[k]), at + k * (FIGHTER + RELATION + ALLY)
            write_seen(fight, i, viewer, out, place, own, size, changed)
            write_ally(fight, i, viewer, out, place + FIGHTER + RELATION)

    @compiled
    def write_state(fight, out):
        write_moment(fight, out, 0)
        for i in range(fight.n):
            write_fighter(fight, i, out, MOMENT + i * (FIGHTER + OWN))
            write_own(fight, i, out, MOMENT + i * (FIGHTER + OWN) + FIGHTER)

    return Writers(write_first, write_others, write_state)
