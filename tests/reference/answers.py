"""Reactions, and abilities that answer an attack: talents, the legacy and monsters (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .moments import AT_ANY_MOMENT, Asked, Attack, Damage, Event, Landing, Roll

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table


class InTheThickOfIt(Ability):
    """Each adjacent enemy adds a point to attacks and defences."""

    id = "in_the_thick_of_it"

    def flat(self, table: Table, roll: Asked) -> int:
        beside = [enemy for enemy in table.enemies(self.owner) if enemy.standing and table.next_to(self.owner, enemy)]
        return len(beside) if roll.kind in ("attack", "defence") else 0


class RecklessAttack(Ability):
    """The owner's attacks of the round have one more die, and enemy attacks on the owner have advantage (R-109)."""

    id = "reckless_attack"
    on = ("action", "engagement")
    reckless = False

    def at_round_start(self, fight: Fight) -> None:
        self.reckless = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return not self.reckless

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.reckless = True

    def adds(self, table: Table, roll: Asked) -> list[int]:
        return [self.pick(4, 8)] if self.reckless and roll.kind == "attack" else []

    def levels(self, table: Table, roll: Asked) -> int:
        against = roll.opponent is self.owner and roll.fighter.team != self.owner.team
        return int(self.reckless and against and roll.kind == "attack")


class DodgeAndWeave(Ability):
    """Each sidestep, or rise in its place, makes the next defence of the round stronger."""

    id = "dodge_and_weave"
    steps = 0

    def at_round_start(self, fight: Fight) -> None:
        self.steps = 0

    def after_sidestep(self) -> None:
        self.steps += 1

    def flat(self, table: Table, roll: Asked) -> int:
        return self.steps * self.pick(2, 5) if roll.kind == "defence" else 0

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind == "defence":
            self.steps = 0


class Fade(Ability):
    """Once a fight, the owner neither attacks nor can be attacked until the next round."""

    id = "phantom_knight.fade"
    frequency = "fight"
    on = ("action",)
    faded = False

    def at_round_start(self, fight: Fight) -> None:
        self.faded = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return True

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.faded = True

    def bars(self, attacker: Fighter, target: Fighter) -> bool:
        return self.faded and self.owner in (attacker, target)


class PunishAggression(Ability):
    """A fighter that attacks the owner in might takes a d6, after the phase's other effects (R-33)."""

    id = "phantom_knight.punish_aggression"

    def after_attack_on_owner(self, fight: Fight, attacker: Fighter, stance: str | None) -> None:
        if stance == "might" and attacker.standing:
            fight.strike(attacker, Damage(fight.table.roll_die(6), self.owner, "ability"))


class Riposte(Ability):
    """An attack that does the owner no damage gives the owner's next attack on the attacker advantage."""

    id = "bandit_captain.riposte"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.open: set[str] = set()

    def levels(self, table: Table, roll: Asked) -> int:
        mine = roll.fighter is self.owner and roll.kind == "attack"
        return int(mine and roll.opponent is not None and roll.opponent.agent in self.open)

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind == "attack" and roll.opponent is not None:
            self.open.discard(roll.opponent.agent)

    def after_blow(self, attacker: Fighter, damage: int) -> None:
        if damage == 0:
            self.open.add(attacker.agent)


class Reflect(Ability):
    """When damage lands on the owner, an enemy takes half of it, or all in the destiny version (R-96, R-110)."""

    id = "reflect"
    frequency = "major"
    on = ("damage",)
    aim = "enemy"
    mirrored: Fighter | None = None

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        hurt = isinstance(event, Landing) and self.owner.agent in event.hits
        return hurt and target.standing and fight.table.within(self.owner, target, 6)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.mirrored = target

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if victim is self.owner and damage.amount > 0 and self.mirrored is not None:
            fight.strike(self.mirrored, Damage(self.pick(damage.amount // 2, damage.amount), self.owner, "ability"))
            self.mirrored = None


class Execute(Ability):
    """A creature dies if the owner's damage has just taken it to zero hit points or fewer."""

    id = "execute"
    frequency = "minor"
    on = ("damaged",)
    aim = "enemy"

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        felled = isinstance(event, Landing) and event.felled.get(target.agent) is self.owner
        return felled and target.standing

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        fight.put_out(target, "dead")


class Assassinate(Ability):
    """The owner's next attack does double damage if it does at least half of the target's remaining hit points."""

    id = "assassinate"
    frequency = "major"
    on = ("phase",)
    ready = False

    def at_round_start(self, fight: Fight) -> None:
        self.ready = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return fight.attacks_now(self.owner)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.ready = True

    def deals(self, target: Fighter, amount: int) -> int:
        twice = self.ready and 2 * amount >= target.hp
        self.ready = False
        return 2 * amount if twice else amount


class ViolentDefense(Ability):
    """For a round the weapon's die joins defences, and an attacker that rolls less takes the difference."""

    id = "violent_defense"
    frequency = "minor"
    on = (*AT_ANY_MOMENT, "first roll")
    violent = False

    def at_round_start(self, fight: Fight) -> None:
        self.violent = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return not self.violent

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.violent = True

    def adds(self, table: Table, roll: Asked) -> list[int]:
        die = table.weapon_of(self.owner, roll.opponent).die
        return [die] if self.violent and roll.kind == "defence" and die else []

    def returns(self, table: Table, attack: Attack, attacker: Fighter, target: Fighter) -> int:
        defends = target is self.owner and not attack.contested
        if not self.violent or not defends or not table.reaches(self.owner, attacker):
            return 0
        return max(0, attack.rolls[self.owner.agent].total - attack.rolls[attack.fighter.agent].total)


class DebtsRepaid(Ability):
    """When a creature that wounded the owner dies or is defeated, those wounds lose ranks (R-130)."""

    id = "debts_repaid"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.debts: dict[str, int] = {}

    def after_wound(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if victim is self.owner and damage.by is not None:
            self.debts[damage.by.agent] = min(MOST_DEBTS, self.debts.get(damage.by.agent, 0) + 1)

    def after_death(self, victim: Fighter) -> None:
        ranks = self.debts.pop(victim.agent, 0) * self.pick(3, 5)
        self.owner.wounds = max(0, self.owner.wounds - ranks)


MOST_DEBTS = 7
"""The most wounds of one creature that Debts Repaid remembers."""


class DeathMark(Ability):
    """The owner marks an enemy instead of attacking; all attacks on the marked enemy have one more die (R-128).

    In the destiny version, the owner may still attack; if it does not, the die is larger.
    """

    id = "death_mark"
    frequency = "major"
    on = ("phase",)
    aim = "enemy"
    marked: Fighter | None = None
    marking = False
    """Whether it is still the round of the mark and the owner has not attacked since."""
    die = 0

    def at_round_start(self, fight: Fight) -> None:
        self.marking = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        table = fight.table
        in_turn = fight.attacks_now(self.owner) and table.next_to(self.owner, target)
        return in_turn and table.may_attack(self.owner, target)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.marked, self.marking, self.die = target, True, self.pick(4, 8)

    def attacks_no_more(self) -> bool:
        return self.marking and not self.destined

    def lends(self, table: Table, roll: Asked) -> list[int]:
        if roll.kind != "attack":
            return []
        if roll.fighter is self.owner:
            self.chose_attack()
        return [self.die] if roll.opponent is self.marked and self.marked is not None else []

    def chose_attack(self) -> None:
        if self.marking:
            self.marking, self.die = False, 4


class BaitedAttack(Ability):
    """An attack that does the owner no damage strikes a fighter behind the owner with its whole roll (R-140).

    In the destiny version, the attacker and the victim are enraged.
    """

    id = "baited_attack"
    frequency = "minor"
    on = ("second roll",)
    aim = "enemy"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.provoked: list[Fighter] = []

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        attacker = event.attacker_of(self.owner) if isinstance(event, Attack) else None
        if attacker is None or event.harm(attacker) > 0:
            return False
        return target.standing and fight.table.stands_behind(attacker, self.owner, target)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert isinstance(event, Attack) and target is not None
        event.baits.append((self, target))

    def after_bait(self, attacker: Fighter, victim: Fighter) -> None:
        self.provoked += [attacker, victim] if self.destined else []

    def after_attack_on_owner(self, fight: Fight, attacker: Fighter, stance: str | None) -> None:
        for other in self.provoked:
            if self.owner.standing and other.standing:
                fight.inflict(self.owner, other, fight.table.rage, 2, self.owner.agent)
        self.provoked = []
