"""The guardian, a character named Brother Oak."""

from __future__ import annotations

from heartrush_agents.heart_rush.characters.dials import Character, Dials, Prey
from heartrush_agents.heart_rush.characters.player import enemy

CHARACTER = Character(
    name="Brother Oak",
    says="Stays beside his weakest friend and strikes whoever comes near.",
    text=(
        "He took a vow and has never said which. Leave his friends alone and he is the slowest danger on the "
        "field; touch the weakest of them and he is there. Alone he fights with a guard that is hard to open."
    ),
    dials=Dials(aggression=0.4, caution=0.5, guile=0.3, loyalty=1.0),
    prey=Prey(pressing=5.0),
)
ENEMY = enemy("guardian", CHARACTER)
