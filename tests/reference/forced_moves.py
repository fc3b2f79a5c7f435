"""Abilities that move other creatures, seize them or trade places with them (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability, Event, Landing
from .creatures import Horror

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter


class Swap(Ability):
    """Once a round, the first hit on the owner misses as it trades places with an ally (R-250)."""

    id = "queen_rat.swap"
    on = ("damage",)
    aim = "ally"
    used = False

    def at_round_start(self, fight: Fight) -> None:
        self.used = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        if self.used or target is None or fight.table.board is None or not target.standing:
            return False
        hit = isinstance(event, Landing) and event.hits.get(self.owner.agent)
        return bool(hit) and fight.may_trade_places(self.owner, target)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None and isinstance(event, Landing)
        self.used = True
        event.hits[self.owner.agent][0].amount = 0
        fight.trade_places(self.owner, target)


class Sinkhole(Horror):
    """Enemies within 30 feet save with might against 10 or are pulled 10 feet toward the owner."""

    id = "skittering_horror_carapace.sinkhole"
    squares = 6

    def at_round_start(self, fight: Fight) -> None:
        table, owner = fight.table, self.owner
        for enemy in table.enemies(owner) if owner.standing and table.board is not None else []:
            near = enemy.standing and table.within(owner, enemy, self.squares) and table.in_sight(owner, enemy)
            if near and fight.save(enemy, "might", owner) < 10:
                fight.pull(owner, enemy, 10)


class SpectralChains(Ability):
    """A target whose stance the attack beats saves in might against 12, or is pulled 10 feet and grappled (R-252)."""

    id = "phantom_knight.spectral_chains"

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if wins and fight.save(target, "might", self.owner) < 12:
            fight.pull(self.owner, target, 10)
            fight.seize(self.owner, target)
