"""Whether a deed of an ability is worth more than the attack that its user gives up for it.

Both are weighed as fractions of the hit points left, by the odds of the two fighters. A deed counts with the damage
that it deals and with the odds of the next rounds, in which its target has the levels that it gives. Where a deed asks
for an option, it counts as the automatic answer leaves it, except that Fling slams its target down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from heartrush_agents.heart_rush.tactics.odds import ASKS_DEEDS, ASKS_OUTLOOK, ASKS_STRIKES, DEEDS, Odds, pools
from heartrush_agents.heart_rush.tactics.pairs import Pairs, pairing_of
from heartrush_agents.heart_rush.tactics.rounds import NEVER
from heartrush_env.games.heart_rush.abilities import hinders
from heartrush_env.games.heart_rush.abilities.legacy import psionics
from heartrush_env.games.heart_rush.abilities.talents import death_mark, fling, judoka, shield_master, whipmaster
from heartrush_env.games.heart_rush.abilities.unit import Ability
from heartrush_env.games.heart_rush.rules.dice import distribution
from heartrush_env.games.heart_rush.rules.forced_movement import COLLISION_DIE
from heartrush_env.games.heart_rush.rules.maneuvers.hinder import DIRTY_STRIKE_DIE, DIRTY_STRIKE_LEVELS
from heartrush_env.games.heart_rush.rules.terms import CUNNING, FEET, LEVEL_CAP, MIGHT

OPENINGS: Final = 1 / 10  # opportunity attacks that a rush point buys on average; few enemies ever offer one
LASTING: Final = 3  # rounds for which an effect counts that does not end; fights seldom go on for much longer
NAMING: Final = tuple(deed.startswith("attack ") for deed in DEEDS)  # attacks that name levels, in cunning stance


def is_in_place(ability: Ability) -> bool:
    """Return whether a use of the ability may take the place of its owner's attack."""
    return "refrains" in ability.functions


@dataclass(frozen=True)
class Deed:
    """The effects of a deed on its target."""

    dice: float = 0  # of damage; an average, if a roll gives their number
    sides: int = 0
    levels: Mapping[str, int] = field(default_factory=dict)  # by condition, from the next round on
    now: Mapping[str, int] = field(default_factory=dict)  # by condition, in this round
    lasts: bool = False  # these levels do not fade, but those that the target has had do
    die: int = 0  # the size of a die that all attacks on the target gain
    rush: int = 0  # rush points paid


def deed_of(name: str, pair: Any, *, destined: int, longer: bool, rush: int) -> Deed:
    """Return what an ability does in place of an attack.

    Args:
        name: The ability's id.
        pair: The owner and the target.
        destined: 1 for the destiny version, otherwise 0.
        longer: Whether the owner has the list of hinders of Improved Interference.
        rush: The owner's rush points.
    """
    if name == "improved_interference":
        return Deed(hinders.DAMAGE[0], hinders.DAMAGE[1], {"dazed": hinders.IMPAIR})
    if name == "trickster" and longer:
        levels = {"dazed": hinders.IMPAIR, "blinded": hinders.BLIND + 1}  # blinded fades a round later
        return Deed(2 * hinders.DAMAGE[0], hinders.DAMAGE[1], levels)
    if name == "trickster":
        return Deed(1, DIRTY_STRIKE_DIE, {"dazed": DIRTY_STRIKE_LEVELS, "blinded": 1 + 1})
    if name == "psionics":
        return Deed(levels={"frightened": psionics.LEVELS})
    if name == "nasty_tricksies":
        return Deed(levels={"dazed": rush}, lasts=True, rush=rush)
    if name == "death_mark":
        return Deed(die=int(death_mark.DICE[0, 1]))
    if name == "whipmaster":
        restrained = int(whipmaster.LEVELS[destined])
        dice, sides = whipmaster.DICE[destined]
        return Deed(dice, sides, now={"restrained": restrained} | ({"prone": 1} if destined else {}))
    if name == "fling":
        return Deed(thrown(pair, destined), COLLISION_DIE)
    return Deed()


def thrown(pair: Any, destined: int) -> float:
    """Return the average number of squares that Fling throws its target."""
    one = pairing_of(pair)
    number, squares = max(one.other.might, one.other.agility), 0.0
    for total, chance in distribution(pools(one.own, one.other).check[MIGHT]).items():
        if total >= number:
            feet = fling.DESTINED_FEET * total if destined else fling.FEET_PER_POINT * (total - number)
            squares += float(chance) * (feet // FEET)
    return squares


class InPlace:
    """The values of deeds in place of an attack and of the attacks themselves, by the odds."""

    def __init__(self, odds: Odds) -> None:
        """Take the odds of the game's settings."""
        self._odds = odds

    def attack(self, pairs: Pairs) -> float:
        """Return the value of the best attack on any of these enemies; NEVER if there is none."""
        values = self._odds.ask(ASKS_DEEDS, pairs)
        names = (pairs["stance"] == CUNNING)[:, None] & np.array(NAMING)
        names[:, DEEDS.index("attack")] = True
        return float(values[names].max(initial=NEVER))

    def deed(self, pair: Pairs, deed: Deed, allies: int) -> float:
        """Return the value of a deed for a fighter with this many standing allies; `pair` is its pair with the target.

        The fighter does not attack in this round, but the target may.
        """
        now = pair.copy()
        now["own"]["far"] = 1  # so its attack takes nothing, and is worth only what the target strikes back
        for name, levels in deed.now.items():
            now["other"][name] += levels
        later = self._later(pair, deed) * (1 + allies if deed.die else 1)
        paid = deed.rush * OPENINGS * float(self._odds.ask(ASKS_STRIKES, pair).max()) if deed.rush else 0.0
        nothing = float(self._odds.ask(ASKS_DEEDS, now)[0, DEEDS.index("attack")])
        return nothing + share_taken(pair, deed) + later - paid

    def throw_down(self, pair: Pairs) -> float:
        """Return the value of Judoka's throw, after which both are prone."""
        ways = pair.repeat(2)
        ways["own"]["prone"][1] = ways["other"]["prone"][1] = 1
        now, then = self._odds.ask(ASKS_OUTLOOK, ways)[:, 0]
        return float(then - now) + share_taken(pair, Deed(*judoka.DAMAGE))

    def raise_shield(self, pairs: Pairs) -> float:
        """Return what Shield Master's blow with the shield gains over the attack with the weapon, without its push."""
        raised = pairs.copy()
        for name in ("ranged", "thrown", "whip", "slashing", "piercing"):
            raised["own"][f"weapon_{name}"] = 0
        raised["own"]["weapon_die"], raised["own"]["weapon_bludgeoning"] = shield_master.LIGHT_DIE, 1
        raised["own"]["armed"] = 1
        return max(0.0, self.attack(raised) - self.attack(pairs)) if len(pairs) else 0.0

    def _later(self, pair: Pairs, deed: Deed) -> float:
        """Return what the next rounds gain by the levels that a deed gives and by its die."""
        if not deed.levels and not deed.die:
            return 0.0
        without, hindered = pair.repeat(LASTING), pair.repeat(LASTING)
        for ways in (without, hindered):
            for who in ("own", "other"):
                ways[who]["action"], ways[who]["helped"] = 1, 0
        for name, levels in deed.levels.items():
            before = int(pair["other"][name][0])
            kept = min(LEVEL_CAP, levels) if deed.lasts else 0
            for k in range(LASTING):
                without["other"][name][k] = max(0, before - 1 - k)
                hindered["other"][name][k] = max(kept, min(LEVEL_CAP, before + levels) - 1 - k)
        if deed.die:
            hindered["own"]["more_dice"], hindered["own"]["more_sides"] = 1, deed.die
        gained = self._odds.ask(ASKS_OUTLOOK, hindered) - self._odds.ask(ASKS_OUTLOOK, without)
        return float(gained.sum())


def share_taken(pair: Pairs, deed: Deed) -> float:
    """Return the fraction of the target's hit points that the dice of a deed take on average."""
    left = int(pair["other_left"][0])
    average = sum(min(face, left) for face in range(1, 1 + deed.sides)) / max(1, deed.sides)
    return min(left, float(deed.dice) * average) / left
