"""The limits of a server: names, sizes, rates and times."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")
WILDCARDS: Final = ("0.0.0.0", "::", "[::]", "")
MOST_CLIENTS: Final = 4096  # addresses with a remembered rate


@dataclass(frozen=True)
class Limits:
    """The limits of a server."""

    rate: float = 200.0  # messages per second from one connection, or from one address over HTTP; 0 for no limit
    connections: int = 256  # open at once
    seconds_to_send: float = 10.0  # time limit for the head or the body of a request
    idle_seconds: float = 600.0  # time without a message before a WebSocket is closed
    hosts: tuple[str, ...] = LOOPBACK  # accepted names of the server, without the port
    origins: tuple[str, ...] = ()  # pages of other servers that may call this one, as in "https://example.org"


@dataclass
class Allowance:
    """A token bucket that refills at the rate and holds at most two seconds' worth of messages."""

    rate: float
    left: float = field(init=False)
    since: float = field(init=False)

    def __post_init__(self) -> None:
        self.left, self.since = 2 * self.rate, time.monotonic()

    def wait(self) -> float:
        """Take one message from the bucket, and return the seconds until the rate allows this message."""
        if self.rate <= 0:
            return 0.0
        now = time.monotonic()
        self.left = min(2 * self.rate, self.left + (now - self.since) * self.rate)
        self.since = now
        self.left -= 1
        return max(0.0, -self.left / self.rate)

    def give_back(self) -> None:
        """Return a refused message to the bucket."""
        self.left += 1


class Allowances:
    """The allowances of clients by address; the least recently seen are forgotten first."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._by_client: OrderedDict[str, Allowance] = OrderedDict()

    def refused_for(self, client: str) -> float:
        """Return the seconds that a client must wait before its next message; 0 if it may send one now."""
        allowance = self._by_client.setdefault(client, Allowance(self._rate))
        self._by_client.move_to_end(client)
        if len(self._by_client) > MOST_CLIENTS:
            self._by_client.popitem(last=False)
        wait = allowance.wait()
        if wait:
            allowance.give_back()
        return wait
