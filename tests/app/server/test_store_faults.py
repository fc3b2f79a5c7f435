"""Failing statements to the store: refusals take one sentence, and no fight loses anything.

Each statement fails in turn, either alone or with all later statements.
"""

import sqlite3
from typing import Any

import pytest

from heartrush_env.app.server.hosting.host import Host
from tests.app.server.test_host import AGENTS, DUEL, SEED, answered

FULL, BROKEN = "database or disk is full", "disk I/O error"
WINDOWS = 3
MOST_STATEMENTS = 400


class FailingFile:
    """A stand-in for the connection to a store; its statement with the given number fails."""

    def __init__(self, file: sqlite3.Connection, number: int, message: str, *, lasting: bool, undoing: bool) -> None:
        """Wrap the connection.

        Args:
            file: The real connection.
            number: Which statement fails, from 1.
            message: What SQLite says.
            lasting: Whether all later statements fail until `mend` is called.
            undoing: Whether SQLite rolls the transaction back by itself, as it may do after such errors.
        """
        self._file, self._number, self._message = file, number, message
        self._lasting, self._undoing, self.statements = lasting, undoing, 0

    def execute(self, statement: str, values: Any = ()) -> sqlite3.Cursor:
        if statement.startswith("ROLLBACK"):  # which needs no room
            return self._file.execute(statement, values)
        self.statements += 1
        if self.statements == self._number or (self._lasting and self.statements > self._number):
            if self._undoing and self._file.in_transaction:
                self._file.execute("ROLLBACK")
            raise sqlite3.OperationalError(self._message)
        return self._file.execute(statement, values)

    def mend(self) -> None:
        self._lasting = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class Client:
    """A client that plays a fight, and repeats each request that the store could not keep."""

    def __init__(self, host: Host) -> None:
        self.host, self.refused = host, 0

    def ask(self, **request: Any) -> dict[str, Any]:
        answer = answered(self.host, **request)
        if answer["type"] == "error":
            assert answer["code"] == "not_kept" and answer["message"].endswith(", so nothing has changed."), answer
            self.refused += 1
            if isinstance(self.host._store._file, FailingFile):
                self.host._store._file.mend()
            answer = answered(self.host, **request)
        assert answer["type"] != "error", answer
        return answer

    def play(self) -> list[Any]:
        """Play the first windows of a fight, and return everything that the player is shown."""
        made = self.ask(**DUEL, seed=SEED, agents={"duelist_0": "uniform"})
        seat = {"fight": made["fight"], "token": self.ask(type="join", fight=made["fight"], seat="knight_0")["token"]}
        seen: list[Any] = []
        for _ in range(WINDOWS):
            state = self.ask(type="look", **seat)
            seen.append({**state, "fight": ""})
            choice = state["mine"]["legal"][0]["name"]
            self.ask(type="choose", **seat, window=state["window"], choice=choice)
        seen.append(self.ask(type="events", fight=made["fight"])["events"])
        [listed] = self.ask(type="fights")["fights"]
        seen.append({**listed, "fight": ""})
        self.ask(type="close", fight=made["fight"], token=made["token"])
        assert self.ask(type="fights")["fights"] == []
        return seen


@pytest.mark.parametrize("message", [FULL, pytest.param(BROKEN, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    "undoing", [pytest.param(False, id="kept open"), pytest.param(True, id="rolled back", marks=pytest.mark.long)]
)
@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
def test_a_fight_is_the_same_whichever_statement_to_the_store_fails(lasting: bool, undoing: bool, message: str) -> None:
    whole = Client(Host(agents=AGENTS)).play()
    for number in range(1, MOST_STATEMENTS):
        client = Client(Host(agents=AGENTS))
        file = FailingFile(client.host._store._file, number, message, lasting=lasting, undoing=undoing)
        client.host._store._file = file  # type: ignore[assignment]
        assert client.play() == whole, number
        if file.statements < number:
            assert client.refused == 0 and number > WINDOWS
            return
        assert client.refused == 1, number
    pytest.fail("there is no end of the statements")
