"""Abilities that change what a weapon is or does, one class each (RULES, section 9)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .ability import Ability
from .moments import AT_ANY_MOMENT, Asked, Damage, Event, Roll
from .more_attacks import impairment

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter, Weapon
    from .table import Table


class UnarmedCombatant(Ability):
    """Bare hands are light weapons, in the destiny version heavy ones (R-214)."""

    id = "unarmed_combatant"

    def wields(self, table: Table, weapon: Weapon, target: Fighter | None) -> Weapon:
        fist = weapon.die == 4 and weapon.attack_type == "melee" and weapon.damage_type == "bludgeoning"
        if fist and (weapon.natural or not self.owner.armed):
            return replace(weapon, die=self.pick(8, 12), size="heavy" if self.destined else "light")
        return weapon


class Thrower(Ability):
    """Light weapons, and heavy ones in the destiny version, are thrown at those out of reach (R-215)."""

    id = "thrower"

    def wields(self, table: Table, weapon: Weapon, target: Fighter | None) -> Weapon:
        if table.board is None or target is None or weapon.natural or not self.owner.armed:
            return weapon
        if weapon.attack_type != "melee" or weapon.die not in ((8, 12) if self.destined else (8,)):
            return weapon
        reach = 2 if weapon.reach and not self.owner.dashed else 1
        far = table.distance(self.owner, target) > reach
        return replace(weapon, attack_type="thrown", reach=False) if far else weapon


class CarefulShot(Ability):
    """Who has not moved this round or the last shoots farther, past cover, and impairs the target (R-216)."""

    id = "careful_shot"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.moved_before = False
        self.answers = False
        self.shot_at: set[str] = set()

    def at_round_end(self, fight: Fight) -> None:
        self.moved_before = self.owner.moved

    def _careful(self, table: Table, target: Fighter | None) -> bool:
        still = not self.owner.moved and not self.moved_before
        return still and table.weapon_of(self.owner, target).attack_type == "ranged"

    def range_of(self, table: Table, squares: int, target: Fighter | None) -> int:
        return 2 * squares if self._careful(table, target) else squares

    def ignores_cover(self, table: Table, target: Fighter) -> bool:
        return self._careful(table, target)

    def adds(self, table: Table, roll: Asked) -> list[int]:
        self.answers = roll.answers
        return []

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind == "attack" and roll.opponent is not None and not self.answers:
            if self._careful(table, roll.opponent):
                self.shot_at.add(roll.opponent.agent)
            else:
                self.shot_at.discard(roll.opponent.agent)

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if target.agent in self.shot_at:
            self.shot_at.remove(target.agent)
            every = ("dazed", "off_balanced", "weakened")
            for name in every if self.destined else (impairment(target),):
                fight.inflict(self.owner, target, name, 2)


class ShieldMaster(Ability):
    """The shield strikes as a light bludgeoning weapon; in the destiny version it guards better (R-217)."""

    id = "shield_master"
    on = ("phase",)
    raised = False

    def at_round_start(self, fight: Fight) -> None:
        self.raised = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        owner, table = self.owner, fight.table
        if self.raised or owner.shield == 0 or not fight.attacks_now(owner):
            return False
        held = owner.weapon
        alike = held.die == 8 and owner.weapon_in_hand.damage_type == "bludgeoning" and owner.stance != "might"
        beside = [enemy for enemy in table.enemies(owner) if enemy.standing and table.next_to(owner, enemy)]
        prey = {"cunning": "agility", "agility": "might", "might": "cunning"}[owner.stance or ""]
        return not alike and any(enemy.stance in (None, "defensive", owner.stance, prey) for enemy in beside)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.raised = True

    def wields(self, table: Table, weapon: Weapon, target: Fighter | None) -> Weapon:
        if not self.raised:
            return weapon
        return replace(
            weapon, size="light", attack_type="melee", damage_type="bludgeoning", die=8, natural=False, reach=False
        )

    def push_feet(self) -> int:
        return 5 if self.raised else 0

    def share_in_defense(self) -> int:
        return self.pick(2, 4)


class DualWielder(Ability):
    """Two weapons of one hand each: the better of both, or 2 more for equal damage types (R-218)."""

    id = "dual_wielder"

    def _second(self) -> Weapon | None:
        owner, spare = self.owner, self.owner.spare
        if spare is None or not owner.armed or owner.shield:
            return None
        two = owner.weapon.hands == spare.weapon.hands == 1
        return spare.weapon if two and spare.weapon.attack_type == owner.weapon.attack_type else None

    def _shares_type(self) -> bool:
        second = self._second()
        return second is not None and second.damage_type == self.owner.weapon.damage_type != "none"

    def wields(self, table: Table, weapon: Weapon, target: Fighter | None) -> Weapon:
        second = self._second()
        return weapon if second is None or self._shares_type() else replace(weapon, die=max(weapon.die, second.die))

    def fits(self, stance: str) -> bool:
        second = self._second()
        return second is not None and not self._shares_type() and second.matching_stance == stance

    def flat(self, table: Table, roll: Asked) -> int:
        return 2 if roll.kind == "attack" and self._shares_type() else 0

    def adds(self, table: Table, roll: Asked) -> list[int]:
        second, stance = self._second(), table.stance_met(self.owner)
        if not self.destined or second is None or roll.opponent is None or roll.kind not in ("attack", "defence"):
            return []
        if stance in (None, "defensive") or table.stance_met(roll.opponent) != stance:
            return []

        def dice(weapon: Weapon) -> list[int]:
            return [weapon.die] * (2 if weapon.matching_stance == roll.ability else 1)

        if roll.kind == "attack":
            return dice(second)
        return max(dice(self.owner.weapon), dice(second), key=sum)


class NetMaster(Ability):
    """The owner's nets hold better (R-219)."""

    id = "net_master"

    def net_number(self) -> int:
        return 2

    def net_levels(self) -> int:
        return self.pick(0, 1)


class Whipmaster(Ability):
    """Whips are light, and the lash holds its target for the round in place of an attack (R-220)."""

    id = "whipmaster"
    on = ("phase",)
    aim = "enemy"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.lashed: Fighter | None = None
        self.given = 0
        if owner.weapon.attack_type == "whip":
            owner.weapon = replace(owner.weapon, die=max(8, owner.weapon.die))
        if owner.spare is not None and owner.spare.weapon.attack_type == "whip":
            owner.spare = replace(owner.spare, weapon=replace(owner.spare.weapon, die=max(8, owner.spare.weapon.die)))

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        whip = fight.table.weapon_of(self.owner, target).attack_type == "whip"
        return whip and fight.attacks_now(self.owner) and fight.table.may_attack(self.owner, target)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        before = target.conditions.of("restrained")
        refused = any(owned.wards_off(fight, "restrained", self.owner) for owned in target.abilities)
        fight.inflict(self.owner, target, "restrained", 1)
        self.lashed, self.given = target, 0 if refused else 1
        assert refused or target.conditions.of("restrained") >= before
        self.owner.active = target.active = True
        if self.destined and fight.table.sides_to(self.owner, target) <= 1:
            fight.inflict(self.owner, target, "prone", 1)
            fight.strike(target, Damage(fight.table.roll_die(6), self.owner, "ability"))

    def attacks_no_more(self) -> bool:
        return self.lashed is not None

    def at_round_start(self, fight: Fight) -> None:
        if self.lashed is not None and self.given:
            self.lashed.conditions.lose("restrained", self.given)
        self.lashed = None


class Backstab(Ability):
    """The next melee attack on a flanked creature, or out of hiding, has a d20 for a weapon die (R-221)."""

    id = "backstab"
    frequency = "minor"
    on = AT_ANY_MOMENT
    aim = "enemy"
    victim: Fighter | None = None

    def at_round_start(self, fight: Fight) -> None:
        self.victim = None

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        owner, table = self.owner, fight.table
        if table.board is None or target is self.victim or not target.standing:
            return False
        if not owner.armed or owner.weapon.die != 4:
            return False
        if table.weapon_of(owner, target).attack_type != "melee":
            return False
        if table.barred(owner, target) or not table.reaches(owner, target):
            return False
        return table.flanks(owner, target) or (event is None and "hidden" in owner.conditions)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.victim = target

    def _is_meant(self, weapon: Weapon, target: Fighter | None) -> bool:
        return self.victim is not None and target is self.victim and weapon.attack_type == "melee"

    def wields(self, table: Table, weapon: Weapon, target: Fighter | None) -> Weapon:
        return replace(weapon, die=20) if self._is_meant(weapon, target) else weapon

    def more_weapon_dice(self, weapon: Weapon, target: Fighter | None) -> tuple[int, ...]:
        return (20,) if self.destined and self._is_meant(weapon, target) else ()

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind == "attack" and self._is_meant(table.weapon_of(self.owner, roll.opponent), roll.opponent):
            self.victim = None
