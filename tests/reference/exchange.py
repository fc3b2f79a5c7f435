"""The deeds of one phase, with its attack and defence rolls (RULES, "Attack and defence rolls")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .ability import Ability
from .moments import ON_ROLLS, Attack, Damage, Roll
from .rolls import roll_attack, roll_defence
from .sheet import Fighter
from .table import Table

Windows = Generator[None, Mapping[str, str], Any]


@dataclass
class Plan:
    """One fighter's attack or maneuver (the verb) on a target in a phase."""

    fighter: Fighter
    verb: str
    target: Fighter
    named: str | None = None
    succeeded: bool = True
    pushes: bool = False
    """Whether it is an attack whose might bonus is a push."""
    squeezes: bool = False
    """Whether a squeeze takes the place of the push."""
    guarded: Fighter | None = None
    """The fighter that was attacked, if another has taken its place."""
    shared: bool = False
    """Whether the target chose to attack the fighter too, so that a contest is the attack of both."""


@dataclass(frozen=True)
class Hit:
    """Damage that is to land. `place` sorts the hits of one fighter (R-26)."""

    place: tuple[int, ...]
    victim: Fighter
    damage: Damage


@dataclass(frozen=True)
class Blow:
    """A chosen attack, and the damage that its rolls do to its target."""

    fighter: Fighter
    target: Fighter
    harm: int


def returned_damage(table: Table, attack: Attack, attacker: Fighter, target: Fighter) -> list[Damage]:
    """Return the damage that abilities do to a fighter that chose an attack."""
    return [Damage(owned.returns(table, attack, attacker, target), owned.owner, "ability") for owned in table.abilities]


def tell_exchange(table: Table, attack: Attack, attacker: Fighter, target: Fighter) -> None:
    """Tell all abilities about an attack whose rolls have been compared."""
    for owned in table.abilities:
        owned.after_exchange(attack, attacker, target)


class Exchange:
    """The attack and defence rolls of one phase, gathered before any damage lands."""

    def __init__(self, table: Table, able_to_attack: set[str], let_answer: Callable[[str, Any], Windows]) -> None:
        self.table = table
        self.let_answer = let_answer
        self.settings = table.settings
        self.place: dict[str, int] = {}
        """Each agent's place in the timing order of the phase."""
        self.able_to_attack = able_to_attack
        self.chosen: set[tuple[str, str]] = set()
        """The attacks that were chosen in the latest window."""
        self.went_for: set[tuple[str, str]] = set()
        self.taken: set[tuple[str, str]] = set()
        """Those of them that a guardian has taken, who is named as the target."""
        self.hits: list[Hit] = []
        self.efforts: dict[str, list[Damage]] = {}
        """The damage that tripping did to those who are suffocating."""
        self.attacked: list[tuple[Fighter, Fighter]] = []
        self.answered_in_contest: list[tuple[Fighter, Fighter]] = []
        self.blows: list[Blow] = []
        self.dealt: dict[tuple[str, str], int] = {}
        """What the latest attack of each pair has done."""
        self.won: set[tuple[str, str]] = set()
        """The attacks whose stance beat the target's."""
        self.not_won: set[tuple[str, str]] = set()
        """The attacks that a guardian has taken and whose stance did not beat that of the protected creature."""
        self.earned: list[Plan] = []
        """The plans whose throw may be followed up (R-35)."""
        self.follow_ups: dict[str, int] = {}
        """How many further attacks abilities give to each agent that has attacked."""
        self.made: Counter[str] = Counter()
        """How many attacks of its choice each agent has made."""

    def settle(self, plans: list[Plan]) -> Windows:
        """Put plans into timing order and roll the attacks among them; all who take part are active (R-18)."""
        plans.sort(key=lambda plan: self.place[plan.fighter.agent])
        for plan in plans:
            plan.fighter.active = plan.target.active = True
            for owned in plan.fighter.abilities if plan.verb == "attack" else []:
                owned.chose_attack()
                owned.chose_first(plan.named)
        attacks = [plan for plan in plans if plan.verb == "attack"]
        yield from self.roll_attacks(attacks, which=0)
        for plan in attacks:
            further = sum(owned.follow_ups(self.table) for owned in plan.fighter.abilities)
            called = any(owned.calls_to_two(plan.fighter) for owned in self.table.abilities)
            further = max(further, int(called))
            self.follow_ups |= {plan.fighter.agent: further} if further else {}
        return plans

    def roll_attacks(self, plans: list[Plan], which: int) -> Windows:
        """Roll attacks in timing order; two fighters that chose each other have one contest, at the earlier place."""
        chosen = {(plan.fighter.agent, plan.target.agent) for plan in plans}
        self.chosen = set(chosen)
        self.made.update(plan.fighter.agent for plan in plans)
        self.went_for |= chosen
        settled: set[tuple[str, str]] = set()
        for plan in sorted(plans, key=lambda plan: self.place[plan.fighter.agent]):
            pair = (plan.fighter.agent, plan.target.agent)
            place = (self.place[plan.fighter.agent], which)
            self.attacked.append((plan.fighter, plan.target))
            if pair in settled:
                continue
            plan.shared = pair[::-1] in chosen
            if self._is_contest(plan.fighter, plan.target):
                settled.add(pair[::-1])
            yield from self._roll_attack(plan, place, first=which == 0)
            if which == 0:
                yield from self._roll_further_attacks(plan)

    def roll_one(self, plan: Plan) -> Windows:
        """Roll one attack that was not chosen in the phase."""
        pairs = [(plan.fighter, plan.target), (plan.target, plan.fighter)][: 2 if plan.shared else 1]
        self.attacked += pairs
        plan.fighter.active = True
        self.chosen = {(one.agent, other.agent) for one, other in pairs if plan.shared}
        self.went_for |= self.chosen
        yield from self._roll_attack(plan, (0, 0), first=False)

    def _roll_attack(self, plan: Plan, place: tuple[int, int], first: bool) -> Windows:
        plan.target.active = True
        plan.fighter.attacks_first = first
        if plan.shared:
            plan.target.struck_now.add(plan.fighter.agent)
            plan.target.attacks_first = first
        if self._is_contest(plan.fighter, plan.target):
            plan.fighter.struck_now.add(plan.target.agent)
            yield from self._contest(plan, place, first)
        else:
            yield from self._attack_against_defence(plan, place, first)
        plan.fighter.attacks_first = plan.target.attacks_first = False

    def _roll_further_attacks(self, plan: Plan) -> Windows:
        """Roll the attacks that abilities add to a chosen attack, right after it; those added last come first.

        Two fighters that add attacks on each other roll one contest (R-137).
        """
        fighter, target = plan.fighter, plan.target
        further, shared = {fighter.agent: self._further_targets(fighter, target)}, False
        if plan.guarded is not None:
            further = {fighter.agent: [plan.guarded if one is target else one for one in further[fighter.agent]]}
        elif self._is_contest(fighter, target) and (target.agent, fighter.agent) in self.went_for - self.taken:
            further[target.agent] = self._further_targets(target, fighter)
            shared = target in further[fighter.agent] and fighter in further[target.agent]
            if shared:
                later = max(fighter, target, key=lambda one: self.place[one.agent])
                further[later.agent] = [other for other in further[later.agent] if other not in (fighter, target)]
        for agent in sorted(further, key=lambda agent: -self.place[agent]):
            for other in further[agent]:
                self.attacked.append((self.table[agent], other))
                more = Plan(self.table[agent], "attack", other, shared=shared and other in (fighter, target))
                yield from self._roll_attack(more, (self.place[agent], 0), first=False)

    def _further_targets(self, fighter: Fighter, target: Fighter) -> list[Fighter]:
        """Return the targets that abilities add, except those whose own attack on the fighter is already a contest."""
        return [
            other
            for owned in reversed(fighter.abilities)
            for other in owned.further_targets(self.table, target)
            if other is target or (other.agent, fighter.agent) not in self.went_for or other.stance != fighter.stance
        ]

    def has_another_attack(self, fighter: Fighter) -> bool:
        """Return whether an ability or the throw's might bonus gives one more attack, with a weapon left to throw."""
        made = self.made[fighter.agent]
        if fighter.agent in self.follow_ups:
            return self.follow_ups[fighter.agent] >= made
        enough = fighter.throwables > made or self.settings.thrown == "unlimited"
        return enough and 1 + sum(owned.more_throws() for owned in fighter.abilities) >= made

    def struck_by(self, fighter: Fighter) -> list[str]:
        """Return the agents that the fighter has attacked in the phase."""
        return [target.agent for one, target in self.attacked if one is fighter]

    def _is_contest(self, fighter: Fighter, target: Fighter) -> bool:
        """Return whether equal stances contest: the target can attack back, or does (`mutual`), or `always` (R-9)."""
        if fighter.stance != target.stance:
            return False
        if self.settings.contested == "always":
            return True
        if self.settings.contested == "mutual":
            return (target.agent, fighter.agent) in self.chosen or fighter.agent in target.struck_now
        can = target.agent in self.able_to_attack and not self.table.barred(target, fighter)
        return can and self.table.reaches(target, fighter)

    def _contest(self, plan: Plan, place: tuple[int, int], first: bool) -> Windows:
        """Roll both attacks, the earlier in timing order first; the loser takes the difference."""
        fighter, target, mutual = plan.fighter, plan.target, plan.shared
        assert fighter.stance is not None
        armor = {one.agent: self.table.armor_of(one, other) for one, other in ((fighter, target), (target, fighter))}
        worn = armor if self.settings.armor_in_contest else None
        attack = Attack(fighter, target, fighter.stance, True, mutual, worn, first)
        pairs = sorted([(fighter, target), (target, fighter)], key=lambda pair: self.place[pair[0].agent])
        for (one, other), occasion in zip(pairs, ON_ROLLS, strict=True):
            answers = one is target and not mutual
            attack.rolls[one.agent] = roll_attack(self.table, one, fighter.stance, other, answers=answers)
            one.shot = one.shot or self.table.weapon_of(one).attack_type == "ranged"
            yield from self.let_answer(occasion, attack)
        for one, other in ((fighter, target), (target, fighter)):
            self._strike(attack, one, other, place)
        self.answered_in_contest.append((target, fighter))
        for one, other in [(fighter, target), (target, fighter)] if mutual else [(fighter, target)]:
            tell_exchange(self.table, attack, one, other)
            self._suffer(attack, one, other, place)
        yield from self._sweep(attack, place)

    def _sweep(self, attack: Attack, place: tuple[int, int]) -> Windows:
        """Compare the attack roll with the defences of other enemies too (R-133)."""
        both = (attack.fighter, attack.target)
        twice = [(one, owned.shoots_too()) for one in both for owned in one.abilities]
        seconds = [(one, [second]) for one, second in twice if second is not None]
        for ability in attack.carriers:
            if attack.sweeps or seconds:
                ability.ends()
            else:
                yield from self._carry_on(ability, attack, place)
        for fighter, victims in [*reversed(seconds), *reversed(attack.sweeps)]:
            for victim in victims:
                roll = replace(attack.rolls[fighter.agent], kind="sweep")
                yield from self._strike_again(fighter, victim, roll, attack.stance, place)

    def _carry_on(self, ability: Ability, attack: Attack, place: tuple[int, int]) -> Windows:
        """Let the damage of an attack go on from one to the next, until nothing is left (R-223)."""
        fighter = ability.owner
        struck = attack.target if fighter is attack.fighter else attack.fighter
        left = self.dealt[fighter.agent, struck.agent]
        while left > 0 and (victim := ability.next_target(self.table, struck)) is not None:
            roll = Roll(fighter, "sweep", [], 0, victim, flat=left)
            yield from self._strike_again(fighter, victim, roll, attack.stance, place)
            struck, left = victim, self.dealt[fighter.agent, victim.agent]
        ability.ends()

    def _strike_again(
        self, fighter: Fighter, victim: Fighter, roll: Roll, stance: str, place: tuple[int, int]
    ) -> Windows:
        """Compare an attack roll with the defence of another fighter."""
        swept = Attack(fighter, victim, stance, rolls={fighter.agent: roll}, again=True)
        wins = self.table.beats(fighter, victim)
        bonus = self._might_bonus(fighter, victim, wins)
        self.won.add((fighter.agent, victim.agent) if wins else ("", ""))
        self.attacked.append((fighter, victim))
        fighter.struck_now.add(victim.agent)
        victim.active = True
        yield from self.let_answer("sweep", swept)
        victim = swept.target
        swept.rolls[victim.agent] = roll_defence(self.table, victim, stance, fighter, armor_counts=bonus != "ranged")
        yield from self.let_answer("second roll", swept)
        self._strike(swept, fighter, victim, place)
        tell_exchange(self.table, swept, fighter, victim)
        self._suffer(swept, fighter, victim, place)

    def _might_bonus(self, fighter: Fighter, target: Fighter, wins: bool) -> str | None:
        """Return the type of the attack whose might bonus takes hold, or None."""
        if fighter.stance != "might" or not wins or any(owned.replaces_might_bonus() for owned in fighter.abilities):
            return None
        return self.table.weapon_of(fighter, target).attack_type

    def _suffer(self, attack: Attack, fighter: Fighter, target: Fighter, place: tuple[int, int]) -> None:
        self.hits += [Hit(place, fighter, hurt) for hurt in returned_damage(self.table, attack, fighter, target)]

    def _strike(self, attack: Attack, fighter: Fighter, target: Fighter, place: tuple[int, int]) -> int:
        """Record what a roll of the attack does; a baited attack that does nothing strikes another fighter in full."""
        harm = attack.harm(fighter)
        for owned in fighter.abilities:
            harm = owned.deals(target, harm)
        share = max([2, *(owned.share_in_defense() for owned in target.abilities)])
        answers = attack.attacker_of(target) is not fighter
        halved = (target.stance if attack.met is None else attack.met) == "defensive"
        hurt = Damage(-(-harm // share) if halved else harm, fighter, "attack", answers)
        self.dealt[fighter.agent, target.agent] = hurt.amount
        for owned in target.abilities if not attack.contested else []:
            if (shared := owned.shares(harm, hurt.amount)) is not None:
                self.hits.append(Hit(place, shared[0], Damage(shared[1], fighter, "attack", True)))
                hurt.amount = shared[2]
        attack.dealt[fighter.agent] = hurt.amount
        self.hits.append(Hit(place, target, hurt))
        if attack.attacker_of(target) is fighter:
            self.blows.append(Blow(fighter, target, hurt.amount))
        for ability, victim in attack.baits:
            if ability.owner is target and harm == 0:
                full = Damage(attack.rolls[fighter.agent].total, fighter, "attack", True)
                self.hits.append(Hit(place, victim, full))
                ability.after_bait(fighter, victim)
        return harm

    def _attack_against_defence(self, plan: Plan, place: tuple[int, int], first: bool) -> Windows:
        """Roll attack minus defence, halved by the defensive stance. The might bonus needs might to beat cunning."""
        fighter, target = plan.fighter, plan.target
        assert fighter.stance is not None
        wins, met = self.table.beats(fighter, target), target.stance or ""
        threat = Attack(fighter, target, fighter.stance)
        yield from self.let_answer("threat", threat)
        if threat.guard is not None:
            plan.guarded = target
            if first:
                self.chosen.discard((fighter.agent, target.agent))
                self.went_for.discard((fighter.agent, target.agent))
                self.taken.add((fighter.agent, threat.guard.agent))
                self.went_for |= self.taken
                plan.target = threat.guard
            else:
                for owned in fighter.abilities:
                    owned.is_taken(target, threat.guard)
            self.attacked[-1] = (fighter, threat.guard)
            target = threat.guard
            self.not_won |= set() if wins else {(fighter.agent, target.agent)}
            target.active = True
            target.stands_in_for = plan.guarded
        fighter.struck_now.add(target.agent)
        attack_type = self.table.weapon_of(fighter, target).attack_type
        bonus = self._might_bonus(fighter, target, wins)
        attack = Attack(fighter, target, fighter.stance, chosen=first, met=met)
        self.won.add((fighter.agent, target.agent) if wins else ("", ""))
        whip_dice = self.table.might_bonuses(fighter) if bonus == "whip" else 0
        attack.rolls[fighter.agent] = roll_attack(self.table, fighter, fighter.stance, target, whip_dice, wins)
        fighter.shot = fighter.shot or attack_type == "ranged"
        yield from self.let_answer("first roll", attack)
        target = attack.target  # another may have stepped in
        attack.rolls[target.agent] = roll_defence(
            self.table, target, fighter.stance, fighter, armor_counts=bonus != "ranged"
        )
        yield from self.let_answer("second roll", attack)
        harm = self._strike(attack, fighter, target, place)
        self._suffer(attack, fighter, target, place)
        tell_exchange(self.table, attack, fighter, target)
        if threat.guard is not None:
            threat.guard.stands_in_for = None
        plan.pushes = bonus == "melee" and self.table.board is not None
        if bonus == "thrown" and harm > 0 and first:
            self.earned.append(plan)
        yield from self._sweep(attack, place)
