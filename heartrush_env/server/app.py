"""The application: which address leads where."""

from __future__ import annotations

from collections.abc import Sequence

from heartrush_agents.base import Agent
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from heartrush_env import __version__
from heartrush_env.protocol.messages import PROTOCOL
from heartrush_env.server.description import openapi, reference_page
from heartrush_env.server.engines import Engines, encoded
from heartrush_env.server.games import Games
from heartrush_env.server.gate import Gate
from heartrush_env.server.hosting.host import Host
from heartrush_env.server.limits import Limits

PAGE_HEADERS = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'", "x-frame-options": "DENY"}


def application(agents: Sequence[Agent], host: Host, limits: Limits) -> ASGIApp:
    """The server's ASGI application for these agents, and for the fights of this host."""
    engines, games = Engines(agents, limits), Games(host, limits)

    async def health(request: Request) -> Response:
        return JSONResponse({"status": "ok"})

    async def version(request: Request) -> Response:
        return JSONResponse({"version": __version__, "protocol": PROTOCOL, "agents": list(engines.agents)})

    async def agents_page(request: Request) -> Response:
        return Response(encoded(await engines.identities()), media_type="application/json")

    async def described(request: Request) -> Response:
        return JSONResponse(openapi())

    async def reference(request: Request) -> Response:
        return HTMLResponse(reference_page(), headers=PAGE_HEADERS)

    app = Starlette(
        lifespan=lambda app: games.running(),
        routes=[
            Route("/", reference),
            Route("/health", health),
            Route("/version", version),
            Route("/openapi.json", described),
            Route("/v1/agents", agents_page),
            Route("/v1/act", engines.one_shot, methods=["POST"]),
            Route("/v1/act_batch", engines.one_shot, methods=["POST"]),
            WebSocketRoute("/v1/engine", engines.converse),
            Route("/v1/host", games.one_shot, methods=["POST"]),
            WebSocketRoute("/v1/host", games.converse),
        ],
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
