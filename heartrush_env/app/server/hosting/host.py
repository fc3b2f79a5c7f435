"""The host: fights by id, seats by token, and the answers to all requests.

Every request is answered from the store and the rules alone. A fight without recent requests is evicted from memory;
the next request for it replays its choices.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from heartrush_env.app.server.hosting import messages
from heartrush_env.app.server.hosting.fight import HostedFight
from heartrush_env.app.server.hosting.messages import (
    MAX_EVENTS,
    Accepted,
    Answer,
    Choose,
    Close,
    Closed,
    Created,
    EventList,
    Events,
    FightList,
    Fights,
    HostError,
    Join,
    Joined,
    Listed,
    Look,
    New,
    Refusal,
    Save,
    Saved,
    State,
    Watch,
)
from heartrush_env.app.server.hosting.opening import Opener
from heartrush_env.app.server.hosting.places import Places
from heartrush_env.app.server.hosting.recording import record_of
from heartrush_env.app.server.hosting.refusing import in_brackets, refusal_of
from heartrush_env.app.server.hosting.seating import MOST_ASKED, Seating
from heartrush_env.app.server.hosting.showing import seats_of, state_of
from heartrush_env.app.server.hosting.slots import Slots
from heartrush_env.app.server.hosting.store import Chosen, Store, StoredFight, StoredSeat, StoreError
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or

MOST_FIGHTS: Final = 10_000  # in the store
MOST_IN_MEMORY: Final = 2_000
MOST_BYTES: Final = 512 * 2**20  # for all batches and events in memory
SECONDS_AT_ONCE: Final = 0.1  # for a fight that plays by itself, before other requests get their turn
SECONDS_TO_TRY_AGAIN: Final = 1.0  # after a failed write to the store
MOST_LISTED: Final = 100
FORGOTTEN_AT_ONCE: Final = 100
SECONDS_OF_A_QUICK_CHOICE: Final = 0.005
LARGEST_SEED: Final = 2**62


class _Live(NamedTuple):
    """A fight in memory, with the function that gives its slot back."""

    stored: StoredFight
    fight: HostedFight
    give_back: Callable[[], None]
    is_quick: bool  # whether its agents decide at once


class Host:
    """A host of fights; not safe for use by several threads at once."""

    def __init__(
        self,
        store: Path | str = ":memory:",
        agents: Sequence[str] = (),
        *,
        most_fights: int = MOST_FIGHTS,
        most_bytes: int = MOST_BYTES,
        most_asked: Mapping[str, float] = MOST_ASKED,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open the store.

        Args:
            store: The file, created if it does not exist.
            agents: The agents that may take seats, by id or folder; all shipped agents if empty.
            most_fights: The capacity of the store; when it is full, the oldest finished fights are removed.
            most_bytes: The memory for fights; the least recently requested are evicted. One fight always stays.
            most_asked: The upper bounds for agent arguments that clients set, by the name of the argument.
            clock: A monotonic clock in seconds.
        """
        self._store, self._slots, self._clock = Store(store), Slots(), clock
        self._seating, self._most = Seating(agents, most_asked), most_fights
        self._games = Opener()
        self._live: OrderedDict[str, _Live] = OrderedDict()
        self._due: dict[str, float] = {}  # the time at which fallbacks are played, by fight
        self._unfinished: dict[str, None] = {}  # fights whose agents have more to choose
        self._unplayable: dict[str, HostError] = {}  # refusals for stored fights that cannot be replayed
        self._client: str | None = None  # the client of the current request, if there are several
        self._most_bytes = most_bytes
        self._places = Places(self._store, most_fights)
        self._not_before = 0.0  # until this time nothing is written without a request
        self._bytes_told = 0  # size of the events of all fights in memory
        self.changed: list[str] = []  # fights that have changed since the carrier last took this list

    @property
    def bytes_held(self) -> int:
        """The upper bound of the bytes that fights take now: their batches and events."""
        return self._slots.bytes_held + self._bytes_told

    def resume(self) -> None:
        """Queue all fights with a time limit when the host starts; `play_late` opens them and restarts their clocks."""
        for fight in self._store.timed():
            if fight not in self._due:
                self._unfinished[fight] = None

    def close(self) -> None:
        """Close the store."""
        self._store.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Commit the writes of all requests in this block at once; their answers are valid once the block has ended."""
        unfinished = dict(self._unfinished)
        try:
            with self._store.together():
                yield
        except BaseException:
            for fight in [*self._live]:  # memory may be ahead of the store
                self._drop(fight, keep_clock=True)
            self._unfinished |= unfinished
            self._wait()
            with suppress(StoreError):
                self.resume()
            raise

    def is_at_hand(self, fight: str) -> bool:
        """Return whether requests about a fight take little time: it is in memory, and its agents choose quickly."""
        live = self._live.get(fight)
        return live is not None and live.is_quick and live.fight.seconds_of_a_choice < SECONDS_OF_A_QUICK_CHOICE

    # -- requests ------------------------------------------------------------------------------------------------------

    def answer(self, line: bytes, client: str | None = None) -> bytes:
        """Return the answer to a client's line; `client` names the client if there may be several."""
        request = messages.read(line)
        return messages.encode(request if isinstance(request, Refusal) else self.obey(request, client))

    def obey(self, request: messages.Requests, client: str | None = None) -> Answer:
        """Answer a request; a refusal changes nothing.

        Raises:
            StoreError: All writes of the enclosing `together` block are undone, too.
        """
        before, self._client = self._store.changes, client
        try:
            with self._store.together():
                answer: Answer = self._OBEY[type(request)](self, request)
        except Exception as problem:  # an agent may raise anything, and the next request may be fine
            if isinstance(problem, StoreError) and problem.whole:
                raise
            if isinstance(problem, StoreError) or self._store.changes != before:
                self._drop(getattr(request, "fight", ""), keep_clock=True)  # memory is ahead of the store
            answer = refusal_of(problem)
        answer.id = request.id
        return answer

    def _new(self, request: New) -> Created:
        asked, game = self._games.asked(request.game)
        strangers = [seat for seat in request.agents if seat not in game.agents]
        if strangers:
            raise HostError("bad_field", f"agents: expected {join_or(game.agents)}, got {show(strangers[0])}.")
        for seat, id in request.agents.items():
            self._seating.player(game, seat, id)
        self._make_room()
        token = secrets.token_urlsafe(16)
        stored = StoredFight(
            fight=secrets.token_hex(6),
            made=time.time(),
            title=request.title,
            game=asked,
            digest=game.digest,
            seed=secrets.randbelow(LARGEST_SEED) if request.seed is None else request.seed,
            seconds=request.seconds,
            owner=_digest(token),
            over=False,
            seats={seat: StoredSeat(request.agents.get(seat)) for seat in game.agents},
        )
        self._store.add(stored)
        if self._client is not None:
            self._places.give(self._client, stored.fight)
        self._open(stored.fight)
        waiting = [seat for seat, held in stored.seats.items() if held.agent is None]
        return Created(fight=stored.fight, token=token, open=waiting)

    def _make_room(self) -> None:
        """Forget finished fights if the host is full; raise HostError if the client may not host another fight."""
        if self._client is not None:
            self._places.check(self._client)
        if self._store.count() < self._most:
            return
        ended = self._store.oldest_ended(FORGOTTEN_AT_ONCE)
        if not ended:
            raise HostError("full", f"The host holds {self._most} fights, and none of them is over.")
        self._forget(ended)

    def _forget(self, fights: Sequence[str]) -> None:
        for fight in fights:
            self._drop(fight)
            self._unplayable.pop(fight, None)
            self._places.take_back(fight)
        self._store.forget(fights)

    def _join(self, request: Join) -> Joined:
        live = self._open(request.fight)
        held = live.stored.seats.get(request.seat)
        if held is None:
            raise HostError("bad_field", f"seat: expected {join_or(live.stored.seats)}, got {show(request.seat)}.")
        if held.agent is not None or held.token is not None:
            free = [seat for seat, each in live.stored.seats.items() if each.agent is None and each.token is None]
            raise HostError(
                "taken", f"seat: expected a free one ({join_or(free)}), got {request.seat}, which is taken."
            )
        token = secrets.token_urlsafe(16)
        taken = StoredSeat(None, request.name, _digest(token))
        self._store.take_seat(request.fight, request.seat, taken)
        stored = replace(live.stored, seats={**live.stored.seats, request.seat: taken})
        self._live[request.fight] = live._replace(stored=stored)
        self._start_clock(self._live[request.fight])
        self.changed.append(request.fight)
        return Joined(fight=request.fight, seat=request.seat, token=token)

    def _choose(self, request: Choose) -> Accepted:
        live = self._open(request.fight)
        seat = self._seat_of(live, request.token)
        live.fight.check(seat, request.window, request.choice)
        self._keep(live, {seat: request.choice})
        self._play_on(live)
        self.changed.append(request.fight)
        return Accepted(fight=request.fight, window=request.window)

    def _look(self, request: Look | Watch) -> State:
        live = self._open(request.fight)
        seat = None if request.token is None else self._seat_of(live, request.token)
        return self._state(live, seat)

    def _events(self, request: Events) -> EventList:
        live = self._open(request.fight)
        fight = live.fight
        with self._counting(live):
            shown = fight.told(request.since, MAX_EVENTS)
        return EventList(fight=request.fight, events=shown, next=min(request.since, fight.events) + len(shown))

    def _save(self, request: Save) -> Saved:
        live = self._open(request.fight)
        if not live.fight.over:
            raise HostError(
                "not_over",
                "The fight is not over; its record holds the seed of its dice, so it is available only at the end.",
            )
        with self._counting(live):
            record = record_of(live.stored, live.fight, self._store.choices(request.fight))
        return Saved(fight=request.fight, record=record)

    def _fights(self, request: Fights) -> FightList:
        return FightList(fights=[self._listed(fight) for fight in self._store.going_on(MOST_LISTED)])

    def _listed(self, fight: str) -> Listed:
        try:
            live = self._open(fight)
        except StoreError:
            raise
        except Exception as problem:  # the other fights are still listed
            why = refusal_of(problem).message
            return Listed(fight=fight, title="", scenario="", window=0, seats=[], unplayable=why)
        return Listed(
            fight=fight,
            title=live.stored.title,
            scenario=live.fight.game.scenario_name,
            window=live.fight.window,
            seats=seats_of(live.stored, live.fight),
        )

    def _close(self, request: Close) -> Closed:
        stored = self._stored(request.fight)
        if not hmac.compare_digest(_digest(request.token), str(stored.owner)):
            raise HostError("bad_token", "The token is not that of the fight's owner.")
        self._forget([request.fight])
        self.changed.append(request.fight)
        return Closed(fight=request.fight)

    _OBEY: Final[Mapping[type, Callable[[Any, Any], Answer]]] = {
        New: _new,
        Join: _join,
        Choose: _choose,
        Look: _look,
        Events: _events,
        Watch: _look,
        Save: _save,
        Fights: _fights,
        Close: _close,
    }

    # -- time ----------------------------------------------------------------------------------------------------------

    def next_due(self) -> float | None:
        """Return the seconds until `play_late` has something to do; None if nothing is due."""
        if not (self._unfinished or self._due):
            return None
        due = 0.0 if self._unfinished else min(self._due.values())
        return max(0.0, max(due, self._not_before) - self._clock())

    def play_late(self) -> None:
        """Continue fights in which agents have more to choose, and play the fallback where a window's time is up."""
        now = self._clock()
        if now < self._not_before:
            return
        if self._unfinished:
            fight = next(iter(self._unfinished))
            del self._unfinished[fight]
            self._play_by_itself(fight, nothing=False)
        for fight in [fight for fight, due in self._due.items() if due <= now]:
            del self._due[fight]
            self._play_by_itself(fight, nothing=True)
            if self._clock() >= max(now + SECONDS_AT_ONCE, self._not_before):  # the rest is due at the next call
                break

    def _play_by_itself(self, fight: str, *, nothing: bool) -> None:
        """Continue a fight without a request; if its agent fails, the fight waits for the next request."""
        try:
            with self._store.together():
                live = self._open(fight)
                if nothing:
                    self._keep(live, dict.fromkeys(live.fight.people_to_wait_for()))
                self._play_on(live)
        except StoreError as problem:  # for example because the disk is full: retry a little later
            self._drop(fight, keep_clock=True)
            if nothing:
                self._due[fight] = self._clock()
            else:
                self._unfinished[fight] = None
            self._wait()
            if problem.whole:
                raise
        except Exception:
            self._drop(fight)
        else:
            self.changed.append(fight)

    def _wait(self) -> None:
        """Suspend writes that no request asks for, for `SECONDS_TO_TRY_AGAIN` seconds."""
        self._not_before = self._clock() + SECONDS_TO_TRY_AGAIN

    def _start_clock(self, live: _Live) -> None:
        """Start the open window's time limit, once all seats are taken."""
        held = all(seat.agent is not None or seat.token is not None for seat in live.stored.seats.values())
        if live.stored.seconds is not None and held and not live.fight.over:
            self._due[live.stored.fight] = self._clock() + live.stored.seconds
        else:
            self._due.pop(live.stored.fight, None)

    # -- playing -------------------------------------------------------------------------------------------------------

    def _keep(self, live: _Live, chosen: Mapping[str, Chosen]) -> None:
        """Write choices to the store, and only then record them in the open window."""
        self._store.choose(live.stored.fight, live.fight.window, chosen)
        live.fight.chosen.update(chosen)

    def _play_on(self, live: _Live) -> None:
        """Play windows until one waits for a person or the fight is over; `play_late` continues a long run."""
        with self._counting(live):
            self._play_windows(live)

    @contextmanager
    def _counting(self, live: _Live) -> Iterator[None]:
        """Count the bytes by which the events of a fight grow in a block."""
        before = live.fight.bytes_told
        try:
            yield
        finally:
            self._bytes_told += live.fight.bytes_told - before

    def _play_windows(self, live: _Live) -> None:
        fight, window = live.fight, live.fight.window
        late, end = False, self._clock() + SECONDS_AT_ONCE
        while not (fight.over or fight.people_to_wait_for()):
            if late:
                self._unfinished[live.stored.fight] = None
                break
            found = {}
            for seat in fight.waiting():
                found[seat] = fight.choice_of_agent(seat)
                late = self._clock() >= end
                if late:
                    break
            self._keep(live, found)
            if not fight.waiting():
                fight.play(fight.chosen)
        if fight.over and not live.stored.over:
            self._store.end(live.stored.fight)
            live = live._replace(stored=replace(live.stored, over=True))
            self._live[live.stored.fight] = live
        opens = fight.window != window and not fight.lacks_parts  # parts of a choice have no clock of their own
        if opens or live.stored.fight not in self._due:
            self._start_clock(live)

    def _open(self, id: str) -> _Live:
        """Return a fight, from memory or from the store."""
        live = self._live.get(id)
        if live is None:
            live = self._live[id] = self._restore(self._stored(id))
            self._bytes_told += live.fight.bytes_told
            try:
                self._play_on(live)  # a killed host may have saved a choice without playing its window
            except BaseException:
                self._drop(id, keep_clock=True)
                raise
            live = self._live[id]
        self._live.move_to_end(id, last=not live.fight.over)  # finished fights are evicted first
        while len(self._live) > 1 and (len(self._live) > MOST_IN_MEMORY or self.bytes_held > self._most_bytes):
            oldest = next(each for each in self._live if each != id)
            self._drop(oldest, keep_clock=True)
        return live

    def _drop(self, id: str, *, keep_clock: bool = False) -> None:
        """Evict a fight from memory."""
        live = self._live.pop(id, None)
        if live is not None:
            live.give_back()
            self._bytes_told -= live.fight.bytes_told
        if not keep_clock:
            self._due.pop(id, None)
            self._unfinished.pop(id, None)

    def _stored(self, id: str) -> StoredFight:
        """Return a fight's entry in the store."""
        stored = self._store.read(id)
        if stored is None:
            raise HostError("no_fight", f"There is no fight {show(id)}.")
        return stored

    def _restore(self, stored: StoredFight) -> _Live:
        """Replay a fight from the store up to its open window; a fight that has failed once is not tried again."""
        if stored.fight not in self._unplayable:
            try:
                return self._replayed(stored)
            except (StoreError, MemoryError):  # these may be temporary
                raise
            except Exception as problem:  # damaged, or its scenario or agent no longer exists
                if not (isinstance(problem, HostError) and problem.code == "other_version"):
                    what = f"The fight {stored.fight} cannot be replayed from the store ({in_brackets(problem)})."
                    problem = HostError("unplayable", what)
                self._unplayable[stored.fight] = problem
        raise self._unplayable[stored.fight]

    def _replayed(self, stored: StoredFight) -> _Live:
        """Return a fight from the store, played up to its open window."""
        msgspec.convert(asdict(stored), StoredFight)
        game = self._games.stored(stored.game)
        if game.digest != stored.digest:
            raise HostError(
                "other_version", f"The fight {stored.fight} was started under another version of the rules."
            )
        if stored.seats.keys() != set(game.agents):
            raise HeartRushError(f"seats: expected {join_or(game.agents)}, got {join_or(stored.seats)}")
        players = {
            seat: self._seating.player(game, seat, held.agent) for seat, held in stored.seats.items() if held.agent
        }
        slot = self._slots.take(game)
        try:
            fight = HostedFight(game, stored.seed, slot, players)
            for window, chosen in self._store.choices(stored.fight):
                fight.choose_again(window, chosen)
        except BaseException:
            self._slots.give_back(slot)
            raise
        is_quick = all(held.agent is None or self._seating.is_quick(held.agent) for held in stored.seats.values())
        return _Live(stored, fight, lambda: self._slots.give_back(slot), is_quick)

    # -- showing -------------------------------------------------------------------------------------------------------

    def _seat_of(self, live: _Live, token: str) -> str:
        digest = _digest(token)
        for seat, held in live.stored.seats.items():
            if held.token is not None and hmac.compare_digest(held.token, digest):
                return seat
        raise HostError("bad_token", "The token is not that of a seat in this fight.")

    def _state(self, live: _Live, seat: str | None) -> State:
        due = self._due.get(live.stored.fight)
        return state_of(live.stored, live.fight, seat, None if due is None else due - self._clock())


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
