"""The objects of a scenario (RULINGS, R-164): who may use them, and the effects of a use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .board import Space, Square, distance
from .moments import Damage
from .rolls import roll_check
from .sheet import SIZE_RANKS, Fighter, Gear, Weapon, read_weapon, size_allows
from .table import Table

if TYPE_CHECKING:
    from .fight import Fight

BURIED = ".,l/"
"""The glyphs that become rubble; other ground is higher, lower, wet, better cover or in the way."""


@dataclass
class Thing:
    """An object, and its present state."""

    at: Square
    effect: str
    cost: str
    check: str | None
    number: int
    squares: int
    save: int
    damage: str
    item: Weapon | None
    used: bool = False

    @property
    def space(self) -> Space:
        """The square of the object."""
        return Space(*self.at, 1)


def read_objects(scenario: Mapping[str, Any]) -> list[Thing]:
    """Return the objects of a scenario in order; their numbers follow it."""
    return [
        Thing(
            at=(said["at"][0], said["at"][1]),
            effect=said["effect"],
            cost=said.get("cost", "action"),
            check=said.get("check"),
            number=said.get("number", 0),
            squares=said.get("squares", 0),
            save=said.get("save", 0),
            damage=said.get("damage", ""),
            item=read_weapon(said["item"]) if "item" in said else None,
        )
        for said in scenario.get("object", [])
    ]


def object_choices(table: Table, fighter: Fighter) -> list[str]:
    """Return the objects that the fighter may use now, or whose item it may take, and can pay for."""
    names = []
    for number, thing in enumerate(table.objects, 1):
        may = can_take(fighter, thing) if thing.used else can_use(fighter, thing)
        cost = "interaction" if thing.used else thing.cost
        pays = table.can_spend_action(fighter) or (
            cost == "interaction" and (fighter.interaction or table.is_free(fighter))
        )
        names += [f"object {number}"] if may and pays else []
    return names


def can_use(fighter: Fighter, thing: Thing) -> bool:
    """Return whether the object is adjacent or, unless it is to collapse, in the fighter's own space."""
    away = distance(fighter.space, thing.space)
    return away == 1 or (away == 0 and thing.effect != "collapse")


def can_take(fighter: Fighter, thing: Thing) -> bool:
    """Return whether an item is left and the fighter is near, large enough, and without a spare weapon."""
    if thing.item is None or fighter.spare is not None or distance(fighter.space, thing.space) > 1:
        return False
    size = next(name for name, rank in SIZE_RANKS.items() if rank == fighter.filled_rank)
    return size_allows(size, thing.item)


def locked(table: Table, square: Square) -> bool:
    """Return whether an object keeps the door on the square shut."""
    return any(thing.at == square and thing.effect == "open" and not thing.used for thing in table.objects)


def pay_for(table: Table, fighter: Fighter, thing: Thing) -> None:
    """Take the free interaction where that is enough, else the action."""
    if thing.used or thing.cost == "interaction":
        table.pay_interaction(fighter)
    else:
        fighter.spend_action()


def use_object(fight: Fight, fighter: Fighter, thing: Thing) -> dict[str, list[Damage]]:
    """Take the object's item, or try to make the object work; return the hits."""
    if thing.used:
        item = thing.item
        assert item is not None
        shield = fighter.shield if item.hands + (1 if fighter.shield else 0) <= 2 else 0
        fighter.spare, thing.item = Gear(item, shield, fighter.speed), None
        return {}
    if thing.check is not None and roll_check(fight.table, fighter, thing.check, None) < thing.number:
        return {}
    thing.used = True
    board = fight.table.board
    assert board is not None
    if thing.effect == "open" and board.is_wall_like(thing.at):
        board.set_door(thing.at, "/" if board.glyph(thing.at) == "+" else ".")
    return _bring_down(fight, fighter, thing) if thing.effect == "collapse" else {}


def _bring_down(fight: Fight, fighter: Fighter, thing: Thing) -> dict[str, list[Damage]]:
    """Bury the object's square and those behind it, up to a wall; then all in them save, in agent order."""
    board = fight.table.board
    assert board is not None
    near = min(fighter.space.squares, key=lambda square: abs(square[0] - thing.at[0]) + abs(square[1] - thing.at[1]))
    way = (thing.at[0] - near[0], thing.at[1] - near[1])
    struck = [thing.at]
    while len(struck) <= thing.squares:
        there = (struck[-1][0] + way[0], struck[-1][1] + way[1])
        if board.is_wall_like(there):
            break
        struck.append(there)
    for square in struck:
        if square == thing.at or board.glyph(square) in BURIED:
            board.set_door(square, ":")
    hits: dict[str, list[Damage]] = {}
    for victim in fight.fighters:
        if victim.status not in ("standing", "unconscious") or not set(victim.space.squares) & set(struck):
            continue
        if roll_check(fight.table, victim, "agility", None, kind="save") < thing.save:
            dice, sides = map(int, thing.damage.split("d"))
            hits[victim.agent] = [Damage(sum(fight.table.roll_die(sides) for _ in range(dice)), fighter, "collapse")]
            victim.conditions.gain("prone")
    return hits
