"""Counts of the abilities in the data that fights can play, by chapter and kind."""

from __future__ import annotations

from dataclasses import dataclass

from heartrush_env.games.heart_rush.abilities.all import NUMBERS
from heartrush_env.games.heart_rush.abilities.unit import FOUND
from heartrush_env.games.heart_rush.scenario.abilities import abilities


@dataclass(frozen=True)
class Coverage:
    """A count of the abilities of one kind, and of those among them that fights can play."""

    chapter: str
    kind: str
    implemented: int
    total: int  # without abilities that have nothing to play in a fight


def implemented_ids() -> set[str]:
    """Return the ids of the abilities that fights can play."""
    return set(NUMBERS)


def left_out() -> dict[str, str]:
    """Return the ids of abilities that fights play only in part, each with a description of the part left out."""
    return {id: FOUND[id].left_out for id in NUMBERS if FOUND[id].left_out}


def coverage(implemented: set[str] | None = None) -> list[Coverage]:
    """Return the counts of each kind, in the order of the data; `implemented` is `implemented_ids()` by default."""
    known = implemented_ids() if implemented is None else implemented
    to_play = [entry for entry in abilities().values() if not entry.outside]
    kinds = dict.fromkeys((entry.chapter, entry.kind) for entry in to_play)
    return [
        Coverage(chapter, kind, sum(entry.id in known for entry in of_kind), len(of_kind))
        for chapter, kind in kinds
        for of_kind in [[entry for entry in to_play if (entry.chapter, entry.kind) == (chapter, kind)]]
    ]
