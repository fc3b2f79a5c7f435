"""The description of the server: for programs as OpenAPI, for people as a reference page made from the OpenAPI data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final

import msgspec

from heartrush_env import __version__
from heartrush_env.app.server.hosting.messages import ANSWERS, REQUESTS, Refusal, Told
from heartrush_env.app.server.recorded.routes import LARGEST_RECORD
from heartrush_env.protocol.messages import MAX_LINE, PROTOCOL, Act, ActBatch, Choice, Choices, Error, Identity

SCHEMAS: Final = (Act, ActBatch, Choice, Choices, Error, Identity, *REQUESTS, *ANSWERS)
NEW: Final = {"type": "new", "game": {"scenario": "duel"}, "agents": {"duelist_0": "duelist"}}
ACT: Final = {
    "id": "round 1",
    "game": {"scenario": "duel"},
    "seat": "duelist_0",
    "view": {"round": 1, "window": "stance"},
    "legal": ["stance might", "stance agility", "stance cunning", "stance defensive"],
}
TEXT: Final = {"type": "string"}
SCENARIO: Final = {
    "name": "scenario",
    "in": "path",
    "required": True,
    "description": "The name of a shipped scenario.",
    "schema": TEXT,
}
AGENT: Final = {
    "name": "agent",
    "in": "query",
    "description": "The id of an agent; by default the first. Other parameters set its options, as in `level=easy`.",
    "schema": TEXT,
}
ERRORS: Final = {
    "400": "The message is not valid; the error names the field.",
    "404": "There is no such agent.",
    "413": f"The message has more than {MAX_LINE} bytes.",
    "422": "The agent does not play this game.",
    "429": "Too many requests; `Retry-After` says when to come back.",
}


RECORD_REFUSALS: Final = {
    "400": "It is not a record, or the fight does not follow the rules.",
    "408": "The body came too slowly.",
    "413": f"The record has more than {LARGEST_RECORD} bytes.",
    "429": ERRORS["429"],
    "500": "The fight could not be judged.",
    "503": "Too many records wait, or this one takes too long.",
}
REFUSALS: Final = {
    "400": "The message is not valid, or the choice not legal.",
    "403": "The token is not that of a seat, or not the owner's.",
    "404": "There is no such fight.",
    "409": "The seat is taken, the fight has moved on, or it cannot be replayed from the store.",
    "413": ERRORS["413"],
    "429": ERRORS["429"],
    "503": "The host is full.",
    "507": "The store of fights cannot be written, as when the disk is full; nothing has changed.",
}


def _json(schema: Mapping[str, Any], example: Any = None) -> dict[str, Any]:
    return {"application/json": {"schema": schema, **({} if example is None else {"example": example})}}


def _named(kind: type) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _one_of(kinds: Sequence[type]) -> dict[str, Any]:
    return {"oneOf": [_named(kind) for kind in kinds]}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _operation(
    summary: str,
    answer: Mapping[str, Any],
    body: Mapping[str, Any] | None = None,
    refused: Mapping[str, str] | None = None,
    error: Mapping[str, Any] | None = None,
    parameters: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Return the description of an operation over HTTP.

    Args:
        summary: What it does.
        answer: The schema of the answer.
        body: The content of the request, if it has a body.
        refused: What each status of a refusal means.
        error: The schema of refusals.
        parameters: The parameters of the address.
    """
    responses = {"200": {"description": "The answer.", "content": _json(answer)}}
    for status, what in (refused or {}).items():
        responses[status] = {"description": what, "content": _json(error or _named(Error))}
    described: dict[str, Any] = {"summary": summary, "responses": responses}
    if parameters:
        described["parameters"] = list(parameters)
    if body is not None:
        described["requestBody"] = {"required": True, "content": body}
    return described


def _asking(kind: type, answer: type, summary: str, example: Any = None) -> dict[str, Any]:
    return _operation(summary, _named(answer), _json(_named(kind), example), ERRORS, parameters=[AGENT])


def _of_record(summary: str, answer: Mapping[str, Any]) -> dict[str, Any]:
    codes = {"enum": ["bad_record", "full", "internal", "too_long", "too_much"]}
    error = _object(type={"const": "error"}, id={"type": "null"}, code=codes, message=TEXT)
    return _operation(summary, answer, {"text/plain": {"schema": TEXT}}, RECORD_REFUSALS, error)


def _socket(summary: str, *parameters: Mapping[str, Any]) -> dict[str, Any]:
    opened = {"responses": {"101": {"description": "The WebSocket is open."}}}
    return {"summary": summary, "parameters": list(parameters), **opened}


def openapi() -> dict[str, Any]:
    """Return the description of the server in OpenAPI 3.1."""
    _, schemas = msgspec.json.schema_components(SCHEMAS, ref_template="#/components/schemas/{name}")
    texts, number, free, whole = _list(TEXT), {"type": "number"}, {"type": "object"}, {"type": "integer"}
    window = _object(public=free, standing=TEXT, events=_list(_named(Told)))
    fought = _object(type={"const": "replay"}, scenario=TEXT, seats=_list(free), winners=texts, windows=_list(window))
    mix, kind = {"type": "object", "additionalProperties": number}, {"enum": ["stance", "attack", "shrug"]}
    choice = _object(round=whole, kind=kind, choice=TEXT, facing=TEXT, mix=mix, cost=number)
    by_seat = {"type": "object", "additionalProperties": _object(choices=_list(choice), cost=number, habits=texts)}
    sentence = {"type": ["string", "null"]}
    review = _object(type={"const": "review"}, basis=sentence, why_not=sentence, how=TEXT, seats=by_seat)
    seats = _list(_object(seat=TEXT, name=TEXT, team=TEXT))
    offered = _list(_object(name=TEXT, map={"type": "boolean"}, seats=seats))
    playing = _object(agents=_list(_object(id=TEXT, description=TEXT)), usual=sentence)
    judging = (
        "Judge a record: what the equilibrium would have done in each choice, what the choice cost on average, and the "
        "habits of people. Where a fight cannot be solved, `why_not` says why."
    )
    engine = "Open a WebSocket that speaks the engine protocol, one message a text frame."
    watch = "Open a WebSocket to the game server. Fights that are watched send each new state."
    host = "Ask the game server: any of its messages except `watch`."
    hosted = _operation(host, _one_of(ANSWERS), _json(_one_of(REQUESTS), NEW), REFUSALS, _named(Refusal))
    who_plays = _operation(
        "The agents that play a shipped scenario, and the one to suggest.",
        playing,
        refused={"404": "There is no such scenario."},
        parameters=[SCENARIO],
    )
    versions = "The versions of package and protocol, and the ids of the agents."
    shown = "Show a record window by window, with the lines of its events. Nothing is kept."
    listed = "List the agents with their options and what they play."
    paths = {
        "/v1/act": {"post": _asking(Act, Choice, "Ask an agent for one choice. `type` and `id` may be left out.", ACT)},
        "/v1/act_batch": {"post": _asking(ActBatch, Choices, "Ask an agent for up to 256 choices at once.")},
        "/v1/agents": {"get": _operation(listed, _list(_named(Identity)))},
        "/v1/engine": {"get": _socket(engine, AGENT)},
        "/v1/host": {"post": hosted, "get": _socket(watch)},
        "/v1/replay": {"post": _of_record(shown, fought)},
        "/v1/review": {"post": _of_record(judging, review)},
        "/v1/scenarios": {"get": _operation("The shipped scenarios with their seats.", offered)},
        "/v1/scenarios/{scenario}": {"get": who_plays},
        "/version": {"get": _operation(versions, _object(version=TEXT, protocol=whole, agents=texts))},
        "/health": {"get": _operation("Whether the server answers.", _object(status={"const": "ok"}))},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Heart Rush agents and fights",
            "version": __version__,
            "description": f"The engine protocol, version {PROTOCOL}, and hosted fights, over HTTP and WebSocket.",
        },
        "paths": paths,
        "components": {"schemas": dict(sorted(schemas.items()))},
    }


# -- the page ----------------------------------------------------------------------------------------------------------

STYLE: Final = """
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h2 { border-top: 1px solid var(--line); padding-top: 1rem; margin-top: 2rem; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); }
pre { overflow-x: auto; padding: .6rem; border: 1px solid var(--line); border-radius: .4rem; }
code { font-family: ui-monospace, monospace; overflow-wrap: break-word; }
"""


def reference_page() -> str:
    """Return the reference as an HTML page that loads nothing else."""
    described = openapi()
    info = described["info"]
    body = [
        f"<h1>{escape(info['title'])} <small>{escape(info['version'])}</small></h1>",
        f"<p>{escape(info['description'])} Programs read <a href='openapi.json'>openapi.json</a>.</p>",
    ]
    for path, methods in described["paths"].items():
        for method, what in methods.items():
            body += _section(path, method, what)
    for name, schema in described["components"]["schemas"].items():
        body += _schema(name, schema)
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(info['title'])}: reference</title><style>{STYLE}</style></head>"
        f"<body><main>{''.join(body)}</main></body></html>"
    )


def _section(path: str, method: str, what: Mapping[str, Any]) -> Iterator[str]:
    yield f"<h2 id='{escape(path)}'><code>{method.upper()} {escape(path)}</code></h2><p>{_text(what['summary'])}</p>"
    if "requestBody" in what:
        (content,) = what["requestBody"]["content"].values()
        yield f"<p>Body: {_type(content['schema'])}</p>"
        if "example" in content:
            yield f"<pre><code>{escape(json.dumps(content['example'], indent=2))}</code></pre>"
    rows = [
        (f"<code>{each['name']}</code>", each["in"], _text(each["description"])) for each in what.get("parameters", ())
    ]
    for status, response in what["responses"].items():
        schema = response.get("content", {}).get("application/json", {}).get("schema")
        rows.append((status, _type(schema) if schema else "", _text(response["description"])))
    yield _table(("", "", ""), rows)


def _schema(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    yield f"<h2 id='{escape(name)}'>{escape(name)}</h2><p>{_text(schema.get('description', ''))}</p>"
    required = schema.get("required", ())
    rows = [
        (
            f"<code>{escape(field)}</code>{'' if field in required else ' ?'}",
            _type(of),
            _text(of.get("description", "")),
        )
        for field, of in schema.get("properties", {}).items()
    ]
    yield _table(("field", "type", ""), rows)


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    head = "".join(f"<th scope='col'>{each}</th>" for each in heads) if any(heads) else ""
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{lines}</tbody></table>"


def _type(schema: Mapping[str, Any]) -> str:
    """Describe the type of a value in a few words, with links to the schemas that it names."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f"<a href='#{name}'>{name}</a>"
    if several := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(_type(each) for each in several)
    if "enum" in schema:
        return ", ".join(f"<code>{escape(json.dumps(each))}</code>" for each in schema["enum"])
    if "const" in schema:
        return f"<code>{escape(json.dumps(schema['const']))}</code>"
    if schema.get("type") == "array" and "items" in schema:
        return f"list of {_type(schema['items'])}"
    if isinstance(schema.get("additionalProperties"), Mapping) and schema["additionalProperties"]:
        return f"object of {_type(schema['additionalProperties'])}"
    return escape(str(schema.get("type", "anything")))


def _text(text: str) -> str:
    """Convert plain text with `code` in it to HTML."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))
