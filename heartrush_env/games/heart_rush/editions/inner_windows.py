"""Inner windows that may open at many places of a round: trips of fighters that step, and requests of abilities."""

from __future__ import annotations

from heartrush_env.games.heart_rush.engine.picks import begin_picks, end_picks, take_picks
from heartrush_env.games.heart_rush.engine.windows import ask
from heartrush_env.games.heart_rush.rules.choices import ON_MAPS
from heartrush_env.games.heart_rush.rules.hooks import ABILITY_FIELD
from heartrush_env.games.heart_rush.rules.trip import answer_trips
from heartrush_env.games.heart_rush.state.choices import interrupt
from heartrush_env.games.heart_rush.state.record import OPPORTUNITY_WINDOW, PICK_WINDOW
from heartrush_env.tabletop.rule import rule


@interrupt(needs=ON_MAPS)
def trips(fight, log):
    """Let fighters trip the mover in the square that it has entered."""
    yield ask(fight, OPPORTUNITY_WINDOW)
    answer_trips(fight, log)


@rule("Abilities > Using Abilities", "R-168")
@interrupt(needs=ABILITY_FIELD)
def picks(fight, log):
    """Let all fighters that have requests from abilities answer together, until no requests are left."""
    while begin_picks(fight):
        yield ask(fight, PICK_WINDOW)
        while take_picks(fight, log):
            yield from trips(fight, log)
        end_picks(fight)
