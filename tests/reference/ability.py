"""An ability of a fighter, and the places of a fight at which it speaks (RULES, section 9)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from .dice import kept_dice

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter
    from .table import Table

Windows = Generator[None, Mapping[str, str], Any]

ON_ROLLS = ("first roll", "second roll")
AT_ANY_MOMENT = ("action", "declaration", "engagement", "reveal", "phase")
"""The occasions of an instant that answers no roll and no damage: the dice of a phase are those of its start."""
BLOWS = ("attack", "opportunity")
"""The causes of damage that comes from an attack."""


# -------------------------------------------------------------------------------------------- what they look at


@dataclass(frozen=True)
class Asked:
    """A roll that is about to be made: of attack, defence, check or save; `opponent` is None against nobody."""

    fighter: Fighter
    kind: str
    ability: str
    opponent: Fighter | None
    wins: bool = False
    """Whether the attacker's stance beats the defender's."""
    heart: int = 0
    """The heart die that is rolled."""
    answers: bool = False
    """Whether it only answers somebody's attack in a contest."""


Dice = list[tuple[int, int]]
"""Results, each with the sides of its die."""


@dataclass
class Roll:
    """The handful with its levels of advantage, the dice that abilities put beside it or take off, and the rest."""

    fighter: Fighter
    kind: str
    rolled: Dice
    levels: int
    opponent: Fighter | None = None
    flat: int = 0
    added: Dice = field(default_factory=list)
    lost: Dice = field(default_factory=list)

    @property
    def kept(self) -> Dice:
        """The dice that count."""
        return kept_dice(self.rolled, self.levels) + self.added

    @property
    def total(self) -> int:
        """The total of the roll."""
        return sum(result for result, _ in self.kept) + self.flat - sum(result for result, _ in self.lost)


@dataclass
class Event:
    """Something that instants answer; each of them once (R-94)."""

    answered: set[tuple[str, str]] = field(default_factory=set, kw_only=True)


@dataclass
class Damage:
    """Damage on its way to somebody, by somebody or by none."""

    amount: int
    by: Fighter | None = None
    cause: str = ""


@dataclass
class Landing(Event):
    """Damage about to land, or just landed: the hits still to come, and who has just dropped to zero by whom."""

    hits: dict[str, list[Damage]]
    felled: dict[str, Fighter | None] = field(default_factory=dict)


@dataclass
class Attack(Event):
    """One attack, with the rolls that lie on the table; a contest has one for each of the two."""

    fighter: Fighter
    target: Fighter
    stance: str
    contested: bool = False
    mutual: bool = False
    """A contest that both have chosen."""
    armor_in_contest: bool = False
    chosen: bool = False
    """Chosen in a phase, neither an opportunity attack nor one that comes of another."""
    rolls: dict[str, Roll] = field(default_factory=dict)
    baits: list[tuple[Ability, Fighter]] = field(default_factory=list)
    """Abilities that bait an attack on their owner, and whom it is to strike."""
    sweeps: list[tuple[Fighter, list[Fighter]]] = field(default_factory=list)
    """Whose roll also strikes others, and whom."""

    def harm(self, fighter: Fighter) -> int:
        """The points by which the roll of one of the two is higher than that of the other."""
        other = self.target if fighter is self.fighter else self.fighter
        harm = self.rolls[fighter.agent].total - self.rolls[other.agent].total
        if self.contested and self.armor_in_contest:
            harm -= other.armor + other.shield
        return max(0, harm)

    def attacker_of(self, target: Fighter) -> Fighter | None:
        """The fighter that has chosen to attack this one; to answer in a contest is no attack."""
        if target is self.target:
            return self.fighter
        return self.target if target is self.fighter and self.mutual else None


# ------------------------------------------------------------------------------------------------ what all share


class Ability:
    """An ability of one fighter: what it costs, when it may be used, and what it says where a fight asks it."""

    id: ClassVar[str]
    frequency: ClassVar[str] = "passive"
    destined_frequency: ClassVar[str | None] = None
    on: ClassVar[tuple[str, ...]] = ()
    """The occasions of its use: an action window, or what instants answer."""
    aim: ClassVar[str | None] = None
    """A use names an enemy, an ally, or nobody."""
    costs_action: ClassVar[bool] = False

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        self.owner = owner
        self.letter = letter
        self.destined = destined
        self.uses = 0

    # ---- its price

    @property
    def limit(self) -> str:
        """How often it may be used, in its version."""
        return self.destined_frequency if self.destined and self.destined_frequency else self.frequency

    def affordable(self, table: Table) -> bool:
        """The k-th use of a minor ability costs k rush points; others that are not passive come once a fight."""
        if self.costs_action and not table.can_spend_action(self.owner):
            return False
        if self.limit == "minor":
            return self.owner.rush > self.uses
        return self.limit == "passive" or self.uses == 0

    def pay(self) -> None:
        """One use more."""
        self.uses += 1
        if self.limit == "minor":
            self.owner.rush -= self.uses
        if self.costs_action:
            self.owner.spend_action()

    def pick(self, base: int, destined: int) -> int:
        """The figure of its version."""
        return destined if self.destined else base

    # ---- its use

    answers: tuple[str, ...] = ()
    """The answers of the use that is carried out."""

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        """The names of the answers to the part of its use that follows these answers; none if the use is complete."""
        return []

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        """Whether there is a reason to use it now, its price apart."""
        return False

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> Windows | None:
        """What its use brings, with the windows that this may open."""
        return None

    # ---- what it says unasked

    def levels(self, table: Table, roll: Asked) -> int:
        """Levels of advantage that it gives a roll, or of disadvantage below zero."""
        return 0

    def further_levels(self, table: Table, roll: Asked, net: int) -> int:
        """The levels that it adds to the net levels of its owner's roll."""
        return 0

    def gives_up(self, table: Table, roll: Asked, net: int) -> int:
        """How many of the net levels of advantage its owner gives up for a point each."""
        return 0

    def heart(self, kind: str, die: int) -> int:
        """The heart die of its owner's rolls of this kind."""
        return die

    def adds(self, table: Table, roll: Asked) -> list[int]:
        """The sides of dice that it puts beside a roll of its owner."""
        return []

    def lends(self, table: Table, roll: Asked) -> list[int]:
        """The sides of dice that it puts beside a roll of anybody."""
        return []

    def flat(self, table: Table, roll: Asked) -> int:
        """What it adds to a roll of its owner without dice."""
        return 0

    def after_roll(self, table: Table, roll: Roll) -> None:
        """Its owner has rolled."""

    def deals(self, target: Fighter, amount: int) -> int:
        """The damage of its owner's attack roll, before anything halves it."""
        return amount

    def returns(self, table: Table, attack: Attack, attacker: Fighter, target: Fighter) -> int:
        """The damage that the attacker takes for an attack, even one that it has not chosen."""
        return 0

    def halves(self, fight: Fight, damage: Damage) -> bool:
        """Whether damage to its owner is halved before anybody may shrug it off."""
        return False

    def cuts(self, fight: Fight, damage: Damage) -> int:
        """The damage that reaches its owner."""
        return damage.amount

    def raises(self, fight: Fight, victim: Fighter) -> int:
        """What it adds to damage to somebody as it lands."""
        return 0

    def threshold(self, threshold: int) -> int:
        """The wound threshold of its owner, from the start."""
        return threshold

    def rank(self, rank: int) -> int:
        """The rank of a wound of its owner's."""
        return rank

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        """Damage has landed on somebody."""

    def after_wound(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        """Somebody has been wounded."""

    def healing(self, table: Table, amount: int) -> int:
        """What a healing of its owner comes to."""
        return amount

    def keeps_rush(self) -> int:
        """How many unspent rush points its owner keeps."""
        return 0

    def more_rush(self, table: Table) -> int:
        """Further rush points of its owner's as a round begins."""
        return 0

    def gain_of_rush(self, points: int) -> int:
        """The rush points that its owner gains as a round begins, counted from those without the ability."""
        return points

    def at_round_start(self, fight: Fight) -> None:
        """A round has begun."""

    def further_targets(self, table: Table, target: Fighter) -> list[Fighter]:
        """The fighters that its owner attacks right after its chosen attack on a target."""
        return []

    def follow_ups(self, table: Table) -> int:
        """How many further targets its owner may choose after its attack."""
        return 0

    def strikes_at_reveal(self, fight: Fight) -> list[tuple[Fighter, Damage]]:
        """The damage that it deals as stances are shown."""
        return []

    def at_reveal(self, fight: Fight) -> None:
        """The stances are shown."""

    def at_round_end(self, fight: Fight) -> None:
        """A round ends."""

    def cunning_levels(self) -> int:
        """How often each level of its owner's cunning effect counts."""
        return 1

    def more_might_bonuses(self) -> int:
        """How many more times its owner's might bonus counts."""
        return 0

    def fades(self, name: str) -> int:
        """Further levels of a condition of its owner's that fade."""
        return 0

    def holds(self, fight: Fight, fighter: Fighter, name: str) -> int:
        """How many levels of somebody's condition do not fade."""
        return 0

    def wards_off(self, fight: Fight, name: str, giver: Fighter | None) -> bool:
        """Whether its owner gains no levels of this condition from this fighter."""
        return False

    def chose_attack(self) -> None:
        """Its owner has chosen to attack in this phase."""

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        """A phase ends in which its owner attacked."""

    def after_attack_on_owner(self, fight: Fight, attacker: Fighter, stance: str | None) -> None:
        """A phase ends in which its owner was attacked in this stance; outside the phases it is none."""

    def after_blow(self, attacker: Fighter, damage: int) -> None:
        """An attack roll of somebody's has done this to its owner, or nothing."""

    def after_bait(self, attacker: Fighter, victim: Fighter) -> None:
        """The attack that it has baited strikes somebody else."""

    def after_sidestep(self) -> None:
        """Its owner has sidestepped, or risen so."""

    def after_death(self, victim: Fighter) -> None:
        """Somebody has died or been defeated."""

    def after_all_attacks(self, fight: Fight) -> None:
        """The attacks of a phase, or those outside the phases, are over; its owner has made one and stands."""

    def stops(self, fighter: Fighter) -> bool:
        """Whether somebody makes no attack in this engagement."""
        return False

    def bars(self, attacker: Fighter, target: Fighter) -> bool:
        """Whether it keeps one from attacking another."""
        return False

    def attacks_no_more(self) -> bool:
        """Whether its owner has given up its attack of the round."""
        return False


@dataclass(frozen=True)
class Use:
    """An ability, used on somebody or nobody."""

    ability: Ability
    target: Fighter | None

    def answers_hold(self, fight: Fight, answers: tuple[str, ...]) -> bool:
        """Whether its answers are allowed still, and it lacks none."""
        asked = [self.ability.part(fight, self.target, answers[:k]) for k in range(len(answers) + 1)]
        return asked[-1] == [] and all(answer in part for answer, part in zip(answers, asked, strict=False))

    def is_possible(self, fight: Fight, occasion: str, event: Event | None) -> bool:
        """Whether its owner may use it so on this occasion."""
        ability = self.ability
        able = fight.table.able(ability.owner) and occasion in ability.on
        return able and ability.affordable(fight.table) and ability.may(fight, self.target, event)


def uses(fight: Fight, fighter: Fighter) -> Iterator[tuple[str, Use]]:
    """By the names of choices, all that its loadout could be used for."""
    table = fight.table
    for ability in fighter.abilities:
        if ability.aim is None:
            yield f"use {ability.letter}", Use(ability, None)
        else:
            verb, others = (
                ("use_at", table.enemies(fighter)) if ability.aim == "enemy" else ("use_for", table.allies(fighter))
            )
            for place, other in enumerate(others, 1):
                yield f"{verb} {place} {ability.letter}", Use(ability, other)
