"""The wolf pack, a character named the Grey Pack."""

from __future__ import annotations

from heartrush_agents.heart_rush.characters.dials import Character, Dials, Prey
from heartrush_agents.heart_rush.characters.player import enemy

CHARACTER = Character(
    name="The Grey Pack",
    says="Chooses one of you, surrounds it and brings it down, then chooses the next.",
    text=(
        "There is no leader, only hunger that agrees with itself. All of them see who bleeds, and all of them "
        "go there. Keep the wounded behind the hale, and make them come one by one."
    ),
    dials=Dials(aggression=0.7, caution=0.25, guile=0.4, loyalty=0.9),
    prey=Prey(hurt=3.0, frail=2.0, near=0.5),
)
ENEMY = enemy("wolf_pack", CHARACTER)
