"""The trickster, a character named Quill."""

from __future__ import annotations

from heartrush_agents.heart_rush.characters.dials import Character, Dials, Prey
from heartrush_agents.heart_rush.characters.player import enemy

CHARACTER = Character(
    name="Quill",
    says="Reads your habits from your reveals and is where you do not expect her.",
    text=(
        "She keeps a tally of you on the hilt of her knife. Do anything twice and she has seen it three "
        "times. She likes to win by cunning, which is the one habit that can be held against her."
    ),
    dials=Dials(aggression=0.5, caution=0.15, guile=1.0, loyalty=0.2),
    prey=Prey(frail=2.0, hurt=1.0),
    taste={"cunning": 0.15},
)
ENEMY = enemy("trickster", CHARACTER)
