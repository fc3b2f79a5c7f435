"""The ten levels of a character, and who it is measured against.

A level is a rate of mistakes and a share of the character's guile: level 1 chooses stances, targets and answers to
hits at random in nine cases of ten and trusts a tenth of what it reads, and so on up to level 10, which makes no
mistakes and reads as well as it can. The panel stands for people: it mixes like a beginner, repeats itself, counters
the last stance, keeps what worked, and counts. `heartrush calibrate` measures levels against it.
"""

from __future__ import annotations

from typing import Final

from heartrush_agents.base import Difficulty, Level
from heartrush_agents.characters.dials import Dials
from heartrush_agents.difficulty import TEN_LEVELS, measured

HABITS: Final = ("uniform", "weighted", "repeat_last", "counter_last", "win_stay_lose_shift", "frequency")


def ten_levels(id: str, dials: Dials) -> dict[str, Level]:
    """The levels of a character with these dials, and their scores as far as they have been measured."""
    found = measured().get("characters", {}).get(id, {}).get("levels", {})
    return {
        name: Level(
            Difficulty(mistakes=(len(TEN_LEVELS) - number) / len(TEN_LEVELS)),
            {"guile": dials.guile * number / len(TEN_LEVELS)} if number < len(TEN_LEVELS) else {},
            {"habits": tuple(found[name])} if name in found else {},
        )
        for number, name in enumerate(TEN_LEVELS, 1)
    }
