"""The oracle, a character named the Oracle of Still Water."""

from __future__ import annotations

from heartrush_agents.heart_rush.characters.dials import Character, Dials, Prey
from heartrush_agents.heart_rush.characters.player import enemy

CHARACTER = Character(
    name="The Oracle of Still Water",
    says="Reads you as far as it is safe, and no further.",
    text=(
        "It does not hate you and does not hurry. It predicts your next stance from everything you have "
        "shown, bets on that only what it has already won from you, and returns to perfect balance as soon as "
        "you turn the tables."
    ),
    dials=Dials(aggression=0.5, caution=0.0, guile=1.0, loyalty=0.5),
    prey=Prey(hurt=1.0),
)
ENEMY = enemy("oracle", CHARACTER)
