"""Cards of agents: figures against those of `rate`, timing, the pages of agents, and what is refused."""

import json
import time
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import Agent, AgentError, Player, available, load
from heartrush_agents.cards import card_file, measured_ids, read_measured, thinks_by_the_clock
from heartrush_agents.tournament.cross_table import rate
from heartrush_train import cards
from heartrush_train.cards import Clock, measure, stages_of
from heartrush_train.export import in_percent
from heartrush_train.habits import habits
from heartrush_train.heart_rush.scores import exact

from heartrush_env.app.cli import card_page
from heartrush_env.app.cli.card_page import as_markdown, listed, worst
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.game import Observation
from tests.app.cli.running import Out, as_json, printed, refusal

CHEAP = ("might", "agility", "cunning", "uniform", "weighted", "turtle")  # opponents whose fights take milliseconds
QUICK = 0.4  # milliseconds for a decision: fights of slower agents take long
LONG = {"profile", "edition"}  # settings that have to be solved or compiled first

Cells = dict[str, Any]


def rebuilt(id: str, cells: Cells, other: str) -> list[float]:
    """Return a figure of a card, computed again with `rate`."""
    game = HeartRush(cells["scenario"], cells["rules"])
    how = {name: cells[name] for name in ("fights", "match", "seed")}
    score = rate([id], game, against=[other], processes=1, **how).cell(id, other)
    assert score is not None
    return in_percent(score)


def sampled(id: str) -> Any:
    """Return the id as a test parameter, marked as long if its fights or its solution take long."""
    card = read_measured(id)
    long = card["speed"]["median_ms"] > QUICK or not LONG.isdisjoint(card["against"][0]["rules"])
    return pytest.param(id, marks=pytest.mark.long) if long else id


@pytest.mark.parametrize("id", [sampled(id) for id in measured_ids()])
def test_a_sampled_figure_of_each_card_is_rebuilt(id: str) -> None:
    cells = read_measured(id)["against"][0]
    others = [other for other in CHEAP if other in cells["won"]]
    other = others[zlib.crc32(id.encode()) % len(others)]
    assert rebuilt(id, cells, other) == cells["won"][other]


@pytest.mark.long
@pytest.mark.parametrize("id", measured_ids())
def test_every_figure_of_each_card_is_rebuilt(id: str) -> None:
    card, agent = read_measured(id), load(id)
    for cells in card["against"]:
        for other, won in cells["won"].items():
            assert rebuilt(id, cells, other) == won, (cells["scenario"], other)
    seen = card["habits"]
    teams = len(set((game := HeartRush(seen["scenario"], seen["rules"])).teams))
    again = habits(agent, game, fights=seen["fights"] // teams, seed=seen["seed"])
    assert {**seen, "p_value": 0} == {**seen, **again, "p_value": 0}
    for found in card["exact"]:
        here = exact(agent, found["scenario"], found["rules"])
        assert here is not None
        assert here["nash_conv"] == pytest.approx(found["nash_conv"], abs=card["tolerance"]["nash_conv"])


@pytest.mark.long
def test_every_shipped_agent_has_a_card_that_is_up_to_date() -> None:
    assert [id for id in available() if not (listed(id) or thinks_by_the_clock(id))] == []


# -- measuring ---------------------------------------------------------------------------------------------------------


def test_a_card_holds_what_its_parts_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cards, "STAGES", (("duel", {}, 20),))
    monkeypatch.setattr(cards, "PANEL", ("might", "uniform", "charger"))
    monkeypatch.setattr(cards, "STANDARD_DUELS", ())
    monkeypatch.setattr(cards, "OBSERVED", 2)
    card = json.loads(json.dumps(measure("might", seed=3)))
    (cells,) = card["against"]
    assert list(cells["won"]) == ["uniform"]  # neither itself nor agents that cannot play here
    assert cells["won"]["uniform"] == rebuilt("might", cells, "uniform") and cells["seed"] == 3
    assert card["measured"]["command"] == "heartrush agent card might --measure --seed 3"
    assert card["habits"]["foreseen"] == 100.0 and card["habits"]["fights"] == 4
    assert card["weights"] is None and card["speed"]["decisions"] > 0
    assert "duel" in card["plays"] and "warband" in card["plays"]


def test_only_decisions_with_a_choice_are_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock advances by one second at each reading, so each timed decision takes one second."""
    ticks = iter(range(1000))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(ticks)))

    class Idle(Player):
        def policy(self, observation: Observation) -> Any:
            return observation["action_mask"] / observation["action_mask"].sum()

    clock = Clock()
    player = clock.on(Agent("idle", "Idles.", Idle)).seat(HeartRush("duel"))
    for mask in ([1, 0], [1, 1], [0, 1], [1, 1]):
        player.act({"observation": np.zeros(2), "action_mask": np.array(mask, np.int8)}, np.random.default_rng(1))
    assert clock.seconds == [1.0, 1.0] and clock.median() == 1.0


def test_agents_are_measured_where_they_play() -> None:
    assert [stage[0] for stage in stages_of(load("uniform"))] == ["duel", "brawl"]
    assert [stage[0] for stage in stages_of(load("charger"))] == ["skirmish"]
    assert stages_of(load("equilibrium"))[0][1] == {"profile": "plain"}
    assert stages_of(load("classic_duelist"))[0][1] == {"edition": "classic"}
    with pytest.raises(AgentError, match="thinks by the clock"):
        measure("thinker")
    with pytest.raises(AgentError, match="plays none of the games that cards"):
        stages_of(Agent("bishop", "Moves aslant.", load("random").make, games=("chess",)))


@pytest.mark.long
def test_an_agent_that_weighs_dice_in_each_decision_is_not_read_in_every_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The gambler mixes in nearly every state, so its policy in all states takes more than 15 minutes to compute."""
    from heartrush_agents.heart_rush.exact import best_response

    from heartrush_env.research.recall import policies

    monkeypatch.setattr(policies, "seated_player", lambda seat, game: (seat(game), policies.Recall(0)))
    monkeypatch.setattr(best_response, "readings", lambda *_: pytest.fail("it is read in every state"))
    said: list[str] = []
    assert exact(load("gambler"), "duel", {"profile": "plain"}, said.append) is None
    (line,) = said
    assert line.startswith("no exact figure, because it weighs the dice of each decision")


# -- pages -------------------------------------------------------------------------------------------------------------


def cells_of(won: dict[str, list[float]]) -> Cells:
    return {"scenario": "duel", "rules": {}, "fights": 100, "match": 5, "seed": 1, "won": won}


def test_the_worst_opponents_come_first() -> None:
    card = {"against": [cells_of({"a": [60, 0, 0], "b": [10, 0, 0]}), cells_of({"c": [30, 0, 0], "d": [70, 0, 0]})]}
    assert [other for _, other, _ in worst(card)] == ["b", "c", "a"]


def test_a_lower_bound_is_labelled() -> None:
    card = read_measured("duelist")
    said = {"label": "learned lower bound: 9 samples", "response": {"red": [0.5, 0.4, 0.6]}, "won": [75.0, 70.0, 80.0]}
    bound = {"scenario": "duel", "rules": {}, **said}
    page = as_markdown({**card, "learned": bound, "against": [cells_of({"a": [40.0, 30.0, 50.0]})]})
    assert "A learner wins +0.500 (+0.400 to +0.600) of it as red per fight on `duel` (learned lower bound: 9" in page
    assert "samples). It wins 75.0 (70.0 to 80.0) % of the fights." in page
    assert "Lower bound by the bots above: `a` wins +0.20 per fight from it on `duel`." in page
    assert card["weights"]["sha256"] in page and card["weights"]["training"]["command"] in page


def test_cards_of_other_weights_are_out_of_date(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(card_file("duelist")).parents[1] / "weights" / "duelist"
    assert card_file(str(folder)) == folder / "measured.json"
    assert listed("duelist")
    card = read_measured("duelist")
    monkeypatch.setattr(card_page, "read_measured", lambda id: {**card, "weights": {**card["weights"], "sha256": "0"}})
    assert not listed("duelist")


def test_a_card_is_printed_as_a_page_and_as_json(capsys: Out) -> None:
    assert printed(capsys, "agent card might").startswith("# `might`\n")
    assert as_json(capsys, "agent card might") == read_measured("might")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "expected an agent's id or folder, or --measure"),
        ("nobody", "Unknown agent 'nobody'"),
        ("duelist@mistakes=0.5", "has no card of its own"),
        ("best_response:uniform", "has no card of its own"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(words: str, said: str, capsys: Out) -> None:
    assert said in refusal(capsys, f"agent card {words}")


def test_a_missing_or_damaged_card_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("heartrush_agents.cards.card_file", lambda id: tmp_path / "card.json")
    with pytest.raises(AgentError, match="`heartrush agent card might --measure` makes it"):
        read_measured("might")
    for content, said in (
        ("{", "invalid JSON"),
        ("[]", "that is not an object"),
        ('{"format": "x"}', "with format heartrush-agent-card"),
    ):
        (tmp_path / "card.json").write_text(content)
        with pytest.raises(AgentError, match=said):
            read_measured("might")
