"""Bodies of requests within limits, and the codes that close a WebSocket."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from heartrush_env.protocol.messages import MAX_LINE
from heartrush_env.server.gate import refusal
from heartrush_env.server.limits import Limits

BAD_DATA, TOO_LONG, IDLE = 1003, 1009, 1001  # why a WebSocket is closed, by RFC 6455


async def read_body(request: Request, limits: Limits) -> bytes | Response:
    """The body of a request, or the refusal of one that is too long or too slow; no more than the limit is held."""
    try:
        body = await asyncio.wait_for(_read(request), limits.seconds_to_send)
    except TimeoutError:
        return refusal(408, "too_much", f"The body did not come within {limits.seconds_to_send:g} seconds.")
    return refusal(413, "too_long", f"The body has more than {MAX_LINE} bytes.") if body is None else body


async def _read(request: Request) -> bytes | None:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_LINE:
            return None
    return bytes(body)
