"""The game server over WebSocket and one-shot HTTP: the host answers, and watchers see every change."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.websockets import WebSocket, WebSocketDisconnect

from heartrush_env.app.server.hosting.host import SECONDS_TO_TRY_AGAIN, Host
from heartrush_env.app.server.hosting.messages import Answer, Look, Refusal, Requests, Watch, encode, read
from heartrush_env.app.server.hosting.store import StoreError
from heartrush_env.app.server.hosting.watching import Watched
from heartrush_env.app.server.limits import Limits
from heartrush_env.app.server.middleware import refusal
from heartrush_env.app.server.transport import DIRECTLY, Listening, messages_of, read_body, send_texts
from heartrush_env.protocol.messages import MAX_LINE

STATUS: Final = {
    "no_fight": 404,
    "bad_token": 403,
    "taken": 409,
    "late": 409,
    "chosen": 409,
    "not_asked": 409,
    "over": 409,
    "not_over": 409,
    "other_version": 409,
    "unplayable": 409,
    "too_long": 413,
    "full": 503,
    "not_kept": 507,
    "internal": 500,
}  # other errors: 400

MOST_TOGETHER: Final = 64  # requests in one commit to the store
SECONDS_TOGETHER: Final = 0.1  # after this time no further request joins a commit

_T = TypeVar("_T")


class _Connection:
    """A WebSocket with the fights that it watches and the changed fights that it must still be sent."""

    def __init__(self, host: Host, client: str, limits: Limits) -> None:
        self.watched, self.listening, self.sending = Watched(host, client), Listening(limits), asyncio.Lock()
        self.stale: dict[str, None] = {}
        self.woken = asyncio.Event()
        self.pushing = False  # whether a state is being asked for and sent without a request
        self.answering = False  # whether an answer is being made that the new states will follow
        self.followed: set[str] = set()  # the fights whose changes are noted

    def note(self, fight: str) -> None:
        """Mark a fight as changed and wake the sender, if the fight is watched."""
        if self.watched.among([fight]):
            self.stale[fight] = None
            if not self.answering:
                self.woken.set()


class _Asked(NamedTuple):
    """Work for the host, the future of its result, and the fight that the work is about; "" if it is about none."""

    work: Callable[[], Any]
    done: asyncio.Future[Any]
    fight: str


_Done = list[tuple[asyncio.Future[Any], Any, BaseException | None]]


class Games:
    """The carrier of requests to a host."""

    def __init__(self, host: Host, limits: Limits) -> None:
        """Carry requests to this host, which no other code uses from now on."""
        self.host, self.limits = host, limits
        self._thread = ThreadPoolExecutor(1, "host")
        self._following: dict[str, set[_Connection]] = {}  # the connections that note the changes of each fight
        self._waiting: deque[_Asked] = deque()
        self._working = self._apart = False  # whether a batch is in progress, and whether it is in the thread
        self._alarm: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Enforce the time limits of windows while the server runs, and close the store at the end."""
        await self._ask(self.host.resume)
        try:
            yield
        finally:
            with suppress(StoreError):
                await self._ask(lambda: None)  # the work that waits is done first
            self._forget_alarm()
            await asyncio.get_running_loop().run_in_executor(self._thread, self.host.close)

    async def _ask(self, work: Callable[[], _T], fight: str = "", *, reads: bool = False) -> _T:
        """Return the result of work for the host, once it has been committed.

        Work about a fight at hand is done at once, because passing it to a thread and back takes longer than the work
        itself. Other work waits for the thread, and so does all work that comes meanwhile, unless it only reads a fight
        while the thread is idle. Waiting work is committed in batches.
        """
        if reads and not self._apart and self.host.is_at_hand(fight):
            return work()  # there is nothing to commit
        done = self._done_now(work, fight)
        if done is None:
            done = asyncio.get_running_loop().create_future()
            self._waiting.append(_Asked(work, done, fight))
            self._go_on()
        return await done

    def _done_now(self, work: Callable[[], _T], fight: str) -> asyncio.Future[_T] | None:
        """Do work about a fight at hand, and return its future, which is done; None if the work has to wait."""
        if self._working or not self.host.is_at_hand(fight):
            return None
        done: asyncio.Future[_T] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Asked(work, done, fight))
        self._working = True
        self._work_here()
        return done

    def _go_on(self) -> None:
        """Start with the waiting work, unless a batch is in progress."""
        if self._working or not self._waiting:
            return
        self._working, loop = True, asyncio.get_running_loop()
        self._apart = not self.host.is_at_hand(self._waiting[0].fight)
        if not self._apart:
            loop.call_soon(self._work_here)
        else:
            self._thread.submit(self._work_apart, loop)

    def _work_here(self) -> None:
        self._hand_out(*self._work(only_at_hand=True))

    def _work_apart(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.call_soon_threadsafe(self._hand_out, *self._work(only_at_hand=False))

    def _work(self, *, only_at_hand: bool) -> tuple[_Done, set[str]]:
        """Run a batch of the waiting work in one commit; return its results and the fights that have changed."""
        asked: list[asyncio.Future[Any]] = []
        done: _Done = []
        end = time.monotonic() + SECONDS_TOGETHER
        try:
            with self.host.together():
                while self._waiting and len(asked) < MOST_TOGETHER and (not asked or time.monotonic() < end):
                    if only_at_hand and not self.host.is_at_hand(self._waiting[0].fight):
                        break
                    work, future, _ = self._waiting.popleft()
                    asked.append(future)
                    try:
                        done.append((future, work(), None))
                    except StoreError:
                        raise
                    except Exception as problem:
                        done.append((future, None, problem))
        except Exception as problem:  # nothing was committed, for example because the disk is full
            if not asked:
                asked.append(self._waiting.popleft().done)
            done = [(future, None, problem) for future in asked]
        changed, self.host.changed = self.host.changed, []
        return done, set(changed)

    def _hand_out(self, done: _Done, changed: set[str]) -> None:
        """Deliver results, notify watchers of changes, set the alarm, and start with the work that has arrived."""
        for future, result, problem in done:
            if future.done():  # the caller is gone
                continue
            if problem is None:
                future.set_result(result)
            else:
                future.set_exception(problem)
        for fight in changed:
            for connection in self._following.get(fight, ()):
                connection.note(fight)
        self._forget_alarm()
        due = self.host.next_due()
        if due is not None:
            self._alarm = asyncio.get_running_loop().call_later(due, self._play_late)
        self._working = self._apart = False
        self._go_on()

    def _play_late(self) -> None:
        """Play what is due without a request; if the store fails, the host is due again a little later."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        done.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._waiting.append(_Asked(self.host.play_late, done, ""))
        self._go_on()

    def _forget_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    async def _answer(self, request: Requests | Refusal, obey: Callable[[Requests], Answer]) -> Answer:
        """Return the answer to a request, or a refusal if the line was no request or the store cannot save it."""
        if isinstance(request, Refusal):
            return request
        try:
            reads = isinstance(request, Look | Watch)
            return await self._ask(partial(obey, request), getattr(request, "fight", ""), reads=reads)
        except StoreError as problem:
            return _refused(request, problem)

    # -- HTTP ----------------------------------------------------------------------------------------------------------

    async def one_shot(self, request: Request) -> Response:
        """Answer `POST /v1/host`: any message except `watch`."""
        line = await read_body(request, self.limits)
        if isinstance(line, Response):
            return line
        asked, client = read(line), _client(request)
        if isinstance(asked, Watch):
            message = "type: expected any type but watch over HTTP, got watch; use the WebSocket."
            return refusal(400, "bad_field", message)
        answer = await self._answer(asked, lambda request: self.host.obey(request, client))
        status = STATUS.get(answer.code, 400) if isinstance(answer, Refusal) else 200
        return Response(encode(answer), status, media_type="application/json")

    # -- WebSocket -----------------------------------------------------------------------------------------------------

    async def converse(self, socket: WebSocket) -> None:
        """Answer the messages of a WebSocket, and send the states of watched fights when they change."""
        await socket.accept()
        connection = _Connection(self.host, _client(socket), self.limits)
        if DIRECTLY in (extensions := socket.scope.get("extensions", {})):
            extensions[DIRECTLY](partial(self._answer_directly, connection))
        pushing = asyncio.create_task(self._push(socket, connection))
        try:
            async for line in messages_of(socket, connection.listening):
                request = read(line)
                if isinstance(request, Watch):  # before the answer, which a change may follow at once
                    self._follow(connection, request.fight)
                answer = await self._answer(request, connection.watched.obey)
                if isinstance(request, Watch):
                    self._follow_if_watched(connection, request.fight)
                async with connection.sending:
                    await send_texts(socket, [encode(answer), *self._states_at_hand(connection)])
        except WebSocketDisconnect:
            return
        finally:
            for fight in [*connection.followed]:
                self._unfollow(connection, fight)
            pushing.cancel()
            with suppress(asyncio.CancelledError):
                await pushing

    def _answer_directly(self, connection: _Connection, line: bytes) -> list[bytes] | None:
        """Return the answer to a message and new states, or None if anything must be waited for.

        Most messages are about fights at hand. Handing them to the task of the connection, and their work to a batch
        and back, takes as long as the work itself.
        """
        waits = self._working or connection.pushing or connection.sending.locked()
        if waits or not connection.listening.is_waiting or len(line) > MAX_LINE:
            return None
        request = read(line)
        fight = getattr(request, "fight", "")
        if isinstance(request, Refusal | Watch) or not self.host.is_at_hand(fight):
            return None
        if not connection.listening.allows_one_now():
            return None
        if isinstance(request, Look):  # there is nothing to commit
            return [encode(connection.watched.obey(request))]
        connection.answering = True
        done = self._done_now(partial(connection.watched.obey, request), fight)
        connection.answering = False
        assert done is not None, "the fight is at hand"
        answer = _refused(request, problem) if (problem := done.exception()) else done.result()
        found = [encode(answer), *self._states_at_hand(connection)]
        if connection.stale:
            connection.woken.set()
        return found

    async def _push(self, socket: WebSocket, connection: _Connection) -> None:
        """Send the newest state of each changed watched fight; a slow client may miss states, but never the last."""
        with suppress(WebSocketDisconnect, RuntimeError):  # the connection closed while a state was being sent
            while True:
                await connection.woken.wait()
                connection.woken.clear()
                while connection.stale:
                    fight, _ = connection.stale.popitem()
                    if not connection.watched.among([fight]):  # the last state was that it is closed
                        continue
                    connection.pushing = True
                    try:
                        state = await self._ask(partial(connection.watched.state_of, fight), fight, reads=True)
                    except StoreError:
                        connection.stale[fight] = None
                        await asyncio.sleep(SECONDS_TO_TRY_AGAIN)
                        continue
                    async with connection.sending:
                        await send_texts(socket, [state])
                    connection.pushing, connection.listening.active = False, time.monotonic()
                    self._follow_if_watched(connection, fight)

    def _states_at_hand(self, connection: _Connection) -> list[bytes]:
        """Return the newest states of changed watched fights at hand, which can be sent together with an answer."""
        found: list[bytes] = []
        if connection.pushing or self._apart:
            return found
        for fight in connection.watched.among(connection.stale):
            if self.host.is_at_hand(fight):
                del connection.stale[fight]
                found.append(connection.watched.state_of(fight))
                self._follow_if_watched(connection, fight)
        if found:
            connection.listening.active = time.monotonic()
        return found

    def _follow(self, connection: _Connection, fight: str) -> None:
        """Let a connection note the changes of a fight."""
        connection.followed.add(fight)
        self._following.setdefault(fight, set()).add(connection)

    def _follow_if_watched(self, connection: _Connection, fight: str) -> None:
        """Let a connection note the changes of a fight that it watches, and of no other fight."""
        if not connection.watched.among([fight]):
            self._unfollow(connection, fight)
        elif fight not in connection.followed:  # a state said "closed" before the answer to a new watch
            self._follow(connection, fight)
            connection.note(fight)  # changes since that answer were not noted

    def _unfollow(self, connection: _Connection, fight: str) -> None:
        connection.followed.discard(fight)
        following = self._following.get(fight, set())
        following.discard(connection)
        if not following:
            self._following.pop(fight, None)


def _refused(request: Requests, problem: BaseException) -> Refusal:
    """Return the refusal of a request that the store could not keep; any other problem is raised."""
    if not isinstance(problem, StoreError):
        raise problem
    return Refusal(id=request.id, code=problem.code, message=str(problem))


def _client(connection: HTTPConnection) -> str:
    """Return the address of a client."""
    return connection.client.host if connection.client else ""
