"""The description of a WebAssembly module: all that a host needs to play the games whose kernels the module holds.

It is made from the games themselves: the arrays that their kernels take and what these hold before the first fight, the
layout of records, and the names of actions, features and events. The host (fights.mjs) knows no game.
"""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.kernels import Kernel, Kind, kinds_of
from heartrush_env.tabletop.records import layout
from heartrush_env.tabletop.registry import brief_table
from heartrush_env.tabletop.rng import MAX_GIVEN_DICE
from heartrush_env.tabletop.words import words_of

HEADER: Final = {"format": "heartrush-fights", "version": 1}  # the host reads these alone
OWN: Final = {"logs": None, "numbers": 1, "dice": MAX_GIVEN_DICE}  # parameters of each fight, with room for this many


@dataclass
class Described:
    """Games in a form that hosts without Python read."""

    kernels: dict[str, tuple[Kernel, list[Kind]]] = field(default_factory=dict)  # by symbol
    versions: dict[str, str] = field(default_factory=dict)  # by game: the digest of the rules in its kernels
    records: dict[str, Any] = field(default_factory=dict)  # the layout of each record type by its name
    tables: dict[str, list[str]] = field(default_factory=dict)  # the names of actions and features that games share
    events: dict[str, Any] = field(default_factory=dict)  # by game: how a log is told
    scenarios: dict[str, Any] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)  # of record types, by their layout

    def add(self, name: str, game: Game) -> None:
        """Add a game under the name by which hosts start its fights."""
        kernel, arguments, shared = self.add_kernel(game)
        telling = getattr(game, "telling", None)
        if telling is None:
            raise HeartRushError(f"{name}: expected a game whose events are declared as data, got {game.name}.")
        self.events[game.name] = telling.data
        self.scenarios[name] = {
            "game": game.name,
            "version": self.versions[game.name],
            "digest": game.digest,
            "table": brief_table(game),
            "shape": game.options["shape"],
            "agents": list(game.agents),
            "teams": list(game.teams),
            "shown": dict(words_of(game).names),
            "names": game.event_names,  # type: ignore[attr-defined]  # of games with `telling`
            "out_causes": list(game.out_causes),
            "actions": self._table(game, "actions", game.action_names),
            "features": self._table(game, "features", game.feature_names),
            "kernel": kernel.symbol(kinds_of(arguments)),
            "arguments": [
                self._argument(parameter, argument, parameter in shared and parameter not in OWN)
                for parameter, argument in zip(kernel.parameters, arguments, strict=True)
            ],
        }

    def add_kernel(self, game: Game) -> tuple[Kernel, tuple[Any, ...], tuple[str, ...]]:
        """Add the kernel of a game; return it, its arguments, and the names of those that all fights share."""
        batch: Any = game.batch(1, record=True)
        if not hasattr(batch, "playing"):
            raise HeartRushError(f"{game.name}: expected a game whose fights are played by a kernel, got another one.")
        kernel, arguments = batch.playing(np.zeros(1, np.int64))
        if kernel.sources is None:
            raise HeartRushError(f"{game.name}: expected a game whose source is in files, got code that is in none.")
        kinds = kinds_of(arguments)
        self.kernels[kernel.symbol(kinds)] = kernel, kinds
        self.versions[game.name] = kernel.sources.digest
        return kernel, arguments, batch.shared

    def data(self, module: str) -> dict[str, Any]:
        """Return the description of the module with this identity, as JSON-able data."""
        return {
            **HEADER,
            "module": module,
            "versions": self.versions,
            "scenarios": self.scenarios,
            "records": self.records,
            "tables": self.tables,
            "events": self.events,
        }

    def _table(self, game: Game, kind: str, names: tuple[str, ...]) -> str:
        """Return the name under which a list of names is kept."""
        wanted, number = f"{game.name} {game.options['shape']} {kind}", 1
        key = wanted
        while self.tables.setdefault(key, list(names)) != list(names):
            number += 1
            key = f"{wanted} {number}"
        return key

    def _argument(self, name: str, argument: Any, shared: bool) -> dict[str, Any]:
        """Describe an argument: a number, or an array by its type, its shape, and what it holds before a fight."""
        if not isinstance(argument, np.ndarray):
            return {"name": name, "value": int(argument)}
        kind, content = self._type(argument.dtype, name), argument.tobytes()
        found: dict[str, Any] = {"name": name, "type": kind, "shape": list(argument.shape), "shared": shared}
        if OWN.get(name):
            found["room"] = OWN[name]
        if content.strip(b"\0"):
            found["content"] = base64.b64encode(zlib.compress(content, 9)).decode()
        return found

    def _type(self, kind: np.dtype[Any], name: str) -> str:
        """Return the name of a type: that of a record type, or a letter and a number of bytes."""
        if kind.names is None:
            return kind.str[1:].replace("?", "b1")
        key = layout(kind)
        if key not in self._names:
            taken = sum(each == name or each.startswith(f"{name} ") for each in self._names.values())
            self._names[key] = f"{name} {taken + 1}" if taken else name
            self.records[self._names[key]] = None  # before the types of its fields
            self.records[self._names[key]] = {
                "size": kind.itemsize,
                "fields": {inner: self._field(inner, *place) for inner, place in (kind.fields or {}).items()},
            }
        return self._names[key]

    def _field(self, name: str, kind: np.dtype[Any], offset: int, *title: Any) -> list[Any]:
        """Describe a field: its type, where it begins in its record and, for arrays, their shape."""
        base, shape = kind.subdtype or (kind, ())
        return [self._type(base, name), offset, *([list(shape)] if shape else [])]
