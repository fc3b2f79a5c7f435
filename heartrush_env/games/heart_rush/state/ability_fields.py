"""The fields of fights with abilities: of a fighter and its loadout, and of the fight.

record.py adds them to the records of such fights; all other records lack them.
"""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.abilities import HOOK_WORDS, MOST_OPTIONS, OCCASIONS, PARTS, SLOTS
from heartrush_env.games.heart_rush.rules.dice import ROLL
from heartrush_env.games.heart_rush.rules.homebrew import EFFECTS, WHENS
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, NO_STANCE, NOBODY
from heartrush_env.tabletop.limits import ADDED, LASTING, Limits
from heartrush_env.tabletop.records import Field, record

FIGHTER_INDEX, FIGHTER_OR_NONE = Limits(0, below="n"), Limits(NOBODY, below="n")
# The answers to the parts of a choice that one action number cannot name, NOBODY for parts that were not asked for.
ANSWERS: Field = ("answers", "i2", (PARTS,), Limits(NOBODY, below=MOST_OPTIONS, added=True))
# Of a fighter.
SHOWN_OF_LOADOUT: list[Field] = [
    ("slots", "i1", LASTING),  # number of abilities, with those that it may be lent
    # Their numbers; that of an ability which it may be lent is ~number as long as it is not.
    ("loadout", "i2", (SLOTS,), Limits(lasting=True, turns=True)),
    ("loans", "u1", Limits(lasting=True, added=True)),  # a bit for each slot with an ability that it may be lent
    ("destined", "u1", LASTING),  # a bit for each slot with the destiny version
    ("known", "u1"),  # a bit for each slot whose ability is public
    ("uses", "u1", (SLOTS,)),  # in this fight
]
MEMOS: Field = ("memos", "i8", (SLOTS,))  # what each ability remembers
LOADOUT: list[Field] = [
    ("hooks", "i8", (HOOK_WORDS,), LASTING),  # a bit for each hook that one of its abilities answers
    *SHOWN_OF_LOADOUT,
    ("uses_now", "u1", (SLOTS,)),  # in this round
    ("answered", "u1"),  # a bit for each slot that has answered the current event
    MEMOS,
    ("body", "i1", LASTING),  # the fighter that it is a part of
    ("cantrips", "i1", (2,), Limits(lasting=True, added=True)),  # one more than the number of each weapon's; 0 if none
    ("more_actions", "i1", Limits(0, added=True)),  # actions beyond the one of the round, for this action phase
    ("picking", "i1", Limits(0, PARTS, added=True)),  # one more than the part that it is asked for; 0 if none
    ANSWERS,
]
DECLARED = record([ANSWERS, ("fighter", "i1", FIGHTER_INDEX), ("slot", "i1"), ("target", "i1", FIGHTER_OR_NONE)])
# A request to a fighter in the middle of resolution, for a part of its own or another fighter's ability.
REQUEST = record(
    [
        ("who", "i1", FIGHTER_INDEX),
        ("owner", "i1", FIGHTER_INDEX),
        ("slot", "i1"),
        ("part", "i1", Limits(0, below=PARTS)),
        ("answer", "i2", Limits(NOBODY, below=MOST_OPTIONS)),
        ("asked", "?"),  # the open window asks it
    ]
)
EXTRA = record(
    [
        ("striker", "i1", FIGHTER_INDEX),
        ("target", "i1", FIGHTER_INDEX),
        ("stance", "i1", Limits(among=(*range(ATTACKING_STANCES), NO_STANCE))),
        ("again", "?"),
        ("shared", "?"),
    ]
)
# The declaration of a homebrew ability, in the codes of rules/homebrew.py; all 0 for a shipped ability.
MADE = record(
    [
        ("range", "i2", LASTING),  # feet to the target of a use; 0 for any distance
        ("trigger", "i1", LASTING),
        ("arms", "?", LASTING),  # it is used, and its trigger counts only for the rest of the round
        ("occasion", "i1", LASTING),  # of its use
        ("rush", "i1", LASTING),  # the price of a use in rush points
        ("once", "?", LASTING),  # it is used once in a fight
        ("when", "i1", (WHENS,), LASTING),
        ("than", "i2", (WHENS,), LASTING),  # the value that each condition compares with
        ("does", "i1", (EFFECTS,), LASTING),
        ("whom", "i1", (EFFECTS,), LASTING),
        ("amount", "i2", (EFFECTS,), LASTING),  # a number, or how many dice
        ("die", "u1", (EFFECTS,), LASTING),  # the sides of the dice; 0 for a number
        ("condition", "i1", (EFFECTS,), LASTING),
    ]
)


def with_abilities(most: int) -> list[Field]:
    """Return the additional fields of a fight with abilities and up to `most` fighters."""
    return [
        ("hooks", "i8", (HOOK_WORDS,), LASTING),  # a bit for each hook that an ability of any fighter answers
        ("occasion", "i1", Limits(0, below=len(OCCASIONS))),  # the occasion for which abilities may be used now
        ("stack_count", "i1"),
        # Instants declared but not yet done; the next one is last.
        ("stack", DECLARED, (2 * most,), Limits(count="stack_count")),
        ("extra_count", "i1"),
        ("extras", EXTRA, (4 * most,), Limits(count="extra_count")),  # attacks still to come, see strikes.py
        ("again", "?"),  # the extra attack in progress reuses the previous attack's roll
        ("shared", "?"),  # the extra attack in progress is its target's extra attack as well
        # The roll of a contest that its striker reuses later, after the extra attacks of the other contestant.
        ("roll_aside", ROLL, ADDED),
        ("set_aside", "i1", Limits(NOBODY, below="n", added=True)),  # whose roll that is
        ("request_count", "i1", ADDED),
        ("requests", REQUEST, (4 * most,), Limits(count="request_count", added=True)),  # not answered yet
        ("aimed_at", "i1", Limits(0, below="n", added=True)),  # whose effects the attack in progress has
        ("dashing", "?", ADDED),  # a dash is in progress; requests wait for its end
        ("window_left", "i1", ADDED),  # the window and the mover from before the requests that are being answered
        ("mover_left", "i1", Limits(NOBODY, below="n", added=True)),
    ]


def made(most: int) -> list[Field]:
    """Return the additional field of a fight with homebrew abilities: a row for each slot of each fighter."""
    return [("made", MADE, (SLOTS * most,))]
