"""`heartrush rate`: what it prints, and how it is interrupted."""

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
from tests.app.cli.running import Out, as_json, printed, refusal, run
from tests.processes import PATIENCE, environment, started, wait_until

FEW = "--fights 8 --match 2 --processes 1"


def test_usually_all_agents_that_play_it_meet_in_a_duel(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    agents = {id: load(id) for id in ("random", "might", "uniform")}
    agents["bishop"] = Agent("bishop", "Moves aslant.", agents["random"].make, games=("chess",))
    monkeypatch.setattr(rate, "quick", lambda: tuple(agents))
    monkeypatch.setattr(rate, "load", agents.__getitem__)
    found = as_json(capsys, f"rate --seed 3 {FEW}")
    assert (found["scenario"], found["seed"], found["fights"], found["match"]) == ("duel", 3, 8, 2)
    assert found["columns"] == ["random", "might", "uniform"] and len(found["cells"]) == 6


def test_one_agent_against_some(capsys: Out) -> None:
    found = as_json(capsys, f"rate duel --agents might {FEW} --against", "cunning, agility,might")
    assert [(cell["row"], cell["column"]) for cell in found["cells"]] == [("might", "cunning"), ("might", "agility")]


def test_settings_from_the_command_line(capsys: Out) -> None:
    pair = f"rate duel --agents might,uniform {FEW}"
    plain, usual, again = as_json(capsys, f"{pair} --rule profile=plain"), as_json(capsys, pair), as_json(capsys, pair)
    assert plain["digest"] != usual["digest"] and again == usual


def test_a_table_for_people_and_one_for_pages(capsys: Out) -> None:
    assert run(f"rate duel --agents might,agility {FEW}") == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert shown.out.startswith("duel: 8 fights per cell in matches of 2, seed ")
    # Wilson's interval of 8 won out of 8 ends at 8 / (8 + 1.96**2), which is 0.676.
    assert "\nagility  100.0 ±32.4    100.0   100.0          -  100.0 ±32.4\n" in shown.out
    page = printed(capsys, f"rate duel --agents might,agility {FEW} --markdown")
    assert "\n| might | 0.0 ±32.4 | 0.0 | 0.0 | 0.0 ±32.4 | - |\n" in page


@contextmanager
def rating(processes: str, step: str, instead: str) -> Iterator[subprocess.Popen[str]]:
    """Start a rating in its own process, with the function `step` replaced by `instead`, which may call `step`."""
    program = (
        "import os, pathlib, signal, sys, heartrush_agents.tournament.play as rating\n"
        "from heartrush_env.app.cli.main import main\n"
        f"step = {step}\n"
        f"{step} = {instead}\n"
        "if __name__ == '__main__': sys.exit(main(sys.argv[1:]))"
    )
    words = (sys.executable, "-c", program, "rate", "melee", "--processes", processes)
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with started(*words, env=environment(), **pipes) as running:
        yield running


@contextmanager
def at_work(processes: str, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a rating, and wait until its work has begun."""
    begun = tmp_path / "begun"  # exists once the work has begun and all workers have been started
    step = "rating.Plan._arguments" if processes == "1" else "rating.as_completed"
    with rating(processes, step, f"lambda *given: pathlib.Path({str(begun)!r}).touch() or step(*given)") as running:
        wait_until(lambda: begun.exists() or running.poll() is not None, "nothing was begun")
        time.sleep(0.5)  # workers print nothing, whether or not they are at work by now
        yield running


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals a group of processes")
@pytest.mark.parametrize("processes", [pytest.param("1", marks=pytest.mark.long), "2"])
def test_an_interruption_stops_all_and_says_so(processes: str, tmp_path: Path) -> None:
    """On Ctrl-C the program and its workers end, and the only output is one line about the interruption."""
    with at_work(processes, tmp_path) as running:
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE)  # this waits for all that hold the pipes
        assert (running.returncode, out) == (130, "")
        assert re.fullmatch(r"heartrush rate: interrupted after \d+ fights, too soon for a table\.\n", err)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="signals a group of processes")
def test_an_interruption_while_workers_are_started_is_heeded_once_they_are() -> None:
    """Ctrl-C comes when the first job is submitted: the workers exist, but have not run any code yet."""
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
        out, err = running.communicate(timeout=PATIENCE)  # this waits for all that hold the pipes
        assert (running.returncode, out) == (code, "") and "Traceback" not in err


# -- tournaments -------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_a_folder_makes_a_tournament_that_the_same_command_repeats(tmp_path: Path, capsys: Out) -> None:
    words = f"rate duel --agents might,agility {FEW} --out"
    first = printed(capsys, words, tmp_path)
    assert "\nRanks over duel." in first
    ratings = json.loads((tmp_path / "ratings.json").read_text())
    assert ratings["command"] == "heartrush rate duel --agents might,agility --fights 8 --match 2"
    assert ratings["results"][0]["won"]["agility"]["might"][0] == 100.0
    assert [row["id"] for row in ratings["results"][0]["ranking"]] == ["agility", "might"]
    assert printed(capsys, words, tmp_path) == first
    said = refusal(capsys, words.replace("agility", "cunning"), tmp_path)
    assert said.startswith(f"heartrush: {tmp_path}: expected an empty folder or the results of this")


def test_several_scenarios_are_ranked_together(capsys: Out) -> None:
    found = as_json(capsys, f"rate mirror_duel duel --agents might,agility {FEW}")
    assert [result["scenario"] for result in found["results"]] == ["mirror_duel", "duel"]
    assert {row["id"] for row in found["overall"]} == {"might", "agility"}


@pytest.mark.skipif(find_spec("ray") is not None, reason="ray is installed")
def test_ray_is_asked_for_by_its_extra(capsys: Out) -> None:
    assert refusal(capsys, "rate duel --agents uniform,might --fights 40 --ray") == (
        "heartrush: --ray, in an environment of its own, needs the package 'ray': "
        "install it with pip install 'heartrush-env[ray]'.\n"
    )
