"""Abilities that help the owner's allies in the engagement, one class each (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .ability import Ability
from .moments import BLOWS, Asked, Attack, Damage, Event, Roll
from .requests import AsksLater
from .windows import Windows

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table

ATTACKING = ("might", "agility", "cunning")
WAYS = (
    "dazed", "off_balanced", "weakened", "dazed+dazed", "dazed+off_balanced", "dazed+weakened",
    "off_balanced+off_balanced", "off_balanced+weakened", "weakened+weakened",
)  # fmt: skip
"""The ways to name one or two levels of the cunning effect, in the order of their numbers."""


class MakingItCount(AsksLater):
    """The benefit of the owner's stance counts twice (R-228)."""

    id = "making_it_count"
    frequency = "minor"
    on = ("phase",)
    counts = False

    def at_round_start(self, fight: Fight) -> None:
        self.counts = False

    def at_engagement_end(self, fight: Fight) -> None:
        self.counts = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        if self.counts or fight.phase != self.owner.stance:
            return False
        if fight.phase == "agility":
            return bool(fight.free_steps(self.owner))
        return fight.attacks_now(self.owner) and any(
            self._gains(fight.table, e) for e in fight.table.enemies(self.owner)
        )

    def _gains(self, table: Table, enemy: Fighter) -> bool:
        if not table.may_attack(self.owner, enemy) or not table.beats(self.owner, enemy):
            return False
        if self.owner.stance == "cunning":
            return table.settings.levels
        kind = table.weapon_of(self.owner, enemy).attack_type
        return kind == "whip" or (kind == "melee" and table.board is not None)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.counts = True
        if fight.phase == "agility":
            fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return fight.free_steps(who)

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows | None:
        return fight.step_freely(who, name)

    def cunning_levels(self, table: Table, fighter: Fighter) -> int:
        return 2 if self.counts and fighter is self.owner else 1

    def more_might_bonuses(self, table: Table, fighter: Fighter) -> int:
        return 1 if self.counts and fighter is self.owner else 0


class CoordinatedEfforts(Ability):
    """Allies that hit in the one stance of the whole side have its benefit twice (R-229)."""

    id = "coordinated_efforts"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.hitters: set[str] = set()

    def at_round_start(self, fight: Fight) -> None:
        self.hitters = set()

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        if not attack.outside and attack.dealt.get(attacker.agent, 0) > 0:
            self.hitters.add(attacker.agent)

    def _doubles(self, table: Table, fighter: Fighter) -> bool:
        if fighter is self.owner or fighter.team != self.owner.team or not self.owner.standing:
            return False
        shown = {one.stance for one in table.fighters if one.team == self.owner.team and one.stance is not None}
        return fighter.agent in self.hitters and shown == {self.owner.stance} and self.owner.stance in ATTACKING

    def cunning_levels(self, table: Table, fighter: Fighter) -> int:
        return 2 if self._doubles(table, fighter) else 1

    def more_might_bonuses(self, table: Table, fighter: Fighter) -> int:
        return 1 if self._doubles(table, fighter) else 0


class TacticallySavvy(Ability):
    """Allies that hit have the benefits of all stances, if the side shows all three (R-230)."""

    id = "tactically_savvy"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.hit: dict[str, Fighter] = {}  # the first creature that each attacker has hit in this phase
        self.step, self.levels_to_name = SavvyStep(owner, letter, destined), SavvyLevels(owner, letter, destined)

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        if not attack.outside and attack.dealt.get(attacker.agent, 0) > 0:
            self.hit.setdefault(attacker.agent, target)

    def after_all_attacks(self, fight: Fight, attacker: Fighter) -> None:
        table, owner = fight.table, self.owner
        side = {one.stance for one in table.fighters if one.team == owner.team}
        target = self.hit.pop(attacker.agent, None)
        ally = attacker is not owner and attacker.team == owner.team and attacker.standing
        if fight.phase is None or target is None or not ally or not owner.standing or not side >= set(ATTACKING):
            return
        if attacker.stance != "agility" and table.board is not None:
            fight.request(self.step, attacker)
        if target.standing and attacker.stance != "cunning" and table.settings.levels:
            self.levels_to_name.targets[attacker.agent] = target
            fight.request(self.levels_to_name, attacker)
        melee = table.weapon_of(attacker, target).attack_type == "melee"
        if target.standing and attacker.stance != "might" and table.board is not None and melee:
            feet = 10 + sum(owned.push_feet() for owned in attacker.abilities)
            fight.aftermath.push(attacker, target, feet, by_might=False, often=table.might_bonuses(attacker))


class SavvyStep(AsksLater):
    """The sidestep of an ally that has hit."""

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return ["pass", *fight.free_steps(who)]

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows | None:
        return fight.step_freely(who, name)


class SavvyLevels(AsksLater):
    """The cunning effect of an ally that has hit."""

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.targets: dict[str, Fighter] = {}

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        split = fight.settings.cunning_split
        return [f"pick {k}" for k, way in enumerate(WAYS) if split or len(set(way.split("+"))) == 1]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        target = self.targets[who.agent]
        if target.standing:
            fight.give_cunning_levels(who, target, WAYS[int(name.split()[1])])


class Inspiring(AsksLater):
    """Allies are neither enraged nor frightened and take a point less; in destiny, one is helped a round (R-231)."""

    id = "inspiring"
    on = ("action",)
    aim = "ally"
    helped = False

    def shelters(self, table: Table, fighter: Fighter, name: str) -> bool:
        owner = self.owner
        if name not in (table.rage, "frightened") or not self._stands_by(fighter):
            return False
        calm = not any(there in owner.conditions for there in (table.rage, "frightened", "mute"))
        aware = not any(there in fighter.conditions for there in ("blinded", "deafened"))
        return calm and aware and table.in_sight(fighter, owner)

    def _stands_by(self, fighter: Fighter) -> bool:
        return fighter is not self.owner and fighter.team == self.owner.team and self.owner.standing

    def raises(self, fight: Fight, victim: Fighter) -> int:
        table = fight.table
        together = fight.phase is not None and table.takes_part(self.owner) and table.takes_part(victim)
        return -1 if together and self._stands_by(victim) else 0

    def at_round_start(self, fight: Fight) -> None:
        self.helped = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        assert target is not None
        table = fight.table
        near = target.standing and table.within(self.owner, target, 6) and table.in_sight(self.owner, target)
        return self.destined and not self.helped and near and bool(self.part(fight, target, ()))

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        assert target is not None
        if given:
            return []
        there = [name in target.conditions for name in WAYS[:3]]
        free = fight.table.able(target) and not fight.table.is_too_busy_to_move(target)
        held = fight.table.restrained(target) > 0 or target.grappling is not None
        may_rise = free and "prone" in target.conditions and not held
        helps = [*there, any(there), may_rise, bool(fight.free_steps(target))]
        return [f"pick {k}" for k, helped in enumerate(helps) if helped]

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        assert target is not None
        self.helped = True
        match self.answers[0]:
            case "pick 5":
                fight.request(self, target)
            case "pick 4":
                target.conditions.end("prone")
                target.moved = True
            case "pick 3":
                for name in WAYS[:3]:
                    target.conditions.lose(name, 1)
            case answer:
                target.conditions.end(WAYS[int(answer.split()[1])])

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        return fight.free_steps(who)

    def answered(self, fight: Fight, who: Fighter, name: str) -> Windows | None:
        return fight.step_freely(who, name)


class Hordebreaker(Ability):
    """As the round ends, it attacks all beside it with whom it has not fought (R-232, R-282)."""

    id = "hordebreaker"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.fought: set[str] = set()

    def at_round_start(self, fight: Fight) -> None:
        self.fought = set()

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        if self.owner in (attacker, target):
            self.fought.update((attacker.agent, target.agent))

    def at_round_end(self, fight: Fight) -> None:
        table, owner = fight.table, self.owner
        if not owner.standing or not table.can_attack(owner) or table.may_only_defend(owner):
            return
        for enemy in table.enemies(owner):
            if enemy.agent not in self.fought and table.next_to(owner, enemy) and table.may_attack(owner, enemy):
                fight.owe_attack(owner, enemy, off=self.fought)


class BoundlessFury(AsksLater):
    """A mighty blow earns a small engagement with another; in destiny, a drop earns a die (R-233)."""

    id = "boundless_fury"
    fight: Fight | None = None

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        self.attacked: set[str] = set()
        self.earned = self.ready = self.answering = False
        self.waits_for_rolls = False
        self.times = 0
        self.own_stance, self.their_stance = ShowsStance(owner, letter, destined), ShowsStance(owner, letter, destined)
        self.own_stance.fury = self.their_stance.fury = self

    def at_round_start(self, fight: Fight) -> None:
        self.attacked, self.earned, self.waits_for_rolls, self.times = set(), False, False, 0

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        if attacker is self.owner:
            self.attacked.add(target.agent)
        if self.waits_for_rolls and self.fight is not None and self.owner in (attacker, target):
            self.tire(self.fight)

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        if damage.by is not self.owner or victim is self.owner or damage.cause not in BLOWS:
            return
        if damage.cause != "opportunity" and victim.agent not in self.owner.struck_now:
            return  # it has only answered in a contest
        self.earned |= damage.cause == "attack" and damage.amount > victim.heart_max
        self.ready |= self.destined and victim.hp <= 0 < victim.hp + damage.amount

    def adds(self, table: Table, roll: Asked) -> list[int]:
        self.answering = roll.answers
        mine = roll.kind == "attack" and roll.opponent is not None and not roll.answers
        return [10] if mine and self.ready else []

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind == "attack" and not self.answering:
            self.ready = False

    def at_round_end(self, fight: Fight) -> None:
        self._offer(fight)

    def after_all_attacks(self, fight: Fight, attacker: Fighter) -> None:
        if attacker is self.owner and fight.phase is None:
            self._offer(fight)

    def _offer(self, fight: Fight) -> None:
        if fight.settings.edition == "classic":
            return
        if self.earned and fight.table.able(self.owner):
            fight.request(self, self.owner)

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        table = fight.table
        return ["pass"] + [
            f"pick_at {place}"
            for place, enemy in enumerate(table.enemies(who), 1)
            if enemy.standing
            and enemy.agent not in self.attacked
            and table.next_to(who, enemy)
            and table.reaches(who, enemy)
            and not table.barred(who, enemy)
        ]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        self.earned = False
        self.times += 1
        fight.request(self.own_stance, who)
        fight.request(self.their_stance, fight.table.enemies(who)[int(name.split()[1]) - 1])

    def engage(self, fight: Fight, foe: Fighter) -> None:
        """Let whoever may attack the other do so, once both have shown their stances."""
        table, owner = fight.table, self.owner
        pairs = [
            (one, other)
            for one, other in ((owner, foe), (foe, owner))
            if table.can_attack(one) and not table.may_only_defend(one) and table.may_attack(one, other)
        ]
        fight.exchange.able_to_attack -= {owner.agent, foe.agent}
        fight.exchange.able_to_attack |= {one.agent for one, _ in pairs}
        if not pairs:
            self.tire(fight)
            return
        self.fight, self.waits_for_rolls = fight, True
        fight.owe_attack(*pairs[0], shared=len(pairs) == 2)

    def tire(self, fight: Fight) -> None:
        """Weaken the owner by a level for each extra engagement of the round."""
        self.waits_for_rolls = False
        fight.inflict(self.owner, self.owner, "weakened", self.times)


class ShowsStance(AsksLater):
    """The stance that one of the two shows in the extra engagement."""

    fury: BoundlessFury

    def choices_of(self, fight: Fight, who: Fighter) -> list[str]:
        free = fight.table.able(who) and not fight.table.may_only_defend(who)
        return [f"pick {k}" for k in range(4) if free or k == 3]

    def answered(self, fight: Fight, who: Fighter, name: str) -> None:
        who.stance = (*ATTACKING, "defensive")[int(name.split()[1])]
        if who is not self.owner:
            self.fury.engage(fight, who)
