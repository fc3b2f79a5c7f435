"""The legal choices of a seat in plain words, derived from its view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

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


def offers(scenario: Scenario, seat: str, view: Mapping[str, Any], legal: Mapping[int, str]) -> list[Offer]:
    """Return the legal choices, in menu order; the arguments are those of `menu`."""
    found = menu(scenario, seat, view, legal)
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
    names = [[each["name"] for each in view[side]] for side in ("enemies", "allies")]
    fighter = view["self"].get("agent", seat)
    sheet = next(sheet for sheet in scenario.fighters if sheet.agent == fighter)
    loadout = [owned.entry.name for owned in scenario.slots_of(sheet)]
    picking = (view.get("abilities") or {}).get("picking")
    way = (view.get("map") or {}).get("way")
    if way:
        wording = _wording_of_way(way["to"])
    elif picking:
        owner = picking.get("by") or fighter
        asker = next(sheet for sheet in scenario.fighters if sheet.agent == owner)
        wording = _wording_of_pick(scenario.slots_of(asker)[LETTERS.index(picking["slot"])], picking)
    else:
        free = BY_ACTION if view["window"] == "action" else BY_STANCE
        grips = view["window"] == "follow" and any(name.startswith(DEEDS[GRAPPLE]) for name in legal.values())
        rows = (view.get("map") or {}).get("rows", ())
        wording = wording_on_map(view["self"].get("at", (0, 0)), rows, free, points, grips=grips)
    used = [thing["used"] for thing in (view.get("map") or {}).get("objects", ())]
    objects = [object_in_words(*thing) for thing in zip(scenario.objects, used, strict=False)]
    return deeds(legal, names[0], names[1], wording, loadout, _spare(sheet, view), objects)


def _wording_of_pick(asks: Owned, picking: Mapping[str, Any]) -> Callable[[str], Wording | None]:
    """Return a function that words the answers to a part, which an ability asks for."""
    words = FOUND[asks.name].picks[picking["part"] - 1].words

    def word(name: str) -> Wording | None:
        choice, _, number = name.partition(" ")
        if choice == "pass":
            return Wording("stay" if picking["kind"] == "direction" else "none of these")
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


def _spare(sheet: FighterSheet, view: Mapping[str, Any]) -> str:
    """Return words for the weapon and shield that the viewer carries but does not have in hand."""
    other, held = sheet.spare, view["self"]["weapon"]
    if other is not None and all(held[part] == getattr(other.weapon, part) for part in OF_WEAPON):
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
