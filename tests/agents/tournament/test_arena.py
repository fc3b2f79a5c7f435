"""The arena: measures by hand, duels against the cross table, hold-out splits, and warnings."""

import json
import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from heartrush_agents import Agent, AgentError, Player, load, population
from heartrush_agents.heart_rush.roster import OF_SOLVED_DUELS
from heartrush_agents.registry import left_out
from heartrush_agents.tournament import play
from heartrush_agents.tournament.arena import arena, ends_of_duels
from heartrush_agents.tournament.cross_table import rate
from heartrush_agents.tournament.standings import (
    Standings,
    aggregate_score,
    exploitability,
    measured,
    population_return,
    resampled,
    splits,
)

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.game import Game, Observation
from tests.toy_game import ToyGame

DUEL = HeartRush("duel", decisions="stance")


class Waking(Player):
    """A player that hides in the first two duels of each match, and takes agility in all later ones."""

    begun = 0

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.asleep, self.awake = load("defensive").seat(game), load("agility").seat(game)

    def new_match(self) -> None:
        self.begun = 0

    def new_fight(self) -> None:
        self.begun += 1

    def policy(self, observation: Observation) -> Any:
        return (self.awake if self.begun > 2 else self.asleep).policy(observation)


WAKING = Agent("waking", "Wakes.", Waking)


def imagined(made: Mapping[str, Any], members: tuple[str, ...], undecided: float = 0.0) -> Standings:
    """Return standings with these returns of agents, broadcast to (members, matches, seatings, duels)."""
    returns = {id: np.broadcast_to(np.asarray(each, float), (len(members), 4, 2, 3)) for id, each in made.items()}
    nothing = {id: np.full(len(members), undecided) for id in made}
    return Standings("heart_rush", "table", None, "0", 7, members, returns, nothing)


def against(*returns: float) -> Any:
    """Return a constant return for each member, (members, 1, 1, 1)."""
    return np.array(returns)[:, None, None, None]


# -- measures ----------------------------------------------------------------------------------------------------------


def test_the_measures_of_a_small_table() -> None:
    """By hand: the returns 1, 0 (against itself), -0.4 and 0.2 have the mean 0.2, and the third member wins 0.4."""
    returns = np.array([1.0, 0.0, -0.4, 0.2])
    assert population_return(returns) == pytest.approx(0.2)
    assert exploitability(returns) == pytest.approx(0.4)
    assert aggregate_score(returns) == pytest.approx(-0.2)
    many = np.stack([returns, -returns])
    assert aggregate_score(many) == pytest.approx([-0.2, -1.2])
    assert exploitability(np.array([1.0, 0.5])) == -0.5  # a winner from all is exploited by less than nothing
    assert exploitability(np.array([1.0, 0.5, 0.0])) == 0  # unless it is a member, whose return against itself is 0


@pytest.mark.parametrize(
    ("mean", "exploited", "score"),
    [
        (288.15, 3.65, 284.50),  # greenberg
        (255.00, 5.01, 250.00),  # iocainebot
        (196.36, 36.66, 159.70),  # biopic
        (232.25, 111.71, 120.54),  # phasenbott
        (0.23, 1.20, -0.96),  # randbot
        (-610.12, 1000.00, -1610.12),  # rockbot
    ],
)
def test_the_scores_of_the_repeated_rock_paper_scissors_benchmark(mean: float, exploited: float, score: float) -> None:
    """For rows of the table of Lanctot et al. 2023, 43 returns with a row's mean and worst return give its score."""
    rest = (43 * mean + exploited) / 42
    returns = np.array([-exploited] + [rest] * 42)
    assert exploitability(returns) == pytest.approx(exploited)
    assert population_return(returns) == pytest.approx(mean)
    assert aggregate_score(returns) == pytest.approx(score, abs=0.011)  # printed with two decimals each


def test_agents_stand_by_their_scores_with_their_exploiters() -> None:
    table = imagined({"low": against(1, -1), "high": against(0.5, 0)}, ("one", "other"))
    assert table.agents == ("high", "low")
    assert table.exploiter("low") == "other"
    assert (table.matches, table.duels) == (4, 3)
    assert table.population_return("high") == pytest.approx((0.25, 0.25, 0.25))  # all matches were equal
    assert table.aggregate_score("low").value == -1


def test_the_curve_and_what_was_learned() -> None:
    """By hand: the three duels of every match return -1, 0 and 1, so the last third, the third duel, gains 2."""
    table = imagined({"pupil": np.array([-1.0, 0.0, 1.0])}, ("one",))
    assert table.curve("pupil") == [-1, 0, 1]
    assert table.learned("pupil") == (2, 2, 2)


def test_intervals_are_over_matches_drawn_together() -> None:
    """By hand: in each match one member returns 1 and the other -1, so their mean has no variance."""
    split = np.array([[1.0, -1.0, 1.0, -1.0], [-1.0, 1.0, -1.0, 1.0]])[:, :, None, None]
    table = imagined({"agent": split}, ("one", "other"))
    assert table.population_return("agent") == pytest.approx((0, 0, 0))
    assert table.exploitability("agent").high == 1  # if only matches of one kind are drawn


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    """In 300 samples of 20 normal values, percentile intervals contain the true mean a little less often than 95 %."""
    chance, held = np.random.default_rng(2), 0
    for number in range(300):
        values = chance.normal(0.3, 1.0, 20)
        _, low, high = measured(values.mean(), resampled(values, number))
        held += low <= 0.3 <= high
    assert 0.89 <= held / 300 <= 0.97


# -- playing -----------------------------------------------------------------------------------------------------------


def test_the_duels_are_those_of_the_cross_table() -> None:
    """In each match, wins minus losses equal those of the cross table, which is tested against single environments."""
    standings = arena(["uniform"], DUEL, population=["might", "markov_1"], duels=3, matches=5, seed=11, processes=1)
    table = rate(["uniform"], DUEL, against=["might", "markov_1"], fights=30, match=3, seed=11, processes=1)
    for place, member in enumerate(("might", "markov_1")):
        counts = table.outcomes["uniform", member]  # (matches, teams, 3)
        assert np.array_equal(standings.returns["uniform"][place].sum(axis=2), counts[..., 0] - counts[..., 2])


def test_duels_are_told_apart_by_their_number_in_a_match() -> None:
    """The agent loses the two duels of each match in which it hides, and is about even with agility in the others."""
    standings = arena([WAKING], DUEL, population=["agility"], duels=5, matches=10, processes=1)
    curve = standings.curve("waking")
    assert curve[:2] == [-1, -1]
    assert all(abs(made) < 0.7 for made in curve[2:])  # of 20 duels: three standard deviations
    assert standings.learned("waking").low > 0


def test_a_member_meets_itself_evenly_and_unplayed() -> None:
    asked: list[tuple[int, int]] = []
    both, few = ["might", "cunning"], {"duels": 2, "matches": 3, "processes": 1}
    standings = arena(both, DUEL, population=both, **few, progress=lambda *done: asked.append(done))
    assert not standings.returns["might"][0].any() and standings.returns["might"][1].any()
    assert asked[-1] == (12, 12)  # both seats, once for both agents
    assert np.array_equal(
        standings.returns["might"][1][:, [0, 1]], -standings.returns["cunning"][0][:, [1, 0]]
    )  # what the one wins in a seat, the other loses in the other


def test_who_hides_from_who_hides_ends_undecided() -> None:
    ends = ends_of_duels(DUEL, [load("defensive"), load("default")], (2, 2), 5, 0)
    assert ends.tolist() == [[[0, 1], [0, 1]]] * 2
    ends = ends_of_duels(DUEL, [load("might"), load("defensive")], (2, 2), 5, 0)
    assert ends.tolist() == [[[1, 0], [1, 0]]] * 2
    standings = arena(["defensive"], DUEL, population=["default", "might"], duels=1, matches=2, processes=1)
    assert standings.undecided["defensive"].tolist() == [1, 0]


@pytest.mark.long  # tests/agents/tournament/test_cross_table.py holds it for ratings
def test_the_number_of_processes_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other agents and smaller pieces of work do not change an agent's returns either."""
    monkeypatch.setattr(play, "MATCHES_TOGETHER", 2)
    common: dict[str, Any] = {"population": ["might", "second_guesser"], "duels": 3, "matches": 3}
    one = arena(["uniform"], DUEL, processes=1, **common)
    two = arena(["uniform"], DUEL, processes=2, **common)
    assert json.dumps(one.as_dict()) == json.dumps(two.as_dict())
    more = arena(["might", "uniform"], DUEL, processes=1, **common)
    assert np.array_equal(one.returns["uniform"], more.returns["uniform"])
    other = arena(["uniform"], DUEL, processes=1, seed=3, **common)
    assert not np.array_equal(one.returns["uniform"], other.returns["uniform"])


def test_usually_all_of_the_population_is_met(monkeypatch: pytest.MonkeyPatch) -> None:
    met: list[str] = []

    def seen(game: Game, agents: Any, matches: Any, seed: int, number: int) -> Any:
        met.extend(agent.id for agent in agents)
        return np.zeros((len(matches), matches[0], 2), np.int8)

    monkeypatch.setattr("heartrush_agents.tournament.arena.ends_of_duels", seen)
    assert arena([WAKING], DUEL, duels=1, matches=2, processes=1).population == population()
    assert set(met) == {"waking", *population()}


@pytest.mark.parametrize(
    ("agents", "options", "said"),
    [
        (["might"], {"population": ["might"]}, "two different agents"),
        (["might", "might"], {}, "'might' twice"),
        (["nobody"], {}, "Unknown agent 'nobody'"),
        (["might"], {"matches": 1}, "at least 2"),
        (
            ["might"],
            {"game": ToyGame(num_seats=3, team_names=("a", "b", "c"))},
            "expected a scenario of two teams, got 'table' with 3",
        ),
        (["might"], {"game": ToyGame()}, "it plays heart_rush, not hidden_hands"),
        (["frequency"], {"game": HeartRush("duel", memory=0)}, "memory=0 shows none"),
    ],
)
def test_what_is_refused(agents: list[str], options: dict[str, Any], said: str) -> None:
    with pytest.raises(AgentError, match=said):
        arena(agents, **{"game": DUEL, "processes": 1, **options})


# -- splits ------------------------------------------------------------------------------------------------------------


def test_splits_part_the_population_and_differ() -> None:
    members = population()
    found = splits(members, 10 / 43, 50, seed=1)
    assert len(found) == 50
    for training, held in found:
        assert sorted([*training, *held]) == sorted(members)
        assert len(held) == round(10 / 43 * len(members))
    assert len({tuple(held) for _, held in found}) == 50
    assert found == splits(members, 10 / 43, 50, seed=1) != splits(members, 10 / 43, 50, seed=2)
    assert {len(held) for _, held in splits(("a", "b", "c"), 0.01, 3)} == {1}
    assert {len(held) for _, held in splits(("a", "b", "c"), 0.99, 3)} == {2}


@pytest.mark.parametrize(("members", "share"), [(("a", "b"), 0.0), (("a", "b"), 1.0), (("a",), 0.5)])
def test_what_cannot_be_split_is_refused(members: tuple[str, ...], share: float) -> None:
    with pytest.raises(AgentError, match=r"^held_out: "):
        splits(members, share, 1)


def test_held_out_scores_by_hand() -> None:
    """One of two members is held out, so the lopsided agent's score is 2 or -2, depending on the member.

    The other agent always scores 0. So the agent that is best in training scores 2 less than the best on the held-out
    member.
    """
    table = imagined({"lopsided": against(1, -1), "level": against(0, 0)}, ("one", "other"))
    found = table.held_out(0.5, 40)
    first = np.mean([held == ["one"] for _, held in splits(("one", "other"), 0.5, 40, seed=7)])
    assert 0 < first < 1
    assert found.held_out["lopsided"] == pytest.approx(2 * first - 2 * (1 - first))
    assert found.training["lopsided"] == pytest.approx(2 * (1 - first) - 2 * first)
    assert found.deviation["lopsided"] == pytest.approx(4 * math.sqrt(first * (1 - first)))
    assert (found.held_out["level"], found.deviation["level"]) == (0, 0)
    assert found.order_kept == pytest.approx(-1)
    assert found.lost_by_choice == pytest.approx(2)
    assert "Choosing the best in training loses 2.000 held out. The rankings correlate by -1.00" in found.as_text()
    alone = imagined({"alone": against(1, -1)}, ("one", "other")).held_out(0.5, 4)
    assert math.isnan(alone.order_kept) and alone.as_dict()["order_kept"] is None
    assert "correlate" not in alone.as_text()


# -- warnings ----------------------------------------------------------------------------------------------------------


def test_warned_where_nobody_exploits_random_attacks() -> None:
    (warning,) = imagined({"uniform": against(0, 0.1, 0.0)}, ("uniform", "might", "cycle_up")).warnings()
    assert warning.startswith("Degenerate: no member of the population is shown to exploit uniform on table ")
    assert "(the best is cycle_up: +0.000 ±0.000" in warning
    wide = np.array([0.9, -1.0, 0.8, -0.9])[:, None, None] + against(0, 0)  # may be chance
    assert len(imagined({"uniform": wide}, ("might", "cunning")).warnings()) == 1
    assert imagined({"might": against(0, 0)}, ("uniform", "cunning")).warnings() == []  # nothing is known of it


def test_warned_where_the_round_cap_decides() -> None:
    made = {"uniform": against(0, -0.3)}
    (warning,) = imagined(made, ("uniform", "might"), undecided=0.06).warnings()
    assert warning == (
        "Degenerate: 6.0 % of the duels end by the round cap instead of a hit, above 5 % "
        "(most between uniform and might: 6 %)."
    )
    assert imagined(made, ("uniform", "might"), undecided=0.05).warnings() == []


def test_warned_where_hiding_wins_and_not_of_a_sound_benchmark() -> None:
    """A hiding bot that wins causes a warning, both as an agent and as a member."""
    for made in ({"defensive": against(0, 0.2)}, {"might": against(-0.2, 0.0)}):
        (warning,) = imagined(made, ("defensive", "might")).warnings()
        assert warning.startswith("Degenerate: defensive wins on table (+0.")
    sound = {"uniform": against(0, -0.3, 0.9), "defensive": against(-1, -1, 0)}
    assert imagined(sound, ("uniform", "tactician", "defensive")).warnings() == []


# -- telling -----------------------------------------------------------------------------------------------------------


def test_all_of_it_is_json_and_a_table() -> None:
    table = imagined({"uniform": against(0, -0.3), "might": against(0.5, 0)}, ("uniform", "might"))
    found = json.loads(json.dumps(table.as_dict()))
    assert found["population"] == ["uniform", "might"] and found["duels"] == 3 and found["matches"] == 4
    best = found["agents"][0]
    assert best["id"] == "might" and best["by_member"] == {"uniform": 0.5, "might": 0}
    assert best["aggregate_score"] == {"value": 0.25, "low": 0.25, "high": 0.25}
    assert best["within_pop_exploitability"] == {"value": 0, "low": 0, "high": 0, "by": "might"}
    assert "\nmight    +0.250 ±0.000  +0.000 ±0.000  might  +0.250 ±0.000  +0.000 ±0.000" in table.as_text()
    rows = table.as_markdown().splitlines()
    assert rows[2].startswith("| agent | return | exploited | by | score | learned |")
    assert rows[3] == "|---|" + "---:|" * 5


# -- what is known exactly ---------------------------------------------------------------------------------------------


def test_the_exploitation_ratio_of_a_small_table() -> None:
    """By hand: winning 0.3 of 0.5 and 0.1 of 0.3 makes 0.4 / 0.8; the third member cannot be exploited."""
    table = imagined({"pupil": against(0.3, 0.1, 0.2), "mighty": against(0, 0.1, 0)}, ("mighty", "other", "even"))
    known = replace(table, ceilings={"mighty": 0.5, "other": 0.3, "even": 1e-9})
    assert known.exploitation_ratio("pupil") == pytest.approx((0.5, 0.5, 0.5))
    assert known.ratios_by_member("pupil") == pytest.approx({"mighty": 0.6, "other": 1 / 3})
    assert known.ratios_by_member("mighty") == pytest.approx({"other": 1 / 3})  # not by itself
    assert table.exploitation_ratio("pupil") is None
    assert "exploits" in known.as_text() and "exploits" not in table.as_text()


@pytest.mark.long  # tests/app/cli/test_arena.py holds what can be known exactly
def test_the_best_answer_exploits_all_that_there_is() -> None:
    """In played fights, a best response has ratio 1 within four standard errors, and the equilibrium less."""
    game = HeartRush("mirror_duel", {"profile": "plain"}, decisions="stance")
    agents, members = ["best_response:mostly_might", "equilibrium"], ["mostly_might", "frequency"]
    found = arena(agents, game, population=members, duels=20, matches=20, processes=1, exact=True)
    assert set(found.ceilings) == {"mostly_might"} and "remembers the whole match" in found.unread["frequency"]
    best, least = (found.exploitation_ratio(id) for id in agents)
    assert best is not None and least is not None
    error = 1 / math.sqrt(800) / found.ceilings["mostly_might"]
    assert best.value == pytest.approx(1, abs=4 * error)
    assert least.value < 1 - 4 * error
    assert "Not readable, so not included: frequency." in found.as_text()
    assert found.as_dict()["best_responses"] == found.ceilings


def test_who_is_left_out_hangs_on_the_game() -> None:
    """Bots that need a solution or reveals are left out of games that lack them.

    Members that the caller names are never left out.
    """
    found = arena(["might"], DUEL, duels=1, matches=2, processes=1)
    assert set(found.left_out) == set(OF_SOLVED_DUELS) and found.population == population()
    assert arena(["might"], DUEL, population=["cunning"], duels=1, matches=2, processes=1).left_out == {}
    assert "memory=0 shows none" in left_out(HeartRush("duel", memory=0))["frequency"]
    table = replace(imagined({"pupil": against(0.3)}, ("one",)), left_out={"a": "no", "b": "no", "c": "never"})
    text = table.as_text()
    assert "Left out of the population: a, b; no." in text and "Left out of the population: c; never." in text
    assert table.as_dict()["left_out"] == {"a": "no", "b": "no", "c": "never"}
