"""The writer of records: each fight as JSON lines, in the form that `records.record` reads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import Any

from heartrush_env import __version__
from heartrush_env.records.record import (
    BEGINNING,
    CUT_OFF,
    FORMAT,
    FORMAT_VERSION,
    MAX_FILE,
    MAX_LINE,
    SUM_LENGTH,
    RecordError,
    read_header,
)
from heartrush_env.tabletop.arguments import read_dice, unknown_agents, whole_number
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Event, Game, tables_digest
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.writing import replace_file


class Recorder:
    """Records one fight: `begin`, a `step` for each window, `end`, then `write` to save it."""

    def __init__(
        self,
        game: Game,
        key: tuple[int, int],
        seats: Mapping[str, Mapping[str, Any]],
        dice: Sequence[int] | None = None,
        *,
        started: datetime | None = None,
    ) -> None:
        """Start a record.

        Args:
            game: The game to record.
            key: The seed and the number of the fight, from the environment's `key`.
            seats: The player of each seat, as in {"knight_0": {"agent": "duelist"}}, with any other JSON-able facts.
            dice: The given results of the first rolls. If they are known only later, set `dice` before `end`.
            started: The time at which the fight started; without it, writing the same fight gives the same bytes.
        """
        self.game = game
        self.key = key
        self.seats = {agent: dict(facts) for agent, facts in seats.items()}
        self.dice = dice
        self.started = started
        self._actions = frozenset(game.action_names)
        self._lines: list[bytes] = []
        self._size = 0
        self._end_event: Event | None = None
        self._content: bytes | None = None
        self._head()  # raises errors now rather than at the end

    def begin(self, events: Sequence[Event]) -> None:
        """Record the events at the start of the fight."""
        if self._lines:
            raise HeartRushError("begin() was called twice; call it once per fight.")
        self._add({"step": BEGINNING, "events": list(events)})

    def step(
        self,
        actions: Mapping[str, int | str | None],
        events: Sequence[Event],
        fallback: Iterable[str] = (),
    ) -> None:
        """Record a window.

        Args:
            actions: Each seat's choice, as the action's number or name. Seats with one legal action may be left out.
            events: The events of the window.
            fallback: The seats whose choice could not be played, so that the fallback was played; their entries in
                `actions` are ignored.
        """
        if not self._lines or self._content is not None:
            raise HeartRushError("step() was called out of order; call it after begin() and before end().")
        stood_in = set(fallback)
        agents = self.game.agents
        if strangers := [agent for agent in (*actions, *stood_in) if agent not in agents]:
            raise HeartRushError(unknown_agents(strangers, agents))
        chosen = {agent: actions[agent] for agent in agents if agent in actions and agent not in stood_in}
        line: dict[str, Any] = {
            "step": len(self._lines) - 1,
            "actions": {agent: self._named(action) for agent, action in chosen.items() if action is not None},
            "events": list(events),
        }
        if stood_in:
            line["fallback"] = [agent for agent in agents if agent in stood_in]
        self._add(line)
        if events and events[-1]["type"] == "end":
            self._end_event = events[-1]

    def end(self, rewards: Mapping[str, float]) -> None:
        """Finish the record.

        Args:
            rewards: Each seat's total reward of the fight.
        """
        if not self._lines or self._content is not None:
            raise HeartRushError("end() was called out of order; call it once, after begin().")
        end = self._end_event or {"cause": CUT_OFF, "winners": []}
        paid = {agent: float(rewards[agent]) for agent in self.game.agents}
        ending = {"cause": end["cause"], "winners": list(end["winners"]), "rewards": paid}
        last = _line({"end": ending, "steps": len(self._lines) - 1, "sha256": "0" * 64})
        before = self._head() + b"".join(self._lines) + last[:-SUM_LENGTH]
        self._content = before + hashlib.sha256(before).hexdigest().encode() + b'"}\n'

    @property
    def content(self) -> bytes:
        """The content of the file."""
        if self._content is None:
            raise HeartRushError("The record has no end yet; call end() first.")
        return self._content

    def write(self, path: str | PathLike[str]) -> Path:
        """Write the file, replacing an earlier file only once the new one is complete."""
        replace_file(path, self.content, RecordError)
        return Path(path)

    def _head(self) -> bytes:
        """Return the first line, after validating it as a reader does."""
        if strangers := [agent for agent in self.seats if agent not in self.game.agents]:
            raise HeartRushError(unknown_agents(strangers, self.game.agents))
        header = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "heartrush_env": __version__,
            "game": self.game.as_table(),
            "digest": self.game.digest,
            "tables": tables_digest(self.game),
            "seed": whole_number("The seed", self.key[0]),
            "fight": whole_number("The fight's number", self.key[1]),
            "dice": None if self.dice is None else read_dice(self.dice),
            "seats": {agent: self.seats[agent] for agent in self.game.agents if agent in self.seats},
            "started": None if self.started is None else self.started.isoformat(),
        }
        read_header(header, "record")
        return _line(header)

    def _named(self, action: int | str) -> str:
        """Return the name of an action given by number or name."""
        if not isinstance(action, str):
            number = whole_number("An action", action)
            names = self.game.action_names
            if not 0 <= number < len(names):
                raise HeartRushError(f"An action: expected 0 to {len(names) - 1}, got {number}.")
            return names[number]
        if action not in self._actions:
            raise HeartRushError(f"An action: expected the name of one of the game's actions, got {show(action)}.")
        return action

    def _add(self, value: dict[str, Any]) -> None:
        line = _line(value)
        self._size += len(line)
        if self._size > MAX_FILE - 2 * MAX_LINE:  # room for the first and the last line
            raise RecordError(f"The fight: expected a record of at most {MAX_FILE // 2**20} MiB, got more.")
        self._lines.append(line)


def _line(value: Any) -> bytes:
    try:
        line = json.dumps(value, separators=(",", ":"), allow_nan=False).encode() + b"\n"
    except (TypeError, ValueError) as error:
        raise RecordError(f"A line of the record cannot be written as JSON ({error}).") from None
    if len(line) > MAX_LINE:
        raise RecordError(f"A line of the record: expected at most {MAX_LINE} bytes, got {len(line)}.")
    return line
