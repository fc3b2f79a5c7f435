"""A server's description of itself, to programs and to people, agrees with what it does."""

import json
import re
from typing import Any

import jsonschema
import pytest

from heartrush_env import __version__
from heartrush_env.app.server.description import ACT, openapi
from tests.app.server.serving import AGENTS, ask


def fits(value: Any, schema: dict[str, Any]) -> None:
    """Check a value against a schema of the description."""
    jsonschema.Draft202012Validator({**schema, "components": openapi()["components"]}).validate(value)


def test_the_description_is_served_as_it_is_made(address: str) -> None:
    assert json.loads(ask(address, "/openapi.json")[2]) == openapi()
    assert openapi()["info"]["version"] == __version__


@pytest.mark.parametrize("path", ["/health", "/version", "/v1/agents"])
def test_pages_hold_what_their_schemas_say(address: str, path: str) -> None:
    status, _, body = ask(address, path)
    response = openapi()["paths"][path]["get"]["responses"][str(status)]
    fits(json.loads(body), response["content"]["application/json"]["schema"])


def test_the_example_is_a_request_and_gets_what_is_described(address: str) -> None:
    act = openapi()["paths"]["/v1/act"]["post"]
    content = act["requestBody"]["content"]["application/json"]
    assert content["example"] == ACT
    fits({"type": "act", **ACT}, content["schema"])
    for body, wanted in ((ACT, 200), ({**ACT, "seat": 7}, 400)):
        status, _, answer = ask(address, "/v1/act", body)
        assert status == wanted
        fits(json.loads(answer), act["responses"][str(status)]["content"]["application/json"]["schema"])


def test_every_path_exists_with_its_methods_and_no_other(address: str) -> None:
    for path, methods in openapi()["paths"].items():
        if "101" in methods.get("get", {}).get("responses", {}):  # a WebSocket
            continue
        for method in ("get", "post", "delete"):
            body = b"{}" if method == "post" else None
            status = ask(address, path.replace("{scenario}", "duel"), body, method.upper())[0]
            assert (status not in (404, 405)) == (method in methods), (path, method, status)


def test_agents_are_listed(address: str) -> None:
    assert json.loads(ask(address, "/version")[2])["agents"] == list(AGENTS)
    listed = json.loads(ask(address, "/v1/agents")[2])
    assert [each["name"] for each in listed] == list(AGENTS)
    assert "level" in [option["name"] for option in listed[1]["options"]]


def test_the_page_of_reference_names_everything_and_loads_nothing(address: str) -> None:
    status, headers, body = ask(address, "/reference")
    page = body.decode()
    assert status == 200 and "default-src 'none'" in headers["content-security-policy"]
    assert not re.search(r"<(script|link|img|iframe)\b", page)
    described = openapi()
    for name in (*described["paths"], *described["components"]["schemas"]):
        assert f"id='{name}'" in page
    for target in re.findall(r"href='#([^']+)'", page):
        assert f"id='{target}'" in page
