"""The bandit, a character named Sly Pim."""

from __future__ import annotations

from heartrush_agents.heart_rush.characters.dials import Character, Dials, Prey
from heartrush_agents.heart_rush.characters.player import enemy

CHARACTER = Character(
    name="Sly Pim",
    says="Robs the weak, avoids the strong, and runs when it hurts.",
    text=(
        "He has never fought fair and is proud of it. He picks whoever falls fastest, and at half his blood "
        "he remembers an appointment elsewhere. Corner him and he must fight; chase him and you leave "
        "somebody alone."
    ),
    dials=Dials(aggression=0.45, caution=0.8, guile=0.6, loyalty=0.0),
    prey=Prey(frail=4.0, hurt=1.0),
)
ENEMY = enemy("bandit", CHARACTER)
