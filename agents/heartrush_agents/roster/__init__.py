"""The listed enemies, one file each: an id, a sentence for players, and the parameters of its player.

Enemies with a `CHARACTER` have a name, a temper in numbers and ten levels (heartrush_agents/characters).

To add an enemy, write a file with an `ENEMY` and add a line here. Calibrated levels come from levels.json. Learned
enemies have no file: they are folders with weights and a card, in weights/.
"""

from __future__ import annotations

from dataclasses import replace

from heartrush_agents.base import Agent
from heartrush_agents.difficulty import shipped_levels
from heartrush_agents.roster import (
    agility,
    bandit,
    berserker,
    charger,
    commander,
    counter_last,
    cunning,
    default,
    defensive,
    dragon,
    equilibrium,
    frequency,
    gambler,
    gladiator,
    guardian,
    markov_1,
    markov_2,
    might,
    modeller,
    oracle,
    random,
    repeat_last,
    swordmaster,
    tactician,
    thinker,
    tortoise,
    trickster,
    turtle,
    uniform,
    weighted,
    win_stay_lose_shift,
    wolf_pack,
)

CHARACTERS = (
    swordmaster, berserker, trickster, tortoise, wolf_pack, commander, dragon, guardian, bandit, gambler, gladiator,
    oracle,
)  # fmt: skip
ENEMIES: tuple[Agent, ...] = tuple(
    enemy if enemy.levels else replace(enemy, levels=shipped_levels(enemy.id))
    for enemy in (  # in the order of the list
        random.ENEMY,
        might.ENEMY,
        agility.ENEMY,
        cunning.ENEMY,
        defensive.ENEMY,
        uniform.ENEMY,
        charger.ENEMY,
        default.ENEMY,
        weighted.ENEMY,
        turtle.ENEMY,
        repeat_last.ENEMY,
        counter_last.ENEMY,
        win_stay_lose_shift.ENEMY,
        frequency.ENEMY,
        markov_1.ENEMY,
        markov_2.ENEMY,
        tactician.ENEMY,
        modeller.ENEMY,
        thinker.ENEMY,
        equilibrium.ENEMY,
        *(each.ENEMY for each in CHARACTERS),
    )
)
