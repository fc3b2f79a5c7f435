"""Masteries, whose uses spend rush points, and the paragon abilities that improve them (RULES, section 9; R-195)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .conditions import LEVELED, ON_OR_OFF
from .moments import AT_ANY_MOMENT, Asked, Attack, Damage, Event, Landing, Roll
from .picking import IN_ORDER, WELCOME
from .requests import AsksLater

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table


def points_of(owner: Fighter) -> list[str]:
    """Return the numbers of rush points that the owner may spend on one use."""
    return [f"pick {points}" for points in range(1, min(owner.rush, 31) + 1)]


def improved(owner: Fighter, what: str, amount: int) -> int:
    """Return a figure of one of the owner's abilities, with what its other abilities make of it."""
    for owned in owner.abilities:
        amount = owned.improves(what, amount)
    return amount


class EternalFortitude(AsksLater):
    """Each rush point banks two d6 that the owner rolls into its defences (R-195)."""

    id = "eternal_fortitude"
    frequency = "major"
    on = (*AT_ANY_MOMENT, "first roll")
    bank = 0
    rolls_in = 0

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return self.owner.rush > 0

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        return [] if given else points_of(self.owner)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        points = int(self.answers[0].split()[1])
        self.owner.rush -= points
        self.bank += improved(self.owner, "dice", 2 * points)

    def before_defence(self, fight: Fight, attack: Attack) -> None:
        if self.bank > 0 and not fight.dashing:
            fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return [f"pick {dice}" for dice in range(min(self.bank, 20) + 1)]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        self.rolls_in = int(name.split()[1])

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind == "defence":
            die = improved(self.owner, "die", 6)
            roll.added += [(table.roll_die(die), die) for _ in range(self.rolls_in)]
            self.bank -= self.rolls_in
            self.rolls_in = 0


class BulwarkInfinitum(Ability):
    """Eternal Fortitude banks twice as many dice."""

    id = "bulwark_infinitum"

    def improves(self, what: str, amount: int) -> int:
        return 2 * amount if what == "dice" else amount


class LastBastion(Ability):
    """The dice of Eternal Fortitude are d12."""

    id = "last_bastion"

    def improves(self, what: str, amount: int) -> int:
        return 12 if what == "die" else amount


class BattleSpirited(Ability):
    """Effects spread evenly over the owner and its allies within 10 feet until the fight ends (R-199)."""

    id = "battle_spirited"
    frequency = "major"
    on = ("action",)

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.spirited: list[Fighter] = []
        self.heals = self.guards = self.strikes = self.hastens = 0

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return self.owner.rush > 0

    def _effects(self, points: str) -> int:
        return int(points.split()[1]) * improved(self.owner, "effects", 1)

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        if not given:
            return points_of(self.owner)
        over = self._effects(given[0]) % 4
        return [f"pick {k}" for k in range(16) if bin(k).count("1") == over] if len(given) == 1 else []

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        table, points = fight.table, int(self.answers[0].split()[1])
        self.owner.rush -= points
        each, once_more = self._effects(self.answers[0]) // 4, int(self.answers[1].split()[1])
        often = [points * (each + (once_more >> k & 1)) for k in range(4)]
        self.heals, self.guards, self.strikes, self.hastens = often
        near = [one for one in table.allies(self.owner) if one.standing and table.within(self.owner, one, 2)]
        self.spirited = [self.owner, *(one for one in near if table.in_sight(self.owner, one))]

    def at_round_start(self, fight: Fight) -> None:
        for one in fight.table.fighters:
            if one in self.spirited and self.heals > 0:
                fight.heal(one, 2 * self.heals)

    def speed_of(self, mover: Fighter, squares: int) -> int:
        return squares + 2 * self.hastens if mover in self.spirited else squares

    def flat_of_all(self, table: Table, roll: Asked) -> int:
        if roll.fighter not in self.spirited:
            return 0
        return {"attack": self.strikes, "defence": self.guards}.get(roll.kind, 0)


class Savior(Ability):
    """It dies at twice the depth, and each of its wounds brings three points (R-226)."""

    id = "savior"
    lives_longer = 2

    def after_wound(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if victim is self.owner:
            self.owner.rush += 3


class OneWithWar(Ability):
    """Battle Spirited brings one effect more for each rush point (R-199)."""

    id = "one_with_war"

    def improves(self, what: str, amount: int) -> int:
        return amount + 1 if what == "effects" else amount


class UndyingFury(Ability):
    """As the owner falls, an unused Battle Spirited starts for nothing and heals once (R-227)."""

    id = "undying_fury"
    on = ("damaged",)

    def _unused(self) -> BattleSpirited | None:
        spirits = [owned for owned in self.owner.abilities if isinstance(owned, BattleSpirited) and owned.uses == 0]
        return spirits[0] if spirits else None

    def _points(self) -> str:
        return f"pick {min(31, self.owner.rush)}"

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        fell = isinstance(event, Landing) and self.owner.agent in event.felled and self.owner.hp <= 0
        return fell and self.owner.rush > 0 and self._unused() is not None

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        spirit = self._unused()
        return [] if given or spirit is None else spirit.part(fight, None, (self._points(),))

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        spirit = self._unused()
        assert spirit is not None
        points, kept = self._points(), self.owner.rush
        spirit.answers, spirit.uses = (points, *self.answers), 1
        spirit.do(fight, None, None)
        self.owner.rush = kept
        spirit.at_round_start(fight)


PASSES = (
    "dazed", "off_balanced", "weakened", "shaken", "restrained", "poisoned", "blinded", "slowed", "vulnerability",
    "confused", "burning", "deafened",
)  # fmt: skip


class BloodBond(Ability):
    """The owner passes hit points, and in destiny a condition, to an ally with the same talent (R-198)."""

    id = "blood_bond"
    on = AT_ANY_MOMENT
    aim = "ally"
    passed = 0

    def _most(self, target: Fighter) -> int:
        room = target.hp_max - target.wounds - target.hp
        return min(self.owner.hp - 1, self.pick(40, 100) - self.passed, room)

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        bonded = any(isinstance(owned, BloodBond) for owned in target.abilities)
        near = self.destined or fight.table.within(self.owner, target, 24)
        return target.status in ("standing", "unconscious") and bonded and near and self._most(target) > 0

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        assert target is not None
        most = self._most(target)
        if not given:
            return [f"pick {tens}" for tens in range(11) if 10 * tens <= most]
        if len(given) == 1:
            tens = int(given[0].split()[1])
            return [f"pick {ones}" for ones in range(10) if 0 < 10 * tens + ones <= most] or ["nothing"]
        if not self.destined or len(given) == 3:
            return []
        own = [k for k, name in enumerate(IN_ORDER) if name in PASSES and name in self.owner.conditions]
        return ["pick 0", *(f"pick {k + 1}" for k in own)]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        tens, ones, *condition = (int(answer.split()[1]) for answer in self.answers)
        amount = 10 * tens + ones
        self.passed += amount
        self.owner.hp -= amount
        fight.heal(target, amount)
        if condition and condition[0] > 0:
            name = IN_ORDER[condition[0] - 1]
            levels = self.owner.conditions.of(name)
            self.owner.conditions.end(name)
            fight.inflict(self.owner, target, name, levels)


class RallyingCry(AsksLater):
    """For each rush point, one of four effects for the owner or an ally within 30 feet (R-201)."""

    id = "rallying_cry"
    frequency = "major"
    on = ("action",)

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.left = 0
        self.given: list[str] = []
        self.answers_so_far: list[str] = []
        self.emboldened: set[str] = set()

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return self.owner.rush > 0

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        return [] if given else points_of(self.owner)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.left, self.given = int(self.answers[0].split()[1]), []
        self.owner.rush -= self.left
        fight.request(self, self.owner)

    def _allies(self, fight: Fight) -> dict[str, Fighter]:
        table = fight.table
        allies = [(f"pick_for {k}", ally) for k, ally in enumerate(table.allies(self.owner), 1) if ally.standing]
        return {
            name: ally
            for name, ally in allies
            if table.within(self.owner, ally, 6) and table.in_sight(self.owner, ally)
        }

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        match len(self.answers_so_far):
            case 0:
                return [f"pick {k}" for k in range(4) if f"pick {k}" not in self.given]
            case 1:
                return ["pick 0", "pick 1"] if self._allies(fight) else ["pick 0"]
            case _:
                return list(self._allies(fight))

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        self.answers_so_far.append(name)
        match self.answers_so_far:
            case [effect, "pick 0"]:
                self._give(fight, effect, self.owner)
            case [effect, "pick 1", ally]:
                self._give(fight, effect, self._allies(fight)[ally])
            case _:
                fight.request(self, self.owner)

    def _give(self, fight: Fight, effect: str, one: Fighter) -> None:
        self.answers_so_far = []
        self.given = [] if len(self.given) == 3 else [*self.given, effect]
        self.left -= 1
        match effect:
            case "pick 0":
                ladder = (4, 6, 8, 10, 12, 20)
                one.heart = one.heart if one.heart >= one.heart_max else ladder[ladder.index(one.heart) + 1]
            case "pick 1":
                one.action = True
            case "pick 2":
                self.emboldened.add(one.agent)
            case _:
                for name in [name for name in (*LEVELED, *ON_OR_OFF) if name not in WELCOME]:
                    one.conditions.end(name)
                holder = fight.table.grappler_of(one)
                if holder is not None:
                    holder.grappling = None
        if self.left > 0:
            fight.request(self, self.owner)

    def levels(self, table: Table, roll: Asked) -> int:
        return 2 if roll.kind == "attack" and roll.fighter.agent in self.emboldened else 0

    def after_any_roll(self, table: Table, asked: Asked, roll: Roll) -> None:
        if roll.kind == "attack":
            self.emboldened.discard(roll.fighter.agent)


class DevastationStrike(Ability):
    """This round each minor ability is free once, and the next attack has a d6 for each rush point (R-195)."""

    id = "devastation_strike"
    frequency = "major"
    on = AT_ANY_MOMENT
    rages = False
    points = 0

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.used: list[Ability] = []

    def at_round_start(self, fight: Fight) -> None:
        self.rages, self.points, self.used = False, 0, []

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return True

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        return [] if given else [f"pick {points}" for points in range(min(self.owner.rush, 20) + 1)]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.rages, self.points, self.used = True, int(self.answers[0].split()[1]), []
        self.owner.rush -= self.points

    def frees(self, other: Ability) -> bool:
        return self.rages and other not in self.used

    def after_use(self, other: Ability) -> None:
        if self.rages:
            self.used.append(other)

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind == "attack":
            roll.added += [(table.roll_die(6), 6) for _ in range(self.points)]
            self.points = 0
