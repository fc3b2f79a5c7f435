"""The messages of the game server: JSON objects with a field `type`, identical on every transport.

Unknown fields are ignored and types are strict. The host's reactions to messages are defined elsewhere.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from heartrush_env.protocol.fields import GameFields
from heartrush_env.protocol.messages import MAX_LINE, Id
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.structs import Name, Natural

MAX_EVENTS: Final = 500  # in one answer
LONGEST_FAULT: Final = 500  # characters of a refusal's reason
MOST_SECONDS: Final = 24 * 3600.0  # for a choice

FightId = Annotated[str, Meta(max_length=32, description="the id of a fight")]
Token = Annotated[str, Meta(max_length=64, description="a secret: who has it decides for the seat, or owns the fight")]
Title = Annotated[str, Meta(max_length=80)]
Seconds = Annotated[float, Meta(gt=0, le=MOST_SECONDS)]


class HostError(HeartRushError):
    """A refused request: a code for programs, and one sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


# -- requests ----------------------------------------------------------------------------------------------------------


class Request(Struct, kw_only=True, tag_field="type"):
    """A message to the host; `id` is echoed in the answer."""

    id: Id | None = None


class New(Request, tag="new"):
    """Host a fight. Seats that have no agent wait for players to join."""

    game: GameFields
    agents: Annotated[dict[Name, Name], Meta(description="agents by seat, as in {'duelist_0': 'duelist@easy'}")] = (
        field(default_factory=dict)
    )
    title: Title = ""
    seed: Annotated[Natural | None, Meta(description="of all dice; by default a secret one")] = None
    seconds: Annotated[
        Seconds | None,
        Meta(description="for a choice; then the fallback is played. By default players may take their time"),
    ] = None


class Join(Request, tag="join"):
    """Take a seat that waits for a player."""

    fight: FightId
    seat: Name
    name: Title = ""


class Choose(Request, tag="choose"):
    """Choose for a seat. The choice stays secret until all have chosen, and cannot be taken back."""

    fight: FightId
    token: Token
    window: Annotated[Natural, Meta(description="the window that the choice is for, so that a late one hits no other")]
    choice: Annotated[Name, Meta(description="one of the names in `legal`")]


class Look(Request, tag="look"):
    """Ask for the state of a fight: the public state and, with a token, what the seat sees."""

    fight: FightId
    token: Token | None = None


class Events(Request, tag="events"):
    """Ask for the public events of a fight, in order."""

    fight: FightId
    since: Annotated[Natural, Meta(description="the number of the first event wanted")] = 0


class Watch(Request, tag="watch"):
    """Receive the state of a fight whenever it changes, until the connection ends. Not over one-shot HTTP."""

    fight: FightId
    token: Token | None = None


class Save(Request, tag="save"):
    """Ask for the record of a fight that has ended: a file that `heartrush replay` reads."""

    fight: FightId


class Fights(Request, tag="fights"):
    """List the fights that are not over, newest first."""


class Close(Request, tag="close"):
    """End a fight and forget it; only its owner may."""

    fight: FightId
    token: Token


Requests = New | Join | Choose | Look | Events | Watch | Save | Fights | Close

# -- answers -----------------------------------------------------------------------------------------------------------


class Answer(Struct, kw_only=True, tag_field="type", omit_defaults=True):
    """A message of the host."""

    id: Id | None = None


class Created(Answer, tag="created"):
    """A hosted fight, and the token of its owner."""

    fight: FightId
    token: Token
    open: Annotated[list[Name], Meta(description="seats that wait for players")]


class Joined(Answer, tag="joined"):
    """A seat taken, and its token; no other client has it."""

    fight: FightId
    seat: Name
    token: Token


class Accepted(Answer, tag="accepted"):
    """A choice that is saved, even if the server is killed now."""

    fight: FightId
    window: Natural


class Seat(Struct, kw_only=True):
    """A seat as every client sees it."""

    seat: Name
    team: Name
    holder: Annotated[str, Meta(description="'open', 'player', or the agent's id")]
    name: Annotated[Title, Meta(description="of the player")] = ""
    fighter: Annotated[str, Meta(description="the display name of the seat's fighter or team")] = ""
    asked: Annotated[bool, Meta(description="whether it has a choice in this window")] = False
    chosen: Annotated[bool, Meta(description="whether it has made it")] = False


class Offer(Struct, kw_only=True, omit_defaults=True):
    """A legal choice: its name for programs, its words for people."""

    name: Name
    words: str
    target: Annotated[str, Meta(description="the display name of the fighter that it concerns")] = ""


class Mine(Struct, kw_only=True):
    """The view and the choices of a seat."""

    seat: Name
    view: Annotated[
        dict[str, Any], Meta(description="as in the field `view` of the engine protocol, without its vector")
    ]
    legal: Annotated[list[Offer], Meta(description="empty if the seat has no choice now, or has made it")]


class State(Answer, tag="state"):
    """A fight at one moment."""

    fight: FightId
    title: Title
    scenario: str
    window: Annotated[Natural, Meta(description="counts the windows played so far")]
    public: Annotated[dict[str, Any], Meta(description="the facts that all seats see: round, window, fighters, ground")]
    standing: Annotated[str, Meta(description="the condition of all fighters in one line")]
    seats: list[Seat]
    events: Annotated[Natural, Meta(description="the number of events so far")]
    over: bool
    winners: list[Name]
    seconds_left: Annotated[
        float | None, Meta(description="until fallbacks are played for those who have not chosen")
    ] = None
    mine: Mine | None = None
    picture: Annotated[
        str, Meta(description="the fight as lines of text, if the public facts name no fighter for each seat")
    ] = ""


class Told(Struct, kw_only=True):
    """A public event, and its lines in the rulebook's words."""

    number: Natural
    window: int
    event: dict[str, Any]
    lines: list[str]


class EventList(Answer, tag="events"):
    """Public events in order; repeat the request from `next` until `next` is the number of events."""

    fight: FightId
    events: list[Told]
    next: Natural


class Saved(Answer, tag="saved"):
    """A fight's record, as the text of its file."""

    fight: FightId
    record: str


class Listed(Struct, kw_only=True):
    """A fight in the list."""

    fight: FightId
    title: Title
    scenario: str
    window: Natural
    seats: list[Seat]
    unplayable: Annotated[
        str | UnsetType,
        Meta(description="why the fight cannot be played on; it then has no seats, and no scenario is named"),
    ] = UNSET


class FightList(Answer, tag="fights"):
    """Fights that are not over."""

    fights: list[Listed]


class Closed(Answer, tag="closed"):
    """The answer to a `close` request: the fight has ended and is no longer kept."""

    fight: FightId


class Refusal(Answer, tag="error"):
    """A refusal; nothing has changed."""

    code: str
    message: str


REQUESTS: Final = (New, Join, Choose, Look, Events, Watch, Save, Fights, Close)
ANSWERS: Final = (Created, Joined, Accepted, State, EventList, Saved, FightList, Closed, Refusal)

_decoder = msgspec.json.Decoder(Requests)
_encoder = msgspec.json.Encoder()


class _Head(Struct):
    id: Any = None
    type: Any = None


def decode(line: bytes) -> Requests:
    """Decode a request.

    Raises:
        HostError: It is not a valid request.
    """
    if len(line) > MAX_LINE:
        raise HostError("too_long", f"Expected a message of at most {MAX_LINE} bytes, got {len(line)}.")
    try:
        request: Requests = _decoder.decode(line)
        return request
    except msgspec.ValidationError as problem:
        what, _, where = str(problem).partition(" - at ")
        place = where.strip("`").removeprefix("$").removeprefix(".")
        what = what.replace("`", "")
        what = what if len(what) <= LONGEST_FAULT else f"{what[:LONGEST_FAULT]}..."  # it may repeat what was sent
        raise HostError("bad_field", f"{f'{place}: ' if place else ''}{what[:1].lower()}{what[1:]}.") from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as problem:
        reason = "it is nested too deeply" if isinstance(problem, RecursionError) else str(problem)
        raise HostError("bad_json", f"The message is not JSON ({reason}).") from None


def read(line: bytes) -> Requests | Refusal:
    """Return the request in a line, or the refusal that answers it."""
    try:
        return decode(line)
    except HostError as refusal:
        return Refusal(id=id_of(line), code=refusal.code, message=str(refusal))


def id_of(line: bytes) -> str | None:
    """Return the id of a message that could not be decoded, or None if it has none."""
    try:
        id = msgspec.json.decode(line, type=_Head).id
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    return id if isinstance(id, str) and len(id) <= 128 else None


def encode(answer: Answer) -> bytes:
    """Encode an answer as a line, with the newline."""
    return _encoder.encode(answer) + b"\n"
