"""Instants: abilities used in response to something seen, and abilities that act at set times of a round.

On an occasion, every fighter that owns a usable instant may declare it. Declared instants wait on a stack, the quickest
fighter's on top (R-19). They may be answered, and the last one declared is done first.
"""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.all import AIM
from heartrush_env.games.heart_rush.abilities.using import may_use_any, name_ability, still_may_use, use
from heartrush_env.games.heart_rush.engine.picks import answers_hold, is_use
from heartrush_env.games.heart_rush.engine.strikes import (
    FOLLOW_UP_RANK,
    STRIKE_RANKS,
    begin_strike,
    begin_strike_outside,
    forget_answers,
    keep_roll,
)
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import (
    ON_ACTION,
    ON_DECLARATION,
    ON_FIRST_ROLL,
    ON_SECOND_ROLL,
    PARTS,
)
from heartrush_env.games.heart_rush.rules.engaging import takes_part
from heartrush_env.games.heart_rush.rules.hits import start_batch
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.sheet import bit
from heartrush_env.games.heart_rush.rules.stances import ATTACKS
from heartrush_env.games.heart_rush.rules.terms import FROM_EXTRA, NO_STANCE, NOBODY, STANDING, USE
from heartrush_env.games.heart_rush.state.events import FIZZLE, tell, tell_conditions
from heartrush_env.tabletop.rule import compiled, rule

INSTANTS = "Abilities > Instant Abilities"


@compiled
def begin_occasion(fight, occasion):
    """Begin an occasion for instants; return whether any fighter may use one."""
    fight.occasion = occasion
    fight.stack_count = 0
    if occasion != ON_FIRST_ROLL and occasion != ON_SECOND_ROLL:  # both belong to one attack
        forget_answers(fight)
    if occasion == ON_DECLARATION:
        answer_by_oneself(fight)
    return may_anyone_answer(fight)


@compiled
def answer_by_oneself(fight):
    """Prevent an ability that is declared in an action window from answering itself."""
    fighter = fight.fighters[fight.mover]
    if is_use(fighter.deed):
        fighter.answered |= bit(fighter.detail)
        if hooks.unanswered(fight, fight.mover):
            keep_others_silent(fight)


@compiled
def keep_others_silent(fight):
    """Let no fighter except the one that has made the declaration answer it."""
    for j in range(fight.n):
        if j != fight.mover:
            fight.fighters[j].answered = bit(fight.fighters[j].slots) - 1


@compiled
def may_anyone_answer(fight):
    """Return whether any fighter may use an instant now."""
    if not fight.full_decisions:
        return False
    for i in range(fight.n):
        if fight.fighters[i].slots > 0 and may_use_any(fight, i):
            return True
    return False


@rule(INSTANTS, "R-19")
def take_instants(fight, log):
    """Put declared instants on the stack or, if there are none, do the top one; return whether there was either."""
    before = fight.stack_count
    for spot in range(fight.n - 1, -1, -1):  # the slowest first
        i = fight.base_order[spot]
        fighter = fight.fighters[i]
        if is_use(fighter.deed) and fight.stack_count < len(fight.stack):
            declared = fight.stack[fight.stack_count]
            declared.fighter, declared.slot, declared.target = i, fighter.detail, fighter.target
            for part in range(PARTS):
                declared.answers[part] = fighter.answers[part]
            fighter.answered |= bit(fighter.detail)
            fight.stack_count += 1
    if fight.stack_count > before:
        return True
    if fight.stack_count == 0:
        return False
    do_last(fight, log)
    return True


@compiled
def goes_on_answering(fight):
    """Return whether an occasion goes on: instants are still to be done, or a fighter may use another one."""
    return fight.stack_count > 0 or may_anyone_answer(fight)


@rule(INSTANTS, "R-4")
def do_last(fight, log):
    """Do the instant declared last, if it is still possible; otherwise it fizzles and costs nothing."""
    fight.stack_count -= 1
    last = fight.stack[fight.stack_count]
    i, slot, target = last.fighter, last.slot, last.target
    fighter = fight.fighters[i]
    for part in range(PARTS):
        fighter.answers[part] = last.answers[part]
    possible = still_may_use(fight, i, slot, target, AIM[fighter.loadout[slot]])
    if possible and answers_hold(fight, i, USE, slot, target):
        use(fight, log, i, slot, target)
        tell_conditions(fight, log)
    else:
        number = tell(fight, log, FIZZLE, i, target, USE, 0)
        if number != NOBODY:
            name_ability(fight, log, number, i, slot)


@compiled
def end_occasion(fight):
    """End the occasion, so that abilities are used in action windows again."""
    fight.occasion = ON_ACTION
    fight.stack_count = 0


# Abilities that act by themselves, at set times of a round.


@compiled
def start_by_abilities(fight, log):
    """Let abilities act as a round begins, including abilities of fallen fighters; their hits are one batch."""
    start_batch(fight)
    for i in range(fight.n):
        hooks.round_starts(fight, i, log)
    tell_conditions(fight, log)


@with_abilities(None)
@compiled
def end_by_abilities(fight, log):
    """Let abilities act as a round ends, including those of fallen fighters."""
    for i in range(fight.n):
        hooks.round_ends(fight, i, log)
    tell_conditions(fight, log)


@compiled
def see_stances(fight, log):
    """Let abilities of those in the engagement and of the fallen act once all stances are shown, as one batch."""
    start_batch(fight)
    for i in range(fight.n):
        if fight.fighters[i].status != STANDING or takes_part(fight, i):
            hooks.revealed(fight, i, log)
    tell_conditions(fight, log)


@compiled
def begin_extra(fight, log):
    """Begin the next attack that abilities have added to the phase; return whether there is one."""
    while fight.extra_count > 0:
        fight.extra_count -= 1
        extra = fight.extras[fight.extra_count]
        striker = fight.fighters[extra.striker]
        attacks = extra.stance != NO_STANCE or ATTACKS[striker.stance]  # an ability may have changed its stance
        if attacks and striker.status == STANDING and fight.fighters[extra.target].status == STANDING:
            fight.again, fight.shared = extra.again, extra.shared
            if fight.again:
                keep_roll(fight, extra.striker)
                hooks.resumes(fight, extra.striker, extra.target, fight.attack_roll)
            if extra.stance == NO_STANCE:
                begin_strike(fight, log, extra.striker, extra.target, FROM_EXTRA)
            else:
                in_opening = fight.kept_count > 0  # then its hit comes right after that of the striker's first attack
                rank = (STRIKE_RANKS * fight.fighters[extra.striker].turn + FOLLOW_UP_RANK) * in_opening
                begin_strike_outside(fight, log, extra.striker, extra.target, extra.stance, rank)
            return True
    return False


@with_abilities(False)
@compiled
def begin_another(fight, log):
    """Begin the next attack that abilities have added outside the engagement; return whether there is one."""
    return begin_extra(fight, log)
