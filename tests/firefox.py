"""Firefox for tests of pages, by the protocol WebDriver BiDi, which it speaks itself.

The driver of the other tests of pages drives only a Firefox of its own.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

client = pytest.importorskip("websockets.sync.client")
FIREFOX = shutil.which("firefox") or shutil.which("firefox-esr")
needs_firefox = pytest.mark.skipif(FIREFOX is None, reason="no Firefox is installed here")
PATIENCE = 60  # seconds
LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


class Page:
    """A page in Firefox, with the errors that it logs."""

    def __init__(self, connection: Any) -> None:
        """Take the only page of a browser that has just begun."""
        self._connection, self._sent, self.errors = connection, 0, list[str]()
        self.ask("session.new", capabilities={})
        self._page = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        self.ask("session.subscribe", events=["log.entryAdded"])

    def ask(self, method: str, **parameters: Any) -> Any:
        """Send a command, and return its result."""
        self._sent += 1
        self._connection.send(json.dumps({"id": self._sent, "method": method, "params": parameters}))
        while True:
            said = json.loads(self._connection.recv(timeout=PATIENCE))
            if said["type"] == "event" and said["params"].get("level") == "error":
                self.errors.append(str(said["params"]["text"]))
            if said.get("id") == self._sent:
                assert said["type"] == "success", said
                return said["result"]

    def open(self, address: str, size: Mapping[str, int]) -> None:
        """Open an address in a window of a size."""
        self.ask("browsingContext.setViewport", context=self._page, viewport=dict(size))
        self.ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def run(self, script: str) -> Any:
        """Return the JSON-able value of an expression in the page."""
        expression = f"(async () => JSON.stringify(await ({script}) ?? null))()"
        target = {"context": self._page}
        said = self.ask("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert said["type"] == "success", said
        return json.loads(said["result"]["value"])

    def press(self, key: str) -> None:
        """Press a key."""
        steps = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keys", "actions": steps})

    def click(self, x: float, y: float) -> None:
        """Click at a place of the window."""
        steps = [{"type": "pointerMove", "x": round(x), "y": round(y)}]
        steps += [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        self._act({"type": "pointer", "id": "mouse", "actions": steps})

    def _act(self, device: Mapping[str, Any]) -> None:
        self.ask("input.performActions", context=self._page, actions=[device])


@contextmanager
def opened() -> Iterator[Page]:
    """Run Firefox for the length of a block, and check at the end that its page logged no errors."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [str(FIREFOX), "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            try:
                listens = next(found for line in process.stderr if (found := LISTENS.search(line)))
                with client.connect(f"{listens[1]}/session", max_size=None) as connection:
                    page = Page(connection)
                    yield page
            finally:
                process.terminate()
    assert page.errors == []
