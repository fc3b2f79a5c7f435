"""Abilities whose use asks for further answers (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .conditions import LEVELED, ON_OR_OFF
from .moments import AT_ANY_MOMENT, Asked, Event

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table

IN_ORDER = (
    "dazed", "off_balanced", "weakened", "shaken", "restrained", "stunned", "incapacitated", "poisoned", "blinded",
    "suffocating", "slowed", "crippled", "vulnerability", "confused", "frightened", "enraged", "charmed", "prone",
    "burning", "obscured", "hidden", "highground", "creature_climber", "climbed_on", "grappling", "grappled",
    "entangled", "aggravated", "deafened", "mute", "wet",
)  # fmt: skip
"""The conditions in the order in which the table of choices numbers them."""
WELCOME = ("obscured", "hidden", "highground", "wet")
"""Conditions that a fighter would not want to end (R-165)."""


class CryOfDefiance(Ability):
    """The owner ends one condition, lowers each by a level, or heals as many points as its best heart die has sides."""

    id = "cry_of_defiance"
    frequency = "minor"
    on = AT_ANY_MOMENT

    def _to_end(self, fight: Fight) -> list[str]:
        own = [name for name in (*LEVELED, *ON_OR_OFF) if name in self.owner.conditions and name not in WELCOME]
        return own + ["grappled"] * (fight.table.grappler_of(self.owner) is not None)

    def _to_lower(self) -> list[str]:
        return [name for name in LEVELED if name in self.owner.conditions]

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return True

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        ends = self._to_end(fight)
        if not given:
            return ["pick 0"] * bool(ends) + ["pick 1"] * bool(self._to_lower()) + ["pick 2"]
        if given == ("pick 0",):
            return [f"pick {k}" for k, name in enumerate(IN_ORDER) if name in ends] or ["nothing"]
        return []

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        match self.answers:
            case ("pick 0", condition):
                name = IN_ORDER[int(condition.split()[1])]
                if name == "grappled":
                    holder = fight.table.grappler_of(self.owner)
                    assert holder is not None
                    holder.grappling = None
                else:
                    self.owner.conditions.end(name)
            case ("pick 1",):
                for name in self._to_lower():
                    self.owner.conditions.lose(name, 1)
            case _:
                fight.heal(self.owner, self.owner.heart_max)


class Rejuvenate(Ability):
    """The owner gives hit points to an adjacent ally, which heals half of them, or all in the destiny version."""

    id = "rejuvenate"
    frequency = "major"
    on = ("action",)
    aim = "ally"

    def affordable(self, table: Table) -> bool:
        pays = self.owner.interaction or table.can_spend_action(self.owner) or table.is_free(self.owner)
        return super().affordable(table) and pays

    def pay(self, fight: Fight) -> None:
        super().pay(fight)
        fight.table.pay_interaction(self.owner)

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        reached = target.status in ("standing", "unconscious") and fight.table.next_to(self.owner, target)
        return reached and self.owner.hp > 1

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        left = self.owner.hp - 1
        if not given:
            return [f"pick {tens}" for tens in range(32) if 10 * tens <= left]
        if len(given) == 1:
            amounts = [(ones, 10 * int(given[0].split()[1]) + ones) for ones in range(10)]
            return [f"pick {ones}" for ones, amount in amounts if 1 <= amount <= left] or ["nothing"]
        return []

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        tens, ones = (int(answer.split()[1]) for answer in self.answers)
        given = 10 * tens + ones
        self.owner.hp -= given
        fight.heal(target, given // self.pick(2, 1))


class FastFriends(Ability):
    """Two creatures have disadvantage on attacks against each other.

    In the destiny version, only the creature that the owner picks has it.
    """

    id = "fast_friends"
    frequency = "minor"
    on = ("action",)
    aim = "enemy"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.spells: list[tuple[int, list[tuple[Fighter, Fighter]]]] = []
        """The round of each spell, with pairs of a creature that has disadvantage and its opponent."""

    def _others(self, fight: Fight, first: Fighter) -> list[tuple[str, Fighter]]:
        table = fight.table
        enemies = [(f"pick_at {k}", enemy) for k, enemy in enumerate(table.enemies(self.owner), 1)]
        allies = [(f"pick_for {k}", ally) for k, ally in enumerate(table.allies(self.owner), 1)]
        return [
            (name, other)
            for name, other in enemies + allies
            if other is not first and other.standing and self._reaches(table, other)
        ]

    def _reaches(self, table: Table, other: Fighter) -> bool:
        return table.within(self.owner, other, 9) and table.in_sight(self.owner, other)

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        return target.standing and self._reaches(fight.table, target) and bool(self._others(fight, target))

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        assert target is not None
        if not given:
            return [name for name, _ in self._others(fight, target)] or ["nothing"]
        return ["pick 0", "pick 1"] if self.destined and len(given) == 1 else []

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        other = dict(self._others(fight, target))[self.answers[0]]
        suffer = [(target, other), (other, target)]
        if self.destined:
            suffer = [suffer[int(self.answers[1].split()[1])]]
        self.spells = [*self.spells[-2:], (fight.table.round, suffer)]

    def levels(self, table: Table, roll: Asked) -> int:
        bound = [pair for begun, pairs in self.spells if table.round < begun + 100 for pair in pairs]
        return -2 if roll.kind == "attack" and (roll.fighter, roll.opponent) in bound else 0
