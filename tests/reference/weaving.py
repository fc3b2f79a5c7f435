"""Battleweave: damage after each sidestep (RULES, section 9; R-243)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .moments import Damage
from .requests import AsksLater

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table


class Battleweave(AsksLater):
    """After a sidestep, two damage for each enemy that was adjacent as the round started (R-243)."""

    id = "battleweave"
    enemies = 0
    steps = 0
    chosen_one = False
    fight: Fight | None = None

    def _beside(self, table: Table) -> list[tuple[int, Fighter]]:
        places = enumerate(table.enemies(self.owner), 1)
        return [(place, enemy) for place, enemy in places if enemy.standing and table.next_to(self.owner, enemy)]

    def at_round_start(self, fight: Fight) -> None:
        self.fight = fight
        self.enemies, self.steps, self.chosen_one = len(self._beside(fight.table)), 0, False

    def after_sidestep(self) -> None:
        if self.enemies > 0 and self.fight is not None and self._beside(self.fight.table):
            waits = any(request.ability is self for request in self.fight.requests)
            self.steps = self.steps + 1 if waits else 1
            self.chosen_one = self.chosen_one and waits
            self.fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        beside = self._beside(fight.table)
        if self.destined and not self.chosen_one:
            return ["pick 0", "pick 1"] if len(beside) > 1 else ["pick 0"]
        return [f"pick_at {place}" for place, _ in beside]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        if name == "pick 0":
            self.chosen_one = True
            fight.request(self, who)
            return
        verb, number = name.split()
        once = self.enemies * 2
        if verb == "pick_at":
            enemy = fight.table.enemies(who)[int(number) - 1]
            fight.strike(enemy, Damage(once * self.pick(1, 2), who, "ability"))
        else:
            for _, enemy in self._beside(fight.table):
                fight.strike(enemy, Damage(once, who, "ability"))
        self.chosen_one = False
        self.steps -= 1
        if self.steps > 0:
            fight.request(self, who)
