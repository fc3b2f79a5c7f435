"""The server of an agent over the engine protocol: it reads requests line by line, and answers each from its content.

Every input is answered or skipped; none stops the engine. Its memory is bounded: it keeps the most recently used games
and matches, and the latest sealed choices that have not been opened yet.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO, Final, TypeVar

import numpy as np
from heartrush_agents.base import MOST_TEMPERATURE, Agent, AgentError, Difficulty, Player, as_agent
from heartrush_agents.difficulty import HARD, mistaken_actions
from numpy.typing import NDArray

from heartrush_env import __version__
from heartrush_env.protocol import messages
from heartrush_env.protocol.fields import GameFields
from heartrush_env.protocol.messages import (
    MAX_LINE,
    Act,
    ActBatch,
    Answer,
    Choice,
    Choices,
    End,
    Error,
    Hello,
    Identity,
    Open,
    Option,
    Plays,
    ProtocolError,
    Ready,
    Sealed,
    SetOption,
)
from heartrush_env.protocol.sealing import new_nonce, seal
from heartrush_env.protocol.views import observation_of
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import ByteArray, FloatArray, Game, Observation, policy_of, tables_digest
from heartrush_env.tabletop.registry import DEFAULT_GAME, game_names, open_game, scenario_names, usual_games
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or, suggestion, unknown_name

MAX_MATCHES: Final = 64
MAX_GAMES: Final = 16
MAX_SEATS: Final = 16  # in one match
MAX_SEALED: Final = 1024
SKIPPED_AT_ONCE: Final = 2**16  # bytes skipped at a time in a line that is too long
LONGEST_REASON: Final = 200  # characters of an internal error
MOST_NAMED: Final = 3  # actions named in a reason
LEAST_NAMED, ALL_BUT = 0.005, 0.995  # the smallest probability to name, and the smallest to show as certain

OPTIONS: Final = (
    Option(
        name="temperature",
        kind="number",
        default=1.0,
        min=0.0,
        max=MOST_TEMPERATURE,
        description="Probabilities are raised to the power of 1/temperature: 1 is as trained, 0 the likeliest action.",
    ),
    Option(
        name="mistakes",
        kind="number",
        default=0.0,
        min=0.0,
        max=1.0,
        description="The share of choices that are mistakes: a legal stance, attack, maneuver or answer to a hit, "
        "each with the same probability.",
    ),
)

LEVEL: Final = "level"  # an option of agents that have levels

Shares = NDArray[np.float64]  # (legal actions,)
_V = TypeVar("_V")


class _Latest(OrderedDict[Hashable, _V]):
    """A dict of limited size that forgets the least recently used entry."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def look_up(self, key: Hashable) -> _V | None:
        """Return the entry and mark it as the most recently used; None if there is none."""
        if key not in self:
            return None
        self.move_to_end(key)
        return self[key]

    def keep(self, key: Hashable, value: _V) -> _V:
        """Store a value as the most recently used and return it."""
        self[key] = value
        self.move_to_end(key)
        if len(self) > self._most:
            self.popitem(last=False)
        return value


class _Table:
    """A game that the agent plays, with lookup tables for requests."""

    def __init__(self, game: Game, agent: Agent) -> None:
        self.game, self.agent = game, agent
        self.shape = game.options["shape"]
        self.names = game.action_names
        self.two_sides = len(set(game.teams)) == 2
        self.mistaken = mistaken_actions(game)
        self._numbers = {name: number for number, name in enumerate(self.names)}
        try:
            self.player = agent.seat(game)
        except AgentError as problem:
            raise ProtocolError("not_played", str(problem)) from None

    def observation(self, request: Act) -> FloatArray:
        """Return the seat's observation: the given vector, or one made from the named fields."""
        return observation_of(self.game, request.seat, request.view)

    def legal(self, names: Sequence[str]) -> list[int]:
        """Return the indices of the legal actions, in order."""
        if not names:
            raise ProtocolError("illegal", "act: legal: expected at least one action, got none.")
        try:
            return sorted({self._numbers[name] for name in names})
        except KeyError as unknown_name:
            found = unknown_name.args[0]
            close = suggestion(found, self.names)
            message = f"act: legal: expected actions of shape {self.shape}, got {show(found)}{close}."
            raise ProtocolError("illegal", message) from None

    def mask(self, legal: Sequence[int]) -> ByteArray:
        """Return the legal actions as an environment's mask."""
        mask = np.zeros(len(self.names), np.int8)
        mask[legal] = 1
        return mask


class _Match:
    """The memory of a match: the number of its current fight, and a player for each seat of each game."""

    def __init__(self, fight: int) -> None:
        self.fight = fight
        self.players: _Latest[Player] = _Latest(MAX_SEATS)

    def begin(self, fight: int) -> None:
        """Start the next fight against the same opponents."""
        self.fight = fight
        for player in self.players.values():
            player.new_fight()


class _Clock:
    """The time and the games that a batch of requests has used so far."""

    def __init__(self, most_seconds: float | None) -> None:
        self._began, self._most = time.monotonic(), most_seconds
        self._given = 0.0  # seconds
        self._games: set[bytes] = set()

    def exclude_time(self, seconds: float) -> None:
        """Exclude the time of a request that loaded or compiled the code of a shape."""
        self._began += seconds

    def refusal(self, budget_ms: float | None, game: bytes) -> str | None:
        """Return a sentence on why a batch's next request is not started, or None; the first is always started."""
        first = not self._games
        if game not in self._games and len(self._games) == MAX_GAMES:
            return f"The batch is about more than {MAX_GAMES} games; ask about the others in another batch."
        self._games.add(game)
        if self._most is not None and not first and time.monotonic() - self._began > self._most:
            return f"The batch had used up the {self._most:g} seconds that a batch may take here."
        if budget_ms is None:
            return None
        self._given += budget_ms / 1000
        if first or time.monotonic() - self._began <= self._given:
            return None
        return f"The batch had used up its {1000 * self._given:.0f} ms before this request."


class Engine:
    """An agent that answers requests of the protocol."""

    def __init__(
        self, agent: Agent | type[Player], *, game: str = DEFAULT_GAME, most_seconds: float | None = None
    ) -> None:
        """Serve this agent; each request names the game to play.

        Args:
            agent: The agent.
            game: The game whose shapes the engine's identity lists, by name.
            most_seconds: The time after which no further request of a batch is answered; by default there is none.
        """
        self.agent, self.game, self._most_seconds = as_agent(agent), game, most_seconds
        self.settable = [*([_level_option(self.agent)] if self.agent.levels else []), *OPTIONS]
        self.options: dict[str, float | str] = {option.name: option.default for option in self.settable}
        self.difficulty = Difficulty()
        self.left = False  # whether it has received `quit`
        self._tables: _Latest[_Table] = _Latest(MAX_GAMES)
        self._matches: _Latest[_Match] = _Latest(MAX_MATCHES)
        self._sealed: _Latest[Choice] = _Latest(MAX_SEALED)
        self._shapes: set[str] = set()  # shapes whose code is loaded

    def answer(self, line: bytes) -> list[bytes]:
        """Return the lines that answer a line; none for an empty line or a message without an answer."""
        if not line.strip():
            return []
        return [messages.encode(answer) for answer in self._answers(line)]

    def _answers(self, line: bytes) -> list[Answer]:
        try:
            return self._obey(messages.decode_request(line))
        except ProtocolError as refusal:
            if refusal.code != "bad_field":
                return [_error(refusal)]
            try:
                id, requests = messages.decode_batch(line)  # an error may concern one request of many
            except ProtocolError:
                return [_error(refusal)]
            return [self._batch(id, requests)]

    def _obey(self, request: messages.Request) -> list[Answer]:
        """Return the answers to a request: two to `hello`, none to `end` and `quit`, one to every other request."""
        if isinstance(request, Act):
            return [self._act(request)]
        if isinstance(request, ActBatch):
            return [self._batch(request.id, request.requests)]
        if isinstance(request, Hello):
            return [self.identity(), Ready()]
        if isinstance(request, SetOption):
            return [self._set(request)]
        if isinstance(request, Open):
            return [self._open(request.id)]
        if isinstance(request, End):
            self._matches.pop(request.match, None)
        else:
            self.left = True
        return []

    # -- identity and options ------------------------------------------------------------------------------------------

    def identity(self) -> Identity:
        """Return the engine's name, options, and the shapes that it plays under the default settings."""
        shapes = usual_games(self.game)
        tables = {name: tables_digest(game) for name, game in shapes.items() if self.agent.plays(game) is None}
        return Identity(
            name=self.agent.id,
            version=__version__,
            description=self.agent.description,
            plays=Plays(game=self.game, shapes=list(tables), tables=tables),
            options=self.settable,
        )

    def _set(self, request: SetOption) -> Answer:
        option = next((option for option in self.settable if option.name == request.name), None)
        if option is None:
            return Error(
                id=request.id, code="bad_option", message=f"{unknown_name('option', request.name, self.options)}."
            )
        value, levels = request.value, self.agent.levels
        if option.name == LEVEL:
            allowed, fits = join_or(list(levels)), isinstance(value, str) and value in levels
        else:
            assert option.min is not None and option.max is not None
            allowed, is_number = f"a number from {option.min:g} to {option.max:g}", isinstance(value, int | float)
            fits = is_number and not isinstance(value, bool) and option.min <= value <= option.max
        if not fits:
            message = f"{option.name}: expected {allowed}, got {show(value)}."
            return Error(id=request.id, code="bad_option", message=message)
        if option.name == LEVEL:  # later options may change its mistakes and temperature again
            self.options[LEVEL] = value
            self._weaken(levels[value].difficulty)
        else:
            self._weaken(replace(self.difficulty, **{option.name: float(value)}))
        return Ready(id=request.id)

    def _weaken(self, difficulty: Difficulty) -> None:
        self.difficulty = difficulty
        self.options.update(mistakes=difficulty.mistakes, temperature=difficulty.temperature)

    # -- choices -------------------------------------------------------------------------------------------------------

    def _batch(self, id: str, requests: Sequence[Act | ProtocolError]) -> Answer:
        """Return the answers to a batch, in order; an error if they do not fit into one line."""
        clock = _Clock(self._most_seconds)
        answers = [_error(ask) if isinstance(ask, ProtocolError) else self._in_turn(ask, clock) for ask in requests]
        choices = Choices(id=id, choices=answers)
        if len(messages.encode(choices)) > MAX_LINE:
            message = f"The answers would have more than {MAX_LINE} bytes; ask for fewer at once."
            return Error(id=id, code="too_long", message=message)
        return choices

    def _in_turn(self, request: Act, clock: _Clock) -> Choice | Sealed | Error:
        """Return the answer to one request of a batch, or an error if the batch has no time or games left."""
        key, shapes, began = messages.encode(request.game), len(self._shapes), time.monotonic()
        message = clock.refusal(request.budget_ms, key)
        if message is not None:
            return Error(id=request.id, code="too_much", message=message)
        answer = self._act(request)
        if len(self._shapes) > shapes:
            clock.exclude_time(time.monotonic() - began)
        return answer

    def _act(self, request: Act) -> Choice | Sealed | Error:
        """Return the answer to one request; any failure becomes an error answer."""
        try:
            choice = self._choice(request)
        except ProtocolError as refusal:
            return _error(refusal, request.id)
        except Exception as problem:  # agents may raise anything, and the next request may be fine
            what = " ".join(f"{type(problem).__name__}: {problem}".split())[:LONGEST_REASON].rstrip(".")
            return Error(id=request.id, code="internal", message=f"The agent failed at this request ({what}).")
        if not request.sealed:
            return choice
        choice.nonce = new_nonce()
        self._sealed.keep(request.id, choice)
        return Sealed(id=request.id, seal=seal(choice.choice, choice.nonce))

    def _open(self, id: str) -> Answer:
        choice = self._sealed.pop(id, None)
        if choice is None:
            return Error(id=id, code="nothing_sealed", message=f"No choice is sealed under the id {show(id)}.")
        return choice

    def _choice(self, request: Act) -> Choice:
        """Return the agent's choice and its reason; raise ProtocolError if it cannot choose."""
        began = time.perf_counter()
        table = self._table(request.game)
        if request.seat not in table.game.agents:
            allowed = join_or(table.game.agents)
            raise ProtocolError("bad_field", f"act: seat: expected {allowed}, got {show(request.seat)}.")
        seen = table.observation(request)
        legal = table.legal(request.legal)
        mask = table.mask(legal)
        seen_all: Observation = {"observation": seen, "action_mask": mask}
        player = self._player(table, request)
        policy = policy_of(player, seen_all).astype(np.float64)
        wanted = policy[legal]
        shares = self._mixed(policy, mask, table.mistaken)[legal]
        chance = np.random.default_rng(request.seed)
        names = [table.names[action] for action in legal]
        full = not self.difficulty.words  # values are only valid at full strength
        value = float(player.value(seen_all)) if full and hasattr(player, "value") else None
        chances = dict(zip(names, (shares / shares.sum()).tolist(), strict=True))
        said = player.reason(seen_all) if full and isinstance(player, Player) else ""
        why = f"; {said}" if said else ""
        return Choice(
            id=request.id,
            choice=names[_draw(shares, chance)],
            policy=chances,
            value=value,
            reason=_reason(chances, value if table.two_sides else None, indifferent=not wanted.sum() > 0) + why,
            ms=round(1000 * (time.perf_counter() - began), 3),
        )

    def _table(self, fields: GameFields) -> _Table:
        """Return the game of a request; raise ProtocolError if the agent does not play it."""
        key = messages.encode(fields)
        table = self._tables.look_up(key) or self._tables.keep(key, _Table(read_game(fields), self.agent))
        self._shapes.add(table.shape)
        return table

    def _player(self, table: _Table, request: Act) -> Player:
        """Return the player that decides; it remembers the match if the request names one and the agent has memory."""
        if table.player.memory != "match":
            return table.player
        if request.match is None:
            table.player.new_match()
            table.player.new_fight()
            return table.player
        match = self._matches.look_up(request.match)
        if match is None or request.fight < match.fight:
            match = self._matches.keep(request.match, _Match(request.fight))
        if request.fight > match.fight:
            match.begin(request.fight)
        key = (table.game.digest, table.game.options["memory"], request.seat)
        player = match.players.look_up(key)
        if player is None:
            player = match.players.keep(key, table.agent.seat(table.game))
            player.new_match()
            player.new_fight()
        return player

    def _mixed(self, policy: Shares, mask: ByteArray, mistaken: NDArray[np.bool_]) -> Shares:
        """Return the probabilities to play, (actions,): the policy at this difficulty; uniform if all of it is 0."""
        wanted = policy[mask != 0]
        if not (np.isfinite(wanted).all() and (wanted >= 0).all()):
            raise HeartRushError("its probabilities are not all finite numbers of at least 0")
        if not wanted.sum() > 0:
            evenly: Shares = mask / mask.sum(dtype=np.float64)
            return evenly
        shares: Shares = self.difficulty.applied(policy[None], mask[None], mistaken)[0]
        return shares


def _level_option(agent: Agent) -> Option:
    """Return the option `level` of an agent that has levels."""
    return Option(
        name=LEVEL,
        kind="choice",
        default=HARD,
        choices=list(agent.levels),
        description="Its strength; sets mistakes and temperature to the values calibrated for the level.",
    )


def read_game(fields: GameFields) -> Game:
    """Make the game of a request. Scenario names must be shipped ones, since a message never opens files."""
    if fields.game not in game_names():
        allowed = join_or(game_names())
        raise ProtocolError("not_played", f"act: game.game: expected {allowed}, got {show(fields.game)}.")
    shipped = scenario_names(fields.game)
    if isinstance(fields.scenario, str) and fields.scenario not in shipped:
        allowed = join_or([*shipped, "a scenario's table"])
        raise ProtocolError("bad_field", f"act: game.scenario: expected {allowed}, got {show(fields.scenario)}.")
    try:
        game = open_game(fields.as_table(), "act: game")
    except HeartRushError as problem:
        raise ProtocolError("bad_field", " ".join(str(problem).split())) from None  # several faults: several lines
    tables = tables_digest(game)
    if fields.tables not in (None, tables):
        message = f"act: game.tables: expected {tables}, the tables of this version, got {show(fields.tables)}."
        raise ProtocolError("not_played", message)
    return game


def _draw(shares: Shares, chance: np.random.Generator) -> int:
    """Draw a random index with these probabilities, exactly as in-process players do."""
    if len(shares) == 1:
        return 0
    steps = np.cumsum(shares)
    place = int(np.searchsorted(steps, chance.random() * steps[-1], side="right"))
    return min(place, int(np.searchsorted(steps, steps[-1])))  # rounding may reach past the end


def _reason(policy: dict[str, float], value: float | None, *, indifferent: bool) -> str:
    """Describe a choice in one sentence: its probabilities, and the agent's expectation of the fight."""
    shown = [(name.removeprefix("stance "), share) for name, share in policy.items()]
    likely = sorted(shown, key=lambda item: -item[1])[:MOST_NAMED]
    if len(policy) == 1:
        reason = f"nothing but {likely[0][0]} is legal"
    elif indifferent:
        reason = "has no plan for this and plays anything"
    elif likely[0][1] > ALL_BUT:
        reason = f"plays {likely[0][0]}"
    else:
        reason = "mixes: " + ", ".join(f"{name} {100 * share:.0f} %" for name, share in likely if share >= LEAST_NAMED)
    return reason if value is None else f"{reason}; expects to win {50 * (1 + value):.0f} %"


def _error(refusal: ProtocolError, id: str | None = None) -> Error:
    return Error(id=id if refusal.id is None else refusal.id, code=refusal.code, message=str(refusal))


# -- lines -------------------------------------------------------------------------------------------------------------


def serve(engine: Engine, reader: BinaryIO, writer: BinaryIO) -> None:
    """Answer line by line until `quit` or the end of the input."""
    for line in lines(reader):
        answers = [messages.encode(_error(messages.too_long()))] if line is None else engine.answer(line)
        if answers:
            writer.write(b"".join(answers))
            writer.flush()
        if engine.left:
            return


def lines(reader: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines of a stream, and None for each line that is too long, which is never held in memory."""
    while line := reader.readline(MAX_LINE + 2):  # a line may end in two characters
        if len(line.rstrip(b"\r\n")) <= MAX_LINE:
            yield line
            continue
        while not line.endswith(b"\n") and (line := reader.readline(SKIPPED_AT_ONCE)):
            pass
        yield None
