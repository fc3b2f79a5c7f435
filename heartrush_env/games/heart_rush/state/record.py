"""The state of a fight as one record: everything that a rule may read or change is a named field here.

There are three main kinds of records. DUEL is for fights of two without a map. BARE_FIGHT is for fights without a map
and with up to 8 fighters. MAP_FIGHT is for fights on a map with up to 16 fighters. Functions marked `on_map` read the
fields that only MAP_FIGHT has. Fights with abilities have kinds of their own with further fields, and so do editions
in which sides take turns.

The limits beside a field apply between two steps. A snapshot with a value outside its limits is refused (faults.py).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.rules.conditions import HIGHEST_LEVEL
from heartrush_env.games.heart_rush.rules.cover import NO_LINE
from heartrush_env.games.heart_rush.rules.dice import MAX_BONUS, NO_BONUS, pool_record, roll_record
from heartrush_env.games.heart_rush.rules.movement import DIRECTIONS
from heartrush_env.games.heart_rush.rules.terms import (
    ABILITIES,
    ATTACKING_STANCES,
    DAMAGE_TYPES,
    DIE_LADDER,
    DUELISTS,
    HIT_CAUSES,
    MAP_SIDE,
    MAX_FIGHTERS,
    MOST_FIGHTERS,
    MOST_OBJECTS,
    MOST_SQUARES,
    N_CAUSES,
    N_CONDITIONS,
    NO_STANCE,
    NOBODY,
    ROWS,
    STATUSES,
)
from heartrush_env.games.heart_rush.state.ability_fields import (
    ANSWERS,
    FIGHTER_INDEX,
    FIGHTER_OR_NONE,
    LOADOUT,
    made,
    with_abilities,
)
from heartrush_env.tabletop.flow import stack
from heartrush_env.tabletop.game import LARGEST_FIGHT
from heartrush_env.tabletop.limits import ADDED, LASTING, Limits
from heartrush_env.tabletop.records import Field, record
from heartrush_env.tabletop.rng import CHANCE

REVEALS = 8  # stances remembered for each fighter
# The most hits per fighter in one batch: without abilities, and with abilities (areas, extra attacks).
HITS, ABLE_HITS = 4, 16
MAX_HITS = ABLE_HITS * MOST_FIGHTERS
MAX_ROUTE = 24  # steps in the way of a dash
# Capacities for flows in progress, numbers that each flow keeps, and nested windows. They are as small as the
# round allows, because every byte of a fight that passes through the cache costs time.
FRAMES, NUMBERS, NESTED = 8, 2, 1
MAP_NESTED = 2
TURN_FRAMES = 9  # where sides take turns
ABLE_FRAMES, ABLE_NESTED = 12, 4  # in fights with abilities
ABLE_TURN_FRAMES = 14  # where sides take turns in fights with abilities

WINDOWS = (
    "over", "talk", "action", "opportunity", "stance", "attack", "follow_up", "shrug", "yield", "step", "follow",
    "enter", "instant", "pick",
)  # fmt: skip
(
    OVER, TALK, ACTION, OPPORTUNITY_WINDOW, STANCE, ATTACK_WINDOW, FOLLOW_UP, SHRUG_WINDOW, YIELD_WINDOW, STEP_WINDOW,
    FOLLOW_WINDOW, ENTER_WINDOW, INSTANT_WINDOW, PICK_WINDOW,
) = range(14)  # fmt: skip
WINDOWS_OF_MAPS = ("step", "follow")  # shown with the map; without a map, "step" is only for prone agility fighters
WINDOWS_OF_TURNS = ("enter",)  # opened only in editions in which sides take turns
WINDOWS_OF_ABILITIES = ("instant", "pick")  # opened only in fights with abilities

ENDINGS = ("", "victory", "draw", "round_cap")
GOES_ON, VICTORY, DRAW, ROUND_CAP = range(4)

COUNT = Limits(0)
TEAM_OR_NONE = Limits(NOBODY, below="n_teams")
STANCE_OR_NONE = Limits(0, NO_STANCE)

RULES = record(
    [
        ("advantage_cap", "i1"),
        ("levels", "?"),
        ("maneuvers", "?"),
        ("conditions", "?"),
        ("wounds", "?"),
        ("attack_costs_action", "?"),
        ("shrug_once", "?"),
        ("fading_uniform", "?"),
        ("contested_mutual", "?"),
        ("contested_always", "?"),
        ("armor_in_contest", "?"),
        ("cunning_split", "?"),
        ("defensive_is_beaten", "?"),
        ("death_at_reduced", "?"),
        ("helpless_dies", "?"),
        ("aggravates", "?"),  # abilities aggravate where June's abilities enrage
        ("first_down", "?"),  # victory at zero hit points
        ("cap_by_hp", "?"),  # the round cap is judged by hit points
        ("zero_hp", "i1"),  # heroes choose, all out, all choose
        ("opportunity_first", "?"),
        ("options_on_rolls", "?"),
        ("help_stays", "?"),  # unused help lasts into the next round
        ("talk", "i1"),  # none, team, open, overheard
        ("rush_mode", "i1"),  # book, round number, none
        ("windows_per_round", "i2"),
        ("fatigue_rounds", "i2"),
        ("agility_rises", "?"),
        ("trip_on_steps", "?"),  # on steps too, not only in dashes
        ("trips_unlimited", "?"),
        ("top_speed", "i1"),  # squares of a dash
        ("max_rounds", "i4"),
    ]
)

# The public fields of a fighter without a map. Each group is contiguous, because it is compared as one block.
BODY: list[Field] = [
    ("wounds", "i2", COUNT),  # sum of ranks
    ("rush", "i2", COUNT),  # points left this round
    ("status", "i1", Limits(0, below=len(STATUSES))),
    ("heart", "u1", Limits(among=DIE_LADDER, most="heart_max")),  # the heart die's sides
    ("armed", "?"),  # the weapon is in hand
    ("action", "?"),  # still available this round
    ("interaction", "?"),
    ("dash", "?"),
    ("helped", "i1", COUNT),  # unused helps
    ("shrugs", "i1", COUNT),  # this round
]
SHOWN: list[Field] = [
    ("stance", "i1", STANCE_OR_NONE),  # this round's, after the reveal
    ("said", "i1", STANCE_OR_NONE),  # the stance announced in this round's talk
    ("heard", "i1"),  # the announced stance, once all sides have heard it
]
HABITS: list[Field] = [
    ("reveals", "i1", (REVEALS,), STANCE_OR_NONE),  # stances, latest first; unused slots are NO_STANCE
    ("stance_count", "i2", (4,), COUNT),
]
SHOWN_OF_FIGHTER: list[Field] = [*BODY, ("hp", "i2", Limits(most="hp_max")), *SHOWN, *HABITS]

# A weapon and a shield that are carried together. Only fights on a map read the last three fields.
SET = record(
    [
        ("weapon_die", "u1"),
        ("attack_type", "i1"),
        ("damage_type", "i1"),
        ("weapon_hands", "i1"),
        ("natural_weapon", "?"),
        ("shield", "i1"),
        ("shield_hands", "i1"),
        ("range", "i1"),  # squares
        ("reach", "?"),  # reaches one square further, if the fighter has not dashed
        ("speed", "i2"),  # squares per dash with this in hand
    ]
)
# Fields of a set that are copied into the fighter that holds the set.
IN_HAND = (
    "natural_weapon", "weapon_die", "attack_type", "damage_type", "weapon_hands", "shield_hands", "shield",
)  # fmt: skip

_FIGHTER: list[Field] = [
    # changes during a fight
    ("afflicted", "u4", Limits(below=1 << N_CONDITIONS)),  # a bit for each condition present
    *SHOWN_OF_FIGHTER,
    ("phase_heart", "u1", Limits(among=DIE_LADDER)),  # the heart die's sides when the phase began
    ("moved", "?"),  # this round
    ("acted", "?"),
    ("stepped", "?", ADDED),  # has taken its agility step in this phase
    ("active", "?"),  # attacked or was attacked this round
    ("active_rounds", "i2", Limits(0, "round_number")),  # earlier rounds in which it was active
    ("used", "i8"),  # a bit for each once-per-fight choice that has been used
    ("wound_count", "i2", COUNT),
    ("fresh_blinded", "?"),  # gained in the last engagement
    ("has_spare", "?"),
    ("swaps", "i2", COUNT),  # in this fight
    ("grappling", "i1", FIGHTER_OR_NONE),  # the fighter that it holds
    ("climbing", "i1", FIGHTER_OR_NONE),  # the fighter that it rides
    ("rounds_at_zero", "i2", COUNT),
    ("levels", "i1", (N_CONDITIONS,), Limits(0, tuple(HIGHEST_LEVEL.tolist()))),
    ("source", "i1", (N_CONDITIONS,), FIGHTER_OR_NONE),  # the fighter that caused the condition, if that matters
    # for this window or phase
    ("has_choice", "?"),
    ("pending", "?"),  # has a choice and has not made it
    ("deed", "i1"),
    ("target", "i1"),
    ("detail", "i2"),
    ("contends", "i2"),  # the goal that it contends for
    ("turn", "i1", FIGHTER_INDEX),  # index in the timing order
    ("able", "?"),  # could attack when the phase began
    ("rolled", "?"),  # its attack of the phase is done (a mutual contest completes two attacks)
    ("succeeded", "?"),  # its maneuver worked
    ("follow_up", "?"),  # has earned another throw
    ("dropped", "?"),  # fell to zero in this batch and may yield
    ("struck_at", "u2"),  # a bit for each fighter that it made an attack roll against in this batch
    ("answered_at", "u2"),  # a bit for each fighter whose attack it only answered in a contest
    ("check_ability", "i1", Limits(0, below=len(ABILITIES))),
    ("timing_total", "i2"),
    # constant
    ("hero", "?", LASTING),
    ("surprised", "?", LASTING),
    ("natural_weapon", "?"),
    ("index", "i1", LASTING),
    ("team", "i1", LASTING),
    ("heart_max", "u1", LASTING),
    ("ability", "u1", (4,), LASTING),
    ("weapon_die", "u1"),
    ("attack_type", "i1"),
    ("damage_type", "i1"),
    ("weapon_hands", "i1"),
    ("shield_hands", "i1"),
    ("armor", "i2", LASTING),
    ("armor_vs", "i1", (len(DAMAGE_TYPES),), Limits(lasting=True, added=True)),  # added to it, by the striker's weapon
    ("shield", "i1"),
    ("thrown", "i1", LASTING),  # thrown weapons carried
    ("attack_bonus", "i2", LASTING),
    ("size_rank", "i1", LASTING),
    ("wound_threshold", "i2", LASTING),
    ("hp_max", "i2", LASTING),
    ("enemy_count", "i1", LASTING),
    ("ally_count", "i1", LASTING),
    ("sets", SET, (2,)),  # in hand, and spare
]
# Fields of a fighter on a map.
_ON_MAP: list[Field] = [
    ("x", "i1"),  # the top-left square of its space
    ("y", "i1"),
    ("side", "i1", LASTING),  # squares
    ("bulky", "?", LASTING),  # has its space to itself
    ("floor_x", "i1", Limits(0, below=MAP_SIDE)),  # where its dropped weapon lies
    ("floor_y", "i1", Limits(0, below=MAP_SIDE)),
    ("dashed", "?"),  # this round
    ("stood", "?"),  # has risen at the cost of half its dash
    ("shot", "?"),  # with a ranged weapon, this round
    ("lunged", "?"),  # has attacked beyond 5 feet with a reach weapon outside the engagement, this round
    ("squares_moved", "i2", COUNT),  # voluntarily, this round
    ("tripped_at", "u2"),  # a bit for each fighter that it has tripped this round
    ("struck_mover", "?"),  # has struck the current mover
    ("asked_to_trip", "?"),
    ("went_within", "u2"),  # a bit for each fighter that has dashed five feet within its reach this round
    ("asked_within", "?"),  # prompted about the rest of the current mover's path
    ("has_opening", "?"),
    ("may_trip", "?"),
    ("pushed_x", "i1"),  # direction in which it was last pushed, and how far
    ("pushed_y", "i1"),
    ("pushed", "i1"),
    ("squeezes", "?"),  # may squeeze its captive in place of a push; later, whether it has chosen to
    ("has_pushed", "i1", FIGHTER_OR_NONE),  # the fighter that it has pushed by might in this phase
    ("follow_x", "i1"),  # direction in which it may follow, and how far
    ("follow_y", "i1"),
    ("follow_squares", "i1"),
    ("route_length", "i1"),  # steps in the way of its dash that it has chosen itself
    ("route", "i1", (MAX_ROUTE,), Limits(0, below=DIRECTIONS, count="route_length")),  # the directions of these steps
]


def fighter_record(most: int, more: list[Field]) -> np.dtype[Any]:
    """Return the record type of a fighter among up to `most` fighters, with the fields in `more`."""
    others = (most - 1,)
    places: list[Field] = [("enemies", "i1", others, LASTING), ("allies", "i1", others, LASTING)]  # by slot in its view
    return record([*_FIGHTER, *more, *places])


FIGHTER, MAP_FIGHTER = fighter_record(MAX_FIGHTERS, []), fighter_record(MOST_FIGHTERS, _ON_MAP)

HIT = record(
    [
        ("target", "i1", FIGHTER_INDEX),
        ("striker", "i1", FIGHTER_OR_NONE),
        ("cause", "i1", Limits(0, below=len(HIT_CAUSES))),
        ("rank", "i2"),  # the hit's order in its batch
        ("number", "i1", Limits(0, below="hit_count")),  # the hit's place among the hits on its target, from 0
        ("amount", "i2", COUNT),
    ]
)


# The attack in progress.
EXCHANGE = record(
    [
        ("striker", "i1", FIGHTER_INDEX),
        ("target", "i1", FIGHTER_INDEX),
        ("cause", "i1", Limits(0, below=len(HIT_CAUSES))),
        ("stance", "i1"),  # both fighters roll the ability die of this stance
        ("beaten", "?"),  # the striker's stance beats the target's
        ("contest", "?"),
        ("mutual", "?"),  # a contest of two fighters that have chosen each other
        ("rank", "i2"),  # of its hit
    ]
)


CHOICE = record([("deed", "i1"), ("target", "i1"), ("detail", "i2")])
# `answers` comes first, because no record type may begin with all fields of another.
ABLE_CHOICE = record([ANSWERS, ("deed", "i1"), ("target", "i1"), ("detail", "i2")])


# The fields of a fight that an observation shows as its moment.
MOMENT: list[Field] = [
    ("round_number", "i4", Limits(0, "rules.max_rounds")),
    ("windows_used", "i2", Limits(0, "rules.windows_per_round")),  # action windows of this round
    ("window", "i1"),  # the open window
    ("phase", "i1", Limits(0, below=ATTACKING_STANCES)),  # of the engagement: 0, 1, 2
    ("engaged", "?"),  # between the reveal and the end of the might phase
]


def fight_record(
    most: int,
    fighter: np.dtype[Any],
    more: list[Field],
    *,
    chance: list[Field] = CHANCE,
    frames: int = FRAMES,
    nested: int = NESTED,
    hits: int = HITS,
    choice: np.dtype[Any] = CHOICE,
    bonus: int = NO_BONUS,
) -> np.dtype[Any]:
    """Return the record type of a fight with up to `most` fighters, the fields in `more`, and these capacities."""
    return record(
        [
            *chance[:-1],
            *MOMENT,
            ("step_count", "i4", COUNT),
            ("ending", "i1", Limits(0, below=len(ENDINGS))),
            ("winner", "i1", TEAM_OR_NONE),
            ("mover", "i1", FIGHTER_OR_NONE),  # the fighter whose declaration, rising or movement is being answered
            ("hit_count", "i1"),
            ("hit_number", "i1", Limits(0, hits * most)),  # the number of the hits that are being answered
            ("recording", "?"),  # events are kept
            ("full_decisions", "?", LASTING),
            ("team_control", "?", LASTING),
            ("n", "i1", LASTING),  # number of fighters
            ("n_teams", "i1", LASTING),
            ("kept_count", "i1"),  # windows that enclose the open one
            *stack(frames, NUMBERS),  # the fight's position in the round
            ("kept", choice, (nested * most,)),  # the choices in each enclosing window, fighter by fighter
            ("base_order", "i1", (most,)),
            ("order", "i1", (most,)),  # timing order of the window or phase
            ("window_order", "i1", (most,)),  # timing order of the window, kept while an opening is answered
            ("contenders", "i1", (most,)),
            ("split", "u1", (most,)),  # separated from the next contender
            # Each team's lead in hit points at its last reward, as a fraction of all hit points.
            ("margin", "f4", (most,), Limits(-1.0, 1.0, count="n_teams")),
            ("fight_number", "i8", Limits(0, LARGEST_FIGHT)),
            ("seed", "i8", COUNT),
            ("rules", RULES, LASTING),
            ("pool", pool_record(bonus)),
            ("attack_roll", roll_record(bonus)),
            ("defense_roll", roll_record(bonus)),
            ("exchange", EXCHANGE),
            ("causes", "i1", (N_CAUSES,)),
            ("attack_causes", "i1", (N_CAUSES,)),  # causes of a roll that is compared with several other rolls
            ("fighters", fighter, (most,), Limits(count="n")),
            ("hits", HIT, (hits * most,), Limits(count="hit_count")),
            # The given dice: the longest and least used field.
            (*chance[-1][:3], Limits(1, DIE_LADDER[-1], count="given_count")),
            *more,
        ]
    )


# An object of the scenario.
OBJECT = record(
    [
        ("x", "i1", LASTING),
        ("y", "i1", LASTING),
        ("effect", "i1", LASTING),
        ("costs_action", "?", LASTING),
        ("ability", "i1", LASTING),  # of the check; NOBODY without a check
        ("number", "i1", LASTING),  # the number that the check must reach
        ("squares", "i1", LASTING),  # squares besides its own that become rubble
        ("save", "i1", LASTING),  # the number that fighters in the rubble must reach
        ("dice", "i1", LASTING),  # of damage
        ("die", "u1", LASTING),
        ("used", "?"),
        ("has_item", "?"),  # the object leaves an item on its square when it is used
        ("takers", "u2", LASTING),  # a bit for each fighter that is large enough for the item
        ("gear", SET),  # the item
    ]
)

# Fields of a fight on a map.
_MAP: list[Field] = [
    ("width", "i1", LASTING),  # squares
    ("height", "i1", LASTING),
    ("drop", "i2", LASTING),  # feet
    ("light", "i1", LASTING),  # bright, dim, dark
    ("cells", "u1", (MOST_SQUARES,)),  # terrain, row by row, at the width of the largest map
    ("walls", "i8", (ROWS,)),  # terrain by kind, for searches: a bit for each square of a row, see space.py
    ("drops", "i8", (ROWS,)),
    ("slow", "i8", (ROWS,)),
    ("slowest", "i8", (ROWS,)),
    ("covering", "i8", (ROWS,)),
    ("changes", "i4"),  # how often a door or an object has changed the map
    ("object_count", "i1", LASTING),
    ("objects", OBJECT, (MOST_OBJECTS,), Limits(count="object_count")),
    # The cover of each fighter against each other one; negative until computed.
    ("cover", "i1", (MOST_FIGHTERS * MOST_FIGHTERS,), Limits(NOBODY, NO_LINE)),
    ("path_length", "i1"),  # of the movement in progress
    ("path_at", "i1", Limits(0, "path_length")),  # steps made
    ("path", "i1", (MAX_ROUTE,), Limits(0, below=DIRECTIONS, count="path_length")),  # its directions
    ("crawling", "?"),  # the movement began prone
]
# Fields for editions in which sides take turns and begin engagements: of a fight, and of a fighter.
_TURNS: list[Field] = [
    ("priority", "i1", TEAM_OR_NONE),  # the side whose turn it is; NOBODY during an engagement
    ("passes", "i1", Limits(0, "n_teams")),  # consecutive passed turns
    ("engaged_side", "i1", TEAM_OR_NONE),  # the side that was engaged first
    ("to_step", "i1", TEAM_OR_NONE),  # the side whose fighter takes its agility step next
]
_IN_ENGAGEMENT: list[Field] = [("joined", "?")]
DUEL = fight_record(DUELISTS, fighter_record(DUELISTS, []), [])
BARE_FIGHT = fight_record(MAX_FIGHTERS, FIGHTER, [])
MAP_FIGHT = fight_record(MOST_FIGHTERS, MAP_FIGHTER, _MAP, nested=MAP_NESTED)
TURN_FIGHT = fight_record(MAX_FIGHTERS, fighter_record(MAX_FIGHTERS, _IN_ENGAGEMENT), _TURNS, frames=TURN_FRAMES)
TURN_MAP_FIGHT = fight_record(
    MOST_FIGHTERS,
    fighter_record(MOST_FIGHTERS, [*_ON_MAP, *_IN_ENGAGEMENT]),
    [*_MAP, *_TURNS],
    frames=TURN_FRAMES,
    nested=MAP_NESTED,
)


def _able_record(most: int, of_fighter: list[Field], of_fight: list[Field], frames: int = ABLE_FRAMES) -> np.dtype[Any]:
    """Return the record type of a fight with abilities."""
    fighter = fighter_record(most, [*of_fighter, *LOADOUT])
    more = [*of_fight, *with_abilities(most)]
    return fight_record(
        most, fighter, more, frames=frames, nested=ABLE_NESTED, hits=ABLE_HITS, choice=ABLE_CHOICE, bonus=MAX_BONUS
    )


ABLE_FIGHT, ABLE_MAP_FIGHT = _able_record(MAX_FIGHTERS, [], []), _able_record(MOST_FIGHTERS, _ON_MAP, _MAP)
ABLE_TURN_FIGHT = _able_record(MAX_FIGHTERS, _IN_ENGAGEMENT, _TURNS, ABLE_TURN_FRAMES)
ABLE_TURN_MAP_FIGHT = _able_record(MOST_FIGHTERS, [*_ON_MAP, *_IN_ENGAGEMENT], [*_MAP, *_TURNS], ABLE_TURN_FRAMES)
# `made` comes before the fields of all fights with abilities, because no record type may begin with all fields of
# another.
MADE_FIGHT = _able_record(MAX_FIGHTERS, [], made(MAX_FIGHTERS))
MADE_MAP_FIGHT = _able_record(MOST_FIGHTERS, _ON_MAP, [*_MAP, *made(MOST_FIGHTERS)])
MADE_TURN_FIGHT = _able_record(MAX_FIGHTERS, _IN_ENGAGEMENT, [*_TURNS, *made(MAX_FIGHTERS)], ABLE_TURN_FRAMES)
MADE_TURN_MAP_FIGHT = _able_record(
    MOST_FIGHTERS, [*_ON_MAP, *_IN_ENGAGEMENT], [*_MAP, *_TURNS, *made(MOST_FIGHTERS)], ABLE_TURN_FRAMES
)

ROOMS = (DUELISTS, MAX_FIGHTERS, MOST_FIGHTERS)  # the fighter capacities of records


def room_of(kind: np.dtype[Any]) -> int:
    """Return the number of fighters for which a record type has room."""
    return int(kind["fighters"].shape[0])


def has_map(fight: Any) -> bool:
    """Return whether the record is of a fight on a map."""
    return "cells" in fight.dtype.names
