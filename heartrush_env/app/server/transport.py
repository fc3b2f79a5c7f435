"""Request bodies and WebSocket messages, within limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.websockets import WebSocket

from heartrush_env.app.server.limits import Allowance, Limits
from heartrush_env.app.server.middleware import refusal
from heartrush_env.protocol.messages import MAX_LINE

MORE = "heartrush.more"  # in a message to the server: whether the next one follows at once
DIRECTLY = "heartrush.directly"  # among the extensions of a WebSocket: takes a function that answers, or returns None
BAD_DATA, TOO_LONG, IDLE = 1003, 1009, 1001  # why a WebSocket is closed, by RFC 6455


async def read_body(request: Request, limits: Limits, most: int = MAX_LINE) -> bytes | Response:
    """Return a request's body, or a refusal if it is too slow or too long; reading stops beyond `most` bytes."""
    try:
        async with asyncio.timeout(limits.seconds_to_send):  # wait_for would start a task
            body = await _read(request, most)
    except ClientDisconnect:
        return Response(status_code=400)
    except TimeoutError:
        return refusal(408, "too_much", f"The body did not come within {limits.seconds_to_send:g} seconds.")
    return refusal(413, "too_long", f"The body has more than {most} bytes.") if body is None else body


def json_response(answer: bytes, statuses: Mapping[str, int]) -> Response:
    """Return the HTTP response to an answer in JSON; an error has the status of its code, or else 400."""
    found = msgspec.json.decode(answer)
    status = statuses.get(found["code"], 400) if found["type"] == "error" else 200
    return Response(answer, status, media_type="application/json")


async def _read(request: Request, most: int) -> bytes | None:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            return None
    return bytes(body)


async def send_texts(socket: WebSocket, lines: Sequence[bytes]) -> None:
    """Send lines as text messages, all at once if the server supports it (running.py)."""
    for number, line in enumerate(lines, 1):
        text = line.rstrip(b"\n").decode()
        await socket.send({"type": "websocket.send", "text": text, MORE: number < len(lines)})


class Listening:
    """How a WebSocket is listened to: at which rate, and since when it has been quiet."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self._allowance = limits, Allowance(limits.rate)
        self.active = time.monotonic()  # when a message last came, or news was last sent
        self.is_waiting = False  # for the next message, with all earlier ones answered

    def allows_one_now(self) -> bool:
        """Return whether a message may be answered now; it then counts as heard."""
        if self._allowance.wait():
            self._allowance.give_back()
            return False
        self.active = time.monotonic()
        return True

    def wait(self) -> float:
        """Count a message as heard, and return the seconds until it may be answered."""
        return self._allowance.wait()


async def messages_of(socket: WebSocket, listening: Listening) -> AsyncIterator[bytes]:
    """Yield a WebSocket's text messages at the allowed rate; close it at the first message that breaks a limit."""
    limits = listening.limits
    while True:
        quiet = time.monotonic() - listening.active
        listening.is_waiting = True
        try:
            async with asyncio.timeout(max(0.0, limits.idle_seconds - quiet)):
                frame = await socket.receive()
        except TimeoutError:
            if time.monotonic() - listening.active < limits.idle_seconds:
                continue
            await socket.close(IDLE, f"No message came for {limits.idle_seconds:g} seconds.")
            return
        finally:
            listening.is_waiting = False
        if frame["type"] == "websocket.disconnect":
            return
        if frame.get("text") is None:
            await socket.close(BAD_DATA, "Messages are text.")
            return
        if wait := listening.wait():
            await asyncio.sleep(wait)
        listening.active = time.monotonic()
        line = frame["text"].encode("utf-8", "replace")
        if len(line) > MAX_LINE:
            await socket.close(TOO_LONG, f"A message has more than {MAX_LINE} bytes.")
            return
        yield line
