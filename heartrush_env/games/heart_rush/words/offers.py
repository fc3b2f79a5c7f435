"""The legal choices of a seat in plain words, derived from its view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from heartrush_env.games.heart_rush.abilities.unit import FOUND
from heartrush_env.games.heart_rush.encoding.view_start import OF_WEAPON
from heartrush_env.games.heart_rush.rules.abilities import LETTERS
from heartrush_env.games.heart_rush.rules.movement import COMPASS, STEP_X, STEP_Y
from heartrush_env.games.heart_rush.rules.terms import DEEDS, GRAPPLE
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, Owned, Scenario, Spare
from heartrush_env.games.heart_rush.words.menu import BY_ACTION, BY_RUSH, BY_STANCE, RUSH, Deed, Wording, deeds, worded
from heartrush_env.games.heart_rush.words.words import object_in_words, set_in_words
from heartrush_env.tabletop.words import Offer

PART_OF_DASH: Final = "as part of your dash"
OPEN: Final = "/"  # the glyph of an open door
STEPS: Final = dict(zip(COMPASS, zip(STEP_X.tolist(), STEP_Y.tolist(), strict=True), strict=True))


class Facts(NamedTuple):
    """The facts of a view on which the words for choices depend."""

    fighter: str | None  # whose choice it is
    window: str
    weapon: tuple[Any, ...]
    names: tuple[tuple[str, ...], tuple[str, ...]]  # of the enemies and of the allies
    at: tuple[int, ...] = (0, 0)
    rows: tuple[str, ...] = ()
    used: tuple[bool, ...] = ()  # of each object
    way_to: tuple[int, ...] | None = None
    picking: tuple[str | None, str, int, str] | None = None  # by whom, the slot, the number of the part, and its kind


def facts_of(view: Mapping[str, Any]) -> Facts:
    """Return these facts of a view, as the game's views read it."""
    own, field, picking = view["self"], view.get("map") or {}, (view.get("abilities") or {}).get("picking")
    return Facts(
        own.get("agent"),
        view["window"],
        tuple(map(own["weapon"].get, OF_WEAPON)),
        (tuple(each["name"] for each in view["enemies"]), tuple(each["name"] for each in view["allies"])),
        tuple(own.get("at", (0, 0))),
        tuple(field.get("rows", ())),
        tuple(thing["used"] for thing in field.get("objects", ())),
        tuple(field["way"]["to"]) if field.get("way") else None,
        (picking.get("by"), picking["slot"], picking["part"], picking["kind"]) if picking else None,
    )


def offers(scenario: Scenario, seat: str, facts: Facts, legal: Mapping[int, str]) -> list[Offer]:
    """Return the legal choices, in menu order; the arguments are those of `menu`."""
    found = _menu(scenario, seat, facts, legal, BY_RUSH)
    return [Offer(legal[choice.value], choice.words, deed.target) for deed in found for choice in deed.actions]


def menu(
    scenario: Scenario, seat: str, view: Mapping[str, Any], legal: Mapping[int, str], points: str = BY_RUSH
) -> list[Deed]:
    """Return the legal choices as deeds, in menu order.

    Args:
        scenario: The scenario.
        seat: The seat that chooses.
        view: The seat's view, as the game's views read it.
        legal: The names of its legal actions by number.
        points: The words for the payment of a sidestep that costs a rush point.
    """
    return _menu(scenario, seat, facts_of(view), legal, points)


def _menu(scenario: Scenario, seat: str, facts: Facts, legal: Mapping[int, str], points: str) -> list[Deed]:
    fighter = facts.fighter or seat
    sheet = next(sheet for sheet in scenario.fighters if sheet.agent == fighter)
    loadout = [owned.entry.name for owned in scenario.slots_of(sheet)]
    if facts.way_to is not None:
        wording = _wording_of_way(facts.way_to)
    elif facts.picking is not None:
        by, slot, part, kind = facts.picking
        asker = next(sheet for sheet in scenario.fighters if sheet.agent == (by or fighter))
        wording = _wording_of_pick(scenario.slots_of(asker)[LETTERS.index(slot)], part, kind)
    else:
        free = BY_ACTION if facts.window == "action" else BY_STANCE
        grips = facts.window == "follow" and any(name.startswith(DEEDS[GRAPPLE]) for name in legal.values())
        wording = wording_on_map(facts.at, facts.rows, free, points, grips=grips)
    objects = [object_in_words(*thing) for thing in zip(scenario.objects, facts.used, strict=False)]
    return deeds(legal, *facts.names, wording, loadout, _spare(sheet, facts.weapon), objects)


def _wording_of_pick(asks: Owned, part: int, kind: str) -> Callable[[str], Wording | None]:
    """Return a function that words the answers to a part of this kind, which an ability asks for."""
    words = FOUND[asks.name].picks[part - 1].words

    def word(name: str) -> Wording | None:
        choice, _, number = name.partition(" ")
        if choice == "pass":
            return Wording("stay" if kind == "direction" else "none of these")
        return Wording(words[int(number)]) if choice == "pick" else None

    return word


def _wording_of_way(to: Sequence[int]) -> Callable[[str], Wording | None]:
    """Return a function that words the steps or squares that continue a path, given the square that it has reached."""

    def word(name: str) -> Wording | None:
        if name == "pass":
            return Wording(f"end your dash at {to[0]},{to[1]}")
        choice, direction = name.split()
        if choice == "dash":
            return Wording(f"go on to {_square_from(to, direction)}")
        square = f"{to[0] + STEPS[direction][0]},{to[1] + STEPS[direction][1]}"
        return Wording(f"step {direction} to {square}", ("step DIRECTION", PART_OF_DASH), f"{direction} {square}")

    return word


def _square_from(at: Sequence[int], offset: str) -> str:
    """Return the square this far away, given as in the name of a dash."""
    east, south = map(int, offset.split(","))
    return f"{at[0] + east},{at[1] + south}"


def _spare(sheet: FighterSheet, held: Sequence[Any]) -> str:
    """Return words for the weapon and shield that the viewer carries but does not have in hand."""
    other = sheet.spare
    if other is not None and all(
        known == getattr(other.weapon, part) for part, known in zip(OF_WEAPON, held, strict=True)
    ):
        other = Spare(sheet.weapon, sheet.shield, sheet.shield_hands, sheet.speed)
    return set_in_words(other)


def wording_on_map(
    at: Sequence[int], rows: Sequence[Sequence[str]], free: str, points: str, *, grips: bool
) -> Callable[[str], Wording | None]:
    """Return a function that puts into words the choices that only maps have, with their squares.

    Args:
        at: The column and the row of the fighter that chooses.
        rows: The glyphs of the map.
        free: The words for the payment of a sidestep that costs no rush point.
        points: The words for the payment of a sidestep that costs a rush point.
        grips: Whether the fighter chooses between a push and a squeeze.
    """

    def word(name: str) -> Wording | None:
        action, *details = name.split()
        match action, details:
            case "pass", [] if grips:
                return Wording("push it away")
            case "grapple", [_] if grips:
                return Wording("squeeze it in your grip")
            case "dash", [offset]:
                return Wording(worded(name, square=_square_from(at, offset)))
            case "sidestep" | "door", [direction, *by_rush]:
                column, row = at[0] + STEPS[direction][0], at[1] + STEPS[direction][1]
                square = f"{column},{row}"
                if action == "door":
                    verb = "close" if rows[row][column] == OPEN else "open"
                    return Wording(worded(name, verb=verb, square=square))
                paid, rush = (points, RUSH) if by_rush else (free, "")
                words, group = f"step {direction} to {square}, {paid}", (f"step DIRECTION{rush}", paid)
                return Wording(words, group, f"{direction} {square}", f"step {direction}{rush}")
        return None

    return word
