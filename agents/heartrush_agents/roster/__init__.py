"""The listed enemies: bots, all in one table, and characters, in one file each.

A character has a name, a temper in numbers and ten levels (heartrush_agents/heart_rush/characters). To add a bot, add
an entry to bots.py. To add a character, write a file with a `CHARACTER` and an `ENEMY`, and add it to `CHARACTERS`.
Calibrated levels come from levels.json. Learned enemies are folders with weights and a card, in weights/.
"""

from __future__ import annotations

from dataclasses import replace

from heartrush_agents.base import Agent
from heartrush_agents.difficulty import shipped_levels
from heartrush_agents.roster import (
    bandit,
    berserker,
    commander,
    dragon,
    gambler,
    gladiator,
    guardian,
    oracle,
    swordmaster,
    tortoise,
    trickster,
    wolf_pack,
)
from heartrush_agents.roster.bots import BOTS

CHARACTERS = (  # in the order in which they are listed
    swordmaster, berserker, trickster, tortoise, wolf_pack, commander, dragon, guardian, bandit, gambler, gladiator,
    oracle,
)  # fmt: skip
ENEMIES: tuple[Agent, ...] = tuple(
    enemy if enemy.levels else replace(enemy, levels=shipped_levels(enemy.id))
    for enemy in (*BOTS, *(each.ENEMY for each in CHARACTERS))
)
