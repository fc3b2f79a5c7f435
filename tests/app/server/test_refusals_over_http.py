"""A request for something that a server does not offer is refused in JSON with the right status; nothing is printed."""

import json
import logging

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from heartrush_env.app.server.limits import Limits
from tests.app.server.serving import ask, serving

GETS = ("/health", "/version", "/openapi.json", "/reference", "/v1/agents", "/v1/scenarios", "/v1/scenarios/duel", "/")
POSTS = ("/v1/act", "/v1/act_batch", "/v1/host", "/v1/replay", "/v1/review")
WRONG = [
    *((path, method, {"GET", "HEAD"}) for path in GETS for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS")),
    *((path, method, {"POST"}) for path in POSTS for method in ("GET", "HEAD", "PUT", "DELETE", "OPTIONS")),
]


def test_a_wrong_method_answers_405_with_the_right_ones_in_json(address: str) -> None:
    for path, method, allowed in WRONG:
        status, headers, body = ask(address, path, method=method)
        assert status == 405, (path, method, status)
        assert set(headers["allow"].split(", ")) == allowed, (path, method, headers)
        assert headers["content-type"] == "application/json"
        if method != "HEAD":
            answer = json.loads(body)
            assert (answer["type"], answer["code"]) == ("error", "bad_method")
            assert method in answer["message"] and answer["message"].endswith(".")


def test_an_address_that_does_not_exist_answers_404_in_json(address: str) -> None:
    for path in ("/v2/act", "/v1/", "/v1/acts", "/page.txt", "/../secrets"):
        status, _, body = ask(address, path)
        answer = json.loads(body)
        assert (status, answer["type"], answer["code"]) == (404, "error", "no_page"), path
        assert answer["message"].endswith(".")


def test_the_engine_over_plain_http_asks_for_a_socket(address: str) -> None:
    status, headers, body = ask(address, "/v1/engine")
    assert status == 426 and headers["upgrade"] == "websocket" and json.loads(body)["code"] == "bad_method"


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/v1/engine", {"Origin": "https://evil.example"}, 403),
        ("/v1/host", {"Origin": "null"}, 403),
        ("/v1/engine?agent=nobody", {}, 404),
        ("/v1/act", {}, 404),
        ("/health", {}, 404),
        ("/", {}, 404),
        ("/index.html", {}, 404),
        ("/nothing/here", {}, 404),
    ],
)
def test_a_refused_socket_has_a_status_and_prints_nothing(
    path: str,
    headers: dict[str, str],
    status: int,
    address: str,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    for _ in range(2):
        with pytest.raises(InvalidStatus) as refused:
            connect(f"{address.replace('http', 'ws')}{path}", additional_headers=headers)
        assert refused.value.response.status_code == status
        assert json.loads(refused.value.response.body)["type"] == "error"
    assert capfd.readouterr() == ("", "")
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_a_socket_refused_for_its_rate_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    with serving(Limits(rate=0.5)) as address, pytest.raises(InvalidStatus) as refused:
        for _ in range(5):
            with connect(f"{address.replace('http', 'ws')}/v1/engine"):
                pass
    assert refused.value.response.status_code == 429
    assert capfd.readouterr() == ("", "")
