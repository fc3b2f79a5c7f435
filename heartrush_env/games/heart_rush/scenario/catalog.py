"""The content of the data files by name: weapons, armor, sizes, conditions, terrain, fighters, monsters, scenarios.

Each file is read once, when it is first needed. An unknown name raises a ScenarioError that lists the known
names.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable
from itertools import takewhile
from types import MappingProxyType
from typing import Any, Final, TypeVar

from heartrush_env.games.heart_rush.rules.terms import (
    CONDITIONS,
    DEADLY_LEVEL,
    FADING,
    FEET,
    LEVEL_CAP,
    LEVELED,
    SOURCED,
)
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.scenario.library import Library
from heartrush_env.tabletop.validate import look_up, unknown_name

GENERATED: Final = (
    "random:",
    "random_duel:",
    "unseen_duel:",
    "random_party:",
)  # prefixes of scenarios that are made from a seed
LIBRARY: Final = Library("heartrush_env.games.heart_rush", [f"{prefix}<seed>" for prefix in GENERATED])
BASE_SPEED: Final = 60  # feet per round, before equipment

_Entry = TypeVar("_Entry")


@dataclass(frozen=True)
class Weapon:
    """A weapon. Its size sets its die, its attack type sets its might bonus, and its damage type favors a stance."""

    id: str
    name: str
    size: str  # heavy, light, ultralight, improvised; "none" for no weapon at all
    die: int  # sides; 0 for no weapon at all
    attack_type: str  # melee, ranged, thrown, whip
    damage_type: str  # bludgeoning, slashing, piercing, none
    hands: int  # number of hands that it occupies
    natural: bool  # part of the body: cannot be dropped or disarmed
    reach: bool  # reaches one square further
    range: int = 0  # feet, without disadvantage; 0 for the range of its attack type and size
    element: str = ""  # of a cantrip


@dataclass(frozen=True)
class WeaponSize:
    """The properties that depend on a weapon's size."""

    die: int  # sides
    speed_penalty: int  # feet a round
    smallest_wielder: str  # the smallest size category that may carry it


@dataclass(frozen=True)
class Armor:
    """A suit of armor."""

    id: str
    name: str
    defense_bonus: int
    speed_penalty: int  # feet a round


@dataclass(frozen=True)
class Shield:
    """A shield; it adds to armor."""

    id: str
    name: str
    defense_bonus: int
    speed_penalty: int  # feet a round
    hands: int


@dataclass(frozen=True)
class Condition:
    """A condition of a fighter."""

    id: str
    name: str
    leveled: bool  # whether it has levels, which add up
    fading: bool  # whether it loses a level at each round start
    max_level: int  # at the start of a fight
    needs_source: bool  # whether it refers to another fighter
    effect: str  # in one sentence


@dataclass(frozen=True)
class Terrain:
    """A kind of terrain that a square can have."""

    id: str
    glyph: str  # as a scenario's map draws it
    code: int  # in the engine's records
    about: str  # in a few words
    cost: int = 0  # squares of movement to enter
    blocks_way: bool = False
    blocks_line: bool = False
    cover: int = 0  # levels of declared cover
    height: int = 0
    fall: bool = False  # whether fighters can only be pushed into it
    depth: int = 0  # of water: shallow 1, deep 2

    @property
    def name(self) -> str:
        """The display name."""
        return self.id.replace("_", " ")

    @property
    def may_stand(self) -> bool:
        """Whether a fighter may enter it voluntarily."""
        return not (self.blocks_way or self.fall)


RANGES: Final = {"melee": 1, "whip": 4, "thrown": 4, "ranged": 6}  # range in squares, by attack type
HEAVY_RANGE: Final = 12  # range of heavy ranged weapons in squares

# The keys of fighters and monsters that their sheets show and `from` leaves out.
_ON_SHEETS: Final = (
    "id", "role", "tier", "origin", "talents", "abilities", "parts", "most", "rest", "note",
)  # fmt: skip

# The weapon of a creature with flat bonuses: no die, no damage type, nothing to disarm.
NO_WEAPON: Final = Weapon("none", "No weapon", "none", 0, "melee", "none", 0, natural=True, reach=False)


@cache
def weapons() -> Mapping[str, Weapon]:
    """Return all weapons by id, including "none" for no weapon."""
    listed = {entry["id"]: _weapon(entry) for entry in data("weapons.toml")["weapon"]}
    return MappingProxyType({NO_WEAPON.id: NO_WEAPON, **listed})


@cache
def cantrips() -> Mapping[str, Weapon]:
    """Return all cantrips by id, with the range of a basic attunement; a cantrip is held as a weapon."""
    forms, basic = data("weapons.toml")["cantrip_form"], data("weapons.toml")["attunement"]["basic"]
    return MappingProxyType(
        {
            entry["id"]: _weapon(
                {**entry, **forms[entry["attack_type"]], "natural": True, "range": basic[f"{entry['attack_type']}_ft"]}
            )
            for entry in data("weapons.toml")["cantrip"]
        }
    )


@cache
def arms() -> Mapping[str, Weapon]:
    """Return all weapons and cantrips by id: what a fighter may hold."""
    return MappingProxyType({**weapons(), **cantrips()})


@cache
def weapon_sizes() -> Mapping[str, WeaponSize]:
    """Return the weapon sizes by id, largest first."""
    return MappingProxyType({id: WeaponSize(**entry) for id, entry in data("weapons.toml")["size"].items()})


@cache
def attack_types() -> tuple[str, ...]:
    """Return the names of the attack types: melee, ranged, thrown, whip."""
    return tuple(data("weapons.toml")["hands"])


@cache
def damage_types() -> Mapping[str, str]:
    """Return the stance that each damage type favors; "" for none."""
    return MappingProxyType(data("weapons.toml")["damage_type"])


@cache
def armors() -> Mapping[str, Armor]:
    """Return all suits of armor by id, including "none" for no armor."""
    return MappingProxyType({entry["id"]: Armor(**entry) for entry in data("armor.toml")["armor"]})


@cache
def shields() -> Mapping[str, Shield]:
    """Return all shields by id, including "none" for no shield."""
    return MappingProxyType({entry["id"]: Shield(**entry) for entry in data("armor.toml")["shield"]})


@cache
def sizes() -> Mapping[str, int]:
    """Return the rank of each size category by id, smallest first; medium is 0."""
    return MappingProxyType({entry["id"]: entry["rank"] for entry in data("sizes.toml")["size"]})


@cache
def conditions() -> Mapping[str, Condition]:
    """Return all conditions by id, in the order that every condition table uses."""
    return MappingProxyType(
        {
            entry["id"]: _condition(CONDITIONS.index(entry["id"]), entry)
            for entry in data("conditions.toml")["condition"]
        }
    )


def _condition(code: int, entry: Mapping[str, str]) -> Condition:
    """Return a condition's rules, with its name and effect in words."""
    leveled = code in LEVELED
    return Condition(
        leveled=leveled,
        fading=code in FADING,
        max_level=DEADLY_LEVEL.get(code, LEVEL_CAP + 1) - 1 if leveled else 1,
        needs_source=code in SOURCED,
        **entry,
    )


@cache
def terrain() -> Mapping[str, Terrain]:
    """Return all kinds of terrain by glyph, ordered by code."""
    listed = (Terrain(code=code, **entry) for code, entry in enumerate(data("terrain.toml")["terrain"]))
    return MappingProxyType({kind.glyph: kind for kind in listed})


@cache
def fighters() -> Mapping[str, Mapping[str, Any]]:
    """Return the sample fighters by id, as used by `from = id` in scenarios."""
    return _stat_lines("fighters.toml", "fighter")


@cache
def monsters() -> Mapping[str, Mapping[str, Any]]:
    """Return the monsters by id, as used by `from = id` in scenarios."""
    return _stat_lines("monsters.toml", "monster")


def bestiary() -> list[dict[str, Any]]:
    """Return the full stat blocks of all monsters, then of the monsters that fights do not support yet."""
    return [*data("monsters.toml")["monster"], *data("monsters.toml")["waiting"]]


def tiers() -> Mapping[str, Mapping[str, Any]]:
    """Return the ranges of each monster tier, weakest first; an upper end of 0 means no limit."""
    return MappingProxyType(data("monsters.toml")["tier"])


@cache
def _roles() -> Mapping[str, str]:
    """Return the role of each sample fighter and the tier of each monster, by id."""
    fighters = {entry["id"]: entry["role"] for entry in data("fighters.toml")["fighter"]}
    return {**fighters, **{entry["id"]: entry["tier"] for entry in data("monsters.toml")["monster"]}}


def role(id: str) -> str:
    """Return the role of a sample fighter, or the tier of a monster."""
    return _roles()[id]


def about_scenario(id: str) -> str:
    """Return the opening comment of a shipped scenario's file."""
    lines = scenarios()[id].read_text(encoding="utf-8").splitlines()
    return " ".join(line.removeprefix("#").strip() for line in takewhile(lambda line: line.startswith("#"), lines))


def scenarios() -> Mapping[str, Traversable]:
    """Return the files of the shipped scenarios by name, in alphabetical order."""
    return LIBRARY.scenarios


def weapon(id: str, where: str = "library") -> Weapon:
    """Return the weapon or cantrip with this id."""
    return _look_up("weapon", id, arms(), where)


def combined_weapon(
    size: str,
    attack_type: str,
    damage_type: str = "none",
    reach: bool = False,
    natural: bool = False,
    range: int = 0,
) -> Weapon:
    """Return a custom weapon with this size, attack type and damage type, all given by name.

    The size "none" is for the attacks of a creature with flat bonuses: they have no die and are part of its body.
    """
    parts = [part for part in (size, attack_type, damage_type) if part != "none"]
    entry = {"id": "combined", "name": " ".join(parts).capitalize(), "size": size, "attack_type": attack_type}
    natural = natural or size == "none"
    return _weapon({**entry, "damage_type": damage_type, "reach": reach, "natural": natural, "range": range})


def carries(weapon: Weapon) -> int:
    """Return a weapon's range without disadvantage, in squares, excluding the extra square of a reach weapon."""
    if weapon.range:
        return weapon.range // FEET
    shoots_far = weapon.attack_type == "ranged" and weapon.size == "heavy"
    return HEAVY_RANGE if shoots_far else RANGES[weapon.attack_type]


def furthest(weapon: Weapon) -> int:
    """Return a weapon's maximum range in squares: doubled if ranged or thrown, plus 1 with reach."""
    return carries(weapon) * (2 if weapon.attack_type in ("ranged", "thrown") else 1) + weapon.reach


def speed_left(armor: Armor, shield: Shield, weapon: Weapon) -> int:
    """Return the speed in feet per round with this equipment; natural weapons have no penalty."""
    carried = 0 if weapon.natural else weapon_sizes()[weapon.size].speed_penalty
    return BASE_SPEED - armor.speed_penalty - shield.speed_penalty - carried


def condition(id: str, where: str = "library") -> Condition:
    """Return the condition with this id."""
    return _look_up("condition", id, conditions(), where)


def stat_line(id: str, where: str = "library") -> Mapping[str, Any]:
    """Return the fields of the sample fighter or monster with this id, as a scenario's keys."""
    return _look_up("fighter or monster", id, {**fighters(), **monsters()}, where)


def stat_block(id: str, where: str = "library") -> Mapping[str, Any]:
    """Return the full stat block of the sample fighter or monster with this id, including its abilities."""
    blocks = {line["id"]: line for line in (*data("fighters.toml")["fighter"], *data("monsters.toml")["monster"])}
    return _look_up("fighter or monster", id, blocks, where)


def _look_up(kind: str, id: str, known: Mapping[str, _Entry], where: str) -> _Entry:
    """Return the entry with this id; raise a ScenarioError that lists the known ids if it is unknown."""
    name = look_up(id, known)
    if name is None:
        raise ScenarioError(f"{where}: {unknown_name(kind, id, known)}.")
    return known[name]


def _weapon(entry: Mapping[str, Any]) -> Weapon:
    """Return a weapon with its derived properties: its size sets the die; size and attack type set the hands."""
    natural = entry.get("natural", False)
    usual_hands = 0 if natural else data("weapons.toml")["hands"][entry["attack_type"]][entry["size"]]
    return Weapon(
        id=entry["id"],
        name=entry["name"],
        size=entry["size"],
        die=0 if entry["size"] == "none" else weapon_sizes()[entry["size"]].die,
        attack_type=entry["attack_type"],
        damage_type=entry["damage_type"],
        hands=entry.get("hands", usual_hands),
        natural=natural,
        reach=entry.get("reach", False),
        range=entry.get("range", 0),
        element=entry.get("element", ""),
    )


def _stat_lines(file: str, kind: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the fighters or monsters in a file by id, without the keys that only their sheets show."""
    return MappingProxyType(
        {
            entry["id"]: MappingProxyType({key: value for key, value in entry.items() if key not in _ON_SHEETS})
            for entry in data(file)[kind]
        }
    )


def data(file: str) -> dict[str, Any]:
    """Return the content of a data file."""
    return LIBRARY.table(file)
