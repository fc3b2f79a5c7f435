"""The engine protocol over WebSocket and one-shot HTTP: the messages of `heartrush engine` on another transport.

A WebSocket has its own engine, with its own options, matches and seals. An HTTP request is independent of all others,
so it can neither seal a choice nor name a match.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeVar

import msgspec
from heartrush_agents.base import Agent
from starlette.requests import Request
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from heartrush_env.app.engine import Engine
from heartrush_env.app.server.limits import Limits
from heartrush_env.app.server.middleware import refusal
from heartrush_env.app.server.transport import Listening, json_response, messages_of, read_body
from heartrush_env.protocol.messages import Identity, encode
from heartrush_env.tabletop.registry import DEFAULT_GAME
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or

SECONDS_OF_A_BATCH: Final = 5.0
MOST_ENGINES: Final = 16  # cached for HTTP, by agent and options
STATUS: Final[Mapping[str, int]] = {"too_long": 413, "not_played": 422, "internal": 500}  # other errors: 400
NEEDS_A_SOCKET: Final = ("sealed", "match")  # fields that need state between requests

_T = TypeVar("_T")


class Engines:
    """The agents of a server and the engines that answer for them."""

    def __init__(self, agents: Sequence[Agent], limits: Limits, game: str = DEFAULT_GAME) -> None:
        """Serve these agents; the first answers requests that name no agent. Identities list the shapes of `game`."""
        self.agents, self._game = {agent.id: agent for agent in agents}, game
        self.limits = limits
        self._kept: OrderedDict[tuple[str, ...], Engine] = OrderedDict()
        self._identities: list[Identity] | None = None
        self._thread = ThreadPoolExecutor(1, "engines")  # decisions are CPU-bound and run one at a time

    async def identities(self) -> list[Identity]:
        """Return the identity of each agent."""
        if self._identities is None:
            self._identities = await self._decide(
                lambda: [Engine(agent, game=self._game).identity() for agent in self.agents.values()]
            )
        return self._identities

    async def _decide(self, work: Callable[[], _T]) -> _T:
        """Run CPU-bound work in the decision thread, so that the event loop stays responsive."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # -- HTTP ----------------------------------------------------------------------------------------------------------

    async def one_shot(self, request: Request) -> Response:
        """Answer `POST /v1/act` or `/v1/act_batch`: the message in the body, the agent and its options in the query."""
        kind = request.url.path.rpartition("/")[2]
        body = await read_body(request, self.limits)
        if isinstance(body, Response):
            return body
        words = dict(request.query_params)
        id = words.pop("agent", next(iter(self.agents)))
        if id not in self.agents:
            return refusal(404, "not_played", f"Expected one of the agents {join_or(self.agents)}, got {show(id)}.")
        line = _as_line(kind, body)
        if isinstance(line, Response):
            return line
        return json_response(await self._decide(partial(self._answer, id, words, line)), STATUS)

    def _answer(self, id: str, words: Mapping[str, str], line: bytes) -> bytes:
        """Return an agent's answer to a message, with these options set."""
        key = (id, *(f"{name}={value}" for name, value in sorted(words.items())))
        engine = self._kept.pop(key, None)
        if engine is None:
            engine = Engine(self.agents[id], game=self._game, most_seconds=SECONDS_OF_A_BATCH)
            for name, value in sorted(words.items()):
                setting = {"type": "set", "name": name, "value": _number_or_text(value)}
                answer = engine.answer(msgspec.json.encode(setting))[0]
                if msgspec.json.decode(answer)["type"] == "error":
                    return answer
        self._kept[key] = engine
        if len(self._kept) > MOST_ENGINES:
            self._kept.popitem(last=False)
        return engine.answer(line)[0]

    # -- WebSocket -----------------------------------------------------------------------------------------------------

    async def converse(self, socket: WebSocket) -> None:
        """Answer the messages of a WebSocket, one text frame each, until `quit` or until the connection closes."""
        id = socket.query_params.get("agent", next(iter(self.agents)))
        if id not in self.agents:
            message = f"Expected one of the agents {join_or(self.agents)}, got {show(id)}."
            await socket.send_denial_response(refusal(404, "not_played", message))
            return
        await socket.accept()
        engine = Engine(self.agents[id], game=self._game, most_seconds=SECONDS_OF_A_BATCH)
        with suppress(WebSocketDisconnect):
            async for line in messages_of(socket, Listening(self.limits)):
                for answer in await self._decide(partial(engine.answer, line)):
                    await socket.send_text(answer.rstrip(b"\n").decode())
                if engine.left:
                    await socket.close()
                    return


def _as_line(kind: str, body: bytes) -> bytes | Response:
    """Return the message of an HTTP body, with its type and id filled in, or a refusal."""
    try:
        message: Any = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return body or b"null"  # the engine reports the error
    if not isinstance(message, dict):
        return body
    found = message.setdefault("type", kind)
    if found != kind:
        return refusal(400, "bad_field", f"{kind}: type: expected {kind}, got {show(found)}.")
    message.setdefault("id", "")
    requests = message.get("requests") if kind == "act_batch" else [message]
    for request in requests if isinstance(requests, list) else []:
        for name in NEEDS_A_SOCKET:
            if isinstance(request, dict) and request.get(name):
                what = f"{kind}: {name}: expected nothing over HTTP, got {show(request[name])}; use the WebSocket."
                return refusal(400, "bad_field", what)
    return msgspec.json.encode(message)


def _number_or_text(value: str) -> Any:
    """Parse a query value: a number if it is a JSON number, text otherwise."""
    try:
        number = msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError):
        return value
    return number if isinstance(number, int | float) else value


def encoded(identities: Sequence[Identity]) -> bytes:
    """Encode identities as a JSON array."""
    return b"[" + b",".join(encode(identity).strip() for identity in identities) + b"]"
