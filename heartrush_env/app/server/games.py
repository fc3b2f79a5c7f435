"""The game server over WebSocket and one-shot HTTP: the host answers, and watchers see every change."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final, TypeVar

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from heartrush_env.app.server.hosting.host import SECONDS_TO_TRY_AGAIN, Host
from heartrush_env.app.server.hosting.messages import HostError, Refusal, Watch, decode, encode, id_of
from heartrush_env.app.server.hosting.store import StoreError
from heartrush_env.app.server.hosting.watching import Watched
from heartrush_env.app.server.limits import Limits
from heartrush_env.app.server.middleware import refusal
from heartrush_env.app.server.transport import json_response, messages_of, read_body

STATUS: Final = {
    "no_fight": 404,
    "bad_token": 403,
    "taken": 409,
    "late": 409,
    "chosen": 409,
    "not_asked": 409,
    "over": 409,
    "not_over": 409,
    "other_version": 409,
    "unplayable": 409,
    "too_long": 413,
    "full": 503,
    "not_kept": 507,
    "internal": 500,
}  # other errors: 400

MOST_TOGETHER: Final = 64  # requests in one commit to the store
SECONDS_TOGETHER: Final = 0.1  # after this time no further request joins a commit

_T = TypeVar("_T")


class _Connection:
    """A WebSocket with the fights that it watches and the changed fights that it must still be sent."""

    def __init__(self, host: Host, client: str) -> None:
        self.watched = Watched(host, client)
        self.stale: dict[str, None] = {}
        self.woken = asyncio.Event()
        self.last_pushed = 0.0  # time of the last state sent without a request

    def note(self, changed: Collection[str]) -> None:
        """Mark these fights as changed, and wake the sender if any of them is watched."""
        if stale := self.watched.among(changed):
            self.stale |= dict.fromkeys(stale)
            self.woken.set()


class Games:
    """The carrier of requests to a host."""

    def __init__(self, host: Host, limits: Limits) -> None:
        """Carry requests to this host, which runs in a single thread from now on."""
        self.host, self.limits = host, limits
        self._thread = ThreadPoolExecutor(1, "host")
        self._connections: set[_Connection] = set()
        self._clock_changed = asyncio.Event()
        self._waiting: deque[tuple[Callable[[], Any], asyncio.Future[Any]]] = deque()
        self._working = False

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Enforce the time limits of windows while the server runs, and close the store at the end."""
        await self._ask(self.host.resume)
        keeping = asyncio.create_task(self._keep_time())
        try:
            yield
        finally:
            keeping.cancel()
            with suppress(asyncio.CancelledError):
                await keeping
            await asyncio.get_running_loop().run_in_executor(self._thread, self.host.close)

    async def _ask(self, work: Callable[[], _T]) -> _T:
        """Queue work for the host's thread, and return its result once it has been committed.

        Waiting work is committed in batches, because one commit per request would take most of the time.
        """
        done: asyncio.Future[_T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        if not self._working:
            self._working = True
            self._thread.submit(self._work, asyncio.get_running_loop())
        return await done

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        """Run a batch of the waiting work in one commit, and hand its results to the event loop."""
        asked: list[asyncio.Future[Any]] = []
        done: list[tuple[asyncio.Future[Any], Any, BaseException | None]] = []
        end = time.monotonic() + SECONDS_TOGETHER
        try:
            with self.host.together():
                while self._waiting and len(asked) < MOST_TOGETHER and (not asked or time.monotonic() < end):
                    work, future = self._waiting.popleft()
                    asked.append(future)
                    try:
                        done.append((future, work(), None))
                    except StoreError:
                        raise
                    except Exception as problem:
                        done.append((future, None, problem))
        except Exception as problem:  # nothing was committed, for example because the disk is full
            done = [(future, None, problem) for future in asked]
        changed, self.host.changed = self.host.changed, []
        loop.call_soon_threadsafe(self._hand_out, done, set(changed))

    def _hand_out(self, done: list[tuple[asyncio.Future[Any], Any, BaseException | None]], changed: set[str]) -> None:
        """Deliver results, notify watchers of changes, and start the next batch if more work has arrived."""
        for future, result, problem in done:
            if future.done():  # the caller is gone
                continue
            if problem is None:
                future.set_result(result)
            else:
                future.set_exception(problem)
        if changed:
            self._clock_changed.set()
            for connection in self._connections:
                connection.note(changed)
        self._working = bool(self._waiting)
        if self._working:
            self._thread.submit(self._work, asyncio.get_running_loop())

    async def _answer(self, line: bytes, work: Callable[[], bytes]) -> bytes:
        """Return the answer to a line, or a refusal if the store cannot save it."""
        try:
            return await self._ask(work)
        except StoreError as problem:
            return encode(Refusal(id=id_of(line), code=problem.code, message=str(problem)))

    async def _keep_time(self) -> None:
        while True:
            self._clock_changed.clear()
            try:
                due = await self._ask(self.host.next_due)
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._clock_changed.wait(), due)
                    continue
                await self._ask(self.host.play_late)
            except StoreError:  # for example because the disk is full: the fights wait
                await asyncio.sleep(SECONDS_TO_TRY_AGAIN)

    # -- HTTP ----------------------------------------------------------------------------------------------------------

    async def one_shot(self, request: Request) -> Response:
        """Answer `POST /v1/host`: any message except `watch`."""
        line = await read_body(request, self.limits)
        if isinstance(line, Response):
            return line
        with suppress(HostError):
            if isinstance(decode(line), Watch):
                return refusal(
                    400, "bad_field", "type: expected any type but watch over HTTP, got watch; use the WebSocket."
                )
        answer = await self._answer(line, partial(self.host.answer, line, _client(request)))
        return json_response(answer, STATUS)

    # -- WebSocket -----------------------------------------------------------------------------------------------------

    async def converse(self, socket: WebSocket) -> None:
        """Answer the messages of a WebSocket, and send the states of watched fights when they change."""
        await socket.accept()
        connection, sending = _Connection(self.host, _client(socket)), asyncio.Lock()
        self._connections.add(connection)
        pushing = asyncio.create_task(self._push(socket, connection, sending))
        try:
            async for line in messages_of(socket, self.limits, lambda: connection.last_pushed):
                answer = await self._answer(line, partial(connection.watched.reply, line))
                async with sending:
                    await socket.send_text(answer.rstrip(b"\n").decode())
        except WebSocketDisconnect:
            return
        finally:
            self._connections.discard(connection)
            pushing.cancel()
            with suppress(asyncio.CancelledError):
                await pushing

    async def _push(self, socket: WebSocket, connection: _Connection, sending: asyncio.Lock) -> None:
        """Send the newest state of each changed watched fight; a slow client may miss states, but never the last."""
        with suppress(WebSocketDisconnect, RuntimeError):  # the connection closed while a state was being sent
            while True:
                await connection.woken.wait()
                connection.woken.clear()
                while connection.stale:
                    fight, _ = connection.stale.popitem()
                    try:
                        state = await self._ask(partial(connection.watched.state_of, fight))
                    except StoreError:
                        connection.stale[fight] = None
                        await asyncio.sleep(SECONDS_TO_TRY_AGAIN)
                        continue
                    async with sending:
                        await socket.send_text(state.rstrip(b"\n").decode())
                    connection.last_pushed = time.monotonic()


def _client(connection: HTTPConnection) -> str:
    """Return the address of a client."""
    return connection.client.host if connection.client else ""
