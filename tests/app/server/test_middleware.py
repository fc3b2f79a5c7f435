"""Which clients may call a server, how often and how slowly."""

import asyncio
import json
import re
import socket as sockets
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from heartrush_env.app.server import limits as limits_of_servers
from heartrush_env.app.server import transport
from heartrush_env.app.server.limits import Allowance, Allowances, Limits
from heartrush_env.app.server.transport import Listening, messages_of
from tests.app.server.serving import ask, serving
from tests.processes import PATIENCE

PAGE = "https://game.example"


def raw(address: str) -> sockets.socket:
    """Open a bare connection to a server."""
    parts = urlsplit(address)
    assert parts.hostname is not None and parts.port is not None
    return sockets.create_connection((parts.hostname, parts.port), PATIENCE)


def until_closed(connection: sockets.socket) -> bytes:
    received = b""
    while chunk := connection.recv(2**16):
        received += chunk
    return received


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://localhost.evil.example", "null", "http://127.0.0.1:1"]
)
def test_pages_of_others_are_refused(origin: str) -> None:
    with serving() as address:
        status, headers, body = ask(address, "/v1/act", {}, headers={"Origin": origin})
        assert status == 403 and json.loads(body)["code"] == "bad_origin"
        assert "access-control-allow-origin" not in headers
        with pytest.raises(InvalidStatus) as refused:
            connect(f"{address.replace('http', 'ws')}/v1/engine", origin=origin)  # type: ignore[arg-type]
        assert refused.value.response.status_code == 403


def test_its_own_pages_and_those_that_are_allowed_may_call() -> None:
    with serving(Limits(rate=0, origins=(PAGE,))) as address:
        assert ask(address, "/version", headers={"Origin": address})[0] == 200
        status, headers, _ = ask(address, "/version", headers={"Origin": PAGE})
        assert status == 200 and headers["access-control-allow-origin"] == PAGE
        request = "Access-Control-Request"
        asking = {"Origin": PAGE, f"{request}-Method": "POST", f"{request}-Headers": "content-type"}
        status, headers, _ = ask(address, "/v1/act", method="OPTIONS", headers=asking)
        assert status == 200 and headers["access-control-allow-origin"] == PAGE
        for origin in (PAGE, address):
            with connect(f"{address.replace('http', 'ws')}/v1/engine", origin=origin) as client:  # type: ignore[arg-type]
                client.send('{"type": "quit"}')


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
def test_another_name_that_points_here_is_refused(host: str) -> None:
    with serving() as address:
        status, _, body = ask(address, "/version", headers={"Host": host})
        assert status == 421 and json.loads(body)["code"] == "bad_host"


def test_names_of_the_server_are_accepted() -> None:
    with serving(Limits(rate=0, hosts=("127.0.0.1", "game.example"))) as address:
        for host in ("127.0.0.1", "127.0.0.1:99", "game.example", "GAME.example:443"):
            assert ask(address, "/health", headers={"Host": host})[0] == 200


def test_too_many_requests_are_put_off() -> None:
    with serving(Limits(rate=1)) as address:
        assert [ask(address, "/health")[0] for _ in range(2)] == [200, 200]  # requests for two seconds pass at once
        status, headers, body = ask(address, "/health")
        assert (status, headers["retry-after"]) == (429, "1")
        assert json.loads(body)["message"] == "More than 1 requests a second came from this address."


def test_an_allowance_grows_with_time_up_to_two_seconds_worth(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(limits_of_servers.time, "monotonic", lambda: now[0])
    allowance = Allowance(10)
    assert [allowance.wait() for _ in range(20)] == [0.0] * 20
    assert allowance.wait() == pytest.approx(0.1)
    assert allowance.wait() == pytest.approx(0.2)  # a request also waits for those before it
    now[0] += 1000
    assert [allowance.wait() for _ in range(20)] == [0.0] * 20
    assert allowance.wait() == pytest.approx(0.1)
    assert Allowance(0).wait() == 0.0


def test_messages_of_a_socket_beyond_its_rate_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    class Socket:
        async def receive(self) -> dict[str, str]:
            return {"type": "websocket.receive", "text": "{}"}

    async def note(seconds: float) -> None:
        waited.append(seconds)

    async def read(messages: int) -> None:
        async for _ in messages_of(Socket(), Listening(Limits(rate=2))):  # type: ignore[arg-type]
            came.append(len(waited))
            if len(came) == messages:
                return

    came: list[int] = []
    waited: list[float] = []
    monkeypatch.setattr(limits_of_servers.time, "monotonic", lambda: 0.0)
    monkeypatch.setattr(transport.asyncio, "sleep", note)
    asyncio.run(read(6))
    assert came == [0, 0, 0, 0, 1, 2] and waited == [0.5, 1.0]  # requests for two seconds pass at once


def test_a_refused_message_costs_nothing_and_each_client_has_its_own_allowance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr(limits_of_servers.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(limits_of_servers, "MOST_CLIENTS", 2)
    allowances = Allowances(1)
    assert [allowances.refused_for("a") for _ in range(5)] == [0, 0, 1, 1, 1]
    assert allowances.refused_for("b") == 0
    now[0] += 1
    assert [allowances.refused_for("a") for _ in range(2)] == [0, 1]
    allowances.refused_for("c")  # one too many: b, the least recent client, is forgotten
    assert list(allowances._by_client) == ["a", "c"]


HEAD = b"HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"", b"$"),
        (b"GET /health HT", b"$"),
        (b"GET /health " + HEAD + b"X: ", b"$"),
        (b"GET /health " + HEAD + b"\r\nGET /heal", rb'.*\{"status":"ok"\}$'),  # a second head
        (b"POST /v1/act " + HEAD + b"Connection: close\r\nContent-Length: 100\r\n\r\n{",
         b"HTTP/1.1 408 .*did not come within 0.3 seconds"),  # the body
    ],
    ids=["nothing", "half a line", "half a head", "half a second head", "half a body"],
)  # fmt: skip
def test_who_sends_too_slowly_is_cut_off(sent: bytes, answer: bytes) -> None:
    with serving(Limits(rate=0, seconds_to_send=0.3)) as address, raw(address) as connection:
        connection.sendall(sent)
        assert re.match(answer, until_closed(connection), re.DOTALL)


def test_the_head_and_the_body_of_a_response_come_together() -> None:
    with serving(Limits(rate=0)) as address, raw(address) as connection:
        for _ in range(3):
            connection.sendall(b"GET /health " + HEAD + b"\r\n")
            assert re.match(rb'HTTP/1.1 200 .*\{"status":"ok"\}$', connection.recv(2**16), re.DOTALL)


def test_a_head_of_a_megabyte_is_refused_however_it_ends() -> None:
    received = b""
    with serving(Limits(rate=0, seconds_to_send=PATIENCE)) as address, raw(address) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n")
        with suppress(ConnectionError):
            for number in range(1000):
                connection.sendall(b"X%d: %s\r\n" % (number, b"x" * 1000))
            connection.sendall(b"\r\n")
            received = until_closed(connection)
    assert b" 400 " in received or received == b""


def test_a_frame_that_says_it_is_too_long_ends_its_socket_before_it_comes() -> None:
    head = b"GET /v1/engine HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    key = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    frame = b"\x81\xff" + (2**27).to_bytes(8, "big") + b"mask"  # a text of 128 MiB is announced, and none of it sent
    with serving(Limits(rate=0, idle_seconds=3)) as address, raw(address) as connection:
        connection.sendall(head + key)
        assert b" 101 " in connection.recv(2**16)
        connection.sendall(frame)
        closed = connection.recv(2**16)
    assert closed[:1] == b"\x88" and closed[2:4] == (1009).to_bytes(2, "big")


def test_no_more_connections_than_allowed_are_answered() -> None:
    with serving(Limits(rate=0, connections=3)) as address:
        url = f"{address.replace('http', 'ws')}/v1/engine"
        held: list[Any] = [raw(address) for _ in range(3)]
        try:
            status, _, _ = ask(address, "/health")
            assert status == 503
        finally:
            for each in held:
                each.close()
        with connect(url) as client:
            client.send('{"type": "fly"}')
            assert json.loads(client.recv())["code"] == "unknown_type"
