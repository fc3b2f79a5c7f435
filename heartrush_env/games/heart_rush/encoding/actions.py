"""The action table: a name, a choice, a target's index and a detail for each action number.

The table begins with the choices without a target. Then it has a block for each enemy, a block for each ally, the lines
that only maps have, the lines that only editions with turns have, and last the uses of abilities. The lines of a block
follow ORDER. Shapes differ in the number of blocks.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.encoding.shapes import Shape
from heartrush_env.games.heart_rush.engine.legal import is_helpful, lacks_condition, may_attack_now, may_declare
from heartrush_env.games.heart_rush.engine.offers import (
    ABLE,
    ABLE_ALLY_LINES,
    ABLE_ENEMY_LINES,
    ABLE_LINES,
    ALLIES,
    ALLIES_ABLE,
    ALLY_LINES,
    ALONE,
    ALONE_LINES,
    ASKED,
    AT_TURNS,
    CHOICES,
    DEED,
    DETAIL,
    ENEMIES,
    ENEMIES_ABLE,
    ENEMIES_AT_TURNS,
    ENEMY_LINES,
    GATE,
    IS_SETTLED,
    KIN,
    MAP_LINES,
    OFFER,
    ON_MAP,
    TURN_ENEMY_LINES,
    TURN_LINES,
    WITH_SPARE,
    WRITTEN,
    Entry,
    may_choose,
    settle_detail,
    write_details,
)
from heartrush_env.games.heart_rush.engine.state import ATTACK_WINDOW, OVER
from heartrush_env.games.heart_rush.engine.windows import choose
from heartrush_env.games.heart_rush.rules.choices import Gate
from heartrush_env.games.heart_rush.rules.engaging import by_turns
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.maneuvers.core import may_maneuver
from heartrush_env.games.heart_rush.rules.space import on_map, plays_on_map
from heartrush_env.games.heart_rush.rules.terms import NOBODY, PASS
from heartrush_env.tabletop.rule import compiled, inlined

# The sizes of the blocks.
AT_NOBODY, AT_ENEMY, AT_ALLY = len(ALONE_LINES), len(ENEMY_LINES), len(ALLY_LINES)
FIRST_ON_MAP = AT_NOBODY + AT_ENEMY + AT_ALLY  # the first line that only maps have
AT_MAP, AT_TURN, AT_TURN_ENEMY = len(MAP_LINES), len(TURN_LINES), len(TURN_ENEMY_LINES)
AT_ABLE = len(ABLE_LINES)  # uses of abilities, per block: without a target, at an enemy, for an ally
FIRST_AT_TURNS = FIRST_ON_MAP + AT_MAP
FIRST_ABLE = FIRST_AT_TURNS + AT_TURN + AT_TURN_ENEMY
ACTION_PASS = ALONE_LINES.index((PASS, 0))

# Marks of masks. The mark is the window if all fighters with a choice have the same legal actions in it.
VARIES, PASS_ONLY = OVER, -1


@cache
def action_names(shape: Shape, turns: bool = False) -> tuple[str, ...]:
    """Return the stable name of every action of a shape, in order; `turns` adds actions of editions with turns."""
    return tuple(_name(entry, place) for entry, place in action_table(shape, turns))


def action_table(shape: Shape, turns: bool = False) -> list[tuple[Entry, int | None]]:
    """Return each action of a shape as its line and its target's index, which counts from 1 (None: no target)."""
    return [
        *((entry, None) for entry in ALONE_LINES),
        *((entry, place) for place in range(1, shape.enemies + 1) for entry in ENEMY_LINES),
        *((entry, place) for place in range(1, shape.allies + 1) for entry in ALLY_LINES),
        *((entry, None) for entry in MAP_LINES if shape.on_map),
        *((entry, None) for entry in TURN_LINES if turns),
        *((entry, place) for place in range(1, shape.enemies + 1) for entry in TURN_ENEMY_LINES if turns),
        *((entry, None) for entry in ABLE_LINES if shape.abilities),
        *((entry, place) for place in range(1, shape.enemies + 1) for entry in ABLE_ENEMY_LINES if shape.abilities),
        *((entry, place) for place in range(1, shape.allies + 1) for entry in ABLE_ALLY_LINES if shape.abilities),
    ]


def _name(entry: Entry, place: int | None) -> str:
    choice = CHOICES[entry[0]]
    words = (choice.name, "" if place is None else str(place), choice.details[entry[1]])
    return " ".join(word for word in words if word)


@inlined
def entry_of(action, enemies):
    """Return the table line of an action; the shape has room for `enemies` enemies and one ally fewer."""
    if action < AT_NOBODY:
        return action
    action -= AT_NOBODY
    if action < enemies * AT_ENEMY:
        return AT_NOBODY + action % AT_ENEMY
    action -= enemies * AT_ENEMY
    if action < (enemies - 1) * AT_ALLY:
        return AT_NOBODY + AT_ENEMY + action % AT_ALLY
    return FIRST_ON_MAP + action - (enemies - 1) * AT_ALLY


@inlined
def target_of(fighter, action, enemies):
    """Return the fighter that an action targets, by its index in the actor's view; NOBODY if there is none."""
    if action < AT_NOBODY:
        return NOBODY
    action -= AT_NOBODY
    if action < enemies * AT_ENEMY:
        place = action // AT_ENEMY
        return fighter.enemies[place] if place < fighter.enemy_count else NOBODY
    action -= enemies * AT_ENEMY
    place = action // AT_ALLY
    return fighter.allies[place] if place < min(enemies - 1, fighter.ally_count) else NOBODY


@compiled
def choose_action(match, i, action, enemies):
    """Make the action of this number fighter i's choice in the open window."""
    if choose_at_turns(match, i, action, enemies) or choose_ability(match, i, action, enemies):
        return
    entry = entry_of(action, enemies)
    target = target_of(match.fighters[i], action, enemies)
    choose(match, i, DEED[entry], target, settle_detail(match, DEED[entry], i, DETAIL[entry]))


@inlined
def first_at_turns(match, enemies):
    """Return the number of the first action that only editions with turns have."""
    return AT_NOBODY + enemies * AT_ENEMY + (enemies - 1) * AT_ALLY + AT_MAP * plays_on_map(match)


@by_turns(False)
@compiled
def choose_at_turns(match, i, action, enemies):
    """Set fighter i's choice if only editions with turns have the action; return whether this is the case."""
    number = action - first_at_turns(match, enemies)
    if number < 0:
        return False
    target, line = NOBODY, FIRST_AT_TURNS + number
    if number >= AT_TURN:
        place = (number - AT_TURN) // AT_TURN_ENEMY
        line = FIRST_AT_TURNS + AT_TURN + (number - AT_TURN) % AT_TURN_ENEMY
        target = match.fighters[i].enemies[place] if place < match.fighters[i].enemy_count else NOBODY
    choose(match, i, DEED[line], target, DETAIL[line])
    return True


@with_abilities(False)
@compiled
def choose_ability(match, i, action, enemies):
    """Set fighter i's choice if the action is the use of an ability; return whether this is the case."""
    number = action - first_at_turns(match, enemies)
    if number < 0:
        return False
    fighter, block = match.fighters[i], number // AT_ABLE
    target = NOBODY
    if 1 <= block <= enemies:
        target = fighter.enemies[block - 1] if block <= fighter.enemy_count else NOBODY
    elif block > enemies:
        place = block - enemies - 1
        target = fighter.allies[place] if place < fighter.ally_count else NOBODY
    line = FIRST_ABLE + number % AT_ABLE + AT_ABLE * (0 if block == 0 else (1 if block <= enemies else 2))
    choose(match, i, DEED[line], target, DETAIL[line])
    return True


@inlined
def mark_of_mask(match, i):
    """Return the mark of fighter i's mask; VARIES where only `write_mask` can find what it allows."""
    if not match.fighters[i].pending:
        return PASS_ONLY
    return np.int64(match.window) if IS_SETTLED[match.window] else VARIES


@inlined
def renew_mask(match, i, view, seat, masks, start, actions, enemies):
    """Write the mask of fighter i for a seat, unless the buffer already holds it since the last window.

    Most masks of a fight are one of a few, and writing a mask takes longer than comparing marks.
    """
    mark = mark_of_mask(match, i)
    if mark == VARIES or mark != view.masks[seat]:
        write_mask(match, i, masks, start, actions, enemies)
        view.masks[seat] = mark


@compiled
def write_mask(match, i, masks, start, actions, enemies):
    """Write fighter i's mask from index `start`: 1 for each action it may take now; without a choice only `pass`."""
    for action in range(actions):
        masks[np.uint64(start + action)] = 0
    if not match.fighters[i].pending:
        masks[start + ACTION_PASS] = 1
        return
    fighter = match.fighters[i]
    mask_lines(match, i, masks, start, ALONE, NOBODY)
    if fighter.has_spare:
        mask_lines(match, i, masks, start, WITH_SPARE, NOBODY)
    for place in range(fighter.enemy_count):
        mask_lines(match, i, masks, start + place * AT_ENEMY, ENEMIES, fighter.enemies[place])
    shift = (enemies - 1) * AT_ENEMY
    for place in range(fighter.ally_count):
        mask_lines(match, i, masks, start + shift + place * AT_ALLY, ALLIES, fighter.allies[place])
    mask_on_map(match, i, masks, start + shift + (enemies - 2) * AT_ALLY)
    mask_at_turns(match, i, masks, start + first_at_turns(match, enemies) - FIRST_AT_TURNS)
    mask_abilities(match, i, masks, start + first_at_turns(match, enemies) - FIRST_ABLE, enemies)


@compiled
def mask_lines(match, i, masks, start, block, target):
    """Write 1 for each line of a block that fighter i may do to the target in this window; see is_legal.

    Tests of the target alone run only once. Lines that are always legal together share one test.
    """
    fighter, window, k = match.fighters[i], match.window, 0
    if block == ALLIES and not is_helpful(match, i, target):
        return
    last, allowed = np.int64(NOBODY), False
    attacks = window == ATTACK_WINDOW and target != NOBODY and may_attack_now(match, i, target)
    beats = attacks and may_maneuver(match, i, target)
    while ASKED[block, window, k] != NOBODY:
        line = ASKED[block, window, k]
        if KIN[line] != last:
            deed, last = DEED[line], np.int64(KIN[line])
            detail = settle_detail(match, deed, i, DETAIL[line])
            gate = GATE[OFFER[window, deed]]
            if gate == Gate.DECLARATION:
                open_to_it = not lacks_condition(fighter, deed) and may_declare(match, i, deed, target, detail)
            else:
                open_to_it = gate == Gate.NONE or (beats if gate == Gate.MANEUVER else attacks)
            allowed = open_to_it and may_choose(match, OFFER[window, deed], i, target, detail)
        if allowed:
            masks[start + line] = 1
        k += 1


@on_map(None)
@compiled
def mask_on_map(match, i, masks, start):
    """Write 1 for each legal line that only maps have."""
    mask_lines(match, i, masks, start, ON_MAP, NOBODY)
    k = 0
    while ASKED[WRITTEN, match.window, k] != NOBODY:
        line = ASKED[WRITTEN, match.window, k]
        write_details(match, DEED[line], i, masks, start + line)
        k += 1


@by_turns(None)
@compiled
def mask_at_turns(match, i, masks, start):
    """Write 1 for each legal line that only editions with turns have."""
    fighter = match.fighters[i]
    mask_lines(match, i, masks, start, AT_TURNS, NOBODY)
    for place in range(fighter.enemy_count):
        mask_lines(match, i, masks, start + place * AT_TURN_ENEMY, ENEMIES_AT_TURNS, fighter.enemies[place])


@with_abilities(None)
@compiled
def mask_abilities(match, i, masks, start, enemies):
    """Write 1 for each legal use of an ability."""
    fighter = match.fighters[i]
    if ASKED[ABLE, match.window, 0] == NOBODY:
        return
    mask_lines(match, i, masks, start, ABLE, NOBODY)
    for place in range(fighter.enemy_count):
        mask_lines(match, i, masks, start + place * AT_ABLE, ENEMIES_ABLE, fighter.enemies[place])
    start += (enemies - 1) * AT_ABLE
    for place in range(fighter.ally_count):
        mask_lines(match, i, masks, start + place * AT_ABLE, ALLIES_ABLE, fighter.allies[place])


def describe_table(shape: Shape) -> list[dict[str, Any]]:
    """Return the number, name and deed of every action of a shape, for documentation."""
    deeds = [CHOICES[code].name for (code, _), _ in action_table(shape)]
    return [{"action": n, "name": name, "deed": deeds[n]} for n, name in enumerate(action_names(shape))]
