"""The messages of the engine protocol, HREP 1: JSON objects, one a line, each with a field `type`.

These classes are the one source of what a line may hold; the JSON Schema is made from them. Unknown fields are ignored,
types are strict. Not here: what an engine answers, and what a view means.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Final, Literal, TypeVar

from heartrush_env.core.errors import HeartRushError

try:
    import msgspec
    from msgspec import Meta, Struct, field
except ImportError:
    raise HeartRushError(
        "The engine protocol needs msgspec, which is not installed: pip install 'heartrush-env[protocol]'."
    ) from None

PROTOCOL: Final = 1
MAX_LINE: Final = 2**20  # bytes, the line's end not counted
MAX_ID: Final = 128  # characters
MAX_NAME: Final = 128  # characters of a name of a seat, an action, an option, ...
MAX_BATCH: Final = 256  # requests
MAX_SEED: Final = 2**63 - 1
LONGEST_SHOWN: Final = 60  # characters of what was found, in an error

Id = Annotated[str, Meta(max_length=MAX_ID, description="chosen by the caller and echoed in the answer")]
Name = Annotated[str, Meta(max_length=MAX_NAME)]
Natural = Annotated[int, Meta(ge=0, le=MAX_SEED)]
Points = Annotated[int, Meta(ge=-(2**31), le=2**31)]
Square = Annotated[list[Annotated[int, Meta(ge=0, le=31)]], Meta(min_length=2, max_length=2)]
Cover = Annotated[int, Meta(ge=0, le=4, description="4 where there is no line")]
Stance = Literal["might", "agility", "cunning", "defensive"]
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
    """A line or a request that is not taken: a code for programs, and one sentence for people."""

    def __init__(self, code: Code, message: str, id: str | None = None) -> None:
        super().__init__(message)
        self.code: Code = code
        self.id = id


# -- what is told of a fight -------------------------------------------------------------------------------------------


class GameFields(Struct, omit_defaults=True, kw_only=True):
    """Which game is played: a scenario and its options."""

    game: Name = "heart_rush"
    scenario: Annotated[
        Name | dict[str, Any],
        Meta(description="the name of a shipped scenario, or a scenario's table as its TOML file would hold it"),
    ]
    rules: Annotated[dict[str, Any], Meta(description="settings that win over the scenario's own")] = field(
        default_factory=dict
    )
    decisions: Literal["full", "stance"] = "full"
    control: Literal["fighter", "team"] = "fighter"
    shape: Name | None = None
    memory: Annotated[int, Meta(ge=0, le=8)] | None = None
    tables: Annotated[
        Name | None, Meta(description="digest of the tables of actions and features; refused if it is another here")
    ] = None


class Weapon(Struct, omit_defaults=True, kw_only=True):
    """What a fighter fights with."""

    name: Name
    die: Annotated[int, Meta(description="sides; 0 for none")]
    attack_type: Name
    damage_type: Name


class FighterFields(Struct, omit_defaults=True, kw_only=True):
    """A fighter as a seat sees it: points as points, dice by their sides. What is left out is as the fight began."""

    agent: Name | None = None
    name: str | None = None
    team: Name | None = None
    place: Annotated[Natural | None, Meta(description="the number that actions name; null for the seat's own")] = None
    hero: bool | None = None
    status: Literal["standing", "unconscious", "dead", "defeated"] | None = None
    hp: Points | None = None
    hp_max: Points | None = None
    wounds: Annotated[Points | None, Meta(description="the sum of wound ranks")] = None
    wound_threshold: Points | None = None
    heart: Annotated[Natural | None, Meta(description="the heart die's sides")] = None
    heart_max: Natural | None = None
    might: Natural | None = None
    agility: Natural | None = None
    cunning: Natural | None = None
    presence: Natural | None = None
    armor: Points | None = None
    shield: Points | None = None
    attack_bonus: Points | None = None
    size: Name | None = None
    weapon: Weapon | None = None
    armed: Annotated[bool | None, Meta(description="the weapon is in hand")] = None
    action: Annotated[bool | None, Meta(description="the round's action is still there")] = None
    interaction: Annotated[bool | None, Meta(description="the free object interaction is still there")] = None
    dash: Annotated[bool | None, Meta(description="the free dash is still there")] = None
    helped: Annotated[Natural | None, Meta(description="helps not used up, 5 for more")] = None
    shrugs: Annotated[Natural | None, Meta(description="hits shrugged off this round, 5 for more")] = None
    rush: Annotated[Natural | None, Meta(description="rush points left, 10 for more")] = None
    hit: Annotated[Natural | None, Meta(description="damage to be shrugged off or taken now")] = None
    conditions: Annotated[dict[Name, Natural] | None, Meta(description="levels; 1 for a condition without")] = None
    stance: Annotated[Stance | None, Meta(description="of this round, once revealed")] = None
    said: Annotated[Stance | None, Meta(description="told in this round's talk, if this seat heard it")] = None
    pick: Annotated[Stance | None, Meta(description="picked in this window, own side only, control by team")] = None
    habits: Annotated[
        dict[Stance, float] | None, Meta(description="of the rounds with a stance, the share of each so far")
    ] = None
    relations: Annotated[
        list[Name] | None, Meta(description="what binds it to the seat's fighter, as in grapples_me")
    ] = None
    # On a map alone:
    at: Annotated[
        Square | None, Meta(description="column and row of the top-left square of its space, counted from 0")
    ] = None
    side: Annotated[Natural | None, Meta(description="squares that its space is wide")] = None
    speed: Annotated[Natural | None, Meta(description="squares a dash, conditions included")] = None
    budget: Annotated[Natural | None, Meta(description="squares of the next dash; own only")] = None
    moved: Annotated[Natural | None, Meta(description="squares moved this round, 12 for more; own only")] = None
    dashed: Annotated[bool | None, Meta(description="has dashed this round; own only")] = None
    stood: Annotated[bool | None, Meta(description="has risen with half its dash this round; own only")] = None
    spare: Annotated[bool | None, Meta(description="carries another weapon and shield; own only")] = None
    height: Annotated[
        Literal[-1, 0, 1] | None, Meta(description="1 on high ground, -1 in a drop, by the highest square of its space")
    ] = None
    water: Annotated[
        Literal[0, 1, 2] | None, Meta(description="the deepest it stands in: 1 shallow, 2 deep; own only")
    ] = None
    distance: Annotated[Natural | None, Meta(description="squares from the seat's fighter to it")] = None
    contact: Annotated[
        list[Name] | None,
        Meta(description="which hold: in_sight, in_my_range, in_its_range, in_my_threat, in_its_threat"),
    ] = None
    cover_from_me: Annotated[Cover | None, Meta(description="levels it has against the seat's fighter")] = None
    cover_from_it: Annotated[Cover | None, Meta(description="levels the seat's fighter has against it")] = None


class MapFields(Struct, omit_defaults=True, kw_only=True):
    """The ground of a fight on a map."""

    rows: Annotated[
        list[str] | None,
        Meta(description="from the north, a glyph a square as scenarios write them; ? for a door too far away to see"),
    ] = None
    light: Literal["bright", "dim", "dark"] | None = None
    drop: Annotated[Natural | None, Meta(description="feet that a drop is deep")] = None


class Reveal(Struct, kw_only=True):
    """The stances that were revealed in a round."""

    round: Natural
    stances: dict[Name, Stance | None]


class View(Struct, omit_defaults=True, kw_only=True):
    """What one seat may see, and no more."""

    round: Natural | None = None
    window: (
        Literal[
            "over", "talk", "action", "opportunity", "stance", "attack", "follow_up", "shrug", "yield", "step", "follow"
        ]
        | None
    ) = None
    phase: Literal["cunning", "agility", "might"] | None = None
    windows_left: Annotated[Natural | None, Meta(description="action windows of the round still to come")] = None
    own: FighterFields | None = field(default=None, name="self")
    enemies: list[FighterFields] = field(default_factory=list)
    allies: list[FighterFields] = field(default_factory=list)
    map: Annotated[MapFields | None, Meta(description="the ground, on a map alone")] = None
    reveals: Annotated[list[Reveal], Meta(description="of the fight so far, the oldest first")] = field(
        default_factory=list
    )
    observation: Annotated[
        list[float] | None,
        Meta(description="the environment's vector; without it, an engine of ours makes it from the named fields"),
    ] = None


# -- caller to engine --------------------------------------------------------------------------------------------------


class Hello(Struct, tag="hello", omit_defaults=True, kw_only=True):
    """Asks who the engine is: `identity`, then `ready`."""

    protocol: Annotated[int, Meta(ge=1, le=MAX_SEED)] = PROTOCOL


class SetOption(Struct, tag="set", omit_defaults=True, kw_only=True):
    """Sets an option of the identity: `ready`, or an error `bad_option`."""

    name: Name
    value: Any
    id: Id | None = None


class Act(Struct, tag="act", omit_defaults=True, kw_only=True):
    """Asks for a choice: all that is needed stands in the request."""

    id: Id
    game: GameFields
    seat: Name
    view: View
    legal: Annotated[
        list[Name],
        Meta(
            description="the legal actions by name, at least one; `door n` opens a closed door and closes an open one"
        ),
    ]
    seed: Annotated[Natural | None, Meta(description="the same request and seed get the same choice")] = None
    budget_ms: Annotated[float, Meta(ge=0, description="how long the caller would like to wait at most")] | None = None
    match: Annotated[
        Id | None, Meta(description="fights against the same opponents, of which an engine may remember something")
    ] = None
    fight: Annotated[Natural, Meta(description="the number of the fight in the match")] = 0
    sealed: Annotated[bool, Meta(description="answer with a seal, and with the choice when it is opened")] = False


class ActBatch(Struct, tag="act_batch", kw_only=True):
    """Asks for many choices at once: `choices`."""

    id: Id
    requests: Annotated[list[Act], Meta(max_length=MAX_BATCH)]


class Open(Struct, tag="open", kw_only=True):
    """Asks for the choice that was sealed under this id."""

    id: Id


class End(Struct, tag="end", omit_defaults=True, kw_only=True):
    """Tells that a match is over, and what was remembered of it may go; not answered."""

    match: Id
    result: Any = None


class Quit(Struct, tag="quit"):
    """Tells the engine to leave, as the end of its input does; not answered."""


# -- engine to caller --------------------------------------------------------------------------------------------------


class Plays(Struct, kw_only=True):
    """What an engine plays by the usual rules; `tables` are digests by shape."""

    game: Name
    shapes: list[Name]
    tables: dict[Name, Name]


class Option(Struct, omit_defaults=True, kw_only=True):
    """An option that can be set, told in full so that a program can show a form for it."""

    name: Name
    kind: Literal["number", "whole", "check", "choice", "text"]
    default: float | bool | str
    min: float | None = None
    max: float | None = None
    choices: list[str] | None = None
    description: str


class Identity(Struct, tag="identity", kw_only=True):
    """Who the engine is, what it plays and what can be set."""

    protocol: int = PROTOCOL
    name: str
    version: str
    description: str
    plays: Plays
    options: list[Option]


class Ready(Struct, tag="ready", omit_defaults=True, kw_only=True):
    """The engine has done what it was told and waits."""

    id: Id | None = None


class Choice(Struct, tag="choice", kw_only=True):
    """What the engine does, and with which probabilities it could have done what."""

    id: Id
    choice: Name
    policy: Annotated[dict[Name, float], Meta(description="over the legal actions, 1 in all")]
    value: Annotated[
        float | None, Meta(description="what the seat expects, from -1 for a sure loss to 1 for a sure win")
    ] = None
    reason: str
    ms: Annotated[float, Meta(ge=0, description="how long it took")]
    nonce: str | msgspec.UnsetType = msgspec.UNSET


class Sealed(Struct, tag="sealed", kw_only=True):
    """A choice was made and cannot be changed any more; `open` asks for it."""

    id: Id
    seal: Annotated[str, Meta(description="hex of the SHA-256 of nonce, colon, choice")]


class Error(Struct, tag="error", kw_only=True):
    """Why there is no other answer."""

    id: Id | None = None
    code: Code
    message: Annotated[str, Meta(description="one sentence")]


class Choices(Struct, tag="choices", kw_only=True):
    """The answers to a batch, in its order."""

    id: Id
    choices: list[Choice | Sealed | Error]


Request = Hello | SetOption | Act | ActBatch | Open | End | Quit
Answer = Identity | Ready | Choice | Sealed | Choices | Error
REQUESTS: Final = ("hello", "set", "act", "act_batch", "open", "end", "quit")
ANSWERS: Final = ("identity", "ready", "choice", "sealed", "choices", "error")


# -- lines -------------------------------------------------------------------------------------------------------------


class _Head(Struct):
    """As much of a line as says what it wants to be, whatever the rest holds."""

    type: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    id: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class _LooseBatch(Struct, tag="act_batch", kw_only=True):
    """A batch whose requests are looked at one by one."""

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
    """A message as a line, its end included."""
    return _encoder.encode(message) + b"\n"


def decode_request(line: bytes) -> Request:
    """What a caller asks; ProtocolError says in one sentence why a line is not taken."""
    return _decode(line, _requests, REQUESTS)


def decode_answer(line: bytes) -> Answer:
    """What an engine answers; ProtocolError says in one sentence why a line is not taken."""
    return _decode(line, _answers, ANSWERS)


def decode_batch(line: bytes) -> tuple[str, list[Act | ProtocolError]]:
    """The id of a batch and its requests, with what is wrong with each that is not taken in its place."""
    batch = _decode(line, _batches, REQUESTS)
    return batch.id, [_one_of_batch(bytes(raw)) for raw in batch.requests]


def _one_of_batch(raw: bytes) -> Act | ProtocolError:
    try:
        return _decode(raw, _acts, ("act",))
    except ProtocolError as error:
        return error


def too_long() -> ProtocolError:
    """What a line of more than MAX_LINE bytes is answered with."""
    return ProtocolError("too_long", f"The line has more than {MAX_LINE} bytes, which is the most that is read.")


def _decode(line: bytes, decoder: msgspec.json.Decoder[_T], types: tuple[str, ...]) -> _T:
    """A line as a message; whatever is wrong with it is looked for only after it was not taken."""
    if len(line) > MAX_LINE and len(line.rstrip(b"\r\n")) > MAX_LINE:
        raise too_long()
    try:
        str(line, "utf-8")  # inside unknown fields nobody else looks
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise _refusal(line, problem, types) from None


def _refusal(line: bytes, problem: Exception, types: tuple[str, ...]) -> ProtocolError:
    """Why a line is not taken, in one sentence."""
    if isinstance(problem, UnicodeDecodeError):
        return ProtocolError("bad_json", f"The line is not UTF-8: byte {problem.start} is out of place.")
    try:
        head = _heads.decode(line)
    except RecursionError:
        return ProtocolError("bad_json", "The line is nested too deeply to be read.")
    except msgspec.ValidationError:
        return ProtocolError("bad_json", f"The line must be a JSON object, but it is {_shown(line)}.")
    except msgspec.DecodeError as malformed:
        return ProtocolError("bad_json", f"The line is not JSON: {_reason(malformed)}.")
    id, kind = _text(head.id), _text(head.type)
    id = id if id is not None and len(id) <= MAX_ID else None
    if kind not in types:
        found = "missing" if isinstance(head.type, msgspec.UnsetType) else _shown(bytes(head.type))
        return ProtocolError("unknown_type", f"The type is {found}, allowed: {', '.join(types)}.", id)
    if isinstance(problem, RecursionError):
        return ProtocolError("bad_json", "The line is nested too deeply to be read.", id)
    if not isinstance(problem, msgspec.ValidationError):
        return ProtocolError("bad_json", f"The line is not JSON: {_reason(problem)}.", id)
    return ProtocolError("bad_field", _misfit(kind, problem), id)


def _misfit(kind: str, problem: msgspec.ValidationError) -> str:
    """Where a message does not fit its type: "act: view.round: expected int, got str."."""
    what, _, where = str(problem).partition(" - at ")
    place = where.strip("`").removeprefix("$").removeprefix(".")
    what = what.replace("`", "")
    return f"{kind}{f': {place}' if place else ''}: {what[:1].lower()}{what[1:]}."


def _reason(problem: Exception) -> str:
    """What a JSON parser has to say, for the middle of a sentence."""
    what = str(problem).removeprefix("JSON is malformed: ").rstrip(".")
    return what[:1].lower() + what[1:]


def _text(raw: msgspec.Raw | msgspec.UnsetType) -> str | None:
    """The text that a field holds, if it does."""
    if isinstance(raw, msgspec.UnsetType):
        return None
    try:
        return _texts.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _shown(raw: bytes) -> str:
    """What was found, as it stands there, cut short."""
    text = " ".join(raw.decode("utf-8", "replace").split())
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


# -- the schema --------------------------------------------------------------------------------------------------------


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a line in either direction, as the classes of this file say it."""
    requests, answers = (
        (Hello, SetOption, Act, ActBatch, Open, End, Quit),
        (
            Identity,
            Ready,
            Choice,
            Sealed,
            Choices,
            Error,
        ),
    )
    _, components = msgspec.json.schema_components((*requests, *answers), ref_template="#/$defs/{name}")
    kinds = {
        "request": {
            "description": "A line from the caller to the engine.",
            "oneOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in requests],
        },
        "answer": {
            "description": "A line from the engine to the caller.",
            "oneOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in answers],
        },
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The Heart Rush engine protocol, version {PROTOCOL}",
        "description": "One line: a JSON object of one of these types. Fields that are not listed are ignored.",
        "oneOf": [{"$ref": "#/$defs/request"}, {"$ref": "#/$defs/answer"}],
        "$defs": {**kinds, **dict(sorted(components.items()))},
    }


def schema_page() -> str:
    """The schema as docs/protocol.schema.json holds it."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"
