"""Abilities whose owner names a creature together with a stance, a condition or another creature (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .moments import AT_ANY_MOMENT, Asked, Attack, Event, Roll

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table


class TargetTheWeakness(Ability):
    """Attacks on a creature in a stance, both named before the stances, ignore half of its defence, or all (R-192)."""

    id = "target_the_weakness"
    frequency = "minor"
    on = ("action", "declaration", "engagement")
    aim = "enemy"
    named: frozenset[tuple[str, str]] = frozenset()

    def at_round_start(self, fight: Fight) -> None:
        self.named = frozenset()

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        return target.standing and self.part(fight, target, ()) != ["nothing"]

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        assert target is not None
        stances = enumerate(("might", "agility", "cunning"))
        free = [f"pick {k}" for k, stance in stances if (target.agent, stance) not in self.named]
        return [] if given else free or ["nothing"]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        stance = {"pick 0": "might", "pick 1": "agility", "pick 2": "cunning"}[self.answers[0]]
        self.named |= {(target.agent, stance)}

    def after_any_roll(self, table: Table, asked: Asked, roll: Roll) -> None:
        if roll.kind == "defence" and (roll.fighter.agent, asked.ability) in self.named:
            roll.flat -= max(0, roll.total) // self.pick(2, 1)


FADES = ("dazed", "off_balanced", "weakened", "shaken", "blinded", "slowed", "burning", "deafened")


class Maledict(Ability):
    """A fading condition for the target of an attack and, at a lower level, for the owner (R-193)."""

    id = "maledict"
    frequency = "minor"
    on = ("first roll",)
    aim = "enemy"

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        attacker = event.attacker_of(target) if isinstance(event, Attack) else None
        if attacker is None or not target.standing or attacker.team != self.owner.team:
            return False
        table = fight.table
        near = table.within(self.owner, attacker, 2) and table.in_sight(self.owner, attacker)
        return attacker is self.owner or near

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        if not given:
            return [f"pick {k}" for k in range(len(FADES))]
        return [f"pick {levels}" for levels in range(1, 6)] if self.destined and len(given) == 1 else []

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        answers = [int(answer.split()[1]) for answer in self.answers]
        name = FADES[answers[0]]
        levels, own = (answers[1], (answers[1] + 1) // 2) if self.destined else (2, 1)
        too_many = target.conditions.of(name) + levels > 5
        warded_off = any(owned.wards_off(fight, name, self.owner) for owned in target.abilities)
        fight.inflict(self.owner, target, name, levels)
        if self.destined and too_many and not warded_off:
            fight.inflict(self.owner, target, "vulnerability", 1)
        fight.inflict(self.owner, self.owner, name, own)


class StrategicSupremacy(Ability):
    """For ten rounds, damage to one creature is doubled and damage to another halved, rounded down (R-194)."""

    id = "strategic_supremacy"
    frequency = "major"
    on = AT_ANY_MOMENT
    aim = "enemy"
    doubled: Fighter | None = None
    halved: Fighter | None = None
    since = 0

    def _near(self, fight: Fight, other: Fighter) -> bool:
        reached = fight.table.within(self.owner, other, 9) and fight.table.in_sight(self.owner, other)
        return other.standing and reached

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        return self._near(fight, target)

    def _protected(self, fight: Fight) -> dict[str, Fighter]:
        allies = enumerate(fight.table.allies(self.owner), 1)
        return {f"pick_for {k}": ally for k, ally in allies if self._near(fight, ally)}

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        if not given:
            return ["pick 0", "pick 1"] if self._protected(fight) else ["pick 0"]
        return (list(self._protected(fight)) or ["nothing"]) if given == ("pick 1",) else []

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.doubled, self.since = target, fight.table.round
        self.halved = self.owner if self.answers[0] == "pick 0" else self._protected(fight)[self.answers[1]]

    def scales(self, fight: Fight, victim: Fighter, amount: int) -> int:
        if self.since == 0 or fight.table.round >= self.since + 10:
            return amount
        if victim is self.doubled:
            return 2 * amount
        return amount // 2 if victim is self.halved else amount


class TauntingBlow(Ability):
    """An attack in cunning enrages a target in agility, in place of two levels or, in destiny, of damage (R-196)."""

    id = "taunting_blow"
    on = ("phase",)
    aim = "enemy"
    taunted: Fighter | None = None

    def at_round_start(self, fight: Fight) -> None:
        self.taunted = None

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        now = fight.phase == "cunning" and fight.attacks_now(self.owner) and self.taunted is None
        return now and target.stance == "agility" and fight.table.may_attack(self.owner, target)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.taunted = target

    def forgoes(self, target: Fighter) -> int:
        return self.pick(2, 0) if target is self.taunted else 0

    def deals(self, target: Fighter, amount: int) -> int:
        return self.pick(amount, 0) if target is self.taunted else amount

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if target is self.taunted:
            self.taunted = None
            fight.inflict(self.owner, target, fight.table.rage, self.pick(1, 3), self.owner.agent)


LADDER = (2, 4, 6, 8, 10, 12, 20)


class AdrenalineSpike(Ability):
    """The next roll with a chosen ability die has the next larger die, or the one after it in destiny (R-197)."""

    id = "adrenaline_spike"
    frequency = "major"
    on = ("action",)
    chosen: str | None = None

    def _grown(self, die: int) -> int:
        ladder = [size for size in LADDER if size <= self.pick(12, 20)]
        if die not in ladder:
            return die
        return ladder[min(len(ladder) - 1, ladder.index(die) + self.pick(1, 2))]

    def _free(self) -> list[str]:
        abilities = enumerate(("might", "agility", "cunning", "presence"))
        dice = self.owner.dice
        return [f"pick {k}" for k, name in abilities if self._grown(dice[name]) > dice[name]]

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return bool(self._free())

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        return [] if given else self._free() or ["nothing"]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.chosen = ("might", "agility", "cunning", "presence")[int(self.answers[0].split()[1])]

    def rolls_die(self, ability: str, die: int) -> int:
        return self._grown(die) if ability == self.chosen else die

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.ability == self.chosen:
            self.chosen = None


class CalledShot(Ability):
    """A number that a die of an attack with advantage must reach, to be added as often as levels are paid (R-200)."""

    id = "called_shot"
    on = ("phase",)
    aim = "enemy"
    target: Fighter | None = None
    number = times = 0
    paid = False

    def at_round_start(self, fight: Fight) -> None:
        self.target = None

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        now = self.target is None and fight.attacks_now(self.owner)
        return now and fight.table.may_attack(self.owner, target) and fight.advantage_on(self.owner, target) > 0

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        assert target is not None
        if not given:
            return [f"pick {number}" for number in range(1, 21)]
        most = fight.advantage_on(self.owner, target)
        dear = [f"pick {times}" for times in range(1, 7) if self._price(times) <= most]
        return dear if len(given) == 1 else []

    @staticmethod
    def _price(times: int) -> int:
        return sum(range(1, times))

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.target = target
        self.number, self.times = (int(answer.split()[1]) for answer in self.answers)

    def levels(self, table: Table, roll: Asked) -> int:
        return -1 if roll.fighter is self.owner and roll.kind == "defence" else 0

    def spends(self, table: Table, roll: Asked, net: int) -> int:
        if roll.kind != "attack" or roll.opponent is None or roll.opponent is not self.target:
            return 0
        self.paid = net > 0 and self._price(self.times) <= net
        return self._price(self.times) if self.paid else 0

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind == "attack" and roll.opponent is not None and roll.opponent is self.target:
            self.target = None
            if self.paid and any(result >= self.number for result, _ in roll.kept):
                roll.flat += self.number * self.times
