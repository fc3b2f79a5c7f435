"""The log of a fight: the record types of an event and of the log of one step."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.dice import MAX_ROLLED, POOL
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS, N_CAUSES, N_CONDITIONS
from heartrush_env.tabletop.records import record

MAX_EVENTS = 512  # in one step

EVENT = record(
    [
        ("kind", "i1"),
        ("fighter", "i1"),
        ("other", "i1"),
        ("stance", "i1"),
        ("detail", "i1"),
        ("hurt", "i1"),
        ("ability", "i1"),  # of the check and of the opposing check; NOBODY if there is none
        ("opposing_ability", "i1"),
        ("flag", "?"),  # contested
        ("mutual", "?"),
        ("pending", "?"),  # an attack whose damage is not known yet
        ("x", "i1"),  # a square
        ("y", "i1"),
        ("amount", "i2"),
        ("before", "i2"),
        ("after", "i2"),
        ("attack_total", "i2"),
        ("attack_count", "i1"),
        ("defense_total", "i2"),
        ("defense_count", "i1"),
        ("attack_results", "u1", (MAX_ROLLED,)),
        ("defense_results", "u1", (MAX_ROLLED,)),
        ("attack_pool", POOL),
        ("defense_pool", POOL),
        ("attack_causes", "i1", (N_CAUSES,)),
        ("defense_causes", "i1", (N_CAUSES,)),
    ]
)

LOG = record(
    [
        ("count", "i4"),
        ("attack", "i4"),  # the event of the attack in progress, or NOBODY
        ("seen", "i1", (MOST_FIGHTERS, N_CONDITIONS)),  # condition levels already reported by events
        ("events", EVENT, (MAX_EVENTS,)),
    ]
)
