"""One store has one host: a second host is refused, and the first one goes on."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from heartrush_env.app.server.hosting.host import Host
from heartrush_env.tabletop.errors import HeartRushError
from tests.app.server.serving import COMMAND
from tests.app.server.test_host import AGENTS, SEED, Table
from tests.processes import PATIENCE, finished, started

SECOND = {"serve": ("serve", "uniform", "--port", "0"), "host": ("host", "uniform")}


@pytest.mark.parametrize(
    ("first", "second"), [pytest.param("serve", "host", marks=pytest.mark.long), ("host", "serve")]
)
def test_a_second_host_of_a_store_is_refused_by_naming_the_holder(first: str, second: str, tmp_path: Path) -> None:
    store = tmp_path / "fights"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with started(*COMMAND, *SECOND[first], "--store", str(store), **pipes) as holder:
        assert holder.stdin is not None and holder.stdout is not None
        if first == "host":
            holder.stdin.write('{"type": "fights"}\n')
            holder.stdin.flush()
        holder.stdout.readline()
        refused = finished(*COMMAND, *SECOND[second], "--store", str(store), input="", text=True)
        assert refused.returncode == 2
        sentence = f"{store}: expected one process at a time, but the process {holder.pid} hosts fights there."
        assert refused.stderr == f"heartrush: {sentence}\n"
        holder.send_signal(signal.SIGKILL)
        holder.wait(PATIENCE)
    assert finished(*COMMAND, *SECOND["host"], "--store", str(store), input="", text=True).returncode == 0


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="the file system has no links")
def test_a_store_under_another_name_is_the_same_store(tmp_path: Path) -> None:
    host = Host(tmp_path / "fights", AGENTS)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "other").symlink_to(tmp_path / "fights")
    with pytest.raises(HeartRushError, match=f"the process {os.getpid()} hosts fights there"):
        Host(tmp_path / "elsewhere" / "other", AGENTS)
    host.close()
    Host(tmp_path / "elsewhere" / "other", AGENTS).close()


def test_a_host_that_was_refused_leaves_the_fights_of_the_first_alone(tmp_path: Path) -> None:
    table = Table(Host(tmp_path / "fights", AGENTS), seed=SEED)
    for _ in range(2):
        with pytest.raises(HeartRushError, match="one process at a time"):
            Host(tmp_path / "fights", AGENTS)
    table.play(lambda seat, legal: legal[0])
    assert table.look()["over"]
    table.host.close()


def test_a_store_that_cannot_be_opened_is_not_held(tmp_path: Path) -> None:
    (tmp_path / "fights").write_text("no store, but long enough to be read as something " * 10, encoding="utf-8")
    for _ in range(2):
        with pytest.raises(HeartRushError, match="cannot be used as a store of fights"):
            Host(tmp_path / "fights", AGENTS)
    assert [path.name for path in tmp_path.iterdir()] == ["fights"]


def test_hosts_in_memory_do_not_meet() -> None:
    for host in (Host(agents=AGENTS), Host(agents=AGENTS)):
        assert Table(host).look()["type"] == "state"
