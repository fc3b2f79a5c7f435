"""The part of a view that only fights with abilities have: the occasion for instants, the attack, and loadouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heartrush_env.games.heart_rush.abilities.all import CODES, NUMBERS, PLAYED
from heartrush_env.games.heart_rush.encoding.loadouts import (
    CODE_BITS,
    LOADOUT,
    N_LOADOUT,
    N_OCCASION,
    OCCASION,
    PICKING,
)
from heartrush_env.games.heart_rush.encoding.shapes import Shape
from heartrush_env.games.heart_rush.encoding.view_start import Fields, Numbers
from heartrush_env.games.heart_rush.rules.abilities import LETTERS
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, Scenario
from heartrush_env.games.heart_rush.state.record import WINDOWS_OF_ABILITIES
from heartrush_env.tabletop.validate import unknown_name
from heartrush_env.tabletop.views import ViewError

BY_CODE = {int(CODES[number]): ability.name for number, ability in enumerate(PLAYED)}


class LoadoutView:
    """A reader and writer of the features of abilities, which begin at index `at` of an observation."""

    def __init__(self, scenario: Scenario, shape: Shape, at: int) -> None:
        self._sheets = {sheet.agent: sheet for sheet in scenario.fighters}
        self._enemies, self._at = shape.enemies, at
        self._picking_at = at + N_OCCASION + (1 + shape.enemies + shape.allies) * N_LOADOUT

    def window(self, seen: Numbers) -> str | None:
        """Return the open window if only fights with abilities have it, else None."""
        moment = {**OCCASION.read(seen, self._at), **PICKING.read(seen, self._picking_at)}
        return next((name for name in WINDOWS_OF_ABILITIES if moment[f"window {name}"]), None)

    def read(self, seen: Numbers, viewer: FighterSheet) -> dict[str, Any]:
        """Return the occasion, the attack in progress, and the abilities that the viewer sees, by fighter and slot."""
        moment = OCCASION.read(seen, self._at)
        blocks = {agent: LOADOUT.read(seen, at) for agent, at in self._places(viewer).items()}
        attack = {
            role: next((agent for agent, block in blocks.items() if block[line]), None)
            for role, line in (("striker", "strikes"), ("target", "is struck"))
        }
        return {
            "occasion": moment["occasion"],
            **attack,
            "striker_total": moment["striker_total"],
            "target_total": moment["target_total"],
            "declared": moment["declared"],
            "declaration": moment["declaration"],
            "loadouts": {agent: _read_slots(block) for agent, block in blocks.items()},
            **_read_picking(PICKING.read(seen, self._picking_at), list(blocks)),
        }

    def write(self, view: Fields, viewer: FighterSheet, seen: Numbers) -> None:
        """Write what `read` returns; an omitted loadout is as at the start, when only its own side sees it."""
        told = view.get("abilities") or {}
        moment: dict[str, Any] = {f"window {name}": view["window"] == name for name in WINDOWS_OF_ABILITIES}
        moment |= {
            name: told[name]
            for name in ("occasion", "striker_total", "target_total", "declared", "declaration")
            if name in told
        }
        OCCASION.show(moment, seen, self._at)
        picking = _shown_picking(told.get("picking") or {}, list(self._places(viewer)))
        PICKING.show(moment | picking, seen, self._picking_at)
        given = told.get("loadouts", {})
        for agent in given:
            if agent not in self._sheets:
                raise ViewError(f"abilities, loadouts: {unknown_name('fighter', agent, self._sheets)}")
        for agent, at in self._places(viewer).items():
            block: dict[str, Any] = {"strikes": told.get("striker") == agent, "is struck": told.get("target") == agent}
            LOADOUT.show(block | _shown_slots(given.get(agent, self._start(agent, viewer)), agent), seen, at)

    def _start(self, agent: str, viewer: FighterSheet) -> dict[str, Any]:
        """Return the slots of a fighter that the viewer sees as the fight begins."""
        sheet = self._sheets[agent]
        if sheet.team != viewer.team:
            return {}
        return {
            LETTERS[slot]: {"ability": owned.name, "destiny": owned.destined, "uses": 0, "memo": 0}
            for slot, owned in enumerate(sheet.abilities)
        }

    def _places(self, viewer: FighterSheet) -> dict[str, int]:
        """Return where each fighter's features begin: the viewer, then its enemies, then its allies."""
        others = [sheet for sheet in self._sheets.values() if sheet is not viewer]
        enemies = [sheet.agent for sheet in others if sheet.team != viewer.team]
        allies = [sheet.agent for sheet in others if sheet.team == viewer.team]
        places = {viewer.agent: 0, **{agent: 1 + place for place, agent in enumerate(enemies)}}
        places |= {agent: 1 + self._enemies + place for place, agent in enumerate(allies)}
        return {agent: self._at + N_OCCASION + place * N_LOADOUT for agent, place in places.items()}


def _read_picking(block: Mapping[str, Any], agents: Sequence[str]) -> dict[str, Any]:
    """Return the part that the viewer is asked for, with its answers so far, if there is one.

    `agents` are the fighters by their place in the viewer's view, itself first.
    """
    if block["part"] is None:
        return {}
    answers = {part: number - 1 for part, number in block["answers"].items()}
    picking = {"kind": block["kind"], "slot": block["slot"], "part": int(block["part"]), "answers": answers}
    return {"picking": picking | ({"by": agents[block["pick by"]]} if block["pick by"] else {})}


def _shown_picking(picking: Mapping[str, Any], agents: Sequence[str]) -> dict[str, Any]:
    """Return the lines of the block that shows the part that the viewer is asked for."""
    part, by = picking.get("part"), picking.get("by")
    if by is not None and by not in agents:
        raise ViewError(f"abilities, picking, by: {unknown_name('fighter', by, agents)}")
    answers = {name: number + 1 for name, number in picking.get("answers", {}).items()}
    lines = {"kind": picking.get("kind"), "slot": picking.get("slot"), "part": None if part is None else str(part)}
    return {**lines, "pick by": 0 if by is None else agents.index(by), "answers": answers}


def _read_slots(block: Mapping[str, Any]) -> dict[str, Any]:
    """Return the abilities of a block, by slot letter."""
    return {
        letter: {
            "ability": BY_CODE[sum(1 << k for k in range(CODE_BITS) if letter in block[f"code {k}"])],
            "destiny": letter in block["destiny"],
            "uses": block["uses"].get(letter, 0),
            "memo": block["memo"].get(letter, 0),
        }
        for letter in block["has"]
    }


def _shown_slots(slots: Mapping[str, Any], agent: str) -> dict[str, Any]:
    """Return the lines of a block for these slots."""
    for letter, slot in slots.items():
        if letter not in LETTERS:
            raise ViewError(f"abilities, {agent}: expected slot {', '.join(LETTERS)}, got {letter!r}")
        if slot.get("ability") not in NUMBERS:
            raise ViewError(f"abilities, {agent}, {letter}: {unknown_name('ability', slot.get('ability'), NUMBERS)}")
    codes = {letter: int(CODES[NUMBERS[slot["ability"]]]) for letter, slot in slots.items()}
    lines: dict[str, Any] = {"has": dict.fromkeys(slots, 1)}
    for k in range(CODE_BITS):
        lines[f"code {k}"] = {letter: code >> k & 1 for letter, code in codes.items()}
    lines["destiny"] = {letter: int(bool(slot.get("destiny"))) for letter, slot in slots.items()}
    for name in ("uses", "memo"):
        lines[name] = {letter: slot.get(name, 0) for letter, slot in slots.items()}
    return lines
