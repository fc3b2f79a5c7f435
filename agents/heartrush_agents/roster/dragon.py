"""The dragon, a character named Emberwrath."""

from __future__ import annotations

from heartrush_agents.heart_rush.characters.dials import Character, Dials, Prey
from heartrush_agents.heart_rush.characters.player import enemy

CHARACTER = Character(
    name="Emberwrath",
    says="Fights with all it has: its whole kit, its reach and its contempt for the strongest of you.",
    text=(
        "It has eaten better parties than yours. It goes for the hero who could hurt it, uses every gift as "
        "soon as it may, and remembers how each of you fights. It does not retreat, because nobody has ever "
        "made it."
    ),
    dials=Dials(aggression=0.8, caution=0.05, guile=0.7, loyalty=0.0),
    prey=Prey(strong=2.0, near=1.5),
)
ENEMY = enemy("dragon", CHARACTER)
