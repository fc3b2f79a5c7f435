"""Abilities about the order of fighters, the price of what they do, and how often they do it (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .moments import AT_ANY_MOMENT, Event
from .requests import AsksLater

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table

MASTERIES = (
    "eternal_fortitude", "cinch_down", "battle_spirited", "devastation_strike", "blitz", "rallying_cry",
    "nasty_tricksies",
)  # fmt: skip


class AboveTheFray(Ability):
    """Once a round, an interaction, a sidestep, help or a trip costs no action (R-234)."""

    id = "above_the_fray"
    spent = False

    def at_round_start(self, fight: Fight) -> None:
        self.spent = False

    def spares_action(self, fighter: Fighter, helps: bool) -> bool:
        return fighter is self.owner and not self.spent

    def spare_action(self, fighter: Fighter) -> None:
        self.spent = True


class LightningReflexes(Ability):
    """For a round, the owner's agility counts as a d20 for the order, and others cannot answer its uses (R-235)."""

    id = "lightning_reflexes"
    frequency = "minor"
    on = AT_ANY_MOMENT
    quick_in = 0

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return self.quick_in != fight.table.round

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.quick_in = fight.table.round

    def timing_die(self, table: Table, die: int) -> int:
        return 20 if self.quick_in == table.round else die

    def silences(self, table: Table) -> bool:
        return self.quick_in == table.round


class Veteran(Ability):
    """The owner may use its mastery once more (R-236)."""

    id = "veteran"
    frequency = "major"
    on = ("action",)

    def _spent(self) -> dict[str, Ability]:
        owned = enumerate(self.owner.abilities)
        return {f"pick {slot}": one for slot, one in owned if one.id in MASTERIES and one.uses > 0}

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return bool(self._spent())

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        return [] if given else list(self._spent()) or ["nothing"]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self._spent()[self.answers[0]].uses = 0


class Frenzy(Ability):
    """For ten rounds, a use of a minor ability costs a point for each such use so far and one (R-237)."""

    id = "frenzy"
    frequency = "major"
    on = ("action",)
    begun = 0
    copies = 0

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return any(one.limit == "minor" for one in self.owner.abilities)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.begun = fight.table.round

    def cheaper(self, table: Table, price: int) -> int:
        lasts = self.begun > 0 and table.round < self.begun + 10
        return min(price, self.copies + 1) if lasts else price

    def lend_use(self, fight: Fight, price: int) -> None:
        self.copies += 1
        if self.destined:
            fight.heal(self.owner, fight.table.roll_die(self.owner.heart))

    def at_round_start(self, fight: Fight) -> None:
        if self.copies > 0 and fight.table.round == self.begun + 10 and self.owner.standing:
            for name in ("dazed", "off_balanced", "weakened"):
                fight.inflict(self.owner, self.owner, name, self.copies)

    def holds(self, fight: Fight, fighter: Fighter, name: str) -> int:
        after = self.begun > 0 and fight.table.round > self.begun + 10
        tired = fighter is self.owner and name in ("dazed", "off_balanced", "weakened")
        return self.copies if after and tired else 0


class GraspingGrowth(AsksLater):
    """Enemies around an enemy are restrained by two levels until a might check, for their action, frees them (R-238).

    In the destiny version the radius is 30 feet, or there are three levels, or the number is larger by two.
    """

    id = "grasping_growth"
    frequency = "major"
    on = ("action",)
    aim = "enemy"
    larger = ""

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.caught: list[Fighter] = []

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        table = fight.table
        return target.standing and table.within(self.owner, target, 9) and table.in_sight(self.owner, target)

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        if given or not self.destined:
            return []
        return ["pick 0", "pick 1", "pick 2"] if fight.table.board is not None else ["pick 1", "pick 2"]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        self.larger = self.answers[0] if self.destined else ""
        for enemy in fight.table.enemies(self.owner):
            if enemy.standing and fight.table.within(target, enemy, 6 if self.larger == "pick 0" else 1):
                fight.inflict(self.owner, enemy, "restrained", self._levels)
                if not any(owned.wards_off(fight, "restrained", self.owner) for owned in enemy.abilities):
                    self.caught.append(enemy)
                    fight.request(self, enemy)

    @property
    def _levels(self) -> int:
        return 3 if self.larger == "pick 1" else 2

    def at_round_start(self, fight: Fight) -> None:
        self.caught = [enemy for enemy in self.caught if "restrained" in enemy.conditions]
        for fighter in fight.fighters:
            if fighter in self.caught:
                fight.request(self, fighter)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        can_act = fight.table.able(who) and fight.table.can_spend_action(who)
        return ["pass", "pick 0"] if who in self.caught and can_act else ["pass"]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        who.spend_action()
        number = self.owner.heart_max + (2 if self.larger == "pick 2" else 0)
        if fight.check(who, "might", self.owner) >= number:
            self.caught.remove(who)
            who.conditions.lose("restrained", self._levels)
