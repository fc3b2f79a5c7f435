"""Timing of a server under load: choices over each carrier, a thousand fights at once, and a start after a kill.

The server is `heartrush serve` in a separate process at 127.0.0.1; this process is its client.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from benchmarks.engine import AGENT, BATCH, request

PROGRAM = (sys.executable, "-m", "heartrush_env.app.cli.main")
CROWD = 1000  # fights at once
KILLED = 200  # fights when the server is killed
DUEL = {"type": "new", "game": {"scenario": "duel"}, "agents": {"duelist_0": AGENT}}
SEAT = "knight_0"

Message = dict[str, Any]
Ask = Callable[[Message], Message]


@contextmanager
def server(store: Path | str = ":memory:", most: int = 1024) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server for the length of a block; yield its process and its address."""
    options = ["--port", "0", "--rate", "0", "--connections", str(most), "--store", str(store)]
    with subprocess.Popen([*PROGRAM, "serve", AGENT, *options], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+(?=;)", process.stdout.readline())
            assert found is not None
            yield process, found[0]
        finally:
            process.kill()


# -- one client, over each carrier -------------------------------------------------------------------------------------


@contextmanager
def over_http(address: str, path: str) -> Iterator[Ask]:
    """Yield a function that sends a message over one open HTTP connection and returns the answer."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc)

    def ask(message: Message) -> Message:
        connection.request("POST", path, json.dumps(message), {"content-type": "application/json"})
        answer: Message = json.loads(connection.getresponse().read())
        return answer

    try:
        yield ask
    finally:
        connection.close()


@contextmanager
def over_websocket(address: str, path: str) -> Iterator[Ask]:
    """Yield a function that sends a message over a WebSocket and returns the answer."""
    from websockets.sync.client import connect

    with connect(f"{address.replace('http', 'ws')}{path}", max_size=None) as client:

        def ask(message: Message) -> Message:
            client.send(json.dumps(message))
            answer: Message = json.loads(client.recv())
            return answer

        yield ask


@contextmanager
def over_pipes(*words: str) -> Iterator[Ask]:
    """Yield a function that asks a program over its standard input and output."""
    with subprocess.Popen([*PROGRAM, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:

        def ask(message: Message) -> Message:
            assert process.stdin and process.stdout
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()
            answer: Message = json.loads(process.stdout.readline())
            return answer

        try:
            yield ask
        finally:
            process.kill()


def engine_choices(ask: Ask, seconds: float, batch: int = 1) -> float:
    """Return an agent's decisions per second, with `batch` requests in each message."""
    one = request(0)
    many = {"type": "act_batch", "id": "b", "requests": [one] * batch}
    begun, count = None, 0
    while begun is None or (spent := perf_counter() - begun) < seconds or not count:
        answer = ask(one if batch == 1 else many)
        assert answer["type"] == "choice" if batch == 1 else len(answer["choices"]) == batch, answer
        if begun is None:  # the first answer loads the agent
            begun = perf_counter()
        else:
            count += batch
    return count / spent


def hosted_choices(ask: Ask, seconds: float, seed: int = 7) -> float:
    """Return a player's choices per second in hosted duels; the player looks at the fight before each choice."""
    rng = random.Random(seed)
    begun, count, seat = None, 0, None
    while begun is None or (spent := perf_counter() - begun) < seconds or not count:
        seat = seat or sit(ask)
        state = ask({"type": "look", **seat})
        if state["over"]:
            seat = None
            continue
        choice = rng.choice(state["mine"]["legal"])["name"]
        answer = ask({"type": "choose", **seat, "window": state["window"], "choice": choice})
        assert answer["type"] == "accepted", answer
        if begun is None:
            begun = perf_counter()
        else:
            count += 1
    return count / spent


def sit(ask: Ask) -> Message:
    """Create a fight against the agent, and take the other seat in it."""
    fight = ask(DUEL)["fight"]
    return {"fight": fight, "token": ask({"type": "join", "fight": fight, "seat": SEAT})["token"]}


def carriers(seconds: float) -> Iterator[tuple[str, float]]:
    """Yield the name of each carrier and the number of choices per second over it."""
    with ExitStack() as stack:
        _, address = stack.enter_context(server())
        for batch, many in ((1, "1 request a message"), (BATCH, f"{BATCH} requests a message")):
            with over_websocket(address, "/v1/engine") as ask:
                yield f"WebSocket `/v1/engine`, {many}", engine_choices(ask, seconds, batch)
        with over_http(address, "/v1/act") as ask:
            yield "`POST /v1/act`", engine_choices(ask, seconds)
        with over_http(address, "/v1/act_batch") as ask:
            yield f"`POST /v1/act_batch`, {BATCH} requests a message", engine_choices(ask, seconds, BATCH)
        with over_pipes("host", AGENT) as ask:
            yield "`heartrush host` over pipes", hosted_choices(ask, seconds)
        with over_websocket(address, "/v1/host") as ask:
            yield "WebSocket `/v1/host`", hosted_choices(ask, seconds)
        with over_http(address, "/v1/host") as ask:
            yield "`POST /v1/host`", hosted_choices(ask, seconds)


# -- a thousand fights -------------------------------------------------------------------------------------------------


@dataclass
class Crowd:
    """The seconds that each choice took to be accepted, over all players of many fights."""

    seconds: float = 0.0
    waited: list[float] = field(default_factory=list)

    @property
    def per_second(self) -> float:
        """The number of choices per second."""
        return len(self.waited) / self.seconds

    def percentile(self, number: int) -> float:
        """Return the milliseconds within which this percentage of the choices was accepted."""
        return 1000 * quantiles(self.waited, n=100)[number - 1]


def crowd(seconds: float, thinking: float) -> Crowd:
    """Measure many duels at once on a server with its store on disk; each player has its own WebSocket.

    A player watches its fight. After each new state it thinks, for `thinking` seconds on average, and then chooses at
    random. When its fight ends, it starts another one. The clock starts when all players have their seats.
    """
    with tempfile.TemporaryDirectory() as folder, server(Path(folder) / "fights.sqlite") as (_, address):
        return asyncio.run(_crowd(address.replace("http", "ws") + "/v1/host", seconds, thinking, CROWD))


async def _crowd(address: str, seconds: float, thinking: float, fights: int) -> Crowd:
    found, sitting, rng = Crowd(), asyncio.Semaphore(32), random.Random(7)
    all_sit, end = asyncio.Barrier(fights + 1), asyncio.Event()
    players = [
        asyncio.create_task(_player(address, thinking, found, sitting, all_sit, end, rng)) for _ in range(fights)
    ]
    await asyncio.wait([asyncio.create_task(all_sit.wait()), *players], return_when=asyncio.FIRST_COMPLETED)
    begun = perf_counter()
    found.waited.clear()
    while perf_counter() - begun < seconds or len(found.waited) < 2:
        await asyncio.sleep(max(0.001, begun + seconds - perf_counter()))
    found.seconds, waited = perf_counter() - begun, len(found.waited)
    end.set()
    for problem in await asyncio.gather(*players, return_exceptions=True):
        if isinstance(problem, BaseException):
            raise problem
    del found.waited[waited:]
    return found


async def _player(
    address: str,
    thinking: float,
    found: Crowd,
    sitting: asyncio.Semaphore,
    all_sit: asyncio.Barrier,
    end: asyncio.Event,
    rng: random.Random,
) -> None:
    from websockets.asyncio.client import connect

    async with connect(address, max_size=None, ping_interval=None) as client:

        async def ask(message: Message) -> Message:
            await client.send(json.dumps(message))
            answer: Message = json.loads(await client.recv())
            return answer

        async def take_seat() -> tuple[Message, Message]:
            fight = (await ask(DUEL))["fight"]
            token = (await ask({"type": "join", "fight": fight, "seat": SEAT}))["token"]
            seat = {"fight": fight, "token": token}
            return seat, await ask({"type": "watch", **seat})

        async with sitting:
            seat, state = await take_seat()
        await all_sit.wait()
        while not end.is_set():
            if state["over"]:
                seat, state = await take_seat()
            if thinking:
                await asyncio.sleep(rng.uniform(0, 2 * thinking))
            choice = rng.choice(state["mine"]["legal"])["name"]
            sent = perf_counter()
            await client.send(json.dumps({"type": "choose", **seat, "window": state["window"], "choice": choice}))
            answers = [json.loads(await client.recv()), json.loads(await client.recv())]  # in either order
            found.waited.append(perf_counter() - sent)
            state = next(answer for answer in answers if answer["type"] == "state")


# -- a start after a kill ----------------------------------------------------------------------------------------------


def recovery(choices: int = 20) -> float:
    """Kill a server in the middle of fights; return the seconds from its restart until it has shown all the fights."""
    with tempfile.TemporaryDirectory() as folder:
        store, rng, seats = Path(folder) / "fights.sqlite", random.Random(7), []
        with server(store) as (process, address), over_websocket(address, "/v1/host") as ask:
            seats = [sit(ask) for _ in range(KILLED)]
            for _ in range(choices):
                for seat in seats:
                    state = ask({"type": "look", **seat})
                    if not state["over"]:
                        choice = rng.choice(state["mine"]["legal"])["name"]
                        ask({"type": "choose", **seat, "window": state["window"], "choice": choice})
            before = [ask({"type": "look", **seat}) for seat in seats]
            process.send_signal(signal.SIGKILL)
        begun = perf_counter()
        with server(store) as (_, address), over_websocket(address, "/v1/host") as ask:
            assert [ask({"type": "look", **seat}) for seat in seats] == before, "the server came back otherwise"
            return perf_counter() - begun
