"""The abilities of monsters, one class each (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .dice import half
from .moments import BLOWS, Asked, Damage

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table


class Pack(Ability):
    """The owner has advantage on attacks near an ally."""

    id = "pack"
    on_defence = False

    def levels(self, table: Table, roll: Asked) -> int:
        kinds = ("attack", "defence") if self.on_defence else ("attack",)
        if roll.fighter is not self.owner or roll.kind not in kinds:
            return 0
        return int(any(ally.standing and table.next_to(self.owner, ally) for ally in table.allies(self.owner)))


class Brood(Pack):
    """The owner has advantage on attacks and defences near an ally."""

    id = "queen_rat.brood"
    on_defence = True


class Ambusher(Ability):
    """The owner has advantage on attacks against restrained or prone opponents."""

    id = "sand_serpent.ambusher"

    def levels(self, table: Table, roll: Asked) -> int:
        if roll.fighter is not self.owner or roll.kind != "attack" or roll.opponent is None:
            return 0
        return 2 if table.restrained(roll.opponent) or "prone" in roll.opponent.conditions else 0


class PressTheAdvantage(Ability):
    """The owner has advantage on attacks against off-balanced opponents."""

    id = "skirmisher.press_the_advantage"
    against: tuple[str, ...] = ("off_balanced",)

    def levels(self, table: Table, roll: Asked) -> int:
        if roll.fighter is not self.owner or roll.kind != "attack" or roll.opponent is None:
            return 0
        return int(any(name in roll.opponent.conditions for name in self.against))


class DirtyFighter(PressTheAdvantage):
    """The owner has advantage on attacks against off-balanced or prone opponents."""

    id = "bandit.dirty_fighter"
    against = ("off_balanced", "prone")


class ThickHide(Ability):
    """Bludgeoning damage to the owner is halved."""

    id = "ogre.thick_hide"

    def halves(self, fight: Fight, damage: Damage) -> bool:
        blow = damage.by is not None and damage.cause in BLOWS
        return blow and fight.table.weapon_of(damage.by, self.owner).damage_type == "bludgeoning"


class FilthyBite(Ability):
    """A fighter that the owner wounds is poisoned."""

    id = "queen_rat.filthy_bite"

    def after_wound(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if damage.by is self.owner:
            fight.inflict(self.owner, victim, "poisoned", 2)


class Regeneration(Ability):
    """The owner heals at each round start while it has hit points."""

    id = "vampire_spawn.regeneration"

    def at_round_start(self, fight: Fight) -> None:
        if self.owner.hp > 0:
            fight.heal(self.owner, 4)


class LifeDrain(Ability):
    """Half of the damage that the owner deals in melee heals the owner."""

    id = "vampire_spawn.life_drain"

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if (
            damage.by is self.owner
            and fight.table.weapon_of(self.owner, victim).attack_type == "melee"
            and damage.cause in BLOWS
        ):
            fight.heal(self.owner, half(damage.amount))


class Hamstring(Ability):
    """An attack that beats the target's stance gives the target levels of a condition."""

    id = "wolf.hamstring"
    leaves: tuple[str, int] = ("off_balanced", 1)

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if wins:
            fight.inflict(self.owner, target, *self.leaves)


class Savage(Hamstring):
    """An attack that beats the target's stance gives the target two levels of weakened."""

    id = "orc_warrior.savage"
    leaves = ("weakened", 2)


class BowlOver(Ability):
    """A might attack that beats the target's stance throws the target down."""

    id = "bowl_over"

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if wins and self.owner.stance == "might":
            fight.inflict(self.owner, target, "prone", 1)


class Hunger(Ability):
    """A target whose stance the attack beats saves in might or gains two levels of weakened."""

    id = "the_starving.hunger"
    save: tuple[str, int] = ("might", 8)
    leaves: tuple[str, int] = ("weakened", 2)

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if wins and fight.save(target, self.save[0], self.owner) < self.save[1]:
            fight.inflict(self.owner, target, *self.leaves)


class YearningTouch(Hunger):
    """A target whose stance the attack beats saves in presence or gains a level of shaken."""

    id = "wind_touched_wraith.yearning_touch"
    save = ("presence", 9)
    leaves = ("shaken", 1)


class Mindless(Ability):
    """Conditions of the mind do not affect the owner."""

    id = "skeleton.mindless"

    def wards_off(self, fight: Fight, name: str, giver: Fighter | None) -> bool:
        return name in ("confused", "frightened", "enraged", "charmed", "mute")
