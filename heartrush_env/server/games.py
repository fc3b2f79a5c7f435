"""The game server over WebSocket and one-shot HTTP: the host answers, and those who watch see every change."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from heartrush_env.server.carrying import messages_of, read_body
from heartrush_env.server.gate import refusal
from heartrush_env.server.hosting.host import Host
from heartrush_env.server.hosting.messages import HostError, Watch, decode
from heartrush_env.server.hosting.watching import Watched
from heartrush_env.server.limits import Limits

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
    "too_long": 413,
    "full": 503,
    "internal": 500,
}  # other errors: 400

_T = TypeVar("_T")


class _Connection:
    """A WebSocket: what it watches, and which of that has changed since it was sent the state."""

    def __init__(self, host: Host) -> None:
        self.watched = Watched(host)
        self.stale: dict[str, None] = {}
        self.woken = asyncio.Event()

    def note(self, fight: str) -> None:
        """A fight has changed."""
        if fight in self.watched:
            self.stale[fight] = None
            self.woken.set()


class Games:
    """Carries requests to a host."""

    def __init__(self, host: Host, limits: Limits) -> None:
        """Carry requests to this host, which is then asked in one thread alone."""
        self.host, self.limits = host, limits
        self._thread = ThreadPoolExecutor(1, "host")
        self._connections: set[_Connection] = set()
        self._clock_changed = asyncio.Event()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep the time of windows while the server runs, and close the store at the end."""
        await self._ask(self.host.resume)
        keeping = asyncio.create_task(self._keep_time())
        try:
            yield
        finally:
            keeping.cancel()
            with suppress(asyncio.CancelledError):
                await keeping
            await self._ask(self.host.close)

    async def _ask(self, work: Callable[[], _T]) -> _T:
        """Work of the host, in its thread; what it has changed is passed on to the watchers."""

        def asked() -> tuple[_T, list[str]]:
            result = work()
            changed, self.host.changed = self.host.changed, []
            return result, changed

        result, changed = await asyncio.get_running_loop().run_in_executor(self._thread, asked)
        for fight in dict.fromkeys(changed):
            for connection in self._connections:
                connection.note(fight)
        if changed:
            self._clock_changed.set()
        return result

    async def _keep_time(self) -> None:
        while True:
            self._clock_changed.clear()
            due = await self._ask(self.host.next_due)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._clock_changed.wait(), due)
                continue
            await self._ask(self.host.play_late)

    # -- HTTP ----------------------------------------------------------------------------------------------------------

    async def one_shot(self, request: Request) -> Response:
        """Answer `POST /v1/host`: any message except `watch`."""
        try:
            line = await read_body(request, self.limits)
        except ClientDisconnect:
            return Response(status_code=400)
        if isinstance(line, Response):
            return line
        with suppress(HostError):
            if isinstance(decode(line), Watch):
                return refusal(400, "bad_field", "type: found watch, allowed: any other over HTTP; use the WebSocket.")
        answer = await self._ask(partial(self.host.answer, line))
        found = msgspec.json.decode(answer)
        status = STATUS.get(found["code"], 400) if found["type"] == "error" else 200
        return Response(answer, status, media_type="application/json")

    # -- WebSocket -----------------------------------------------------------------------------------------------------

    async def converse(self, socket: WebSocket) -> None:
        """Answer the messages of a WebSocket, and send the state of fights that it watches when they change."""
        await socket.accept()
        connection, sending = _Connection(self.host), asyncio.Lock()
        self._connections.add(connection)
        pushing = asyncio.create_task(self._push(socket, connection, sending))
        try:
            async for line in messages_of(socket, self.limits):
                answer = await self._ask(partial(connection.watched.reply, line))
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
        """Send the newest state of each watched fight that has changed; a slow client misses states, never the last."""
        with suppress(WebSocketDisconnect, RuntimeError):  # the connection ends while a state is sent
            while True:
                await connection.woken.wait()
                connection.woken.clear()
                while connection.stale:
                    fight, _ = connection.stale.popitem()
                    state = await self._ask(partial(connection.watched.state_of, fight))
                    async with sending:
                        await socket.send_text(state.rstrip(b"\n").decode())
