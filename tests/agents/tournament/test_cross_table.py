"""Cross tables: outcomes counted again in single environments, intervals by hand, and what is refused."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import Agent, AgentError, Player, load
from heartrush_agents.tournament import play
from heartrush_agents.tournament.cross_table import Table, effective_fights, measured, rate
from heartrush_agents.tournament.play import SEED

from heartrush_env import heart_rush_v0
from heartrush_env.app.cli.fight import one_fight
from heartrush_env.envs.match_runner import Players
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game, Observation
from tests.processes import PATIENCE
from tests.toy_game import PAPER, ROCK, ToyGame

EVEN = 1 / 2


class Follower(Player):
    """A player without randomness that opens with rock, and then plays what beats the first opponent's last hand."""

    opening = ROCK

    def policy(self, observation: Observation) -> Any:
        mask = observation["action_mask"]
        seen = dict(zip(self.game.feature_names, observation["observation"], strict=True))
        answer = {"rock": 2, "paper": 3, "scissors": 1}
        shown = [answer[hand] for hand in answer if seen[f"other 1 {hand}"]]
        wanted = (shown or [self.opening])[0]
        return np.eye(len(mask))[wanted if mask[wanted] else int(np.flatnonzero(mask)[-1])]


class Opener(Follower):
    """A player that takes paper whenever it may, otherwise its first legal action."""

    opening = PAPER

    def policy(self, observation: Observation) -> Any:
        mask = observation["action_mask"]
        return np.eye(len(mask))[self.opening if mask[self.opening] else int(mask.argmax())]


class Learner(Player):
    """A player whose choice depends on the number of fights begun in the match, so forgetting shows."""

    begun = 0

    def new_match(self) -> None:
        self.begun = 0

    def new_fight(self) -> None:
        self.begun += 1

    def policy(self, observation: Observation) -> Any:
        mask = observation["action_mask"]
        legal = np.flatnonzero(mask)
        return np.eye(len(mask))[legal[self.begun % len(legal)]]


class Cheat(Follower):
    """A player that always passes, legal or not."""

    def act(self, observation: Observation, rng: np.random.Generator) -> int:
        return 0


FOLLOWER = Agent("follower", "Follows.", Follower)
OPENER = Agent("opener", "Opens.", Opener)
LEARNER = Agent("learner", "Learns.", Learner)
CHEAT = Agent("cheat", "Cheats.", Cheat)


def by_hand(game: Game, agents: dict[str, Agent], seed: int, fights: list[int]) -> list[str]:
    """Play these fights of one match in a single environment, and return the winners of each; "" for a draw."""
    env = ParallelFights(game, illegal="raise")
    seats = {seat: agents[team].seat(game) for seat, team in zip(game.agents, game.teams, strict=True)}
    players = Players(game, seats)
    players.new_match()
    return [" ".join(one_fight(env, players, seed, number).end["winners"]) for number in fights]


def outcomes_by_hand(game: Game, row: Agent, column: Agent, seed: int, matches: int, match: int) -> Any:
    """Return the cell of a table, (matches, teams, 3); match m consists of the fights m, m + matches, ..."""
    teams = list(dict.fromkeys(game.teams))
    counts = np.zeros((matches, len(teams), 3), dtype=np.int64)
    for place, own in enumerate(teams):
        agents = {team: row if team == own else column for team in teams}
        for m in range(matches):
            for winner in by_hand(game, agents, seed, [m + fight * matches for fight in range(match)]):
                counts[m, place, 0 if winner == own else 2 if winner else 1] += 1
    return counts


def toy(seats: int = 2) -> ToyGame:
    names = ("blue", "red", "green") if seats == 3 else ("blue", "red", "blue", "red")
    return ToyGame(num_seats=seats, team_names=names, rounds=3)


# -- what is counted ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("column", [OPENER, LEARNER], ids=lambda agent: agent.id)
def test_every_fight_is_counted_as_in_a_single_environment(seats: int, column: Agent) -> None:
    """Each match has exactly its fights, whether they are short or long, and players remember them all."""
    game = toy(seats)
    teams = len(set(game.teams))
    table = rate([FOLLOWER, column], game, fights=7 * 5 * teams, match=5, seed=11, processes=1)
    for one, other in ((FOLLOWER, column), (column, FOLLOWER)):
        expected = outcomes_by_hand(game, one, other, seed=11, matches=7, match=5)
        assert np.array_equal(table.outcomes[one.id, other.id], expected)
    lengths = expected.sum(axis=(0, 1))
    assert (lengths > 0).sum() >= 2  # fights do end in different ways


def test_duels_are_counted_as_the_parallel_environment_fights_them() -> None:
    game = heart_rush_v0.parallel_env("duel").game
    might, agility = load("might"), load("agility")
    table = rate([might, agility], game, fights=24, match=3, seed=5, processes=1)
    assert np.array_equal(table.outcomes["might", "agility"], outcomes_by_hand(game, might, agility, 5, 4, 3))


def test_work_is_cut_into_pieces_without_a_fight_lost_or_fought_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """In pieces of two matches, the second piece begins with the fight after the first piece's last."""
    monkeypatch.setattr(play, "MATCHES_TOGETHER", 2)
    table = rate([FOLLOWER, OPENER], toy(), fights=28, match=4, seed=11, processes=1)
    assert table.outcomes["follower", "opener"].sum(axis=2).tolist() == [[4, 4], [4, 4], [4, 4], [2, 2]]
    found = table.outcomes["follower", "opener"]
    for m, numbers in enumerate(([0, 2, 4, 6], [1, 3, 5, 7], [8, 10, 12, 14], [9, 11])):
        winners = by_hand(toy(), {"blue": FOLLOWER, "red": OPENER}, 11, numbers)
        assert found[m, 0].tolist() == [winners.count("blue"), winners.count(""), winners.count("red")]


def test_players_remember_within_a_match_forget_after_it_and_are_asked_for_no_more() -> None:
    """In matches of three, three and one fights, players get as many calls as in single environments."""
    diary: list[str] = []

    class Diary(Learner):
        def new_match(self) -> None:
            super().new_match()
            diary.append("match")

        def new_fight(self) -> None:
            super().new_fight()
            diary.append("fight")

        def policy(self, observation: Observation) -> Any:
            if np.count_nonzero(observation["action_mask"]) > 1:
                diary.append("asked")
            return super().policy(observation)

    writer = Agent("writer", "Writes.", Diary)
    rate([writer, OPENER], toy(), fights=14, match=3, seed=11, processes=1)
    found = Counter(diary)
    diary.clear()
    for own, other in (("blue", "red"), ("red", "blue")):
        for numbers in ([0, 3, 6], [1, 4, 7], [2]):
            by_hand(toy(), {own: writer, other: OPENER}, 11, numbers)
    assert found == Counter(diary)
    assert (found["match"], found["fight"]) == (6, 14)


def test_fights_are_shared_evenly_by_the_teams_and_rounded_up() -> None:
    table = rate([FOLLOWER, OPENER], toy(3), fights=10, match=2, processes=1)
    assert table.fights == 12
    assert table.outcomes["follower", "opener"].sum(axis=2).tolist() == [[2, 2, 2], [2, 2, 2]]


def test_two_agents_share_the_points_of_two_teams() -> None:
    table = rate(["might", "random", "uniform"], HeartRush("duel", decisions="stance"), fights=40, match=4, processes=1)
    for row, column in table.outcomes:
        one, other = table.cell(row, column), table.cell(column, row)
        assert one is not None and other is not None
        assert one.score + other.score == pytest.approx(1)
        assert (one.wins, one.draws, one.losses) == (other.losses, other.draws, other.wins)
        assert one.low + other.high == pytest.approx(1)
    assert table.cell("might", "might") is None


def test_equals_in_a_fight_of_three_teams_get_a_third() -> None:
    """The points of a fight, draws included, sum to 1 over the three seatings."""
    twin = Agent("twin", "Opens likewise.", Opener)
    table = rate([OPENER, twin], toy(3), fights=60, match=5, processes=1)
    score = table.cell("opener", "twin")
    assert table.even == pytest.approx(1 / 3)
    assert score is not None and score.score == pytest.approx(1 / 3)
    assert sum(table.by_team("opener").values()) == pytest.approx(1)


def test_a_mean_is_that_of_the_cells_and_of_the_teams() -> None:
    table = rate(["might", "random", "uniform"], HeartRush("duel", decisions="stance"), fights=40, match=4, processes=1)
    for row in table.rows:
        cells = [cell.score for column in table.columns if (cell := table.cell(row, column))]
        assert table.mean(row).score == pytest.approx(np.mean(cells))
        assert np.mean(list(table.by_team(row).values())) == pytest.approx(np.mean(cells))
    means = [table.mean(row).score for row in table.rows]
    assert means == sorted(means, reverse=True)


# -- the same again ----------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_number_of_processes_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are also equal from another thread, where Ctrl-C cannot be blocked; other agents change nothing."""
    monkeypatch.setattr(play, "MATCHES_TOGETHER", 3)
    game = HeartRush("duel", decisions="stance")
    told: list[tuple[int, int]] = []
    one = rate(["uniform", "random"], game, fights=40, match=4, processes=1, progress=lambda *done: told.append(done))
    with ThreadPoolExecutor(1) as beside:
        two = beside.submit(rate, ["uniform", "random"], game, fights=40, match=4, processes=2).result()
    assert json.dumps(one.as_dict()) == json.dumps(two.as_dict())
    assert told == [(12, 40), (20, 40), (32, 40), (40, 40)]
    more = rate(["uniform", "might"], game, against=["might", "random"], fights=40, match=4, processes=1)
    assert np.array_equal(more.outcomes["uniform", "random"], one.outcomes["uniform", "random"])
    other = rate(["uniform", "random"], game, fights=40, match=4, processes=1, seed=SEED + 1)
    assert not np.array_equal(other.outcomes["uniform", "random"], one.outcomes["uniform", "random"])


def test_an_error_in_another_process_is_told_here() -> None:
    game = ToyGame()
    with pytest.raises(
        AgentError, match=r"^The agent 'cheat' chose action 0; the legal actions are 1 rock, 2 paper, 3 scissors\.$"
    ):
        rate([CHEAT, FOLLOWER], game, fights=20, match=2, processes=2)


def test_no_torch_is_needed() -> None:
    program = "import heartrush_agents.tournament.cross_table, sys; print(*({'torch', 'pygame'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "\n"


# -- how sure it is ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "fights", "effective"),
    [
        # Matches that vary less than independent fights do not count for more.
        ([5.0, 5.0, 5.0, 5.0], [10, 10, 10, 10], 40),
        # By hand: 10 matches of 20, 5 of them won throughout. The variance of matches is 10/9 * 10 * 10**2 / 200**2 =
        # 1/36, that of independent fights 0.25 / 199; the design effect is 22.1, and 200 * 36 * 0.25 / 199 = 9.045.
        ([20.0, 0.0] * 5, [20] * 10, 9.045),
        # By hand: 1 of 2 and 4 of 4, a share of 5/6: deviations -2/3 and 2/3, variance 2 * 8/9 / 36 = 4/81; that of
        # independent fights 5/36 / 5 = 1/36; the design effect is 16/9, and 6 / (16/9) = 3.375.
        ([1.0, 4.0], [2, 4], 3.375),
        # Of matches of one fight the design effect is 1 exactly, by hand: 4/3 * 0.75 / 16 is 0.25 * 0.75 / 3.
        ([1.0, 0.0, 0.0, 0.0], [1, 1, 1, 1], 4),
        ([7.0], [20], 1),  # one match alone
    ],
)
def test_how_many_independent_fights_a_match_is_worth(points: list[float], fights: list[int], effective: float) -> None:
    assert effective_fights(np.array(points), np.array(fights)) == pytest.approx(effective, abs=1e-3)


def test_intervals_of_fights() -> None:
    """Wilson's 95 % intervals (1927), from tables: for 8, 0 and 10 wins of 10; draws count half."""
    score = measured(np.array([[1, 0, 0]] * 8 + [[0, 0, 1]] * 2), EVEN)
    assert (score.score, score.low, score.high) == pytest.approx((0.8, 0.4902, 0.9433), abs=1e-4)
    nothing, everything = measured(np.array([[0, 0, 5]] * 2), EVEN), measured(np.array([[5, 0, 0]] * 2), EVEN)
    assert (nothing.score, nothing.low) == (0, 0) and nothing.high == pytest.approx(0.2775, abs=1e-4)
    assert (everything.score, everything.high) == (1, 1) and everything.low == pytest.approx(0.7225, abs=1e-4)
    draws = measured(np.array([[3, 2, 0]] * 2 + [[3, 2, 0]] * 0), EVEN)
    assert (draws.score, draws.wins, draws.draws, draws.losses) == (0.8, 6, 4, 0)
    assert (draws.low, draws.high) == pytest.approx((0.4902, 0.9433), abs=1e-4)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """With win rates of 90 % or 50 % by match, about 95 % of the intervals contain the true 70 %."""
    chance = np.random.default_rng(4)
    held, naive = 0, 0
    for _ in range(1000):
        wins = chance.binomial(20, chance.choice([0.9, 0.5], size=100))
        score = measured(np.stack([wins, wins * 0, 20 - wins], axis=1), EVEN)
        held += score.low <= 0.7 <= score.high
        naive += abs(score.score - 0.7) <= 1.96 * np.sqrt(0.7 * 0.3 / 2000)
    assert 930 <= held <= 970  # three standard deviations
    assert naive < 800


# -- the table ---------------------------------------------------------------------------------------------------------


def imagined(rows: int, columns: int | None = None, name: Callable[[int], str] = "agent {}".format) -> Table:
    """Return a table of this many agents, with random outcomes."""
    chance = np.random.default_rng(rows)
    ids = [name(place) for place in range(rows)]
    against = ids if columns is None else [f"other {place}" for place in range(columns)]
    outcomes = {
        (row, column): chance.multinomial(20, [0.5, 0.1, 0.4], size=(10, 2))
        for row in ids
        for column in against
        if row != column
    }
    return Table("toy", "table", None, "0", 7, 400, 20, ("blue", "red"), tuple(against), outcomes, 2)


def test_a_small_table_shows_names_and_intervals() -> None:
    outcomes = {("one", "two"): np.array([[[3, 0, 7], [3, 2, 5]]] * 2)}
    outcomes["two", "one"] = np.array([[[5, 2, 3], [7, 0, 3]]] * 2)
    table = Table("toy", "table", None, "0", 7, 40, 10, ("blue", "red"), ("one", "two"), outcomes, 2)
    assert table.as_text().splitlines() == [
        "table: 40 fights per cell in matches of 10, seed 7.",
        "Percent won by the row's agent in one team against the column's in the other; even is 50, and so is a draw.",
        "± is the distance to the farther end of the 95 % interval.",
        "",
        "agent        mean  as blue  as red         two         one",  # 14 of 40: Wilson's interval is 22.1 to 50.5
        "two    65.0 ±15.5     60.0    70.0           -  65.0 ±15.5",
        "one    35.0 ±15.5     30.0    40.0  35.0 ±15.5           -",
    ]
    assert table.as_markdown().splitlines()[2:] == [
        "| agent | mean | as blue | as red | two | one |",
        "|---|---:|---:|---:|---:|---:|",
        "| two | 65.0 ±15.5 | 60.0 | 70.0 | - | 65.0 ±15.5 |",
        "| one | 35.0 ±15.5 | 30.0 | 40.0 | 35.0 ±15.5 | - |",
    ]


@pytest.mark.parametrize(
    ("rows", "columns"),
    [(2, None), (7, None), (12, None), pytest.param(40, None, marks=pytest.mark.long), (1, 30), (30, 1)],
)
def test_tables_of_all_sizes_fit_and_lose_nothing(rows: int, columns: int | None) -> None:
    table = imagined(rows, columns)
    text = table.as_text()
    assert max(map(len, text.splitlines())) <= 120 or rows == 1  # only a long list of names goes beyond
    for id in table.rows:
        assert f"{id} " in text or f"{id}\n" in text
    for cell in table.outcomes:
        score = table.cell(*cell)
        assert score is not None and f" {100 * score.score:.1f}" in text
    if columns:
        assert all(id in text for id in table.columns)


def test_few_agents_against_many_stand_beside_each_other() -> None:
    """The opponents come first, the one weakest against the best agent on top, and the means follow."""
    wins = {"weak": (9, 8), "strong": (3, 2), "even": (5, 5), **{f"more_{k}": (1, 1) for k in range(9)}}
    outcomes = {
        (row, column): np.array([[[each[place], 0, 10 - each[place]]] * 2] * 2)
        for column, each in wins.items()
        for place, row in enumerate(("one", "two"))
    }
    table = Table("toy", "table", None, "0", 7, 40, 10, ("blue", "red"), tuple(wins), outcomes, 2)
    introduction, lines = table.as_text().split("\n\n")
    assert "won by the column's agent in one team against the row's in the other" in introduction
    head, *body = lines.splitlines()
    assert head.split() == ["against", "one", "two"]
    assert [line.split()[0] for line in body[:4]] == ["weak", "even", "strong", "more_0"]
    assert body[2].split() == ["strong", "30.0", "±15.4", "20.0", "±14.8"]  # Wilson of 12 and of 8 in 40
    assert body[-3].split()[:2] == ["mean", "21.7"]  # (9 + 3 + 5 + 9 * 1) / 12
    assert body[-2].split() == ["as", "blue", "21.7", "20.0"]


def test_a_wide_table_numbers_its_agents_in_their_order() -> None:
    table = imagined(12)
    lines = table.as_text().splitlines()
    head = next(line for line in lines if line.lstrip().startswith("mean"))
    assert head.split()[5:] == [str(number) for number in range(1, 13)]
    best, second = table.rows[:2]
    (first,) = [line for line in lines if line.startswith(f" 1 {best} ")]
    score = table.cell(best, second)
    assert score is not None and first.split()[-11:][0] == f"{100 * score.score:.1f}"
    assert lines[-1].startswith("Cells are ±") and lines[-1].endswith(" at most.")


def test_a_table_as_data() -> None:
    table = rate(["might", "uniform"], HeartRush("duel", decisions="stance"), fights=8, match=2, seed=3, processes=1)
    data = json.loads(json.dumps(table.as_dict()))
    facts = {"game": "heart_rush", "scenario": "duel", "seed": 3, "fights": 8, "match": 2}
    assert facts.items() <= data.items()
    assert data["digest"] == HeartRush("duel", decisions="stance").digest and data["version"]
    assert data["teams"] == ["blue", "red"] and data["columns"] == ["might", "uniform"] and data["even"] == 0.5
    assert [agent["id"] for agent in data["agents"]] == table.rows
    (cell,) = [cell for cell in data["cells"] if (cell["row"], cell["column"]) == ("might", "uniform")]
    assert cell["wins"] + cell["draws"] + cell["losses"] == cell["fights"] == 8
    assert cell["low"] <= cell["score"] <= cell["high"] and cell["effective_fights"] <= 8
    assert [cell["by_team"][team]["fights"] for team in ("blue", "red")] == [4, 4]


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agents", "options", "said"),
    [
        (["unifrom", "might"], {}, "did you mean 'uniform'"),
        (["might", "might"], {}, "Expected different agents, got 'might' twice."),
        (["might"], {}, "A rating needs two different agents"),
        (["might"], {"against": ["might"]}, "A rating needs two different agents"),
        ([], {}, "A rating needs two different agents"),
        (["might", "uniform"], {"fights": 0}, "fights: expected at least 1"),
        (["might", "uniform"], {"match": 0}, "match: expected at least 1"),
        (["might", "uniform"], {"processes": 0}, "processes: expected at least 1"),
        (["might", "uniform"], {"seed": -1}, "seed"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(agents: list[str], options: dict[str, Any], said: str) -> None:
    with pytest.raises(HeartRushError, match=rf"{said}.*") as refusal:
        rate(agents, HeartRush("duel"), **options)
    assert str(refusal.value).endswith(".") and "\n" not in str(refusal.value)


def test_an_agent_that_does_not_play_the_scenario_stops_all_before_it_begins() -> None:
    fought: list[int] = []

    class Fighting(Follower):
        def new_fight(self) -> None:
            fought.append(1)

    with pytest.raises(AgentError, match=r"^The agent 'might' cannot take a seat at 'table'"):
        rate([FOLLOWER, Agent("fighting", "Fights.", Fighting), "might"], ToyGame(), processes=1)
    assert fought == []


def test_an_agent_that_cannot_travel_is_refused_where_it_would_have_to() -> None:
    homebody = Agent("homebody", "Made on the spot.", lambda game: Follower(game))
    with pytest.raises(AgentError, match=r"^The agent 'homebody' cannot be sent to other processes: .*processes=1\.$"):
        rate([homebody, OPENER], toy(), fights=8, match=2, processes=2)
    assert rate([homebody, OPENER], toy(), fights=8, match=2, processes=1).fights == 8


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="kills processes")
def test_a_killed_worker_is_reported_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "MATCHES_TOGETHER", 1)
    others = set(multiprocessing.active_children())

    def kill(done: int, total: int) -> None:
        worker = next(iter(set(multiprocessing.active_children()) - others), None)
        if worker is not None and worker.pid is not None:
            os.kill(worker.pid, signal.SIGKILL)

    with pytest.raises(HeartRushError, match=r"^A worker process was killed from outside, [^\n]*\.$"):
        rate(["uniform"], HeartRush("duel"), against=["might"], fights=400, match=1, processes=2, progress=kill)
    for worker in set(multiprocessing.active_children()) - others:
        worker.join(PATIENCE)


SCRIPT = """
from heartrush_agents.tournament.play import in_processes

{guard}print(sorted(in_processes(len, [("ab",), ("c",)], 2)))
"""


def run(folder: Path, guard: str) -> subprocess.CompletedProcess[str]:
    """Run the script as a user does."""
    script = folder / "rating.py"
    script.write_text(SCRIPT.format(guard=guard), encoding="utf-8")
    return subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.long
def test_a_script_without_a_main_guard_hears_about_the_guard(tmp_path: Path) -> None:
    done = run(tmp_path, "")
    assert done.returncode == 1 and "without a main guard" in done.stderr.splitlines()[-1]
    assert "memory" not in done.stderr.splitlines()[-1]


@pytest.mark.long
def test_a_script_with_a_main_guard_gets_its_results(tmp_path: Path) -> None:
    done = run(tmp_path, 'if __name__ == "__main__":\n    ')
    assert (done.returncode, done.stdout) == (0, "[(0, 2), (1, 1)]\n")
