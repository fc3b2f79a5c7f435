"""Agents played by any program that speaks the engine protocol (docs/protocol.md), to train against, rate or study.

    from heartrush_agents.external import program

    rival = program(["node", "clients/javascript/engine.mjs"], id="rival")
    env = gymnasium.make("heartrush_env/HeartRush-v0", opponent=rival.seat(game))

Only `program` can start a program; loading an id or a folder never does, unless you register the agent yourself. The
program starts when the agent first takes a seat, serves all its seats, and ends with `close(agent)` or with Python.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Agent, AgentError, Player, Probabilities
from heartrush_env.tabletop.game import FloatArray, Game, Observation, lasting_columns

if TYPE_CHECKING:
    from heartrush_env.protocol.program import Message, Program

SECONDS = 10.0  # time limit for an answer
START_SECONDS = 60.0  # time limit for getting ready
MAX_BATCH = 256  # requests in a batch; a limit of the protocol
MAX_BATCH_BYTES = 900_000  # of a batch of requests, so that it fits into one line
POLICY_SEED = 0  # for requests that only use the probabilities


def program(
    command: Sequence[str],
    *,
    id: str | None = None,
    description: str | None = None,
    options: Mapping[str, Any] | None = None,
    memory: Literal[0, "match"] = 0,
    seconds: float = SECONDS,
    start_seconds: float = START_SECONDS,
) -> Agent:
    """Return an agent played by a program, which starts when the agent first takes a seat.

    Args:
        command: The program and its arguments, run without a shell.
        id: The agent's id; by default the command.
        description: One sentence about the agent; by default it names the command.
        options: Options to set after the start, by their names in the program's identity.
        memory: "match" if the program has memory between fights; then each seat is a separate match.
        seconds: Time limit for an answer, in seconds. AgentError is raised if the program is late, has ended or
            refuses, or if its answer is malformed.
        start_seconds: Time limit for getting ready, in seconds.
    """
    words = tuple(command)
    line = " ".join(map(str, words))
    source = _Source(words, id or line, dict(options or {}), memory, seconds, start_seconds)
    return Agent(id or line, description or f"The program {line!r}.", source, why_unsupported=_why_unsupported)


def close(agent: Agent) -> None:
    """End the program of an agent; it starts again when it is next needed."""
    if not isinstance(agent.make, _Source):
        raise AgentError(f"Expected an agent made by program(), got {agent.id!r}.")
    agent.make.close()


def _why_unsupported(game: Game) -> str | None:
    """Return why programs cannot play a game, as a clause, or None if they can."""
    if game.options["control"] != "fighter":
        return "programs decide for one fighter each, but here a seat decides for a team"
    return None


@dataclass(eq=False)
class _Source:
    """A factory of the players of one program; each copy of it starts its own program."""

    command: tuple[str, ...]
    name: str
    options: dict[str, Any]
    memory: Literal[0, "match"]
    seconds: float
    start_seconds: float

    def __post_init__(self) -> None:
        self._open()

    def _open(self) -> None:
        self._lock = threading.Lock()
        self._numbers = count()
        self._process: int | None = None  # the program's owner; a forked process must not use its parent's program
        self._program: Program | None = None
        self._identity: Message = {}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._open()

    def __call__(self, game: Game) -> Player:
        """Make a player for one seat; raise AgentError if the program does not play this game."""
        with self._lock:
            self._running()
            plays = self._identity.get("plays")
        shape = game.options["shape"]
        shapes = plays.get("shapes") if isinstance(plays, dict) else None
        if shape is not None and isinstance(shapes, list) and shape not in shapes:
            known = ", ".join(map(str, shapes))
            raise AgentError(
                f"The program {self.name!r} cannot take a seat: it plays {known}, but this game has the shape {shape}."
            )
        return ProgramPlayer(game, self) if self.memory == 0 else RememberingProgramPlayer(game, self)

    def number(self) -> int:
        """Return a unique number for a request or a match."""
        return next(self._numbers)

    def ask(self, message: Mapping[str, Any], wanted: str) -> Message:
        """Return the answer to a message; raise AgentError if the program fails."""
        from heartrush_env.protocol.program import ProgramError

        with self._lock:
            running = self._running()
            try:
                return running.ask(message, wanted, self.seconds)
            except ProgramError as error:
                if error.fault == "dead":
                    self._end()
                raise self._failed(str(error)) from None

    def tell(self, message: Mapping[str, Any]) -> None:
        """Send a message that needs no answer, if the program is running; raise AgentError if sending fails."""
        from heartrush_env.protocol.program import ProgramError

        with self._lock:
            if self._program is not None and self._process == os.getpid():
                try:
                    self._program.send(message, self.seconds)
                except ProgramError as error:
                    raise self._failed(str(error)) from None

    def close(self) -> None:
        """End the program."""
        with self._lock:
            self._end()

    def _failed(self, why: str) -> AgentError:
        return AgentError(f"The program {self.name!r} failed: {why}")

    def _end(self) -> None:
        if self._program is not None:
            self._program.close()
        self._program = None

    def _running(self) -> Program:
        """Return the program; start it first if it is not running in this process."""
        from heartrush_env.protocol.program import Program, ProgramError

        if self._program is not None and self._process == os.getpid():
            return self._program
        try:
            self._program, self._process = Program(self.command), os.getpid()
            self._identity = self._program.hello(self.start_seconds)
            for name, value in self.options.items():
                self._program.set(name, value, self.seconds)
        except ProgramError as error:
            self._end()
            raise self._failed(str(error)) from None
        return self._program


class _Asking(Player):
    """A base class of players run by external programs, which turns observations into requests and reads answers."""

    def __init__(self, game: Game, source: _Source) -> None:
        super().__init__(game)
        self._source = source
        self._numbers = {name: number for number, name in enumerate(game.action_names)}
        self._seats = _Seats(game)

    def request(self, observation: Observation, seed: int) -> dict[str, Any]:
        """Return the request for an observation."""
        from heartrush_env.protocol.requests import act_request

        seat = self._seats.of(observation["observation"])
        return act_request(self.game, seat, observation, id=str(self._source.number()), seed=seed)

    def policy(self, observation: Observation) -> Probabilities:
        """Return the program's probabilities."""
        request = self.request(observation, POLICY_SEED)
        return self._probabilities(request, self._source.ask(request, "choice"))

    def act(self, observation: Observation, rng: np.random.Generator) -> int:
        """Return the action that the program chooses."""
        request = self.request(observation, int(rng.integers(2**53)))
        if len(request["legal"]) == 1:
            return self._numbers[request["legal"][0]]
        answer = self._source.ask(request, "choice")
        choice = answer.get("choice")
        if not isinstance(choice, str) or choice not in request["legal"]:
            raise self._wrong(request, f"chose {choice!r}")
        return self._numbers[choice]

    def _probabilities(self, request: Mapping[str, Any], answer: Mapping[str, Any]) -> Probabilities:
        """Return the policy in an answer as an array over all actions; raise AgentError if it is malformed."""
        if answer.get("type") != "choice" or answer.get("id") != request["id"]:
            raise self._wrong(request, f"answered {answer.get('code', answer.get('type'))!r}")
        policy = answer.get("policy")
        found: Probabilities = np.zeros(len(self._numbers))
        for name, share in policy.items() if isinstance(policy, dict) else ():
            sound = isinstance(share, int | float) and not isinstance(share, bool) and 0 <= share <= 2
            if name not in request["legal"] or not sound:
                raise self._wrong(request, f"gave {name!r} the probability {share!r}")
            found[self._numbers[name]] = share
        if not found.sum() > 0:
            raise self._wrong(request, "gave no legal action a probability above 0")
        found /= found.sum()
        return found

    def _wrong(self, request: Mapping[str, Any], what: str) -> AgentError:
        legal = ", ".join(request["legal"])
        return AgentError(
            f"The program {self._source.name!r} {' '.join(what.split())[:200]}; the legal actions are {legal}."
        )


class ProgramPlayer(_Asking):
    """A player of a program without memory; one such player serves any number of seats."""

    def policies(self, features: FloatArray, masks: NDArray[np.int8]) -> Probabilities:
        """Return policies (n, actions) for features (n, features) and masks (n, actions), requested in batches."""
        requests = [
            self.request({"observation": seen, "action_mask": mask}, POLICY_SEED)
            for seen, mask in zip(features, masks, strict=True)
        ]
        rows: list[Probabilities] = []
        for batch in _batches(requests):
            message = {"type": "act_batch", "id": str(self._source.number()), "requests": batch}
            choices = self._source.ask(message, "choices").get("choices")
            if not isinstance(choices, list) or len(choices) != len(batch):
                raise self._wrong(batch[0], f"did not answer each of {len(batch)} requests")
            for request, answer in zip(batch, choices, strict=True):
                rows.append(self._probabilities(request, answer if isinstance(answer, dict) else {}))
        return np.array(rows).reshape(len(requests), len(self._numbers))


class RememberingProgramPlayer(_Asking):
    """A player of a program that remembers earlier fights of a match."""

    memory: int | Literal["match"] = "match"

    def __init__(self, game: Game, source: _Source) -> None:
        super().__init__(game, source)
        self._match, self._fight = f"seat {source.number()}", 0

    def new_match(self) -> None:
        """Start another match, and let the program forget the last one."""
        self._source.tell({"type": "end", "match": self._match})
        self._match, self._fight = f"seat {self._source.number()}", 0

    def new_fight(self) -> None:
        """Start the next fight of the match."""
        self._fight += 1

    def request(self, observation: Observation, seed: int) -> dict[str, Any]:
        """Return the request for an observation, with the match and its fight."""
        return {**super().request(observation, seed), "match": self._match, "fight": self._fight}


def _batches(requests: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield batches of requests that fit into one line each."""
    batch: list[dict[str, Any]] = []
    size = 0
    for request in requests:
        length = len(json.dumps(request))
        if batch and (len(batch) == MAX_BATCH or size + length > MAX_BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(request)
        size += length
    if batch:
        yield batch


class _Seats:
    """The seats of a game, found from observations for requests."""

    def __init__(self, game: Game) -> None:
        self._lasting, self._changing = lasting_columns(game)
        batch = game.batch()
        batch.start([0], 0, [0])
        self._agents = game.agents
        self._starts = batch.observations[0].copy()

    def of(self, observation: FloatArray) -> str:
        """Return the seat with the best fitting initial observation; the first of equally good seats.

        The lasting features must be equal. Among the seats for which they are, the best seat has the most other
        features unchanged.
        """
        fits = np.flatnonzero((self._starts[:, self._lasting] == observation[self._lasting]).all(axis=1))
        if not len(fits):
            raise AgentError(
                f"An observation belongs to no seat of this game; the seats are {', '.join(self._agents)}."
            )
        changed = (self._starts[fits][:, self._changing] != observation[self._changing]).sum(axis=1)
        return self._agents[int(fits[changed.argmin()])]
