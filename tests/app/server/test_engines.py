"""Agents over HTTP and WebSocket give the answers of the engine protocol, whichever of the two carries them."""

import json
from typing import Any

import pytest
from heartrush_agents import load
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from heartrush_env.app.engine import Engine
from heartrush_env.app.server.limits import Limits
from heartrush_env.protocol.messages import MAX_LINE
from tests.app.server.serving import ask, serving
from tests.app.test_engine import ACT, STANCES, untimed


def of_engine(agent: str, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the answers of the engine itself, asked without HTTP or WebSocket."""
    engine = Engine(load(agent))
    return [untimed(json.loads(line)) for message in messages for line in engine.answer(json.dumps(message).encode())]


def socket(address: str, query: str = "", **more: Any) -> ClientConnection:
    return connect(f"{address.replace('http', 'ws')}/v1/engine{query}", max_size=None, **more)


def said(client: ClientConnection, message: Any, answers: int = 1) -> list[dict[str, Any]]:
    client.send(message if isinstance(message, str) else json.dumps(message))
    return [untimed(json.loads(client.recv())) for _ in range(answers)]


# -- HTTP ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("agent", ["uniform", "duelist"])
def test_one_request_gets_the_choice_of_the_agent(address: str, agent: str) -> None:
    status, headers, body = ask(address, f"/v1/act?agent={agent}", ACT)
    assert status == 200 and headers["content-type"] == "application/json"
    assert [untimed(json.loads(body))] == of_engine(agent, ACT)


def test_a_batch_gets_its_choices_in_order(address: str) -> None:
    """A single request may omit type and id, and the first agent answers if none is named."""
    status, _, body = ask(address, "/v1/act", {name: ACT[name] for name in ACT if name not in ("type", "id")})
    assert status == 200
    assert [untimed(json.loads(body))] == of_engine("uniform", {**ACT, "id": ""})
    requests = [{**ACT, "id": str(number), "seed": number} for number in range(5)]
    status, _, body = ask(address, "/v1/act_batch?agent=duelist", {"id": "all", "requests": requests})
    assert status == 200
    found = json.loads(body)
    assert found["type"] == "choices" and found["id"] == "all"
    assert [untimed(choice) for choice in found["choices"]] == of_engine("duelist", *requests)
    status, _, body = ask(address, "/v1/act_batch", {"requests": [ACT, {**ACT, "sealed": True}]})
    assert status == 400 and "act_batch: sealed" in json.loads(body)["message"]


def test_options_stand_in_the_query(address: str) -> None:
    wrong, right = {"type": "set", "name": "mistakes", "value": 7}, {"type": "set", "name": "mistakes", "value": 1}
    status, _, body = ask(address, "/v1/act?agent=duelist&mistakes=1", ACT)
    assert status == 200 and [untimed(json.loads(body))] == of_engine("duelist", right, ACT)[1:]
    assert json.loads(body)["policy"] == dict.fromkeys(STANCES, 0.25)
    status, _, body = ask(address, "/v1/act?agent=duelist&mistakes=7", ACT)
    assert status == 400 and [json.loads(body)] == of_engine("duelist", wrong)
    status, _, body = ask(address, "/v1/act?agent=duelist&level=easy", ACT)
    assert status == 200 and json.loads(body)["policy"] != of_engine("duelist", ACT)[0]["policy"]
    status, _, body = ask(address, "/v1/act?agent=duelist", ACT)
    assert [untimed(json.loads(body))] == of_engine("duelist", ACT), "an option of one request must not reach the next"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"", 400, "bad_json"),
        (b"{", 400, "bad_json"),
        (b"[]", 400, "bad_json"),
        (b"\xff", 400, "bad_json"),
        (b"[" * 100_000, 400, "bad_json"),
        ({**ACT, "seat": "nobody"}, 400, "bad_field"),
        ({**ACT, "legal": ["stance of the crane"]}, 400, "illegal"),
        ({**ACT, "game": {"scenario": "../../etc/passwd"}}, 400, "bad_field"),
        ({**ACT, "type": "set"}, 400, "bad_field"),
        ({**ACT, "sealed": True}, 400, "bad_field"),
        ({**ACT, "match": "m"}, 400, "bad_field"),
        ({**ACT, "game": {"game": "chess", "scenario": "duel"}}, 422, "not_played"),
        (b" " * (MAX_LINE + 1), 413, "too_long"),
    ],
)
def test_what_is_wrong_gets_one_sentence_and_a_status(address: str, body: Any, status: int, code: str) -> None:
    found, _, answer = ask(address, "/v1/act", body)
    error = json.loads(answer)
    assert (found, error["type"], error["code"]) == (status, "error", code), error
    assert error["message"].endswith(".") and "\n" not in error["message"]


def test_an_agent_that_is_not_served_is_not_found(address: str) -> None:
    for query in ("tactician", "/etc", "best_response:uniform"):
        status, _, body = ask(address, f"/v1/act?agent={query}", ACT)
        said = json.loads(body)["message"]
        assert status == 404 and said.startswith("Expected one of the agents uniform or duelist, got ")
    with pytest.raises(InvalidStatus) as refused:
        socket(address, "?agent=tactician")
    assert refused.value.response.status_code == 404


# -- WebSocket -----------------------------------------------------------------------------------------------------


def test_a_socket_speaks_the_protocol(address: str) -> None:
    hello, wrong, sealed = {"type": "hello"}, {"type": "fly", "id": "7"}, {**ACT, "id": "s", "sealed": True}
    with socket(address, "?agent=duelist") as client:
        assert said(client, hello, 2) == of_engine("duelist", hello)
        assert said(client, ACT) == of_engine("duelist", ACT)
        assert said(client, wrong) == of_engine("duelist", wrong)
        assert said(client, "nonsense")[0]["code"] == "bad_json"
        client.send("  ")  # an empty line has no answer
        assert said(client, sealed)[0]["type"] == "sealed"
        assert said(client, {"type": "open", "id": "s"}) == of_engine("duelist", {**ACT, "id": "s"})
        client.send(json.dumps({"type": "quit"}))
        with pytest.raises(ConnectionClosed) as end:
            client.recv()
        assert end.value.rcvd is not None and end.value.rcvd.code == 1000


def test_sockets_share_neither_options_nor_seals(address: str) -> None:
    with socket(address, "?agent=duelist") as one, socket(address, "?agent=duelist") as other:
        assert said(one, {"type": "set", "name": "mistakes", "value": 1})[0]["type"] == "ready"
        assert said(one, {**ACT, "sealed": True})[0]["type"] == "sealed"
        assert said(other, {"type": "open", "id": "1"})[0]["code"] == "nothing_sealed"
        assert said(other, ACT) == of_engine("duelist", ACT)


@pytest.mark.parametrize(
    ("message", "code"), [(b"{}", 1003), ("x" * (MAX_LINE + 1), 1009), ("é" * MAX_LINE, 1009), (None, 1001)]
)
def test_bytes_silence_and_what_is_too_long_close_the_socket(message: Any, code: int) -> None:
    with serving(Limits(idle_seconds=0.2 if message is None else 60)) as address, socket(address) as client:
        if message is not None:
            client.send(message)
        with pytest.raises(ConnectionClosed) as end:
            client.recv()
        assert end.value.rcvd is not None and end.value.rcvd.code == code
