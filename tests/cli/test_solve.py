"""`heartrush solve`: what it prints, writes and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heartrush_env.cli.main import main
from heartrush_env.heart_rush.game import HeartRush
from heartrush_env.solver.tablebase import Tablebase

Out = pytest.CaptureFixture[str]
PLAIN = ("--rule", "profile=plain")


def run(*words: str) -> int:
    """Run the command line in this process; returns its exit code."""
    try:
        return main(words)
    except SystemExit as end:  # argparse leaves like this
        return int(end.code or 0)


def test_help_gives_examples(capsys: Out) -> None:
    assert run("solve", "--help") == 0
    assert "examples:\n  heartrush solve duel --rule profile=plain\n" in capsys.readouterr().out


def test_a_solution_and_what_it_says_of_an_agent(capsys: Out, tmp_path: Path) -> None:
    path = tmp_path / "duel.npz"
    words = ("duel", *PLAIN, "--decisions", "stance", "--exploit", "uniform", "--out", str(path), "--json")
    assert run("solve", *words) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert printed.err == ""
    assert (found["scenario"], found["states"], found["rounds"]) == ("duel", 19200, None)
    assert abs(found["nash_conv"]) < 1e-6 and sum(found["mixes"]["knight_0"].values()) == pytest.approx(1)
    assert found["exploited"]["agent"] == "uniform" and found["exploited"]["nash_conv"] > 0.5
    assert found["exploited"]["against_the_solution"] == pytest.approx({"knight_0": 0, "duelist_0": 0}, abs=1e-9)
    assert Tablebase.load(path, HeartRush("duel", {"profile": "plain"}, decisions="stance")).value == found["value"]


def test_a_table_for_people(capsys: Out) -> None:
    assert run("solve", "mirror_duel", *PLAIN, "--decisions", "stance", "--exploit", "defensive") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "mirror_duel: 14400 states, decisions stance"
    assert lines[-1] == "  as fencer_1: loses 1.0000 to a best answer, 1.0000 to the solution"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dule", *PLAIN], "allowed: ambush, brawl"),
        (["duel"], "the setting levels is on"),
        (["melee", *PLAIN], "only duels of two are solved"),
        (["duel", *PLAIN, "--exploit", "nobody"], "There is no agent 'nobody'"),
        (["duel", *PLAIN, "--exploit", "duelist"], "cannot take a seat"),
        (["duel", *PLAIN, "--decisions", "stance", "--out", "no/such/place.npz"], "cannot be written"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(words: list[str], said: str, capsys: Out) -> None:
    assert run("solve", *words) == 2
    printed = capsys.readouterr()
    assert said in printed.err and printed.out == ""
    assert printed.err.count("\n") == 1 and printed.err.endswith(".\n") and printed.err.startswith("heartrush")
