"""Abilities that give further attacks, strike areas, or frighten, one class each (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .moments import ON_ROLLS, Asked, Attack, Damage, Event, Landing

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table


class FavoredAttacker(Ability):
    """The owner's attacks have a further heart die."""

    id = "favored_attacker"
    kind = "attack"

    def adds(self, table: Table, roll: Asked) -> list[int]:
        return [roll.heart] if roll.kind == self.kind else []


class FavoredDefender(FavoredAttacker):
    """The owner's defences have a further heart die."""

    id = "favored_defender"
    kind = "defence"


class DraconicPresence(Ability):
    """The owner's presence die is a d20."""

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
                    and fight.table.in_sight(self.owner, enemy)
                    and fight.save(enemy, "presence", self.owner) < 10
                ):
                    fight.inflict(None, enemy, "frightened", 1, self.owner.agent)


class Breath(Ability):
    """For its action, every other round, all in a cone toward an enemy save or burn (R-139)."""

    id = "young_dragon.breath"
    on = ("action",)
    aim = "enemy"
    costs_action = True
    latest = -1
    """The round of the latest use."""

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        return target.standing and fight.table.round >= self.latest + 2 and self._reaches(fight.table, target)

    def _reaches(self, table: Table, other: Fighter) -> bool:
        return table.within(self.owner, other, 6) and table.in_sight(self.owner, other)

    def _burns(self, table: Table, target: Fighter, other: Fighter) -> bool:
        if other is target or table.board is None or other is self.owner or not other.standing:
            return other is target
        in_cone = table.board.is_in_cone(self.owner.space, target.space, other.space)
        return in_cone and self._reaches(table, other)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        self.latest = fight.table.round
        for other in fight.fighters:
            if self._burns(fight.table, target, other) and fight.save(other, "agility", self.owner) < 12:
                fight.inflict(None, other, "burning", 3)
                for owned in self.owner.abilities:
                    owned.lit(other)


class Plague(Ability):
    """As stances are revealed, nearby enemies take damage, and save or are poisoned (R-138)."""

    id = "queen_rat.plague"

    def strikes_at_reveal(self, fight: Fight) -> list[tuple[Fighter, Damage]]:
        hits = []
        for enemy in fight.table.enemies(self.owner):
            near = fight.table.within(self.owner, enemy, 2) and fight.table.in_sight(self.owner, enemy)
            if self.owner.standing and enemy.standing and near:
                hits.append((enemy, Damage(fight.table.roll_die(4), self.owner)))
                if fight.save(enemy, "might", self.owner) < 9:
                    fight.inflict(None, enemy, "poisoned", 1)
        return hits


class Intimidating(Ability):
    """An enemy's drop frightens enemies beside it or the owner, and the dropped one if it fights on (R-113)."""

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
            fight.inflict(None, enemy, "frightened", 1, self.owner.agent)


class ActionSurge(Ability):
    """The owner regains its spent action (R-123); in the destiny version, it also gains rush points."""

    id = "action_surge"
    frequency = "major"
    on = ("action",)

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return not self.owner.action

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.owner.action = True
        self.owner.rush += self.pick(0, 3)


class SeveralAttacks(Ability):
    """The owner's attack is followed by another on the same target (R-137)."""

    id = "several_attacks"

    def further_targets(self, table: Table, target: Fighter) -> list[Fighter]:
        return [target]


class Everywhere(Ability):
    """When the owner attacks, it attacks all other adjacent enemies that its stance may attack."""

    id = "everywhere"

    def further_targets(self, table: Table, target: Fighter) -> list[Fighter]:
        return [
            enemy
            for enemy in table.enemies(self.owner)
            if enemy is not target and table.next_to(self.owner, enemy) and table.may_attack(self.owner, enemy)
        ]


class WhirlwindStrike(Ability):
    """An attack with a blade is compared with the defences of all enemies in reach (R-133)."""

    id = "whirlwind_strike"
    frequency, destined_frequency = "major", "minor"
    on = ON_ROLLS

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        if not isinstance(event, Attack):
            return False
        roll = event.rolls.get(self.owner.agent)
        if roll is None or roll.kind != "attack":
            return False
        mine = any(event.attacker_of(other) is self.owner for other in (event.fighter, event.target))
        if not (event.chosen and mine):
            return False
        weapon = fight.table.weapon_of(self.owner)
        blade = weapon.attack_type == "melee" and weapon.damage_type == "slashing"
        return blade and bool(self.swept(fight.table, event))

    def swept(self, table: Table, attack: Attack) -> list[Fighter]:
        """Return all enemies in reach except the target of the attack."""
        return [
            enemy
            for enemy in table.enemies(self.owner)
            if enemy.standing
            and table.takes_part(enemy)
            and enemy not in (attack.fighter, attack.target)
            and table.reaches(self.owner, enemy)
            and not table.barred(self.owner, enemy)
        ]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert isinstance(event, Attack)
        event.sweeps.append((self.owner, self.swept(fight.table, event)))


class DoubleShot(Ability):
    """For the rest of the round an attack with a ranged weapon is followed by another, or by two (R-126)."""

    id = "double_shot"
    frequency = "major"
    on = ("action",)
    since = 0

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return True

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.since = fight.table.round

    def follow_ups(self, table: Table) -> int:
        ready = self.since == table.round and table.weapon_of(self.owner).attack_type == "ranged"
        return self.pick(1, 2) if ready else 0


class FirstStrike(Ability):
    """Attacks on unharmed targets have one more die; the first fighter to engage may strike at once (R-117).

    In the destiny version, these attacks also impair their targets.
    """

    id = "first_strike"
    on = ("engagement",)
    aim = "enemy"
    was_whole: frozenset[str] = frozenset()
    """The targets that were unharmed when the dice of the latest attack on them were gathered."""

    def adds(self, table: Table, roll: Asked) -> list[int]:
        if roll.kind != "attack" or roll.opponent is None:
            return []
        whole = roll.opponent.hp == roll.opponent.hp_max
        self.was_whole = self.was_whole - {roll.opponent.agent} | ({roll.opponent.agent} if whole else frozenset())
        return [6] if whole else []

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if self.destined and target.agent in self.was_whole:
            fight.inflict(self.owner, target, impairment(target), 3)

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        table = fight.table
        payable = table.can_spend_action(self.owner) or self.owner.rush > 0
        near = table.can_strike(self.owner, target) and table.takes_part(target)
        return fight.first_to_engage() is self.owner and payable and near

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        fight.owe_strike(self.owner, target)


def impairment(target: Fighter) -> str:
    """Return the condition that hinders the target's largest die; ties go to might, then agility (R-116)."""
    of = {"might": "weakened", "agility": "off_balanced", "cunning": "dazed"}
    return of[max(of, key=lambda ability: target.dice[ability])]
