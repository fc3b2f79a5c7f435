"""Talents and legacies of wounds, hit points, conditions and rush points, one class each (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .conditions import OF_THE_CUNNING_EFFECT
from .moments import AT_ANY_MOMENT, Asked, Attack, Damage, Event, Landing, Roll

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table

DULLED = {"might": "weakened", "agility": "off_balanced", "cunning": "dazed"}
"""The condition that hinders each die."""


def in_range(table: Table, owner: Fighter, other: Fighter) -> bool:
    """Return whether the other fighter is in sight and within the 45 feet of hand magic."""
    return table.within(owner, other, 9) and table.in_sight(owner, other)


class ToughAsNails(Ability):
    """The owner's wound threshold is ten points higher; an owner that cannot be wounded stays so."""

    id = "tough_as_nails"

    def threshold(self, threshold: int) -> int:
        return threshold + 10 if threshold > 0 else threshold


class IndomitableFortitude(Ability):
    """The owner heals at each round start while it has hit points."""

    id = "indomitable_fortitude"

    def at_round_start(self, fight: Fight) -> None:
        if self.owner.hp > 0:
            fight.heal(self.owner, 10)


class Bloodlust(Ability):
    """The owner's attacks on a wounded target impair it.

    In the destiny version, attacks on a wounded and impaired target have advantage and heal the owner.
    """

    id = "bloodlust"
    wounded: frozenset[str] = frozenset()
    impaired: frozenset[str] = frozenset()
    """The targets that were wounded, or impaired, when the dice of the latest attack on them were gathered."""

    def _is_impaired(self, target: Fighter) -> bool:
        return self.destined and any(name in target.conditions for name in OF_THE_CUNNING_EFFECT)

    def levels(self, table: Table, roll: Asked) -> int:
        if roll.fighter is not self.owner or roll.kind != "attack" or roll.opponent is None:
            return 0
        return int(roll.opponent.wounds_carried > 0 and self._is_impaired(roll.opponent))

    def adds(self, table: Table, roll: Asked) -> list[int]:
        if roll.kind == "attack" and roll.opponent is not None:
            name = frozenset({roll.opponent.agent})
            wounded = roll.opponent.wounds_carried > 0
            self.wounded = self.wounded | name if wounded else self.wounded - name
            self.impaired = self.impaired | name if self._is_impaired(roll.opponent) else self.impaired - name
        return []

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if target.agent in self.wounded:
            largest = max(DULLED, key=lambda ability: target.dice[ability])
            fight.inflict(self.owner, target, DULLED[largest], 3)
            if target.agent in self.impaired:
                fight.heal(self.owner, 4)


class Cruelty(Ability):
    """Damage to enemies is one point larger (R-119); in the destiny version, each added point heals the owner."""

    id = "cruelty"

    def _answers(self, table: Table, victim: Fighter) -> bool:
        near = table.board is None or table.distance(self.owner, victim) <= 2
        return self.owner.standing and victim.team != self.owner.team and near

    def raises(self, fight: Fight, victim: Fighter) -> int:
        if not self._answers(fight.table, victim):
            return 0
        if self.destined:
            fight.heal(self.owner, 1)
        return 1


class Rage(Ability):
    """An attack on the owner enrages it; its attacks on that attacker have advantage (R-108)."""

    id = "rage"

    def levels(self, table: Table, roll: Asked) -> int:
        if roll.fighter is not self.owner or roll.kind != "attack" or roll.opponent is None:
            return 0
        hated = self.owner.conditions.sources.get(table.rage)
        return self.pick(2, 3) if roll.opponent.agent == hated else 0

    def after_attack_on_owner(self, fight: Fight, attacker: Fighter, stance: str | None) -> None:
        if self.owner.standing:
            fight.inflict(self.owner, self.owner, fight.table.rage, self.pick(1, 2), attacker.agent)


class Bloodblade(Ability):
    """The owner pays hit points, never its last one (R-122), for a die on its next attack roll of the round (R-156)."""

    id = "bloodblade"
    on = ("action", "phase")
    paid_in = 0
    """The round in which a paid die waits for an attack roll."""

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        mine = fight.phase is None or (fight.settings.options_on_rolls and fight.attacks_now(self.owner))
        return mine and self.owner.hp > self.pick(4, 6) and self.paid_in < fight.table.round

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.owner.hp -= self.pick(4, 6)
        self.paid_in = fight.table.round

    def adds(self, table: Table, roll: Asked) -> list[int]:
        if roll.kind != "attack" or self.paid_in < table.round:
            return []
        self.paid_in = 0
        return [self.pick(8, 12)]


class DeoricEndurance(Ability):
    """For ten rounds, the owner's heart dice show their full maximum (R-131).

    In the destiny version, the use also ends the cunning effect on the owner and wards it off.
    """

    id = "deoric_endurance"
    frequency = "monthly"
    on = AT_ANY_MOMENT
    since: int | None = None

    def _lasts(self, table: Table) -> bool:
        return self.since is not None and table.round < self.since + 10

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return True

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.since = fight.table.round
        for name in OF_THE_CUNNING_EFFECT if self.destined else ():
            self.owner.conditions.end(name)

    def after_roll(self, table: Table, roll: Roll) -> None:
        if self._lasts(table):
            _, sides = roll.rolled[0]
            roll.rolled[0] = (self.owner.heart_max, sides)  # the heart die is the first of the handful

    def wards_off(self, fight: Fight, name: str, giver: Fighter | None) -> bool:
        lasts = self.destined and self._lasts(fight.table)
        return lasts and name in OF_THE_CUNNING_EFFECT and giver is not self.owner


class Tactics(Ability):
    """Until the round ends, attacks on one creature have advantage for each thing wrong with its position."""

    id = "tactics"
    frequency = "minor"
    on = AT_ANY_MOMENT
    aim = "enemy"
    against: frozenset[str] = frozenset()

    def at_round_start(self, fight: Fight) -> None:
        self.against = frozenset()

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        near = fight.table.within(self.owner, target, 6) and fight.table.in_sight(self.owner, target)
        return target.standing and near and target.agent not in self.against

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        self.against |= {target.agent}

    def levels(self, table: Table, roll: Asked) -> int:
        target = roll.opponent
        if roll.kind != "attack" or target is None or target.agent not in self.against:
            return 0
        allies = [ally for ally in table.allies(self.owner) if ally.standing and table.next_to(ally, target)]
        troubles = table.troubles(target)
        walled = table.board is not None and table.board.walled_sides(target.space) >= 2
        true = [len(allies) >= 2, "prone" in troubles, max([0, *troubles.values()]) >= 3, len(troubles) >= 3, walled]
        return sum(true)


class WhispersOfMadness(Ability):
    """The owner gives an enemy a level each of dazed and shaken, which do not fade for ten rounds (R-135).

    In the destiny version, the enemy gets up to three levels of each.
    """

    id = "whispers_of_madness"
    frequency = "major"
    on = ("action",)
    aim = "enemy"
    costs_action = True
    victim: Fighter | None = None
    since = 0
    spoken = 0
    held: dict[str, int]

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        return target.standing and in_range(fight.table, self.owner, target)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        self.victim = target
        self.held = {"dazed": 0, "shaken": 0}
        self._speak(fight, target)

    def _speak(self, fight: Fight, target: Fighter) -> None:
        self.since = fight.table.round
        self.spoken += 1
        for name in ("dazed", "shaken"):
            warded_off = any(owned.wards_off(fight, name, self.owner) for owned in target.abilities)
            fight.inflict(self.owner, target, name, 1)
            self.held[name] += 0 if warded_off else 1

    def at_round_start(self, fight: Fight) -> None:
        if self.destined and self.victim is not None and self.spoken < 3:
            able = fight.table.able(self.owner) and self.victim.standing
            if able and in_range(fight.table, self.owner, self.victim):
                self._speak(fight, self.victim)

    def holds(self, fight: Fight, fighter: Fighter, name: str) -> int:
        if fighter is not self.victim or name not in self.held:
            return 0
        return self.held[name] if fight.table.round < self.since + 10 else 0


class Curseweaver(Ability):
    """The cursed fighter takes damage for its attacks on the owner and on allies that the curse protects (R-129)."""

    id = "curseweaver"
    frequency = "weekly"
    on = AT_ANY_MOMENT
    aim = "enemy"
    cursed: Fighter | None = None
    named: frozenset[str] = frozenset()

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        return target.standing and in_range(fight.table, self.owner, target)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        table = fight.table
        self.cursed = target
        self.named = frozenset(ally.agent for ally in table.allies(self.owner) if in_range(table, self.owner, ally))
        self.named |= {self.owner.agent}

    def returns(self, table: Table, attack: Attack, attacker: Fighter, target: Fighter) -> int:
        falls_under_it = attacker is self.cursed and target.agent in self.named
        return table.roll_die(self.pick(6, 10)) if falls_under_it else 0


class StaggeringBlows(Ability):
    """An attack die at its maximum makes the target off-balanced (R-107).

    In the destiny version, the target also falls or, if it is too large, takes more damage.
    """

    id = "staggering_blows"
    answers = False
    staggered: frozenset[str] = frozenset()
    """The agents staggered by an attack of the phase on them (R-133)."""

    def adds(self, table: Table, roll: Asked) -> list[int]:
        self.answers = roll.answers
        return []

    def after_roll(self, table: Table, roll: Roll) -> None:
        target = roll.opponent
        if roll.kind != "attack" or target is None or self.answers:
            return
        if not any(result == sides for result, sides in roll.kept):
            return
        self.staggered |= {target.agent}
        die = table.weapon_of(self.owner, roll.opponent).die
        if self.destined and die and table.sides_to(self.owner, target) > 1:
            roll.added.append((table.roll_die(die), die))

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if target.agent in self.staggered:
            self.staggered -= {target.agent}
            fight.inflict(self.owner, target, "off_balanced", 3)
            if self.destined and fight.table.sides_to(self.owner, target) <= 1:
                fight.inflict(self.owner, target, "prone", 1)


class LastStand(Ability):
    """The owner has more defense for each wound, and gains rush points for new ones."""

    id = "last_stand"
    fresh = 0
    """The wounds taken since rush points were last given out."""

    def flat(self, table: Table, roll: Asked) -> int:
        return self.owner.wounds_carried if roll.kind == "defence" else 0

    def after_wound(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if victim is self.owner:
            self.fresh += 1

    def more_rush(self, table: Table) -> int:
        fresh, self.fresh = self.fresh, 0
        return fresh


class IDidntFeelAThing(Ability):
    """The next damage to the owner is halved, rounded down."""

    id = "i_didnt_feel_a_thing"
    frequency = "minor"
    on = ("damage",)

    def _coming(self, event: Event | None) -> list[Damage]:
        return event.hits.get(self.owner.agent, []) if isinstance(event, Landing) else []

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return bool(self._coming(event))

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self._coming(event)[0].amount //= 2
