"""`heartrush arena`: what it prints."""

from typing import Any

import pytest
from heartrush_agents import population, quick

from heartrush_env.games.heart_rush.game import HeartRush
from tests.app.cli.running import Out, as_json, printed, run

FEW = "--decisions stance --duels 2 --matches 2 --processes 1 --population might,copycat"


def test_help_names_the_population(capsys: Out) -> None:
    shown = printed(capsys, "arena --help")
    assert all(id in shown for id in population())


def test_the_even_mix_stands_beside_whoever_is_measured(capsys: Out) -> None:
    found = as_json(capsys, f"arena cunning --seed 3 {FEW}")
    assert sorted(agent["id"] for agent in found["agents"]) == ["cunning", "uniform"]
    assert (found["scenario"], found["seed"], found["duels"], found["matches"]) == ("duel", 3, 2, 2)
    assert found["population"] == ["might", "copycat"] and "held_out" not in found
    assert as_json(capsys, f"arena cunning uniform --seed 3 {FEW}") == found
    full = as_json(capsys, f"arena cunning {FEW} --decisions full")["digest"]
    assert full == HeartRush("duel").digest != HeartRush("duel", decisions="stance").digest == found["digest"]


@pytest.mark.long
def test_usually_all_agents_that_play_are_measured(capsys: Out) -> None:
    found = as_json(capsys, f"arena --rule profile=plain {FEW}")
    elsewhere = {"duelist", "classic_duelist", "marshal", "charger"}  # trained by other rules; needs a map
    assert {agent["id"] for agent in found["agents"]} == set(quick()) - elsewhere


def test_another_scenario_and_splits(capsys: Out) -> None:
    found = as_json(capsys, f"arena cunning --scenario mirror_duel --held-out 0.5 --splits 7 {FEW}")
    assert found["scenario"] == "mirror_duel"
    assert (found["held_out"]["share"], found["held_out"]["splits"]) == (0.5, 7)
    assert {agent["id"] for agent in found["held_out"]["agents"]} == {"cunning", "uniform"}


def test_a_table_for_people_and_one_for_pages(capsys: Out) -> None:
    assert run(f"arena cunning {FEW} --held-out 0.5") == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert shown.out.startswith("duel: against each of 2 bots 2 matches of 2 duels in both seats, seed ")
    assert "\n50 splits, 50 % of the members held out: aggregate scores.\n" in shown.out
    page = printed(capsys, f"arena cunning {FEW} --markdown")
    assert "\n| agent | return | exploited | by | score | learned |\n|---|" in page


@pytest.mark.long
def test_what_can_be_known_exactly(capsys: Out) -> None:
    found = as_json(capsys, f"arena cunning --rule profile=plain --scenario mirror_duel --exact {FEW}")
    assert set(found["best_responses"]) == {"might", "copycat"}
    assert found["best_responses"]["copycat"] == pytest.approx(1, abs=1e-9)  # each of its moves is foreseen
    by_id = {agent["id"]: agent for agent in found["agents"]}
    assert set(by_id["cunning"]["ratio_by_member"]) == {"might", "copycat"}
    ratio = by_id["uniform"]["exploitation_ratio"]
    assert -1 <= ratio["low"] <= ratio["value"] <= ratio["high"] <= 1


def test_an_interruption_says_so(capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: Any, progress: Any, **options: Any) -> Any:
        progress(40, 100)
        raise KeyboardInterrupt

    monkeypatch.setattr("heartrush_agents.tournament.arena.arena", interrupted)
    assert run("arena might") == 130
    interruption = "heartrush arena: interrupted after 40 duels, too soon for standings.\n"
    assert capsys.readouterr() == ("", interruption)
