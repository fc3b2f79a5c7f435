"""The round of Heretics as a page, in the order of the book."""

import numpy as np

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.book import ACTS, AN_ACTION, SHELF, choice, rule
from heartrush_env.games.heretics.rules import attacks, items, morale, moves, stunts, the_round
from heartrush_env.games.heretics.rules.attacks import is_attack
from heartrush_env.games.heretics.rules.conditions import end_conditions
from heartrush_env.games.heretics.rules.ending import end_fight, judge
from heartrush_env.games.heretics.rules.fighters import is_able
from heartrush_env.games.heretics.rules.space import look_first
from heartrush_env.games.heretics.state import FRAMES, NUMBERS
from heartrush_env.games.heretics.terms import ACT, AGAIN, LATE_MOVE, MOVE, REQUEST, SHIELD, SUNDER
from heartrush_env.tabletop.choosing import NOBODY, asker, deciding, interrupt
from heartrush_env.tabletop.flow import Machine, flow
from heartrush_env.tabletop.rule import compiled

LOST = 1  # a value of the setting spoilt_declaration
CHOOSING = (attacks, items, morale, moves, stunts)  # the modules that put choices on the shelf


@choice("pass", windows=(), words="wait")
class Pass:
    """Wait, while others are asked."""


@choice("keep", windows=("request", "sunder", "shield"), words="keep it", fallback=True)
class Keep:
    """Keep the request, the weapon, or the shield."""


@choice("stand_by", windows=ACTS, words="stand by", costs=AN_ACTION, fallback=True)
class StandBy:
    """Do nothing."""


DECIDING = deciding(SHELF.units(), terms.WINDOWS, terms.POOLS)
ask = asker(DECIDING, terms.WINDOWS, is_able)
is_legal, pay, do_choice = DECIDING.is_legal, DECIDING.pay, DECIDING.do


@flow
def whole_fight(fight, log):
    """Play a free round if one side is surprised, then round after round."""
    look_first(fight)
    if the_round.begin_surprise(fight, log):
        yield from phase(fight, log, 0)
        the_round.end_surprise(fight, log)
    while fight.ending == terms.GOES_ON:
        the_round.begin_round(fight, log)
        for turn in range(the_round.MOST_TURNS):
            yield from phase(fight, log, turn)
        the_round.end_round(fight, log)
    end_fight(fight, log)


@rule("The round", "R-14", "R-15")
@flow
def phase(fight, log, turn):
    """Play a request, then windows in which the side declares together: move, act, late move; higher dex goes first.

    Without a map, the only move is to stand up. A fighter declares again if its declaration has become impossible.
    """
    if not the_round.begin_phase(fight, log, turn):
        return
    fight.one = morale.speaker_of(fight, fight.side)
    yield ask(fight, REQUEST)
    carry_out(fight, log, fight.one)
    yield ask(fight, MOVE)
    carry_out_all(fight, log)
    while the_round.some_may_act(fight):
        yield ask(fight, ACT)
        for spot in range(fight.n):
            yield from declaration(fight, log, fight.order[spot])
    if fight.rules.late_move == 0:
        yield ask(fight, LATE_MOVE)
        carry_out_all(fight, log)
    end_conditions(fight, log)


@flow
def declaration(fight, log, i):
    """Carry out a declaration; after a free retrieval, another one follows at once."""
    fight.free_again = NOBODY
    if is_attack(carry_out(fight, log, i)):
        yield from strike(fight, log, i)
    while fight.free_again == i:
        yield from again(fight, log, i)


@rule("What a fighter may do", "R-18")
@interrupt
def again(fight, log, i):
    """Give a fighter another action."""
    fight.free_again = NOBODY
    fight.one = i
    yield ask(fight, AGAIN)
    if is_attack(carry_out(fight, log, i)):
        yield from strike(fight, log, i)


@rule("Attacks", "R-27")
@flow
def strike(fight, log, i):
    """Play an attack: a stunt before it, the roll, the answers to a hit, the damage, a stunt after it."""
    if attacks.begin_strike(fight, log, i):
        yield from sunders(fight, log, i)
        yield from shields(fight, log, i)
        attacks.land_hit(fight, log, i)
    attacks.end_strike(fight, log, i)
    judge(fight, log)


@rule("Attacks", "R-22")
@interrupt
def sunders(fight, log, i):
    """Ask the attacker whether to break its weapon."""
    fight.one = i
    yield ask(fight, SUNDER)
    carry_out(fight, log, i)


@rule("Attacks", "R-23")
@interrupt
def shields(fight, log, i):
    """Ask the target whether to break its shield."""
    fight.one = fight.exchange.target
    yield ask(fight, SHIELD)
    carry_out(fight, log, fight.one)


@rule("The round", "R-15")
def carry_out(fight, log, i):
    """Carry out the choice of fighter i if it is still possible; return the choice, or NOBODY if not."""
    if i == NOBODY or fight.ending != terms.GOES_ON or not is_able(fight, i):
        return np.int64(NOBODY)
    fighter = fight.fighters[i]
    deed, target, detail = np.int64(fighter.deed), np.int64(fighter.target), np.int64(fighter.detail)
    if deed == NOBODY:
        return deed
    if not is_legal(fight, i, deed, target, detail):
        if fight.rules.spoilt_declaration == LOST:
            fighter.left[terms.ACTION] = 0
        return np.int64(NOBODY)
    pay(fight, i, deed)
    do_choice(fight, deed, log, i, target, detail)
    if not is_attack(deed):
        judge(fight, log)
    return deed


@compiled
def carry_out_all(fight, log):
    """Carry out all choices of a window, higher dex first."""
    for spot in range(fight.n):
        carry_out(fight, log, np.int64(fight.order[spot]))


MACHINE = Machine(whole_fight, frames=FRAMES, numbers=NUMBERS)
