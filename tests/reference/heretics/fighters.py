"""The fighters of a fight, by sections 2 and 15 of the rule text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.reference.heretics.ground import Square


@dataclass(frozen=True)
class Weapon:
    """A line of the table of weapons."""

    die: int
    hands: str = "one"  # one, two, or either
    reach: bool = False
    subtle: bool = False
    near: int = 0  # of a missile weapon, in feet
    far: int = 0
    loads: bool = False
    thrown: tuple[int, int] = (10, 20)


WEAPONS = {
    "cudgel": Weapon(4),
    "staff": Weapon(4, "either", reach=True),
    "dagger": Weapon(6, subtle=True),
    **{name: Weapon(6, "either") for name in ("short_sword", "mace", "flail", "hand_axe")},
    "spear": Weapon(6, "either", reach=True, thrown=(20, 60)),
    **{name: Weapon(8, "two") for name in ("long_sword", "battle_axe", "war_hammer")},
    "halberd": Weapon(8, "two", reach=True),
    "sling": Weapon(6, near=60, far=240),
    "bow": Weapon(6, "two", near=150, far=600),
    "crossbow": Weapon(8, "two", near=300, far=1200, loads=True),
    "small_thing": Weapon(4),
    "big_thing": Weapon(6),
}
BODIES = {"none": 0, "cloth": 1, "brigandine": 2, "mail": 3}
PLATES = {"half_plate": 15, "full_plate": 16}


def _abilities(strength: int, dex: int, intellect: int, wil: int) -> dict[str, int]:
    return {"str": strength, "dex": dex, "int": intellect, "wil": wil}


SAMPLES: dict[str, dict[str, Any]] = {
    "sellsword": {
        **_abilities(2, 0, 0, 0), "role": "hero", "hp": 9, "held": "short_sword", "body": "mail", "shield": True,
        "helmet": True, "inventory": ["dagger", "sling"],
    },
    "halberdier": {
        **_abilities(1, 1, -1, 1), "role": "hero", "hp": 9, "held": "halberd", "body": "mail", "helmet": True,
        "inventory": ["none", "short_sword"],
    },
    "hedge_mage": {
        **_abilities(-1, 1, 1, 1), "role": "hero", "hp": 9, "held": "staff", "inventory": ["dagger"], "ward": 1,
        "mana": 2, "spells": ["fireball", "magic_missile", "binding_chains"],
    },
    "archer": {
        **_abilities(2, 0, 0, 0), "hp": 5, "held": "bow", "body": "brigandine", "helmet": True, "inventory": ["dagger"],
    },
    "ghoul": {
        **_abilities(3, 2, -1, 2), "hp": 6, "to_hit": 4, "natural": 8, "fearless": True, "fearsome": "undead",
        "on_hit": {"save": "wil", "number": 12, "condition": "paralyzed"},
    },
    "brigand_captain": {
        **_abilities(3, 1, 1, 2), "hd": 3, "hp": 13, "held": "long_sword", "body": "mail", "helmet": True,
        "inventory": ["dagger"],
    },
    "brigand": {
        **_abilities(2, 0, 0, 0), "hp": 5, "held": "short_sword", "body": "brigandine", "shield": True, "helmet": True,
        "inventory": ["dagger"],
    },
    "skeleton_archer": {
        **_abilities(3, 0, -1, 0), "hp": 4, "held": "bow", "speed": 30, "fearless": True, "fearsome": "undead",
        "inventory": ["dagger"],
    },
    "hexer": {
        **_abilities(0, 1, 2, 1), "hd": 2, "hp": 9, "held": "staff", "body": "cloth", "ward": 1, "mana": 3,
        "spells": ["lightning_bolt", "magic_missile", "binding_chains", "aid"],
    },
    "retainer": {
        **_abilities(1, 1, 1, 0), "hp": 9, "held": "short_sword", "shield": True, "helmet": True,
        "inventory": ["dagger"],
    },
    "sergeant": {
        **_abilities(1, 0, -1, 3), "role": "hero", "hd": 2, "hp": 14, "held": "mace", "body": "mail", "shield": True,
        "helmet": True,
    },
}  # fmt: skip
FREE = ("prone", "grappled", "open")  # conditions with ends of their own


@dataclass(eq=False)
class Fighter:
    """A fighter and all that happens to it."""

    index: int
    side: int
    ability: dict[str, int]
    hp: int
    max_hp: int
    hd: int
    armor: int  # armored defense without the shield
    ward: int
    shield: bool
    held: str | None
    inventory: list[str | None]
    to_hit: int | None
    speed: int  # squares
    natural: int
    on_hit: Mapping[str, Any] | None
    fearless: bool
    steady: bool
    fearsome: str | None
    fears: frozenset[str]
    hero: bool
    square: Square | None
    flesh: int = 0  # that part of a hero's hit points which is not grit
    ammunition: int = 20
    opportunist: bool = False
    spells: tuple[str, ...] = ()
    mana: int = 0
    dice: int = 0  # of the bolt that it casts
    leader: bool = False
    status: str = "able"
    loaded: bool = True
    breaking: bool = False
    routed: bool = False
    commander: Fighter | None = None
    order: str | None = None
    order_target: Fighter | None = None
    order_stunt: str = ""
    walled: bool = False
    missed: bool = False  # whether its retainers have saved because it is no longer there
    grappler: Fighter | None = None
    chained: bool = False  # whether the grapple is a spell's
    # Conditions, each with the phases of its side that have begun since; None if it has no end of this kind.
    conditions: dict[str, int | None] = field(default_factory=dict)
    aided_until: int = 0  # the round at whose end an aid is over
    open_until: int = 0  # the round at whose end the opening is over
    action: bool = False
    standing: tuple[str, str, str] = ("never", "never", "never")  # orders to sunder, break the shield, and strike
    reaction: bool = True
    squares_left: int = 0
    retrievals: int = 0  # the free ones of this phase
    turn: int = 0  # under dex_check: 0 before the enemies, 2 after them

    @property
    def able(self) -> bool:
        """Whether it is still in the fight."""
        return self.status == "able"

    def has(self, *conditions: str) -> bool:
        """Return whether it has one of these conditions."""
        return any(it in self.conditions for it in conditions)

    @property
    def weapon(self) -> Weapon | None:
        """The weapon that it holds."""
        return None if self.held is None else WEAPONS[self.held]

    @property
    def both_hands(self) -> bool:
        """Whether its weapon is in two hands (R-39)."""
        weapon = self.weapon
        return weapon is not None and (weapon.hands == "two" or (weapon.hands == "either" and not self.shield))

    @property
    def shoots(self) -> bool:
        """Whether it holds a missile weapon."""
        return self.weapon is not None and self.weapon.far > 0

    @property
    def armored_defense(self) -> int:
        """The number that attacks on it must reach."""
        return self.armor + self.shield

    @property
    def free_hands(self) -> int:
        """The number of hands that hold nothing."""
        weapon = self.weapon
        return 2 - self.shield - (0 if weapon is None else 2 if weapon.hands == "two" else 1)

    @property
    def may_act(self) -> bool:
        """Whether it may take an action or a reaction, as far as conditions allow it."""
        return self.is_there and not self.has("paralyzed", "stunned")

    @property
    def is_there(self) -> bool:
        """Whether it knows of the fight and has not run (R-29, R-31)."""
        return self.able and not self.routed and not self.has("unaware")

    def begin_phase(self) -> None:
        """Count the phases of its conditions."""
        for name, begun in self.conditions.items():
            if begun is not None:
                self.conditions[name] = begun + 1

    def end_phase(self) -> None:
        """End the conditions that last no longer (R-45)."""
        ending = [name for name, begun in self.conditions.items() if begun is not None and begun >= 1]
        for name in ending:
            if name not in ("burning", "corroding"):
                del self.conditions[name]

    def defense(self, ability: str) -> int:
        """Return the target number of whoever works against an ability; a ward counts against spells alone (R-36)."""
        return 10 + self.ability[ability]


def fighter_of(given: Mapping[str, Any], index: int, side: int, heroes: str | None) -> Fighter:
    """Return the fighter of a scenario's table."""
    table = {**SAMPLES.get(given.get("from", ""), {}), **given}
    ability = {name: table.get(name, 0) for name in ("str", "dex", "int", "wil")}
    role, hd, body = table.get("role", "npc"), table.get("hd", 1), table.get("body", "none")
    hp = table.get("hp", 9 if role == "hero" else 9 * hd // 2)
    armor = PLATES[body] if body in PLATES else 10 + ability["dex"] + BODIES[body]
    speed = table.get("speed", 40 - 5 * max(0, -ability["dex"]))
    at = table.get("at")
    hp_now = table.get("hp_now", hp)
    flesh = min(table.get("flesh", 5), hp_now)
    inventory = [None if it == "none" else it for it in (*table.get("inventory", []), *["none"] * 10)][:10]
    return Fighter(
        index, side, ability, hp_now, hp, hd, armor + table.get("helmet", False), table.get("ward", 0),
        table.get("shield", False), table.get("held"), inventory,
        table.get("to_hit"), speed // 5, table.get("natural", 0), table.get("on_hit"), table.get("fearless", False),
        table.get("steady", False), table.get("fearsome"), frozenset(table.get("fears", [])),
        role == "hero" and table["team"] == heroes, None if at is None else (at[0], at[1]),
        spells=tuple(table.get("spells", ())), mana=table.get("mana", 1 + ability["int"] if "spells" in table else 0),
        opportunist=table.get("opportunist", False), conditions=dict.fromkeys(table.get("conditions", [])),
        flesh=flesh, ammunition=table.get("ammunition", 20),
    )  # fmt: skip
