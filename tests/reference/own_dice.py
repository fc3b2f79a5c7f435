"""Abilities that change their owner's dice and rolls, one class each (RULES, section 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from .ability import Ability
from .dice import DIE_SIZES, one_size_down
from .moments import Asked, Attack, Event, Roll

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table

# ------------------------------------------------------------------------------------------------- larger dice


class TitanicStrength(Ability):
    """The owner's might die is a d20."""

    id = "titanic_strength"
    which: ClassVar[str] = "might"

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        super().__init__(owner, letter, destined)
        owner.dice[self.which] = 20


class DivineDexterity(TitanicStrength):
    """The owner's agility die is a d20."""

    id = "divine_dexterity"
    which = "agility"


class IngeniousCunning(TitanicStrength):
    """The owner's cunning die is a d20."""

    id = "ingenious_cunning"
    which = "cunning"


class Relentless(Ability):
    """The owner's attacks and defences use the largest size of its heart die (R-151)."""

    id = "relentless"

    def heart(self, kind: str, die: int) -> int:
        return self.owner.heart_max if kind in ("attack", "defence") else die


# ------------------------------------------------------------------------------------------ streaks of a stance


class Streak(Ability):
    """An ability of one stance, whose destiny version adds a die to the owner's attacks and defences.

    It does so from the second round in a row in the stance on, and the die grows with each round.
    """

    stance: ClassVar[str]
    rounds = 0
    """The number of rounds in a row in the stance, with this round once it is revealed."""

    def at_reveal(self, fight: Fight) -> None:
        self.rounds = self.rounds + 1 if self.owner.stance == self.stance else 0

    def adds(self, table: Table, roll: Asked) -> list[int]:
        again = self.destined and self.owner.stance == self.stance and self.rounds >= 2
        if roll.kind not in ("attack", "defence") or not again:
            return []
        return [DIE_SIZES[min(self.rounds - 1, len(DIE_SIZES) - 1)]]


class Cunning(Streak):
    """Each level of the cunning effect counts twice (R-118)."""

    id = "cunning"
    stance = "cunning"

    def cunning_levels(self, table: Table, fighter: Fighter) -> int:
        return 2 if fighter is self.owner else 1


class Agile(Streak):
    """The owner may sidestep twice in the agility stance."""

    id = "agile"
    stance = "agility"


class Mighty(Streak):
    """The might bonus counts once more (R-134)."""

    id = "mighty"
    stance = "might"

    def more_might_bonuses(self, table: Table, fighter: Fighter) -> int:
        return 1 if fighter is self.owner else 0

    def more_throws(self) -> int:
        return 1


# ------------------------------------------------------------------------------------- more to rolls, unasked


class IndomitableMight(Ability):
    """Attacks and defences with the might die are ten higher."""

    id = "indomitable_might"

    def flat(self, table: Table, roll: Asked) -> int:
        return 10 if roll.kind in ("attack", "defence") and roll.ability == "might" else 0


class UncannyAccuracy(Ability):
    """Every attack of the owner has advantage."""

    id = "uncanny_accuracy"

    def levels(self, table: Table, roll: Asked) -> int:
        return 3 if roll.fighter is self.owner and roll.kind == "attack" else 0


class PowerStrike(Ability):
    """In one attack of the owner, more than half of a die is enough for Brutal Attacks (R-178)."""

    id = "power_strike"
    frequency = "minor"
    on = ("engagement",)
    waits = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return not self.waits

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.waits = True

    def at_round_start(self, fight: Fight) -> None:
        self.waits = False

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        if attacker is self.owner:
            self.waits = False


class BrutalAttacks(Ability):
    """Each attack die at its maximum adds a die of its size, which may add another."""

    id = "brutal_attacks"
    half_is_enough = False

    def adds(self, table: Table, roll: Asked) -> list[int]:
        strikes = [owned for owned in self.owner.abilities if isinstance(owned, PowerStrike)]
        self.half_is_enough = not roll.answers and any(owned.waits for owned in strikes)
        return []

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind != "attack":
            return
        dice = list(roll.kept)
        more = 0
        for result, sides in dice:  # grows during the loop
            least = sides // 2 + 1 if self.half_is_enough else sides
            if least <= result <= sides and more < 20:
                another = (table.roll_die(sides), sides)
                dice.append(another)
                roll.added.append(another)
                more += 1


# ------------------------------------------------------------------------------------- for the next attack roll


class ForNextAttack(Ability):
    """An ability declared in the action phase for the owner's next attack roll of the round (R-156).

    A setting allows the declaration at the beginning of the owner's phase, too.
    """

    on = ("action", "phase")
    declared = 0

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return event is None or (fight.settings.options_on_rolls and fight.attacks_now(self.owner))

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.declared += 1

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind == "attack":
            self.declared = 0

    def at_round_start(self, fight: Fight) -> None:
        self.declared = 0


class Exert(ForNextAttack):
    """The owner's next attack has more dice, and its heart die falls."""

    id = "exert"

    @property
    def _steps(self) -> int:
        return self.pick(1, 2)

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        can_fall = DIE_SIZES.index(self.owner.heart) >= self._steps
        return can_fall and not self.declared and super().may(fight, target, event)

    def adds(self, table: Table, roll: Asked) -> list[int]:
        return [6] * self.pick(2, 4) if roll.kind == "attack" and self.declared else []

    def after_roll(self, table: Table, roll: Roll) -> None:
        if roll.kind == "attack" and self.declared:
            for _ in range(self._steps):
                self.owner.heart = one_size_down(self.owner.heart)
        super().after_roll(table, roll)


class HitEmWhereItCounts(ForNextAttack):
    """The owner gives up levels of advantage on an attack, each for one point (R-127).

    In the destiny version, an attack with advantage gets two further levels.
    """

    id = "hit_em_where_it_counts"

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return self.declared < 5 and super().may(fight, target, event)

    def further_levels(self, table: Table, roll: Asked, net: int) -> int:
        return self.pick(0, 2) if roll.kind == "attack" and net > 0 else 0

    def gives_up(self, table: Table, roll: Asked, net: int) -> int:
        return max(0, min(self.declared, net)) if roll.kind == "attack" else 0


# ------------------------------------------------------------------------------------------------- rush points


class Overexert(Ability):
    """Once a round the owner gains rush points; at the round's end its heart die falls, or it passes out."""

    id = "overexert"
    on = ("action",)
    spent = False

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        return not self.spent

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> None:
        self.owner.rush += self.pick(2, 3)
        self.spent = True

    def at_round_end(self, fight: Fight) -> None:
        if self.spent and self.owner.standing:
            steps = self.pick(1, 2)
            if DIE_SIZES.index(self.owner.heart) < steps:
                self.owner.status = "unconscious"
                fight.end_links_of_the_out()
            for _ in range(steps):
                self.owner.heart = one_size_down(self.owner.heart)
        self.spent = False


class Battlespirit(Ability):
    """The rush points gained as a round begins are doubled (R-152)."""

    id = "battlespirit"

    def gain_of_rush(self, points: int) -> int:
        return 2 * points
