"""The animal that obeys a fighter, and the talents about it (R-273 to R-279)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .ability import Ability
from .moments import ON_ROLLS, Attack, Event
from .requests import AsksLater

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter

EVERYWHERE, FIGHTS = "everywhere", "in engagements"


def tie_companions(fighters: Sequence[Fighter]) -> None:
    """Tell the talents of each fighter which animals obey it: a pick of Beast Companion is for one of them."""
    for fighter in fighters:
        animals = [other for other in fighters if other.companion_of == fighter.agent]
        left = list(animals)
        for owned in fighter.abilities:
            if isinstance(owned, BeastCompanion):
                owned.animal = left.pop(0) if left else None
            elif isinstance(owned, BeastCombat | BeastBond):
                owned.animals = animals


def attacks_of(owner: Fighter, animal: Fighter) -> set[str]:
    """Return where the talents of an owner let its animal attack."""
    talents = owner.abilities
    free = any(isinstance(owned, BeastBond) and owned.within is animal for owned in talents)
    return {EVERYWHERE} if free else {FIGHTS for owned in talents if isinstance(owned, BeastCombat)}


class BeastCompanion(Ability):
    """The animal attacks nobody by itself; as destiny it and its owner defend each other (R-274 to R-276)."""

    id = "beast_companion"
    on = (ON_ROLLS[0], "sweep")

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.animal: Fighter | None = None
        self.hits: set[tuple[str, str]] = set()
        """Who has hit whom of the two."""

    def bars(self, attacker: Fighter, target: Fighter) -> bool:
        if attacker is not self.animal:
            return False
        where = attacks_of(self.owner, attacker)
        return EVERYWHERE not in where and not (FIGHTS in where and attacker.stance is not None)

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        if not self.destined or self.animal is None or not isinstance(event, Attack) or event.contested:
            return False
        other = self._other(event.target)
        if other is None or other is event.fighter or not fight.table.able(other):
            return False
        there = event.outside or fight.table.takes_part(other)
        beside = fight.table.next_to(self.owner, self.animal)
        return there and beside and (event.fighter.agent, other.agent) not in self.hits

    def _other(self, one: Fighter) -> Fighter | None:
        if one is self.owner:
            return self.animal
        return self.owner if one is self.animal else None

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert isinstance(event, Attack)
        other = self._other(event.target)
        assert other is not None
        event.target, event.met = other, None

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        if attack.dealt[attacker.agent] > 0:
            self.hits.add((attacker.agent, target.agent))


class BeastCombat(Ability):
    """The animals attack in engagements, and once a round the help of each is free (R-274, R-277)."""

    id = "beast_combat"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.animals: list[Fighter] = []
        self.helped: list[Fighter] = []

    def at_round_start(self, fight: Fight) -> None:
        self.helped = []

    def spares_action(self, fighter: Fighter, helps: bool) -> bool:
        return helps and fighter in self.animals and fighter not in self.helped

    def spare_action(self, fighter: Fighter) -> None:
        self.helped.append(fighter)


class BeastBond(AsksLater):
    """As destiny the owner goes into an animal; its body lies helpless until the animal spends an action (R-279)."""

    id = "beast_bond"
    on = ("action",)
    aim = "ally"
    costs_action = True
    within: Fighter | None = None

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.animals: list[Fighter] = []

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        mine = target is not None and target.standing and target in self.animals
        return self.destined and mine and self.owner.climbing is None

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.within = target
        for name in ("prone", "incapacitated"):
            self.owner.conditions.gain(name, 1)

    def at_round_start(self, fight: Fight) -> None:
        if self.within is None:
            return
        if self.within.standing and self.owner.standing and "incapacitated" in self.owner.conditions:
            fight.request(self, self.owner)
        else:
            self._awake()

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        can = self.within is not None and fight.table.able(self.within) and fight.table.can_spend_action(self.within)
        return ["pass", "pick 0"] if can else ["pass"]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        assert self.within is not None
        self.within.spend_action()
        self._awake()

    def _awake(self) -> None:
        self.within = None
        self.owner.conditions.end("incapacitated")
