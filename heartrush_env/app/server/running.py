"""The running server: the application under uvicorn, with limits on slow connections and on their number."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import threading
from asyncio.transports import BaseTransport
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.http11 import Request

from heartrush_env.app.server.limits import Limits
from heartrush_env.app.server.transport import DIRECTLY, MORE
from heartrush_env.protocol.messages import MAX_LINE
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.writing import reason

LARGEST_HEAD = 2**16  # bytes of a request's head
SECONDS_BETWEEN_REQUESTS = 30
SECONDS_TO_LEAVE = 1
SECONDS_TO_END = 1.7  # after a signal, no matter what is still running
SECONDS_BETWEEN_PINGS = 20.0


class _Joining:
    """A transport that sends a response's head and body together: all that is written in one turn of the event loop."""

    def __init__(self, plain: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self.plain, self._loop = plain, loop
        self._waiting: list[bytes] = []

    def write(self, data: bytes) -> None:
        if not self._waiting:
            self._loop.call_soon(self._send)
        self._waiting.append(data)

    def close(self) -> None:
        self._send()
        self.plain.close()

    def _send(self) -> None:
        if self._waiting:
            data, self._waiting = b"".join(self._waiting), []
            self.plain.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)


class _Protocol(H11Protocol):
    """HTTP with a time limit for the head of a request."""

    seconds = Limits.seconds_to_send
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(_Joining(transport, self.loop))  # type: ignore[arg-type]
        self._await_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._forget_head()
        elif self._deadline is None and not self.transport.is_closing():
            self._await_head()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.trailing_data[0] and self.conn.their_state is h11.IDLE:  # part of the next head has arrived
            self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_head()
        super().connection_lost(exc)

    def _await_head(self) -> None:
        self._deadline = self.loop.call_later(self.seconds, self._close_slow)

    def _forget_head(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _close_slow(self) -> None:
        if self.conn.their_state is h11.IDLE:
            self.transport.close()


class _Sockets(WebSocketsSansIOProtocol):
    """WebSockets that the application may refuse; plain uvicorn would report a refusal as an application error.

    They spare system calls: messages that follow each other are sent together, and reading stops only when a message
    waits for another one to be taken. The application may leave a function that answers messages without its task.
    """

    _answer: Callable[[bytes], list[bytes] | None] | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(transport.plain if isinstance(transport, _Joining) else transport)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["extensions"][DIRECTLY] = partial(setattr, self, "_answer")  # type: ignore[assignment]

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and self.queue.empty() and self._has_answered(b"".join(self.frames)):
            self.frames = []
            return
        paused, self.read_paused = self.read_paused, self.read_paused or self.queue.empty()
        super().send_receive_event_to_app()
        self.read_paused = self.read_paused and (paused or self.queue.qsize() > 1)

    def _has_answered(self, line: bytes) -> bool:
        """Answer a message without the application's task; return whether that was possible."""
        if self._answer is None or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        if not line.isascii():
            try:
                line.decode()
            except UnicodeDecodeError:
                return False
        answers = self._answer(line)
        if answers is None:
            return False
        with suppress(InvalidState):  # the client has closed the connection
            for answer in answers:
                self.conn.send_text(answer.rstrip(b"\n"))
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    async def send(self, message: ASGISendEvent) -> None:
        if message.get(MORE):
            with suppress(InvalidState):  # the next message reports it
                self.conn.send_text(message["text"].encode())  # type: ignore[typeddict-item,union-attr]
            return
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body", False):
            self.handshake_complete = True


def listen(host: str, port: int) -> socket.socket:
    """Return a socket bound to an address; raise HeartRushError if that fails."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, number)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as problem:
        if problem.errno == errno.EADDRINUSE:
            message = f"Port {port} of {host} is in use; --port takes another number, or 0 for any free port."
            raise HeartRushError(message) from None
        raise HeartRushError(f"The server cannot listen on {host}, port {port} ({reason(problem)}).") from None
    return listening


class Server(uvicorn.Server):
    """A server that reports when it is up."""

    def __init__(self, app: ASGIApp, limits: Limits, on_start: Callable[[], None]) -> None:
        """Serve an application within these limits; `on_start` is called when the server is ready."""
        protocol = type("Protocol", (_Protocol,), {"seconds": limits.seconds_to_send})
        super().__init__(
            uvicorn.Config(
                app,
                http=protocol,
                ws=_Sockets,
                loop="asyncio",
                lifespan="on",
                log_level="error",
                access_log=False,
                server_header=False,
                limit_concurrency=limits.connections,
                h11_max_incomplete_event_size=LARGEST_HEAD,
                ws_max_size=MAX_LINE,
                ws_per_message_deflate=False,  # costs more memory and time than it saves on short distances
                ws_ping_interval=SECONDS_BETWEEN_PINGS,
                ws_ping_timeout=SECONDS_BETWEEN_PINGS,
                timeout_keep_alive=SECONDS_BETWEEN_REQUESTS,
                timeout_graceful_shutdown=SECONDS_TO_LEAVE,
            )
        )
        self._on_start = on_start

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Shut down on a signal, even while an agent is thinking; the store is consistent at any time."""
        super().handle_exit(sig, frame)
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # interrupted requests are no errors here
        last = threading.Timer(SECONDS_TO_END, os._exit, [128 + sig])
        last.daemon = True
        last.start()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server and call `on_start`."""
        await super().startup(sockets)
        if self.started:
            self._on_start()


def address_of(listening: socket.socket) -> str:
    """Return the address of a listening socket, as a URL."""
    host, port, *_ = listening.getsockname()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def run(app: ASGIApp, limits: Limits, listening: socket.socket, on_start: Callable[[], Any]) -> None:
    """Serve until the process receives a signal to end."""
    Server(app, limits, on_start).run([listening])
