"""Four fights of a knight and a healer against an ogre, as a tally made by hand."""

from typing import Any

import numpy as np

from heartrush_env.app.encounters.sides import encounter
from heartrush_env.app.heart_rush.encounters.findings import findings
from heartrush_env.app.heart_rush.encounters.tally import BY_STANCE, Tally
from heartrush_env.games.heart_rush.abilities.all import PLAYED
from heartrush_env.games.heart_rush.rules.terms import (
    CUNNING,
    DEAD,
    DEEDS,
    DEFEATED,
    FROM_ATTACK,
    FROM_BURNING,
    FROM_OPPORTUNITY,
    MIGHT,
    NO_STANCE,
    STANDING,
    UNCONSCIOUS,
)

TWO_AND_ONE = {
    "name": "two and one",
    "heroes": ["blue"],
    "fighter": [
        {"id": "knight", "from": "knight", "team": "blue", "talents": ["duelist", "fury"]},
        {"id": "healer", "from": "healer", "team": "blue"},
        {"id": "ogre", "from": "ogre", "team": "red"},
    ],
}


def tally() -> Tally:
    """Return the tally of four fights of a knight and a healer against an ogre, 40 hit points each."""
    damage, blows = np.zeros((4, *BY_STANCE), np.int64), np.zeros((4, *BY_STANCE), np.int64)
    attacks, deeds = np.zeros((3, *BY_STANCE), np.int64), np.zeros((3, len(DEEDS)), np.int64)
    damage[0, FROM_ATTACK, MIGHT], blows[0, FROM_ATTACK, MIGHT], attacks[0, FROM_ATTACK, MIGHT] = 40, 4, 8
    damage[0, FROM_OPPORTUNITY, CUNNING], blows[0, FROM_OPPORTUNITY, CUNNING] = 60, 2
    damage[3, FROM_BURNING, NO_STANCE], blows[3, FROM_BURNING, NO_STANCE] = 2, 1
    attacks[1, FROM_ATTACK, MIGHT] = 4  # none of which hit
    deeds[1, DEEDS.index("help")] = 6
    ends = [[STANDING, STANDING, DEFEATED], [STANDING, UNCONSCIOUS, DEFEATED], [DEAD, UNCONSCIOUS, STANDING]]
    ends.append([STANDING] * 3)
    uses = np.zeros((3, len(PLAYED)), np.int64)
    uses[2, 1] = 5
    return Tally(
        rounds=np.array([2, 3, 4, 5]),
        result=np.array([1, 1, -1, 0]),
        capped=np.array([False, False, False, True]),
        hp_before=np.full((4, 3), 40),
        hp=np.array([[40, 40, 0], [20, -10, -5], [-41, -3, 8], [40, 20, 40]]),
        heart=np.array([[8, 8, 8], [8, 6, 8], [4, 4, 6], [8, 8, 8]]),
        status=np.array(ends),
        wounds=np.array([[0, 0, 0], [1, 2, 0], [3, 0, 0], [0, 0, 0]]),
        ranks=np.array([[0, 0, 0], [12, 25, 0], [40, 0, 0], [0, 0, 0]]),
        lead=np.array([[0.1, 1.0], [0.0, 0.9], [-0.6, -0.1], [0.2, 0.3]]),
        damage=damage,
        blows=blows,
        attacks=attacks,
        stances=np.array([[6, 0, 2, 0], [0, 0, 0, 0], [1, 1, 1, 1]]),
        deeds=deeds,
        worked=np.zeros_like(deeds),
        uses=uses,
        healed=np.array([0, 18, 0, 0]),
        course=np.array([[0, 0], [4, 4], [3.5, 2], [3, 2], [3, 2], [3, 2], [3, 2]], np.float64),
    )


def found() -> dict[str, Any]:
    """Return the findings of the four fights."""
    return findings(encounter(TWO_AND_ONE, heroes="uniform", monsters="random"), tally(), seed=3)
