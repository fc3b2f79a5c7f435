"""Abilities that bring further attacks, strike areas, or frighten, one class each (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability, Asked, Damage, Event, Landing

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table


class FavoredAttacker(Ability):
    """Attacks have a further heart die."""

    id = "favored_attacker"
    kind = "attack"

    def adds(self, table: Table, roll: Asked) -> list[int]:
        return [table.heart_die(self.owner)] if roll.kind == self.kind else []


class FavoredDefender(FavoredAttacker):
    """Defences have a further heart die."""

    id = "favored_defender"
    kind = "defence"


class DraconicPresence(Ability):
    """The presence die is a d20."""

    id = "draconic_presence"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        owner.dice["presence"] = 20


class Dread(Ability):
    """As the first round begins, enemies save or are frightened (R-132)."""

    id = "young_dragon.dread"

    def at_round_start(self, fight: Fight) -> None:
        if fight.table.round == 1:
            for enemy in fight.table.enemies(self.owner):
                if (
                    enemy.standing
                    and fight.table.within(self.owner, enemy, 6)
                    and fight.save(enemy, "presence", self.owner) < 10
                ):
                    fight.inflict(self.owner, enemy, "frightened", 1, self.owner.agent)


class Breath(Ability):
    """The action, every other round: the one that it names saves or burns (R-139)."""

    id = "young_dragon.breath"
    on = ("action",)
    aim = "enemy"
    costs_action = True
    latest = -1
    """The round of its latest use."""

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        return target.standing and fight.table.round >= self.latest + 2

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        self.latest = fight.table.round
        if fight.save(target, "agility", self.owner) < 12:
            fight.inflict(self.owner, target, "burning", 3)


class Plague(Ability):
    """As stances are shown, enemies near it are hurt, and save or are poisoned (R-138)."""

    id = "queen_rat.plague"

    def strikes_at_reveal(self, fight: Fight) -> list[tuple[Fighter, Damage]]:
        hits = []
        for enemy in fight.table.enemies(self.owner):
            if self.owner.standing and enemy.standing and fight.table.within(self.owner, enemy, 2):
                hits.append((enemy, Damage(fight.table.roll_die(4), self.owner)))
                if fight.save(enemy, "might", self.owner) < 9:
                    fight.inflict(self.owner, enemy, "poisoned", 1)
        return hits


class Intimidating(Ability):
    """Who drops an enemy frightens those beside either, and the dropped one if it fights on (R-113)."""

    id = "intimidating"
    frequency = "minor"
    on = ("damaged",)

    def _witnesses(self, fight: Fight, event: Event | None) -> list[Fighter]:
        enemies = fight.table.enemies(self.owner)
        if not isinstance(event, Landing):
            return []
        dropped = [enemy for enemy in enemies if event.felled.get(enemy.agent) is self.owner]
        return [
            enemy
            for enemy in enemies
            if enemy.standing
            and dropped
            and any(enemy is one or fight.table.next_to(one, enemy) for one in [self.owner, *dropped])
        ]

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return bool(self._witnesses(fight, event))

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        for enemy in self._witnesses(fight, event):
            fight.inflict(self.owner, enemy, "frightened", 1, self.owner.agent)
