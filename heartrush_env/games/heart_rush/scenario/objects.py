"""The objects of a scenario: locks, pillars, chandeliers, chests, and anything else that a fighter can use."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from heartrush_env.games.heart_rush.rules.terms import ABILITIES, DIE_LADDER, MOST_OBJECTS
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.battlefield import Battlefield, square
from heartrush_env.games.heart_rush.scenario.fields import weapon_of
from heartrush_env.games.heart_rush.scenario.sheets import ObjectSheet
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import Faults, Field, any_of, join_or, named, read_table, table, text, whole

EFFECTS: Final = ("open", "collapse", "drop")
COSTS: Final = ("interaction", "action")
LARGEST_NUMBER: Final = 40  # that a check or a save must reach
MOST_RUBBLE: Final = 8  # squares beyond the object's own
MOST_DICE: Final = 9
_DICE: Final = re.compile(rf"([1-{MOST_DICE}])d([0-9]{{1,2}})")
_OF_COLLAPSE: Final = ("squares", "save", "damage")
_NEEDED: Final = {"open": (), "collapse": ("save", "damage"), "drop": ("item",)}


def _damage() -> Field:
    """Return a field for dice of one kind."""
    sides = join_or(f"d{die}" for die in DIE_LADDER)

    def fits(value: object) -> bool:
        found = _DICE.fullmatch(value) if isinstance(value, str) else None
        return found is not None and int(found[2]) in DIE_LADDER

    return Field(fits, f"1 to {MOST_DICE} dice of one kind ({sides}), as in 2d6")


@cache
def object_fields() -> dict[str, Field]:
    """Return the keys of a scenario's object."""
    number = whole(1, LARGEST_NUMBER)
    return {
        "name": text().about("its name for people, as in `the oak door`", usually="its effect and its number"),
        "at": square().about("its square", usually="required"),
        "cost": named(COSTS).about("what using it costs", "action"),
        "check": named(ABILITIES).about("the ability for the check that its user must make", usually="no check"),
        "number": number.about("the number that the check must reach", usually="required with `check`"),
        "effect": named(EFFECTS).about(
            "what using it does: `open` its square, or a chest; `collapse` into rubble; `drop` an item",
            usually="required",
        ),
        "squares": whole(0, MOST_RUBBLE).about(
            "with `collapse`: how many squares behind its own, away from its user, become rubble too", 0
        ),
        "save": number.about("with `collapse`: the number of the agility save", usually="required"),
        "damage": _damage().about("with `collapse`: the damage of a failed save", usually="required"),
        "item": any_of(named(catalog.weapons()), table()).about(
            "the weapon that is there once the object is used; required with `drop`, optional with `open`",
            usually="none",
        ),
    }


def read_objects(
    given: Sequence[Mapping[str, Any]], field: Battlefield | None, where: str, faults: Faults
) -> tuple[ObjectSheet, ...]:
    """Read the objects of a scenario, and add their errors to `faults`."""
    found: list[ObjectSheet] = []
    with faults.caught():
        if given and field is None:
            raise ScenarioError(f"{where}: object is given, but there is no [battlefield] to put it on.")
        if len(given) > MOST_OBJECTS:
            raise ScenarioError(f"{where}: expected at most {MOST_OBJECTS} objects, got {len(given)}.")
    for number, one in enumerate(given, start=1):
        place = f"{where}, object {number}"
        own = read_table(one, object_fields(), place, ScenarioError, faults=faults)
        with faults.caught():
            _check_needed(own, one, place)
        with faults.caught():
            if field is not None and {"at", "effect"} <= set(own):
                found.append(_read(own, number, field, found, place))
    return tuple(found)


def _check_needed(own: Mapping[str, Any], given: Mapping[str, Any], place: str) -> None:
    """Check that an object has the keys that its effect and check need, and no keys of other effects."""
    effect = own.get("effect")
    wanted = ["at", "effect", *_NEEDED.get(str(effect), ())]
    wanted += ["number"] if "check" in own else ["check"] if "number" in own else []
    missing = [key for key in wanted if key not in given]
    if missing:
        raise ScenarioError(f"{place}: {missing[0]} is missing; expected {object_fields()[missing[0]].allowed}.")
    foreign = [key for key in (*_OF_COLLAPSE, "item") if key in own and (key == "item") == (effect == "collapse")]
    if foreign and effect is not None:
        effects = "open or drop" if effect == "collapse" else "collapse"
        key = foreign[0]
        raise ScenarioError(f"{place}: {key}: expected only with effect {effects}, got effect {effect!r}.")


def _read(
    own: Mapping[str, Any], number: int, field: Battlefield, earlier: Sequence[ObjectSheet], place: str
) -> ObjectSheet:
    """Return one object, checked against the map and the earlier objects."""
    x, y = own["at"]
    if x >= field.width or y >= field.height:
        raise ScenarioError(
            f"{place}: at: expected columns 0 to {field.width - 1} and rows 0 to {field.height - 1}, got "
            f"{show([x, y])}."
        )
    if any(other.at == (x, y) for other in earlier):
        raise ScenarioError(f"{place}: at: expected a square without an earlier object, got {show([x, y])}.")
    name = own.get("name", f"object {number}")
    if any(other.name == name for other in earlier):
        raise ScenarioError(f"{place}: name: expected a name that no earlier object has, got {show(name)}.")
    dice, die = map(int, own.get("damage", "0d4").split("d"))
    usual = {key: own.get(key, object_fields()[key].usual) for key in ("cost", "squares")}
    return ObjectSheet(
        name=name,
        at=(x, y),
        cost=usual["cost"],
        check=own.get("check"),
        number=own.get("number", 0),
        effect=own["effect"],
        squares=usual["squares"] if own["effect"] == "collapse" else 0,
        save=own.get("save", 0),
        dice=dice,
        die=die,
        item=weapon_of(own["item"], f"{place}: item") if "item" in own else None,
    )
