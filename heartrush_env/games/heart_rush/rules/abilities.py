"""Abilities: the vocabulary that rules and abilities share, and the state that an ability reads and writes.

The abilities are in `games/heart_rush/abilities/`. In that folder, unit.py explains how an ability is written. `slot`
is the index of an ability in its owner's loadout.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np

from heartrush_env.games.heart_rush.rules.sheet import bit
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.tabletop.rule import compiled, inlined

SLOTS: Final = 8  # slots in a fighter's loadout
LETTERS: Final = "abcdefgh"  # the names of the slots
WITH_ROUND: Final = 256  # a memo that includes the round is the round times this, plus a smaller number
MINUTE: Final = 10  # rounds
HOOK_WORDS: Final = 2  # numbers of a record that mark the hooks that abilities answer
HOOK_BITS: Final = 63  # hooks in each of them


class Frequency(IntEnum):
    """The frequency of an ability: how often it may be used."""

    PASSIVE = 0  # any number of times, at no cost
    MINOR = 1  # its k-th use in a fight costs k rush points
    MAJOR = 2  # once a day
    WEEKLY = 3
    MONTHLY = 4


class Aim(IntEnum):
    """The kind of fighter that the use of an ability targets."""

    NOBODY = 0
    ENEMY = 1
    ALLY = 2


# The occasions on which abilities are used: in an action window, or as an instant that answers an event.
OCCASIONS: Final = (
    "action", "declaration", "engagement", "reveal", "phase", "first roll", "second roll", "damage", "landed",
)  # fmt: skip
(
    ON_ACTION, ON_DECLARATION, ON_ENGAGEMENT, ON_REVEAL, ON_PHASE, ON_FIRST_ROLL, ON_SECOND_ROLL, ON_DAMAGE, ON_LANDED,
) = range(9)  # fmt: skip
ON_ROLLS: Final = (ON_FIRST_ROLL, ON_SECOND_ROLL)
ANY_MOMENT: Final = (ON_ACTION, ON_DECLARATION, ON_ENGAGEMENT, ON_REVEAL, ON_PHASE)  # for instants that need no trigger


# Picks: what the use of an ability asks for, beyond its slot and its target.
PARTS: Final = 4  # most parts of one choice
MOST_OPTIONS: Final = 32  # most options of one part

# Figures of abilities that other abilities of the same fighter improve.
BANKED_DICE, BANKED_DIE, EFFECTS, FREE_SPIRIT, LENDS_DESTINED = range(5)
ANIMAL: Final = 5  # this plus the index of a companion: which attacks it may make

# When a fighter treads on the ground: after a step, before its attack roll, and before its roll as a target.
AFTER_STEP, BEFORE_ATTACK, BEFORE_ANSWER = range(3)


MOST_ABILITIES: Final = 2048
FREQUENCY: Final = np.zeros((2, MOST_ABILITIES), np.int8)  # of the base and destiny version; all.py fills it in
IS_MASTERY: Final = np.zeros(MOST_ABILITIES, np.bool_)  # all.py fills it in, too


class Kind(IntEnum):
    """The kind of answer that a part of a choice asks for."""

    NOTHING = 0
    OPTION = 1  # one of a list, by its number
    CREATURE = 2  # any standing fighter except the one that picks
    DIRECTION = 3  # one of the eight neighboring squares, on a map


@inlined
def answer(fight, i, part):
    """Return fighter i's answer to this part of the choice being carried out; NOBODY if the part was not asked for."""
    return np.int64(fight.fighters[i].answers[part])


@compiled
def open_pick(fight, who, owner, slot, part):
    """Queue a request to fighter `who` for a part of the ability in the owner's slot; the flow `picks` asks it later.

    A request that is already in the queue is not repeated. Being asked makes the ability public.
    """
    for k in range(fight.request_count):
        waits = fight.requests[k]
        if waits.who == who and waits.owner == owner and waits.slot == slot and waits.part == part:
            return
    if fight.request_count < len(fight.requests):
        request = fight.requests[fight.request_count]
        request.who, request.owner, request.slot, request.part, request.answer = who, owner, slot, part, NOBODY
        request.asked = False
        fight.request_count += 1
        show_ability(fight, owner, slot)


# The state of an ability: its version, and the number that it remembers.


@inlined
def is_destined(fight, i, slot):
    """Return whether fighter i has the destiny version of the ability in this slot."""
    return fight.fighters[i].destined >> slot & 1 == 1


@inlined
def version(fight, i, slot):
    """Return 0 if fighter i has the base version of the ability in this slot, 1 if it has the destiny version."""
    return np.int64(fight.fighters[i].destined) >> np.int64(slot) & 1


@compiled
def works_once(fight, i, slot, number):
    """Return whether the ability with this number works once a day or less in the version of fighter i's slot."""
    frequency = FREQUENCY[version(fight, i, slot), number]
    return frequency != Frequency.PASSIVE and frequency != Frequency.MINOR


@inlined
def memo(fight, i, slot):
    """Return the number that the ability in this slot remembers; 0 at first."""
    return np.int64(fight.fighters[i].memos[slot])


@inlined
def remember(fight, i, slot, number):
    """Store a number in the memory of the ability in this slot."""
    fight.fighters[i].memos[slot] = number


@inlined
def remember_now(fight, i, slot, number):
    """Store a number below WITH_ROUND, together with the current round, in the memory of the ability in this slot."""
    remember(fight, i, slot, number + WITH_ROUND * np.int64(fight.round_number))


@inlined
def memo_for(fight, i, slot, rounds):
    """Return the number that the ability remembered in the last `rounds` rounds, counting this one; 0 if none."""
    number = memo(fight, i, slot)
    return number % WITH_ROUND if fight.round_number - number // WITH_ROUND < rounds else np.int64(0)


@compiled
def fighter_named(fight, number):
    """Return the fighter whose index plus 1 is this number of a memo; NOBODY if there is none.

    A position that someone has written may hold any memo.
    """
    return np.int64(number) - 1 if 0 < number <= fight.n else np.int64(NOBODY)


@compiled
def notes(fight, i, slot, other):
    """Return whether the ability in this slot, whose memory is a set of fighters, remembers fighter `other`."""
    return memo(fight, i, slot) >> np.int64(other) & 1 == 1


@compiled
def note(fight, i, slot, other, remembered):
    """Add fighter `other` to the set that the ability in this slot remembers, or remove it if not `remembered`."""
    others = memo(fight, i, slot) & ~bit(other)
    remember(fight, i, slot, others | bit(other) if remembered else others)


@compiled
def begin_again(fight, i, slot):
    """Let an ability that works once in an engagement work in the next one; forget what it remembers."""
    remember(fight, i, slot, 0)
    fight.fighters[i].uses_now[slot] = 0


@compiled
def show_ability(fight, i, slot):
    """Make it public that fighter i has the ability in this slot."""
    fight.fighters[i].known |= bit(slot)
