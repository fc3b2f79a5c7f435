"""The gladiator, a character named Vex of the Sands."""

from __future__ import annotations

from heartrush_agents.heart_rush.characters.dials import Character, Dials, Prey
from heartrush_agents.heart_rush.characters.player import enemy

CHARACTER = Character(
    name="Vex of the Sands",
    says="Seeks out the strongest of you and gives the crowd a fight.",
    text=(
        "Twenty-three bouts, and the crowd chose every one. He has no eye for the weak: the best fighter on "
        "the field is the only one worth the sand. He watches you like a professional, and he likes a "
        "flourish of agility."
    ),
    dials=Dials(aggression=0.65, caution=0.2, guile=0.6, loyalty=0.1),
    prey=Prey(strong=5.0),
    taste={"agility": 0.15},
)
ENEMY = enemy("gladiator", CHARACTER)
