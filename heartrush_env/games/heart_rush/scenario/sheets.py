"""A fully resolved scenario: its fighters with their figures, equipment and starting conditions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from heartrush_env.games.heart_rush.rules.abilities import SLOTS
from heartrush_env.games.heart_rush.rules.terms import DAMAGE_TYPES
from heartrush_env.games.heart_rush.scenario.abilities import TALENTS, AbilityEntry, abilities
from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield
from heartrush_env.games.heart_rush.scenario.catalog import Weapon
from heartrush_env.games.heart_rush.scenario.homebrew import Homebrew
from heartrush_env.games.heart_rush.scenario.settings import Settings

LENDS, LENDS_DESTINED = "commanders_call", "improved_commanders_call"
# Talents that are not lent, because they change figures for good, on the sheet or as the fight begins.
NEVER_LENT = ("quick", "hulking", "light_footed", "unarmed_combatant", "whipmaster")
USUAL_WINDOWS = 8  # action windows of a round without abilities


@dataclass(frozen=True)
class StartCondition:
    """A condition that a fighter starts the fight with."""

    name: str
    levels: int  # 1 for a condition without levels
    source: str | None  # the agent that causes it


@dataclass(frozen=True)
class Spare:
    """The spare weapon and shield of a fighter."""

    weapon: Weapon
    shield: int  # added to defence rolls
    shield_hands: int
    speed: int  # feet a round with these in hand


@dataclass(frozen=True)
class Owned:
    """An ability that a fighter has."""

    name: str  # its id
    destined: bool  # in its destiny version
    made: Homebrew | None = None  # its declaration, if it is a homebrew ability

    @property
    def entry(self) -> AbilityEntry:
        """The ability's facts."""
        return abilities()[self.name] if self.made is None else self.made.entry


@dataclass(frozen=True)
class FighterSheet:
    """One fighter at the start of a fight, fully resolved."""

    agent: str  # "knight_0"
    id: str  # "knight"
    name: str  # for people
    team: str
    hero: bool
    might: int  # dice as numbers of sides
    agility: int
    cunning: int
    presence: int
    heart: int  # the full heart die
    heart_now: int
    hp: int  # maximum hit points
    hp_now: int
    weapon: Weapon
    armor: int  # added to defence rolls: the suit of armor and defense_bonus
    armor_vs: tuple[int, ...]  # added to armor against each of DAMAGE_TYPES
    shield: int  # added to defence rolls
    shield_hands: int
    size: str
    size_rank: int  # medium is 0
    side: int  # side of its space on a map, in squares; a part has the space of its body
    speed: int  # feet a round, after equipment
    attack_bonus: int  # added to attack rolls
    wound_threshold: int  # damage that marks a wound; 0 for never
    wounds: tuple[int, ...]  # ranks
    rush: int  # rush points of the first round
    thrown: int  # thrown weapons carried
    abilities: tuple[Owned, ...]  # talents and other abilities
    surprised: bool
    at: tuple[int, int] | None  # the top-left square of its space: column and row; none without a map
    spare: Spare | None
    conditions: tuple[StartCondition, ...]
    part_of: str | None  # the agent of the creature that it is a part of
    to_grow: bool  # it is out of the fight until it grows
    companion_of: str | None  # the agent of the fighter that it obeys

    def armor_against(self, other: FighterSheet) -> int:
        """Return the armor that counts against the weapon that another fighter begins with."""
        return self.armor + self.armor_vs[DAMAGE_TYPES.index(other.weapon.damage_type)]


@dataclass(frozen=True)
class ObjectSheet:
    """An object of a scenario, such as a lock, a pillar or a chest."""

    name: str  # for people
    at: tuple[int, int]
    cost: str  # interaction or action
    check: str | None  # the ability to roll
    number: int  # result that the check must reach
    effect: str  # open, collapse or drop
    squares: int  # number of squares beyond its own that become rubble
    save: int  # result that the save of a fighter in the rubble must reach
    dice: int  # number of damage dice
    die: int
    item: Weapon | None  # the weapon that is there once the object is used


@dataclass(frozen=True)
class Scenario:
    """A fight before it starts; scenarios with equal digests play identically, whatever their display names."""

    name: str
    victory: str  # first_down or last_standing
    heroes: tuple[str, ...]  # teams
    max_rounds: int
    round_cap: str  # draw or hp
    battlefield: Battlefield | None  # without one, all fighters are within reach of each other
    objects: tuple[ObjectSheet, ...]  # only with a battlefield
    fighters: tuple[FighterSheet, ...]  # in agent order
    teams: tuple[str, ...]  # in order of first appearance
    settings: Settings
    digest: str  # SHA-256 of everything but display names, 64 hexadecimal digits

    def seat(self, agent: str) -> int:
        """Return a fighter's index in agent order."""
        return [sheet.agent for sheet in self.fighters].index(agent)

    @property
    def windows_per_round(self) -> int:
        """Maximum action windows per round; "auto" means 8 plus 1 for each ability of the largest loadout."""
        most = self.settings.windows_per_round
        return USUAL_WINDOWS + max(len(sheet.abilities) for sheet in self.fighters) if most == "auto" else most

    def loans_to(self, sheet: FighterSheet) -> tuple[Owned, ...]:
        """Return the talents that a fighter may be lent in a fight, in the order of its slots after its own abilities.

        They come from the allies that may lend talents, in the order of the fight, each in the order of its sheet, and
        are no more than the fighter has free slots for.
        """
        had, loans = {owned.name for owned in sheet.abilities}, list[Owned]()
        for lender in self.fighters:
            names = {owned.name for owned in lender.abilities}
            for owned in lender.abilities if lender.team == sheet.team and LENDS in names else ():
                if owned.entry.chapter == TALENTS and owned.made is None and owned.name not in {*had, *NEVER_LENT}:
                    had.add(owned.name)
                    loans.append(replace(owned, destined=owned.destined and LENDS_DESTINED in names))
        return tuple(loans[: SLOTS - len(sheet.abilities)])

    def slots_of(self, sheet: FighterSheet) -> tuple[Owned, ...]:
        """Return the abilities in a fighter's slots: its own, and those that it may be lent."""
        return sheet.abilities + self.loans_to(sheet)

    @property
    def has_abilities(self) -> bool:
        """Whether any fighter has an ability or is a part of another fighter."""
        return any(sheet.abilities or sheet.part_of for sheet in self.fighters)

    @property
    def homebrew(self) -> dict[str, Homebrew]:
        """The homebrew abilities that fighters have, by id."""
        owned = (owned for sheet in self.fighters for owned in sheet.abilities)
        return {one.name: one.made for one in owned if one.made is not None}
