"""The table of actions: one line, with a stable name, for each combination of choice, target place and detail."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from heartrush_env.tabletop.choosing.units import NOBODY, Choice, Target
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.text import spaced

ACTION = record(
    [
        ("deed", "i1"),
        ("place", "i1"),
        ("detail", "i2"),
        ("lines", "i2"),  # the number of lines of its choice, from this one on
    ]
)
SELF = 0  # the place of the fighter itself among the members of its side


class ActionTable(NamedTuple):
    """The actions of a shape."""

    records: Any  # an array of ACTION records, one for each action
    names: tuple[str, ...]
    choices: tuple[Choice, ...]  # the choice of each action

    @property
    def steps(self) -> tuple[tuple[int, int] | None, ...]:
        """The number of squares east and south that each action moves a fighter; None for most actions."""
        lines = zip(self.choices, self.records["detail"].tolist(), strict=True)
        return tuple(choice.steps[detail] if choice.steps else None for choice, detail in lines)

    def detail(self, action: int) -> str:
        """Return what an action's choice leaves open besides the target: a square, a number, an item, or ""."""
        return self.choices[action].details[int(self.records[action].detail)]

    def words(self, action: int, target: str, detail: str) -> str:
        """Return an action's line in a menu, given the words for its target and its detail."""
        return self.choices[action].words.format(target=target, detail=spaced(detail))

    def target(self, action: int, enemies: Sequence[str], allies: Sequence[str]) -> str:
        """Return the name of an action's target, or "" if it has none.

        `enemies` and `allies` are their names, in the order in which actions number them. A target without a name is
        called by its place, as in "ally 2"; the fighter itself is called "itself".
        """
        kind, place = self.choices[action].target, int(self.records[action].place)
        if kind == Target.NOBODY:
            return ""
        if kind == Target.MEMBER:
            kind, place = Target.ALLY, place - 1
        if place < SELF:
            return "itself"
        names = enemies if kind == Target.ENEMY else allies
        return names[place] if place < len(names) else f"{kind.name.lower()} {place + 1}"


def action_table(choices: Sequence[Choice], enemies: int, allies: int, fields: Collection[str]) -> ActionTable:
    """Return the table of actions for a number of enemies and allies.

    Args:
        choices: All choices by number. The first is offered in no window: its one line is the action of a seat that is
            not asked.
        enemies: The number of places for enemies.
        allies: The number of places for allies.
        fields: The fields of a fight's record; a choice that needs a field that is not among them has no lines.
    """
    if choices[0].windows or choices[0].pick:
        raise ImportError(
            f"The choice {choices[0].name!r}: expected a first choice that no window offers, got one that is offered."
        )
    numbered = {Target.ENEMY: range(enemies), Target.ALLY: range(allies), Target.MEMBER: range(allies + 1)}
    lines, names, chosen = [], [], []
    for choice in choices:
        if choice.needs is not None and choice.needs not in fields:
            continue
        places = numbered.get(choice.target, (NOBODY,))
        count = len(places) * len(choice.details)
        for k, place in enumerate(places):
            for detail, words in enumerate(choice.details):
                lines.append((choice.code, place, detail, count - k * len(choice.details) - detail))
                names.append(" ".join(filter(None, (choice.name, _place_name(choice.target, place), words))))
                chosen.append(choice)
    return ActionTable(np.array(lines, ACTION), tuple(names), tuple(chosen))


def _place_name(target: Target, place: int) -> str:
    """Return the number of an enemy or ally, from 1; "self" for the fighter itself, and "" without a target."""
    if target == Target.NOBODY:
        return ""
    if target == Target.MEMBER:
        return "self" if place == SELF else str(place)
    return str(place + 1)
