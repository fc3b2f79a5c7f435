"""Abilities that carry an attack on to others, or that are prepared before the fight, one class each."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from .ability import Ability
from .board import crosses_inside
from .dice import half
from .moments import ON_ROLLS, Asked, Attack, Event, Roll

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table


# ------------------------------------------------------------------------------------------------ further attacks


ANY_NUMBER = 99
"""More further attacks than there are targets; a guardian may take several, and the one that it guards is left."""


class EverywhereAtOnce(Ability):
    """The owner attacks as many legal targets as it likes, each with levels of its own (R-222)."""

    id = "everywhere_at_once"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.named: dict[str, list[str]] = {}

    def follow_ups(self, table: Table) -> int:
        return ANY_NUMBER

    def spares(self, table: Table, target: Fighter, struck: Collection[str]) -> bool:
        flies = table.weapon_of(self.owner, target).attack_type in ("ranged", "thrown")
        return flies and not any(table.next_to(table[agent], target) for agent in struck)

    def names_levels(self) -> bool:
        return True

    def chose_further(self, target: Fighter, named: str | None) -> None:
        self.named[target.agent] = named.split("+") if named else []

    def is_taken(self, target: Fighter, guard: Fighter) -> None:
        if target.agent in self.named:
            self.named[guard.agent] = self.named.pop(target.agent)

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        levels = fight.table.cunning_levels(self.owner)
        for name in self.named.pop(target.agent, []):
            fight.inflict(self.owner, target, name, levels)


class Battletuned(EverywhereAtOnce):
    """The owner may attack one more target (R-222)."""

    id = "battletuned"

    def follow_ups(self, table: Table) -> int:
        return 1

    def spares(self, table: Table, target: Fighter, struck: Collection[str]) -> bool:
        return False


class Cleave(Ability):
    """Damage of a heavy blade goes on to a named creature in reach, then to others, each once (R-223)."""

    id = "cleave"
    frequency = "minor"
    on = (ON_ROLLS[1],)
    aim = "enemy"
    first: Fighter | None = None
    going = False

    def _may_cleave(self, table: Table, target: Fighter, victim: Fighter) -> bool:
        weapon = table.weapon_of(self.owner, target)
        blade = (weapon.die, weapon.attack_type, weapon.damage_type) == (12, "melee", "slashing")
        return blade and self.goes_to(table, target, victim)

    def hurts(self, event: Event | None) -> Fighter | None:
        """Return the creature that the owner's own attack in an engagement is about to hurt, or None."""
        if not isinstance(event, Attack) or event.sweeps or self.going or event.outside or event.again:
            return None
        for other in (event.target, event.fighter):
            if event.attacker_of(other) is self.owner and event.harm(self.owner) > 0:
                return other
        return None

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        victim = self.hurts(event)
        return victim is not None and self._may_cleave(fight.table, target, victim)

    def goes_to(self, table: Table, target: Fighter, struck: Fighter) -> bool:
        """Return whether the damage may go on to the target."""
        free = target is not struck and target.agent not in self.owner.struck_now
        there = target.standing and table.takes_part(target)
        return free and there and table.reaches(self.owner, target) and not table.barred(self.owner, target)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert isinstance(event, Attack)
        self.first, self.going = target, True
        event.carriers.append(self)

    def next_target(self, table: Table, struck: Fighter) -> Fighter | None:
        """Return where the damage that has met `struck` goes next."""
        named, self.first = self.first, None
        if named is not None:
            return named
        return next((one for one in table.enemies(self.owner) if self.goes_to(table, one, struck)), None)

    def ends(self) -> None:
        """Note that nothing goes on any more."""
        self.first, self.going = None, False


class PiercingShot(Cleave):
    """Damage of a heavy piercing bow flies on to the nearest enemy behind the target in line (R-223)."""

    id = "piercing_shot"
    aim = None

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        victim = self.hurts(event)
        if fight.table.board is None or victim is None:
            return False
        weapon = fight.table.weapon_of(self.owner, victim)
        bow = (weapon.die, weapon.attack_type, weapon.damage_type) == (12, "ranged", "piercing")
        return bow and self.next_target(fight.table, victim) is not None

    def next_target(self, table: Table, struck: Fighter) -> Fighter | None:
        start, through = self.owner.space.centre, struck.space.centre
        end = tuple(b + 32 * (b - a) for a, b in zip(start, through, strict=True))
        far = table.distance(self.owner, struck)
        behind = [
            enemy
            for enemy in table.enemies(self.owner)
            if table.distance(self.owner, enemy) > far
            and self.goes_to(table, enemy, struck)
            and any(crosses_inside(through, (end[0], end[1]), square) for square in enemy.space.squares)
        ]
        return min(behind, key=lambda enemy: table.distance(self.owner, enemy), default=None)


class RapidShot(Ability):
    """Half of one roll with more dice goes against each of two targets (R-224)."""

    id = "rapid_shot"
    on = ("phase",)
    aim = "enemy"
    named: Fighter | None = None
    used = False

    def at_round_start(self, fight: Fight) -> None:
        self.named, self.used = None, False

    def _another(self, table: Table, target: Fighter) -> Fighter | None:
        others = (one for one in table.enemies(self.owner) if one is not target and table.may_attack(self.owner, one))
        return next(others, None)

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        table = fight.table
        if self.used or table.weapon_of(self.owner, target).attack_type != "ranged":
            return False
        legal = fight.attacks_now(self.owner) and table.may_attack(self.owner, target)
        return legal and self._another(table, target) is not None

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.named, self.used = target, True

    def second(self, table: Table, roll: Asked) -> Fighter | None:
        """Return the second target of this roll, or None if it is not a rapid shot."""
        mine = roll.kind == "attack" and not roll.answers and self.owner.attacks_first
        if self.named is None or roll.opponent is None or not mine:
            return None
        return self.named if self.named is not roll.opponent else self._another(table, roll.opponent)

    pending: Fighter | None = None

    def adds(self, table: Table, roll: Asked) -> list[int]:
        self.pending = self.second(table, roll)
        return [6] * self.pick(2, 4) if self.pending is not None else []

    def after_roll(self, table: Table, roll: Roll) -> None:
        if self.pending is not None:
            roll.flat -= roll.total - half(roll.total)
            self.named = None

    def shoots_too(self) -> Fighter | None:
        """Return the second target of the shot just made, once."""
        pending, self.pending = self.pending, None
        return pending


# ----------------------------------------------------------------------------------------------------- a captive


class BodyShield(Ability):
    """The creature that the owner holds helps to defend it and takes a share (R-223)."""

    id = "body_shield"
    frequency = "minor"
    on = (ON_ROLLS[0], "sweep")
    shield: Fighter | None = None

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        if not isinstance(event, Attack) or event.target is not self.owner or event.contested:
            return False
        table, striker, held = fight.table, event.fighter, self.owner.grappling
        if held is None or held == striker.agent or (not event.outside and table.beats(striker, self.owner)):
            return False
        near = table.next_to(striker, self.owner) and table.next_to(striker, table[held])
        return near and table.weapon_of(striker, self.owner).attack_type == "melee"

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.shield = fight.table[self.owner.grappling or ""]

    def flat(self, table: Table, roll: Asked) -> int:
        if self.shield is None or roll.kind != "defence":
            return 0
        return self.shield.armor + self.shield.shield

    def shares(self, harm: int, hurt: int) -> tuple[Fighter, int, int] | None:
        """Return the captive, its share and the owner's, of harm that is `hurt` after the defensive stance."""
        held, self.shield = self.shield, None
        if held is None:
            return None
        guarded = hurt < harm
        if self.destined:
            return held, hurt, 0
        return held, hurt if guarded else half(hurt), half(hurt)


# ----------------------------------------------------------------------------------------------- before the fight


class CriticalObservation(Ability):
    """A check in round 1 gives advantage against one creature (R-225)."""

    id = "critical_observation"
    frequency = "major"
    on = ("action",)
    aim = "enemy"
    known: Fighter | None = None
    worth = 0

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        return ["pick 0", "pick 1"] if self.destined and not given else []

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        return fight.table.round == 1 and target.standing

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        hard = self.answers == ("pick 1",)
        reached = fight.check(self.owner, "cunning", target)
        if reached >= (12 if hard else 8) + target.armor + target.shield:
            self.known, self.worth = target, 4 if hard else 2

    def levels(self, table: Table, roll: Asked) -> int:
        mine = roll.fighter is self.owner and roll.kind == "attack"
        return self.worth if mine and self.known is not None and roll.opponent is self.known else 0


class Assassin(Ability):
    """In the destiny version, a mark gives five levels at openings and one otherwise (R-225)."""

    id = "assassin"
    on = ("action",)
    aim = "enemy"
    marked: Fighter | None = None

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        return self.destined and fight.table.round == 1 and self.marked is None and target.standing

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.marked = target

    def levels(self, table: Table, roll: Asked) -> int:
        mine = roll.fighter is self.owner and roll.kind == "attack"
        if not mine or self.marked is None or roll.opponent is not self.marked:
            return 0
        return 1 if self.owner.stance is not None else 5


class HandsOfTheHealer(Ability):
    """A wound loses five ranks, or in the destiny version all, for an action and a touch (R-225)."""

    id = "hands_of_the_healer"
    frequency = "weekly"
    on = ("action",)
    aim = "ally"

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        if target.wounds_carried == 0 or target.status not in ("standing", "unconscious"):
            return False
        if self.destined:
            return fight.table.next_to(self.owner, target) and fight.table.can_spend_action(self.owner)
        return fight.table.round == 1

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        rank = -(-target.wounds // target.wounds_carried)
        gone = rank if self.destined else min(5, rank)
        if gone == rank:
            target.wounds_carried -= 1
        target.wounds -= gone
        if self.destined:
            self.owner.spend_action()


class BalladOfBjorn(Ability):
    """Listeners lose and no longer know fear and charms, are rested, and earn a point more once (R-225)."""

    id = "ballad_of_bjorn"
    frequency, destined_frequency = "weekly", "major"
    on = ("action",)
    costs_action = True

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.listeners: list[Fighter] = []
        self.due = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return fight.table.round == 1 and (self.destined or bool(fight.table.allies(self.owner)))

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        table = fight.table
        near = [
            ally
            for ally in table.allies(self.owner)
            if ally.standing and table.within(self.owner, ally, 12) and table.in_sight(self.owner, ally)
        ]
        self.listeners, self.due = near + ([self.owner] if self.destined else []), True
        for one in self.listeners:
            one.conditions.end("frightened")
            one.conditions.end("charmed")
            one.heart = one.heart_max

    def shelters(self, table: Table, fighter: Fighter, name: str) -> bool:
        return name in ("frightened", "charmed") and fighter in self.listeners

    def at_round_start(self, fight: Fight) -> None:
        if self.due:
            self.due = False
            for one in self.listeners:
                one.rush += 1
