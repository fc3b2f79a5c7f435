"""The messages of the engine protocol, HREP 1: JSON objects, one per line, each with a field `type`.

These classes define everything that a line may contain; the JSON Schema is generated from them. Unknown fields are
ignored, and types are strict. This module does not define how an engine answers or what views mean.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeVar, get_args

from heartrush_env.protocol.fields import GameFields, view_type
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.registry import DEFAULT_GAME, usual_games
from heartrush_env.tabletop.structs import MAX_SEED, Meta, Name, Natural, Struct, msgspec
from heartrush_env.tabletop.validate import join_or
from heartrush_env.tabletop.views import views_of

PROTOCOL: Final = 1
MAX_LINE: Final = 2**20  # bytes, excluding the line break
LONGEST_MISFIT: Final = 200  # characters
MAX_ID: Final = 128  # characters
MAX_BATCH: Final = 256  # requests
LONGEST_SHOWN: Final = 60  # characters of an offending value, in an error

Id = Annotated[str, Meta(max_length=MAX_ID, description="chosen by the caller and echoed in the answer")]
Code = Literal[
    "bad_json",
    "too_long",
    "unknown_type",
    "bad_field",
    "bad_option",
    "bad_view",
    "illegal",
    "not_played",
    "nothing_sealed",
    "too_much",
    "internal",
]


class ProtocolError(HeartRushError):
    """A rejected line or request: a code for programs, and one sentence for people."""

    def __init__(self, code: Code, message: str, id: str | None = None) -> None:
        super().__init__(message)
        self.code: Code = code
        self.id = id


# -- caller to engine --------------------------------------------------------------------------------------------------


class Hello(Struct, tag="hello", omit_defaults=True, kw_only=True):
    """Asks for the engine's identity; answered by `identity`, then `ready`."""

    protocol: Annotated[int, Meta(ge=1, le=MAX_SEED)] = PROTOCOL


class SetOption(Struct, tag="set", omit_defaults=True, kw_only=True):
    """Sets one of the options listed in the identity; answered by `ready`, or an error `bad_option`."""

    name: Name
    value: Any
    id: Id | None = None


class Act(Struct, tag="act", omit_defaults=True, kw_only=True):
    """Asks for a choice; the request holds everything needed."""

    id: Id
    game: GameFields
    seat: Name
    view: Annotated[
        msgspec.Raw,
        Meta(description="what the seat sees; decoded into the game's own type of views"),
    ]
    legal: Annotated[
        list[Name],
        Meta(
            description="the legal actions by name, at least one; `door n` opens a closed door and closes an open one"
        ),
    ]
    seed: Annotated[Natural | None, Meta(description="the same request and seed get the same choice")] = None
    budget_ms: (
        Annotated[float, Meta(ge=0, description="how long the caller is willing to wait, in milliseconds")] | None
    ) = None
    match: Annotated[
        Id | None,
        Meta(description="name of a series of fights against the same opponents, which an engine may remember"),
    ] = None
    fight: Annotated[Natural, Meta(description="the number of the fight in the match")] = 0
    sealed: Annotated[bool, Meta(description="answer with a seal; `open` then asks for the choice")] = False


class ActBatch(Struct, tag="act_batch", kw_only=True):
    """Asks for many choices at once; answered by `choices`."""

    id: Id
    requests: Annotated[list[Act], Meta(max_length=MAX_BATCH)]


class Open(Struct, tag="open", kw_only=True):
    """Asks for the choice that was sealed under this id."""

    id: Id


class End(Struct, tag="end", omit_defaults=True, kw_only=True):
    """Announces that a match is over, so that its memory can be freed; not answered."""

    match: Id
    result: Any = None


class Quit(Struct, tag="quit"):
    """Asks the engine to exit, as the end of its input does; not answered."""


# -- engine to caller --------------------------------------------------------------------------------------------------


class Plays(Struct, kw_only=True):
    """The game and shapes that an engine plays under default settings; `tables` holds a digest for each shape."""

    game: Name
    shapes: list[Name]
    tables: dict[Name, Name]


class Option(Struct, omit_defaults=True, kw_only=True):
    """An option that can be set, described fully enough for a program to show a form for it."""

    name: Name
    kind: Literal["number", "whole", "check", "choice", "text"]
    default: float | bool | str
    min: float | None = None
    max: float | None = None
    choices: list[str] | None = None
    description: str


class Identity(Struct, tag="identity", kw_only=True):
    """The engine's name, the games it plays, and its options."""

    protocol: int = PROTOCOL
    name: str
    version: str
    description: str
    plays: Plays
    options: list[Option]


class Ready(Struct, tag="ready", omit_defaults=True, kw_only=True):
    """The engine has done what was asked and is waiting."""

    id: Id | None = None


class Choice(Struct, tag="choice", kw_only=True):
    """The engine's choice, with the probabilities it was drawn from."""

    id: Id
    choice: Name
    policy: Annotated[dict[Name, float], Meta(description="probabilities of the legal actions, which sum to 1")]
    value: Annotated[
        float | None, Meta(description="the seat's expected result, from -1 for a certain loss to 1 for a certain win")
    ] = None
    reason: str
    ms: Annotated[float, Meta(ge=0, description="the time it took, in milliseconds")]
    nonce: str | msgspec.UnsetType = msgspec.UNSET


class Sealed(Struct, tag="sealed", kw_only=True):
    """The seal of a choice that can no longer change; `open` asks for the choice."""

    id: Id
    seal: Annotated[str, Meta(description="hex of the SHA-256 of nonce, colon, choice")]


class Error(Struct, tag="error", kw_only=True):
    """An error, in place of any other answer."""

    id: Id | None = None
    code: Code
    message: Annotated[str, Meta(description="one sentence")]


class Choices(Struct, tag="choices", kw_only=True):
    """The answers to a batch, in the order of its requests."""

    id: Id
    choices: list[Choice | Sealed | Error]


Request = Hello | SetOption | Act | ActBatch | Open | End | Quit
Answer = Identity | Ready | Choice | Sealed | Choices | Error
REQUESTS: Final = ("hello", "set", "act", "act_batch", "open", "end", "quit")
ANSWERS: Final = ("identity", "ready", "choice", "sealed", "choices", "error")


# -- lines -------------------------------------------------------------------------------------------------------------


class _Head(Struct):
    """The type and id of a line, regardless of its other fields."""

    type: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    id: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class _LooseBatch(Struct, tag="act_batch", kw_only=True):
    """A batch whose requests are validated one by one."""

    id: Id
    requests: Annotated[list[msgspec.Raw], Meta(max_length=MAX_BATCH)]


_T = TypeVar("_T")
_encoder = msgspec.json.Encoder()
_requests: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
_answers: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)
_acts = msgspec.json.Decoder(Act)
_heads = msgspec.json.Decoder(_Head)
_batches = msgspec.json.Decoder(_LooseBatch)
_texts = msgspec.json.Decoder(str)


def encode(message: Struct | dict[str, Any]) -> bytes:
    """Encode a message as a line, including the line break."""
    return _encoder.encode(message) + b"\n"


def decode_request(line: bytes) -> Request:
    """Decode a caller's line; raise ProtocolError if it is invalid."""
    return _decode(line, _requests, REQUESTS)


def decode_answer(line: bytes) -> Answer:
    """Decode an engine's line; raise ProtocolError if it is invalid."""
    return _decode(line, _answers, ANSWERS)


def decode_batch(line: bytes) -> tuple[str, list[Act | ProtocolError]]:
    """Decode a batch into its id and its requests, with an error in place of each invalid request."""
    batch = _decode(line, _batches, REQUESTS)
    return batch.id, [_one_of_batch(bytes(raw)) for raw in batch.requests]


def _one_of_batch(raw: bytes) -> Act | ProtocolError:
    try:
        return _decode(raw, _acts, ("act",))
    except ProtocolError as error:
        return error


def too_long() -> ProtocolError:
    """Return the error for a line of more than MAX_LINE bytes."""
    return ProtocolError("too_long", f"The line has more than {MAX_LINE} bytes, which is the limit.")


def _decode(line: bytes, decoder: msgspec.json.Decoder[_T], types: tuple[str, ...]) -> _T:
    """Decode a line; find the reason for a failure only after decoding has failed."""
    if len(line) > MAX_LINE and len(line.rstrip(b"\r\n")) > MAX_LINE:
        raise too_long()
    try:
        str(line, "utf-8")  # nothing else checks the text inside unknown fields
        message = decoder.decode(line)
        if isinstance(message, Act):
            _decode_view(message, "")
        elif isinstance(message, ActBatch):
            for number, request in enumerate(message.requests):
                _decode_view(request, f".requests[{number}]")
        return message
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise _refusal(line, problem, types) from None


def _decode_view(request: Act, where: str) -> None:
    """Decode the view of a request into its game's type; an error names the place inside the message."""
    try:
        request.view = msgspec.json.decode(request.view, type=view_type(request.game.game))
    except msgspec.ValidationError as problem:
        what, _, place = str(problem).partition(" - at ")
        raise msgspec.ValidationError(f"{what} - at `${where}.view{place.strip('`').removeprefix('$')}`") from None


def _refusal(line: bytes, problem: Exception, types: tuple[str, ...]) -> ProtocolError:
    """Return the error that explains in one sentence why a line is invalid."""
    if isinstance(problem, UnicodeDecodeError):
        return ProtocolError("bad_json", f"The line is not UTF-8: byte {problem.start} is out of place.")
    try:
        head = _heads.decode(line)
    except RecursionError:
        return ProtocolError("bad_json", "The line is nested too deeply to be read.")
    except msgspec.ValidationError:
        return ProtocolError("bad_json", f"The line: expected a JSON object, got {_shown(line)}.")
    except msgspec.DecodeError as malformed:
        return ProtocolError("bad_json", f"The line is not JSON: {_reason(malformed)}.")
    id, kind = _text(head.id), _text(head.type)
    id = id if id is not None and len(id) <= MAX_ID else None
    if kind not in types:
        found = "missing" if isinstance(head.type, msgspec.UnsetType) else _shown(bytes(head.type))
        return ProtocolError("unknown_type", f"type: expected {join_or(types)}, got {found}.", id)
    if isinstance(problem, RecursionError):
        return ProtocolError("bad_json", "The line is nested too deeply to be read.", id)
    if not isinstance(problem, msgspec.ValidationError):
        return ProtocolError("bad_json", f"The line is not JSON: {_reason(problem)}.", id)
    return ProtocolError("bad_field", _misfit(kind, problem), id)


def _misfit(kind: str, problem: msgspec.ValidationError) -> str:
    """Return where a message does not fit its type, as in "act: view.round: expected int, got str."."""
    what, _, where = str(problem).partition(" - at ")
    place = where.strip("`").removeprefix("$").removeprefix(".")
    what = what.replace("`", "")
    what = what if len(what) <= LONGEST_MISFIT else f"{what[:LONGEST_MISFIT]}..."  # it may quote the client's own text
    return f"{kind}{f': {place}' if place else ''}: {what[:1].lower()}{what[1:]}."


def _reason(problem: Exception) -> str:
    """Phrase a JSON parser's error for the middle of a sentence."""
    what = str(problem).removeprefix("JSON is malformed: ").rstrip(".")
    return what[:1].lower() + what[1:]


def _text(raw: msgspec.Raw | msgspec.UnsetType) -> str | None:
    """Return the text in a field, or None if it contains something else."""
    if isinstance(raw, msgspec.UnsetType):
        return None
    try:
        return _texts.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _shown(raw: bytes) -> str:
    """Return the offending text, shortened."""
    text = " ".join(raw.decode("utf-8", "replace").split())
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


# -- the schema --------------------------------------------------------------------------------------------------------


def json_schema(game: str = DEFAULT_GAME) -> dict[str, Any]:
    """Return the JSON Schema of a line in either direction, with views of the game of this name."""
    requests, answers, view = get_args(Request), get_args(Answer), view_type(game)
    (*_, shown), components = msgspec.json.schema_components((*requests, *answers, view), ref_template="#/$defs/{name}")
    if view == dict[str, Any]:
        shown = _view_schema(game)
    components["Act"]["properties"]["view"] = shown
    lines = (("request", "caller", "engine", requests), ("answer", "engine", "caller", answers))
    kinds = {
        name: {
            "description": f"A line from the {sender} to the {receiver}.",
            "oneOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in group],
        }
        for name, sender, receiver, group in lines
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The Heart Rush engine protocol, version {PROTOCOL}",
        "description": "One line: a JSON object of one of these types. Fields that are not listed are ignored.",
        "oneOf": [{"$ref": "#/$defs/request"}, {"$ref": "#/$defs/answer"}],
        "$defs": {**kinds, **dict(sorted(components.items()))},
    }


def _view_schema(game: str) -> dict[str, Any]:
    """Return the JSON Schema of a game's views, one for each shape of its fights; each may also have the vector."""
    vector = {"type": "array", "items": {"type": "number"}, "description": "the environment's vector"}
    shapes = []
    for opened in usual_games(game).values():
        schema = views_of(opened).schema()
        shapes.append({**schema, "properties": {**schema.get("properties", {}), "observation": vector}})
    return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}
