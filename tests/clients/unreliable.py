"""A game server behind a relay that cuts connections, and may restart the server on its store and address."""

import json
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from heartrush_env.app.server.hosting.host import Host
from heartrush_env.app.server.limits import Limits
from tests.app.server.serving import serving

AGENTS = ("uniform", "random", "duelist")
DOWN = 0.3  # seconds in which no connection is accepted before a restarted server is up
PIECE = 2**16
# How many pieces of the server's answers there are between cuts, including the piece that is discarded.
GAPS: tuple[int, ...] = (4, 3, 3, 2, 4, 5, 4, 6, 5, 7)


class Relay:
    """A relay in front of a server; when it cuts a connection, it discards the current piece of the answer."""

    def __init__(self, store: Path, gaps: Sequence[int], limits: Limits, *, restart: bool) -> None:
        """Start the server; `gaps` are the numbers of pieces between successive cuts."""
        self.cuts = 0
        self._store, self._limits, self._restart = store, limits, restart
        self._gaps, self._passed = list(gaps), 0
        self._lock, self._open = threading.Lock(), set[socket.socket]()
        self._server = ExitStack()
        self._listening: socket.socket | None = None
        self._start(0)
        assert self._listening is not None
        self.port = self._listening.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"

    def _start(self, port: int) -> None:
        self._backend = urlsplit(self._server.enter_context(serving(self._limits, self._store, AGENTS)))
        self._listening = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, args=(self._listening,), daemon=True).start()

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client = listening.accept()[0]
                server = socket.create_connection((self._backend.hostname, self._backend.port))
                self._open |= {client, server}
                for source, target in ((client, server), (server, client)):
                    threading.Thread(target=self._carry, args=(source, target, source is server), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while piece := source.recv(PIECE):
                if answers and self._cuts_here():
                    break
                target.sendall(piece)
        self._end({source, target})

    def _cuts_here(self) -> bool:
        with self._lock:
            self._passed += 1
            if not self._gaps or self._passed < self._gaps[0]:
                return False
            del self._gaps[0]
            self._passed = 0
            self.cuts += 1
            if self._restart:
                self._down()
                time.sleep(DOWN)
                self._start(self.port)
            return True

    def _down(self) -> None:
        assert self._listening is not None
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._end(set(self._open))
        self._server.close()

    def _end(self, sockets: set[socket.socket]) -> None:
        self._open -= sockets
        for each in sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def close(self) -> None:
        """End the server and all connections."""
        with self._lock:
            self._gaps.clear()
            self._down()


@contextmanager
def unreliable(
    store: Path, gaps: Sequence[int] = GAPS, *, restart: bool = False, origins: tuple[str, ...] = ()
) -> Iterator[Relay]:
    """Serve through a relay for the length of a block; with `restart`, each cut also restarts the server."""
    relay = Relay(store, gaps, Limits(rate=0, origins=origins), restart=restart)
    try:
        yield relay
    finally:
        relay.close()


def told_in(store: Path) -> list[str]:
    """Return the narration of the only finished fight in a store, as a new host gives it."""
    with closing(sqlite3.connect(store)) as file:
        ((fight,),) = file.execute("SELECT fight FROM fights WHERE over").fetchall()
    host, lines, since = Host(store, AGENTS), list[str](), 0
    while found := json.loads(host.answer(json.dumps({"type": "events", "fight": fight, "since": since}).encode())):
        if not found["events"]:
            break
        lines += [line for event in found["events"] for line in event["lines"]]
        since = found["next"]
    host.close()
    return lines
