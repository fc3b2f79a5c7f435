"""The action table: a name, a choice, a target's index and a detail for each action number.

The table consists of the blocks of `BLOCKS` in order; a block for enemies or allies is repeated for each place. The
lines of a block follow ORDER. The names of actions, their decoder and their masks are all derived from these blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.encoding.shapes import Shape
from heartrush_env.games.heart_rush.engine.offers import (
    BLOCKS,
    CHOICES,
    DEED,
    DETAIL,
    TABLE,
    Block,
    Entry,
    settle_detail,
)
from heartrush_env.games.heart_rush.engine.picks import (
    answer_of,
    answer_pick,
    ask_next_part,
    is_picking,
)
from heartrush_env.games.heart_rush.engine.ways import (
    ask_how_far,
    ask_next_step,
    forget_earlier_way,
    is_walking,
    take_step,
)
from heartrush_env.games.heart_rush.engine.windows import choose_fallback
from heartrush_env.games.heart_rush.rules.choices import BY_TURNS, ON_MAPS, Target
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.terms import NOBODY, PASS, SIDESTEP
from heartrush_env.games.heart_rush.state.choices import choose
from heartrush_env.tabletop.rule import compiled, inlined, only_with
from heartrush_env.tabletop.units import Function, written

ACTION_PASS = TABLE.index((PASS, 0))


@cache
def action_names(shape: Shape, turns: bool = False) -> tuple[str, ...]:
    """Return the stable name of every action of a shape, in order; `turns` adds actions of editions with turns."""
    return tuple(_name(entry, place) for entry, place in action_table(shape, turns))


def action_table(shape: Shape, turns: bool = False) -> list[tuple[Entry, int | None]]:
    """Return each action of a shape as its line and its target's index, which counts from 1 (None: no target)."""
    has = {None: True, ON_MAPS: shape.on_map, BY_TURNS: turns, ABILITY_FIELD: shape.abilities}
    allies, enemies = range(1, shape.allies + 1), range(1, shape.enemies + 1)
    places: dict[Target, Sequence[int | None]] = {Target.NOBODY: [None], Target.ENEMY: enemies}
    return [
        (entry, place)
        for block in BLOCKS
        if has[block.needs]
        for place in places.get(block.target, allies)
        for entry in block.lines
    ]


def _name(entry: Entry, place: int | None) -> str:
    choice = CHOICES[entry[0]]
    words = (choice.name, "" if place is None else str(place), choice.details[entry[1]])
    return " ".join(word for word in words if word)


# ----------------------------------------------------------------------------------------------------- from the blocks


def _field_test(field: str) -> Function:
    """Return the function that tests whether a fight's record has a field; its result is constant for a record type."""
    return only_with(field, False)(written(f"is_with_{field}", "fight", ["return True"], {}, "Return True."))


IS_WITH = {f"is_with_{field}": _field_test(field) for field in (ON_MAPS, BY_TURNS, ABILITY_FIELD)}


def count_of(block: Block) -> str:
    """Return, as source text, how often a shape repeats a block; the text may use the name `enemies`."""
    return {Target.NOBODY: "1", Target.ENEMY: "enemies"}.get(block.target, "(enemies - 1)")


def stem_of(block: Block) -> str:
    """Return the stem of the names of a block's targets: "enem" for enemies, "all" for allies, "" for no target."""
    return {Target.NOBODY: "", Target.ENEMY: "enem"}.get(block.target, "all")


def if_with(needs: str | None, lines: list[str]) -> list[str]:
    """Return source lines as they are if `needs` is None, otherwise under a test for that field of the record."""
    return lines if needs is None else [f"if is_with_{needs}(fight):", *("    " + line for line in lines)]


def _decoding() -> Function:
    """Return the decoder of action numbers."""
    body = ["fighter = fight.fighters[i]"]
    for block in BLOCKS:
        size, others = len(block.lines), stem_of(block)
        found = [f"line, target = {block.first} + action % {size}, np.int64({NOBODY})"]
        if others:
            found += [
                f"place = action // {size}",
                f"if place < fighter.{others}y_count:",
                f"    target = np.int64(fighter.{others}ies[place])",
            ]
        found += ["return np.int64(DEED[line]), target, np.int64(DETAIL[line])"]
        body += if_with(
            block.needs,
            [
                f"if action < {size} * {count_of(block)}:",
                *("    " + line for line in found),
                f"action -= {size} * {count_of(block)}",
            ],
        )
    body += [f"return np.int64({PASS}), np.int64({NOBODY}), np.int64(0)"]
    names = {"np": np, "DEED": DEED, "DETAIL": DETAIL, **IS_WITH}
    summary = "Return the deed, the target and the detail of an action of fighter i; `enemies` is the shape's most."
    return written("decode", "fight, i, action, enemies", body, names, summary)


decode = _decoding()


@compiled
def choose_action(fight, i, action, enemies):
    """Set fighter i's choice in the open window to the action with this number."""
    deed, target, detail = decode(fight, i, action, enemies)
    choose(fight, i, deed, target, settle_detail(fight, deed, i, detail))
    forget_earlier_way(fight, i)
    ask_how_far(fight, i)


@inlined
def take_action(fight, i, action, legal, enemies):
    """Record a pending fighter's action, or a fallback if it is not legal; then ask for any part still missing."""
    fighter = fight.fighters[i]
    fighter.pending = False
    if is_walking(fight, i) or is_picking(fight, i):
        deed, target, detail = decode(fight, i, action, enemies)
        take_answer(fight, i, legal, answer_of(deed, target, detail))
    elif legal:
        choose_action(fight, i, action, enemies)
    else:
        choose_fallback(fight, i)
    ask_next_step(fight, i)
    ask_next_part(fight, i)


@compiled
def take_answer(fight, i, legal, answer):
    """Record fighter i's answer to the step or part that it is asked for, or a fallback if the answer is not legal."""
    if is_walking(fight, i):
        take_step(fight, i, legal, answer)
    else:
        answer_pick(fight, i, legal, answer)


def size_of(blocks: Sequence[Block]) -> str:
    """Return, as source text, the number of actions of some blocks; the text may use the name `enemies`."""
    return " + ".join(f"{len(block.lines)} * {count_of(block)}" for block in blocks)


def _first_line(name: str, block: Block, line: int, summary: str) -> Function:
    """Return a function that finds the action of a block's line; if the block is repeated, the first such action."""
    before = BLOCKS[: BLOCKS.index(block)]
    body = ["at = 0"]
    for needs in dict.fromkeys(block.needs for block in before):
        body += if_with(needs, [f"at += {size_of([block for block in before if block.needs == needs])}"])
    return written(name, "fight, enemies", [*body, f"return at + {line}"], IS_WITH, summary)


_ANSWERS = next(block for block in BLOCKS if block.answers)
_STEPS = next(block for block in BLOCKS if (SIDESTEP, 0) in block.lines)
STEPS = TABLE.index((SIDESTEP, 0))
first_answer = _first_line("first_answer", _ANSWERS, 0, "Return the first action that completes a choice.")
first_step = _first_line(
    "first_step", _STEPS, _STEPS.lines.index((SIDESTEP, 0)), "Return the action of a sidestep to the north."
)


def describe_table(shape: Shape) -> list[dict[str, Any]]:
    """Return the number, name and deed of every action of a shape, for documentation."""
    deeds = [CHOICES[code].name for (code, _), _ in action_table(shape)]
    return [{"action": n, "name": name, "deed": deeds[n]} for n, name in enumerate(action_names(shape))]
