"""Things that lie on the ground, each in a square; without a map, all of them lie in one place."""

from __future__ import annotations

from heartrush_env.tabletop.grids.places import COLUMN, ROW, column_of, row_of
from heartrush_env.tabletop.limits import Limits
from heartrush_env.tabletop.records import Field, record
from heartrush_env.tabletop.rule import compiled

NOT_THERE = -1  # in place of the index of a thing


def lying_fields(kinds: int, most: int) -> list[Field]:
    """Return the record fields of a fight in which at most `most` things lie, of this number of kinds."""
    lying = record([("thing", "i1", Limits(0, kinds - 1)), ("column", "i1", COLUMN), ("row", "i1", ROW)])
    return [("lying_count", "i2", Limits(0, most)), ("lying", lying, (most,), Limits(0, most))]


@compiled
def lay(fight, i, thing):
    """Put a thing on the ground where fighter i is."""
    if fight.lying_count == len(fight.lying):  # only in a position from outside
        return
    lying = fight.lying[fight.lying_count]
    lying.thing = thing
    lying.column = column_of(fight, i)
    lying.row = row_of(fight, i)
    fight.lying_count += 1


@compiled
def place_of(fight, i, thing):
    """Return the index of a thing of this kind that lies where fighter i is; NOT_THERE if there is none."""
    for k in range(fight.lying_count):
        lying = fight.lying[k]
        if lying.thing == thing and lying.column == column_of(fight, i) and lying.row == row_of(fight, i):
            return k
    return NOT_THERE


@compiled
def take_away(fight, k):
    """Take the thing with this index from the ground; the last one gets its index."""
    lying = fight.lying[k]
    fight.lying_count -= 1
    last = fight.lying[fight.lying_count]
    lying.thing = last.thing
    lying.column = last.column
    lying.row = last.row
