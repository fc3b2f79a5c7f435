"""A moment of a fight as one of its fighters sees it, with the odds of each attack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from heartrush_agents.heretics.odds import Blow, hit, mixed, success
from heartrush_env.games.heretics import weapons
from heartrush_env.tabletop.game import FloatArray
from heartrush_env.tabletop.layout import Layout
from heartrush_env.tabletop.table_game import TableGame
from heartrush_env.tabletop.tables import Block

HINDERED = frozenset(("exhausted", "grappled", "surprised", "prone", "blind"))  # their attacks have disadvantage
EXPOSED = frozenset(("open", "surprised", "unaware", "paralyzed", "stunned", "blind"))  # attacks on them have advantage
HURTFUL = frozenset(("magic_missile", "lightning_bolt", "fireball"))  # spells
NUMBERS = {name: k for k, name in enumerate(weapons.WEAPON_NAMES)}
COMMON_AD, COMMON_HP = 14, 5  # the hit points of an enemy that hides them
MUCH = 1000  # hit points
NEXT_TO_ALL = 1  # the distance of any two fighters without a map


@dataclass(frozen=True)
class Weapon:
    """A weapon, or a fighter's own claws or fists, with the figures that an attack needs."""

    die: int = 0
    twice: bool = False
    near: int = 0  # feet; 0 for melee
    far: int = 0
    more: int = 0  # damage beside the dice, of fists

    @property
    def mean(self) -> float:
        """The mean damage of a hit."""
        return hit(self.die, 1 if self.die else 0, self.twice, self.more, MUCH).loss


def weapon(name: str, two_hands: bool, thrown: bool = False) -> Weapon:
    """Return a weapon in one or two hands."""
    k = NUMBERS[name]
    if thrown:
        return Weapon(int(weapons.DIE[k]), False, int(weapons.THROWN_NEAR[k]), int(weapons.THROWN_FAR[k]))
    shoots = bool(weapons.SHOOTS[k])
    return Weapon(int(weapons.DIE[k]), two_hands and not shoots, int(weapons.NEAR[k]), int(weapons.FAR[k]))


class Body:
    """A fighter, as it is seen."""

    def __init__(self, owner: str, seen: Mapping[str, Any], on_map: bool) -> None:
        self.owner, self.seen = owner, seen
        self.hp, self.most, self.ad = seen["hp"] or COMMON_HP, seen["max hp"] or COMMON_HP, int(seen["ad"])
        self.ability = {name: number - 10 for name, number in seen["abilities"].items()}
        self.held: str | None = seen["held"]
        self.conditions = frozenset(seen["conditions"])
        self.shield, self.action = seen["shield"], seen["action"]
        self.at = (int(seen["column"]), int(seen["row"])) if on_map else None
        self.bonus = seen["attack"]

    @property
    def mana(self) -> int:
        """The mana dice of a fighter that knows a spell which hurts."""
        return int(self.seen.get("mana", 0)) if not HURTFUL.isdisjoint(self.seen.get("spells", ())) else 0

    def bolt(self, other: Body) -> Blow:
        """Return what its spells do to another fighter, as magic missile does it with all its mana dice."""
        return hit(6, self.mana, False, self.mana, other.hp)

    def bonus_of(self, ability: str) -> int:
        """Return the bonus of an ability."""
        return int(self.ability.get(ability, 0))

    def defense(self, ability: str) -> int:
        """Return the number that a check against an ability must reach."""
        return 10 + self.bonus_of(ability)

    @cached_property
    def fists(self) -> Weapon:
        """Its natural weapon, or its fists."""
        natural = self.seen["natural"]
        return Weapon(natural) if natural else Weapon(more=max(0, self.bonus_of("str")))

    @cached_property
    def arm(self) -> Weapon:
        """The weapon of its attacks."""
        return self.fists if self.held is None else weapon(self.held, self.seen["two hands"])

    @property
    def shoots(self) -> bool:
        """Whether it holds a missile weapon."""
        return self.arm.far > 0

    @property
    def reach(self) -> int:
        """Its melee range in squares."""
        return 2 if self.held is not None and weapons.REACH[NUMBERS[self.held]] and self.seen["two hands"] else 1

    @property
    def still(self) -> bool:
        """Whether it cannot move."""
        return not {"grappled", "paralyzed"}.isdisjoint(self.conditions)

    @property
    def idle(self) -> bool:
        """Whether it cannot act."""
        return not {"paralyzed", "stunned"}.isdisjoint(self.conditions)

    def gap(self, other: Body) -> int:
        """Return the distance to another fighter in squares."""
        if self.at is None or other.at is None:
            return NEXT_TO_ALL
        return max(abs(self.at[0] - other.at[0]), abs(self.at[1] - other.at[1]))

    def edge(self, other: Body, arm: Weapon, hinders: bool = False) -> int:
        """Return 1 if an attack on another fighter has advantage, -1 for disadvantage, else 0."""
        prone = "prone" in other.conditions
        helps = "aided" in self.conditions or not EXPOSED.isdisjoint(other.conditions) or (prone and not arm.far)
        hinders = hinders or not HINDERED.isdisjoint(self.conditions) or (prone and arm.far > 0)
        return int(helps) - int(hinders)

    def blow(self, other: Body, arm: Weapon, edge: int, extremes: bool = True) -> Blow:
        """Return what an attack does to another fighter."""
        chance, rare = success(other.ad - self.bonus, edge, extremes), success(20, edge)
        plain, double = (hit(arm.die, count if arm.die else 0, arm.twice, arm.more, other.hp) for count in (1, 2))
        return mixed(chance - rare, plain, rare, double)

    @cached_property
    def threat(self) -> float:
        """The hit points that it takes in a phase from a fighter in common armor."""
        return success(COMMON_AD - self.bonus, 0) * self.arm.mean


class Scene:
    """The contents of an observation: the moment, the fighter that decides, and the able fighters around it."""

    def __init__(self, game: TableGame, vector: FloatArray) -> None:
        """Take an observation; each fighter is read when it is needed."""
        self._vector, self._places = vector, places_of(game.layout)
        self._on_map = game.scenario.map is not None
        self.moment = self._read("moment")
        self.me = Body("self", self._read("self"), self._on_map)
        self.window: str = self.moment["window"]

    def _read(self, owner: str) -> dict[str, Any]:
        """Return what the observation shows of one owner."""
        first, blocks = self._places[owner]
        numbers, at = self._vector[first : first + sum(map(len, blocks))].tolist(), 0
        found: dict[str, Any] = {}
        for block in blocks:
            found.update(block.read(numbers, at))
            at += len(block)
        return found

    def _able(self, kind: str) -> list[Body]:
        """Return the able fighters of a kind; the first number of each says whether it is able."""
        owners = [owner for owner, (at, _) in self._places.items() if owner.startswith(kind) and self._vector[at]]
        return [Body(owner, self._read(owner), self._on_map) for owner in owners]

    @cached_property
    def foes(self) -> list[Body]:
        """The able enemies."""
        return self._able("enemy")

    @cached_property
    def allies(self) -> list[Body]:
        """The able allies."""
        return self._able("ally")

    def named(self, rest: str) -> Body | None:
        """Return the enemy of this number, if it is able."""
        return next((foe for foe in self.foes if foe.owner == f"enemy {rest}"), None)


@cache
def places_of(layout: Layout) -> dict[str, tuple[int, list[Block]]]:
    """Return the first number of each owner in an observation, and its blocks, which follow one another."""
    found: dict[str, tuple[int, list[Block]]] = {}
    at = 0
    for owner, block in layout.parts:
        found.setdefault(owner, (at, []))[1].append(block)
        at += len(block)
    return found
