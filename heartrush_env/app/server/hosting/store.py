"""The fights of a host in an SQLite file: the initial state of each, and every choice since.

A fight is determined by its game, its seed and its choices; the rules replay the rest. A choice is written to the file
before the host accepts it, so a host that is killed resumes every fight where it left off.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from heartrush_env.app.server.hosting.messages import HostError
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.writing import hold

VERSION: Final = 1
IN_MEMORY: Final = ":memory:"
MOST_ROWS: Final = 200  # in one statement
TABLES: Final = """
CREATE TABLE IF NOT EXISTS fights (
    fight TEXT PRIMARY KEY, made REAL NOT NULL, title TEXT NOT NULL, game TEXT NOT NULL, digest TEXT NOT NULL,
    seed INTEGER NOT NULL, seconds REAL, owner TEXT NOT NULL, over INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seats (
    fight TEXT NOT NULL REFERENCES fights ON DELETE CASCADE, seat TEXT NOT NULL,
    agent TEXT, name TEXT NOT NULL DEFAULT '', token TEXT, PRIMARY KEY (fight, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS choices (
    fight TEXT NOT NULL REFERENCES fights ON DELETE CASCADE, window INTEGER NOT NULL, seat TEXT NOT NULL,
    choice TEXT, details TEXT, -- details: only of earlier versions, the paths of dashes
    PRIMARY KEY (fight, window, seat)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS going_on ON fights (over, made);
"""


@dataclass(frozen=True)
class StoredSeat:
    """A seat that is held by an agent or a player, or is free."""

    agent: str | None = None
    name: str = ""
    token: str | None = None  # the digest of a player's token


Chosen = str | None  # the choice of a seat; None if it chose nothing and the fallback is played


@dataclass(frozen=True)
class StoredFight:
    """The initial state of a fight, its seats, and whether it is over."""

    fight: str
    made: float
    title: str
    game: str  # the JSON of the field `game` of a request
    digest: str
    seed: int
    seconds: float | None
    owner: str  # the digest of the owner's token
    over: bool
    seats: Mapping[str, StoredSeat]


class StoreError(HostError):
    """An error for a store that cannot be read or written now, for example because the disk is full."""

    def __init__(self, problem: sqlite3.Error, *, whole: bool = False) -> None:
        """Compose the message.

        Args:
            problem: The error from SQLite.
            whole: Whether everything that the outermost block wrote has been undone.
        """
        super().__init__("not_kept", f"The store of fights cannot be used now ({problem}), so nothing has changed.")
        self.problem, self.whole = problem, whole


class Store:
    """A file of fights; ":memory:" for fights that end with the process."""

    def __init__(self, path: str | Path) -> None:
        """Open or create the file; raise HeartRushError if it is unusable or in use by another host."""
        self._release = (lambda: None) if path == IN_MEMORY else hold(os.path.realpath(path), doing="hosts fights")
        try:
            self._open(path)
        except BaseException:
            self._release()
            raise

        self._blocks: list[bool] = []  # of each block around the current statement, whether the file knows of it
        self._waiting: list[tuple[str, int, str, Chosen]] = []  # choices of the innermost block, which its end writes
        self._choices = 0  # that ever waited

    def _open(self, path: str | Path) -> None:
        try:
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._file.text_factory = partial(str, encoding="utf-8", errors="replace")
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute(
                "PRAGMA synchronous = NORMAL"
            )  # survives a killed process; a power cut may lose the last commit
            self._file.execute("PRAGMA foreign_keys = ON")
            (version,) = self._file.execute("PRAGMA user_version").fetchone()
            if version not in (0, VERSION):
                self._file.close()
                raise HeartRushError(f"{path}: expected a store of version {VERSION}, got version {version}.")
            (first, *_) = self._file.execute("PRAGMA quick_check(1)").fetchall()
            if first != ("ok",):
                self._file.close()
                what = " ".join(str(first[0]).split())
                raise HeartRushError(f"{path}: it is a damaged store of fights ({what}).")
            self._file.executescript(TABLES)
            self._file.execute(f"PRAGMA user_version = {VERSION}")
        except sqlite3.Error as problem:
            raise HeartRushError(f"{path}: it cannot be used as a store of fights ({problem}).") from None

    def close(self) -> None:
        """Close the file, so that another host may open it."""
        self._file.close()
        self._release()

    def _run(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run a statement and return its rows."""
        try:
            return self._file.execute(statement, values).fetchall()
        except sqlite3.Error as problem:
            raise StoreError(problem) from None

    def _write(self, statement: str, values: Sequence[Any], *, whole: bool = False) -> None:
        """Run a statement that changes the file, after telling the file of all blocks around it.

        The file need not know of the innermost one if the statement is all that the block writes.
        """
        for depth, begun in enumerate(self._blocks):
            if not (begun or (whole and 0 < depth == len(self._blocks) - 1)):
                self._run((_WITHIN if depth else _ALONE).begin)
                self._blocks[depth] = True
        self._run(statement, values)

    def _write_choices(self, *, last: bool = False) -> None:
        """Write the choices that wait, as the last statements of their block or before others."""
        waiting, self._waiting = self._waiting, []
        for first in range(0, len(waiting), MOST_ROWS):
            part = waiting[first : first + MOST_ROWS]
            rows = ", ".join(["(?, ?, ?, ?)"] * len(part))
            statement = f"INSERT INTO choices (fight, window, seat, choice) VALUES {rows}"
            self._write(statement, [*chain(*part)], whole=last and part == waiting)

    @property
    def changes(self) -> int:
        """The number of changes so far, including those that wait and those that were undone."""
        return self._file.total_changes + self._choices

    def add(self, fight: StoredFight) -> None:
        """Save a new fight."""
        with self.together():
            self._write(
                "INSERT INTO fights VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)",
                (
                    fight.fight,
                    fight.made,
                    fight.title,
                    fight.game,
                    fight.digest,
                    fight.seed,
                    fight.seconds,
                    fight.owner,
                ),
            )
            for seat, held in fight.seats.items():
                row = (fight.fight, seat, held.agent, held.name, held.token)
                self._write("INSERT INTO seats VALUES (?, ?, ?, ?, ?)", row)

    def take_seat(self, fight: str, seat: str, held: StoredSeat) -> None:
        """Save the new holder of a seat."""
        self._write(
            "UPDATE seats SET name = ?, token = ? WHERE fight = ? AND seat = ?", (held.name, held.token, fight, seat)
        )

    def choose(self, fight: str, window: int, chosen: Mapping[str, Chosen]) -> None:
        """Save choices in a window; within a block, they are written together at its end."""
        self._choices += len(chosen)
        self._waiting += [(fight, window, seat, each) for seat, each in chosen.items()]
        if not self._blocks:
            self._write_choices()

    def end(self, fight: str) -> None:
        """Mark a fight as over."""
        self._write("UPDATE fights SET over = 1 WHERE fight = ?", (fight,))

    def forget(self, fights: Iterable[str]) -> None:
        """Remove fights with all their choices."""
        with self.together():  # after the choices that wait, which may be in these fights
            for fight in fights:
                self._write("DELETE FROM fights WHERE fight = ?", (fight,))

    def read(self, fight: str) -> StoredFight | None:
        """Return a fight by its id, or None if there is no such fight."""
        rows = self._run(
            "SELECT fight, made, title, game, digest, seed, seconds, owner, over FROM fights WHERE fight = ?", (fight,)
        )
        if not rows:
            return None
        id, made, title, game, digest, seed, seconds, owner, over = rows[0]
        seats = {
            seat: StoredSeat(agent, name, token)
            for seat, agent, name, token in self._run(
                "SELECT seat, agent, name, token FROM seats WHERE fight = ?", (fight,)
            )
        }
        return StoredFight(id, made, title, game, digest, seed, seconds, owner, bool(over), seats)

    def choices(self, fight: str) -> Iterator[tuple[int, dict[str, Chosen]]]:
        """Yield the choices of a fight, window by window; windows without a choice are skipped.

        Raises:
            HostError: A choice has details, which only dashes of earlier versions have.
        """
        window, chosen = 0, dict[str, Chosen]()
        self._write_choices()
        for number, seat, choice, details in self._run(
            "SELECT window, seat, choice, details FROM choices WHERE fight = ? ORDER BY window", (fight,)
        ):
            if number != window and chosen:
                yield window, chosen
                chosen = {}
            if details is not None:
                raise HostError("other_version", f"The fight {fight} was started under another version of the rules.")
            window = number
            chosen[seat] = choice
        if chosen:
            yield window, chosen

    def going_on(self, most: int) -> list[str]:
        """Return the ids of unfinished fights, newest first."""
        rows = self._run("SELECT fight FROM fights WHERE over = 0 ORDER BY made DESC LIMIT ?", (most,))
        return [fight for (fight,) in rows]

    def timed(self) -> list[str]:
        """Return the ids of unfinished fights with a time limit."""
        rows = self._run("SELECT fight FROM fights WHERE over = 0 AND seconds IS NOT NULL")
        return [fight for (fight,) in rows]

    def count(self, *, going_on: bool = False) -> int:
        """Return the number of fights in the file, or of unfinished ones only."""
        [(number,)] = self._run(f"SELECT COUNT(*) FROM fights{' WHERE over = 0' if going_on else ''}")
        return int(number)

    def oldest_ended(self, most: int) -> list[str]:
        """Return the ids of finished fights, oldest first."""
        rows = self._run("SELECT fight FROM fights WHERE over = 1 ORDER BY made LIMIT ?", (most,))
        return [fight for (fight,) in rows]

    @contextmanager
    def together(self) -> Iterator[None]:
        """Run a block as a transaction that is committed entirely or not at all; blocks may be nested.

        The file knows of a block once something is written in it, so a block that only reads costs nothing.
        """
        if self._waiting:
            self._write_choices()
        depth = len(self._blocks)
        self._blocks.append(False)
        steps = _WITHIN if depth else _ALONE
        try:
            yield
            if self._waiting:
                self._write_choices(last=True)
            if self._blocks[depth]:
                self._run(steps.keep)
        except BaseException as problem:
            self._waiting = []
            undone = self._blocks[0] and not self._file.in_transaction  # by SQLite itself, with the outermost block
            if isinstance(problem, StoreError):
                problem.whole = undone and depth > 0
            for statement in steps.undo if self._blocks[depth] and not undone else ():
                self._run(statement)
            raise
        finally:
            del self._blocks[depth:]


class _Steps(NamedTuple):
    """The statements that begin, keep and undo a block."""

    begin: str
    keep: str
    undo: tuple[str, ...]


_ALONE: Final = _Steps("BEGIN IMMEDIATE", "COMMIT", ("ROLLBACK",))
_WITHIN: Final = _Steps("SAVEPOINT part", "RELEASE part", ("ROLLBACK TO part", "RELEASE part"))
