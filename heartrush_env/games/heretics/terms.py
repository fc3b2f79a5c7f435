"""The words of Heretics, and the numbers that stand for them."""

from __future__ import annotations

from typing import Final

from heartrush_env.tabletop.choosing import Who, Window

WINDOWS: Final = (
    Window("over", Who.NOBODY),
    Window("request", Who.ONE),
    Window("move", Who.ACTING),
    Window("act", Who.ACTING),
    Window("again", Who.ONE),
    Window("late_move", Who.ACTING),
    Window("sunder", Who.ONE),
    Window("shield", Who.ONE),
)
OVER, REQUEST, MOVE, ACT, AGAIN, LATE_MOVE, SUNDER, SHIELD = range(len(WINDOWS))

POOLS: Final = ("action", "squares", "reaction", "retrievals")  # what a fighter pays with in a phase or a round
ACTION, SQUARES, REACTION, RETRIEVALS = range(len(POOLS))

# The number of a choice is its place here: new ones are added at the end.
CHOICES: Final = (
    "pass", "stand_by", "stay", "keep", "attack", "unarmed", "throw", "reload", "trip", "disarm", "shove", "grapple",
    "break_free", "dirt", "retrieve", "pick_up", "drop", "let_go", "intimidate", "request", "sunder", "break_shield",
    "move", "stand", "break", "leave", "move_again", "leave_again", "use", "to", "exit",
)  # fmt: skip
(
    PASS, STAND_BY, STAY, KEEP, ATTACK, UNARMED, THROW, RELOAD, TRIP, DISARM, SHOVE, GRAPPLE,
    BREAK_FREE, DIRT, RETRIEVE, PICK_UP, DROP, LET_GO, INTIMIDATE, REQUEST_MORALE, SUNDER_WEAPON, BREAK_SHIELD,
    GO, STAND, BREAK, LEAVE, GO_AGAIN, LEAVE_AGAIN, USE, TO, EXIT,
) = range(len(CHOICES))  # fmt: skip

# The uses of an advantage, which are the lines of the pick "use".
STUNTS: Final = ("trip", "disarm", "shove", "grapple", "dirt")  # these can go together with an attack
BY_TRIP, BY_DISARM, BY_SHOVE, BY_GRAPPLE, BY_DIRT = range(len(STUNTS))
USES: Final = ("dice", *(f"{stunt} before" for stunt in STUNTS), *(f"{stunt} after" for stunt in STUNTS))
DICE: Final = 0
CHECKS: Final = (*STUNTS, "break free", "retrieve", "save", "break their morale", "defend")  # what a check is for
CHECK_FREE, CHECK_RETRIEVE, CHECK_SAVE, CHECK_MORALE, CHECK_DEFEND = range(len(STUNTS), len(CHECKS))

ABILITIES: Final = ("str", "dex", "int", "wil")
STR, DEX, INT, WIL = range(len(ABILITIES))

CONDITIONS: Final = (
    "prone", "grappled", "open", "surprised", "exhausted", "paralyzed", "stunned", "blind", "deafened",
)  # fmt: skip
PRONE, GRAPPLED, OPEN, SURPRISED, EXHAUSTED, PARALYZED, STUNNED, BLIND, DEAFENED = range(len(CONDITIONS))

# The causes of advantage and disadvantage on a d20: conditions, by their numbers, and two more.
CAUSES: Final = (*CONDITIONS, "long range", "cover")
BY_RANGE, BY_COVER = range(len(CONDITIONS), len(CAUSES))

STATUSES: Final = ("able", "out", "given_up", "gone")
ABLE, OUT, GIVEN_UP, GONE = range(len(STATUSES))

ENDINGS: Final = ("", "victory", "draw", "objective", "round_cap")
GOES_ON, VICTORY, DRAW, BY_OBJECTIVE, ROUND_CAP = range(len(ENDINGS))

BREAKS: Final = ("leader", "half", "alone", "ambush", "fear")  # the breaking points of a side
LEADER_OUT, HALF_LEFT, ALONE, AMBUSHED, AFRAID = range(len(BREAKS))

OBJECTIVES: Final = ("defeat", "escape", "hold")
DEFEAT, ESCAPE, HOLD = range(len(OBJECTIVES))

MODES: Final = ("melee", "missile", "thrown")  # of an attack
MELEE, MISSILE, THROWN = range(len(MODES))

MAX_FIGHTERS: Final = 10
MOST_HP: Final = 1000
INVENTORY: Final = 10  # slots
SLOTS: Final = tuple(str(slot + 1) for slot in range(INVENTORY))
MOST_SQUARES: Final = 8  # of one move
FEET_A_SQUARE: Final = 5
