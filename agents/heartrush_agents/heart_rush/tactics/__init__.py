"""Agents that calculate the chances of their actions from the dice, the map and the opponents' habits."""

from heartrush_env.games.heart_rush import SOURCES as HEART_RUSH
from heartrush_env.tabletop.sources import Sources

SOURCES = Sources(
    __file__,
    "the odds of fights of Heart Rush",
    without=(
        "default_policy.py", "engaging.py", "equipment.py", "matchup.py", "movement.py", "opponent_model.py",
        "ability_use.py", "constants.py", "in_place.py", "positioning.py", "tactician.py", "terrain.py",
    ),
    needs=(HEART_RUSH,),
)  # fmt: skip
