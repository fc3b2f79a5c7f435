"""More abilities of monsters: choices of conditions, hides, swarms and the Skittering Horror (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from .ability import Ability
from .board import Board, Space, Square, distance
from .moments import BLOWS, Asked, Damage, Event
from .requests import AsksLater
from .windows import Windows

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table

NAMED = ("dazed", "off_balanced", "weakened")
KINDS = ("bludgeoning", "slashing", "piercing")


class Hex(AsksLater):
    """A beaten target gets two levels of one of three conditions, which the owner names after the phase (R-185)."""

    id = "hex_priest.hex"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.beaten: list[Fighter] = []

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if wins:
            self.beaten.append(target)
            fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return ["pick 0", "pick 1", "pick 2"]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        for target in self.beaten:
            if target.standing:
                fight.inflict(self.owner, target, NAMED[int(name.split()[1])], 2)
        self.beaten = []


class Unsettle(Hex):
    """The controller's attack does as the hex of the priest does."""

    id = "controller.unsettle"


class Toughness(AsksLater):
    """Blows of one kind, named as the fight begins, are halved (R-186)."""

    id = "brute.toughness"
    kind: str | None = None

    def at_round_start(self, fight: Fight) -> None:
        if fight.table.round == 1:
            fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return ["pick 0", "pick 1", "pick 2"]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        self.kind = KINDS[int(name.split()[1])]

    def halves(self, fight: Fight, damage: Damage) -> bool:
        blow = damage.by is not None and damage.cause in BLOWS
        return blow and self.kind is not None and damage.by.weapon_in_hand.damage_type == self.kind


class ManyBodies(Ability):
    """The owner does not suffer what another creature gives to it alone (R-187)."""

    id = "many_bodies"

    def wards_off(self, fight: Fight, name: str, giver: Fighter | None) -> bool:
        return giver is not None and giver is not self.owner


class Vanish(Ability):
    """Any damage is the end of the owner (R-190)."""

    id = "faceless_servant.vanish"

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if victim is self.owner and damage.amount > 0:
            deep = max(owned.lives_longer for owned in self.owner.abilities)
            self.owner.hp = min(self.owner.hp, -deep * self.owner.hp_max)


class GangUp(Ability):
    """The owner has advantage against a target between it and an ally beside the target (R-221)."""

    id = "goblin_scout.gang_up"

    def levels(self, table: Table, roll: Asked) -> int:
        target = roll.opponent
        if roll.fighter is not self.owner or roll.kind != "attack" or target is None or table.board is None:
            return 0
        return int(table.flanks(self.owner, target))


class Ghostly(Ability):
    """The owner passes creatures, which slow it as little as difficult ground does."""

    id = "phantom_knight.ghostly"
    passes_enemies = True
    glides = True


class Quicksand(AsksLater):
    """Once a round an enemy within 30 feet saves in agility against 9 or is restrained until it acts (R-188)."""

    id = "sand_serpent.quicksand"
    on = ("action",)
    aim = "enemy"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.caught: list[Fighter] = []
        self.used = False

    def at_round_start(self, fight: Fight) -> None:
        self.used = False
        for fighter in fight.fighters:
            if fighter in self.caught:
                fight.request(self, fighter)

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        table = fight.table
        near = table.within(self.owner, target, 6) and table.in_sight(self.owner, target)
        return not self.used and target.standing and target not in self.caught and near

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        self.used = True
        sinks = fight.save(target, "agility", self.owner) < 9
        if sinks and not any(owned.wards_off(fight, "restrained", self.owner) for owned in target.abilities):
            target.conditions.gain("restrained", 1)
            self.caught.append(target)
            fight.request(self, target)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return ["pass", "pick 0"] if who in self.caught and self._can_act(fight, who) else ["pass"]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        who.spend_action()
        self._free(who)

    def _can_act(self, fight: Fight, who: Fighter) -> bool:
        return fight.table.able(who) and fight.table.can_spend_action(who)

    def at_reveal(self, fight: Fight) -> None:
        for fighter in [fighter for fighter in self.caught if fighter.acted]:
            self._free(fighter)

    def _free(self, fighter: Fighter) -> None:
        self.caught.remove(fighter)
        fighter.conditions.lose("restrained", 1)


class WingBuffet(AsksLater):
    """Once a round, after melee damage, the owner may step twice (R-191)."""

    id = "young_dragon.wing_buffet"
    latest = 0
    stepped = False

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if victim is not self.owner or damage.amount <= 0 or damage.by is None or damage.cause not in BLOWS:
            return
        if damage.by.weapon_in_hand.attack_type == "melee" and self.latest < fight.table.round:
            fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return ["pass", *fight.free_steps(who)]

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows:
        first = self.latest < fight.table.round
        self.latest = fight.table.round
        yield from fight.step_freely(who, name)
        if first:
            fight.request(self, self.owner)


class GraspingGround(Ability):
    """Once a round, floor in the four squares from an enemy's first one on becomes difficult."""

    id = "hex_priest.grasping_ground"
    on = ("action",)
    aim = "enemy"
    used = False

    def at_round_start(self, fight: Fight) -> None:
        self.used = False

    @staticmethod
    def _floor(board: Board, target: Fighter) -> list[Square]:
        x, y = target.space.place
        squares = [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)]
        return [square for square in squares if board.glyph(square) == "."]

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        table = fight.table
        if self.used or target is None or table.board is None or not target.standing:
            return False
        near = table.within(self.owner, target, 9) and table.in_sight(self.owner, target)
        return near and bool(self._floor(table.board, target))

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None and fight.table.board is not None
        self.used = True
        for square in self._floor(fight.table.board, target):
            fight.table.board.set_door(square, ",")


# ---------------------------------------------------------------------------------------- the Skittering Horror


class Horror(Ability):
    """An ability that acts on enemies at round starts (R-189)."""

    squares: ClassVar[int] = 0

    def enemies_near(self, fight: Fight) -> list[Fighter]:
        """Return the standing enemies within the radius and in sight, if the owner stands."""
        table, owner = fight.table, self.owner
        near = [enemy for enemy in table.enemies(owner) if enemy.standing and table.within(owner, enemy, self.squares)]
        return [enemy for enemy in near if table.in_sight(owner, enemy)] if owner.standing else []


class Sandstorm(Horror):
    """Enemies within 15 feet take 1d6 and are slowed and blinded."""

    id = "skittering_horror_carapace.sandstorm"
    squares = 3

    def at_round_start(self, fight: Fight) -> None:
        for enemy in self.enemies_near(fight):
            fight.strike(enemy, Damage(fight.table.roll_die(6), self.owner, "ability"))
            fight.inflict(None, enemy, "slowed", 1)
            fight.inflict(None, enemy, "blinded", 1)


class Grit(Ability):
    """Enemies that moved less than ten feet or lie prone at a round's end are slowed in the next round."""

    id = "skittering_horror_carapace.grit"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.stuck: list[Fighter] = []

    def at_round_end(self, fight: Fight) -> None:
        if fight.table.board is not None and self.owner.standing:
            standing = [enemy for enemy in fight.table.enemies(self.owner) if enemy.standing]
            self.stuck = [enemy for enemy in standing if enemy.squares_moved < 2 or "prone" in enemy.conditions]

    def at_round_start(self, fight: Fight) -> None:
        for enemy in self.stuck:
            if enemy.standing:
                fight.inflict(None, enemy, "slowed", 1)
        self.stuck = []


class Tremors(Horror):
    """Within 10 feet the ground is difficult for enemies; they save with agility against 10 or fall prone (R-265)."""

    id = "skittering_horror_leg.tremors"
    squares = 2
    fight: Fight | None = None

    def at_round_start(self, fight: Fight) -> None:
        self.fight = fight

    def _is_against(self, fighter: Fighter) -> bool:
        return self.owner.standing and fighter.team != self.owner.team

    def roughens(self, mover: Fighter, space: Space) -> bool:
        return self._is_against(mover) and distance(self.owner.space, space) <= self.squares

    def unsettles(self, fighter: Fighter) -> bool:
        assert self.fight is not None
        return self._is_against(fighter) and self.fight.table.within(self.owner, fighter, self.squares)

    def shake(self, fighter: Fighter) -> None:
        assert self.fight is not None
        if self.fight.save(fighter, "agility", self.owner) < 10:
            self.fight.inflict(None, fighter, "prone", 1)


class OfTheHeart(Horror):
    """An ability of the heart, which has a carapace: its body, or the first of its largest allies."""

    def carapace(self, table: Table) -> Fighter | None:
        """Return the carapace, or None."""
        if self.owner.part_of is not None:
            return table[self.owner.part_of]
        return max(table.allies(self.owner), key=lambda ally: ally.size_rank, default=None)


class Sealed(OfTheHeart):
    """No fighter attacks the heart while the carapace has hit points."""

    id = "skittering_horror_heart.sealed"
    table: Table | None = None

    def at_round_start(self, fight: Fight) -> None:
        self.table = fight.table

    def bars(self, attacker: Fighter, target: Fighter) -> bool:
        carapace = self.carapace(self.table) if self.table is not None else None
        return target is self.owner and carapace is not None and carapace.hp > 0


class Mend(OfTheHeart):
    """The carapace heals 1d8 as a round starts."""

    id = "skittering_horror_heart.mend"

    def at_round_start(self, fight: Fight) -> None:
        carapace = self.carapace(fight.table)
        if carapace is not None and carapace.standing and self.owner.standing:
            fight.heal(carapace, fight.table.roll_die(8))


class Stillness(Horror):
    """Enemies within 30 feet save with presence against 12 or are stunned."""

    id = "skittering_horror_heart.stillness"
    squares = 6

    def at_round_start(self, fight: Fight) -> None:
        for enemy in self.enemies_near(fight):
            if fight.save(enemy, "presence", self.owner) < 12:
                fight.inflict(None, enemy, "stunned", 1)


class VitalityDrain(Horror):
    """Enemies within 10 feet take 1d8."""

    id = "skittering_horror_heart.vitality_drain"
    squares = 2

    def at_round_start(self, fight: Fight) -> None:
        for enemy in self.enemies_near(fight):
            fight.strike(enemy, Damage(fight.table.roll_die(8), self.owner, "ability"))
