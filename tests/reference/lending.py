"""Commander's Call: talents that allies have until the round ends (RULES, section 9; R-266, R-267)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .moments import AT_ANY_MOMENT, Event
from .requests import AsksLater

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table

LETTERS = "abcdefgh"
NEVER_LENT = {"quick", "hulking", "light_footed", "unarmed_combatant", "whipmaster"}
"""Talents that change figures for good, on the sheet or as the fight begins."""


def own_abilities(fighter: Fighter) -> list[Ability]:
    """Return the abilities of a fighter that nobody has lent it."""
    return [owned for owned in fighter.abilities if not owned.lent]


def free_places(table: Table, fighter: Fighter) -> dict[str, tuple[str, bool]]:
    """Return by letter the talents that find a free place with the fighter, each with whether it is a destiny version.

    The talents of the allies that call come in their order, each once and in the version that is lent.
    """
    own = own_abilities(fighter)
    had, talents = {owned.id for owned in own}, []
    for lender in [*table.fighters]:
        names = {owned.id for owned in own_abilities(lender)}
        if lender.team != fighter.team or CommandersCall.id not in names:
            continue
        for owned in own_abilities(lender):
            if owned.talent and owned.id not in had | NEVER_LENT:
                had.add(owned.id)
                talents.append((owned.id, owned.destined and ImprovedCommandersCall.id in names))
    return dict(zip(LETTERS[len(own) :], talents, strict=False))


def end_loans(table: Table) -> None:
    """Take back what has been lent in the round; a talent that works once a day or less is used up."""
    for fighter in table.fighters:
        for owned in [owned for owned in fighter.abilities if owned.lent]:
            fighter.uses_of_loans[owned.id] = owned.uses if owned.limit in ("passive", "minor") else 1
            fighter.abilities.remove(owned)


class CommandersCall(AsksLater):
    """Up to four times, an ally that hears the owner has one of its talents for the round."""

    id = "commanders_call"
    frequency = "minor"
    on = AT_ANY_MOMENT
    left = 0
    borrower: Fighter | None = None

    def _lends(self, fight: Fight, ally: Fighter) -> list[int]:
        """Return the numbers, from 0, of the owner's talents that it may lend the ally now."""
        owner = self.owner
        hears = ally.standing and "deafened" not in ally.conditions and fight.table.within(owner, ally, 24)
        if "mute" in owner.conditions or not hears:
            return []
        places, has = free_places(fight.table, ally), {owned.id for owned in ally.abilities}
        found = []
        for number, owned in enumerate(own_abilities(owner)):
            versions = [destined for id, destined in places.values() if id == owned.id]
            if not owned.talent or not versions or owned.id in has:
                continue
            daily = self._limit(owned, versions[0]) not in ("passive", "minor")
            too_good = versions[0] and not (owned.destined and self._is_improved())
            is_used = daily and (ally.uses_of_loans.get(owned.id, 0) > 0 or self._is_used_up(owned))
            if not too_good and not is_used and not self._is_used_up(owned):
                found.append(number)
        return found

    def _is_improved(self) -> bool:
        return any(owned.id == ImprovedCommandersCall.id for owned in self.owner.abilities)

    @staticmethod
    def _limit(owned: Ability, destined: bool) -> str:
        return owned.destined_frequency or owned.frequency if destined else owned.frequency

    @staticmethod
    def _is_used_up(owned: Ability) -> bool:
        """Return whether the owner has used a talent of its own that works once a day or less."""
        return owned.uses > 0 and owned.limit not in ("passive", "minor")

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return any(self._lends(fight, ally) for ally in fight.table.allies(self.owner))

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.left, self.borrower = 4, None
        fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        allies = fight.table.allies(self.owner)
        if self.borrower is not None:
            return [f"pick {number}" for number in self._lends(fight, self.borrower)]
        return [*(f"pick_for {place}" for place, ally in enumerate(allies, 1) if self._lends(fight, ally)), "pass"]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        number = int(name.split()[1])
        if self.borrower is None:
            self.borrower = fight.table.allies(self.owner)[number - 1]
        else:
            self._lend(fight, own_abilities(self.owner)[number], self.borrower)
            self.left, self.borrower = self.left - 1, None
        if self.left > 0:
            fight.request(self, self.owner)

    def _lend(self, fight: Fight, owned: Ability, borrower: Fighter) -> None:
        places = free_places(fight.table, borrower).items()
        letter, destined = next((letter, destined) for letter, (id, destined) in places if id == owned.id)
        copy = type(owned)(borrower, letter, destined)
        vars(copy).update(fight=fight)  # some abilities look at it before any round has started for them
        copy.lent, copy.talent = True, True
        copy.uses = borrower.uses_of_loans.get(owned.id, 0)
        borrower.abilities = sorted([*borrower.abilities, copy], key=lambda one: one.letter)
        if copy.limit not in ("passive", "minor") and owned.limit not in ("passive", "minor"):
            owned.uses = 1


class ImprovedCommandersCall(Ability):
    """Destiny talents are lent in their destiny version."""

    id = "improved_commanders_call"
