"""One attack and the hits of a batch, step by step: the parts of a round that every edition plays alike.

Instants may answer each roll of an attack, and hits before and after they land.
"""

from __future__ import annotations

from heartrush_env.games.heart_rush.editions.inner_windows import picks
from heartrush_env.games.heart_rush.engine.instants import (
    begin_occasion,
    end_occasion,
    goes_on_answering,
    take_instants,
)
from heartrush_env.games.heart_rush.engine.strikes import (
    let_defend,
    let_stand_in,
    roll_first,
    roll_second,
    settle_strike,
)
from heartrush_env.games.heart_rush.engine.windows import ask
from heartrush_env.games.heart_rush.rules import abilities
from heartrush_env.games.heart_rush.rules.hits import (
    answer_yield,
    hits_left,
    judge_batch,
    land_hits,
    number_hits,
)
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.state.choices import interrupt
from heartrush_env.games.heart_rush.state.record import (
    INSTANT_WINDOW,
    SHRUG_WINDOW,
    YIELD_WINDOW,
)
from heartrush_env.tabletop.flow import flow


@flow(needs=ABILITY_FIELD)
def strike(fight, log):
    """Play one attack: others may stand in for its target, and instants may answer its first roll, then both rolls."""
    if let_stand_in(fight):
        yield from picks(fight, log)
    roll_first(fight, log)
    yield from first_roll_seen(fight, log)
    roll_second(fight, log)
    yield from both_rolls_seen(fight, log)
    settle_strike(fight, log)


@flow(needs=ABILITY_FIELD)
def first_roll_seen(fight, log):
    """Let fighters use instants after the first roll of an attack, then ask what abilities ask before a defense."""
    yield from instants(fight, log, abilities.ON_FIRST_ROLL)
    let_defend(fight)
    yield from picks(fight, log)


@flow(needs=ABILITY_FIELD)
def both_rolls_seen(fight, log):
    """Let fighters use instants after both rolls of an attack, before the damage is known."""
    yield from instants(fight, log, abilities.ON_SECOND_ROLL)


@interrupt(needs=ABILITY_FIELD)
def instants(fight, log, occasion):
    """Let fighters use their instants for this occasion and answer one another, until none of them does."""
    lasts = begin_occasion(fight, occasion)
    while lasts:
        yield ask(fight, INSTANT_WINDOW)
        lasts = take_instants(fight, log)
        yield from picks(fight, log)
        lasts = lasts and goes_on_answering(fight)
    end_occasion(fight)


@interrupt
def hits(fight, log):
    """Let all fighters answer their first hit, then their second, until all hits have landed; then some may yield."""
    if fight.hit_count == 0:
        return
    number_hits(fight)
    yield from damage_seen(fight, log)
    while hits_left(fight):
        yield ask(fight, SHRUG_WINDOW)
        land_hits(fight, log)
        yield from damage_landed(fight, log)
    if judge_batch(fight, log):
        yield ask(fight, YIELD_WINDOW)
        answer_yield(fight, log)


@flow(needs=ABILITY_FIELD)
def damage_seen(fight, log):
    """Let fighters use instants before hits land."""
    yield from instants(fight, log, abilities.ON_DAMAGE)


@flow(needs=ABILITY_FIELD)
def damage_landed(fight, log):
    """Let fighters use instants after hits have landed."""
    yield from instants(fight, log, abilities.ON_LANDED)
