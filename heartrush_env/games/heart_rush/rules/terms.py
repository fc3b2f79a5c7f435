"""The rulebook's terms and the numbers that represent them in records.

The order of a tuple gives the codes of its words: ABILITIES[1] is "agility". The first stances are in the order of the
abilities that they use, and damage types in the order of the stances that they match.
"""

from __future__ import annotations

DUELISTS = 2  # fighters in a duel without a map
MAX_FIGHTERS = 8  # most fighters without a map
MOST_FIGHTERS = 16  # most fighters with a map
FEET = 5  # feet per square
FASTEST = 24  # most squares of a dash on a map; faster fighters are limited to it
NEAR = 12  # squares in each direction from a fighter that the action table names
MAP_SIDE = 32  # maximum width and height of a map in squares
MOST_SQUARES = MAP_SIDE * MAP_SIDE
MOST_OBJECTS = 6  # objects in a scenario
ROWS = MAP_SIDE + 5  # rows of bits: one north of the map, and some south of it for large spaces

DIE_LADDER = (4, 6, 8, 10, 12, 20)  # the sides that a die may have, smallest first
ABILITY_DICE = (2, *DIE_LADDER)  # those of an ability: animals have dice of two sides
ABILITIES = ("might", "agility", "cunning", "presence")
STANCES = ("might", "agility", "cunning", "defensive")
MIGHT, AGILITY, CUNNING, DEFENSIVE = range(4)
PRESENCE = 3  # an ability, not a stance
NO_STANCE = 4
ATTACKING_STANCES = 3
PHASE_ORDER = (CUNNING, AGILITY, MIGHT)

DAMAGE_TYPES = ("bludgeoning", "slashing", "piercing", "none")  # the first three match might, agility, cunning
BLUDGEONING, SLASHING, PIERCING, NO_DAMAGE_TYPE = range(4)
ATTACK_TYPES = ("melee", "ranged", "thrown", "whip")
MELEE, RANGED, THROWN, WHIP = range(4)

STATUSES = ("standing", "unconscious", "dead", "defeated")
STANDING, UNCONSCIOUS, DEAD, DEFEATED = range(4)

CONDITIONS = (
    "dazed", "off_balanced", "weakened", "shaken", "restrained", "stunned", "incapacitated", "poisoned", "blinded",
    "suffocating", "slowed", "crippled", "vulnerability", "confused", "frightened", "enraged", "charmed", "prone",
    "burning", "obscured", "hidden", "highground", "creature_climber", "climbed_on", "grappling", "grappled",
    "entangled", "aggravated", "deafened", "mute", "wet",
)  # fmt: skip
(
    DAZED, OFF_BALANCED, WEAKENED, SHAKEN, RESTRAINED, STUNNED, INCAPACITATED, POISONED, BLINDED,
    SUFFOCATING, SLOWED, CRIPPLED, VULNERABILITY, CONFUSED, FRIGHTENED, ENRAGED, CHARMED, PRONE,
    BURNING, OBSCURED, HIDDEN, HIGHGROUND, CREATURE_CLIMBER, CLIMBED_ON, GRAPPLING, GRAPPLED, ENTANGLED,
    AGGRAVATED, DEAFENED, MUTE, WET,
) = range(31)  # fmt: skip
N_CONDITIONS = len(CONDITIONS)
LEVEL_CAP = 5  # highest level of a condition with levels
LEVELED = (
    DAZED, OFF_BALANCED, WEAKENED, SHAKEN, RESTRAINED, POISONED, BLINDED, SLOWED, VULNERABILITY, CONFUSED, FRIGHTENED,
    ENRAGED, CHARMED, BURNING, AGGRAVATED, DEAFENED,
)  # fmt: skip  # levels add up; other conditions are present or absent
FADING = (DAZED, OFF_BALANCED, WEAKENED, SHAKEN, BLINDED, SLOWED, BURNING, DEAFENED)  # lose a level each round start
MENTAL = (CONFUSED, FRIGHTENED, ENRAGED, CHARMED, MUTE)  # mental conditions
SOURCED = (
    FRIGHTENED, ENRAGED, CHARMED, CREATURE_CLIMBER, CLIMBED_ON, GRAPPLING, GRAPPLED, ENTANGLED, AGGRAVATED,
)  # fmt: skip  # conditions with a source
DEADLY_LEVEL = {VULNERABILITY: 4}  # this level kills, so no fighter begins with it

# Other sources of advantage and disadvantage; their codes continue the condition codes.
CAUSES = (*CONDITIONS, "help", "size", "unseen", "charm", "cover", "long_range", "water", "dim_light", "ability")
HELP, SIZE_DIFFERENCE, UNSEEN, CHARM, COVER, LONG_RANGE, WATER, DIM_LIGHT, BY_ABILITY = range(
    N_CONDITIONS, N_CONDITIONS + 9
)
N_CAUSES = len(CAUSES)

# The setting `talk`: which fighters hear what is said before stances are chosen.
TALKS = ("none", "team", "open", "overheard")
SILENT, TEAM, OPEN, OVERHEARD = range(4)

# The setting `zero_hp`: whether other fighters and heroes, in this order, have a choice at 0 hit points.
CHOOSES_AT_ZERO = {"heroes_choose": (False, True), "all_out": (False, False), "all_choose": (True, True)}

# Sources of the dice of a roll: first the dice of the handful, then dice that may be added.
DIE_SOURCES = (
    "heart", *ABILITIES, "weapon", "unarmed", *DAMAGE_TYPES[:3], "whip", "damage", "advantage", "disadvantage", "bonus",
)  # fmt: skip
OF_HEART, OF_ABILITY, OF_WEAPON, OF_BARE_HANDS, OF_DAMAGE_TYPE, OF_WHIP, OF_DAMAGE = 0, 1, 5, 6, 7, 10, 11
FLAT_SOURCES = ("bonus", "armor", "shield", "ability_bonus")  # flat bonuses of a roll
OF_BONUS, OF_ARMOR, OF_SHIELD, OF_ABILITY_BONUS = range(4)

ROLL_KINDS = ("attack", "defense", "check", "save")
ATTACK, DEFENSE, CHECK, SAVE = range(4)

# The choices that windows offer. An entry is a choice, or a detail that was added to the action table later. In each
# block of that table (choices without a target, on enemies, on allies, on maps), the choices have this order. The tuple
# grows only at its end, since a choice's number is its index among the choices.
ORDER = (
    "pass", "stance", "shrug", "take", "yield", "say", "pick_up", "rise", "stand", "break_free", "wriggle_free",
    "tear_free", "cut_free", "shake_off", "put_out_fire", "overcome", "let_go", "hop_off", "attack", "grapple",
    "climb_on", "dirty_strike", "blind", "trip", "shove", "disarm", "taunt", "swing_past", "opportunity", "help",
    "douse", "cut_loose", "dash", "sidestep", "swap", "door", "follow", "rise rush",
    "engage", "enter", "use", "use_at", "use_for", "object", "pick", "pick_at", "pick_for", "walk",
)  # fmt: skip
DEEDS = tuple(line for line in ORDER if " " not in line)
(
    PASS, TAKE_STANCE, SHRUG, TAKE, YIELD, SAY, PICK_UP, RISE, STAND, BREAK_FREE, WRIGGLE_FREE,
    TEAR_FREE, CUT_FREE, SHAKE_OFF, PUT_OUT_FIRE, OVERCOME, LET_GO, HOP_OFF, STRIKE, GRAPPLE, CLIMB_ON,
    DIRTY_STRIKE, BLIND, TRIP, SHOVE, DISARM, TAUNT, SWING_PAST, OPPORTUNITY, HELP_ALLY, DOUSE, CUT_LOOSE,
    DASH, SIDESTEP, SWAP, DOOR, FOLLOW, ENGAGE, ENTER, USE, USE_AT, USE_FOR, USE_OBJECT,
    PICK, PICK_AT, PICK_FOR, WALK,
) = range(47)  # fmt: skip

HIT_CAUSES = (
    "attack", "follow_up", "opportunity", "dirty_strike", "burning", "suffocating", "collision", "fall", "squeeze",
    "ability", "extra", "collapse",
)  # fmt: skip
(
    FROM_ATTACK, FROM_FOLLOW_UP, FROM_OPPORTUNITY, FROM_DIRTY_STRIKE, FROM_BURNING, FROM_SUFFOCATING, FROM_COLLISION,
    FROM_FALL, FROM_SQUEEZE, FROM_ABILITY, FROM_EXTRA, FROM_COLLAPSE,
) = range(12)  # fmt: skip
BY_ATTACK = (FROM_ATTACK, FROM_FOLLOW_UP, FROM_OPPORTUNITY, FROM_EXTRA)  # hits with the weapon in hand

NOBODY = -1
