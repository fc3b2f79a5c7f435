"""The parts of a view that only some fights have: sides' turns, and in fights with abilities, attacks and loadouts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heartrush_env.games.heart_rush.abilities.all import CODES, NUMBERS, PLAYED, number_of
from heartrush_env.games.heart_rush.encoding.features import Row
from heartrush_env.games.heart_rush.encoding.loadouts import CODE_BITS, LOADOUT, OCCASION, PICKING
from heartrush_env.games.heart_rush.encoding.turns import IN_TURNS, TURNS
from heartrush_env.games.heart_rush.encoding.view_start import Fields, Numbers, Owners
from heartrush_env.games.heart_rush.rules.abilities import LETTERS
from heartrush_env.games.heart_rush.scenario.sheets import Owned, Scenario
from heartrush_env.tabletop.validate import unknown_name
from heartrush_env.tabletop.views import ViewError

SIDES = ("priority", "engaged")  # fields that name a team
FIGURES = ("striker_total", "target_total", "declared", "declaration")  # fields with the same names as lines
BY_CODE = {int(CODES[number]): ability.name for number, ability in enumerate(PLAYED)}


class TurnView:
    """A reader and writer of the features of turns."""

    def __init__(self, scenario: Scenario, row: Row) -> None:
        self._team = {sheet.agent: sheet.team for sheet in scenario.fighters}
        self._teams, self._row = scenario.teams, row

    def read(self, seen: Numbers, owners: Owners) -> dict[str, Any]:
        """Return the team with priority, the engaged team, the passes in a row, and the fighters in the engagement."""
        flags = {agent: self._row.read(seen, IN_TURNS, owner) for agent, owner in owners.items()}
        sides = {name: next((self._team[agent] for agent, told in flags.items() if told[name]), None) for name in SIDES}
        joined = [agent for agent in self._team if flags[agent]["joined"]]
        return {**sides, "passed": self._row.read(seen, TURNS)["passed"], "joined": joined}

    def write(self, view: Fields, owners: Owners, seen: Numbers) -> None:
        """Write what `read` returns; an omitted field means no team, no passes or no fighters."""
        told = view.get("turns") or {}
        for name in SIDES:
            if told.get(name) not in (None, *self._teams):
                raise ViewError(f"turns, {name}: {unknown_name('team', told[name], self._teams)}")
        joined = self._joined(told)
        moment = {"engagement": told.get("engaged") is not None, "passed": told.get("passed", 0)}
        self._row.show(moment, seen, TURNS)
        for agent, owner in owners.items():
            sides = {name: told.get(name) == self._team[agent] for name in SIDES}
            self._row.show({**sides, "joined": agent in joined}, seen, IN_TURNS, owner)

    def _joined(self, told: Mapping[str, Any]) -> list[str]:
        """Return the fighters in the engagement; raise ViewError for an unknown name."""
        joined: list[str] = told.get("joined", [])
        for agent in joined:
            if agent not in self._team:
                raise ViewError(f"turns, joined: {unknown_name('fighter', agent, self._team)}")
        return joined


class LoadoutView:
    """A reader and writer of the features of abilities."""

    def __init__(self, scenario: Scenario, row: Row) -> None:
        self._sheets, self._row = {sheet.agent: sheet for sheet in scenario.fighters}, row

    def read(self, seen: Numbers, owners: Owners) -> dict[str, Any]:
        """Return the occasion, the attack in progress, and the abilities that the viewer sees, by fighter and slot."""
        moment = self._row.read(seen, OCCASION)
        blocks = {agent: self._row.read(seen, LOADOUT, owner) for agent, owner in owners.items()}
        attack = {
            role: next((agent for agent, block in blocks.items() if block[line]), None)
            for role, line in (("striker", "strikes"), ("target", "is struck"))
        }
        return {
            "occasion": moment["occasion"],
            **attack,
            **{name: moment[name] for name in FIGURES},
            "loadouts": {agent: _read_slots(block, self._sheets[agent].abilities) for agent, block in blocks.items()},
            **_read_picking(self._row.read(seen, PICKING), list(blocks)),
        }

    def write(self, view: Fields, owners: Owners, seen: Numbers) -> None:
        """Write what `read` returns; an omitted loadout is as at the start, when only its own side sees it."""
        told = view.get("abilities") or {}
        self._row.show({name: told[name] for name in ("occasion", *FIGURES) if name in told}, seen, OCCASION)
        self._row.show(_shown_picking(told.get("picking") or {}, list(owners)), seen, PICKING)
        given = told.get("loadouts", {})
        for agent in given:
            if agent not in self._sheets:
                raise ViewError(f"abilities, loadouts: {unknown_name('fighter', agent, self._sheets)}")
        for agent, owner in owners.items():
            block: dict[str, Any] = {"strikes": told.get("striker") == agent, "is struck": told.get("target") == agent}
            slots = given[agent] if agent in given else self._start(agent, owners)
            shown = _shown_slots(slots, agent, self._sheets[agent].abilities)
            self._row.show(block | shown, seen, LOADOUT, owner)

    def _start(self, agent: str, owners: Owners) -> dict[str, Any]:
        """Return the slots of a fighter that the viewer sees as the fight begins."""
        if owners[agent].startswith("enemy"):
            return {}
        return {
            LETTERS[slot]: {"ability": owned.name, "destiny": owned.destined, "uses": 0, "memo": 0}
            for slot, owned in enumerate(self._sheets[agent].abilities)
        }


def _read_picking(block: Mapping[str, Any], agents: Sequence[str]) -> dict[str, Any]:
    """Return the part that the viewer is asked for, with its answers so far, if there is one.

    `agents` are the fighters by their place in the viewer's view, the viewer first.
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


def _read_slots(block: Mapping[str, Any], loadout: Sequence[Owned]) -> dict[str, Any]:
    """Return the abilities of a block, by slot letter; a homebrew ability is named by its slot, not by its code."""
    codes = {letter: sum(1 << k for k in range(CODE_BITS) if f"{k} {letter}" in block["code"]) for letter in LETTERS}
    return {
        letter: {
            "ability": BY_CODE.get(codes[letter]) or loadout[LETTERS.index(letter)].name,
            "destiny": letter in block["destiny"],
            "uses": block["uses"].get(letter, 0),
            "memo": block["memo"].get(letter, 0),
        }
        for letter in block["has"]
    }


def _shown_slots(slots: Mapping[str, Any], agent: str, loadout: Sequence[Owned]) -> dict[str, Any]:
    """Return the lines of a block for these slots; a homebrew ability may only be in its owner's slot."""
    own = {owned.name: number_of(owned, slot) for slot, owned in enumerate(loadout)}
    numbers = {**NUMBERS, **own}
    for letter, slot in slots.items():
        if letter not in LETTERS:
            raise ViewError(f"abilities, {agent}: expected slot {', '.join(LETTERS)}, got {letter!r}")
        if slot.get("ability") not in numbers:
            raise ViewError(f"abilities, {agent}, {letter}: {unknown_name('ability', slot.get('ability'), numbers)}")
    codes = {letter: int(CODES[numbers[slot["ability"]]]) for letter, slot in slots.items()}
    lines: dict[str, Any] = {"has": dict.fromkeys(slots, 1)}
    lines["code"] = {f"{k} {letter}": code >> k & 1 for letter, code in codes.items() for k in range(CODE_BITS)}
    lines["destiny"] = {letter: int(bool(slot.get("destiny"))) for letter, slot in slots.items()}
    for name in ("uses", "memo"):
        lines[name] = {letter: slot.get(name, 0) for letter, slot in slots.items()}
    return lines
