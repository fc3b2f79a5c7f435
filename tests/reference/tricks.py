"""The Bag of Tricks (RULES, section 9; R-262)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board import Space
from .moments import AT_ANY_MOMENT, Asked, Event, Roll
from .requests import AsksLater
from .treading import tread

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table
    from .windows import Windows

STANCES = ("might", "agility", "cunning", "defensive")
LONGER, STUNT, TRADE, FASTEST, GUESS = range(5)


class BagOfTricks(AsksLater):
    """One trick a use: a step of 10 feet or into an ally's place, 3 on a stunt, a d20 for timing, a guess (R-262)."""

    id = "bag_of_tricks"
    frequency = "minor"
    on = AT_ANY_MOMENT
    longer = better = rolling = False
    quick_in = 0
    guess: tuple[Fighter, str] | None = None
    fight: Fight | None = None

    def at_round_start(self, fight: Fight) -> None:
        self.fight, self.guess = fight, None

    def at_engagement_end(self, fight: Fight) -> None:
        self.guess = None

    # ---- which tricks

    def _partners(self, fight: Fight) -> list[str]:
        allies = enumerate(fight.table.allies(self.owner), 1)
        return [f"pick_for {place}" for place, ally in allies if self._may_trade(fight, ally)]

    def _may_trade(self, fight: Fight, ally: Fighter) -> bool:
        table, owner = fight.table, self.owner
        if table.board is None or not ally.standing or not table.next_to(owner, ally) or table.is_pinned(owner):
            return False
        speed = table.squares_of_speed(owner, though_grappling=True)
        if speed < 1 or (owner.shot and owner.squares_moved + 1 > speed // 2):
            return False
        by_rush = owner.rush > 0 and not table.is_too_busy_to_move(owner)
        if not self._has_step(table) and not by_rush:
            return False
        if abs(table.sides_to(owner, ally)) > 1 or not fight.may_trade_places(owner, ally):
            return False
        return not fight.fears(owner, Space(*ally.space.place, owner.side))

    def _has_step(self, table: Table) -> bool:
        return table.can_spend_action(self.owner) or table.is_free(self.owner, moves=True)

    def _tricks(self, fight: Fight) -> list[int]:
        table = fight.table
        found = [LONGER] if table.board is not None and not self.longer else []
        found += [] if self.better else [STUNT]
        paid = self._has_step(table) or self.owner.rush > self.price_now(table)
        if fight.occasion == "action" and paid and self._partners(fight):
            found.append(TRADE)
        found += [] if self.quick_in == table.round else [FASTEST]
        if fight.occasion not in ("reveal", "phase") and any(enemy.standing for enemy in table.enemies(self.owner)):
            found += [GUESS + k for k in range(len(STANCES))]
        return found

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return bool(self._tricks(fight))

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        if not given:
            return [f"pick {trick}" for trick in self._tricks(fight)] or ["nothing"]
        trick = int(given[0].split()[1])
        if len(given) > 1 or trick in (LONGER, STUNT, FASTEST):
            return []
        if trick == TRADE:
            return self._partners(fight) or ["nothing"]
        enemies = enumerate(fight.table.enemies(self.owner), 1)
        return [f"pick_at {place}" for place, enemy in enemies if enemy.standing] or ["nothing"]

    # ---- what they do

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        trick = int(self.answers[0].split()[1])
        whom = int(self.answers[1].split()[1]) - 1 if len(self.answers) > 1 else 0
        match trick:
            case 0:
                self.longer = True
            case 1:
                self.better = True
            case 2:
                fight.request(self, fight.table.allies(self.owner)[whom])
            case 3:
                self.quick_in = fight.table.round
            case _:
                self.guess = fight.table.enemies(self.owner)[whom], STANCES[trick - GUESS]

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        if who is self.owner:
            return ["pass", *fight.free_steps(who)]
        return ["pass", "pick 0"] if self._may_trade(fight, who) else ["pass"]

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows | None:
        owner, table = self.owner, fight.table
        if who is owner:
            return fight.step_freely(who, name)
        if not self._has_step(table):
            owner.rush -= 1
        elif not table.use_freedom(owner, moves=True):
            owner.spend_action()
        owner.moved = True
        owner.squares_moved += 1
        fight.trade_places(owner, who)
        for owned in owner.abilities:
            owned.after_sidestep()
        tread(table, owner)
        return None

    def after_sidestep(self) -> None:
        if self.longer and self.fight is not None and self.fight.table.board is not None:
            self.longer = False
            self.fight.request(self, self.owner)

    def in_contest(self, roller: Fighter, other: Fighter, what: str, tries: bool) -> int:
        if self.better and roller is self.owner and tries and what in ("disarm", "taunt", "swing_past"):
            self.better, self.rolling = False, True
        return 0

    def flat(self, table: Table, roll: Asked) -> int:
        return 3 if self.rolling and roll.kind == "check" else 0

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind == "check":
            self.rolling = False

    def timing_die(self, table: Table, die: int) -> int:
        return max(20, die) if self.quick_in == table.round else die

    def silences(self, table: Table) -> bool:
        return self.quick_in == table.round

    def at_reveal(self, fight: Fight) -> None:
        if self.guess is not None and self.owner.standing:
            other, stance = self.guess
            if other.standing and other.stance == stance:
                fight.inflict(self.owner, other, fight.table.rage, 1, self.owner.agent)
        self.guess = None
