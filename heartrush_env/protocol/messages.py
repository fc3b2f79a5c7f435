"""The messages of the engine protocol, HREP 1: JSON objects, one per line, each with a field `type`.

These classes define everything that a line may contain; the JSON Schema is generated from them. Unknown fields are
ignored, and types are strict. This module does not define how an engine answers or what views mean.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeVar

from heartrush_env.tabletop.errors import HeartRushError

try:
    import msgspec
    from msgspec import Meta, Struct, field
except ImportError:
    raise HeartRushError(
        "The engine protocol needs msgspec, which is not installed: pip install 'heartrush-env[protocol]'."
    ) from None

PROTOCOL: Final = 1
MAX_LINE: Final = 2**20  # bytes, excluding the line break
LONGEST_MISFIT: Final = 200  # characters
MAX_ID: Final = 128  # characters
MAX_NAME: Final = 128  # characters of a name of a seat, an action, an option, ...
MAX_BATCH: Final = 256  # requests
MAX_SEED: Final = 2**63 - 1
LONGEST_SHOWN: Final = 60  # characters of an offending value, in an error

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
    """A rejected line or request: a code for programs, and one sentence for people."""

    def __init__(self, code: Code, message: str, id: str | None = None) -> None:
        super().__init__(message)
        self.code: Code = code
        self.id = id


# -- describing a fight ------------------------------------------------------------------------------------------------


class GameFields(Struct, omit_defaults=True, kw_only=True):
    """The game: its name, a scenario and options. The options of Heart Rush may also be fields of their own."""

    game: Name = "heart_rush"
    scenario: Annotated[
        Name | dict[str, Any],
        Meta(description="the name of a shipped scenario, or a scenario's table as in a TOML file"),
    ]
    options: Annotated[dict[str, Any], Meta(description="options of the game by name")] = field(default_factory=dict)
    rules: Annotated[dict[str, Any], Meta(description="settings that override the scenario's own")] = field(
        default_factory=dict
    )
    decisions: Literal["full", "stance"] | None = None
    control: Literal["fighter", "team"] | None = None
    shape: Name | None = None
    memory: Annotated[int, Meta(ge=0, le=8)] | None = None
    tables: Annotated[
        Name | None, Meta(description="digest of the tables of actions and features; refused if the engine's differs")
    ] = None

    def as_table(self) -> dict[str, Any]:
        """Return the table that opens the game; `options` override fields of their own."""
        own = {name: getattr(self, name) for name in ("rules", "decisions", "control", "shape", "memory")}
        given = {name: value for name, value in own.items() if value not in (None, {})}
        return {**given, **self.options, "game": self.game, "scenario": self.scenario}


class Weapon(Struct, omit_defaults=True, kw_only=True):
    """A fighter's weapon."""

    name: Name
    die: Annotated[int, Meta(description="sides; 0 for none")]
    attack_type: Name
    damage_type: Name


class FighterFields(Struct, omit_defaults=True, kw_only=True):
    """A fighter as a seat sees it: points as points, dice by their sides. Omitted fields are as at the start."""

    agent: Name | None = None
    name: str | None = None
    team: Name | None = None
    place: Annotated[
        Natural | None, Meta(description="the number used in action names; null for the seat's own fighter")
    ] = None
    hero: bool | None = None
    part_of: Annotated[Name | None, Meta(description="the agent of the creature that it is a part of")] = None
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
    armed: Annotated[bool | None, Meta(description="whether the weapon is in hand")] = None
    action: Annotated[bool | None, Meta(description="whether the round's action is left")] = None
    interaction: Annotated[bool | None, Meta(description="whether the free object interaction is left")] = None
    dash: Annotated[bool | None, Meta(description="whether the free dash is left")] = None
    helped: Annotated[Natural | None, Meta(description="unused helps; 5 means 5 or more")] = None
    shrugs: Annotated[Natural | None, Meta(description="hits shrugged off this round; 5 means 5 or more")] = None
    rush: Annotated[Natural | None, Meta(description="rush points left; 10 means 10 or more")] = None
    hit: Annotated[Natural | None, Meta(description="pending damage, to be shrugged off or taken")] = None
    conditions: Annotated[
        dict[Name, Natural] | None, Meta(description="levels by condition; 1 for a condition without levels")
    ] = None
    stance: Annotated[Stance | None, Meta(description="the stance of this round, once revealed")] = None
    said: Annotated[
        Stance | None, Meta(description="the stance announced in this round's talk, if this seat heard it")
    ] = None
    pick: Annotated[
        Stance | None, Meta(description="the choice already made in this window; own side only, under team control")
    ] = None
    habits: Annotated[
        dict[Stance, float] | None, Meta(description="the share of each stance in the rounds so far that had one")
    ] = None
    relations: Annotated[
        list[Name] | None, Meta(description="its bonds with the seat's fighter, as in grapples_me")
    ] = None
    # On a map only:
    at: Annotated[
        Square | None, Meta(description="column and row of the top-left square of its space, counted from 0")
    ] = None
    side: Annotated[Natural | None, Meta(description="width of its space in squares")] = None
    speed: Annotated[Natural | None, Meta(description="squares per dash, conditions included")] = None
    budget: Annotated[Natural | None, Meta(description="squares of the next dash; own only")] = None
    moved: Annotated[Natural | None, Meta(description="squares moved this round; 12 means 12 or more; own only")] = None
    dashed: Annotated[bool | None, Meta(description="whether it has dashed this round; own only")] = None
    stood: Annotated[bool | None, Meta(description="has spent half its dash on rising this round; own only")] = None
    spare: Annotated[bool | None, Meta(description="whether it carries another weapon and shield; own only")] = None
    height: Annotated[
        Literal[-1, 0, 1] | None,
        Meta(description="1 on high ground, -1 in a drop; the highest square of its space counts"),
    ] = None
    water: Annotated[
        Literal[0, 1, 2] | None,
        Meta(description="depth of the deepest water in its space: 1 shallow, 2 deep; own only"),
    ] = None
    distance: Annotated[Natural | None, Meta(description="squares from the seat's fighter to it")] = None
    contact: Annotated[
        list[Name] | None,
        Meta(description="those that hold of: in_sight, in_my_range, in_its_range, in_my_threat, in_its_threat"),
    ] = None
    cover_from_me: Annotated[Cover | None, Meta(description="its levels of cover against the seat's fighter")] = None
    cover_from_it: Annotated[Cover | None, Meta(description="the seat's fighter's levels of cover against it")] = None


class ObjectFields(Struct, omit_defaults=True, kw_only=True):
    """An object of the scenario."""

    object: Annotated[Natural, Meta(description="its number in the names of actions")] = 0
    name: Name | None = None
    at: Square | None = None
    cost: Literal["interaction", "action"] | None = None
    effect: Literal["open", "collapse", "drop"] | None = None
    check: Literal["might", "agility", "cunning", "presence"] | None = None
    number: Annotated[Natural, Meta(description="the number that the check must reach; 0 for no check")] = 0
    used: bool = False
    item: Annotated[bool | None, Meta(description="whether it holds an item, or will once it is used")] = None


class MapFields(Struct, omit_defaults=True, kw_only=True):
    """The ground of a fight on a map."""

    rows: Annotated[
        list[str] | None,
        Meta(description="rows from the north, one glyph per square as in scenarios; ? where the side does not see it"),
    ] = None
    light: Literal["bright", "dim", "dark"] | None = None
    drop: Annotated[Natural | None, Meta(description="depth of drops in feet")] = None
    objects: Annotated[list[ObjectFields] | None, Meta(description="the objects of the scenario, if it has any")] = None


class TurnFields(Struct, omit_defaults=True, kw_only=True):
    """The turn of a side, and the engagement."""

    priority: Annotated[Name | None, Meta(description="the team whose turn it is; null in an engagement")] = None
    engaged: Annotated[Name | None, Meta(description="the team that was engaged; null outside an engagement")] = None
    passed: Annotated[Natural, Meta(description="teams that have passed in a row")] = 0
    joined: Annotated[list[Name], Meta(description="the fighters in the engagement")] = field(default_factory=list)


class Reveal(Struct, kw_only=True):
    """The stances that were revealed together."""

    round: Annotated[
        Natural | None,
        Meta(description="null where only the order of each fighter's reveals is known"),
    ] = None
    stances: dict[Name, Stance | None]


class SlotFields(Struct, omit_defaults=True, kw_only=True):
    """An ability in a slot of a fighter's loadout, as far as the seat sees it."""

    ability: Annotated[str, Meta(description="its id")]
    destiny: bool = False
    uses: Annotated[Natural, Meta(description="in this fight")] = 0
    memo: Annotated[Natural, Meta(description="the number that it remembers")] = 0


class AbilityFields(Struct, omit_defaults=True, kw_only=True):
    """The occasion for instants, the attack in progress, and the abilities that the seat sees."""

    occasion: Annotated[str | None, Meta(description="what instants may answer now")] = None
    declaration: Annotated[str | None, Meta(description="the declaration that instants may answer")] = None
    striker: Annotated[Name | None, Meta(description="makes the attack in progress, or the declaration")] = None
    target: Name | None = None
    striker_total: Annotated[int, Meta(description="the striker's roll, 0 before it is made")] = 0
    target_total: int = 0
    declared: Annotated[Natural, Meta(description="instants declared and not done yet")] = 0
    loadouts: Annotated[
        dict[Name, dict[str, SlotFields]], Meta(description="abilities by fighter and slot; an enemy's once it is used")
    ] = field(default_factory=dict)


class View(Struct, omit_defaults=True, kw_only=True):
    """Everything that one seat may see."""

    round: Natural | None = None
    window: (
        Literal[
            "over",
            "talk",
            "action",
            "opportunity",
            "stance",
            "attack",
            "follow_up",
            "shrug",
            "yield",
            "step",
            "follow",
            "enter",
            "instant",
        ]
        | None
    ) = None
    phase: Literal["cunning", "agility", "might"] | None = None
    windows_left: Annotated[Natural | None, Meta(description="action windows left in the round")] = None
    own: FighterFields | None = field(default=None, name="self")
    enemies: list[FighterFields] = field(default_factory=list)
    allies: list[FighterFields] = field(default_factory=list)
    map: Annotated[MapFields | None, Meta(description="the ground, on a map only")] = None
    turns: Annotated[TurnFields | None, Meta(description="only where sides take turns (edition classic)")] = None
    abilities: Annotated[AbilityFields | None, Meta(description="only in fights with abilities")] = None
    reveals: Annotated[list[Reveal], Meta(description="the reveals of the fight so far, oldest first")] = field(
        default_factory=list
    )
    observation: Annotated[
        list[float] | None,
        Meta(description="the environment's vector; without it, the package's engine uses the named fields"),
    ] = None


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
    view: View
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
    """The games that an engine plays under the default settings; `tables` are digests by shape."""

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
    details: (
        Annotated[dict[Name, Any], Meta(description="details of the action, such as the route of a dash")]
        | msgspec.UnsetType
    ) = msgspec.UNSET
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
    """The answers to a batch, in its order."""

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
    """Decode a batch to its id and its requests, with an error in place of each invalid request."""
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
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
        raise _refusal(line, problem, types) from None


def _refusal(line: bytes, problem: Exception, types: tuple[str, ...]) -> ProtocolError:
    """Return the error that explains in one sentence why a line is invalid."""
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


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a line in either direction, generated from the classes of this module."""
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
