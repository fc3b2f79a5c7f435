"""The round of Heretics as a page, in the order of the book."""

import numpy as np

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.book import SHELF, action, choice, rule
from heartrush_env.games.heretics.rules import attacks, beats, morale, moves, retainers, standing, the_round
from heartrush_env.games.heretics.rules.conditions import end_concentration
from heartrush_env.games.heretics.rules.ending import end_fight, judge
from heartrush_env.games.heretics.rules.fighters import decides, is_able
from heartrush_env.games.heretics.state import FRAMES, NESTED, NUMBERS
from heartrush_env.tabletop.choosing import NOBODY, ask_waiting, asker, deciding, interrupt, let_others_wait
from heartrush_env.tabletop.flow import Machine, flow
from heartrush_env.tabletop.grids import places
from heartrush_env.tabletop.rule import compiled

PARTS = 2  # of a phase: the rest of the side, and its retainers
LOST = 1  # a value of the setting spoilt_declaration


class Plain:
    """A choice that no rule carries out: to wait, to refuse, or to agree."""


for _name, _words, _windows, _fallback in (
    ("pass", "wait", (), False),
    ("keep", "keep it", ("request", "sunder", "shield"), True),
    ("let_pass", "let it go", ("strike", "pursue"), True),
    ("duel", "agree to a duel", ("duel",), False),
    ("fight_on", "fight on in rounds", ("duel",), True),
):
    choice(_name, windows=_windows, words=_words, fallback=_fallback)(Plain)


@action("stand_by", words="stand by", fallback=True)
class StandBy:
    """Do nothing."""


@compiled
def is_asked(fight, i):
    """Return whether windows ask a fighter: it decides, and no standing order answers for it."""
    return decides(fight, i) and not standing.has_answered(fight, i)


DECIDING = deciding(tuple(map(standing.with_standing_orders, SHELF.units())), terms.WINDOWS, terms.POOLS)
ask_all = asker(DECIDING, terms.WINDOWS, is_asked)
is_legal, pay, do_choice = DECIDING.is_legal, DECIDING.pay, DECIDING.do


@rule("The round", "R-14")
def ask(fight, window):
    """Open a window; return whether the fight pauses. By the setting `share_declarations`, all but the first wait."""
    asked = ask_all(fight, window)
    together = window == terms.MOVE or window == terms.ACT or window == terms.LATE_MOVE
    if together and fight.rules.share_declarations == 1 and not fight.team_control:
        let_others_wait(fight)
    return asked


@flow
def whole_fight(fight, log):
    """Play a free round if one side is surprised, then round after round, or a duel in beats."""
    for i in range(fight.n):
        places.look_around(fight, i)
    if not fight.in_beats and the_round.begin_surprise(fight, log):
        yield from phase(fight, log, 0)
        the_round.end_surprise(fight, log)
    while fight.ending == terms.GOES_ON:
        if beats.last_two_meet(fight):
            yield ask(fight, terms.DUEL)
            beats.begin_duel(fight, log)
        while fight.in_beats and fight.ending == terms.GOES_ON:
            yield from beat(fight, log)
        if fight.ending == terms.GOES_ON:
            the_round.begin_round(fight, log)
            for turn in range(the_round.MOST_TURNS):
                yield from phase(fight, log, turn)
            the_round.end_round(fight, log)
    end_fight(fight, log)


@rule("The dueling beat", "R-53")
@flow
def beat(fight, log):
    """Play a beat: both choose in secret and attack, both answer the hits together, and both damages land together."""
    beats.begin_beat(fight, log)
    yield ask(fight, terms.BEAT)
    if beats.reveal(fight, log):
        beats.roll_blows(fight, log)
        yield ask(fight, terms.SUNDER)
        beats.note_answers(fight, log)
        yield ask(fight, terms.SHIELD)
        beats.note_answers(fight, log)
        beats.land_blows(fight, log)
    beats.end_beat(fight, log)


@rule("The round", "R-14")
@flow
def phase(fight, log, turn):
    """Play a request, the windows of all but the retainers, and then the retainers' windows or their script."""
    if not the_round.begin_phase(fight, log, turn):
        return
    fight.one = morale.speaker_of(fight, fight.side)
    yield ask(fight, terms.REQUEST)
    carry_out(fight, log, fight.one)
    for part in range(PARTS):
        if the_round.begin_part(fight, turn, part):
            yield from windows(fight, log)
    for spot in range(fight.n):
        yield from script(fight, log, fight.order[spot])
    the_round.end_phase(fight, log, turn)


@rule("The round", "R-14", "R-15")
@flow
def windows(fight, log):
    """Play the windows in which fighters declare together: move, act, late move; higher dex goes first.

    Without a map, the only move is to stand up. A fighter declares again if its declaration has become impossible.
    """
    yield ask(fight, terms.MOVE)
    for i in range(fight.n):
        yield ask_waiting(fight, terms.MOVE, i)
    for spot in range(fight.n):
        yield from declaration(fight, log, fight.order[spot])
    while the_round.some_may_act(fight):
        yield ask(fight, terms.ACT)
        for i in range(fight.n):
            yield ask_waiting(fight, terms.ACT, i)
        for spot in range(fight.n):
            yield from declaration(fight, log, fight.order[spot])
    if fight.rules.late_move == 0:
        yield ask(fight, terms.LATE_MOVE)
        for i in range(fight.n):
            yield ask_waiting(fight, terms.LATE_MOVE, i)
        for spot in range(fight.n):
            yield from declaration(fight, log, fight.order[spot])


@rule("Morale, retreat, retainers", "R-35")
@flow
def script(fight, log, i):
    """Play the phase of a scripted retainer: a move, an action, and a late move, each on the board as it then is."""
    for stage in range(retainers.stages_of(fight, i)):
        fight.window = retainers.STAGES[stage]
        yield from declaration(fight, log, i)


@flow
def declaration(fight, log, i):
    """Carry out a declaration; after a free retrieval, another one follows at once."""
    fight.free_again = NOBODY
    yield from deed(fight, log, i)
    while fight.free_again == i:
        yield from again(fight, log, i)


@rule("What a fighter may do", "R-18")
@interrupt
def again(fight, log, i):
    """Give a fighter another action."""
    fight.free_again = NOBODY
    fight.one = i
    yield ask(fight, terms.AGAIN)
    yield from deed(fight, log, i)


@flow
def deed(fight, log, i):
    """Carry out a choice; an attack and a move may ask others."""
    chosen = carry_out(fight, log, i)
    if attacks.is_attack(chosen):
        yield from strike(fight, log, i)
    elif terms.GO <= chosen <= terms.LEAVE_AGAIN:  # a move
        yield from journey(fight, log, i)


@rule("The round", "R-14", "R-17")
@flow(needs=places.MAP)
def journey(fight, log, i):
    """Play a move; opportunists strike before a step out of their reach, and pursuers may stop those who leave."""
    while moves.goes_on(fight, i):
        yield from strikes(fight, log, i)
    if moves.stands_at_exit(fight, i) and morale.can_be_pursued(fight, i):
        yield from pursuit(fight, log, i)
    moves.end_move(fight, log, i)
    judge(fight, log)


@rule("What a fighter may do", "R-17")
@interrupt(needs=places.MAP)
def strikes(fight, log, i):
    """Ask the opportunists whose reach fighter i is about to leave, and play their attacks."""
    yield ask(fight, terms.STRIKE)
    for spot in range(fight.n):
        yield from strike_back(fight, log, fight.order[spot])


@flow(needs=places.MAP)
def strike_back(fight, log, i):
    """Play the attack of an opportunist that has chosen to strike."""
    if carry_out(fight, log, i) == terms.STRIKE_AT:
        yield from strike(fight, log, i)


@rule("Morale, retreat, retainers", "R-34")
@interrupt(needs=places.MAP)
def pursuit(fight, log, i):
    """Ask the side of the enemies whether to pursue fighter i, which is about to leave."""
    fight.one = morale.speaker_of(fight, 1 - np.int64(fight.fighters[i].team))
    yield ask(fight, terms.PURSUE)
    carry_out(fight, log, fight.one)


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
    yield ask(fight, terms.SUNDER)
    carry_out(fight, log, i)


@rule("Attacks", "R-23")
@interrupt
def shields(fight, log, i):
    """Ask the target whether to break its shield."""
    fight.one = fight.exchange.target
    yield ask(fight, terms.SHIELD)
    carry_out(fight, log, fight.one)


@rule("The round", "R-15", "R-36")
def carry_out(fight, log, i):
    """Carry out the choice of fighter i if it is still possible; return the choice, or NOBODY if not.

    Any action but standing by and moving ends the fighter's concentration.
    """
    if i == NOBODY or fight.ending != terms.GOES_ON or not is_able(fight, i):
        return np.int64(NOBODY)
    retainers.decide(fight, i)
    standing.answer(fight, i)
    fighter = fight.fighters[i]
    chosen, target, detail = np.int64(fighter.deed), np.int64(fighter.target), np.int64(fighter.detail)
    if chosen == NOBODY:
        return chosen
    if not is_legal(fight, i, chosen, target, detail):
        if fight.rules.spoilt_declaration == LOST and (fight.window == terms.ACT or fight.window == terms.AGAIN):
            fighter.left[terms.ACTION] = 0
        return np.int64(NOBODY)
    actions = np.int64(fighter.left[terms.ACTION])
    pay(fight, i, chosen)
    if fighter.left[terms.ACTION] < actions and chosen != terms.STAND_BY and not moves.is_extra_move(chosen):
        end_concentration(fight, log, i)
    do_choice(fight, chosen, log, i, target, detail)
    if not attacks.is_attack(chosen):
        judge(fight, log)
    return chosen


# The ends of the loops that are not over fighters.
COUNTS = {"turn": the_round.MOST_TURNS, "part": PARTS, "stage": len(retainers.STAGES)}
MACHINE = Machine(whole_fight, frames=FRAMES, numbers=NUMBERS, nested=NESTED, counts=COUNTS)
