"""The server's ASGI application: the routes from addresses to handlers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from heartrush_agents.base import Agent
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Match, Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Scope
from starlette.websockets import WebSocket

from heartrush_env import __version__
from heartrush_env.app.server.description import openapi, reference_page
from heartrush_env.app.server.engines import Engines, encoded
from heartrush_env.app.server.games import Games
from heartrush_env.app.server.hosting.host import Host
from heartrush_env.app.server.limits import Limits
from heartrush_env.app.server.lobby import scenarios, who_plays
from heartrush_env.app.server.middleware import Gate, refusal
from heartrush_env.app.server.recorded.routes import Records
from heartrush_env.protocol.messages import PROTOCOL
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.registry import DEFAULT_GAME
from heartrush_env.tabletop.text import show

REFERENCE_HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    "x-frame-options": "DENY",
}
PAGE = Path(__file__).parent / "page"
PAGE_HEADERS = {  # the page loads nothing from elsewhere and cannot be embedded in another page
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


class _Page(StaticFiles):
    """The files of the page, with headers that isolate it from other sites."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file with the page's headers."""
        response = await super().get_response(path, scope)
        response.headers.update(PAGE_HEADERS)
        return response


class _Route(Route):
    """A route that refuses other methods instead of passing them on to the files of the page."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match by the path alone."""
        match, child = super().matches(scope)
        return (Match.NONE if match is Match.NONE else Match.FULL), child


async def _refused(request: Request, problem: Exception) -> Response:
    """Refuse an address or a method in JSON."""
    assert isinstance(problem, HTTPException)
    headers, path = dict(problem.headers or {}), show(request.url.path)
    if problem.status_code == 405:
        headers.setdefault("Allow", "GET, HEAD")  # the files of the page
        message = f"{path}: expected {headers['Allow']}, got {show(request.method)}."
        return refusal(405, "bad_method", message, headers=headers)
    return refusal(problem.status_code, "no_page", f"There is no page {path} here.", headers)


async def _needs_a_socket(request: Request) -> Response:
    message = "The engine uses a WebSocket; expected /v1/act or /v1/act_batch over HTTP."
    return refusal(426, "bad_method", message, headers={"upgrade": "websocket", "connection": "upgrade"})


async def _no_socket(socket: WebSocket) -> None:
    message = f"Expected a WebSocket at /v1/engine or /v1/host, got {show(socket.url.path)}."
    await socket.send_denial_response(refusal(404, "no_page", message))


def application(agents: Sequence[Agent], host: Host, limits: Limits, game: str = DEFAULT_GAME) -> ASGIApp:
    """Return the server's ASGI application for these agents and the fights of this host.

    Args:
        agents: The agents to serve.
        host: The host.
        limits: The limits of clients.
        game: The game whose scenarios and shapes are listed; requests may name any other.
    """
    engines, games, records = Engines(agents, limits, game), Games(host, limits), Records(limits)

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def version(request: Request) -> Response:
        return JSONResponse({"version": __version__, "protocol": PROTOCOL, "agents": list(engines.agents)})

    async def agents_page(request: Request) -> Response:
        return Response(encoded(await engines.identities()), media_type="application/json")

    async def offered(request: Request) -> Response:
        return JSONResponse(scenarios(game))

    async def opponents(request: Request) -> Response:
        try:
            return JSONResponse(who_plays(engines.agents, request.path_params["scenario"], game))
        except HeartRushError as problem:
            return refusal(404, "bad_field", str(problem))

    async def described(request: Request) -> Response:
        return JSONResponse(openapi())

    async def reference(request: Request) -> Response:
        return HTMLResponse(reference_page(), headers=REFERENCE_HEADERS)

    app = Starlette(
        lifespan=lambda app: games.running(),
        routes=[  # those of single choices first, because routes are tried in order
            _Route("/v1/host", games.one_shot, methods=["POST"]),
            WebSocketRoute("/v1/host", games.converse),
            _Route("/v1/act", engines.one_shot, methods=["POST"]),
            _Route("/reference", reference),
            _Route("/v1/scenarios", offered),
            _Route("/v1/scenarios/{scenario}", opponents),
            _Route("/health", health),
            _Route("/version", version),
            _Route("/openapi.json", described),
            _Route("/v1/agents", agents_page),
            _Route("/v1/act_batch", engines.one_shot, methods=["POST"]),
            WebSocketRoute("/v1/engine", engines.converse),
            _Route("/v1/engine", _needs_a_socket, methods=["GET"]),
            _Route("/v1/replay", records.show, methods=["POST"]),
            _Route("/v1/review", records.judge, methods=["POST"]),
            WebSocketRoute("/{path:path}", _no_socket),
            Mount("/", _Page(directory=PAGE, html=True)),
        ],
        exception_handlers={HTTPException: _refused},
        middleware=[
            Middleware(
                CORSMiddleware,
                allow_origins=limits.origins,
                allow_methods=["GET", "POST"],
                allow_headers=["content-type"],
            )
        ],
    )
    return Gate(app, limits)
