"""The masks of legal actions: for each window, generated functions test the lines that it offers, block by block."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.abilities.all import PICK_KIND, PICK_OPTIONAL
from heartrush_env.games.heart_rush.abilities.using import may_use_on, usable_slots
from heartrush_env.games.heart_rush.encoding.actions import (
    ACTION_PASS,
    IS_WITH,
    STEPS,
    count_of,
    first_answer,
    first_step,
    if_with,
    size_of,
    stem_of,
)
from heartrush_env.games.heart_rush.engine.legal import (
    below,
    is_helpful,
    is_in_turn_of_others,
    questions,
)
from heartrush_env.games.heart_rush.engine.offers import (
    BLOCKS,
    CHOICES,
    DASHES,
    IS_SETTLED,
    KIN,
    TABLE,
    WALKS,
    Block,
    gate_of,
)
from heartrush_env.games.heart_rush.engine.picks import is_picking, may_answer, question_of
from heartrush_env.games.heart_rush.engine.ways import is_walking, mask_farther, may_stop, next_steps
from heartrush_env.games.heart_rush.rules.abilities import MOST_OPTIONS, Aim, Kind
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.actions.attack import is_attacker
from heartrush_env.games.heart_rush.rules.choices import Gate, Target
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD, there_are_abilities, with_abilities
from heartrush_env.games.heart_rush.rules.maneuvers.core import may_maneuver, may_maneuver_without_win
from heartrush_env.games.heart_rush.rules.movement import DIRECTIONS
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.stances import may_attack
from heartrush_env.games.heart_rush.rules.terms import NOBODY, PASS, WALK
from heartrush_env.games.heart_rush.state.record import ACTION, OVER, WINDOWS
from heartrush_env.tabletop.rule import compiled, inlined, only_with, unfolded
from heartrush_env.tabletop.tables import put
from heartrush_env.tabletop.units import Function, written

# Marks of masks: the open window if all fighters with a choice have the same legal actions in it, else one of these.
VARIES, PASS_ONLY = OVER, -1
# The aim of a use of an ability, by the kind of target of its block.
AIMS = {Target.NOBODY: int(Aim.NOBODY), Target.ENEMY: int(Aim.ENEMY), Target.COMPANION: int(Aim.ALLY)}


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
    mask_blocks(fight, i, masks, start, enemies)


@with_abilities(None)
@compiled
def mask_uses(fight, i, masks, start, target, aim, usable):
    """Write 1 for each ability that fighter i may use on the target; `usable` is that of `usable_slots`."""
    for slot in range(fight.fighters[i].slots):
        if usable >> slot & 1 and may_use_on(fight, i, slot, target, aim):
            masks[start + slot] = 1


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


# The masks of blocks, generated for each window. Tests that lines share run only once.


def _tested(window: str, block: Block, numbers: Sequence[int], names: dict[str, Any]) -> list[str]:
    """Return source lines that test these lines of a block and write 1 for each legal one; `names` gains their names.

    Lines that are always legal together share one test.
    """
    found = []
    for _, kin in groupby(numbers, KIN.__getitem__):
        kin_lines = list(kin)
        code, detail = TABLE[kin_lines[0]]
        choice = CHOICES[code]
        tests = questions(window, choice, detail, names)
        if gate_of(window, choice) == Gate.MANEUVER:
            tests.insert(0, f"(beats or may_maneuver_without_win(fight, i, target, {code}))")
        legal = [f"put(masks, start, {number - block.first}, 1)" for number in kin_lines]
        found += below([f"if {' and '.join(tests)}:"], legal)
    return found


def _written(window: str, block: Block, names: dict[str, Any]) -> list[str]:
    """Return source lines for the choices that have a function for all their details; a walk is legal if a dash is."""
    found = []
    for code in dict.fromkeys(code for code, _ in block.lines):
        choice = CHOICES[code]
        if "write" not in choice.functions or window not in choice.windows:
            continue
        names[f"write_{choice.name}"] = choice.functions["write"]
        line = TABLE.index((code, 0))
        found.append(f"is_any = write_{choice.name}(fight, i, masks, start + {line - block.first})")
        if line == DASHES:
            found.append(f"put(masks, start, {WALKS - block.first}, is_any)")
    return found


def _mask_of(window: str, block: Block) -> Function | None:
    """Return the function that writes a block's mask in a window, or None if the window offers none of its lines."""
    names: dict[str, Any] = {
        "np": np, "put": put, "is_able": is_able, "is_attacker": is_attacker, "is_helpful": is_helpful,
        "is_in_turn_of_others": is_in_turn_of_others, "may_attack": may_attack, "may_maneuver": may_maneuver,
        "may_maneuver_without_win": may_maneuver_without_win, "there_are_abilities": there_are_abilities,
    }  # fmt: skip
    passing: list[int] = []
    by_gate: dict[Gate, list[int]] = {gate: [] for gate in Gate}
    for number, (code, _) in enumerate(block.lines, block.first):
        choice = CHOICES[code]
        if window in choice.windows and "write" not in choice.functions and code != WALK:
            (passing if code == PASS else by_gate[gate_of(window, choice)]).append(number)
    free, declared, attacks, maneuvers = (_tested(window, block, by_gate[gate], names) for gate in Gate)
    free += _written(window, block, names)
    if maneuvers:
        attacks.append("beats = may_maneuver(fight, i, target)")
        attacks += below(["if beats or there_are_abilities(fight):"], maneuvers)
    lines = free + below(["if able:"], declared) + below(["if attacks and may_attack(fight, i, target):"], attacks)
    if not passing and not lines:
        return None
    if block.target == Target.ALLY:
        lines = below(["if is_helpful(fight, i, target):"], lines)
    stem = stem_of(block)
    if stem:
        each = [f"for place in range(fighter.{stem}y_count):", f"    target = np.int64(fighter.{stem}ies[place])"]
        lines = below([*each, f"    start = at + place * {len(block.lines)}"], lines)
    body = ["fighter, start = fight.fighters[i], at", *_tested(window, block, passing, names)]
    if window == WINDOWS[ACTION]:
        body += ["if is_in_turn_of_others(fight, i):", "    return"]
    body += ["able = is_able(fight, i)"] if declared else []
    body += ["attacks = is_attacker(fight, i)"] if attacks else []
    summary = f"Write 1 for each legal action of a block in the window {window!r}; `at` is the block's first action."
    name = f"mask_{BLOCKS.index(block)}_in_{window}"
    return written(name, "fight, i, masks, at", body + lines, names, summary)


def _masks_of(blocks: Sequence[Block], names: dict[str, Any]) -> list[str]:
    """Return source lines that write the masks of adjacent blocks in the open window; `names` gains their functions."""
    lines: list[str] = []
    for number, window in enumerate(WINDOWS):
        calls = []
        for k, block in enumerate(blocks):
            function = _mask_of(window, block)
            if function is not None:
                names[function.__name__] = function
                at = f"at + {size_of(blocks[:k])}" if k else "at"
                calls.append(f"{function.__name__}(fight, i, masks, {at})")
        lines += below([f"{'elif' if lines else 'if'} fight.window == {number}:"], calls)
    return lines


def _masks_of_uses(blocks: Sequence[Block], names: dict[str, Any]) -> list[str]:
    """Return source lines that write the masks of the blocks of uses of abilities."""
    offered = [any(window in CHOICES[code].windows for code, _ in blocks[0].lines) for window in WINDOWS]
    names.update(mask_uses=mask_uses, usable_slots=usable_slots, OFFERED=np.array(offered))
    lines = ["if not OFFERED[fight.window]:", "    return"]
    lines.append("fighter, usable = fight.fighters[i], usable_slots(fight, i)")
    for block in blocks:
        size, stem = len(block.lines), stem_of(block)
        target, at = (f"fighter.{stem}ies[place]", f"at + place * {size}") if stem else (str(NOBODY), "at")
        each = [f"for place in range(fighter.{stem}y_count):"] if stem else []
        call = f"mask_uses(fight, i, masks, {at}, {target}, {AIMS[block.target]}, usable)"
        lines += [*(below(each, [call]) if each else [call]), f"at += {size} * {count_of(block)}"]
    return lines


def _masking() -> Function:
    """Return the function that writes the masks of all blocks, one after another, from the index `at`."""
    body: list[str] = []
    names: dict[str, Any] = dict(IS_WITH)
    for needs in dict.fromkeys(block.needs for block in BLOCKS):
        blocks = [block for block in BLOCKS if block.needs == needs and not block.answers]
        if needs is None:
            body += [*_masks_of(blocks, names), f"at += {size_of(blocks)}"]
            continue
        used: dict[str, Any] = {}
        lines = _masks_of_uses(blocks, used) if needs == ABILITY_FIELD else _masks_of(blocks, used)
        name, summary = f"mask_with_{needs}", f"Write the masks of the blocks that need the field {needs!r}."
        names[name] = only_with(needs, None)(written(name, "fight, i, masks, at, enemies", lines, used, summary))
        body += [f"{name}(fight, i, masks, at, enemies)", *if_with(needs, [f"at += {size_of(blocks)}"])]
    summary = "Write 1 for each legal action of fighter i, block by block, from index `at`."
    return written("mask_blocks", "fight, i, masks, at, enemies", body, names, summary)


mask_blocks = _masking()
