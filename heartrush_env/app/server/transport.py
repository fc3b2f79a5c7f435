"""Request bodies and WebSocket messages, within limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.websockets import WebSocket

from heartrush_env.app.server.limits import Allowance, Limits
from heartrush_env.app.server.middleware import refusal
from heartrush_env.protocol.messages import MAX_LINE

MORE = "heartrush.more"  # in a message to the server: whether the next one follows at once
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


async def messages_of(
    socket: WebSocket, limits: Limits, last_sent: Callable[[], float] = lambda: 0.0
) -> AsyncIterator[bytes]:
    """Yield a WebSocket's text messages at the allowed rate; close it at the first message that breaks a limit.

    `last_sent` returns when news was last sent through the WebSocket, by `time.monotonic`. Sent news also counts as
    activity.
    """
    allowance, heard = Allowance(limits.rate), time.monotonic()
    while True:
        quiet = time.monotonic() - max(heard, last_sent())
        try:
            async with asyncio.timeout(max(0.0, limits.idle_seconds - quiet)):
                frame = await socket.receive()
        except TimeoutError:
            if time.monotonic() - max(heard, last_sent()) < limits.idle_seconds:
                continue
            await socket.close(IDLE, f"No message came for {limits.idle_seconds:g} seconds.")
            return
        if frame["type"] == "websocket.disconnect":
            return
        if frame.get("text") is None:
            await socket.close(BAD_DATA, "Messages are text.")
            return
        if wait := allowance.wait():
            await asyncio.sleep(wait)
        heard = time.monotonic()
        line = frame["text"].encode("utf-8", "replace")
        if len(line) > MAX_LINE:
            await socket.close(TOO_LONG, f"A message has more than {MAX_LINE} bytes.")
            return
        yield line
