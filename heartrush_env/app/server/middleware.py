"""Admission of requests by the host name that they use, the page that they come from, and their rate.

A browser sends requests on behalf of any page that it shows. `Origin` identifies a page of another server, and `Host`
identifies a page that has made its own name resolve to this server.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from heartrush_env.app.server.limits import Allowances, Limits
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or


def refusal(status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error response in the protocol's format."""
    body = {"type": "error", "id": None, "code": code, "message": message}
    return JSONResponse(body, status, headers=dict(headers or {}))


class Gate:
    """ASGI middleware that refuses requests beyond the limits."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        """Guard an application."""
        self.app, self.limits = app, limits
        self._allowances = Allowances(limits.rate)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refused = self._refused(scope)
        if refused is None:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await WebSocket(scope, receive, send).send_denial_response(refused)
        else:
            await refused(scope, receive, send)

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _name(host) not in self.limits.hosts:
            allowed = join_or(self.limits.hosts)
            return refusal(421, "bad_host", f"Host: expected {allowed}, got {show(host)}.")
        origin = headers.get("origin")
        if origin is not None and origin not in self.limits.origins and not _same(origin, host):
            message = f"Origin: expected {join_or((host, *self.limits.origins))}, got {show(origin)}."
            return refusal(403, "bad_origin", message)
        wait = self._allowances.refused_for((scope.get("client") or ("",))[0])
        if wait:
            message = f"More than {self.limits.rate:g} requests a second came from this address."
            return refusal(429, "too_much", message, {"retry-after": str(math.ceil(wait))})
        return None


def _name(host: str) -> str:
    """Return the name in a `Host` header, in lower case and without the port."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()


def _same(origin: str, host: str) -> bool:
    """Return whether an origin is this server."""
    try:
        return bool(host) and urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:
        return False
