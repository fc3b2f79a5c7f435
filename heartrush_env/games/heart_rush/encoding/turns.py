"""Features of turns, at the end of an observation: priority, and the fighters in the engagement."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.engaging import is_engagement
from heartrush_env.games.heart_rush.rules.terms import MOST_FIGHTERS
from heartrush_env.games.heart_rush.state.record import ENTER_WINDOW
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.tables import Block, feature, flag

# fmt: off
TURNS = Block(
    flag("window enter", "the open window is that of entering an engagement",
         lambda fight: fight.window == ENTER_WINDOW),
    flag("engagement", "an engagement lasts, and no side has priority", lambda fight: is_engagement(fight)),
    feature("passed", 0, 1, "sides that have passed in a row / {scale}", lambda fight: fight.passes,
            scale=MOST_FIGHTERS),
)
IN_TURNS = Block(
    flag("priority", "its side has priority", lambda fight, fighter: fighter.team == fight.priority),
    flag("engaged", "its side is the one that was engaged", lambda fight, fighter: fighter.team == fight.engaged_side),
    flag("joined", "is in the engagement", lambda fighter: fighter.joined),
)
# fmt: on
N_IN_TURNS = len(IN_TURNS)

write_moment_of_turns = TURNS.writer(
    "write_moment_of_turns", "fight", compiles=compiled, summary="Write the engagement and the passes."
)
write_in_turns = IN_TURNS.writer(
    "write_in_turns",
    "fight, i",
    compiles=compiled,
    summary="Write the part of fighter i in the turn and in the engagement.",
    fighter=lambda fight, i: fight.fighters[i],
)
