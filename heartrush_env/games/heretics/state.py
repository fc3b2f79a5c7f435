"""The state of a fight as one record."""

from functools import partial
from typing import Final

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.settings import SETTINGS
from heartrush_env.games.heretics.terms import CONDITIONS, INVENTORY, MAX_FIGHTERS, POOLS
from heartrush_env.games.heretics.weapons import A_SHIELD, ITEMS, NO_ITEM
from heartrush_env.tabletop.batch.fights import fight_record
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.grids.journeys import journey_fields
from heartrush_env.tabletop.grids.places import EXITS, place_fields
from heartrush_env.tabletop.grids.squares import HEIGHT, MAP_FIELDS
from heartrush_env.tabletop.grids.things import lying_fields
from heartrush_env.tabletop.limits import Limits
from heartrush_env.tabletop.records import Field, record

FRAMES, NUMBERS, NESTED = 11, 4, 3  # capacities: nested flows, numbers that a flow keeps, nested windows
MOST_LYING: Final = MAX_FIGHTERS * (INVENTORY + 2)  # items on the ground: as many as all fighters can carry
# The limits of the fields that change; all others stay as the scenario has them.
COUNT: Final = Limits(0, 2**15 - 1)
FLAG: Final = Limits(0, 1)
SOMEBODY: Final = Limits(-1, MAX_FIGHTERS - 1)

BODY: list[Field] = [
    ("status", "i1", Limits(0, len(terms.STATUSES) - 1)),
    ("hp", "i2", COUNT),
    ("hp_max", "i2"),
    ("ability", "i1", (4,)),
    *((name, "i1") for name in ("hd", "ward", "hit_condition")),
    *((name, "?") for name in ("hero", "leader", "steady", "fearless", "opportunist")),
    ("armor", "i1"),  # armored defense without the shield
    ("speed", "i1"),  # squares
    ("to_hit", "i1"),
    ("fixed_to_hit", "?"),  # whether to_hit replaces the ability's bonus
    ("natural", "i1"),  # sides of the natural weapon's die; 0 without one
    ("held", "i1", Limits(NO_ITEM, A_SHIELD - 1)),  # a weapon, or NO_ITEM
    ("inventory", "i1", (INVENTORY,), Limits(NO_ITEM, A_SHIELD)),  # items by slot
    ("afflicted", "u2", Limits(0, 2 ** len(CONDITIONS) - 1)),  # a bit for each condition
    # The number of the fighter's phase, or for "open" of the round, with which each condition ends; 0 for no end.
    ("until", "i2", (len(CONDITIONS),), COUNT),
    ("grappler", "i1", SOMEBODY),
    ("phases", "i2", COUNT),  # how many it has had
    ("ammunition", "i2", COUNT),
    ("turn", "i1", Limits(-1, 2)),  # the phase of a round in which it acts
    ("breaking", "?", FLAG),  # it may leave the map
    *((name, "u1") for name in ("fears", "fearsome")),  # a bit for each tag of the scenario
    ("hit_ability", "i1"),  # the ability of the save against its hits
    ("hit_number", "i1"),  # the save must reach this; 0 if its hits have no effect
    ("commander", "i1"),  # of a retainer; NOBODY for all others
    *((name, "?", FLAG) for name in ("loaded", "shield", "routed")),
    ("bereft", "?", FLAG),  # a retainer that has saved since it lost its commander
    ("order", "i1", Limits(NOBODY, len(terms.ORDERS) - 1)),  # that a retainer carries out; NOBODY without one
    ("order_target", "i1", SOMEBODY),
    ("order_stunt", "i1", Limits(0, len(terms.STUNTS) - 1)),
    ("standing", "i1", Limits(0, len(terms.STANDING) - 1)),  # its standing orders
    ("watches", "?", FLAG),  # an enemy is about to leave its melee range
    ("flesh", "i2", COUNT),  # that part of the hit points which is not grit
    ("chained", "?", FLAG),  # a spell of its grappler holds it
    ("spells", "u1"),  # a bit for each spell that it knows
    ("mana", "i1", Limits(0, terms.MOST_MANA)),  # dice in the pool
    ("dice", "i1", Limits(0, terms.MOST_MANA)),  # of the pool, for the spell that it casts
    ("aims", "u2", Limits(0, 2**MAX_FIGHTERS - 1)),  # a bit for each target of the spell that it casts
]
EXCHANGE_FIELDS: list[Field] = [
    *((name, "i1", Limits(0, MAX_FIGHTERS - 1)) for name in ("attacker", "target")),
    ("mode", "i1", Limits(0, len(terms.MODES) - 1)),
    ("natural", "i1"),  # the kept die
    *((name, "i2") for name in ("total", "power")),  # of the die and the bonus, and of the mana dice
    *((name, "u2") for name in ("helps", "hinders")),  # a bit for each cause of advantage or disadvantage
    # It is made with a weapon in hand; the weapon is sundered; a shield has stopped the hit.
    *((name, "?") for name in ("armed", "sundered", "stopped")),
]
EXCHANGE = record(EXCHANGE_FIELDS)


BATTLE: list[Field] = [
    ("round_number", "i2", COUNT),
    ("side", "i1", FLAG),  # the side that acts now
    ("heroes", "i1"),  # the side with the heroes, else 0
    ("free_side", "i1", Limits(-1, 1)),  # the side that has a free round
    ("surprise", "i1"),  # 0 and 1: this side is surprised; 2: roll; NOBODY: none
    ("free_again", "i1", SOMEBODY),  # the fighter that has another action at once
    ("requests", "i1", (2,), FLAG),  # whether each side holds a request
    ("broke", "u1", (2,), Limits(0, 2 ** len(terms.BREAKS) - 1)),  # a bit for each breaking point of a side
    ("at_start", "i1", (2,)),  # fighters of each side
    ("left_map", "i1", (2,), Limits(0, MAX_FIGHTERS)),  # fighters of each side that have left
    ("intimidated", "i1", (2,), FLAG),  # whether each side has tried in this round
    ("alarm", "u1", Limits(0, 3)),  # a bit for each side that an enemy has acted against
    ("objective", "i1"),
    ("objective_team", "i1"),
    ("objective_count", "i2"),
    ("order", "i1", (MAX_FIGHTERS,)),  # fighters, higher dex first
    ("exchange", EXCHANGE, COUNT),
    ("in_beats", "?", FLAG),  # whether the fight is a duel in beats now
    ("beat", "i2", COUNT),  # beats begun
    # Of parry, push and feint, by side: a bit for each of the last beats with this choice, latest first.
    ("reveals", "u1", (2 * terms.KINDS,), Limits(0, 2**terms.REMEMBERED - 1)),
    ("blows", "u1", (2,), Limits(0, 2 ** len(terms.BLOWS) - 1)),  # by side, of this beat
    ("rules", SETTINGS.record),
    *lying_fields(len(ITEMS), MOST_LYING),
]
GROUND: list[Field] = [  # of fights on maps
    *MAP_FIELDS,
    *EXITS,
    *((name, "i8", (HEIGHT,)) for name in ("small_hazards", "fires")),  # a bit for each square
    *journey_fields(MAX_FIGHTERS, terms.MOST_SQUARES),
    ("warned", "?", FLAG),  # opportunists have been asked before the next step of the journey
    *((name, "i1") for name in ("small_dice", "fire_dice")),  # of its hazards
]
_record = partial(fight_record, MAX_FIGHTERS, POOLS, frames=FRAMES, numbers=NUMBERS, nested=NESTED)
BARE_FIGHT = _record(BODY, BATTLE)  # without a map
MAP_FIGHT = _record([*BODY, *place_fields(MAX_FIGHTERS)], [*BATTLE, *GROUND])
