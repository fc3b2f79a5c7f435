"""Abilities by which one fighter takes another's place before the dice of an attack (RULES, section 9; R-263)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .moments import Attack
from .requests import AsksLater

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter


class GuardiansSacrifice(AsksLater):
    """For attacks on one adjacent ally a round, the owner defends and takes the damage (R-263, R-264)."""

    id = "guardians_sacrifice"
    protected: Fighter | None = None
    attack: Attack | None = None

    def at_round_start(self, fight: Fight) -> None:
        self.protected = None

    def before_dice(self, fight: Fight, attack: Attack) -> None:
        owner, table, ally = self.owner, fight.table, attack.target
        if ally is owner or ally.team != owner.team or self.protected not in (None, ally):
            return
        if not table.takes_part(owner):
            return
        if table.able(owner) and table.next_to(owner, ally) and not table.barred(attack.fighter, owner):
            self.attack = attack
            fight.request(self, owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        if self.attack is None or self.attack.guard is not None:
            return ["pass"]
        trades = fight.table.board is not None and fight.may_trade_places(who, self.attack.target)
        return ["pass", "pick 0", *(["pick 1"] if trades else [])]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        assert self.attack is not None
        self.attack.guard = who
        self.protected = self.attack.target
        if name == "pick 1":
            fight.trade_places(who, self.attack.target)
