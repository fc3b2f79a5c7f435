"""The rolls, attacks and damage that abilities see while these are being resolved (RULES, section 9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .dice import kept_dice

if TYPE_CHECKING:
    from .ability import Ability
    from .sheet import Fighter

ON_ROLLS = ("first roll", "second roll")
AT_ANY_MOMENT = ("action", "declaration", "engagement", "reveal", "phase")
"""The occasions of an instant that answers no roll and no damage: the dice of a phase are those of its start."""
BLOWS = ("attack", "opportunity")
"""The causes of damage that comes from an attack."""


@dataclass(frozen=True)
class Asked:
    """A roll about to be made: attack, defence, check or save; `opponent` is None for a roll against no fighter."""

    fighter: Fighter
    kind: str
    ability: str
    opponent: Fighter | None
    wins: bool = False
    """Whether the attacker's stance beats the defender's."""
    heart: int = 0
    """The heart die that is rolled."""
    answers: bool = False
    """Whether the roll only answers an opponent's attack in a contest."""


Dice = list[tuple[int, int]]
"""Results, each with the sides of its die."""


@dataclass
class Roll:
    """A rolled handful: its levels of advantage, the dice that abilities add or take away, and its flat bonus."""

    fighter: Fighter
    kind: str
    rolled: Dice
    levels: int
    opponent: Fighter | None = None
    flat: int = 0
    ability: str = ""
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
    """Something that instants may answer; each instant answers it at most once (R-94)."""

    answered: set[tuple[str, str]] = field(default_factory=set, kw_only=True)


@dataclass
class Damage:
    """An amount of damage to a fighter; `by` is the fighter that deals it, or None."""

    amount: int
    by: Fighter | None = None
    cause: str = ""
    answers: bool = False
    """Whether it comes from a roll that only answers an attack, or falls on another fighter than the target."""


@dataclass
class Landing(Event):
    """Damage before or after it lands: the hits to come, by victim, and the fighters just felled, with who did it."""

    hits: dict[str, list[Damage]]
    hurt: set[str] = field(default_factory=set)
    """The agents that have just taken damage."""
    landed: list[tuple[str, Damage]] = field(default_factory=list)
    """The damage that has just landed, with the agents that took it."""
    felled: dict[str, Fighter | None] = field(default_factory=dict)


@dataclass
class Attack(Event):
    """One attack with the rolls made so far; in a contest both fighters roll an attack."""

    fighter: Fighter
    target: Fighter
    stance: str
    contested: bool = False
    mutual: bool = False
    """Whether it is a contest in which both fighters chose to attack each other."""
    armor_worn: Mapping[str, int] | None = None
    """The armor of both fighters by agent, if it counts in a contest."""
    chosen: bool = False
    """Whether it was chosen in a phase, so it is neither an opportunity attack nor a consequence of another attack."""
    rolls: dict[str, Roll] = field(default_factory=dict)
    baits: list[tuple[Ability, Fighter]] = field(default_factory=list)
    """Abilities that bait an attack on their owner, each with the fighter that the attack is to strike instead."""
    sweeps: list[tuple[Fighter, list[Fighter]]] = field(default_factory=list)
    """Fighters whose rolls also strike others, each with the others that it strikes."""
    carriers: list[Ability] = field(default_factory=list)
    """Abilities that let the damage of their owner's roll go on to others."""
    again: bool = False
    """Whether its attack roll is that of another attack."""
    outside: bool = False
    """Whether it is an opportunity attack."""
    guard: Fighter | None = None
    """The fighter that has taken the target's place before the dice."""
    met: str | None = None
    """The stance that it meets if that is not the target's own; empty for that of a fighter that has taken none."""
    dealt: dict[str, int] = field(default_factory=dict)
    """The damage that the roll of each agent does, before it may be shrugged off."""
    aim: Fighter = field(init=False)
    """The fighter that the effects are for, even if another makes its defence roll."""

    def __post_init__(self) -> None:
        self.aim = self.target

    def harm(self, fighter: Fighter) -> int:
        """Return by how many points the fighter's roll exceeds its opponent's, at least 0."""
        other = self.target if fighter is self.fighter else self.fighter
        harm = self.rolls[fighter.agent].total - self.rolls[other.agent].total
        if self.contested and self.armor_worn is not None:
            harm -= self.armor_worn[other.agent] + other.shield
        return max(0, harm)

    def attacker_of(self, target: Fighter) -> Fighter | None:
        """Return the fighter that chose to attack the target, or None; an answer in a contest is no chosen attack."""
        if target is self.target:
            return self.fighter
        return self.target if target is self.fighter and self.mutual else None
