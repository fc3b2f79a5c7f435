"""A second player for the starter kits, who takes a free seat in any fight, and takes time to choose."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.app.server.serving import ask
from tests.processes import PATIENCE

SECONDS_TO_CHOOSE = 0.1


@contextmanager
def guest(address: str, seat: str) -> Iterator[list[int]]:
    """Play a seat in a thread, in the first fight where it is free; yield the growing list of windows with a choice."""
    windows: list[int] = []
    gone = threading.Event()

    def told(**message: Any) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(ask(address, "/v1/host", message)[2])
        return found

    def play() -> None:
        while not (fights := told(type="fights")["fights"]) and not gone.wait(0.05):
            pass
        if not fights:
            return
        fight = fights[0]["fight"]
        token = told(type="join", fight=fight, seat=seat, name="Guest")["token"]
        while not gone.is_set() and not (state := told(type="look", fight=fight, token=token))["over"]:
            if not state["mine"]["legal"]:
                time.sleep(0.02)
                continue
            time.sleep(SECONDS_TO_CHOOSE)
            choice = state["mine"]["legal"][0]["name"]
            told(type="choose", fight=fight, token=token, window=state["window"], choice=choice)
            windows.append(state["window"])

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    try:
        yield windows
    finally:
        gone.set()
        thread.join(PATIENCE)
