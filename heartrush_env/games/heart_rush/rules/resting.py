"""Rests and Healing: what a fighter recovers between fights by short rests, nights of sleep and treated wounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from heartrush_env.games.heart_rush.rules.dice import expected, new_pool
from heartrush_env.games.heart_rush.rules.taking_damage import healing_ceiling
from heartrush_env.games.heart_rush.rules.terms import DAZED, OFF_BALANCED, WEAKENED
from heartrush_env.tabletop.rule import rule

BAD_SLEEP = (DAZED, OFF_BALANCED, WEAKENED)  # bad sleep causes one of these conditions, all equally likely


@dataclass
class Traveller:
    """A fighter between fights."""

    hp_max: int
    hp: int
    heart_max: int  # sides of the heart die
    heart: int
    cunning: int
    medicine: int = 0  # rank in the medicine skill
    dead: bool = False
    untreated: list[int] = field(default_factory=list)  # ranks of wounds
    treated: list[int] = field(default_factory=list)
    tired: int | None = None  # the condition caused by bad sleep

    @property
    def wounds(self) -> int:
        """The sum of the ranks of all wounds."""
        return sum(self.untreated) + sum(self.treated)

    @property
    def awake(self) -> bool:
        """Whether the fighter is alive and, since rests take ten minutes or more, above 0 hit points (R-11)."""
        return not self.dead and self.hp > 0


@rule("Rests and Healing > Short Rest")
def catch_breath(fighter):
    """Restore the heart die to its maximum after ten minutes of rest."""
    fighter.heart = fighter.heart_max


@rule("Combat > Taking Damage > Wounds > Treating wounds", "R-97")
def medicine_pool(healer, own):
    """Return a medicine check's pool: heart, cunning and medicine rank, with disadvantage on one's own wounds."""
    return new_pool(healer.heart, healer.cunning, net=-1 if own else 0, flat_bonus=healer.medicine)


@rule("Combat > Taking Damage > Wounds > Treating wounds")
def treat_wounds(fighter, result):
    """Lower the rank of each untreated wound by a check's result, removing it at 0; no wound is treated twice."""
    fighter.treated += [rank - result for rank in fighter.untreated if rank > result]
    fighter.untreated = []


@rule("Combat > Taking Damage > Wounds > Treating wounds", "R-97")
def best_healer(party, patient):
    """Return the awake member whose medicine check is highest on average, or None if no member is awake."""
    healers = [healer for healer in party if healer.awake]
    return max(healers, key=lambda healer: expected(medicine_pool(healer, healer is patient)), default=None)


@rule("Rests and Healing > Long Rest", "R-24")
def heal_wounds_overnight(fighter):
    """Lower every treated wound by one rank after a good night."""
    fighter.treated = [rank - 1 for rank in fighter.treated if rank > 1]


@rule("Rests and Healing > Long Rest", "R-99")
def heal_overnight(fighter, well):
    """Heal all missing hit points that wounds allow after a good night, half of them, rounded down, after a bad one."""
    missing = max(0, healing_ceiling(fighter) - fighter.hp)
    fighter.hp += missing if well else missing // 2


@rule("Rests and Healing > Long Rest", "R-99")
def tire_overnight(fighter, well, die):
    """Clear the effect of bad sleep after a good night; after a bad one, record the condition given by `die`, a d3."""
    fighter.tired = None if well else BAD_SLEEP[die - 1]


def take_short_rest(party: Sequence[Traveller], check: Any) -> None:
    """Catch breath for ten minutes, then treat wounds (R-97); `check` rolls a pool and returns the total."""
    living = [fighter for fighter in party if not fighter.dead]
    for fighter in living:
        catch_breath(fighter)
    for fighter in living:
        healer = best_healer(living, fighter) if fighter.untreated else None
        if healer is not None:
            treat_wounds(fighter, check(medicine_pool(healer, healer is fighter)))


def take_long_rest(party: Sequence[Traveller], check: Any, well: bool, die: Any) -> None:
    """Take a short rest, then sleep for a night (R-98); `die` rolls a die with the given number of sides."""
    take_short_rest(party, check)
    for fighter in party:
        if not fighter.dead:
            if well:
                heal_wounds_overnight(fighter)
            heal_overnight(fighter, well)
            tire_overnight(fighter, well, 0 if well else die(len(BAD_SLEEP)))
