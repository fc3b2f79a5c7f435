"""The ten levels of a character, and the panel of opponents that measures it.

A level is a rate of mistakes and a fraction of the character's guile. At level 1, the character chooses stances,
targets and answers to hits at random in 90 % of cases and trusts 10 % of its reading. Each further level shifts both
by 10 percentage points, up to level 10, which makes no mistakes and reads as well as it can. The panel represents
people: it mixes like a beginner, repeats itself, counters the last stance, keeps what worked, and counts. `heartrush
agent calibrate` measures levels against it.
"""

from __future__ import annotations

from typing import Final

from heartrush_agents.base import Difficulty, Level
from heartrush_agents.difficulty import TEN_LEVELS, measured
from heartrush_agents.heart_rush.characters.dials import Dials

HABITS: Final = ("uniform", "weighted", "repeat_last", "counter_last", "win_stay_lose_shift", "frequency")


def ten_levels(id: str, dials: Dials) -> dict[str, Level]:
    """Return the levels of a character with these dials, with their scores where they have been measured."""
    found = measured().get("characters", {}).get(id, {}).get("levels", {})
    return {
        name: Level(
            Difficulty(mistakes=(len(TEN_LEVELS) - number) / len(TEN_LEVELS)),
            {"guile": dials.guile * number / len(TEN_LEVELS)} if number < len(TEN_LEVELS) else {},
            {"habits": tuple(found[name])} if name in found else {},
        )
        for number, name in enumerate(TEN_LEVELS, 1)
    }
