"""Abilities of movement: speed, passing, provoking, steps out of turn (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability, Asked, Damage, Event
from .board import Space, distance

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table


class Quick(Ability):
    """The speed on its sheet is higher (R-203)."""

    id = "quick"


class Juggernaut(Ability):
    """Equipment does not slow the owner (R-203); as destiny it is pushed a square less."""

    id = "juggernaut"

    def pushed(self, squares: int) -> int:
        return max(0, squares - self.pick(0, 1))


class Nimble(Ability):
    """The owner passes enemies, provokes nobody within reach, and enemies do not make it off-balanced (R-204)."""

    id = "nimble"
    passes_enemies = True

    def slips_away(self, mover: Fighter, leaves: bool) -> bool:
        return mover is self.owner and (self.destined or not leaves)

    def wards_off(self, fight: Fight, name: str, giver: Fighter | None) -> bool:
        return name == "off_balanced" and giver is not None and giver.team != self.owner.team


class Lockdown(Ability):
    """Whom the owner's opportunity attack hits is aggravated and stopped (R-205)."""

    id = "lockdown"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.now: set[str] = set()
        self.before: set[str] = set()

    def at_round_start(self, fight: Fight) -> None:
        self.before, self.now = self.now, set()

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if damage.by is self.owner and damage.cause == "opportunity":
            self.now.add(victim.agent)
            fight.inflict(self.owner, victim, "aggravated", self.pick(1, 2), self.owner.agent)

    def speed_of(self, mover: Fighter, squares: int) -> int:
        return 0 if mover.agent in self.now else squares

    def pins(self, mover: Fighter) -> bool:
        return self.destined and mover.agent in self.now | self.before


class Charge(Ability):
    """A straight run of four squares at an enemy gives the attack on it dice, and knocks it prone (R-206)."""

    id = "charge"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.way: list[Space] = []
        """The places of the latest straight run, its start included."""

    def at_round_start(self, fight: Fight) -> None:
        self.way = []

    def after_dash_step(self, here: Space, there: Space) -> None:
        step = (there.x - here.x, there.y - here.y)
        goes_on = len(self.way) > 1 and self.way[-1] == here
        if goes_on and (here.x - self.way[-2].x, here.y - self.way[-2].y) == step:
            self.way.append(there)
        else:
            self.way = [here, there]

    def _dice(self, table: Table, target: Fighter) -> int:
        if table.board is None or len(self.way) < 5 or self.way[-1] != self.owner.space:
            return 0
        weapon = self.owner.weapon_in_hand
        if weapon.die != 12 or weapon.attack_type != "melee" or table.sides_to(self.owner, target) > 1:
            return 0
        last, before = self.way[-1], self.way[-2]
        further = last.moved(last.x - before.x, last.y - before.y)
        if distance(further, target.space) >= distance(last, target.space):
            return 0
        return min(3, (len(self.way) - 1) // 4)

    def adds(self, table: Table, roll: Asked) -> list[int]:
        if roll.kind != "attack" or roll.opponent is None or roll.answers:
            return []
        return [self.pick(6, 10)] * self._dice(table, roll.opponent)

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if self._dice(fight.table, target) > 0:
            fight.inflict(self.owner, target, "prone", 1)


class BurstOfSpeed(Ability):
    """One more dash of ten squares this round; slowed 2 at its end, which fades a round later than usual (R-207)."""

    id = "burst_of_speed"
    on = ("action",)
    runs = -1
    """The round of its use."""

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return self.runs != fight.table.round and not self.owner.dash

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.runs, self.now = fight.table.round, True
        self.owner.dash, self.owner.stood = True, False

    now = False
    """Whether it is the round of its use."""

    def at_round_start(self, fight: Fight) -> None:
        self.now = False

    def speed_of(self, mover: Fighter, squares: int) -> int:
        return min(squares, 10) if mover is self.owner and self.now and mover.dash else squares

    def slips_away(self, mover: Fighter, leaves: bool) -> bool:
        return mover is self.owner and self.destined and self.now

    def at_round_end(self, fight: Fight) -> None:
        if self.now and self.owner.standing:
            fight.inflict(self.owner, self.owner, "slowed", 2)

    def holds(self, fight: Fight, fighter: Fighter, name: str) -> int:
        return 2 if fighter is self.owner and name == "slowed" and self.runs == fight.table.round - 1 else 0
