"""`heartrush serve` as a process, and what it says when it cannot start."""

import json
import re
import signal
import socket
import subprocess
import sys

import pytest

from tests.app.cli.running import Out, refusal
from tests.app.server.serving import ask
from tests.processes import PATIENCE, started

COMMAND = [sys.executable, "-m", "heartrush_env.app.cli.main", "serve"]


def test_a_server_answers_and_ends_at_ctrl_c() -> None:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with started(*COMMAND, "uniform", "--port", "0", **pipes) as process:
        line = process.stdout.readline()
        found = re.fullmatch(r"Serving 1 agents at (http://127\.0\.0\.1:\d+); Ctrl-C ends it\.\n", line)
        assert found, line
        assert json.loads(ask(found[1], "/version")[2])["agents"] == ["uniform"]
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130 and "Traceback" not in err, err


def test_a_port_in_use_is_one_sentence(capsys: Out) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refusal(capsys, f"serve uniform --port {port}")
    assert f"Port {port} of 127.0.0.1 is in use; --port takes another number" in said


@pytest.mark.parametrize("missing", ["starlette", "uvicorn", "msgspec"])
def test_a_missing_extra_is_named(missing: str, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    for name in list(sys.modules):
        if name.startswith(("heartrush_env.app.server", "heartrush_env.protocol")) or name.split(".")[0] == missing:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    assert "pip install 'heartrush-env[" in refusal(capsys, "serve uniform")
