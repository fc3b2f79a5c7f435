"""Positions of any game of tables, rebuilt only from what one seat sees.

A position starts from a similar one, met in fights that the library has played against itself. Every number that the
observation shows is then written into the field that it comes from. What the observation does not show stays as in the
similar position: it is a sample of what the seat may not know. The dice to come are drawn by the caller. The true fight
is never read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from inspect import signature
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.choosing import NOBODY, Who
from heartrush_env.tabletop.game import ByteArray, FloatArray, Game
from heartrush_env.tabletop.table_game import TableGame
from heartrush_env.tabletop.tables import Counts, Flag, Line, Number, Word
from heartrush_env.tabletop.validate import join_or

# Fields that say at which point of the round a fight waits. They are never written: they must be those of the sample.
POINT: Final = ("window", "one", "pending", "picking", "deed", "target", "detail", "picked")
NEEDED: Final = ("fighters.hp", "fighters.status", "fighters.team")
ON_A_MAP: Final = ("fighters.x", "fighters.y")
TRIED: Final = 8  # similar positions that are tried for one observation
ALIKE: Final = 1e-4  # numbers of an observation that differ by less are equal


class Shown:
    """A field of a record as the expression of a line reads it, with the inverse from the shown to the stored value.

    The expression of a line is called with objects of this class in place of records. Reading a field gives the next
    object, so the result of the expression names the field that it shows.
    """

    def __init__(
        self, holder: Any, key: Any, name: str = "", back: Callable[[int, int], int] = lambda shown, stored: shown
    ) -> None:
        """Bind the object to the part of `holder` under `key`; `name` is the dotted name of the field."""
        self.holder, self.key, self.name, self.back = holder, key, name, back

    @property
    def value(self) -> Any:
        """The value that is stored now."""
        return self.holder[self.key]

    def store(self, shown: int) -> None:
        """Write the value that makes the expression show `shown`."""
        self.holder[self.key] = self.back(shown, int(self.value))

    def __getattr__(self, name: str) -> Any:
        value = self.value
        if name not in (value.dtype.names or ()):
            return getattr(value, name)
        return Shown(value, name, f"{self.name}.{name}" if self.name else name)

    def __getitem__(self, place: Any) -> Shown:
        return Shown(self.value, int(place), self.name)

    def __index__(self) -> int:
        return int(self.value)

    def _with(self, back: Callable[[int, int], int]) -> Shown:
        return Shown(self.holder, self.key, self.name, lambda shown, stored: self.back(back(shown, stored), stored))

    def __add__(self, number: int) -> Shown:
        return self._with(lambda shown, stored: shown - number)

    def __rshift__(self, place: int) -> Shown:
        return self._with(lambda shown, stored: stored & ~(1 << place) | (shown & 1) << place)

    def __and__(self, bits: int) -> Any:
        return self if bits == 1 else NotImplemented

    def __gt__(self, number: int) -> Any:
        if number != 0:
            return NotImplemented
        return self._with(lambda shown, stored: stored if (stored > 0) == (shown > 0) else shown)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int | Shown) and int(self) == int(other)

    def __ne__(self, other: object) -> Any:
        return self > 0 if isinstance(other, int) and other == 0 else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def shown_by(line: Line, fights: Any, i: int, viewer: int, k: int) -> Shown | None:
    """Return the field of the fight that a number of a line shows; None if the number does not determine one field.

    Args:
        line: The line.
        fights: The fight, as an array of one record.
        i: The fighter that the line is about.
        viewer: The fighter that sees it.
        k: The place of the number in the line, which matters in lines with a number for each word.
    """
    fight = Shown(fights, 0)
    known = {"fight": fight, "i": i, "viewer": viewer, "k": k, "fighter": fight.fighters[i]}
    try:
        found = line.value(*(known[name] for name in signature(line.value).parameters))
    except (TypeError, AttributeError):  # an operation that cannot be undone
        return None
    return found if isinstance(found, Shown) else None


def said_by(line: Line, numbers: FloatArray, k: int) -> int:
    """Return the value that a line's numbers encode; if they encode several values, the one at place `k`."""
    if isinstance(line, Word):
        return int(numbers.argmax()) if numbers.any() else -1
    if isinstance(line, Flag):
        return int(numbers[0] > 0)
    scale = line.scale if isinstance(line, Number | Counts) else None
    return round(float(numbers[k]) * (scale or 1))


class Reader:
    """A reader that writes observations of one game of tables back into engine records."""

    def __init__(self, game: TableGame) -> None:
        """Assign each number of an observation to its line."""
        self.game = game
        self._lines: list[tuple[Line, int, int, int]] = []  # of each number: line, first number, place in it, part
        self._owners: list[str] = []
        for owner, block in game.layout.parts:
            for line in block.lines:
                first = len(self._lines)
                self._lines += [(line, first, k, len(self._owners)) for k in range(len(line.features))]
            self._owners.append(owner)

    def fields(self) -> set[str]:
        """Return the names of all fields that an observation shows; those of fighters begin with "fighters."."""
        start = self.game.new_template(False)
        lines = (line for block in self.game.seen for line in block.lines)
        found = (shown_by(line, start, 0, 0, 0) for line in lines)
        return {place.name for place in found if place is not None}

    def write(self, fights: Any, viewer: int, before: FloatArray, now: FloatArray) -> None:
        """Change a fight so that a fighter sees `now`, as far as lines can be read back.

        Args:
            fights: The fight, as an array of one record, which is changed in place.
            viewer: The fighter.
            before: What the fighter sees in the unchanged fight.
            now: The observation to which the changed fight should lead.
        """
        for number in np.flatnonzero(np.abs(before - now) > ALIKE).tolist():
            line, first, k, part = self._lines[number]
            i = self._subject(fights[0], self._owners[part], viewer)
            place = shown_by(line, fights, i, viewer, k) if i >= 0 else None
            if place is not None and place.name in self.game.limits and place.name.rpartition(".")[2] not in POINT:
                place.store(said_by(line, now[first : first + len(line.features)], k))

    def columns(self, wanted: Callable[[str], bool]) -> NDArray[np.intp]:
        """Return the indices of the numbers that show fields with wanted names, for fighters that exist."""
        start, found = self.game.new_template(False), []
        for number, (line, _, k, part) in enumerate(self._lines):
            i = self._subject(start[0], self._owners[part], 0)
            place = shown_by(line, start, i, 0, k) if i >= 0 else None
            if place is not None and wanted(place.name):
                found.append(number)
        return np.array(found, np.intp)

    @staticmethod
    def _subject(fight: Any, owner: str, viewer: int) -> int:
        """Return the fighter that a part of an observation is about; -1 if the part has no fighter."""
        kind, _, place = owner.partition(" ")
        me = fight.fighters[viewer]
        if not place:
            return viewer
        count, fighters = (me.enemy_count, me.enemies) if kind == "enemy" else (me.ally_count, me.allies)
        return int(fighters[int(place) - 1]) if int(place) <= count else -1


class Library:
    """Positions in which some fighter is asked for a choice, from fights that were played to collect them."""

    def __init__(self, game: TableGame) -> None:
        """Begin an empty library."""
        self.game, self.reader = game, Reader(game)
        self._fights: list[Any] = []
        self._seen: list[FloatArray] = []
        self._viewers: list[int] = []
        lasting = set(self.reader.fields()) - set(game.limits)
        self._same = self.reader.columns(lambda name: name in lasting or name == "window")
        self._trial = game.batch(TRIED)

    def add(self, fight: Any, viewer: int, seen: FloatArray) -> None:
        """Keep copies of a position, given as an array of one record, and of what the asked fighter sees in it."""
        self._fights.append(fight.copy())
        self._seen.append(seen.copy())
        self._viewers.append(viewer)

    @cached_property
    def _arrays(self) -> tuple[Any, FloatArray, NDArray[np.intp]]:
        fights = np.zeros(len(self._fights), self.game.kind)
        for place, fight in zip(bytes_of(fights), self._fights, strict=True):
            place[:] = bytes_of(fight)[0]
        seen = np.array(self._seen, np.float32).reshape(len(self._seen), -1)
        return fights, seen, np.array(self._viewers, np.intp)

    def rebuilt(self, now: FloatArray, picks: bool, mask: ByteArray) -> tuple[Any, int] | None:
        """Return positions that fit an observation, and the fighter that made it; None if no position is similar.

        All returned positions fit equally well. If the observation is made between a choice and its pick, they are
        positions before the choice.

        Args:
            now: The observation.
            picks: Whether the observation asks for a pick that completes a choice.
            mask: The legal actions of the observation.
        """
        kept, seen, viewers = self._arrays
        fitting = np.flatnonzero((np.abs(seen[:, self._same] - now[self._same]) < ALIKE).all(axis=1))
        if not len(fitting):
            return None
        far = np.abs(seen[fitting] - now).sum(axis=1)
        nearest = fitting[np.argsort(far, kind="stable")[:TRIED]]
        viewer = int(viewers[nearest[0]])
        nearest = nearest[viewers[nearest] == viewer]
        fights = kept[nearest]
        for k, entry in enumerate(nearest):
            self.reader.write(fights[k : k + 1], viewer, seen[entry], now)
            self._ask(fights[k], viewer)
        sound = [k for k in range(len(fights)) if not self._trial.faults_of(fights[k])]
        if not sound:
            return None
        fights = repeated(fights[sound], TRIED)
        self._trial.put(fights)
        wrong = (np.abs(self._trial.observations[:, viewer] - now) > ALIKE).sum(axis=1)
        if not picks:
            wrong += (self._trial.masks[:, viewer] != mask).sum(axis=1)
        for fight, masks in zip(fights, self._trial.masks, strict=True):
            for i in range(int(fight.n)):  # a fighter with only one choice is not asked
                fight.fighters[i].pending &= masks[i].sum() > 1
        return fights[: len(sound)][wrong[: len(sound)] == wrong[: len(sound)].min()], viewer

    def _ask(self, fight: Any, viewer: int) -> None:
        """Mark the fighters that the open window asks as pending, and clear their choices in the window."""
        window = self.game.windows[fight.window]
        fallback = next(each.code for each in self.game.choices if each.fallback and window.name in each.windows)
        for i in range(int(fight.n)):
            fighter = fight.fighters[i]
            wanted = window.who == Who.ALL or (window.who == Who.ACTING and fighter.acting)
            fighter.pending = i == viewer or bool(wanted and fighter.status == 0)
            fighter.deed, fighter.target, fighter.detail = fallback if fighter.pending else NOBODY, NOBODY, 0
            fighter.picking, fighter.picked = 0, NOBODY


def bytes_of(fights: Any) -> NDArray[np.uint8]:
    """Return the bytes of an array of records, (records, bytes), which share its memory."""
    return cast("NDArray[np.uint8]", fights.view(np.uint8).reshape(len(fights), -1))


def repeated(fights: Any, number: int) -> Any:
    """Return this number of records, repeating `fights` in order; `numpy.resize` would pack them more tightly."""
    return fights[np.arange(number) % len(fights)]


def why_unsupported(game: Game) -> str | None:
    """Return why the positions of a game cannot be rebuilt, as a clause, or None if they can."""
    if not isinstance(game, TableGame):
        return f"it rebuilds positions from the layout of a game of tables, and {game.name} has no such layout"
    if game.control != "fighter":
        return "it thinks for one fighter, but here a seat decides for a team"
    wanted = [*NEEDED, *(ON_A_MAP if game.scenario.map else ())]
    if sum(window.who != Who.NOBODY for window in game.windows) > 1:
        wanted.append("window")
    missing = [name for name in wanted if name not in Reader(game).fields()]
    if missing:
        return f"it needs observations that show {join_or(missing, 'and')}, and those of {game.name} do not"
    return None
