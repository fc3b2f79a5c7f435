"""The tortoise, a character named Old Shellback."""

from __future__ import annotations

from heartrush_agents.heart_rush.characters.dials import Character, Dials, Prey
from heartrush_agents.heart_rush.characters.player import enemy

CHARACTER = Character(
    name="Old Shellback",
    says="Hides behind his guard, shrugs off what gets through, and outlasts you.",
    text=(
        "Forty years a gate guard, and the gate still stands. He gives ground when he is hurt and takes it "
        "back when you are tired. Somebody who always hides can be struck at leisure; he knows that, too, and "
        "grows impatient in long fights."
    ),
    dials=Dials(aggression=0.3, caution=1.0, guile=0.3, loyalty=0.5),
    prey=Prey(near=1.0),
)
ENEMY = enemy("tortoise", CHARACTER)
