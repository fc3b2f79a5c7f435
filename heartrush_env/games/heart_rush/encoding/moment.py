"""The moment that an observation shows: round, window and phase."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.terms import NOBODY, PHASE_ORDER, STANCES
from heartrush_env.games.heart_rush.state.record import WINDOWS, WINDOWS_OF_ABILITIES, WINDOWS_OF_MAPS, WINDOWS_OF_TURNS
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
def phase_place(fight):
    """Return the index in PHASES of the engagement's phase, or NOBODY outside the engagement."""
    if fight.engaged:
        for k in range(len(PHASE_ORDER)):
            if fight.phase == PHASE_ORDER[k]:
                return k
    return NOBODY


# fmt: off
ROUND = Block(
    feature("round", 0, 1, "rounds begun / {scale}, at most 1",
            lambda fight, memory: 0 if memory == 0 else fight.round_number, scale=MOST_ROUNDS, clips=True),
    feature("rounds_left", 0, 1, "rounds until the cap / {scale}, at most 1",
            lambda fight, memory: 0 if memory == 0 else fight.rules.max_rounds - fight.round_number,
            scale=MOST_ROUNDS, clips=True),
)
WINDOW = Block(
    feature("windows_left", 0, 1, "share of the round's action windows still to come",
            lambda fight, windows: (windows - fight.windows_used) / windows, clips=True),
    one_of("window ", SHOWN, "the open window", lambda fight: PLACE_OF_WINDOW[fight.window]),
    one_of("phase ", PHASES, "the phase of the engagement", lambda fight: phase_place(fight)),
)
# fmt: on

MOMENT = ROUND + WINDOW
HAS_ROUND, HAS_WINDOW = np.int64(1), np.int64(2)  # parts of the moment
renew_round = renewer("round_number", "round_number")
renew_window = renewer("windows_used", "engaged")


@inlined
def moment_changed(fight, seen):
    """Return a bit for each part of the moment that has changed since the last call."""
    return HAS_ROUND * renew_round(fight, seen) | HAS_WINDOW * renew_window(fight, seen)


def _writer(name: str, part: Block) -> Function:
    return MOMENT.writer(
        name,
        "fight, memory",
        only=part.lines,
        summary="Write this part of the moment.",
        windows=lambda fight: max(1, fight.rules.windows_per_round),
    )


write_round, write_window = _writer("write_round", ROUND), _writer("write_window", WINDOW)


@inlined
def write_moment(fight, parts, memory, out, at):
    """Write these parts of the moment."""
    if parts & HAS_ROUND:
        write_round(fight, memory, out, at)
    if parts & HAS_WINDOW:
        write_window(fight, memory, out, at)
