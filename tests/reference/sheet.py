"""What a scenario contains: weapons, armor, sizes and the fighters (RULES, "A fighter")."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from heartrush_env.games import heart_rush

from .abilities import read_abilities
from .ability import Ability
from .board import Board, Space, Square
from .companions import tie_companions
from .conditions import LEVELED, LINKS, OF_THE_CUNNING_EFFECT, ON_OR_OFF, WITH_SOURCE, Conditions
from .settings import Settings

ABILITIES = ("might", "agility", "cunning", "presence")

# ----------------------------------------------------------------------------------------------------- weapons

WEAPON_DICE = {"heavy": 12, "light": 8, "ultralight": 4, "improvised": 4}
MATCHING_STANCE = {"bludgeoning": "might", "slashing": "agility", "piercing": "cunning", "none": ""}
ATTACK_TYPES = ("melee", "ranged", "thrown", "whip")


@dataclass(frozen=True)
class Weapon:
    """A weapon: its size, attack type and damage type; a natural one is part of the body."""

    name: str
    size: str
    attack_type: str
    damage_type: str
    die: int
    hands: int
    natural: bool = False
    reach: bool = False
    range: int = 0
    """Its own range in squares, or 0 for that of its attack type."""
    element: str = ""
    """The element of a cantrip."""

    @property
    def matching_stance(self) -> str:
        """The stance in which the damage type always adds one more weapon die (RULES, "Attack and defence rolls")."""
        return "" if self.element and self.attack_type == "ranged" else MATCHING_STANCE[self.damage_type]


def hands_for(size: str, attack_type: str) -> int:
    """Return how many hands such a weapon needs: two if it is ranged or a heavy melee weapon, else one."""
    return 2 if attack_type == "ranged" or (attack_type == "melee" and size == "heavy") else 1


REACH = ("halberd", "pike", "longspear")
"""These reach one square further (OPEN_QUESTIONS, reach-weapons)."""

_NAMED = """
longsword heavy melee slashing 2
greataxe heavy melee slashing 2
scythe heavy melee slashing 2
halberd heavy melee slashing 2
maul heavy melee bludgeoning 2
quarterstaff heavy melee bludgeoning 2
pike heavy melee piercing 2
longspear heavy melee piercing 2
shortsword light melee slashing 1
hand_axe light melee slashing 1
rapier light melee piercing 1
spear light melee piercing 1
war_hammer light melee bludgeoning 1
club light melee bludgeoning 1
mace light melee bludgeoning 1
dagger ultralight melee piercing 1
sickle ultralight melee slashing 1
unarmed ultralight melee bludgeoning 0
claws ultralight melee slashing 0
teeth improvised melee piercing 0
tusks heavy melee piercing 0
tail_slam heavy melee bludgeoning 0
shield_bash light melee bludgeoning 1
chair improvised melee bludgeoning 2
longbow heavy ranged piercing 2
heavy_crossbow heavy ranged piercing 2
shortbow light ranged piercing 2
crossbow light ranged piercing 2
sling ultralight ranged bludgeoning 2
throwing_knives ultralight thrown piercing 1
shuriken ultralight thrown slashing 1
thrown_rock improvised thrown bludgeoning 1
javelin light thrown piercing 1
whip ultralight whip slashing 1
heavy_flail_whip heavy whip bludgeoning 2
"""


WEAPONS = {
    name: Weapon(name, size, attack_type, damage_type, WEAPON_DICE[size], int(hands), hands == "0", name in REACH)
    for name, size, attack_type, damage_type, hands in (line.split() for line in _NAMED.strip().splitlines())
}
"""The sample weapons of the book, without the net, which has rules of its own; weapons with 0 hands are natural."""

_ELEMENTS = """
air lightning_bolt blast_of_lightning ultralight none
fire fire_bolt blast_of_fire light none
water water_bolt blast_of_water light bludgeoning
earth earthen_bolt blast_of_earth heavy bludgeoning
force force_bolt blast_of_force light none
void void_bolt blast_of_void light none
dark dark_bolt blast_of_darkness light none
light radiant_bolt blast_of_radiance light none
time time_bolt blast_of_time light none
"""


def _cantrips() -> dict[str, Weapon]:
    """Return the cantrips of a basic attunement: bolts of 30 feet for one hand, blasts of 5 feet for two."""
    found = {}
    for line in _ELEMENTS.strip().splitlines():
        element, bolt, blast, size, damage_type = line.split()
        die = WEAPON_DICE[size]
        found[bolt] = Weapon(bolt, size, "ranged", damage_type, die, 1, True, range=6, element=element)
        found[blast] = Weapon(blast, size, "melee", damage_type, die, 2, True, range=1, element=element)
    return found


CANTRIPS = _cantrips()
"""The cantrips of the book (R-268)."""

UNARMED = WEAPONS["unarmed"]
NO_WEAPON = Weapon("none", "none", "melee", "none", 0, 0, True)
"""The weapon of a monster with flat bonuses: it has no die and cannot be disarmed."""


def read_weapon(said: str | Mapping[str, Any]) -> Weapon:
    """Return a weapon by its name, or composed from size, attack type and damage type."""
    if isinstance(said, str):
        return CANTRIPS[said] if said in CANTRIPS else WEAPONS[said]
    size, attack_type = said["size"], said["attack_type"]
    natural = bool(said.get("natural", size == "none"))
    hands = 0 if natural else hands_for(size, attack_type)
    damage_type, reach, squares = said.get("damage_type", "none"), said.get("reach", False), said.get("range", 0) // 5
    return Weapon("composed", size, attack_type, damage_type, WEAPON_DICE.get(size, 0), hands, natural, reach, squares)


# --------------------------------------------------------------------------------------------- armor and sizes

BASE_SPEED = 60
ARMOR_SLOWS = {"none": 0, "light": 5, "medium": 10, "heavy": 15}
HEAVY_SHIELD_SLOWS, HEAVY_WEAPON_SLOWS = 5, 5
ARMOR = {"none": 0, "light": 2, "medium": 4, "heavy": 6}
SHIELDS = {"none": 0, "light_shield": 1, "heavy_shield": 2}
SIZE_RANKS = {
    "minuscule": -3, "tiny": -2, "small": -1, "medium": 0, "large": 1, "L2": 2, "L3": 3, "L4": 4, "L5": 5, "L6": 6,
    "L8": 8,
}  # fmt: skip


def size_allows(size: str, weapon: Weapon) -> bool:
    """Return whether the wielder is large enough: medium for heavy weapons, small for light ones."""
    rank = 0 if weapon.element else SIZE_RANKS[size]
    return rank >= 0 or (rank == -1 and weapon.size != "heavy") or weapon.size in ("ultralight", "improvised", "none")


# ---------------------------------------------------------------------------------------------------- fighters


@dataclass(frozen=True)
class Gear:
    """The weapon and shield in a fighter's hands, and its speed with them (feet a round)."""

    weapon: Weapon
    shield: int
    speed: int


@dataclass
class Fighter:
    """One fighter in its present state."""

    agent: str
    team: str
    hero: bool
    dice: dict[str, int]
    heart: int
    heart_max: int
    hp: int
    hp_max: int
    weapon: Weapon
    armor: int
    """Against attacks of kinds that `armor_by_kind` does not name."""
    shield: int
    size_rank: int
    attack_bonus: int
    wound_threshold: int
    wounds: int
    """The sum of the ranks of its wounds."""
    wounds_carried: int
    surprised: bool
    conditions: Conditions = field(default_factory=Conditions)
    status: str = "standing"
    stance: str | None = None
    action: bool = True
    interaction: bool = True
    dash: bool = True
    moved: bool = False
    armed: bool = True
    helped: int = 0
    shrugs: int = 0
    grappling: str | None = None
    climbing: str | None = None
    falling: bool = False  # just pushed over an edge
    rounds_at_zero: int = 0
    # Fields for a fight on a map.
    at: Square | None = None
    speed: int = BASE_SPEED
    spare: Gear | None = None
    first_rush: int = 1
    throwables: int = 1
    rush: int = 0
    active: bool = False
    rounds_active: int = 0
    dashed: bool = False
    stood: bool = False
    acted: bool = False
    """Whether it has spent an action in this round."""
    squares_moved: int = 0
    shot: bool = False
    reached_far: bool = False
    tripped: set[str] = field(default_factory=set)
    dashed_within: set[str] = field(default_factory=set)
    """The agents in whose reach dashes of this round have already gone a square (R-67)."""
    weapon_lies_at: Square | None = None
    wears_armor: bool = False
    abilities: list[Ability] = field(default_factory=list)
    uses_of_loans: dict[str, int] = field(default_factory=dict)
    """How often it has used each talent that it has been lent."""
    part_of: str | None = None
    companion_of: str | None = None
    struck_now: set[str] = field(default_factory=set)
    """The agents that it has attacked in this phase."""
    stands_in_for: Fighter | None = None
    """The fighter whose place it has taken in the attack in progress (R-264)."""
    attacks_first: bool = False
    """Whether its attack roll is the one that it has chosen in the phase."""
    armor_by_kind: dict[str, int] = field(default_factory=dict)
    more_actions: int = 0
    """Actions beyond the one of the round, for the action phase (R-177)."""
    swaps: int = 0
    fills: int | None = None
    """The size rank of its space, if it counts as larger than that (R-174)."""
    eased: tuple[Weapon, ...] = ()
    """The weapons that its size makes easier to wield (R-174)."""

    def armor_against(self, attacker: Fighter) -> int:
        """Return the armor bonus against the attacker's weapon in hand (R-184)."""
        return self.armor_by_kind.get(attacker.weapon_in_hand.damage_type, self.armor)

    def spend_action(self) -> None:
        """Spend an action; `acted` stays true even if the action comes back."""
        if self.more_actions > 0:
            self.more_actions -= 1
        else:
            self.action = False
        self.acted = True

    @property
    def standing(self) -> bool:
        """Whether the fighter is neither dead nor unconscious nor defeated."""
        return self.status == "standing"

    @property
    def weapon_in_hand(self) -> Weapon:
        """The fighter's weapon, or bare hands if the weapon is on the floor (R-48)."""
        return self.weapon if self.armed else UNARMED

    @property
    def side(self) -> int:
        """The width of the fighter's space in squares: one up to size large, then the level of the size."""
        return max(1, self.filled_rank)

    @property
    def filled_rank(self) -> int:
        """The size rank of the squares that it fills."""
        return self.size_rank if self.fills is None else self.fills

    @property
    def bulky(self) -> bool:
        """Whether the fighter is small or larger; smaller ones share squares with any fighter (R-60)."""
        return self.filled_rank >= SIZE_RANKS["small"]

    @property
    def space(self) -> Space:
        """The squares that the fighter fills."""
        assert self.at is not None
        return Space(*self.at, self.side)

    @property
    def free_hands(self) -> int:
        """Two, less the hands that weapon and shield need."""
        weapon = self.weapon_in_hand
        eased = weapon in self.eased and self.size_rank >= SIZE_RANKS["large"] and weapon.attack_type == "melee"
        return 2 - (min(1, weapon.hands) if eased else weapon.hands) - (1 if self.shield else 0)


def read_fighters(scenario: Mapping[str, Any], settings: Settings) -> list[Fighter]:
    """Return the fighters of a scenario in order, which is the agent order."""
    heroes = scenario.get("heroes", [])
    hero_teams = [heroes] if isinstance(heroes, str) else list(heroes)
    seen: dict[str, int] = {}
    fighters = []
    entries = [_with_stat_line(entry) for entry in scenario["fighter"]]
    for entry in entries:
        number = seen.get(entry["id"], 0)
        seen[entry["id"]] = number + 1
        fighters.append(
            _read_fighter(entry, f"{entry['id']}_{number}", entry["team"] in hero_teams and "part_of" not in entry)
        )
    for fighter, entry in zip(fighters, entries, strict=True):
        _read_conditions(fighter, entry.get("conditions", {}), fighters, settings)
        fighter.abilities = read_abilities(fighter, entry, scenario.get("ability", ()))
        for owned in fighter.abilities:
            fighter.wound_threshold = owned.threshold(fighter.wound_threshold)
    tie_companions(fighters)
    by_agent = {fighter.agent: fighter for fighter in fighters}
    for fighter in fighters:
        fighter.at = _first_place(fighter, by_agent)
    return fighters


def _first_place(fighter: Fighter, by_agent: Mapping[str, Fighter]) -> Square | None:
    """Return the fighter's place: a climber without one begins on the first square of its bearer."""
    if fighter.at is None and fighter.climbing is not None:
        return _first_place(by_agent[fighter.climbing], by_agent)
    return fighter.at


def read_board(scenario: Mapping[str, Any]) -> Board | None:
    """Return the ground of the fight, or None without a map."""
    if "battlefield" not in scenario:
        return None
    said = scenario["battlefield"]
    return Board(said["map"], said.get("drop", 10), said.get("light", "bright"))


# The keys of a data file's entry that `from` leaves out.
ONLY_ON_SHEETS = ("id", "name", "role", "tier", "origin", "talents", "abilities", "parts", "most", "rest", "note")


@cache
def _stat_lines() -> dict[str, dict[str, Any]]:
    """Return the sample fighters and monsters of the data files, by id."""
    folder = Path(heart_rush.__path__[0]) / "data"
    lines = {}
    for kind in ("fighter", "monster"):
        for line in tomllib.loads((folder / f"{kind}s.toml").read_text(encoding="utf-8"))[kind]:
            lines[line["id"]] = {key: value for key, value in line.items() if key not in ONLY_ON_SHEETS}
    return lines


def _with_stat_line(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a fighter's entry on top of the stat line that its `from` names."""
    if "from" not in entry:
        return dict(entry)
    return {"id": entry["from"].replace("_", ""), **_stat_lines()[entry["from"]], **entry}


def _speed(entry: Mapping[str, Any], weapon: Weapon, shield: str) -> int:
    """Return the speed in feet a round: the scenario's, else the base speed less what the equipment takes."""
    slowed = ARMOR_SLOWS[entry.get("armor", "none")]
    slowed += HEAVY_SHIELD_SLOWS if shield == "heavy_shield" else 0
    slowed += HEAVY_WEAPON_SLOWS if weapon.size == "heavy" and not weapon.natural else 0
    talents, destined = entry.get("talents", ()), entry.get("destiny_talents", ())
    if "juggernaut" in (*talents, *destined):
        slowed = 0
    faster = 40 if "quick" in destined else 20 if "quick" in talents else 0
    return int(entry.get("speed", BASE_SPEED - slowed + faster))


def _spare(entry: Mapping[str, Any]) -> Gear | None:
    """Return the weapon and shield that a fighter carries besides those in hand."""
    if "spare_weapon" not in entry:
        return None
    weapon, shield = read_weapon(entry["spare_weapon"]), entry.get("spare_shield", "none")
    speed = entry.get("spare_speed", _speed(entry, weapon, shield))
    return Gear(weapon, SHIELDS[shield], speed)


def _armor_by_kind(entry: Mapping[str, Any]) -> dict[str, int]:
    """Return the armor bonus by damage type where the stat block prints one; "physical" is every other type."""
    said, worn = entry.get("defense_vs", {}), ARMOR[entry.get("armor", "none")]
    rest = {kind: said["physical"] for kind in MATCHING_STANCE if "physical" in said}
    return {kind: worn + bonus for kind, bonus in {**rest, **said}.items()}


def _read_fighter(entry: Mapping[str, Any], agent: str, hero: bool) -> Fighter:
    if "weapon" in entry:
        weapon = read_weapon(entry["weapon"])
    else:
        weapon = NO_WEAPON if "attack_bonus" in entry else UNARMED
    size = entry.get("size", "medium")
    if not size_allows(size, weapon):
        raise ValueError(f"{agent} is {size} and cannot use a {weapon.size} weapon")
    hp_now = entry.get("hp_now", entry["hp"])
    if not 0 < hp_now <= entry["hp"]:
        raise ValueError(f"{agent} begins with {hp_now} of {entry['hp']} hit points")
    return Fighter(
        agent=agent,
        team=entry["team"],
        hero=hero,
        dice={ability: entry[ability] for ability in ABILITIES},
        heart=entry.get("heart_now", entry["heart"]),
        heart_max=entry["heart"],
        hp=0 if entry.get("to_grow") else hp_now,
        hp_max=entry["hp"],
        weapon=weapon,
        armor=ARMOR[entry.get("armor", "none")] + entry.get("defense_bonus", 0),
        armor_by_kind=_armor_by_kind(entry),
        shield=SHIELDS[entry.get("shield", "none")],
        size_rank=SIZE_RANKS[size],
        attack_bonus=entry.get("attack_bonus", 0),
        wound_threshold=entry.get("wound_threshold", 10),
        wounds=sum(entry.get("wounds", [])),
        wounds_carried=len(entry.get("wounds", [])),
        surprised=bool(entry.get("surprised", False)),
        at=tuple(entry["at"]) if "at" in entry else None,
        speed=_speed(entry, weapon, entry.get("shield", "none")),
        spare=_spare(entry),
        first_rush=entry.get("rush", 1),
        throwables=entry.get("thrown", 1),
        wears_armor=entry.get("armor", "none") != "none" or entry.get("defense_bonus", 0) > 0,
        part_of=entry.get("part_of"),
        companion_of=entry.get("companion_of"),
        status="defeated" if entry.get("to_grow") else "standing",
    )


def _read_conditions(
    fighter: Fighter, said: Mapping[str, Any], fighters: Sequence[Fighter], settings: Settings
) -> None:
    by_agent = {other.agent: other for other in fighters}
    for name, value in said.items():
        allowed = settings.conditions or (settings.levels and name in OF_THE_CUNNING_EFFECT)
        if not allowed:
            raise ValueError(f"{fighter.agent} begins {name}, but conditions are off")
        more = value if isinstance(value, Mapping) else {"levels": value}
        levels, source = more.get("levels", 1), more.get("source", "")
        if name == "grappled":
            by_agent[source].grappling = fighter.agent
        elif name == "creature_climber":
            fighter.climbing = by_agent[source].agent
        elif name in LINKS or name not in LEVELED + ON_OR_OFF:
            raise ValueError(f"{fighter.agent} cannot begin {name}")
        elif name in WITH_SOURCE:
            fighter.conditions.gain(name, levels, by_agent[source].agent)
        else:
            fighter.conditions.gain(name, levels)
