"""`heartrush rate`: what it prints, what it refuses, and how it is interrupted."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from heartrush_agents import Agent, load

from heartrush_env.app.cli import rate
from heartrush_env.app.cli.main import main
from tests.processes import PATIENCE, started, wait_until

ROOT = Path(__file__).resolve().parents[3]
FEW = ("--fights", "8", "--match", "2", "--processes", "1")

Out = pytest.CaptureFixture[str]


def run(*words: str) -> int:
    """Run the command line in this process; returns its exit code."""
    try:
        return main(words)
    except SystemExit as end:  # argparse leaves like this
        return int(end.code or 0)


def rate_json(out: Out, *words: str) -> dict[str, Any]:
    """What `rate --json` prints."""
    assert run("rate", *words, *FEW, "--json") == 0
    parsed: dict[str, Any] = json.loads(out.readouterr().out)
    return parsed


def test_help_gives_examples(capsys: Out) -> None:
    assert run("rate", "--help") == 0
    assert "examples:\n  heartrush rate\n" in capsys.readouterr().out


def test_usually_all_agents_that_play_it_meet_in_a_duel(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = {id: load(id) for id in ("random", "might", "uniform")}
    agents["bishop"] = Agent("bishop", "Moves aslant.", agents["random"].make, games=("chess",))
    monkeypatch.setattr(rate, "quick", lambda: tuple(agents))
    monkeypatch.setattr(rate, "load", agents.__getitem__)
    found = rate_json(capsys, "--seed", "3")
    assert (found["scenario"], found["seed"], found["fights"], found["match"]) == ("duel", 3, 8, 2)
    assert found["columns"] == ["random", "might", "uniform"] and len(found["cells"]) == 6


def test_one_agent_against_some(capsys: Out) -> None:
    found = rate_json(capsys, "duel", "--agents", "might", "--against", "cunning, agility,might")
    assert [(cell["row"], cell["column"]) for cell in found["cells"]] == [("might", "cunning"), ("might", "agility")]


def test_settings_from_the_command_line(capsys: Out) -> None:
    pair = ("duel", "--agents", "might,uniform")
    plain, usual = rate_json(capsys, *pair, "--rule", "profile=plain"), rate_json(capsys, *pair)
    assert plain["digest"] != usual["digest"]
    assert rate_json(capsys, *pair) == usual


def test_a_table_for_people_and_one_for_pages(capsys: Out) -> None:
    assert run("rate", "duel", "--agents", "might,agility", *FEW) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.startswith("duel: 8 fights per cell in matches of 2, seed ")
    # Wilson's interval of 8 won out of 8 ends at 8 / (8 + 1.96**2), which is 0.676.
    assert "\nagility  100.0 ±32.4    100.0   100.0          -  100.0 ±32.4\n" in printed.out
    assert run("rate", "duel", "--agents", "might,agility", *FEW, "--markdown") == 0
    assert "\n| might | 0.0 ±32.4 | 0.0 | 0.0 | 0.0 ±32.4 | - |\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dule"], "expected ambush, brawl"),
        (["duel", "--agents", "unifrom,might"], "did you mean 'uniform'"),
        (["duel", "--agents", "might,,uniform"], "'might,,uniform' is not a list of agents"),
        (["duel", "--agents", "might,might"], "'might' twice"),
        (["duel", "--agents", "might"], "two different agents"),
        (["duel", "--against", "nobody"], "Unknown agent 'nobody'"),
        (["duel", "--fights", "0"], "at least 1"),
        (["duel", "--match", "0"], "at least 1"),
        (["duel", "--processes", "0"], "at least 1"),
        (["duel", "--seed", "-1"], "at least 0"),
        (["duel", "--seed", "9223372036854775808", *FEW], "2**63 - 1"),
        (["duel", "--rule", "profil=plain"], "did you mean 'profile'"),
        (["duel", "--json", "--markdown"], "not allowed with"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(words: list[str], said: str, capsys: Out) -> None:
    assert run("rate", *words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert printed.err.count("\n") == 1 and printed.err.endswith(".\n") and printed.err.startswith("heartrush")


@contextmanager
def rating(processes: str, step: str, instead: str) -> Iterator[subprocess.Popen[str]]:
    """A rating in a process of its own, in which a step, which stays known as `step`, is taken in another way."""
    path = os.pathsep.join([*(str(ROOT / part) for part in (".", "agents", "train")), os.environ.get("PYTHONPATH", "")])
    program = (
        "import os, pathlib, signal, sys, heartrush_agents.tournament.play as rating\n"
        "from heartrush_env.app.cli.main import main\n"
        f"step = {step}\n"
        f"{step} = {instead}\n"
        "if __name__ == '__main__': sys.exit(main(sys.argv[1:]))"
    )
    words = (sys.executable, "-c", program, "rate", "melee", "--processes", processes)
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with started(*words, env={**os.environ, "PYTHONPATH": path}, **pipes) as running:
        yield running


@contextmanager
def at_work(processes: str, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A rating that has begun."""
    begun = tmp_path / "begun"  # is there when the work has begun and, with workers, none is about to be started
    step = "rating.Plan._arguments" if processes == "1" else "rating.as_completed"
    with rating(processes, step, f"lambda *given: pathlib.Path({str(begun)!r}).touch() or step(*given)") as running:
        wait_until(lambda: begun.exists() or running.poll() is not None, "nothing was begun")
        time.sleep(0.5)  # at work by now or not, workers say nothing
        yield running


@pytest.mark.skipif(sys.platform == "win32", reason="signals a group of processes")
@pytest.mark.parametrize("processes", [pytest.param("1", marks=pytest.mark.long), "2"])
def test_an_interruption_stops_all_and_says_so(processes: str, tmp_path: Path) -> None:
    """Ctrl-C reaches the program and its workers; none of them prints anything else or stays."""
    with at_work(processes, tmp_path) as running:
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE)  # which waits for all that hold the pipes
        assert (running.returncode, out) == (130, "")
        assert re.fullmatch(r"heartrush rate: interrupted after \d+ fights, too soon for a table\.\n", err)


@pytest.mark.skipif(sys.platform == "win32", reason="signals a group of processes")
def test_an_interruption_while_workers_are_started_is_heeded_once_they_are() -> None:
    """Ctrl-C comes when the first piece of work has been handed out: the workers are there, and have run no line."""
    instead = "lambda *given: (step(*given), os.killpg(0, signal.SIGINT))[0]"
    with rating("2", "rating.ProcessPoolExecutor.submit", instead) as running:
        out, err = running.communicate(timeout=PATIENCE)
        assert (running.returncode, out) == (130, "")
        assert err == "heartrush rate: interrupted after 0 fights, too soon for a table.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize(("how", "code"), [pytest.param("SIGTERM", 143, marks=pytest.mark.long), ("SIGKILL", -9)])
def test_workers_end_with_the_rating_however_it_ends(how: str, code: int, tmp_path: Path) -> None:
    with at_work("2", tmp_path) as running:
        running.send_signal(getattr(signal, how))
        out, err = running.communicate(timeout=PATIENCE)  # which waits for all that hold the pipes
        assert (running.returncode, out) == (code, "") and "Traceback" not in err


# -- tournaments -------------------------------------------------------------------------------------------------------

TWO = ("duel", "--agents", "might,agility,charger", "--fights", "8", "--match", "2", "--processes", "1")


def test_a_folder_makes_a_tournament_that_the_same_command_repeats(tmp_path: Path, capsys: Out) -> None:
    assert run("rate", *TWO[:2], "might,agility", *TWO[3:], "--out", str(tmp_path)) == 0
    first = capsys.readouterr().out
    assert "\nRanks over duel." in first
    ratings = json.loads((tmp_path / "ratings.json").read_text())
    assert ratings["command"] == "heartrush rate duel --agents might,agility --fights 8 --match 2"
    assert ratings["results"][0]["won"]["agility"]["might"][0] == 100.0
    assert [row["id"] for row in ratings["results"][0]["ranking"]] == ["agility", "might"]
    assert run("rate", *TWO[:2], "might,agility", *TWO[3:], "--out", str(tmp_path)) == 0
    assert capsys.readouterr().out == first
    assert run("rate", *TWO[:2], "might,cunning", *TWO[3:], "--out", str(tmp_path)) == 2
    assert capsys.readouterr().err.startswith(f"heartrush: {tmp_path}: expected an empty folder or the results of this")


def test_several_scenarios_are_ranked_together(capsys: Out) -> None:
    assert run("rate", "mirror_duel", *TWO[:2], "might,agility", *TWO[3:], "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [result["scenario"] for result in found["results"]] == ["mirror_duel", "duel"]
    assert {row["id"] for row in found["overall"]} == {"might", "agility"}


@pytest.mark.parametrize("words", [("--against", "might"), ("--markdown",)])
def test_what_tournaments_do_not_have_is_refused(words: tuple[str, ...], capsys: Out) -> None:
    assert run("rate", "duel", "mirror_duel", *words) == 2
    assert f"{words[0]}: expected a single scenario" in capsys.readouterr().err


def test_who_plays_none_of_the_scenarios_is_named(capsys: Out) -> None:
    assert run("rate", *TWO, "--json", "--out", "/nowhere") == 2
    assert "'charger' plays none of these scenarios" in capsys.readouterr().err


@pytest.mark.skipif(find_spec("ray") is not None, reason="ray is installed")
def test_ray_is_asked_for_by_its_extra(capsys: Out) -> None:
    assert run("rate", "duel", "--agents", "uniform,might", "--fights", "40", "--ray") == 2
    assert capsys.readouterr().err == (
        "heartrush: --ray, in an environment of its own, needs the package 'ray': "
        "install it with pip install 'heartrush-env[ray]'.\n"
    )
