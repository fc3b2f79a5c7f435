"""The dice pools of two opposing fighters before anything is rolled, for agents that compare their options."""

from __future__ import annotations

from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.engine.setup import write_settings
from heartrush_env.games.heart_rush.rules.attack_rolls import armor_against, attack_pool, defense_pool
from heartrush_env.games.heart_rush.rules.checks import check_pool
from heartrush_env.games.heart_rush.rules.dice import MAX_BONUS, MAX_LEVELS
from heartrush_env.games.heart_rush.rules.terms import AGILITY, ATTACKING_STANCES, CHECK, DUELISTS, MIGHT
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.games.heart_rush.state.record import fight_record, fighter_record
from heartrush_env.tabletop.kernels import kernel

BY_THE_BOOK = Settings()
PAIR = fight_record(DUELISTS, fighter_record(DUELISTS, []), [], bonus=MAX_BONUS)  # agents add bonus dice to its pools


class Duel:
    """Two fighters without a map, whose fields the caller sets, and the first fighter's pools against the second.

    `attack` has two pools for each attacking stance. The first applies when the stance does not beat the other
    fighter's stance, and the second when it does. `defense` has one pool for each stance of the attacker. `check` has
    one pool for might and one for agility. The setting `advantage_cap` is not applied.
    """

    def __init__(self, settings: Settings = BY_THE_BOOK) -> None:
        """Create two blank fighters."""
        self.fights = np.zeros(1, PAIR)  # an array of one fight, as kernels need it
        fight = self.fights[0]
        fight.n = 2
        write_settings(fight.rules, settings)
        fight.rules.advantage_cap = MAX_LEVELS
        self.fighters: tuple[Any, Any] = (fight.fighters[0], fight.fighters[1])
        for place, fighter in enumerate(self.fighters):
            fighter.index = place
        self.attack = np.zeros((ATTACKING_STANCES, 2), PAIR["pool"])
        self.defense = np.zeros(ATTACKING_STANCES, PAIR["pool"])
        self.check = np.zeros(2, PAIR["pool"])

    def fill_pools(self) -> None:
        """Compute the pools for the fighters as they are now."""
        fill_pools(self.fights, self.attack, self.defense, self.check)


@kernel
def fill_pools(fights: Any, attack: Any, defense: Any, check: Any) -> None:
    """Write the first fighter's pools against the second, in a fight of two."""
    fight = fights[0]
    for stance in range(ATTACKING_STANCES):
        for beaten in range(2):
            attack_pool(fight, 0, 1, stance, beaten == 1)
            attack[stance, beaten] = fight.pool
        defense_pool(fight, 0, 1, stance, armor_against(fight.fighters[0], fight.fighters[1]))
        defense[stance] = fight.pool
    for ability in (MIGHT, AGILITY):
        check_pool(fight, 0, CHECK, ability, 1, 0)
        check[ability] = fight.pool
