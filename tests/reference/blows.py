"""Abilities that make blows heavier, one class each (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .moments import AT_ANY_MOMENT, Asked, Attack, Damage, Event, Roll

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table

LARGEST = 8
"""The rank of the largest size."""


def is_own_attack(roll: Asked) -> bool:
    """Return whether a roll is an attack that its fighter makes, not an answer in a contest (R-107)."""
    return roll.kind == "attack" and not roll.answers


def is_heavy(table: Table, fighter: Fighter, target: Fighter) -> bool:
    """Return whether the fighter strikes the target with a heavy melee weapon."""
    weapon = table.weapon_of(fighter, target)
    return weapon.die == 12 and weapon.attack_type == "melee"


def is_of_the_body(fighter: Fighter) -> bool:
    """Return whether the fighter strikes with bare hands or a natural weapon (R-180)."""
    return fighter.weapon_in_hand.natural or not fighter.armed


class Clobber(Ability):
    """Melee attacks on an enemy beside a wall or an ally's heavy shield have more dice (R-173)."""

    id = "clobber"
    cornered: frozenset[str] = frozenset()
    """The targets that could not give way in the latest attack on them."""

    def _fits(self, table: Table, target: Fighter) -> bool:
        if table.weapon_of(self.owner, target).attack_type != "melee":
            return False
        shields = [ally for ally in table.allies(self.owner) if ally.standing and ally.shield == 2]
        if any(table.next_to(target, ally) for ally in shields):
            return True
        return table.board is not None and table.board.is_beside_wall(target.space)

    def adds(self, table: Table, roll: Asked) -> list[int]:
        if roll.kind != "attack" or roll.opponent is None:
            return []
        fits = self._fits(table, roll.opponent)
        self.cornered -= {roll.opponent.agent}
        self.cornered |= {roll.opponent.agent} if fits and not roll.answers else set()
        return [4] * self.pick(1, 2) if fits else []

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if self.destined and target.agent in self.cornered:
            fight.inflict(self.owner, target, "weakened", 2)


class Hulking(Ability):
    """The owner counts as one size larger, and its heavy weapons are lighter and carry farther (R-174)."""

    id = "hulking"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        owner.fills = owner.size_rank
        owner.size_rank = min(LARGEST, owner.size_rank + 1)
        owner.eased = tuple(w for w in (owner.weapon, owner.spare and owner.spare.weapon) if w and w.size == "heavy")


class SunderingBlows(Ability):
    """Each phase of heavy might attacks against cunning takes two from the target's armor (R-175)."""

    id = "sundering_blows"
    struck: frozenset[str] = frozenset()

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.blows: dict[str, int] = {}

    def adds(self, table: Table, roll: Asked) -> list[int]:
        if roll.kind == "attack" and roll.opponent is not None:
            against_cunning = roll.wins and roll.ability == "might" and table.stance_met(roll.opponent) == "cunning"
            self.struck -= {roll.opponent.agent}
            self.struck |= (
                {roll.opponent.agent} if against_cunning and is_heavy(table, self.owner, roll.opponent) else set()
            )
        return []

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if target.agent in self.struck:
            self.struck -= {target.agent}
            self.blows[target.agent] = min(7, self.blows.get(target.agent, 0) + 1)

    def armor(self, victim: Fighter, armor: int) -> int:
        left = armor - 2 * self.blows.get(victim.agent, 0)
        return left if self.destined else max(left, min(armor, 0))


class CrescendoOfBlows(Ability):
    """The owner's attacks have a d4 for each creature that it has attacked this round (R-176)."""

    id = "crescendo_of_blows"
    attacked: frozenset[str] = frozenset()

    def at_round_start(self, fight: Fight) -> None:
        self.attacked = frozenset()

    def adds(self, table: Table, roll: Asked) -> list[int]:
        if not is_own_attack(roll) or roll.opponent is None:
            return []
        return [4] * len(self.attacked | {roll.opponent.agent})

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        if attacker is self.owner:
            self.attacked |= {target.agent}


class Bloodthirsty(Ability):
    """For a round, a d4 against those not yet attacked; a drop brings an action in the next round (R-176, R-177)."""

    id = "bloodthirsty"
    frequency = "minor"
    on = AT_ANY_MOMENT
    attacked: frozenset[str] = frozenset()
    in_use = has_dropped = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return not self.in_use

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.in_use = True

    def at_round_start(self, fight: Fight) -> None:
        self.owner.more_actions += int(self.has_dropped)
        self.in_use = self.has_dropped = False
        self.attacked = frozenset()

    def adds(self, table: Table, roll: Asked) -> list[int]:
        if not self.in_use or not is_own_attack(roll) or roll.opponent is None:
            return []
        return [4] if roll.opponent.agent not in self.attacked else []

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        self.attacked |= {target.agent}

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        drops = victim.hp <= 0 < victim.hp + damage.amount
        if self.in_use and drops and damage.by is self.owner and victim is not self.owner:
            self.has_dropped = True


class StunningStrikes(Ability):
    """With a heavy melee weapon, the largest maximum of an attack counts three times; a d12 stuns (R-179)."""

    id = "stunning_strikes"
    only_answers = False
    stunned: frozenset[str] = frozenset()

    def adds(self, table: Table, roll: Asked) -> list[int]:
        self.only_answers = roll.answers
        return []

    def after_roll(self, table: Table, roll: Roll) -> None:
        target = roll.opponent
        if roll.kind != "attack" or self.only_answers or target is None or not is_heavy(table, self.owner, target):
            return
        best = max([0, *(sides for result, sides in roll.kept if result == sides)])
        roll.flat += 2 * best
        self.stunned |= {target.agent} if best == 12 else set()

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if target.agent in self.stunned:
            fight.inflict(self.owner, target, "stunned", 1)

    def after_all_attacks(self, fight: Fight, attacker: Fighter) -> None:
        if attacker is self.owner:
            self.stunned = frozenset()


class FistsKneesAndElbows(Ability):
    """For a round, unarmed attacks on the held creature have the might die and no disadvantage (R-180)."""

    id = "fists_knees_and_elbows"
    frequency = "minor"
    on = ("action",)
    since = 0

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        ready = self.owner.grappling is not None and is_of_the_body(self.owner)
        return ready and self.since != fight.table.round

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.since = fight.table.round

    def _fits(self, table: Table, roll: Asked) -> bool:
        mine = roll.fighter is self.owner and roll.kind == "attack" and roll.opponent is not None
        held = mine and roll.opponent is not None and self.owner.grappling == roll.opponent.agent
        return held and is_of_the_body(self.owner) and self.since == table.round

    def levels(self, table: Table, roll: Asked) -> int:
        return int(self._fits(table, roll))

    def adds(self, table: Table, roll: Asked) -> list[int]:
        return [self.owner.dice["might"]] if self._fits(table, roll) else []


class SoulboundWeapon(Ability):
    """The owner's first weapon comes back to its hand; in the destiny version, it has a d4 (R-180)."""

    id = "soulbound_weapon"
    on = ("action",)

    def affordable(self, table: Table) -> bool:
        return self.owner.interaction or table.can_spend_action(self.owner) or table.is_free(self.owner)

    def pay(self, fight: Fight) -> None:
        self.uses += 1
        fight.table.pay_interaction(self.owner)

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return not self.owner.armed and self.owner.swaps % 2 == 0

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.owner.armed = True

    def adds(self, table: Table, roll: Asked) -> list[int]:
        bonded = not is_of_the_body(self.owner) and self.owner.swaps % 2 == 0 and self.owner.weapon.die > 0
        return [4] if self.destined and bonded and roll.kind == "attack" else []


class DivineWeapon(Ability):
    """For ten rounds, attacks with the weapon that was in hand have a bonus (R-180)."""

    id = "divine_weapon"
    frequency = "major"
    on = ("action",)
    since = 0
    blessed = 0
    """Which of its weapons: 0 for the first, 1 for the other."""

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return not is_of_the_body(self.owner) and self.owner.weapon.die > 0

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.since, self.blessed = fight.table.round, self.owner.swaps % 2

    def flat(self, table: Table, roll: Asked) -> int:
        lasts = self.uses > 0 and table.round < self.since + 10
        held = self.owner.armed and self.owner.swaps % 2 == self.blessed
        return 2 if lasts and held and roll.kind == "attack" else 0


class Poisonblade(Ability):
    """Damage by attacks with the owner's first weapon poisons, as long as its coat lasts (R-280)."""

    id = "poisonblade"
    is_coated = True

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        is_own = damage.by is self.owner and damage.cause in ("attack", "opportunity") and damage.amount > 0
        if not is_own or not self.is_coated or is_of_the_body(self.owner) or self.owner.swaps % 2 == 1:
            return
        fight.inflict(self.owner, victim, "poisoned", 2)
        self.is_coated = self.destined and fight.table.roll_die(6) >= 4


class NightsEmbrace(Ability):
    """In dim light or darkness the owner heals at each round start."""

    id = "nights_embrace"

    def at_round_start(self, fight: Fight) -> None:
        board = fight.table.board
        if board is not None and board.light != "bright" and self.owner.standing:
            fight.heal(self.owner, self.pick(3, 6))


class Bloodoath(Ability):
    """Each round against one enemy brings a rush point; as destiny, also advantage against it (R-176)."""

    id = "bloodoath"
    frequency = "weekly"
    on = ("action",)
    aim = "enemy"
    enemy: Fighter | None = None
    fought = False

    def affordable(self, table: Table) -> bool:
        return self.uses == 0 and (self.destined or table.can_spend_action(self.owner))

    def pay(self, fight: Fight) -> None:
        self.uses += 1
        if not self.destined:
            self.owner.spend_action()

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        return target.standing

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.enemy = target

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        pair = (attacker, target)
        self.fought |= self.owner in pair and self.enemy in pair

    def more_rush(self, table: Table) -> int:
        fought, self.fought = self.fought, False
        return int(fought)

    def levels(self, table: Table, roll: Asked) -> int:
        mine = self.destined and roll.fighter is self.owner and roll.kind in ("attack", "defence")
        return int(mine and roll.opponent is not None and roll.opponent is self.enemy)


class Provoking(Ability):
    """An ability that aggravates creatures at its owner."""

    def anger(self, other: Fighter | None) -> int:
        """Return the levels of aggravated that another fighter has toward the owner."""
        if other is None or other.conditions.sources.get("aggravated") != self.owner.agent:
            return 0
        return other.conditions.of("aggravated")


class Aggravator(Provoking):
    """Damage by the owner's attacks aggravates, and it has advantage against the aggravated (R-181)."""

    id = "aggravator"
    hurt: frozenset[str] = frozenset()

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if damage.by is self.owner and damage.cause in ("attack", "opportunity") and damage.amount > 0:
            self.hurt |= {victim.agent}

    def _provoke(self, fight: Fight, other: Fighter) -> None:
        if other.agent in self.hurt:
            self.hurt -= {other.agent}
            if other.standing:
                fight.inflict(self.owner, other, "aggravated", 1, self.owner.agent)

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        self._provoke(fight, target)

    def after_attack_on_owner(self, fight: Fight, attacker: Fighter, stance: str | None) -> None:
        self._provoke(fight, attacker)

    def hampers(self, fighter: Fighter, condition: str) -> int:
        return -1 if self.destined and condition == "aggravated" and self.anger(fighter) else 0

    def levels(self, table: Table, roll: Asked) -> int:
        if roll.fighter is not self.owner:
            return 0
        anger = self.anger(roll.opponent)
        if self.destined:
            return 2 if anger and roll.kind in ("attack", "defence") else 0
        return anger if roll.kind == "attack" else 0


class ImperialDefenses(Provoking):
    """Attackers that do not wound the owner are aggravated, and it defends better against them (R-181)."""

    id = "imperial_defenses"
    hurt: frozenset[str] = frozenset()
    wounded: frozenset[str] = frozenset()
    """The agents whose latest attacks have hurt, or wounded, the owner."""

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        if target is self.owner:
            self.hurt -= {attacker.agent}
            self.wounded -= {attacker.agent}

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        blow = damage.by is not None and damage.cause in ("attack", "opportunity") and damage.amount > 0
        if victim is self.owner and blow and damage.by is not None:
            self.hurt |= {damage.by.agent}

    def after_wound(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if victim is self.owner and damage.by is not None:
            self.wounded |= {damage.by.agent}

    def after_attack_on_owner(self, fight: Fight, attacker: Fighter, stance: str | None) -> None:
        if not (self.owner.standing and attacker.standing):
            return
        levels = 0 if attacker.agent in self.wounded else 1
        if self.destined and attacker.agent not in self.hurt:
            levels = 5
        if levels:
            fight.inflict(self.owner, attacker, "aggravated", levels, self.owner.agent)

    def levels(self, table: Table, roll: Asked) -> int:
        mine = roll.fighter is self.owner and roll.kind == "defence"
        return self.pick(1, 2) if mine and self.anger(roll.opponent) else 0
