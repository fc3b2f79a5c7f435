"""The words of Heretics, and the numbers that stand for them."""

from typing import Final

from heartrush_env.tabletop.choosing import Who, Window

WINDOWS: Final = (
    Window("over", Who.NOBODY),
    Window("request", Who.ONE),
    Window("move", Who.ACTING),
    Window("act", Who.ACTING),
    Window("again", Who.ONE),
    Window("late_move", Who.ACTING),
    Window("sunder", Who.ALL),  # in a round, the attacker alone may choose
    Window("shield", Who.ALL),  # in a round, the target alone
    Window("strike", Who.ALL),
    Window("pursue", Who.ONE),
    Window("duel", Who.ALL),
    Window("beat", Who.ALL),
)
OVER, REQUEST, MOVE, ACT, AGAIN, LATE_MOVE, SUNDER, SHIELD, STRIKE, PURSUE, DUEL, BEAT = range(len(WINDOWS))

POOLS: Final = ("action", "squares", "reaction", "retrievals")  # what a fighter pays with in a phase or a round
ACTION, SQUARES, REACTION, RETRIEVALS = range(len(POOLS))

# The number of a choice is its place here: new ones are added at the end.
CHOICES: Final = (
    "pass", "stand_by", "stay", "keep", "attack", "unarmed", "throw", "reload", "trip", "disarm", "shove", "grapple",
    "break_free", "dirt", "retrieve", "pick_up", "drop", "let_go", "intimidate", "request", "sunder", "break_shield",
    "move", "stand", "break", "leave", "move_again", "leave_again", "use", "to", "exit", "strike", "pursue", "let_pass",
    "order", "order_focus", "order_stunt", "by", "answers",
    "magic_missile", "lightning_bolt", "fireball", "binding_chains", "aid", "mana", "column", "row", "aim", "douse",
    "parry", "push", "feint", "yield", "duel", "fight_on",
)  # fmt: skip
(
    PASS, STAND_BY, STAY, KEEP, ATTACK, UNARMED, THROW, RELOAD, TRIP, DISARM, SHOVE, GRAPPLE,
    BREAK_FREE, DIRT, RETRIEVE, PICK_UP, DROP, LET_GO, INTIMIDATE, REQUEST_MORALE, SUNDER_WEAPON, BREAK_SHIELD,
    GO, STAND, BREAK, LEAVE, GO_AGAIN, LEAVE_AGAIN, USE, TO, EXIT,
    STRIKE_AT, GO_AFTER, LET_PASS, ORDER, ORDER_FOCUS, ORDER_STUNT, BY, ANSWERS,
    MAGIC_MISSILE, LIGHTNING_BOLT, FIREBALL, BINDING_CHAINS, AID, MANA, COLUMN, ROW, AIM, DOUSE,
    PARRY, PUSH, FEINT, YIELD, AGREE, FIGHT_ON,
) = range(len(CHOICES))  # fmt: skip

SPELLS: Final = CHOICES[MAGIC_MISSILE : AID + 1]  # casting a spell is the choice of its name
MOST_MANA: Final = 11  # dice: 1 + int, which is at most 10
MANA_DICE: Final = tuple(str(dice + 1) for dice in range(MOST_MANA))

# The uses of an advantage, which are the lines of the pick "use".
STUNTS: Final = ("trip", "disarm", "shove", "grapple", "dirt")  # these can go together with an attack
BY_TRIP, BY_DISARM, BY_SHOVE, BY_GRAPPLE, BY_DIRT = range(len(STUNTS))
USES: Final = ("dice", *(f"{stunt} before" for stunt in STUNTS), *(f"{stunt} after" for stunt in STUNTS))
DICE: Final = 0
CHECKS: Final = (  # what a check is for
    *STUNTS, "break free", "retrieve", "save", "break their morale", "defend", "douse", "stand firm", "get away",
    "give an order",
)  # fmt: skip
(
    CHECK_FREE, CHECK_RETRIEVE, CHECK_SAVE, CHECK_MORALE, CHECK_DEFEND, CHECK_DOUSE, CHECK_FIRM, CHECK_ESCAPE,
    CHECK_ORDER,
) = range(len(STUNTS), len(CHECKS))  # fmt: skip

ABILITIES: Final = ("str", "dex", "int", "wil")
STR, DEX, INT, WIL = range(len(ABILITIES))

CONDITIONS: Final = (
    "prone", "grappled", "open", "surprised", "exhausted", "paralyzed", "stunned", "blind", "deafened",
    "unaware", "aided", "burning", "corroding", "charmed",
)  # fmt: skip
(
    PRONE, GRAPPLED, OPEN, SURPRISED, EXHAUSTED, PARALYZED, STUNNED, BLIND, DEAFENED,
    UNAWARE, AIDED, BURNING, CORRODING, CHARMED,
) = range(len(CONDITIONS))  # fmt: skip

# The causes of advantage and disadvantage on a d20: the first conditions, by their numbers, and some more.
CAUSES: Final = (*CONDITIONS[: AIDED + 1], "long range", "cover", "no commander")
BY_RANGE, BY_COVER, BY_LOSS = range(AIDED + 1, len(CAUSES))

STATUSES: Final = ("able", "out", "given_up", "gone")
ABLE, OUT, GIVEN_UP, GONE = range(len(STATUSES))

ENDINGS: Final = ("", "victory", "draw", "objective", "round_cap", "larger_conflict")
GOES_ON, VICTORY, DRAW, BY_OBJECTIVE, ROUND_CAP, LARGER_CONFLICT = range(len(ENDINGS))

BREAKS: Final = ("leader", "half", "alone", "ambush", "fear")  # the breaking points of a side
LEADER_OUT, HALF_LEFT, ALONE, AMBUSHED, AFRAID = range(len(BREAKS))

OBJECTIVES: Final = ("defeat", "escape", "hold")
DEFEAT, ESCAPE, HOLD = range(len(OBJECTIVES))

MODES: Final = ("melee", "missile", "thrown", "spell")  # of an attack
MELEE, MISSILE, THROWN, SPELL = range(len(MODES))

ORDERS: Final = ("charge", "kite", "cut off", "retreat", "shield wall", "focus", "stunt")  # to retainers
CHARGE, KITE, CUT_OFF, RETREAT, SHIELD_WALL, FOCUS, TRY_STUNT = range(len(ORDERS))
PLAIN_ORDERS: Final = ORDERS[:FOCUS]  # those without a target

# Standing orders: when to sunder, when to break the shield, and whether to strike at those who leave.
MOMENTS: Final = ("never", "always", "means")
NEVER, ALWAYS, BY_MEANS = range(len(MOMENTS))
STANDING: Final = tuple(
    f"sunder {sunder} shield {shield} strike {strike}"
    for sunder in MOMENTS for shield in MOMENTS for strike in MOMENTS[:BY_MEANS]
)  # fmt: skip

# A duel in beats: what a duelist reveals, and what is known of its blow.
BEATS: Final = CHOICES[PARRY : YIELD + 1]
KINDS: Final = YIELD - PARRY  # parry, push, feint; each beats the next, and feint beats parry
BY_PARRY, BY_PUSH, BY_FEINT = range(KINDS)
BLOWS: Final = ("hits", "natural 20", "sunders", "stopped")
HITS, TWENTY, SUNDERS, STOPPED = range(len(BLOWS))
REMEMBERED: Final = 8  # beats
AGO: Final = tuple(str(beats + 1) for beats in range(REMEMBERED))

MAX_FIGHTERS: Final = 10
MOST_HP: Final = 1000
INVENTORY: Final = 10  # slots
SLOTS: Final = tuple(str(slot + 1) for slot in range(INVENTORY))
PLACES: Final = tuple(str(place + 1) for place in range(MAX_FIGHTERS - 1))  # of enemies or allies in a view
MOST_SQUARES: Final = 8  # of one move
FEET_A_SQUARE: Final = 5
