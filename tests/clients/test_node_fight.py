"""The starter kit for Node plays whole fights on a real server, and shows what the record of the fight says."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from heartrush_env.app.cli.main import main
from tests.clients.unreliable import unreliable
from tests.processes import finished

CLIENTS = Path(__file__).resolve().parents[2] / "clients"
NODE = shutil.which("node")


def with_websocket() -> list[str]:
    """Return the command of a Node that has WebSocket, or an empty list if none is installed."""
    for command in ([str(NODE)], [str(NODE), "--no-warnings", "--experimental-websocket"]) if NODE else ():
        if finished(*command, "-p", "typeof WebSocket", encoding="utf-8").stdout.strip() == "function":
            return command
    return []


NODE_COMMAND = with_websocket()
needs_node = pytest.mark.skipif(not NODE_COMMAND, reason="no Node with a WebSocket is installed here")


def retold(record: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Replay a recorded fight, and return the narration of its rounds."""
    capsys.readouterr()
    assert main(["replay", str(record)]) == 0
    *lines, seed = capsys.readouterr().out.splitlines()
    assert seed.startswith("As recorded: ")
    return lines[lines.index("Round 1") :]


def node(address: str, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    program = str(CLIENTS / "javascript" / "fight.mjs")
    return finished(*NODE_COMMAND, program, "--server", address, *words, input=typed, encoding="utf-8")


@needs_node
@pytest.mark.parametrize("scenario", ["duel", pytest.param("bridge", marks=pytest.mark.long)])
def test_a_node_program_plays_a_fight_through_the_websocket(
    scenario: str, address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "fight.hrr"
    done = node(address, "--auto", "--scenario", scenario, "--enemy", "uniform", "--record", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    first, _, *told = done.stdout.splitlines()
    assert first.startswith("You are knight_0; watch at http://")
    assert told == retold(file, capsys)


@needs_node
@pytest.mark.parametrize(
    "restart", [pytest.param(False, id="cut"), pytest.param(True, id="restarted", marks=pytest.mark.long)]
)
def test_a_fight_goes_on_after_lost_connections(
    restart: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "fight.hrr"
    with unreliable(tmp_path / "fights.sqlite", restart=restart) as relay:
        done = node(relay.address, "--auto", "--enemy", "uniform", "--record", str(file))
        assert done.returncode == 0 and relay.cuts > 5
    assert done.stderr == "The connection is lost; trying again.\n" * relay.cuts
    assert done.stdout.splitlines()[2:] == retold(file, capsys)


@needs_node
def test_a_person_plays_it_by_numbers(address: str) -> None:
    done = node(address, typed="9\nnothing\n2\n")
    stance, *later = re.findall(r"^Round \d+, (\w+):$", done.stdout, re.MULTILINE)
    assert stance == "stance" and done.stdout.count("> ") >= 3  # two invalid answers and a valid one
    assert "Stances: Knight agility" in done.stdout
    assert done.returncode == 1 and done.stderr == "The fight goes on without you: there is nothing left to read.\n"
    assert later


@needs_node
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--scenario", "ballet"], "Expected a scenario out of ambush, "),
        (["--enemy", "nobody"], "agents.duelist_0: expected uniform, duelist or random, got 'nobody'."),
        (["--server", "http://127.0.0.1:1"], "There is no connection to http://127.0.0.1:1."),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(words: list[str], sentence: str, address: str) -> None:
    done = node(address, *words)
    assert done.returncode == 1 and done.stderr.startswith(sentence) and done.stderr.count("\n") == 1
