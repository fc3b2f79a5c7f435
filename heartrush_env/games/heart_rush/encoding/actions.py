"""The action table: a name, a choice, a target's index and a detail for each action number.

The table consists of the blocks of `BLOCKS` in order; a block for enemies or allies is repeated for each place. The
lines of a block follow ORDER. The names of actions, their decoder and their masks are all derived from these blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.abilities.all import PICK_KIND, PICK_OPTIONAL
from heartrush_env.games.heart_rush.abilities.using import may_use_on, usable_slots
from heartrush_env.games.heart_rush.encoding.shapes import Shape
from heartrush_env.games.heart_rush.engine.legal import (
    is_helpful,
    is_in_turn_of_others,
    lacks_condition,
    may_attack_now,
    may_declare,
    must_wait,
)
from heartrush_env.games.heart_rush.engine.offers import (
    ALLIES,
    ALONE,
    ASKED,
    BLOCKS,
    CHOICES,
    DASHES,
    DEED,
    DETAIL,
    GATE,
    IS_SETTLED,
    KIN,
    OFFER,
    TABLE,
    WALKS,
    WITH_SPARE,
    WRITTEN,
    Block,
    Entry,
    may_choose,
    settle_detail,
    write_details,
)
from heartrush_env.games.heart_rush.engine.picks import (
    answer_of,
    answer_pick,
    ask_next_part,
    is_picking,
    may_answer,
    question_of,
)
from heartrush_env.games.heart_rush.engine.ways import (
    ask_how_far,
    ask_next_step,
    forget_earlier_way,
    is_walking,
    mask_farther,
    may_stop,
    next_steps,
    take_step,
)
from heartrush_env.games.heart_rush.engine.windows import choose_fallback
from heartrush_env.games.heart_rush.rules.abilities import MOST_OPTIONS, Aim, Kind
from heartrush_env.games.heart_rush.rules.choices import BY_TURNS, ON_MAPS, Gate, Target
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD, with_abilities
from heartrush_env.games.heart_rush.rules.maneuvers.core import may_maneuver, may_maneuver_without_win
from heartrush_env.games.heart_rush.rules.movement import DIRECTIONS
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.terms import NOBODY, PASS, SIDESTEP
from heartrush_env.games.heart_rush.state.choices import choose
from heartrush_env.games.heart_rush.state.record import ATTACK_WINDOW, OVER
from heartrush_env.tabletop.rule import compiled, inlined, only_with, unfolded
from heartrush_env.tabletop.units import Function, written

ACTION_PASS = BLOCKS[ALONE].lines.index((PASS, 0))

# Marks of masks: the open window if all fighters with a choice have the same legal actions in it, else one of these.
VARIES, PASS_ONLY = OVER, -1
# The first block of uses of abilities, and what a use in a block with these targets aims at.
USES = next(number for number, block in enumerate(BLOCKS) if block.needs == ABILITY_FIELD and not block.answers)
AIMS = {Target.NOBODY: int(Aim.NOBODY), Target.ENEMY: int(Aim.ENEMY), Target.COMPANION: int(Aim.ALLY)}


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


def _places(block: Block) -> str:
    """Return, as source text, how often a shape repeats a block; the text may use the name `enemies`."""
    return {Target.NOBODY: "1", Target.ENEMY: "enemies"}.get(block.target, "(enemies - 1)")


def _others(block: Block) -> str:
    """Return the stem of the names of a block's targets: "enem" for enemies, "all" for allies, "" for no target."""
    return {Target.NOBODY: "", Target.ENEMY: "enem"}.get(block.target, "all")


def _if_with(needs: str | None, lines: list[str]) -> list[str]:
    """Return source lines as they are if `needs` is None, otherwise under a test for that field of the record."""
    return lines if needs is None else [f"if is_with_{needs}(fight):", *("    " + line for line in lines)]


def _decoding() -> Function:
    """Return the decoder of action numbers."""
    body = ["fighter = fight.fighters[i]"]
    for block in BLOCKS:
        size, others = len(block.lines), _others(block)
        found = [f"line, target = {block.first} + action % {size}, np.int64({NOBODY})"]
        if others:
            found += [
                f"place = action // {size}",
                f"if place < fighter.{others}y_count:",
                f"    target = np.int64(fighter.{others}ies[place])",
            ]
        found += ["return np.int64(DEED[line]), target, np.int64(DETAIL[line])"]
        body += _if_with(
            block.needs,
            [
                f"if action < {size} * {_places(block)}:",
                *("    " + line for line in found),
                f"action -= {size} * {_places(block)}",
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


@inlined
def mark_of_mask(fight, i):
    """Return a number that identifies fighter i's mask, or VARIES if only `write_mask` can find the legal actions."""
    if not fight.fighters[i].pending:
        return PASS_ONLY
    if is_walking(fight, i) or is_picking(fight, i):
        return VARIES
    return np.int64(fight.window) if IS_SETTLED[fight.window] else VARIES


@inlined
def renew_mask(fight, i, view, seat, masks, start, actions, enemies):
    """Write the mask of fighter i for a seat, unless the buffer still holds it from the last window.

    Most masks of a fight are among a few, and writing a mask takes longer than comparing marks.
    """
    mark = mark_of_mask(fight, i)
    if mark == VARIES or mark != view.masks[seat]:
        write_mask(fight, i, masks, start, actions, enemies)
        view.masks[seat] = mark


@unfolded
def write_mask(fight, i, masks, start, actions, enemies):
    """Write fighter i's mask from index `start`: 1 for each legal action; without a choice, only for `pass`."""
    for action in range(actions):
        masks[np.uint64(start + action)] = 0
    if not fight.fighters[i].pending:
        masks[start + ACTION_PASS] = 1
        return
    if is_walking(fight, i):
        mask_steps(fight, i, masks, start, enemies)
        return
    if is_picking(fight, i):
        mask_answers(fight, i, masks, start, enemies)
        return
    if fight.fighters[i].has_spare:
        mask_lines(fight, i, masks, start, WITH_SPARE, NOBODY)
    mask_blocks(fight, i, masks, start, enemies)


@compiled
def mask_lines(fight, i, masks, start, block, target):
    """Write 1 for each line of a block that fighter i may choose for the target in this window; see is_legal.

    Tests of the target alone run only once. Lines that are always legal together share one test.
    """
    fighter, window, k = fight.fighters[i], fight.window, 0
    if block == ALLIES and not is_helpful(fight, i, target):
        return
    last, allowed = np.int64(NOBODY), False
    attacks = window == ATTACK_WINDOW and target != NOBODY and may_attack_now(fight, i, target)
    beats = attacks and may_maneuver(fight, i, target)
    while ASKED[block, window, k] != NOBODY:
        line = ASKED[block, window, k]
        if KIN[line] != last:
            deed, last = DEED[line], np.int64(KIN[line])
            detail = settle_detail(fight, deed, i, DETAIL[line])
            gate = GATE[OFFER[window, deed]]
            if gate == Gate.DECLARATION:
                open_to_it = not lacks_condition(fighter, deed) and may_declare(fight, i, deed, target, detail)
            else:
                open_to_it = gate == Gate.NONE or (beats if gate == Gate.MANEUVER else attacks)
                if gate == Gate.MANEUVER and attacks and not beats:
                    open_to_it = may_maneuver_without_win(fight, i, target, deed)
            open_to_it = open_to_it and not must_wait(fight, i, deed)
            allowed = open_to_it and may_choose(fight, OFFER[window, deed], i, target, detail)
        if allowed:
            masks[start + line] = 1
        k += 1


@with_abilities(None)
@compiled
def mask_uses(fight, i, masks, start, target, aim, usable):
    """Write 1 for each ability that fighter i may use on the target; `usable` is that of `usable_slots`."""
    for slot in range(fight.fighters[i].slots):
        if usable >> slot & 1 and may_use_on(fight, i, slot, target, aim):
            masks[start + slot] = 1


@on_map(None)
@compiled
def mask_written(fight, i, masks, start):
    """Write 1 for each legal line of the choices that have a function for all their details at once.

    A walk is legal if any dash is legal.
    """
    if is_in_turn_of_others(fight, i):
        return
    k = 0
    while ASKED[WRITTEN, fight.window, k] != NOBODY:
        line = ASKED[WRITTEN, fight.window, k]
        is_any = write_details(fight, DEED[line], i, masks, start + line)
        if line == DASHES:
            masks[start + WALKS] = is_any
        k += 1


@on_map(None)
@compiled
def mask_steps(fight, i, masks, start, enemies):
    """Write 1 for each step or place that may continue fighter i's way, and for `pass` if the way may end."""
    masks[start + ACTION_PASS] = may_stop(fight, i)
    at, steps = start + first_step(fight, enemies), next_steps(fight, i)
    for d in range(DIRECTIONS):
        masks[at + d] = steps >> d & 1
    mask_farther(fight, i, masks, at + DASHES - STEPS)


@with_abilities(None)
@compiled
def mask_answers(fight, i, masks, start, enemies):
    """Write 1 for each answer that fighter i may give to the part that it is asked for; `start` is the first action."""
    fighter = fight.fighters[i]
    owner, slot, target = question_of(fight, i)
    part = np.int64(fighter.picking) - 1
    number = fight.fighters[owner].loadout[slot]
    kind = PICK_KIND[number, part]
    masks[start + ACTION_PASS] = PICK_OPTIONAL[number, part]
    if kind == Kind.DIRECTION:
        at = start + first_step(fight, enemies)
        for picked in range(DIRECTIONS):
            masks[at + picked] = may_answer(fight, owner, slot, target, part, picked)
        return
    at = start + first_answer(fight, enemies)
    if kind == Kind.OPTION:
        for picked in range(MOST_OPTIONS):
            masks[at + picked] = may_answer(fight, owner, slot, target, part, picked)
        return
    at += MOST_OPTIONS
    for place in range(fighter.enemy_count):
        masks[at + place] = may_answer(fight, owner, slot, target, part, np.int64(fighter.enemies[place]))
    at += enemies
    for place in range(fighter.ally_count):
        masks[at + place] = may_answer(fight, owner, slot, target, part, np.int64(fighter.allies[place]))


def _size(blocks: Sequence[Block]) -> str:
    """Return, as source text, the number of actions of some blocks; the text may use the name `enemies`."""
    return " + ".join(f"{len(block.lines)} * {_places(block)}" for block in blocks)


def _first_line(name: str, block: Block, line: int, summary: str) -> Function:
    """Return a function that finds the action of a block's line; if the block is repeated, the first such action."""
    before = BLOCKS[: BLOCKS.index(block)]
    body = ["at = 0"]
    for needs in dict.fromkeys(block.needs for block in before):
        body += _if_with(needs, [f"at += {_size([block for block in before if block.needs == needs])}"])
    return written(name, "fight, enemies", [*body, f"return at + {line}"], IS_WITH, summary)


_ANSWERS = next(block for block in BLOCKS if block.answers)
_STEPS = next(block for block in BLOCKS if (SIDESTEP, 0) in block.lines)
STEPS = TABLE.index((SIDESTEP, 0))
first_answer = _first_line("first_answer", _ANSWERS, 0, "Return the first action that completes a choice.")
first_step = _first_line(
    "first_step", _STEPS, _STEPS.lines.index((SIDESTEP, 0)), "Return the action of a sidestep to the north."
)


def _masking() -> Function:
    """Return the function that writes the masks of all blocks, one after another, from the index `at`."""
    body = ["fighter = fight.fighters[i]"]
    names: dict[str, Any] = {
        "mask_lines": mask_lines, "mask_written": mask_written, "mask_uses": mask_uses, "usable_slots": usable_slots,
        "ASKED": ASKED, **IS_WITH,
    }  # fmt: skip
    for needs in dict.fromkeys(block.needs for block in BLOCKS):
        lines: list[str] = []
        for number, block in enumerate(BLOCKS):
            if block.needs == needs and not block.answers:
                lines += _mask_of(number, block)
        if needs is None:
            body += lines
            continue
        name = f"mask_with_{needs}"
        if needs == ABILITY_FIELD:
            lines = [
                f"if ASKED[{USES}, fight.window, 0] == {NOBODY}: return",
                "usable = usable_slots(fight, i)",
                *lines,
            ]
        lines = ["fighter = fight.fighters[i]", *lines]
        summary = f"Write the masks of the blocks that need the field {needs!r}."
        names[name] = only_with(needs, None)(written(name, "fight, i, masks, at, enemies", lines, names, summary))
        size = _size([block for block in BLOCKS if block.needs == needs])
        body += [f"{name}(fight, i, masks, at, enemies)", *_if_with(needs, [f"at += {size}"])]
    summary = "Write 1 for each legal action of fighter i, block by block, from index `at`."
    return written("mask_blocks", "fight, i, masks, at, enemies", body, names, summary)


def _mask_of(number: int, block: Block) -> list[str]:
    """Return the source lines that write one block's masks and then move `at` past the block."""
    size, others = len(block.lines), _others(block)
    target, at = f"fighter.{others}ies[place]" if others else str(NOBODY), f"at + place * {size}" if others else "at"
    if block.needs == ABILITY_FIELD:
        lines = [f"mask_uses(fight, i, masks, {at}, {target}, {AIMS[block.target]}, usable)"]
    else:
        lines = [f"mask_lines(fight, i, masks, {at} - {block.first}, {number}, {target})"]
    if others:
        lines = [f"for place in range(fighter.{others}y_count):", *("    " + line for line in lines)]
    if block.needs == ON_MAPS:
        lines += [f"mask_written(fight, i, masks, at - {block.first})"]
    elif block.needs == BY_TURNS:
        lines = [f"if ASKED[{number}, fight.window, 0] != {NOBODY}:", *("    " + line for line in lines)]
    return [*lines, f"at += {size} * {_places(block)}"]


mask_blocks = _masking()


def describe_table(shape: Shape) -> list[dict[str, Any]]:
    """Return the number, name and deed of every action of a shape, for documentation."""
    deeds = [CHOICES[code].name for (code, _), _ in action_table(shape)]
    return [{"action": n, "name": name, "deed": deeds[n]} for n, name in enumerate(action_names(shape))]
