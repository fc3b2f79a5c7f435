"""Talents, one class each (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .moments import ON_ROLLS, Asked, Attack, Damage, Event, Roll

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table


class BrutalCriticals(Ability):
    """The two largest dice of an attack roll at their maximum, d6 or larger, are doubled (R-95)."""

    id = "brutal_criticals"
    frequency, destined_frequency = "minor", "passive"
    on = ON_ROLLS

    def _maxima(self, event: Event | None) -> list[int]:
        roll = event.rolls.get(self.owner.agent) if isinstance(event, Attack) else None
        if roll is None or roll.kind != "attack":
            return []
        return sorted(sides for result, sides in roll.kept if result == sides >= 6)

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return len(self._maxima(event)) >= 2

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert isinstance(event, Attack)
        event.rolls[self.owner.agent].flat += sum(self._maxima(event)[-2:])


class KickEmWhileTheyreDown(Ability):
    """The owner has advantage on attacks against prone opponents."""

    id = "kick_em_while_theyre_down"

    def levels(self, table: Table, roll: Asked) -> int:
        mine = roll.fighter is self.owner and roll.kind == "attack"
        prone = roll.opponent is not None and "prone" in roll.opponent.conditions
        return self.pick(2, 4) if mine and prone else 0


class VampiricMark(Ability):
    """Every wound of the creature that the owner marks heals the owner."""

    id = "vampiric_mark"
    frequency = "major"
    on = ("action",)
    aim = "enemy"
    marked: Fighter | None = None

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        return target.standing

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.marked = target

    def after_wound(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if victim is self.marked:
            fight.heal(self.owner, self.pick(3, 5))


class Haphazard(Ability):
    """Ones on the dice of attacks and defences count as more, before any dice are dropped."""

    id = "haphazard"

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind in ("attack", "defence"):
            for dice in (roll.rolled, roll.added):  # dice that are taken off do not count here
                dice[:] = [(self.pick(6, 12) if result == 1 else result, sides) for result, sides in dice]


class CommittedBlows(Ability):
    """An attack that beats a stance has more dice; a defence whose stance is beaten loses dice."""

    id = "committed_blows"

    def adds(self, table: Table, roll: Asked) -> list[int]:
        return [6] * self.pick(1, 2) if roll.kind == "attack" and roll.wins else []

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind == "defence" and roll.opponent is not None and table.beats(roll.opponent, self.owner):
            roll.lost += [(table.roll_die(6), 6) for _ in range(self.pick(1, 2))]


class DestinedForGlory(Ability):
    """Two equal results add dice to an attack or a defence, once a roll."""

    id = "destined_for_glory"

    def after_roll(self, table: Table, roll: Roll) -> None:
        results = [result for result, _ in roll.kept]
        if roll.kind in ("attack", "defence") and len(set(results)) < len(results):
            roll.added += [(table.roll_die(8), 8) for _ in range(self.pick(1, 2))]


class Fury(Ability):
    """Below zero hit points attacks have further heart dice."""

    id = "fury"

    def adds(self, table: Table, roll: Asked) -> list[int]:
        raging = self.owner.hp < 0 and roll.kind == "attack"
        return [roll.heart] * self.pick(1, 2) if raging else []


class Focused(Ability):
    """The owner keeps some unspent rush points."""

    id = "focused"

    def keeps_rush(self) -> int:
        return self.pick(3, 5)


class Bloodknight(Ability):
    """The owner's first healing of each round is larger."""

    id = "bloodknight"
    latest = 0
    """The latest round in which the owner healed."""

    def healing(self, table: Table, amount: int) -> int:
        more = self.pick(2, 4) if table.round > self.latest else 0
        self.latest = table.round
        return amount + more


class LightFooted(Ability):
    """The owner's defences are higher without armor and shield."""

    id = "light_footed"

    def flat(self, table: Table, roll: Asked) -> int:
        bare = not self.owner.wears_armor and self.owner.shield == 0
        return self.pick(2, 4) if roll.kind == "defence" and bare else 0


class TakeAdvantage(Ability):
    """Attacks have advantage on a target with two conditions, or with two levels of a cunning effect.

    In the destiny version, the advantage is the number of conditions or the highest level, whichever is larger.
    """

    id = "take_advantage"

    def levels(self, table: Table, roll: Asked) -> int:
        if roll.fighter is not self.owner or roll.kind != "attack" or roll.opponent is None:
            return 0
        troubles = table.troubles(roll.opponent)
        holds = len(troubles) >= 2 or any(troubles.get(name, 0) >= 2 for name in THREE)
        if self.destined:
            return max([len(troubles), *troubles.values()])
        return 2 if holds else 0


THREE = ("dazed", "off_balanced", "weakened")


class PerfectDefense(Ability):
    """A defence die at its maximum doubles another: the largest of the others that count (R-106)."""

    id = "perfect_defense"

    def levels(self, table: Table, roll: Asked) -> int:
        return 2 if self.destined and roll.fighter is self.owner and roll.kind == "defence" else 0

    def after_roll(self, table: Table, roll: Roll) -> None:
        best = 0
        for place, (result, sides) in enumerate(roll.kept):
            if roll.kind == "defence" and result == sides:
                best = max([best, *(other for at, (other, _) in enumerate(roll.kept) if at != place)])
        roll.flat += best


class IronConstitution(Ability):
    """Damage below ten is reduced; in the destiny version, wounds have a lower rank."""

    id = "iron_constitution"

    def cuts(self, fight: Fight, damage: Damage) -> int:
        return max(0, damage.amount - self.pick(4, 6)) if damage.amount < 10 else damage.amount

    def rank(self, rank: int) -> int:
        return max(0, rank - self.pick(0, 5))


class SearingBlood(Ability):
    """A fighter that wounds the owner loses hit points."""

    id = "searing_blood"

    def after_wound(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if victim is self.owner and damage.by is not None:
            damage.by.hp -= self.owner.hp_max // self.pick(10, 5)


class StillFresh(Ability):
    """While the heart die is full, the cunning effect's conditions fade faster.

    In the destiny version, enemies also cannot give them.
    """

    id = "still_fresh"

    def fades(self, name: str) -> int:
        return 1 if name in THREE and self.owner.heart == self.owner.heart_max else 0

    def wards_off(self, fight: Fight, name: str, giver: Fighter | None) -> bool:
        fresh = self.destined and name in THREE and self.owner.heart == self.owner.heart_max
        return fresh and giver is not None and giver.team != self.owner.team


class Phalanx(Ability):
    """Beside two or more allies, the owner's defences have advantage.

    In the destiny version, adjacent allies have some of it (R-112).
    """

    id = "phalanx"

    def levels(self, table: Table, roll: Asked) -> int:
        beside = [ally for ally in table.allies(self.owner) if ally.standing and table.next_to(self.owner, ally)]
        if roll.kind != "defence" or len(beside) < 2:
            return 0
        if roll.fighter is self.owner:
            return self.pick(3, 4)
        helped = roll.fighter.team == self.owner.team and table.next_to(self.owner, roll.fighter)
        return self.pick(0, 1) if helped and self.owner.standing else 0


class BattleFrenzy(Ability):
    """Each adjacent enemy, if there are two or more, gives a level of advantage on attacks.

    In the destiny version, each also gives a rush point per round.
    """

    id = "battlefrenzy"

    def _beside(self, table: Table) -> int:
        enemies = [enemy for enemy in table.enemies(self.owner) if enemy.standing and table.next_to(self.owner, enemy)]
        return len(enemies) if len(enemies) >= 2 else 0

    def levels(self, table: Table, roll: Asked) -> int:
        return self._beside(table) if roll.fighter is self.owner and roll.kind == "attack" else 0

    def more_rush(self, table: Table) -> int:
        return self.pick(0, self._beside(table))


class DownWithTheWeak(Ability):
    """Attacks on weakened targets have one more die and weaken them further.

    In the destiny version, they also have advantage.
    """

    id = "down_with_the_weak"
    was_weak: frozenset[str] = frozenset()
    """The targets that were weakened when the dice of the latest attack on them were gathered."""

    def _fits(self, roll: Asked) -> bool:
        mine = roll.fighter is self.owner and roll.kind == "attack"
        return mine and roll.opponent is not None and "weakened" in roll.opponent.conditions

    def levels(self, table: Table, roll: Asked) -> int:
        return self.pick(0, 3) if self._fits(roll) else 0

    def adds(self, table: Table, roll: Asked) -> list[int]:
        if roll.fighter is self.owner and roll.kind == "attack" and roll.opponent is not None:
            self.was_weak = self.was_weak - {roll.opponent.agent}
            self.was_weak |= {roll.opponent.agent} if self._fits(roll) else frozenset()
        return [6] if self._fits(roll) else []

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if target.agent in self.was_weak:
            fight.inflict(self.owner, target, "weakened", 3)


class Duelist(Ability):
    """For ten rounds the owner has advantage against a rival, and disadvantage on defence against all others."""

    id = "duelist"
    frequency = "major"
    on = ("action",)
    aim = "enemy"
    rival: Fighter | None = None
    since = 0

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        return target.standing

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.rival, self.since = target, fight.table.round

    def levels(self, table: Table, roll: Asked) -> int:
        if roll.fighter is not self.owner or self.rival is None or table.round >= self.since + 10:
            return 0
        if roll.opponent is self.rival:
            return self.pick(2, 4) if roll.kind in ("attack", "defence") else 0
        return -self.pick(3, 6) if roll.kind == "defence" else 0
