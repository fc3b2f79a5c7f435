"""The page without a server, as one file and as a folder on a web space."""

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.app.cli.running import run

GATEHOUSE = Path(__file__).with_name("gatehouse.toml")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture(scope="session")
def alone(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the address of a page that is one file."""
    file = tmp_path_factory.mktemp("page") / "duel.html"
    assert run("machine page --for duel", file) == 0
    return file.as_uri()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the page, every shipped scenario and one with abilities."""
    folder = tmp_path_factory.mktemp("page") / "public"
    assert run("machine page", folder, "--scenario", GATEHOUSE) == 0
    return folder


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """Serve the folder as a web space does, which knows nothing of the page."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as space:
        thread = threading.Thread(target=space.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{space.server_port}/"
        space.shutdown()
