"""A server for tests, in a thread of this process or in its own process, and functions that send it requests."""

import http.client
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from heartrush_agents import load

from heartrush_env.app.server.app import application
from heartrush_env.app.server.hosting.host import Host
from heartrush_env.app.server.limits import Limits
from heartrush_env.app.server.running import Server, address_of, listen
from heartrush_env.tabletop.registry import DEFAULT_GAME
from tests.processes import PATIENCE, started

AGENTS = ("uniform", "duelist")
COMMAND = (sys.executable, "-m", "heartrush_env.app.cli.main")


@contextmanager
def serving(
    limits: Limits | None = None,
    store: str | Path = ":memory:",
    agents: Sequence[str] = AGENTS,
    game: str = DEFAULT_GAME,
    **more: Any,
) -> Iterator[str]:
    """Run a server of agents, and of fights in a store, for the length of a block; yield its address."""
    limits = limits or Limits(rate=0)
    listening, up = listen("127.0.0.1", 0), threading.Event()
    server = Server(application([load(id) for id in agents], Host(store, agents, **more), limits, game), limits, up.set)
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    try:
        assert up.wait(PATIENCE)
        yield address_of(listening)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()


@contextmanager
def served(*words: str, command: Sequence[str] = (*COMMAND, "serve")) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server in its own process at a free port for the length of a block; yield the process and the address."""
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with started(*command, *words, "--port", "0", **pipes) as process:
        found = re.search(r"(http://\S+);", process.stdout.readline() if process.stdout is not None else "")
        assert found is not None
        yield process, found[1]


def ask(
    address: str, path: str, body: Any = None, method: str | None = None, headers: Mapping[str, str] | None = None
) -> tuple[int, Mapping[str, str], bytes]:
    """Send a request, with a body of bytes or of JSON, and return the status, headers and body of the response."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=PATIENCE)
    try:
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method or ("GET" if data is None else "POST"), path, data, dict(headers or {}))
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    finally:
        connection.close()


def post(address: str, **message: Any) -> tuple[int, dict[str, Any]]:
    """Send a message to the host of a server, and return the status and the answer."""
    status, _, body = ask(address, "/v1/host", message)
    return status, json.loads(body)
