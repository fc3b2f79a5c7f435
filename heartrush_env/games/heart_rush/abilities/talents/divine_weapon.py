"""Divine Weapon."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.held import which_weapon, wields_weapon
from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import MINUTE, ON_ACTION, memo_for, remember_now
from heartrush_env.games.heart_rush.rules.dice import add_ability_bonus

BONUS = int(figures("divine_weapon", "attack_bonus")[0])


@ability(
    "divine_weapon", on=[ON_ACTION], rulings=["R-120", "R-180"],
    left_out="the prayer, which is said before a fight, and the other power of its destiny version",
)  # fmt: skip
class DivineWeapon:
    """For a minute, attacks with the weapon that the owner holds now have a bonus.

    The memo tells which of the two weapons that the owner carries is the one.
    """

    def may(fight, i, slot, target):
        """Return whether the owner has a weapon in hand."""
        return wields_weapon(fight.fighters[i])

    def do(fight, log, i, slot, target):
        remember_now(fight, i, slot, 1 + which_weapon(fight.fighters[i]))

    def attack(fight, i, slot, target, stance):
        if fight.fighters[i].armed and memo_for(fight, i, slot, MINUTE) == 1 + which_weapon(fight.fighters[i]):
            add_ability_bonus(fight.pool, BONUS)
        return 0
