"""The commander, a character named Captain Ysolde Varn."""

from __future__ import annotations

from heartrush_agents.heart_rush.characters.dials import Character, Dials, Prey
from heartrush_agents.heart_rush.characters.player import enemy

CHARACTER = Character(
    name="Captain Ysolde Varn",
    says="Keeps her people together, turns on whoever presses the weakest, and finishes the wounded.",
    text=(
        "She has lost one battle and remembers every name. Her line moves as one, the hurt fall back behind "
        "the hale, and whoever goes for her weakest is attacked from all sides. She learns how you fight and "
        "passes it on."
    ),
    dials=Dials(aggression=0.5, caution=0.4, guile=0.7, loyalty=1.0),
    prey=Prey(pressing=3.0, hurt=2.0),
)
ENEMY = enemy("commander", CHARACTER)
