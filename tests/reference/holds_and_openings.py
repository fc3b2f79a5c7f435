"""Abilities of holds, collisions and opportunity attacks (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .moments import Asked, Attack, Event
from .requests import AsksLater

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table
    from .windows import Windows


def unarmed(fighter: Fighter) -> bool:
    """Return whether the fighter holds no weapon, or fights with its body (R-209)."""
    return fighter.weapon_in_hand.natural


class MasterGrappler(Ability):
    """Unarmed: a firmer hold, and advantage to grapple and to break free (R-209)."""

    id = "master_grappler"

    def firmness(self) -> int:
        return self.pick(1, 2) if unarmed(self.owner) else 0

    def in_contest(self, roller: Fighter, other: Fighter, what: str, tries: bool) -> int:
        mine = roller is self.owner and tries and what in ("grapple", "break_free")
        return self.pick(1, 2) if mine and unarmed(self.owner) else 0


class Clinger(Ability):
    """Advantage to climb on, to stay on, and to attack the bearer (R-209)."""

    id = "clinger"

    def in_contest(self, roller: Fighter, other: Fighter, what: str, tries: bool) -> int:
        return self.pick(1, 2) if roller is self.owner and (what, tries) in CLINGS else 0

    def levels(self, table: Table, roll: Asked) -> int:
        rides = roll.opponent is not None and self.owner.climbing == roll.opponent.agent
        return self.pick(1, 2) if roll.fighter is self.owner and roll.kind == "attack" and rides else 0


CLINGS = (("climb_on", True), ("shake_off", False), ("hold_on", False))


class Slippery(Ability):
    """Nobody grapples the owner."""

    id = "slippery"
    cannot_be_held = True


class Grappler(Ability):
    """Its grapple needs no winning stance, counts as one size larger, and lets it walk a square (R-209)."""

    id = "grappler"
    grapples_anyone = True

    def in_contest(self, roller: Fighter, other: Fighter, what: str, tries: bool) -> int:
        grapple = what == "grapple" and (roller if tries else other) is self.owner
        keeps = what == "break_free" and (other if tries else roller) is self.owner
        if not grapple and not keeps:
            return 0
        larger = roller.size_rank - other.size_rank
        by = 1 if roller is self.owner else -1
        levels = max(0, larger + by) - max(0, larger)
        return levels + (1 if grapple and roller is self.owner else 0)

    def speed_with_captive(self) -> int:
        return 1


class SavageAttacker(Ability):
    """Collisions of might pushes with a heavy weapon deal d8, as destiny d10 (R-210)."""

    id = "savage_attacker"

    def collision_die(self, by_might: bool) -> int:
        return self.pick(8, 10) if by_might and self.owner.weapon_in_hand.die == 12 else 6


class Sentinel(Ability):
    """Sidesteps do not escape it, and it strikes at movers for nothing (R-211)."""

    id = "sentinel"
    watches = True


class EyeOfTheStorm(Ability):
    """It strikes twice at one that leaves its reach (R-211)."""

    id = "eye_of_the_storm"
    strikes_twice = True


class WarBorne(AsksLater):
    """A round begun and ended beside three enemies: an opportunity attack at its end (R-211)."""

    id = "war_borne"
    surrounded = False

    def _beside(self, table: Table) -> int:
        return sum(enemy.standing and table.next_to(self.owner, enemy) for enemy in table.enemies(self.owner))

    def at_round_start(self, fight: Fight) -> None:
        self.surrounded = self._beside(fight.table) >= 3

    def at_round_end(self, fight: Fight) -> None:
        ready = self.surrounded and self._beside(fight.table) >= 3 and fight.table.able(self.owner)
        if ready and self._pays(fight):
            fight.request(self, self.owner)

    def _pays(self, fight: Fight) -> bool:
        return fight.table.can_spend_action(self.owner) or self.owner.rush > 0

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        table = fight.table
        places = enumerate(table.enemies(who), 1)
        return ["pass"] + [
            f"pick_at {place}"
            for place, enemy in places
            if enemy.standing and table.reaches(who, enemy) and not table.barred(who, enemy)
        ]

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows | None:
        if self._pays(fight):
            fight.owe_strike(who, fight.table.enemies(who)[int(name.split()[1]) - 1])
        return None


class Blitz(AsksLater):
    """For each rush point a strike at another enemy, and a sidestep after it (R-211)."""

    id = "blitz"
    frequency = "major"
    on = ("action",)

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.struck: set[str] = set()
        self.striking = False
        self.stepping = False
        self.fight: Fight | None = None

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return len(self._foes(fight)) > 0

    def _foes(self, fight: Fight) -> list[str]:
        table = fight.table
        return [
            f"pick_at {place}"
            for place, enemy in enumerate(table.enemies(self.owner), 1)
            if self.owner.rush > 0
            and enemy.agent not in self.struck
            and enemy.standing
            and table.reaches(self.owner, enemy)
            and not table.barred(self.owner, enemy)
        ]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.fight, self.struck = fight, set()
        self.stepping = False
        fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return ["pass", *(fight.free_steps(who) if self.stepping else self._foes(fight))]

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows | None:
        if self.stepping:
            return fight.step_freely(who, name)
        enemy = fight.table.enemies(who)[int(name.split()[1]) - 1]
        who.rush -= 1
        self.struck.add(enemy.agent)
        fight.strike_for_nothing(who, enemy)
        self.striking = True
        return None

    def after_answer(self, fight: Fight) -> None:
        if self.stepping:
            self.stepping = False
            fight.request(self, self.owner)

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        if attacker is self.owner and self.striking and self.fight is not None:
            self.striking = False
            self.stepping = self.fight.table.board is not None
            self.fight.request(self, self.owner)
