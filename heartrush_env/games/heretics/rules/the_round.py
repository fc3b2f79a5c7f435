"""Surprise, initiative, and the phases of a round."""

import numpy as np

from heartrush_env.games.heretics import events, terms
from heartrush_env.games.heretics.book import rule
from heartrush_env.games.heretics.rules import conditions, dice, ending, fighters, hazards, morale
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.rng import roll_die
from heartrush_env.tabletop.rule import compiled

SURPRISE = "Surprise, once a fight"
HEADING = "The round"
SURPRISED_UP_TO = 2  # on the d6 of surprise
HEROES_FIRST_FROM = 4  # on the d6 of initiative
AMBUSH_MARGIN = 10  # the lead of a leader's roll that gives its side a free round
MOST_TURNS = 3  # phases of a round
SIDE_D6, DEX_CHECK, LEADERS = range(3)  # values of the setting initiative
ROLL = 2  # in place of a surprised side: both sides roll


@rule(SURPRISE, "R-13")
def begin_surprise(fight, log):
    """Roll a d6 for each side, the heroes' side first; return whether just one side is surprised."""
    if fight.rules.initiative == LEADERS:
        return roll_leaders(fight, log, True)
    surprised = np.int64(fight.surprise)
    if surprised == ROLL:
        heroes = np.int64(fight.heroes)
        own = roll_die(fight, 6) <= SURPRISED_UP_TO
        other = roll_die(fight, 6) <= SURPRISED_UP_TO
        surprised = NOBODY if own == other else heroes if own else 1 - heroes
    if surprised != NOBODY:
        ambush(fight, log, surprised)
    return surprised != NOBODY


@rule(SURPRISE, "R-12")
def ambush(fight, log, surprised):
    """Give the fighters of a side the condition "surprised", and the other side a free round."""
    fight.free_side = 1 - surprised
    events.tell_surprise(fight, log, surprised)
    for i in range(fight.n):
        fighter = fight.fighters[i]
        fighter.turn = 0 if fighter.team != surprised else NOBODY
        if fighter.team == surprised:
            conditions.afflict_until(fight, log, i, terms.SURPRISED, 0)


@rule(SURPRISE, "R-30")
def end_surprise(fight, log):
    """End the free round: the surprised side recovers, and the ambush counts as a breaking point."""
    if fight.ending != terms.GOES_ON:
        return
    for i in range(fight.n):
        conditions.relieve(fight, log, i, terms.SURPRISED)
    morale.note_breaking(fight, log, 1 - np.int64(fight.free_side), terms.AMBUSHED)


@rule(HEADING, "R-16", "R-42")
def begin_round(fight, log):
    """Begin a round: roll initiative, and give every fighter its reaction.

    The leaders do not roll in round 1, because their roll for surprise has decided it, unless beats came before.
    """
    fight.round_number += 1
    fight.intimidated[0] = fight.intimidated[1] = False
    for i in range(fight.n):
        fight.fighters[i].left[terms.REACTION] = 1
    heroes = np.int64(fight.heroes)
    if fight.rules.initiative == DEX_CHECK:
        events.tell_round(fight, log, fight.round_number, NOBODY, 0)
        if fight.round_number == 1:
            roll_dex(fight, log, heroes)
    elif fight.rules.initiative == LEADERS:
        if fight.round_number > 1 or fight.beat > 0:
            roll_leaders(fight, log, False)
        set_turns(fight, log, np.int64(fight.side), 0)
    else:
        die = roll_die(fight, 6)
        set_turns(fight, log, heroes if die >= HEROES_FIRST_FROM else 1 - heroes, die)


@compiled
def set_turns(fight, log, first, die):
    """Let one side act in the first phase of the round and the other in the second."""
    for i in range(fight.n):
        fight.fighters[i].turn = 0 if fight.fighters[i].team == first else 1
    events.tell_round(fight, log, fight.round_number, first, die)


@rule(HEADING)
def roll_dex(fight, log, heroes):
    """Roll once for each hero-side fighter against the highest dex defense: success lets it act before the enemies."""
    number = np.int64(0)
    for j in range(fight.n):
        if fight.fighters[j].team != heroes:
            fight.fighters[j].turn = 1
            if fighters.is_able(fight, j):
                number = max(number, dice.defense(fight.fighters[j], terms.DEX))
    for i in range(fight.n):
        if fight.fighters[i].team == heroes and fighters.is_able(fight, i):
            dice.begin_check(fight, fight.fighters[i].afflicted & conditions.HINDER_CHECKS)
            before = dice.check(fight, np.int64(fight.fighters[i].ability[terms.DEX]), number, False)
            fight.fighters[i].turn = 0 if before else 2
            events.tell_initiative(fight, log, i, fight.exchange.total)


@rule(HEADING, "R-16")
def roll_for_leader(fight, log, i):
    """Roll a leader's d20 plus dex, which conditions may hinder, and return the total."""
    dice.begin_check(fight, fight.fighters[i].afflicted & conditions.HINDER_CHECKS)
    total = dice.roll_d20(fight) + np.int64(fight.fighters[i].ability[terms.DEX])
    events.tell_initiative(fight, log, i, total)
    return total


@rule(HEADING, "R-16", "R-42")
def roll_leaders(fight, log, ambushes):
    """Roll a d20 plus dex for both leaders; return whether the winner's side gets a free round.

    The winner's side acts next. The higher dex decides a tie; if dex is equal, both roll again. The strongest fighter
    of a side rolls in place of a leader that is out.
    """
    heroes = np.int64(fight.heroes)
    own, other = fighters.strongest(fight, heroes), fighters.strongest(fight, 1 - heroes)
    by_dex = np.int64(fight.fighters[own].ability[terms.DEX]) - np.int64(fight.fighters[other].ability[terms.DEX])
    gap, margin = np.int64(0), np.int64(0)
    while margin == 0:
        first = roll_for_leader(fight, log, own)
        second = roll_for_leader(fight, log, other)
        gap = first - second
        margin = gap if gap != 0 else by_dex
    fight.side = heroes if margin > 0 else 1 - heroes
    if ambushes and abs(gap) >= AMBUSH_MARGIN:
        ambush(fight, log, 1 - np.int64(fight.side))
        return True
    return False


@rule(HEADING, "R-14", "R-17")
def begin_phase(fight, log, turn):
    """Begin the phase of the fighters that act in this `turn` of the round; return whether there are any.

    The unaware do not act.
    """
    if fight.ending != terms.GOES_ON:
        return False
    found = False
    for i in range(fight.n):
        fighter = fight.fighters[i]
        fighter.acting = fighter.turn == turn and not conditions.has(fighter, terms.UNAWARE)
        if fighter.acting and fighters.is_able(fight, i):
            fight.side = fighter.team
            found = True
    if found:
        events.tell_phase(fight, log, fight.side)
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if found and fighter.acting:
            fighter.phases += 1
            fighter.left[terms.ACTION] = 0 if conditions.cannot_act(fighter) else 1
            fighter.left[terms.SQUARES] = conditions.squares_a_move(fighter)
            fighter.left[terms.RETRIEVALS] = fight.rules.retrievals
            fighter.order = NOBODY
    if found and morale.save_bereft(fight, log):
        ending.judge(fight, log)
    return found


@rule(HEADING, "R-14")
def begin_part(fight, turn, part):
    """Let the retainers of a phase act, or in part 0 all others, but not the unaware; return whether they are asked."""
    for i in range(fight.n):
        fighter = fight.fighters[i]
        fighter.acting = fighter.turn == turn and (fighter.commander != NOBODY) == (part == 1)
        fighter.acting = fighter.acting and not conditions.has(fighter, terms.UNAWARE)
    return part == 0 or fight.rules.retainers_as == fighters.AGENTS


@rule(HEADING, "R-45")
def end_phase(fight, log, turn):
    """End a phase, with fire and acid and the conditions that run out, for retainers and all others at once."""
    for i in range(fight.n):
        fight.fighters[i].acting = fight.fighters[i].turn == turn
    hazards.burn(fight, log)
    conditions.end_conditions(fight, log)


@rule(HEADING, "R-15")
def some_may_act(fight):
    """Return whether any acting fighter still has its action."""
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if fighter.acting and fighter.left[terms.ACTION] > 0 and fighters.is_able(fight, i):
            return fight.ending == terms.GOES_ON
    return False


@rule(HEADING, "R-41")
def end_round(fight, log):
    """End a round: end what lasts until then, and check the objective and the round cap."""
    conditions.end_by_round(fight, log)
    ending.judge_round(fight)
