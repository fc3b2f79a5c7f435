"""The base class of abilities, with the hooks that a fight calls (RULES, section 9)."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from .of_weapons import ChangesWeapons

if TYPE_CHECKING:
    from .aftermath import Aftermath
    from .board import Space
    from .fight import Fight
    from .moments import Asked, Attack, Damage, Event, Roll
    from .sheet import Fighter
    from .table import Table

Windows = Generator[None, Mapping[str, str], Any]


class Ability(ChangesWeapons):
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

    def is_taken(self, target: Fighter, guard: Fighter) -> None:
        """React to a guardian that takes an attack of the owner on the target, with all that it brings (R-264)."""

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
