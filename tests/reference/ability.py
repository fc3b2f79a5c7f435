"""The base class of abilities, with the hooks that a fight calls (RULES, section 9)."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from .dice import kept_dice

if TYPE_CHECKING:
    from .aftermath import Aftermath
    from .board import Space
    from .fight import Fight
    from .sheet import Fighter, Weapon
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


# ------------------------------------------------------------------------------------------------ what all share


class Ability:
    """An ability of one fighter: what it costs, when it may be used, and the hooks by which it changes a fight."""

    id: ClassVar[str]
    frequency: ClassVar[str] = "passive"
    destined_frequency: ClassVar[str | None] = None
    on: ClassVar[tuple[str, ...]] = ()
    """The occasions of its use: an action window, or what instants answer."""
    aim: ClassVar[str | None] = None
    """Whether a use names an enemy, an ally or no fighter."""
    costs_action: ClassVar[bool] = False
    talent: bool = False
    """Whether it is a talent."""
    lent: bool = False
    """Whether another fighter has lent it to its owner."""

    def __init__(self, owner: Fighter, letter: str, destined: bool) -> None:
        self.owner = owner
        self.letter = letter
        self.destined = destined
        self.uses = 0

    # ---- its price

    @property
    def limit(self) -> str:
        """The frequency of use in the owner's version of the ability."""
        return self.destined_frequency if self.destined and self.destined_frequency else self.frequency

    def affordable(self, table: Table) -> bool:
        """Return whether a use can be paid for.

        The k-th use of a minor ability costs k rush points; other abilities have one use per fight.
        """
        if self.costs_action and not table.can_spend_action(self.owner):
            return False
        if self.limit == "minor":
            return self.owner.rush >= self.price_now(table)
        return self.limit == "passive" or self.uses == 0

    @property
    def price(self) -> int:
        """The rush points for the next use of a minor ability: the k-th costs k, unless an ability makes it free."""
        return 0 if any(owned.frees(self) for owned in self.owner.abilities) else self.uses + 1

    def price_now(self, table: Table) -> int:
        """Return the price of the next use with what other abilities make of it."""
        price = self.price
        for owned in self.owner.abilities:
            price = owned.cheaper(table, price)
        return price

    def frees(self, other: Ability) -> bool:
        """Return whether the next use of another minor ability of the owner is free."""
        return False

    def after_use(self, other: Ability) -> None:
        """React to the use of any of the owner's abilities, once its price is paid."""

    def cheaper(self, table: Table, price: int) -> int:
        """Return the price of the owner's next use of a minor ability, given the price without this ability."""
        return price

    def lend_use(self, fight: Fight, price: int) -> None:
        """React to a use of another ability at this price, which is one that `cheaper` gave."""

    def pay(self, fight: Fight) -> None:
        """Count one more use and take its price from the owner."""
        if self.limit == "minor":
            own, price = self.price, self.price_now(fight.table)
            self.owner.rush -= price
            if price < own:
                for owned in self.owner.abilities:
                    owned.lend_use(fight, price)
                self.uses -= 1
        self.uses += 1
        for owned in self.owner.abilities:
            owned.after_use(self)
        if self.costs_action:
            self.owner.spend_action()

    def pick(self, base: int, destined: int) -> int:
        """Return the first number, or the second if the owner has the destined version."""
        return destined if self.destined else base

    # ---- what it makes easier

    def spares_action(self, fighter: Fighter, helps: bool) -> bool:
        """Return whether a fighter's interaction, sidestep, trip or (if it `helps`) help costs no action now."""
        return False

    def spare_action(self, fighter: Fighter) -> None:
        """Count something that has been free."""

    def timing_die(self, table: Table, die: int) -> int:
        """Return the owner's agility die for the order of fighters, given the die without the ability."""
        return die

    def silences(self, table: Table) -> bool:
        """Return whether only the owner may answer its own declarations of abilities."""
        return False

    # ---- its use

    answers: tuple[str, ...] = ()
    """The answers that complete the use being carried out."""

    def part(self, fight: Fight, target: Fighter | None, given: tuple[str, ...]) -> list[str]:
        """Return the possible answers to the question after the given answers, or none if the use is complete."""
        return []

    def may(self, fight: Fight, target: Fighter | None, event: Event | None) -> bool:
        """Return whether the ability can be used now, apart from its price."""
        return False

    def do(self, fight: Fight, target: Fighter | None, event: Event | None) -> Windows | None:
        """Carry out a use; return the windows that it opens, if any."""
        return None

    # ---- what it says unasked

    def levels(self, table: Table, roll: Asked) -> int:
        """Return the levels of advantage (negative: disadvantage) that the ability gives to a roll."""
        return 0

    def further_levels(self, table: Table, roll: Asked, net: int) -> int:
        """Return the levels that the ability adds to the net levels of its owner's roll."""
        return 0

    def gives_up(self, table: Table, roll: Asked, net: int) -> int:
        """Return how many net levels of advantage the owner gives up, each for one point on the roll."""
        return 0

    def spends(self, table: Table, roll: Asked, net: int) -> int:
        """Return how many net levels of advantage the owner spends on something other than points on the roll."""
        return 0

    def rolls_die(self, ability: str, die: int) -> int:
        """Return the owner's ability die for a roll, given the die without the ability."""
        return die

    def heart(self, kind: str, die: int) -> int:
        """Return the heart die of the owner's rolls of this kind."""
        return die

    def adds(self, table: Table, roll: Asked) -> list[int]:
        """Return the sides of the dice that the ability adds to a roll of its owner."""
        return []

    def lends(self, table: Table, roll: Asked) -> list[int]:
        """Return the sides of the dice that the ability adds to a roll of any fighter."""
        return []

    def flat(self, table: Table, roll: Asked) -> int:
        """Return the flat bonus that the ability adds to a roll of its owner."""
        return 0

    def flat_of_all(self, table: Table, roll: Asked) -> int:
        """Return the flat bonus that the ability adds to an attack or a defence of any fighter."""
        return 0

    def after_roll(self, table: Table, roll: Roll) -> None:
        """React to a roll of the owner."""

    def after_any_roll(self, table: Table, asked: Asked, roll: Roll) -> None:
        """React to an attack or a defence of any fighter, after the abilities of that fighter."""

    def before_dice(self, fight: Fight, attack: Attack) -> None:
        """React to an attack that meets a defence and has not been rolled."""

    def before_defence(self, fight: Fight, attack: Attack) -> None:
        """React when the owner is about to roll defence and the attack roll has been seen and answered."""

    def improves(self, what: str, amount: int) -> int:
        """Return a figure of another of the owner's abilities, given the figure without this ability."""
        return amount

    def deals(self, target: Fighter, amount: int) -> int:
        """Return the damage of the owner's attack roll, before anything halves it."""
        return amount

    def returns(self, table: Table, attack: Attack, attacker: Fighter, target: Fighter) -> int:
        """Return the damage that an attack does to the attacker itself, even if the attacker did not choose it."""
        return 0

    def halves(self, fight: Fight, damage: Damage) -> bool:
        """Return whether damage to the owner is halved before it may be shrugged off."""
        return False

    def scales(self, fight: Fight, victim: Fighter, amount: int) -> int:
        """Return the damage that comes to the victim, given the damage without the ability."""
        return amount

    def cuts(self, fight: Fight, damage: Damage) -> int:
        """Return how much of the damage reaches the owner."""
        return damage.amount

    def raises(self, fight: Fight, victim: Fighter) -> int:
        """Return the points that the ability adds to damage that lands on the victim, or below 0 takes from it."""
        return 0

    def threshold(self, threshold: int) -> int:
        """Return the owner's wound threshold, given the threshold without the ability."""
        return threshold

    def rank(self, rank: int) -> int:
        """Return the rank of the owner's new wound, given the rank without the ability."""
        return rank

    def after_damage(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        """React to damage that has landed on the victim."""

    def after_wound(self, fight: Fight, victim: Fighter, damage: Damage) -> None:
        """React to a wound that the victim has taken."""

    lives_longer: ClassVar[int] = 1
    """How many times further below 0 hit points the owner dies."""

    def healing(self, table: Table, amount: int) -> int:
        """Return the hit points that a healing gives the owner."""
        return amount

    def armor(self, victim: Fighter, armor: int) -> int:
        """Return the armor bonus of any fighter, given the bonus without the ability."""
        return armor

    def hampers(self, fighter: Fighter, condition: str) -> int:
        """Return the levels of advantage that the ability gives any fighter that tries to overcome a condition."""
        return 0

    def keeps_rush(self) -> int:
        """Return how many unspent rush points the owner keeps."""
        return 0

    def more_rush(self, table: Table) -> int:
        """Return the further rush points that the owner gains as a round begins."""
        return 0

    def gain_of_rush(self, points: int) -> int:
        """Return the owner's gain of rush points as a round begins, given the gain without the ability."""
        return points

    def at_round_start(self, fight: Fight) -> None:
        """React to the start of a round."""

    def further_targets(self, table: Table, target: Fighter) -> list[Fighter]:
        """Return the fighters that the owner attacks right after its chosen attack on the target."""
        return []

    def follow_ups(self, table: Table) -> int:
        """Return how many further targets the owner may choose after its attack."""
        return 0

    def calls_to_two(self, fighter: Fighter) -> bool:
        """Return whether the ability lets a fighter attack two targets in this engagement."""
        return False

    def strikes_at_reveal(self, fight: Fight) -> list[tuple[Fighter, Damage]]:
        """Return the hits that the ability deals as stances are revealed, each with its victim."""
        return []

    def at_reveal(self, fight: Fight) -> None:
        """React to the reveal of stances."""

    def at_round_end(self, fight: Fight) -> None:
        """React to the end of a round."""

    def at_engagement_end(self, fight: Fight) -> None:
        """React to the end of an engagement in the classic edition, whose rounds may have several."""

    def forgoes(self, target: Fighter) -> int:
        """Return how many levels of the owner's cunning effect on the target it gives up."""
        return 0

    def cunning_levels(self, table: Table, fighter: Fighter) -> int:
        """Return how many times each level of a fighter's cunning effect counts."""
        return 1

    def more_might_bonuses(self, table: Table, fighter: Fighter) -> int:
        """Return how many more times a fighter's might bonus counts."""
        return 0

    def more_throws(self) -> int:
        """Return how many further throws the might bonus of the owner's thrown weapons gives."""
        return 0

    def fades(self, name: str) -> int:
        """Return how many more levels of the owner's condition fade."""
        return 0

    def holds(self, fight: Fight, fighter: Fighter, name: str) -> int:
        """Return how many levels of the fighter's condition do not fade."""
        return 0

    def wards_off(self, fight: Fight, name: str, giver: Fighter | None) -> bool:
        """Return whether the owner is immune to this condition when it comes from the giver."""
        return False

    maneuvers_alike: ClassVar[bool] = False
    """Whether the owner may make maneuvers at fighters in its own stance."""
    own_hinders: ClassVar[bool] = False
    """Whether the owner has a list of hinders of its own."""

    def at_effects(self, fight: Fight, aftermath: Aftermath) -> None:
        """React as the effects of a phase take hold, after those of the owner's attack or maneuver."""

    def chokes(self, victim: Fighter) -> bool:
        """Return whether the ability keeps a fighter from breathing."""
        return False

    def lit(self, victim: Fighter) -> None:
        """React when the owner has set a fighter on fire."""

    def fire_die(self, victim: Fighter, die: int) -> int:
        """Return the die of each level of a fighter's burning."""
        return die

    def chose_attack(self) -> None:
        """React to the owner's choice to attack in this phase."""

    def chose_first(self, named: str | None) -> None:
        """React to the first attack that the owner has chosen in this phase, with the levels that it names."""

    def chose_next(self, target: Fighter) -> None:
        """React to the choice of a further attack of the owner."""

    def after_attack(self, fight: Fight, target: Fighter, wins: bool) -> None:
        """React, at the end of a phase, to the owner's attack on the target."""

    def after_attack_on_owner(self, fight: Fight, attacker: Fighter, stance: str | None) -> None:
        """React, at the end of a phase, to an attack on the owner in this stance (None outside the phases)."""

    def after_blow(self, attacker: Fighter, damage: int) -> None:
        """React to an opponent's attack roll that did this much damage to the owner, which may be 0."""

    def after_bait(self, attacker: Fighter, victim: Fighter) -> None:
        """React when the attack that the ability baited strikes the victim."""

    glides: ClassVar[bool] = False
    """Whether neither difficult ground nor creatures slow the owner."""

    def roughens(self, mover: Fighter, space: Space) -> bool:
        """Return whether the ground in the space is difficult for a fighter because of the ability."""
        return False

    def unsettles(self, fighter: Fighter) -> bool:
        """Return whether the ground beneath a fighter makes it save as it moves, attacks or defends."""
        return False

    def shake(self, fighter: Fighter) -> None:
        """Let a fighter save against the ground beneath it."""

    passes_enemies: ClassVar[bool] = False
    """Whether the owner may move through the spaces of enemies."""

    def speed_of(self, mover: Fighter, squares: int) -> int:
        """Return the squares of a fighter's dash, before conditions shorten it."""
        return squares

    def slips_away(self, mover: Fighter, leaves: bool) -> bool:
        """Return whether a step of a dash within an enemy's reach, or one that leaves it, gives no opening."""
        return False

    def pins(self, mover: Fighter) -> bool:
        """Return whether the ability keeps a fighter from sidestepping."""
        return False

    committed: str | None = None
    """The stance that the owner must take, or None."""

    def after_exchange(self, attack: Attack, attacker: Fighter, target: Fighter) -> None:
        """React to any attack, as soon as its rolls are compared; to answer in a contest is no attack."""

    cannot_be_held: ClassVar[bool] = False
    grapples_anyone: ClassVar[bool] = False
    """Whether the owner may grapple a fighter whose stance its own does not beat."""
    watches: ClassVar[bool] = False
    """Whether sidesteps do not escape the owner's opportunity attacks at movers, which are free."""
    strikes_twice: ClassVar[bool] = False
    """Whether the owner strikes twice at a fighter that leaves its reach."""

    def firmness(self) -> int:
        """Return the further levels of restraint of the fighter that the owner holds."""
        return 0

    def in_contest(self, roller: Fighter, other: Fighter, what: str, tries: bool) -> int:
        """Return the levels of advantage on a roll of a maneuver or a hold, as the one that tries or resists."""
        return 0

    def speed_with_captive(self) -> int:
        """Return the squares of a dash of the owner while it holds a fighter."""
        return 0

    def collision_die(self, by_might: bool) -> int:
        """Return the die for each square that the owner's push falls short, which may be a push by might."""
        return 6

    def has_spent_step(self) -> bool:
        """Return whether the owner has already taken the free step of the agility stance."""
        return False

    def pushed(self, squares: int) -> int:
        """Return the squares of a push of the owner."""
        return squares

    def after_dash_step(self, here: Space, there: Space) -> None:
        """React to a step of the owner's dash from one place to the next."""

    def after_sidestep(self) -> None:
        """React when the owner has sidestepped, or has risen in place of a sidestep."""

    def after_death(self, victim: Fighter) -> None:
        """React to the victim's death or defeat."""

    def after_all_attacks(self, fight: Fight, attacker: Fighter) -> None:
        """React to the end of a phase's attacks, or of others, of which a fighter has made one, even if it is out."""

    def stops(self, fighter: Fighter) -> bool:
        """Return whether the ability keeps the fighter from attacking in this engagement."""
        return False

    def bars(self, attacker: Fighter, target: Fighter) -> bool:
        """Return whether the ability forbids the attacker to attack the target."""
        return False

    def spares(self, table: Table, target: Fighter, struck: Collection[str]) -> bool:
        """Return whether the owner, which has attacked those in `struck`, may not attack this target next."""
        return False

    def names_levels(self) -> bool:
        """Return whether the owner's further attacks name levels as the first one does."""
        return False

    def chose_further(self, target: Fighter, named: str | None) -> None:
        """React to the choice of a further attack of the owner, with the levels that it names."""

    def second(self, table: Table, roll: Asked) -> Fighter | None:
        """Return a second target of the owner's roll, whose penalties count for it as well."""
        return None

    def shoots_too(self) -> Fighter | None:
        """Return a second target of the owner's attack that has just been made, once."""
        return None

    def shares(self, harm: int, hurt: int) -> tuple[Fighter, int, int] | None:
        """Return who shares the damage to the owner, its share and the owner's, or None; `hurt` is what would land."""
        return None

    def shelters(self, table: Table, fighter: Fighter, name: str) -> bool:
        """Return whether the fighter cannot get a condition because of the ability."""
        return False

    def next_target(self, table: Table, struck: Fighter) -> Fighter | None:
        """Return where the damage of the owner's attack goes on to, or None."""
        return None

    def ends(self) -> None:
        """React to the end of the way of its owner's damage."""

    # ---- what it says about weapons; `target` is None where no attack on somebody is meant

    def wields(self, table: Table, weapon: Weapon, target: Fighter | None) -> Weapon:
        """Return what the owner's weapon is as it is used against the target."""
        return weapon

    def fits(self, stance: str) -> bool:
        """Return whether the owner's attacks have the die of a fitting damage type in this stance."""
        return False

    def more_weapon_dice(self, weapon: Weapon, target: Fighter | None) -> tuple[int, ...]:
        """Return the weapon dice that the owner's attack on the target has in addition."""
        return ()

    def range_of(self, table: Table, squares: int, target: Fighter | None) -> int:
        """Return the range of the owner's weapon, given the range without the ability."""
        return squares

    def ignores_cover(self, table: Table, target: Fighter) -> bool:
        """Return whether the owner's ranged and thrown attacks ignore the target's cover."""
        return False

    def replaces_might_bonus(self) -> bool:
        """Return whether what the owner wields has a might bonus of its own in place of that of its attack type."""
        return False

    def push_feet(self) -> int:
        """Return how many feet further the owner's might pushes."""
        return 0

    def share_in_defense(self) -> int:
        """Return what part of the damage the owner takes in defensive stance: one in how many."""
        return 2

    def net_number(self) -> int:
        """Return by how much the owner's nets are harder to leave."""
        return 0

    def net_levels(self) -> int:
        """Return how many more levels the owner's nets restrain."""
        return 0

    def attacks_no_more(self) -> bool:
        """Return whether the owner has given up its attack of the round."""
        return False


@dataclass(frozen=True)
class Use:
    """A use of an ability on a target, or on no fighter."""

    ability: Ability
    target: Fighter | None

    def answers_hold(self, fight: Fight, answers: tuple[str, ...]) -> bool:
        """Return whether the answers are still allowed and complete the use."""
        asked = [self.ability.part(fight, self.target, answers[:k]) for k in range(len(answers) + 1)]
        return asked[-1] == [] and all(answer in part for answer, part in zip(answers, asked, strict=False))

    def is_possible(self, fight: Fight, occasion: str, event: Event | None) -> bool:
        """Return whether the owner may use the ability on this target on this occasion."""
        ability = self.ability
        able = fight.table.able(ability.owner) and occasion in ability.on
        return able and ability.affordable(fight.table) and ability.may(fight, self.target, event)


def uses(fight: Fight, fighter: Fighter) -> Iterator[tuple[str, Use]]:
    """Yield every use of the fighter's abilities, with the name of the choice that stands for it."""
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
