"""The fights that one connection watches, and the updates that it receives about them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from heartrush_env.app.server.hosting.host import Host
from heartrush_env.app.server.hosting.messages import Answer, Closed, Refusal, Requests, State, Watch, encode, read
from heartrush_env.protocol.messages import MAX_LINE

MOST_WATCHED: Final = 64  # fights that one connection watches


class Watched:
    """The watched fights of one connection, and the answers to its requests."""

    def __init__(self, host: Host, client: str | None = None) -> None:
        """Start without watched fights; `client` names the connection's client if the host has several."""
        self.host, self._client = host, client
        self._tokens: dict[str, str | None] = {}

    def among(self, fights: Collection[str]) -> set[str]:
        """Return those of the given fights that are watched."""
        return self._tokens.keys() & fights

    def answer(self, line: bytes) -> list[bytes]:
        """Return the replies to one request: its answer, then the new state of each watched fight that has changed."""
        if not line.strip() and len(line) <= MAX_LINE:
            return []
        return [self.reply(line), *self.news()]

    def reply(self, line: bytes) -> bytes:
        """Return the answer to a line."""
        request = read(line)
        return encode(request if isinstance(request, Refusal) else self.obey(request))

    def obey(self, request: Requests) -> Answer:
        """Return the answer to a request; if it asks to watch a fight, start watching it."""
        return self._watch(request) if isinstance(request, Watch) else self.host.obey(request, self._client)

    def _watch(self, request: Watch) -> Answer:
        if len(self._tokens) >= MOST_WATCHED and request.fight not in self._tokens:
            message = f"The connection already watches {MOST_WATCHED} fights, which is the limit."
            return Refusal(id=request.id, code="too_much", message=message)
        state = self.host.obey(request)
        if isinstance(state, State):
            self._tokens[request.fight] = request.token
        return state

    def news(self) -> list[bytes]:
        """Return the states of watched fights that changed since the last call; only for a host with one connection."""
        changed, self.host.changed = dict.fromkeys(self.host.changed), []
        watched = self.among(changed)
        return [self.state_of(fight) for fight in changed if fight in watched]

    def state_of(self, fight: str) -> bytes:
        """Return the state of a watched fight, or a notice that it is closed."""
        state = self.host.obey(Watch(fight=fight, token=self._tokens[fight]))
        if isinstance(state, State):
            return encode(state)
        del self._tokens[fight]
        return encode(Closed(fight=fight))
