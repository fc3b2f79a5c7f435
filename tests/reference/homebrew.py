"""Homebrew abilities: a small interpreter of their declarations, written from their page in the documentation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .ability import Ability
from .conditions import WITH_SOURCE
from .dice import half
from .moments import AT_ANY_MOMENT, Asked, Attack, Damage, Event, Landing, Roll

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table

Declared = Mapping[str, Any]

OCCASIONS = {
    "first_roll": ("first roll",),
    "second_roll": ("second roll",),
    "landed": ("damaged",),
    "any_moment": AT_ANY_MOMENT,
}
"""The occasions of the uses that go by another name here."""
ROLLS = {"attack": "attack", "defense": "defence", "attack_rolled": "attack", "defense_rolled": "defence"}
"""The kind of roll that each of these triggers is about."""


class Homebrew(Ability):
    """An ability that a game maker has declared."""

    fight: Fight | None = None

    def __init__(self, owner: Fighter, letter: str, declared: Declared) -> None:
        super().__init__(owner, letter, False)
        self.id = declared["id"]
        self.declared = declared
        self.trigger: str | None = declared.get("trigger")
        self.use: str | None = declared.get("use")
        self.effects: list[Declared] = declared["effects"]
        self.on = OCCASIONS.get(self.use, (self.use,)) if self.use else ()
        self.aim = None if declared.get("aim", "own") == "own" else declared["aim"]
        self.costs_action = declared.get("costs_action", self.use == "action")
        self.rate = declared.get("frequency", "once_a_round")
        self.prepared = self.used_now = False

    # ---- its price

    @property
    def points(self) -> int:
        """The rush points of the next use."""
        return self.uses + 1 if self.rate == "minor" else self.declared.get("rush", 0)

    def affordable(self, table: Table) -> bool:
        if self.costs_action and not table.can_spend_action(self.owner):
            return False
        spent = (self.rate == "once_a_round" and self.used_now) or (self.rate == "major" and self.uses > 0)
        return not spent and self.owner.rush >= self.points

    def pay(self, fight: Fight) -> None:
        self.owner.rush -= self.points
        self.uses += 1
        self.used_now = True
        if self.costs_action:
            self.owner.spend_action()

    # ---- its conditions

    def all_hold(self, table: Table, other: Fighter | None, roll: int | None = None, damage: int | None = None) -> bool:
        """Return whether all conditions hold; those about a fighter, a roll or damage need one."""
        return all(self._met(table, name, value, other, roll, damage) for name, value in self._when.items())

    @property
    def _when(self) -> Declared:
        when: Declared = self.declared.get("when", {})
        return when

    def _met(
        self, table: Table, name: str, value: Any, other: Fighter | None, roll: int | None, damage: int | None
    ) -> bool:
        owner = self.owner
        whose, _, what = name.partition("_")
        one = {"own": owner, "other": other}.get(whose)
        if name == "first_round":
            return (table.round == 1) is value
        if name == "from_round":
            return table.round >= int(value)
        if name == "roll_at_most":
            return roll is not None and roll <= value
        if name == "damage_at_least":
            return damage is not None and damage >= value
        if name == "damage_at_most":
            return damage is not None and damage <= value
        if name == "ally_within":
            return any(self._near(table, ally, value) for ally in table.allies(owner))
        if name == "enemy_within":
            return any(self._near(table, enemy, value) for enemy in table.enemies(owner))
        if name == "own_stance_beats":
            return other is not None and table.beats(owner, other) is value
        if one is None:
            return False
        seen: dict[str, Callable[[Fighter], bool]] = {
            "stance": lambda one: one.stance == value,
            "condition": lambda one: has(table, one, value),
            "below_half": lambda one: (2 * one.hp < one.hp_max) is value,
            "wounded": lambda one: (one.wounds_carried > 0) is value,
            "full_heart": lambda one: (one.heart == one.heart_max) is value,
            "within": lambda one: table.within(owner, one, value // 5) and table.in_sight(owner, one),
        }
        return seen[what](one)

    def _near(self, table: Table, one: Fighter, feet: int) -> bool:
        return one.standing and table.within(self.owner, one, feet // 5) and table.in_sight(self.owner, one)

    def acts(
        self,
        table: Table,
        trigger: str,
        other: Fighter | None,
        roll: int | None = None,
        damage: int | None = None,
    ) -> bool:
        """Return whether the ability acts by itself at this trigger now."""
        ready = self.trigger == trigger and self.owner.standing and (self.use is None or self.prepared)
        return ready and self.all_hold(table, other, roll, damage)

    # ---- its effects

    def _amount(self, table: Table, effect: Declared) -> int:
        if "dice" not in effect:
            return int(effect["amount"])
        return sum(table.roll_die(die) for die in _dice(effect["dice"]))

    def _whom(self, effect: Declared, other: Fighter | None) -> Fighter | None:
        does, for_ally = effect["do"], self.aim == "ally" and effect["do"] in ("heal", "clear")
        usual = "other" if does in ("give", "harm") or for_ally else "own"
        return other if effect.get("whom", usual) == "other" else self.owner

    def change(self, fight: Fight, other: Fighter | None) -> None:
        """Do the effects that change fighters, in order; those on a fighter that is not there are left out."""
        for effect in self.effects:
            one = self._whom(effect, other)
            if one is not None:
                self._do(fight, effect, one)

    def _do(self, fight: Fight, effect: Declared, one: Fighter) -> None:
        does = effect["do"]
        if does == "heal":
            fight.heal(one, self._amount(fight.table, effect))
        elif does == "clear":
            if "levels" in effect:
                one.conditions.lose(effect["condition"], effect["levels"])
            else:
                one.conditions.end(effect["condition"])
        elif not one.standing:
            return
        elif does == "rush":
            one.rush += effect["amount"]
        elif does == "harm":
            fight.strike(one, Damage(self._amount(fight.table, effect), self.owner, "ability"))
        elif does == "give":
            self._give(fight, one, effect["condition"], effect.get("levels", 1))

    def _give(self, fight: Fight, one: Fighter, name: str, levels: int) -> None:
        if name == "burning":
            for owned in self.owner.abilities:
                owned.lit(one)
        before = one.conditions.of(name)
        fight.inflict(self.owner, one, name, levels, self.owner.agent if name in WITH_SOURCE else None)
        if name == "blinded" and fight.phase is not None and one.conditions.of(name) > before:
            one.conditions.blinded_in_engagement = True

    def _would_change(self, fight: Fight, effect: Declared, one: Fighter, event: Event | None) -> bool:
        """Return whether an effect of a use would change anything about this fighter."""
        does = effect["do"]
        if does == "heal":
            return one.hp < one.hp_max - one.wounds
        if does == "clear":
            return effect["condition"] in one.conditions
        if does == "give":
            name = effect["condition"]
            sources = one.conditions.sources
            another = name in WITH_SOURCE and sources.get(name) != self.owner.agent
            return another or one.conditions.of(name) < one.conditions.most(name)
        if does in ("reduce_damage", "halve_damage"):
            return isinstance(event, Landing) and self.owner.agent in event.hits
        if does == "bonus":
            return isinstance(event, Attack) and self.owner.agent in event.rolls
        return True

    # ---- its use

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        table = fight.table
        if target is not None and not target.standing:
            return False
        feet = self.declared.get("range", 0)
        if target is not None and feet and not self._near(table, target, feet):
            return False
        if self.trigger is not None:
            return not self.prepared
        roll = damage = None
        if isinstance(event, Landing) and self.use == "damage" and self.owner.agent in event.hits:
            damage = event.hits[self.owner.agent][0].amount
        if isinstance(event, Attack) and self.use == "second_roll" and self.owner.agent in event.rolls:
            roll = event.rolls[self.owner.agent].total
        if not self.all_hold(table, target, roll, damage):
            return False
        told = [(effect, self._whom(effect, target)) for effect in self.effects]
        return any(one is not None and self._would_change(fight, effect, one, event) for effect, one in told)

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        if self.trigger is not None:
            self.prepared = True
            return
        if isinstance(event, Landing) and self.use == "damage" and self.owner.agent in event.hits:
            hit = event.hits[self.owner.agent][0]
            hit.amount = self._left(fight.table, hit.amount)
        if isinstance(event, Attack) and self.use == "second_roll" and self.owner.agent in event.rolls:
            event.rolls[self.owner.agent].flat += self._bonus
        self.change(fight, target)

    # ---- its triggers

    @property
    def _bonus(self) -> int:
        return sum(effect["amount"] for effect in self.effects if effect["do"] == "bonus")

    def _left(self, table: Table, damage: int) -> int:
        for effect in self.effects:
            if effect["do"] == "reduce_damage":
                damage = max(0, damage - self._amount(table, effect))
            elif effect["do"] == "halve_damage":
                damage = half(damage)
        return damage

    def levels(self, table: Table, roll: Asked) -> int:
        own = self._rolls_own(table, roll)
        on_owner = roll.kind == "attack" and roll.opponent is self.owner and self.acts(table, "attacked", roll.fighter)
        if not own and not on_owner:
            return 0
        ways = {"advantage": 1, "disadvantage": -1}
        return sum(ways.get(effect["do"], 0) * effect.get("levels", 1) for effect in self.effects)

    def _rolls_own(self, table: Table, roll: Asked) -> bool:
        """Return whether the ability acts on this roll of its owner."""
        if roll.fighter is not self.owner or roll.opponent is None or self.trigger not in ("attack", "defense"):
            return False
        return ROLLS[self.trigger] == roll.kind and self.acts(table, self.trigger, roll.opponent)

    def flat(self, table: Table, roll: Asked) -> int:
        return self._bonus if self._rolls_own(table, roll) else 0

    def adds(self, table: Table, roll: Asked) -> list[int]:
        dice = [die for effect in self.effects if effect["do"] == "extra_dice" for die in _dice(effect["dice"])]
        return dice if self._rolls_own(table, roll) else []

    def after_roll(self, table: Table, roll: Roll) -> None:
        trigger = self.trigger
        if trigger not in ("attack_rolled", "defense_rolled") or ROLLS[trigger] != roll.kind or roll.opponent is None:
            return
        if self.acts(table, trigger, roll.opponent, roll=roll.total):
            roll.flat += self._bonus

    def deals(self, target: Fighter, amount: int) -> int:
        assert self.fight is not None
        table = self.fight.table
        if amount > 0 and self.acts(table, "harms", target, damage=amount):
            amount += sum(self._amount(table, effect) for effect in self.effects)
        return amount

    def cuts(self, fight: Fight, damage: Damage) -> int:
        acts = damage.amount > 0 and self.acts(fight.table, "harmed", damage.by, damage=damage.amount)
        return self._left(fight.table, damage.amount) if acts else damage.amount

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        own = victim is self.owner and damage.amount > 0
        if own and self.acts(fight.table, "hurt", damage.by, damage=damage.amount):
            self.change(fight, damage.by)

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        if self.acts(fight.table, "after_attack", target):
            self.change(fight, target)

    def after_attack_on_owner(self, fight: Fight, attacker: Fighter, stance: str | None) -> None:
        if self.acts(fight.table, "struck", attacker):
            self.change(fight, attacker)

    def at_round_start(self, fight: Fight) -> None:
        self.fight, self.prepared, self.used_now = fight, False, False
        if self.acts(fight.table, "round_starts", None):
            self.change(fight, None)

    def at_reveal(self, fight: Fight) -> None:
        if self.acts(fight.table, "stances_shown", None):
            self.change(fight, None)

    def wards_off(self, fight: Fight, name: str, giver: Fighter | None) -> bool:
        refused = any(effect.get("condition", name) == name for effect in self.effects)
        return refused and self.acts(fight.table, "suffers", giver)


def has(table: Table, one: Fighter, name: str) -> bool:
    """Return whether a fighter has a condition; a hold is one of both fighters."""
    holds = {"grappling": one.grappling is not None, "grappled": table.grappler_of(one) is not None}
    return holds.get(name, name in one.conditions)


def _dice(told: str) -> list[int]:
    """Return the sides of dice such as "2d6", one by one."""
    number, _, sides = told.partition("d")
    return [int(sides)] * int(number or 1)
