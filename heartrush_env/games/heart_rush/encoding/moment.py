"""The moment that an observation shows: round, window and phase."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.engine.state import WINDOWS, WINDOWS_OF_ABILITIES, WINDOWS_OF_MAPS, WINDOWS_OF_TURNS
from heartrush_env.games.heart_rush.rules.terms import NOBODY, PHASE_ORDER, STANCES
from heartrush_env.tabletop.memory import renewer
from heartrush_env.tabletop.rule import inlined
from heartrush_env.tabletop.tables import Block, feature, one_of
from heartrush_env.tabletop.units import Function

MOST_ROUNDS = 200  # the highest number of rounds shown
# The windows that the moment shows. Other features show the other windows; no feature shows the end of the fight.
ELSEWHERE = (*WINDOWS_OF_MAPS, *WINDOWS_OF_TURNS, *WINDOWS_OF_ABILITIES)
SHOWN = tuple(window for window in WINDOWS[1:] if window not in ELSEWHERE)
PLACE_OF_WINDOW = np.array([SHOWN.index(window) if window in SHOWN else NOBODY for window in WINDOWS])
PHASES = tuple(STANCES[stance] for stance in PHASE_ORDER)


@inlined
def phase_place(match):
    """Return the index in PHASES of the engagement's phase, or NOBODY before and after it."""
    if match.engaged:
        for k in range(len(PHASE_ORDER)):
            if match.phase == PHASE_ORDER[k]:
                return k
    return NOBODY


# fmt: off
ROUND = Block(
    feature("round", 0, 1, "rounds begun / {scale}, at most 1",
            lambda match, memory: 0 if memory == 0 else match.round_number, scale=MOST_ROUNDS, clips=True),
    feature("rounds_left", 0, 1, "rounds until the cap / {scale}, at most 1",
            lambda match, memory: 0 if memory == 0 else match.rules.max_rounds - match.round_number,
            scale=MOST_ROUNDS, clips=True),
)
WINDOW = Block(
    feature("windows_left", 0, 1, "share of the round's action windows still to come",
            lambda match, windows: (windows - match.windows_used) / windows, clips=True),
    one_of("window ", SHOWN, "the open window", lambda match: PLACE_OF_WINDOW[match.window]),
    one_of("phase ", PHASES, "the phase of the engagement", lambda match: phase_place(match)),
)
# fmt: on

MOMENT = ROUND + WINDOW
HAS_ROUND, HAS_WINDOW = np.int64(1), np.int64(2)  # parts of the moment
renew_round = renewer("round_number", "round_number")
renew_window = renewer("windows_used", "engaged")


@inlined
def moment_changed(match, seen):
    """Return a bit for each part of the moment that has changed since the last call."""
    return HAS_ROUND * renew_round(match, seen) | HAS_WINDOW * renew_window(match, seen)


def _writer(name: str, part: Block) -> Function:
    return MOMENT.writer(
        name,
        "match, memory",
        only=part.lines,
        summary="Write this part of the moment.",
        windows=lambda match: max(1, match.rules.windows_per_round),
    )


write_round, write_window = _writer("write_round", ROUND), _writer("write_window", WINDOW)


@inlined
def write_moment(match, parts, memory, out, at):
    """Write these parts of the moment."""
    if parts & HAS_ROUND:
        write_round(match, memory, out, at)
    if parts & HAS_WINDOW:
        write_window(match, memory, out, at)
