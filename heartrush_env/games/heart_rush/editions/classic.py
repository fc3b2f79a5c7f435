"""The classic round: sides take turns, and engaging an enemy begins an engagement that other fighters may enter.

The flows for engagements, declarations and hits are shared with the edition of June 2025.
"""

from __future__ import annotations

from heartrush_env.games.heart_rush.editions.blows import hits
from heartrush_env.games.heart_rush.editions.edition import Edition
from heartrush_env.games.heart_rush.editions.june2025 import (
    PHASES,
    answers,
    declaration,
    declarations,
    discussion,
    engagement,
    round_begins,
    strikes_by_answers,
)
from heartrush_env.games.heart_rush.engine.declarations import anyone_chose, first_to_act, line_up
from heartrush_env.games.heart_rush.engine.instants import end_by_abilities
from heartrush_env.games.heart_rush.engine.rounds import end_declaration, end_fight, end_round, start_round
from heartrush_env.games.heart_rush.engine.turns import (
    begin_turns,
    decline_turn,
    end_engagement,
    line_up_entrants,
    puts_instants_first,
    tell_engagement,
    use_turn,
)
from heartrush_env.games.heart_rush.engine.windows import ask
from heartrush_env.games.heart_rush.rules.burning import burn_and_suffocate
from heartrush_env.games.heart_rush.rules.engaging import has_two_sides, is_engagement, turns_go_on
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.terms import PASS
from heartrush_env.games.heart_rush.state.record import (
    ABLE_TURN_FIGHT,
    ABLE_TURN_FRAMES,
    ABLE_TURN_MAP_FIGHT,
    ACTION,
    ENTER_WINDOW,
    GOES_ON,
    MADE_TURN_FIGHT,
    MADE_TURN_MAP_FIGHT,
    NUMBERS,
    TURN_FIGHT,
    TURN_MAP_FIGHT,
)
from heartrush_env.tabletop.flow import Machine, flow


@flow
def whole_fight(fight, log):
    """Play rounds until the fight is over."""
    while fight.ending == GOES_ON:
        start_round(fight, log)
        begin_turns(fight, log)
        yield from round_begins(fight, log)
        yield from turns(fight, log)
        burn_and_suffocate(fight)
        end_by_abilities(fight, log)
        yield from hits(fight, log)
        yield from answers(fight, log)
        yield from strikes_by_answers(fight, log)
        end_round(fight, log)
    end_fight(fight, log)


@flow
def turns(fight, log):
    """Let each side in turn use one action or ability or pass; the round ends once all sides have passed in a row."""
    while turns_go_on(fight):
        yield ask(fight, ACTION)
        if puts_instants_first(fight):
            yield from uses_at_once(fight, log)
        elif line_up(fight, log):
            fight.passes = 0
            yield from turn(fight, log)
        else:
            decline_turn(fight, log)


@flow(needs=ABILITY_FIELD)
def uses_at_once(fight, log):
    """Carry out the instants that fighters of any side use; afterwards the side with priority still has its turn."""
    line_up(fight, log)
    yield from declarations(fight, log)


@flow
def turn(fight, log):
    """Carry out the first declaration in timing order; if it begins an engagement, fight that as well."""
    yield from declaration(fight, log, first_to_act(fight))
    end_declaration(fight, log)
    yield from answers(fight, log)
    yield from strikes_by_answers(fight, log)
    use_turn(fight, log)
    if is_engagement(fight):
        yield from entering(fight, log)
        tell_engagement(fight, log)
        if fight.rules.talk > 0 and has_two_sides(fight):
            yield from discussion(fight, log)
        yield from engagement(fight, log)
        end_engagement(fight, log)


@flow
def entering(fight, log):
    """Let fighters within weapon range of the engagement enter it, until no more fighters enter."""
    more = 1
    while more:
        yield ask(fight, ENTER_WINDOW)
        line_up_entrants(fight)
        for spot in range(fight.n):
            if fight.fighters[fight.order[spot]].deed != PASS:
                yield from declaration(fight, log, fight.order[spot])
                yield from answers(fight, log)
                yield from strikes_by_answers(fight, log)
        more = anyone_chose(fight)


EDITION = Edition(
    "classic",
    Machine(whole_fight, frames=ABLE_TURN_FRAMES, numbers=NUMBERS),
    PHASES,
    (TURN_FIGHT, TURN_FIGHT, TURN_MAP_FIGHT),
    (ABLE_TURN_FIGHT, ABLE_TURN_FIGHT, ABLE_TURN_MAP_FIGHT),
    (MADE_TURN_FIGHT, MADE_TURN_FIGHT, MADE_TURN_MAP_FIGHT),
)
