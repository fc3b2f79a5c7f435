"""Cantrips in place of weapons, and the attunements that give them (R-268 to R-272)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .further import ANY_NUMBER
from .hinders import blind
from .moments import Attack, Roll

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter, Weapon
    from .table import Table

# By element: what a hit brings, and what it brings besides if might beats the target's stance.
BRINGS: dict[str, tuple[tuple[str, int], ...]] = {
    "fire": (("burning", 2),),
    "water": (("wet", 1), ("off_balanced", 1)),
    "void": (("confused", 1),),
    "dark": (("weakened", 2),),
    "light": (("blinded", 2),),
    "time": (("stunned", 1),),
}
BRINGS_BY_MIGHT = {
    "fire": ("burning", 1),
    "void": ("confused", 1),
    "dark": ("weakened", 2),
    "light": ("blinded", 1),
    "time": ("dazed", 2),
}
HARMLESS = (*BRINGS_BY_MIGHT, "force")


class Warcaster(Ability):
    """A basic attunement: bolts of 30 feet, and blasts at two creatures next to the owner."""

    id = "warcaster"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.hit: set[str] = set()
        self.further: set[str] = set()
        self.named: str | None = None
        self.stunned: list[Fighter] = []
        """Those that are stunned for the next round too."""
        self.ever_stunned: set[str] = set()

    @property
    def cantrip(self) -> Weapon | None:
        """The cantrip that the owner uses in place of a weapon, or None."""
        return self.owner.weapon if self.owner.armed and self.owner.weapon.element else None

    @property
    def element(self) -> str:
        """The element of that cantrip."""
        return self.cantrip.element if self.cantrip is not None else ""

    @property
    def blasts(self) -> bool:
        """Whether that cantrip is a blast."""
        return self.cantrip is not None and self.cantrip.attack_type == "melee"

    def follow_ups(self, table: Table) -> int:
        return 1 if self.blasts else 0

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind != "attack" or roll.opponent is None or self.element != "air":
            return
        target = roll.opponent
        in_metal = target.armor >= 4 and target.attack_bonus == 0
        if in_metal or ("wet" in target.conditions and not self.blasts):
            roll.flat += roll.total

    def deals(self, target: Fighter, amount: int) -> int:
        return 0 if self.element in HARMLESS else amount

    def replaces_might_bonus(self) -> bool:
        return self.element in HARMLESS

    def push_feet(self) -> int:
        return -1000 if self.element in HARMLESS else 0

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        if attacker is self.owner and attack.rolls[attacker.agent].total > attack.rolls[target.agent].total:
            self.hit.add((attack.aim if attacker is attack.fighter else target).agent)

    def after_all_attacks(self, fight: Fight, attacker: Fighter) -> None:
        if attacker is self.owner:
            self.hit, self.further = set(), set()

    def chose_first(self, named: str | None) -> None:
        self.named, self.further = named, set()

    def chose_next(self, target: Fighter) -> None:
        if self.blasts and not any(owned.names_levels() for owned in self.owner.abilities):
            self.further.add(target.agent)

    def is_taken(self, target: Fighter, guard: Fighter) -> None:
        if target.agent in self.further:
            self.further ^= {target.agent, guard.agent}

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        owner, cantrip = self.owner, self.cantrip
        by_might = wins and owner.stance == "might"
        often = fight.table.might_bonuses(owner) if by_might else 0
        if target.agent in self.further:
            self.further.remove(target.agent)
            if wins and owner.stance == "cunning":
                fight.give_cunning_levels(owner, target, self.named)
            if by_might and fight.table.board is not None:
                feet = 10 + sum(owned.push_feet() for owned in owner.abilities)
                fight.aftermath.push(owner, target, feet, by_might=False, often=often)
        if target.agent not in self.hit or cantrip is None:
            return
        self.hit.remove(target.agent)
        if self.element == "force" and fight.table.board is not None and target.part_of is None:
            fight.knock_away(owner, target, 4 + 2 * often)
        given = dict(BRINGS.get(self.element, ()))
        if often and self.element in BRINGS_BY_MIGHT:
            name, levels = BRINGS_BY_MIGHT[self.element]
            given[name] = given.get(name, 0) + often * levels
        for name, levels in given.items():
            self._give(fight, target, name, levels)

    def _give(self, fight: Fight, target: Fighter, name: str, levels: int) -> None:
        if name == "blinded":
            blind(fight, self.owner, target, levels)
        elif name == "stunned":
            self._stun(fight, target)
        else:
            fight.inflict(self.owner, target, name, levels)
        if name == "burning":
            for owned in self.owner.abilities:
                owned.lit(target)
        if "wet" in target.conditions:
            target.conditions.end("burning")

    def _stun(self, fight: Fight, target: Fighter) -> None:
        casters = [owned for owned in fight.table.abilities if isinstance(owned, Warcaster)]
        if any(target.agent in caster.ever_stunned for caster in casters):
            return
        refused = any(owned.wards_off(fight, "stunned", self.owner) for owned in target.abilities)
        sheltered = any(owned.shelters(fight.table, target, "stunned") for owned in fight.table.abilities)
        fight.inflict(self.owner, target, "stunned", 1)
        if not refused and not sheltered:
            self.ever_stunned.add(target.agent)
            self.stunned.append(target)

    def at_round_end(self, fight: Fight) -> None:
        self.stunned = [victim for victim in self.stunned if "stunned" in victim.conditions]

    def at_round_start(self, fight: Fight) -> None:
        for victim in sorted(self.stunned, key=fight.fighters.index):
            if victim.standing:
                fight.inflict(self.owner, victim, "stunned", 1)
        self.stunned = []


class ElementalParagon(Ability):
    """Bolts carry 120 feet, and blasts strike any number within 10 feet (R-271)."""

    id = "elemental_paragon"

    def follow_ups(self, table: Table) -> int:
        blasts = self.owner.armed and self.owner.weapon.element and self.owner.weapon.attack_type == "melee"
        return ANY_NUMBER if blasts else 0

    def range_of(self, table: Table, squares: int, target: Fighter | None) -> int:
        owner = self.owner
        if not owner.armed or not owner.weapon.element:
            return squares
        return 24 if owner.weapon.attack_type == "ranged" else 2
