"""Abilities that do something in place of an attack, or to a held or burning fighter (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from .ability import Ability
from .board import DIRECTIONS, STEPS, Space
from .holds_and_openings import unarmed
from .moments import Damage, Event

if TYPE_CHECKING:
    from .aftermath import Aftermath
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table

IMPAIRMENTS = ("dazed", "off_balanced", "weakened")
LINES = (*IMPAIRMENTS, "blinded", "prone", "push", "enraged", "trade")


class InPlace(Ability):
    """An ability used as the owner's phase begins, in place of its attack, which takes hold at the end (R-248)."""

    on = ("phase",)
    aim = "enemy"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.used_now = False
        self.coming: tuple[Fighter, tuple[str, ...]] | None = None
        """The target, and the answers that say what is done to it."""

    def at_round_start(self, fight: Fight) -> None:
        self.used_now = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        return fight.attacks_now(self.owner) and fight.table.may_attack(self.owner, target)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        self.used_now = True
        self.coming = target, self.answers
        self.owner.active = target.active = True

    def attacks_no_more(self) -> bool:
        return self.used_now

    def at_engagement_end(self, fight: Fight) -> None:
        self.used_now, self.coming = False, None

    def at_effects(self, fight: Fight, aftermath: Aftermath) -> None:
        if self.coming is not None:
            target, answers = self.coming
            self.coming = None
            if target.standing:
                self.befall(fight, aftermath, target, [int(answer.split()[1]) for answer in answers])

    def befall(self, fight: Fight, aftermath: Aftermath, target: Fighter, answers: list[int]) -> None:
        """Let the target suffer what the owner has chosen."""
        raise NotImplementedError


class Hinders(InPlace):
    """An ability whose use is a hinder."""

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        table, owner = fight.table, self.owner
        if not super().may(fight, target, event) or not table.settings.maneuvers or not table.next_to(owner, target):
            return False
        alike = owner.stance == target.stance and any(owned.maneuvers_alike for owned in owner.abilities)
        return table.beats(owner, target) or alike

    @property
    def strong(self) -> bool:
        """Whether the owner has the list of Improved Interference."""
        return any(owned.own_hinders for owned in self.owner.abilities)

    def lines(self, fight: Fight, target: Fighter) -> list[int]:
        """Return the numbers of the lines that would do something to the target."""
        owner, table = self.owner, fight.table
        found = [0, 1, 2, 3]
        if "prone" not in target.conditions and table.sides_to(owner, target) <= (2 if self.strong else 1):
            found.append(4)
        if not self.strong:
            return [*found, 5]
        if table.board is not None and target.part_of is None and table.sides_to(owner, target) < 2:
            found.append(5)
        return [*found, 6, *([7] if self._may_trade(fight, target) else [])]

    def _may_trade(self, fight: Fight, target: Fighter) -> bool:
        owner, table, board = self.owner, fight.table, fight.table.board
        if board is None or abs(table.sides_to(owner, target)) > 1 or owner.side != target.side:
            return False
        for one in (owner, target):
            if not one.standing or one.climbing is not None or one.part_of is not None:
                return False
        if not table.next_to(owner, target):
            return False
        if board.wholly_on_drops(owner.space) != board.wholly_on_drops(target.space):
            return False
        return not fight.fears(owner, target.space)

    def hinder(self, fight: Fight, aftermath: Aftermath, target: Fighter, line: int) -> None:
        """Do what a line of the list says."""
        owner, table = self.owner, fight.table
        if not target.standing or line not in self.lines(fight, target):
            return
        if line < 3 or (line == 3 and self.strong):
            damage = table.roll_die(6 if self.strong else 4)
            aftermath.hits[target.agent].append(Damage(damage, owner, "ability"))
        match LINES[line]:
            case "blinded":
                blind(fight, owner, target, 2 if self.strong else 1)
            case "prone":
                fight.inflict(owner, target, "prone", 1)
            case "push":
                if table.board is not None:
                    aftermath.push(owner, target, 10 if self.strong else 5, by_might=False)
                if not self.strong and target.standing:
                    fight.inflict(owner, target, "off_balanced", 2)
            case "enraged":
                fight.inflict(owner, target, table.rage, 1, owner.agent)
            case "trade":
                here, there = owner.space, target.space
                fight.move({owner.agent: there, target.agent: here})
            case name:
                fight.inflict(owner, target, name, 3 if self.strong else 2)


def blind(fight: Fight, giver: Fighter, target: Fighter, levels: int) -> None:
    """Give levels of blinded that are fresh if there are more of them than before (R-27)."""
    before = target.conditions.of("blinded")
    fight.inflict(giver, target, "blinded", levels)
    if target.conditions.of("blinded") > before:
        target.conditions.blinded_in_engagement = True


class ImprovedInterference(Hinders):
    """The owner's own stance is no bar to maneuvers, and its hinders are stronger (R-249)."""

    id = "improved_interference"
    maneuvers_alike = True
    own_hinders = True

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        assert target is not None
        return [] if given else [f"pick {line}" for line in self.lines(fight, target)]

    def befall(self, fight: Fight, aftermath: Aftermath, target: Fighter, answers: list[int]) -> None:
        self.hinder(fight, aftermath, target, answers[0])


class Trickster(Hinders):
    """A hinder of two different lines (R-250)."""

    id = "trickster"

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        assert target is not None
        if len(given) == 2:
            return []
        taken = [int(name.split()[1]) for name in given]
        if taken and taken[0] < 3:
            taken = [0, 1, 2]
        return [f"pick {line}" for line in self.lines(fight, target) if line not in taken]

    def befall(self, fight: Fight, aftermath: Aftermath, target: Fighter, answers: list[int]) -> None:
        for line in answers:
            self.hinder(fight, aftermath, target, line)


class Psionics(Hinders):
    """A hinder may frighten, enrage or confuse, once for each creature."""

    id = "psionics"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.spent: set[str] = set()

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        return target.agent not in self.spent and super().may(fight, target, event)

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        return [] if given else ["pick 0", "pick 1", "pick 2"]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        super().do(fight, target, event)
        self.spent.add(target.agent)

    def befall(self, fight: Fight, aftermath: Aftermath, target: Fighter, answers: list[int]) -> None:
        if answers == [2]:
            fight.inflict(self.owner, target, "confused", 3)
        else:
            name = "frightened" if answers == [0] else fight.table.rage
            fight.inflict(self.owner, target, name, 3, self.owner.agent)


class NastyTricksies(Hinders):
    """A hinder may stun, blind, impair or slow for longer, by rush points (R-251)."""

    id = "nasty_tricksies"
    frequency = "major"
    NEEDS: ClassVar = (1, 1, 1, 2, 1, 3, 1)

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.victim: Fighter | None = None
        self.lasting: dict[str, int] = {}
        self.rounds_to_come = 0
        self.slower = 0

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return self.owner.rush > 0 and super().may(fight, target, event)

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        rush = self.owner.rush
        if not given:
            return [
                f"pick {trick}"
                for trick, needed in enumerate(self.NEEDS)
                if needed <= rush and (trick != 6 or fight.table.board is not None)
            ]
        least = self.NEEDS[int(given[0].split()[1])]
        return [f"pick {points}" for points in range(least, min(31, rush) + 1)] if len(given) == 1 else []

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        super().do(fight, target, event)
        self.owner.rush -= int(self.answers[1].split()[1])

    def befall(self, fight: Fight, aftermath: Aftermath, target: Fighter, answers: list[int]) -> None:
        trick, points = answers
        self.victim = target
        if trick == 3:
            self.rounds_to_come = points // 2 - 1 if self._gets(fight, target, "stunned", 1) else 0
        elif trick == 4:
            blind(fight, self.owner, target, points)
        elif trick == 6:
            self.slower = points
        else:
            name, levels = ("blinded", points // 3) if trick == 5 else (IMPAIRMENTS[trick], points)
            if self._gets(fight, target, name, levels):
                self.lasting[name] = levels

    def _gets(self, fight: Fight, target: Fighter, name: str, levels: int) -> bool:
        """Give levels of a condition; return whether nothing keeps them off."""
        refused = any(owned.wards_off(fight, name, self.owner) for owned in target.abilities)
        sheltered = any(owned.shelters(fight.table, target, name) for owned in fight.table.abilities)
        fight.inflict(self.owner, target, name, levels)
        return not refused and not sheltered

    def at_round_end(self, fight: Fight) -> None:
        if self.owner.standing and self.victim is not None and "stunned" not in self.victim.conditions:
            self.rounds_to_come = 0

    def at_round_start(self, fight: Fight) -> None:
        super().at_round_start(fight)
        if self.victim is not None:  # what has been lost does not come back
            left = self.victim.conditions
            self.lasting = {name: min(levels, left.of(name)) for name, levels in self.lasting.items()}
        if self.rounds_to_come > 0 and self.victim is not None:
            self.rounds_to_come -= 1
            if self.victim.standing:
                fight.inflict(self.owner, self.victim, "stunned", 1)

    def holds(self, fight: Fight, fighter: Fighter, name: str) -> int:
        return self.lasting.get(name, 0) if fighter is self.victim else 0

    def speed_of(self, mover: Fighter, squares: int) -> int:
        return max(min(1, squares), squares - self.slower) if mover is self.victim else squares


class Fling(InPlace):
    """In might, the held creature is thrown away or slammed down (R-252)."""

    id = "fling"

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        held = self.owner.grappling == target.agent and self.owner.climbing != target.agent and target.part_of is None
        return held and self.owner.stance == "might" and super().may(fight, target, event)

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        return [] if given else ["pick 0", "pick 1"]

    def befall(self, fight: Fight, aftermath: Aftermath, target: Fighter, answers: list[int]) -> None:
        owner, table = self.owner, fight.table
        if not owner.standing or owner.grappling != target.agent:
            return
        number = max(target.dice["might"], target.dice["agility"])
        total = fight.check(owner, "might", target)
        if total < number:
            return
        squares = 7 * total // 5 if self.destined else total - number
        if answers == [1]:
            damage = sum(table.roll_die(6) for _ in range(squares))
            aftermath.hits[target.agent].append(Damage(damage, owner, "collision"))
            return
        owner.grappling = None
        fight.inflict(owner, target, "prone", 1)
        if table.board is not None:
            aftermath.drive(owner, target, squares, by_might=False)


class Judoka(Ability):
    """Unarmed, once a round, the held creature is thrown down beside the owner (R-253)."""

    id = "judoka"
    on = ("action",)
    thrown = False

    def at_round_start(self, fight: Fight) -> None:
        self.thrown = False

    def _held(self, table: Table) -> Fighter | None:
        held = self.owner.grappling
        return table[held] if held is not None and unarmed(self.owner) else None

    def _is_carried(self, table: Table, held: Fighter) -> bool:
        """Return whether the owner rides on the creature that it holds, or on one that does."""
        mount = self.owner.climbing
        while mount is not None and mount != held.agent:
            mount = table[mount].climbing
        return mount is not None

    def _places(self, fight: Fight) -> dict[str, Space]:
        table, owner, held = fight.table, self.owner, self._held(fight.table)
        if table.board is None or held is None:
            return {}
        if held.climbing is not None or held.part_of is not None or self._is_carried(table, held):
            return {}
        if owner.part_of == held.agent:
            return {}
        places = {}
        for name, (dx, dy) in zip(DIRECTIONS, STEPS, strict=True):
            x = owner.space.x + (owner.side if dx > 0 else -held.side if dx < 0 else 0)
            y = owner.space.y + (owner.side if dy > 0 else -held.side if dy < 0 else 0)
            space = Space(x, y, held.side)
            firm = table.board.fits(space) and not any(table.board.glyph(square) == "v" for square in space.squares)
            if firm and fight.is_vacant(held, space) and space != held.space:
                places[f"sidestep {name}"] = space
        return places

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        ready = not self.thrown and self._held(fight.table) is not None
        return ready and (fight.table.board is None or bool(self._places(fight)))

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        if given or fight.table.board is None:
            return []
        return list(self._places(fight)) or ["nothing"]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        held = self._held(fight.table)
        assert held is not None
        self.thrown = True
        if fight.table.board is not None:
            fight.move({held.agent: self._places(fight)[self.answers[0]]})
        fight.inflict(self.owner, self.owner, "prone", 1)
        fight.inflict(self.owner, held, "prone", 1)
        fight.strike(held, Damage(fight.table.roll_die(6), self.owner, "ability"))

    def chokes(self, victim: Fighter) -> bool:
        owner = self.owner
        held = owner.grappling == victim.agent and unarmed(owner) and "prone" in victim.conditions
        return self.destined and held


class HottestFlames(Ability):
    """Fires that the owner has lit burn with d20s (R-254)."""

    id = "hottest_flames"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.burning: list[Fighter] = []

    def lit(self, victim: Fighter) -> None:
        self.burning.append(victim)

    def at_round_start(self, fight: Fight) -> None:
        self.burning = [victim for victim in self.burning if "burning" in victim.conditions]

    def fire_die(self, victim: Fighter, die: int) -> int:
        return 20 if victim in self.burning else die
