"""The gambler, a character named Lucky Tam."""

from __future__ import annotations

from heartrush_agents.heart_rush.characters.dials import Character, Dials
from heartrush_agents.heart_rush.characters.player import enemy

CHARACTER = Character(
    name="Lucky Tam",
    says="Rolls a die for nearly every stance and lives with it.",
    text=(
        "She says that nobody can read a mind that is not made up. Most of her stances are pure luck, so "
        "there is little to learn about her, and she learns nothing about you. She loves a big swing and "
        "never saves her heart for later."
    ),
    dials=Dials(aggression=0.8, caution=0.0, guile=0.0, loyalty=0.3),
    taste={"might": 0.25, "agility": 0.25, "cunning": 0.25},
)
ENEMY = enemy("gambler", CHARACTER)
