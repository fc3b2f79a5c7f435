"""Abilities that decide stances and targets: bunkers, gambits and provocations (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .dice import kept_dice
from .moments import Asked, Attack, Damage, Event, Roll

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table

SHOWN = ("might", "agility", "cunning")


class ShowsEarly(Ability):
    """An ability by which the owner shows an attacking stance as the engagement opens (R-213)."""

    on = ("engagement",)

    def at_round_start(self, fight: Fight) -> None:
        self.committed = None

    def at_engagement_end(self, fight: Fight) -> None:
        self.at_round_start(fight)

    def _stances(self, fight: Fight) -> list[str]:
        if fight.table.may_only_defend(self.owner):
            return []
        earlier = fight.table.committed(self.owner)
        return [f"pick {k}" for k, stance in enumerate(SHOWN) if earlier in (None, stance)]

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return self.committed is None and bool(self._stances(fight))

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        return [] if given else self._stances(fight) or ["nothing"]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.committed = SHOWN[int(self.answers[0].split()[1])]


class Gambit(ShowsEarly):
    """Advantage on its attack, and disadvantage on the defences of those that attack it (R-213)."""

    id = "gambit"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.attackers: set[str] = set()
        self.engaged = False

    def at_round_start(self, fight: Fight) -> None:
        super().at_round_start(fight)
        self.fight = fight
        self.attackers = set()

    def _own(self, roll: Asked) -> bool:
        mine = roll.fighter is self.owner and roll.kind == "attack" and not roll.answers and roll.opponent is not None
        return mine and self.committed is not None and self.fight.phase is not None

    def levels(self, table: Table, roll: Asked) -> int:
        if self._own(roll):
            return self.pick(1, 2)
        if self.committed is None or roll.kind != "defence" or self.fight.phase is None:
            return 0
        return -2 if roll.fighter.agent in self.attackers | self.fight.going_for(self.owner) else 0

    def adds(self, table: Table, roll: Asked) -> list[int]:
        return [6] if self._own(roll) and self.destined else []

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        if target is self.owner and self.fight.phase is not None:
            self.attackers.add(attacker.agent)


class ProvokingStrike(ShowsEarly):
    """Enemies that its attacks damage are aggravated (R-213)."""

    id = "provoking_strike"

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        mine = damage.by is self.owner and damage.cause == "attack" and victim.team != self.owner.team
        if mine and damage.amount > 0 and self.committed is not None:
            fight.inflict(self.owner, victim, "aggravated", self.pick(3, 5), self.owner.agent)


class Infuriating(Ability):
    """Those aggravated at the owner attack it alone, if they can (R-213)."""

    id = "infuriating"
    fight: Fight | None = None

    def at_round_start(self, fight: Fight) -> None:
        self.fight = fight

    def bars(self, attacker: Fighter, target: Fighter) -> bool:
        conditions = attacker.conditions
        if self.fight is None or self.fight.phase is None or target is self.owner or not self.owner.standing:
            return False
        if conditions.sources.get("aggravated") != self.owner.agent or "aggravated" not in conditions:
            return False
        if self.destined and conditions.of("aggravated") >= 3:
            return True
        table = self.fight.table
        if attacker.stance is None or attacker.stance == "defensive" or table.barred_by_charm(attacker, self.owner):
            return False
        beaten = {"cunning": "agility", "agility": "might", "might": "cunning"}[attacker.stance]
        stance = self.owner.stance in (None, "defensive", attacker.stance, beaten)
        faded = any(getattr(owned, "faded", False) for owned in self.owner.abilities)
        return stance and table.reaches(attacker, self.owner) and not faded


class ThreateningPresence(Ability):
    """A neighbour that has not fought the owner is aggravated; as destiny it attacks nobody else (R-213)."""

    id = "threatening_presence"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.fought: set[str] = set()
        self.fight: Fight | None = None

    def at_round_start(self, fight: Fight) -> None:
        self.fight, self.fought = fight, set()

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        if self.owner in (attacker, target):
            self.fought |= {attacker.agent, target.agent}

    def at_round_end(self, fight: Fight) -> None:
        for enemy in fight.table.enemies(self.owner) if self.owner.standing else []:
            if enemy.standing and fight.table.next_to(self.owner, enemy) and enemy.agent not in self.fought:
                fight.inflict(self.owner, enemy, "aggravated", 1, self.owner.agent)

    def bars(self, attacker: Fighter, target: Fighter) -> bool:
        if self.fight is None or self.fight.phase is None or not self.destined or target is self.owner:
            return False
        aggravated = attacker.conditions.sources.get("aggravated") == self.owner.agent
        return (
            aggravated
            and "aggravated" in attacker.conditions
            and self.owner.standing
            and self.fight.table.next_to(self.owner, attacker)
        )


class BunkerDown(Ability):
    """Behind a shield: defensive, no dash, no attack, the largest defence, half the push (R-212)."""

    id = "bunker_down"
    frequency = "minor"
    down = attacked = False

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        if destined:
            self.on = ("action", "engagement", "reveal", "phase")

    on = ("action",)

    def at_round_start(self, fight: Fight) -> None:
        self.down = self.attacked = False
        self.committed = None
        self.fight = fight

    def at_engagement_end(self, fight: Fight) -> None:
        self.attacked = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        free = self.owner.stance is not None or fight.table.committed(self.owner) is None
        return self.owner.shield > 0 and not self.down and not self.attacked and free

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.down, self.committed = True, "defensive"
        self.owner.reached_far = True  # it dashes no more
        if self.owner.stance is not None:
            self.owner.stance = "defensive"

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        if attacker is self.owner and self.fight.phase is not None:
            self.attacked = True

    def bars(self, attacker: Fighter, target: Fighter) -> bool:
        return self.down and attacker is self.owner

    def pushed(self, squares: int) -> int:
        return squares // 2 if self.down else squares

    def after_roll(self, table: Table, roll: Roll) -> None:
        if self.down and roll.kind == "defence":
            thrown = sum(result for result, _ in kept_dice(roll.rolled, roll.levels))
            dice = roll.rolled[: len(roll.rolled) - abs(roll.levels)]
            roll.flat += sum(sides for _, sides in dice) - thrown
