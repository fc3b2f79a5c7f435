"""The berserker, a character named Hrolf Redhand."""

from __future__ import annotations

from heartrush_agents.heart_rush.characters.dials import Character, Dials, Prey
from heartrush_agents.heart_rush.characters.player import enemy

CHARACTER = Character(
    name="Hrolf Redhand",
    says="Runs at the nearest enemy and swings with all his might, whatever it costs him.",
    text=(
        "He was in the shield wall until he broke it from the inside. Pain only reminds him that you are "
        "still standing. He counts what he deals and not what he suffers, so answer his might, and do not be "
        "the one who is nearest."
    ),
    dials=Dials(aggression=0.95, caution=0.0, guile=0.2, loyalty=0.1),
    prey=Prey(near=2.0),
    taste={"might": 0.2},
)
ENEMY = enemy("berserker", CHARACTER)
