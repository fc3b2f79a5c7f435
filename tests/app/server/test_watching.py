"""A connection hears of each change and of the end of the fights that it watches, in order."""

import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from heartrush_env.app.server import app, games
from heartrush_env.app.server.games import Games
from heartrush_env.app.server.hosting.host import Host
from heartrush_env.app.server.hosting.messages import Join, Refusal, Watch
from tests.app.server.serving import post, serving
from tests.app.server.test_games import NEW, said, send, socket
from tests.processes import PATIENCE


def until(true: Callable[[], Any]) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.002)


@pytest.fixture
def carriers(monkeypatch: pytest.MonkeyPatch) -> list[Games]:
    """Return the carriers of servers that start later; each carries one request at a time, in the host's thread."""
    made: list[Games] = []

    class Seen(Games):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            made.append(self)

    monkeypatch.setattr(app, "Games", Seen)
    monkeypatch.setattr(games, "MOST_TOGETHER", 1)
    monkeypatch.setattr(Host, "is_at_hand", lambda host, fight: False)
    return made


def test_states_still_come_after_a_fight_has_changed_and_closed_before_its_state(
    carriers: list[Games], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state is asked for after the change, and the fight is closed before the host comes to it."""
    obey, may_join = Host.obey, threading.Event()

    def stalled(host: Host, request: Any, client: str | None = None) -> Any:
        assert not isinstance(request, Join) or may_join.wait(PATIENCE)
        return obey(host, request, client)

    monkeypatch.setattr(Host, "obey", stalled)
    with serving() as address, socket(address) as client:
        one, other = (post(address, **NEW)[1] for _ in range(2))
        for made in (one, other):
            send(client, type="watch", fight=made["fight"])
            assert said(client)["type"] == "state"
        change = {"type": "join", "fight": one["fight"], "seat": "knight_0"}
        close = {"type": "close", "fight": one["fight"], "token": one["token"]}
        threads = [threading.Thread(target=post, args=(address,), kwargs=each) for each in (change, close)]
        for waiting, thread in enumerate(threads):
            thread.start()
            until(lambda waiting=waiting: carriers[0]._working and len(carriers[0]._waiting) == waiting)
        may_join.set()
        for thread in threads:
            thread.join(PATIENCE)
        assert said(client) == {"type": "closed", "fight": one["fight"]}
        post(address, type="join", fight=other["fight"], seat="knight_0")
        state = said(client)
        assert (state["type"], state["fight"]) == ("state", other["fight"])


def test_a_fight_that_is_watched_again_while_its_end_is_told_is_followed(
    carriers: list[Games], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host fails once to tell a state, which reads as the end, and the new watch waits for the host meanwhile."""
    obey, watches = Host.obey, [0]
    may_fail, may_watch = threading.Event(), threading.Event()

    def stalled(host: Host, request: Any, client: str | None = None) -> Any:
        if isinstance(request, Watch):
            watches[0] += 1
            if watches[0] == 2:
                assert may_fail.wait(PATIENCE)
                return Refusal(id=request.id, code="internal", message="It fails once.")
            assert watches[0] != 3 or may_watch.wait(PATIENCE)
        return obey(host, request, client)

    monkeypatch.setattr(Host, "obey", stalled)
    with serving() as address, socket(address) as client:
        made = post(address, **NEW)[1]
        watch = {"type": "watch", "fight": made["fight"]}
        send(client, **watch)
        assert said(client)["type"] == "state"
        post(address, type="join", fight=made["fight"], seat="knight_0")
        until(lambda: watches[0] == 2)
        send(client, **watch)
        until(lambda: carriers[0]._waiting)
        may_fail.set()
        assert said(client)["type"] == "closed"
        until(lambda: not carriers[0]._following)
        may_watch.set()
        assert said(client)["type"] == "state"  # the answer
        assert said(client)["type"] == "state"  # in case of a change since the answer
        post(address, type="join", fight=made["fight"], seat="duelist_0")
        assert said(client)["type"] == "state"
