"""`heartrush arena`: what it prints and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from heartrush_agents import population, quick

from heartrush_env.app.cli import arena
from heartrush_env.app.cli import main as doors
from heartrush_env.app.cli.command import add_command
from heartrush_env.app.cli.main import OneSentence, main
from heartrush_env.games.heart_rush.game import HeartRush

FEW = ("--decisions", "stance", "--duels", "2", "--matches", "2", "--processes", "1", "--population", "might,copycat")

Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def only_this_command(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The command by itself, whatever others there are."""

    def make_parser() -> OneSentence:
        parser = OneSentence(prog="heartrush", allow_abbrev=False)
        add_command(parser.add_subparsers(dest="command", required=True), arena)
        return parser

    monkeypatch.setattr(doors, "make_parser", make_parser)
    yield


def run(*words: str) -> int:
    """Run the command line in this process; returns its exit code."""
    try:
        return main(["arena", *words])
    except SystemExit as end:  # argparse leaves like this
        return int(end.code or 0)


def arena_json(out: Out, *words: str) -> dict[str, Any]:
    """What `arena --json` prints."""
    assert run(*words, *FEW, "--json") == 0
    parsed: dict[str, Any] = json.loads(out.readouterr().out)
    return parsed


def test_help_gives_examples_and_names_the_population(capsys: Out) -> None:
    assert run("--help") == 0
    printed = capsys.readouterr().out
    assert "examples:\n  heartrush arena duelist\n" in printed
    assert all(id in printed for id in population())


def test_the_even_mix_stands_beside_whoever_is_measured(capsys: Out) -> None:
    found = arena_json(capsys, "cunning", "--seed", "3")
    assert sorted(agent["id"] for agent in found["agents"]) == ["cunning", "uniform"]
    assert (found["scenario"], found["seed"], found["duels"], found["matches"]) == ("duel", 3, 2, 2)
    assert found["population"] == ["might", "copycat"] and "held_out" not in found
    assert arena_json(capsys, "cunning", "uniform", "--seed", "3") == found


def test_usually_all_agents_that_play_are_measured(capsys: Out) -> None:
    found = arena_json(capsys, "--rule", "profile=plain")
    elsewhere = {"duelist", "classic_duelist", "marshal", "charger"}  # trained by other rules; needs a map
    assert {agent["id"] for agent in found["agents"]} == set(quick()) - elsewhere


def test_another_scenario_and_splits(capsys: Out) -> None:
    found = arena_json(capsys, "cunning", "--scenario", "mirror_duel", "--held-out", "0.5", "--splits", "7")
    assert found["scenario"] == "mirror_duel"
    assert (found["held_out"]["share"], found["held_out"]["splits"]) == (0.5, 7)
    assert {agent["id"] for agent in found["held_out"]["agents"]} == {"cunning", "uniform"}


def test_what_is_decided(capsys: Out) -> None:
    assert run("cunning", *FEW, "--decisions", "full", "--json") == 0
    full = json.loads(capsys.readouterr().out)["digest"]
    assert full == HeartRush("duel").digest != HeartRush("duel", decisions="stance").digest
    assert arena_json(capsys, "cunning")["digest"] == HeartRush("duel", decisions="stance").digest


def test_a_table_for_people_and_one_for_pages(capsys: Out) -> None:
    assert run("cunning", *FEW, "--held-out", "0.5") == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    assert printed.out.startswith("duel: against each of 2 bots 2 matches of 2 duels in both seats, seed ")
    assert "\n50 splits, 50 % of the members held out: aggregate scores.\n" in printed.out
    assert run("cunning", *FEW, "--markdown") == 0
    assert "\n| agent | return | exploited | by | score | learned |\n|---|" in capsys.readouterr().out


def test_what_can_be_known_exactly(capsys: Out) -> None:
    found = arena_json(capsys, "cunning", "--rule", "profile=plain", "--scenario", "mirror_duel", "--exact")
    assert set(found["best_responses"]) == {"might", "copycat"}
    assert found["best_responses"]["copycat"] == pytest.approx(1, abs=1e-9)  # which is seen through
    by_id = {agent["id"]: agent for agent in found["agents"]}
    assert set(by_id["cunning"]["ratio_by_member"]) == {"might", "copycat"}
    low, high = by_id["uniform"]["exploitation_ratio"]["low"], by_id["uniform"]["exploitation_ratio"]["high"]
    assert -1 <= low <= by_id["uniform"]["exploitation_ratio"]["value"] <= high <= 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["unifrom"], "did you mean 'uniform'"),
        (["might", "might"], "'might' twice"),
        (["might", "--scenario", "dule"], "expected ambush, brawl"),
        (["might", "--scenario", "free_for_all"], "for two teams"),
        (["might", "--population", "might,,uniform"], "'might,,uniform' is not a list of agents"),
        (["might", "--population", "nobody"], "Unknown agent 'nobody'"),
        (["might", "--held-out", "1"], "'1' is not a share between 0 and 1"),
        (["might", "--held-out", "much"], "'much' is not a share between 0 and 1"),
        (["might", "--splits", "0"], "at least 1"),
        (["might", "--duels", "0"], "at least 1"),
        (["might", "--matches", "1"], "at least 2"),
        (["might", "--seed", "-1"], "at least 0"),
        (["might", "--rule", "profil=plain"], "did you mean 'profile'"),
        (["might", "--json", "--markdown"], "not allowed with"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(words: list[str], said: str, capsys: Out) -> None:
    assert run(*words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert printed.err.count("\n") == 1 and printed.err.endswith(".\n") and printed.err.startswith("heartrush")


def test_an_interruption_says_so(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: Any, progress: Any, **options: Any) -> Any:
        progress(40, 100)
        raise KeyboardInterrupt

    monkeypatch.setattr("heartrush_agents.tournament.arena.arena", interrupted)
    assert run("might") == 130
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "heartrush arena: interrupted after 40 duels, too soon for standings.\n"
