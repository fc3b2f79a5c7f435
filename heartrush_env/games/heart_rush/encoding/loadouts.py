"""Features of abilities, at the end of an observation: the occasion for instants, the attack in progress, and loadouts.

A fighter's own side sees its whole loadout. Other sides see an ability once it has been used. The last features are
about the part of a choice or of a request that the viewer is asked for; only the viewer's observation has them.
"""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.all import CODES, PICK_KIND
from heartrush_env.games.heart_rush.engine.offers import CHOICES
from heartrush_env.games.heart_rush.engine.picks import question_of
from heartrush_env.games.heart_rush.rules.abilities import (
    LETTERS,
    MOST_OPTIONS,
    OCCASIONS,
    ON_DECLARATION,
    ON_FIRST_ROLL,
    ON_SECOND_ROLL,
    PARTS,
    SLOTS,
    WITH_ROUND,
    Kind,
)
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.terms import DEEDS, MOST_FIGHTERS, NOBODY, PASS, WALK
from heartrush_env.games.heart_rush.state.ability_fields import MEMOS, SHOWN_OF_LOADOUT
from heartrush_env.games.heart_rush.state.choices import outer_choice
from heartrush_env.games.heart_rush.state.record import INSTANT_WINDOW, PICK_WINDOW
from heartrush_env.tabletop.memory import renewer
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rule import compiled, inlined
from heartrush_env.tabletop.tables import Block, each, feature, flag, one_of

CODE_BITS = 10
KINDS = tuple(kind.name.lower() for kind in Kind if kind != Kind.NOTHING)
PART_NAMES = tuple(str(part) for part in range(1, PARTS + 1))
DECLARED = tuple(  # a walk is declared as a dash
    choice.name for choice in CHOICES if "action" in choice.windows and choice.code not in (PASS, WALK)
)
PLACES = np.array([DECLARED.index(name) if name in DECLARED else NOBODY for name in DEEDS], np.int8)
EVERY_SLOT = (1 << SLOTS) - 1
MOST_TOTAL, MOST_USES, MOST_MEMO = 40, 5, 100  # scales of the features


@inlined
def occasion_now(fight):
    """Return the index of the occasion for instants, or NOBODY outside their window."""
    return fight.occasion if fight.window == INSTANT_WINDOW else NOBODY


@inlined
def is_rolling(fight):
    """Return whether an attack is in progress and its rolls are being answered."""
    return fight.window == INSTANT_WINDOW and (fight.occasion == ON_FIRST_ROLL or fight.occasion == ON_SECOND_ROLL)


@inlined
def is_answering(fight):
    """Return whether a declaration in the action phase is being answered."""
    return fight.window == INSTANT_WINDOW and fight.occasion == ON_DECLARATION


@inlined
def declared_now(fight):
    """Return the index in `DECLARED` of the declaration that is being answered, or NOBODY."""
    return PLACES[outer_choice(fight, fight.mover).deed] if is_answering(fight) else NOBODY


@inlined
def striker_now(fight):
    """Return the fighter whose attack or declaration is being answered, or NOBODY."""
    if is_answering(fight):
        return fight.mover
    return fight.exchange.striker if is_rolling(fight) else NOBODY


@inlined
def target_now(fight):
    """Return the target of the attack or declaration that is being answered, or NOBODY."""
    if is_answering(fight):
        return outer_choice(fight, fight.mover).target
    return fight.exchange.target if is_rolling(fight) else NOBODY


@inlined
def total_now(fight, roll, seen):
    """Return the total of a roll of the attack in progress, or 0 if it has not been made."""
    return roll.total if seen and is_rolling(fight) else 0


@inlined
def own_is_rolled(fight):
    """Return whether the striker's roll has been made."""
    exchange = fight.exchange
    later = exchange.contest and fight.fighters[exchange.striker].turn >= fight.fighters[exchange.target].turn
    return fight.occasion == ON_SECOND_ROLL or not later


@inlined
def opposing_is_rolled(fight):
    """Return whether the target's roll has been made."""
    exchange = fight.exchange
    first = exchange.contest and fight.fighters[exchange.striker].turn >= fight.fighters[exchange.target].turn
    return fight.occasion == ON_SECOND_ROLL or first


@compiled
def kind_now(fight, i):
    """Return the kind of answer that fighter i is asked for, or 0 if it is not asked."""
    fighter = fight.fighters[i]
    if fighter.picking == 0:
        return np.int64(0)
    owner, slot, _ = question_of(fight, i)
    return np.int64(PICK_KIND[fight.fighters[owner].loadout[slot], fighter.picking - 1])


@compiled
def slot_now(fight, i):
    """Return the slot of the ability that asks fighter i for a part, or NOBODY."""
    return question_of(fight, i)[1] if fight.fighters[i].picking != 0 else np.int64(NOBODY)


@compiled
def asker_now(fight, i):
    """Return 1 plus the place of the fighter whose ability asks fighter i, or 0 for its own ability or none."""
    if fight.fighters[i].picking == 0:
        return np.int64(0)
    return place_of(fight, i, question_of(fight, i)[0])


@compiled
def place_of(fight, i, j):
    """Return 1 plus fighter j's place among fighter i's enemies and then its allies, or 0 if j is i."""
    fighter = fight.fighters[i]
    for place in range(fighter.enemy_count):
        if fighter.enemies[place] == j:
            return np.int64(place) + 1
    for place in range(fighter.ally_count):
        if fighter.allies[place] == j:
            return np.int64(fighter.enemy_count) + place + 1
    return np.int64(0)


@compiled
def given_answer(fight, i, k):
    """Return 1 plus fighter i's answer (an option or a place) to part k of its incomplete choice; 0 without one."""
    fighter = fight.fighters[i]
    if k >= fighter.picking - 1 or fight.window == PICK_WINDOW or fighter.answers[k] == NOBODY:
        return np.int64(0)
    picked = np.int64(fighter.answers[k])
    is_creature = PICK_KIND[fighter.loadout[fighter.detail], k] == Kind.CREATURE
    return place_of(fight, i, picked) if is_creature else picked + 1


@inlined
def code_bit(fighter, seen, k, place):
    """Return bit `place` of the code of the ability in slot k, or 0 if the ability is not seen."""
    if seen >> k & 1 == 0 or k >= fighter.slots or fighter.loadout[k] < 0:
        return 0
    return CODES[fighter.loadout[k]] >> place & 1


@inlined
def slots_seen(fight, i, team):
    """Return a bit for each slot of fighter i that a team sees: all for the fighter's own team, otherwise used ones."""
    return EVERY_SLOT if fight.fighters[i].team == team else np.int64(fight.fighters[i].known)


@inlined
def in_slot(fighter, seen, k, number):
    """Return `number`, which describes slot k, or 0 if no ability is seen in that slot."""
    return number if seen >> k & 1 and k < fighter.slots and fighter.loadout[k] >= 0 else 0


# fmt: off
OCCASION = Block(
    flag("window instant", "the open window is one of instants", lambda fight: fight.window == INSTANT_WINDOW),
    one_of("on ", OCCASIONS[1:], "what instants may answer now", lambda fight: occasion_now(fight) - 1,
           name="occasion"),
    feature("striker_total", 0, 5, "the striker's roll in the attack in progress / {scale}",
            lambda fight: total_now(fight, fight.attack_roll, own_is_rolled(fight)), scale=MOST_TOTAL, clips=True),
    feature("target_total", 0, 5, "its target's roll / {scale}",
            lambda fight: total_now(fight, fight.defense_roll, opposing_is_rolled(fight)), scale=MOST_TOTAL,
            clips=True),
    feature("declared", 0, 2, "instants declared and not done yet / {scale}", lambda fight: fight.stack_count,
            scale=MOST_FIGHTERS, clips=True),
    one_of("declares ", DECLARED, "the declaration that may be answered", lambda fight: declared_now(fight),
           name="declaration"),
)
IN_ATTACK = Block(
    flag("strikes", "makes the attack or the declaration that may be answered",
         lambda fight, i: striker_now(fight) == i),
    flag("is struck", "is its target", lambda fight, i: target_now(fight) == i),
)
OWNED = Block(
    each("has ", LETTERS, "an ability is seen in this slot", lambda fighter, seen, k: in_slot(fighter, seen, k, 1),
         name="has"),
    each("code ", [f"{place} {letter}" for place in range(CODE_BITS) for letter in LETTERS], "a bit of its code",
         lambda fighter, seen, k: code_bit(fighter, seen, k % SLOTS, k // SLOTS)),
    each("destiny ", LETTERS, "it is the destiny version",
         lambda fighter, seen, k: in_slot(fighter, seen, k, fighter.destined >> k & 1), name="destiny"),
    each("uses ", LETTERS, "uses in this fight / {scale}, at most 1",
         lambda fighter, seen, k: min(MOST_USES, in_slot(fighter, seen, k, fighter.uses[k])), name="uses",
         scale=MOST_USES),
    each("memo ", LETTERS, "what it remembers / {scale}, from 0 to 1",
         lambda fighter, seen, k: min(MOST_MEMO, max(0, in_slot(fighter, seen, k, fighter.memos[k] % WITH_ROUND))),
         name="memo", scale=MOST_MEMO),
)
LOADOUT = IN_ATTACK + OWNED
ASKING = Block(
    flag("window pick", "the open window is one of requests, which abilities make in the middle of resolution",
         lambda fight: fight.window == PICK_WINDOW),
)
PICKING = ASKING + Block(
    one_of("picks ", KINDS, "the kind of answer that it is asked for", lambda fight, i: kind_now(fight, i) - 1,
           name="kind"),
    one_of("pick of ", LETTERS, "the slot of the ability that asks for it, in its owner's loadout",
           lambda fight, i: slot_now(fight, i), name="slot"),
    feature("pick by", 0, 1, "the owner of this ability / {scale}: 0 for itself, else one more than its place",
            lambda fight, i: asker_now(fight, i), scale=MOST_OPTIONS),
    one_of("pick part ", PART_NAMES, "the part that is asked for", lambda fight, i: fight.fighters[i].picking - 1,
           name="part"),
    each("picked ", PART_NAMES, "one more than the answer to a part of this choice / {scale}: an option, or a place",
         lambda fight, i, k: given_answer(fight, i, k), name="answers", scale=MOST_OPTIONS),
)
# fmt: on
# The fields of a fighter's abilities as they were when they were last written.
LOADOUT_SEEN = record([*SHOWN_OF_LOADOUT, MEMOS])
renew_owned = renewer(SHOWN_OF_LOADOUT[0][0], SHOWN_OF_LOADOUT[-1][0])
renew_memos = renewer("memos", "memos")
PART_AT = PICKING.part("part")[0]

write_occasion = OCCASION.writer(
    "write_occasion", "fight", compiles=compiled, summary="Write the occasion for instants and the attack in progress."
)
write_in_attack = LOADOUT.writer(
    "write_in_attack", "fight, i", only=IN_ATTACK.lines,
    summary="Write fighter i's part in the attack in progress or in the declaration that may be answered.",
)  # fmt: skip
write_owned = LOADOUT.writer(
    "write_owned",
    "fight, i, seen",
    only=OWNED.lines,
    compiles=compiled,
    summary="Write the abilities of fighter i in the slots whose bits are in `seen`.",
    fighter=lambda fight, i: fight.fighters[i],
)
write_picking = PICKING.writer(
    "write_picking", "fight, i", compiles=compiled, summary="Write the part that fighter i is asked for."
)
write_asking = ASKING.writer("write_asking", "fight", summary="Write whether the open window is one of requests.")


@compiled
def write_loadout(fight, i, seen, out, at):
    """Write fighter i's part in the attack in progress, and its abilities in the slots whose bits are in `seen`."""
    write_in_attack(fight, i, out, at)
    write_owned(fight, i, seen, out, at)


@with_abilities(0)
@compiled
def loadouts_changed(fight, view):
    """Return a bit for each fighter whose abilities, as they are shown, have changed since the last call."""
    changed = np.int64(0)
    for i in range(fight.n):
        fighter, seen = fight.fighters[i], view.loadouts[i]
        changed |= np.int64(renew_owned(fighter, seen) | renew_memos(fighter, seen)) << i
    return changed


@with_abilities(False)
@compiled
def occasion_changed(fight, view):
    """Return whether the occasion and the attack in progress are to be written, because they may have changed."""
    answers = fight.window == INSTANT_WINDOW
    changed = answers or view.answers or fight.stack_count != view.stack_count
    view.answers, view.stack_count = answers, fight.stack_count
    return changed


@with_abilities(None)
@compiled
def write_own_pick(fight, i, out, at):
    """Write the part that viewer i is asked for from index `at`; if there is none, clear a part written earlier."""
    written = out[at] != 0
    for part in range(PARTS):
        written = written or out[at + PART_AT + part] != 0
    if written or fight.window == PICK_WINDOW or fight.fighters[i].picking != 0:
        write_picking(fight, i, out, at)
