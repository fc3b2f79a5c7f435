"""Tournaments: tables against those of `rate`, lotteries by hand, resuming, and what is refused."""

import json
import sys
from collections.abc import Generator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import AgentError
from heartrush_agents.tournament.cross_table import Table, rate
from heartrush_agents.tournament.pairing import Job, Outcomes, Pairing, play_pairing
from heartrush_agents.tournament.pictures import win_rates, write_pictures
from heartrush_agents.tournament.play import in_processes
from heartrush_agents.tournament.ranking import maximal_lottery, ranked, skills, tiers
from heartrush_agents.tournament.tournament import Tournament, tournament

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.errors import HeartRushError

AGENTS = ["might", "agility", "uniform"]
FEW: dict[str, Any] = {"fights": 12, "match": 2, "seed": 5, "processes": 1}


def table_of(wins: dict[tuple[str, str], list[int]], fights: int = 10) -> Table:
    """Return a table of two teams, given each pair's wins in each match of `fights` fights; the rest are losses."""
    columns = tuple(dict.fromkeys(id for cell in wins for id in cell))
    outcomes = {}
    for (row, column), won in wins.items():
        own = np.array([[[w, 0, fights - w]] for w in won])
        outcomes[row, column], outcomes[column, row] = own, own[..., ::-1]
    return Table("toy", "toy", None, "0", 1, fights, fights, ("blue", "red"), columns, outcomes, 2)


# -- ranks -------------------------------------------------------------------------------------------------------------


def test_the_lottery_of_a_circle_is_the_margin_opposite() -> None:
    """A beats B by 0.2, B beats C by 0.4 and C beats A by 0.6; each share is proportional to the other two's margin."""
    margins = np.array([[0, 0.2, -0.6], [-0.2, 0, 0.4], [0.6, -0.4, 0]])
    assert maximal_lottery(margins) == pytest.approx(np.array([0.4, 0.6, 0.2]) / 1.2)


def test_nobody_beats_the_lottery() -> None:
    drawn = np.random.default_rng(3).normal(size=(12, 12))
    margins = drawn - drawn.T
    lottery = maximal_lottery(margins)
    assert lottery.sum() == pytest.approx(1) and (lottery >= 0).all()
    assert (margins @ lottery).max() < 1e-9


def test_tiers_repeat_the_lottery_among_those_left() -> None:
    """The tiers are a circle of three, a fourth agent, and the weakest; copies of the weakest change no higher tier."""
    circle = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]) / 2
    for copies in (1, 4):
        margins = np.zeros((4 + copies, 4 + copies))
        margins[:3, :3] = circle
        margins[:3, 3:], margins[3:, :3] = 0.5, -0.5
        margins[3, 4:], margins[4:, 3] = 0.1, -0.1
        found = tiers(margins)
        assert [tier for tier, _ in found] == [1, 1, 1, 2, *[3] * copies]
        assert [share for _, share in found[:4]] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1])


def test_margins_are_wins_minus_losses_and_their_intervals_those_of_matches() -> None:
    """A wins 8 and 6 of 10 fights against B; resampled matches give 12, 14 or 16 wins of 20, so A always leads."""
    first, second = ranked([table_of({("a", "b"): [8, 6]})], seed=1)
    assert (first.id, first.tier, first.share, first.margin) == ("a", 1, 1.0, 0.0)
    assert (second.id, second.tier) == ("b", 2)
    assert second.margin == pytest.approx(-(14 - 6) / 20)
    assert (second.low, second.high) == (pytest.approx(-0.6), pytest.approx(-0.2))


def test_several_scenarios_count_alike_and_only_those_who_play_all_are_ranked() -> None:
    """A loses to B by 0.2 on one scenario and wins by 0.6 on the other, where C does not play."""
    tables = [table_of({("a", "b"): [4, 4], ("c", "a"): [9, 9], ("c", "b"): [9, 9]}), table_of({("a", "b"): [8, 8]})]
    found = ranked(tables, seed=1)
    assert [rank.id for rank in found] == ["a", "b"]
    assert found[1].margin == pytest.approx((0.2 - 0.6) / 2)


def test_ratings_are_those_of_openskill() -> None:
    """OpenSkill's documentation gives ratings of 27.63 and 22.37 after a first game of two."""
    found = skills([table_of({("a", "b"): [1]}, fights=1)], seed=1)
    assert (found["a"].mu, found["b"].mu) == (pytest.approx(27.63, abs=0.01), pytest.approx(22.37, abs=0.01))
    many = skills([table_of({("a", "b"): [9, 9], ("b", "c"): [9, 9], ("a", "c"): [10, 10]})], seed=1)
    assert many["a"].mu > many["b"].mu > many["c"].mu
    assert many["a"].sigma < found["a"].sigma < 25 / 3


def test_without_openskill_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(HeartRushError, match=r"heartrush-env\[rank\]"):
        skills([table_of({("a", "b"): [1]})], seed=1)


# -- playing -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played() -> Tournament:
    return tournament(AGENTS, ["duel"], **FEW)


def test_tables_are_those_of_rate(played: Tournament) -> None:
    table = rate(AGENTS, HeartRush("duel"), **FEW)
    assert played.tables[0].as_dict() == table.as_dict()


def test_with_more_teams_each_agent_meets_several_of_the_other_and_who_cannot_play_is_named() -> None:
    agents, few = ["might", "random"], {"fights": 10, "match": 1, "seed": 5, "processes": 1}
    found = tournament([*agents, "duelist"], ["duel", "free_for_all"], **few)
    assert found.tables[1].as_dict() == rate(agents, HeartRush("free_for_all"), **few).as_dict()
    assert list(found.stages[1].left_out) == ["duelist"] and not found.stages[0].left_out
    assert "\nLeft out of free_for_all:\n  duelist: its weights are for the shape duel" in found.as_text()
    assert {row["id"] for row in found.as_dict()["overall"]} == set(agents)


def test_a_pairing_is_plain_data(played: Tournament) -> None:
    pairing = played.stages[0].pairings[1]
    again = json.loads(json.dumps(pairing))
    assert again == pairing
    outcomes = play_pairing(again)
    assert json.loads(json.dumps(outcomes)) == outcomes and outcomes["agents"] == ["might", "uniform"]


class Interrupted:
    """An executor that is interrupted after some pairings, and keeps the pairings that it was given."""

    def __init__(self, first: int) -> None:
        self.first, self.asked = first, list[Pairing]()

    def __call__(
        self, job: Job, work: Sequence[tuple[Pairing]], processes: int
    ) -> Generator[tuple[int, Outcomes], None, None]:
        self.asked = [pairing for (pairing,) in work]
        yield from islice(in_processes(job, work, processes), self.first)
        if self.first < len(work):
            raise KeyboardInterrupt


def test_a_tournament_goes_on_where_it_was_stopped(played: Tournament, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        tournament(AGENTS, ["duel"], folder=tmp_path, executor=Interrupted(1), **FEW)
    rest, counted = Interrupted(9), list[tuple[int, int]]()
    how: dict[str, Any] = {"executor": rest, "progress": lambda *now: counted.append(now), **FEW}
    found = tournament(AGENTS, ["duel"], folder=tmp_path, **how)
    assert [pairing["agents"] for pairing in rest.asked] == [["might", "uniform"], ["agility", "uniform"]]
    assert counted == [(12, 36), (24, 36), (36, 36)]
    assert found.as_dict() == played.as_dict()


def test_another_tournament_in_the_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        tournament(AGENTS, ["duel"], folder=tmp_path, executor=Interrupted(0), **FEW)
    others: Any = ({"fights": 14}, "fights"), ({"seed": 6}, "seed"), ({"rules": {"profile": "plain"}}, "rules")
    for changed, said in others:
        with pytest.raises(AgentError, match=f"other {said}"):
            tournament(AGENTS, ["duel"], folder=tmp_path, **{**FEW, **changed})
    with pytest.raises(AgentError, match="other agents"):
        tournament(AGENTS[:2], ["duel"], folder=tmp_path, **FEW)


def test_files_that_are_not_of_this_tournament_are_refused(tmp_path: Path) -> None:
    tournament(AGENTS, ["duel"], folder=tmp_path, **FEW)
    one, other = (tmp_path / "pairings" / f"0000{place}.json" for place in (0, 1))
    one.write_bytes(other.read_bytes())
    with pytest.raises(AgentError, match="expected a pairing of this tournament"):
        tournament(AGENTS, ["duel"], folder=tmp_path, **FEW)
    one.write_text("[]")
    with pytest.raises(AgentError, match="that is not an object"):
        tournament(AGENTS, ["duel"], folder=tmp_path, **FEW)


def test_too_few_matches_for_an_interval_and_agents_that_play_nothing_are_refused() -> None:
    for agents, scenarios, few, said in (
        (
            AGENTS,
            ["duel"],
            {**FEW, "fights": 4},
            r"fights: expected at least 5 on 'duel', .* matches of 2 fights .* got 4",
        ),
        ([*AGENTS, "charger"], ["duel"], FEW, "'charger' plays none of these"),
        (["might", "charger"], ["duel"], FEW, "Expected at least two agents that play 'duel', got 1"),
        (AGENTS, ["duel", "duel"], FEW, "got one twice"),
    ):
        with pytest.raises(AgentError, match=said):
            tournament(agents, scenarios, **few)


# -- what it shows -----------------------------------------------------------------------------------------------------


def test_win_rates_of_both_sides_add_up_to_everything(played: Tournament) -> None:
    won = played.as_dict()["results"][0]["won"]
    for row in AGENTS:
        for column in set(AGENTS) - {row}:
            assert won[row][column][0] + won[column][row][0] == pytest.approx(100, abs=0.11)


@pytest.mark.long
def test_pictures_show_agents_by_rank(played: Tournament, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    found = played.as_dict()
    order = [row["id"] for row in found["results"][0]["ranking"]]
    axes = win_rates(found["results"][0]).axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == order
    shown = {text.get_position(): text.get_text() for text in axes.texts}
    assert shown[1, 0] == f"{found['results'][0]['won'][order[0]][order[1]][0]:.0f}"
    written = [path.name for path in write_pictures(found, tmp_path)]
    assert written == [f"{name}.{kind}" for name in ("won_duel", "ranks") for kind in ("png", "svg", "pdf")]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in tmp_path.glob("*.png"))
