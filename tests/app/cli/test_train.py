"""`heartrush train`: what it prints while it trains and rates, and at the end. The tests set the clock."""

import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents.tournament.cross_table import Table
from heartrush_train.run import Progress

from heartrush_env.app.cli.card_page import habits_text
from heartrush_env.app.cli.terminal import Telling, duration
from heartrush_env.app.cli.train import Lines, Rating, rated_fights, side_verdict, usual_recipe, verdict
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.registry import open_game
from tests.app.cli.running import Out, as_json, refusal


class Clock:
    """A clock that stands still until a test sets it."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def after(seconds: float, samples: int, **scores: float) -> tuple[float, Progress]:
    return seconds, Progress(samples, 1_000_000, samples / seconds, scores)


def test_a_log_tells_the_duration_after_some_seconds_and_then_a_line_for_each_twentieth(capsys: Out) -> None:
    clock = Clock()
    lines = Lines(clock)
    for seconds, progress in (
        after(1, 5_000),  # too early
        after(4, 20_000),  # 5000 samples a second, 980,000 to come: 196 s
        after(10, 50_000, might=0.25),
        after(11, 55_000, might=0.25),  # not yet the next twentieth
        after(200, 1_000_000, might=0.5, uniform=0.375),
    ):
        clock.now = 100 + seconds
        lines(progress)
    assert capsys.readouterr().err.splitlines() == [
        "Training takes about 3:16: 980,000 samples at 5,000 per second.",
        "  5%  5,000 samples/s, 3:10 left; won 25 % against might",
        "100%  5,000 samples/s, 0:00 left; won 50 % against might, 38 % against uniform",
    ]


def test_a_line_tells_how_far_the_policy_can_be_exploited(capsys: Out) -> None:
    lines = Lines(Clock())
    lines(Progress(50_000, 1_000_000, 5000, {}, nash_conv=0.25))
    lines(Progress(100_000, 1_000_000, 5000, {}, lower_bound=0.5))
    lines(Progress(150_000, 1_000_000, 5000, {}, lower_bound=0.4))
    exact, first, bound, second, third = capsys.readouterr().err.splitlines()
    assert exact.startswith("NashConv is exact: ") and "0 is an equilibrium" in exact
    assert first == "  5%  5,000 samples/s, 3:10 left; NashConv 0.2500"
    assert bound.startswith("Exploitability at least X: ") and "a lower bound" in bound
    assert second == " 10%  5,000 samples/s, 3:00 left; exploitability at least 0.500"
    assert third == " 15%  5,000 samples/s, 2:50 left; exploitability at least 0.400"


def test_a_terminal_has_one_line_that_changes(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    clock = Clock()
    telling = Telling(clock)
    telling.line(0.1, "a tenth")
    telling.line(0.2, "too early")
    clock.now += 0.3
    telling.line(0.3, "more")
    telling.sentence("Something stays.")
    telling.line(1.0, "done")
    told = [line.rstrip(" ") for line in capsys.readouterr().err.split("\r")]
    assert told[1:4] == ["a tenth", "more", ""] and "too early" not in told
    assert told[4:] == ["Something stays.\n", f"{'done':<{shutil.get_terminal_size().columns - 1}}\n"]


@pytest.mark.parametrize(("trained", "warns"), [(1000.0, False), (30.0, True)])
def test_a_rating_that_takes_longer_than_the_training_says_so(trained: float, warns: bool, capsys: Out) -> None:
    """The clock starts with the first fights. The next 100 take 5 s, so the 800 left take 40 s: 55 s in all."""
    clock = Clock()
    rating = Rating(trained, clock)
    for seconds, done in ((10, 100), (15, 200), (55, 1000)):
        clock.now = 100.0 + seconds
        rating(done, 1000)
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "The rating takes about 0:55: 1,000 fights."
    longer = [line for line in told if line.startswith("That is longer than the training, which took 0:30.")]
    assert bool(longer) == warns and all("--rate-fights N" in line for line in longer)
    assert told[-2:] == [" 20%  200 of 1,000 fights, 0:40 left", "100%  1,000 of 1,000 fights, 0:00 left"]


def test_a_rating_that_turns_out_longer_says_so_when_it_does(capsys: Out) -> None:
    clock = Clock()
    rating = Rating(30.0, clock)
    for seconds, done in ((1, 100), (4, 500), (60, 600)):
        clock.now = 100.0 + seconds
        assert "longer" not in capsys.readouterr().err
        rating(done, 1000)
    assert "That is longer than the training" in capsys.readouterr().err


def table(**wins: int) -> Table:
    """Return ratings of `mine`: its wins against each opponent in 100 one-fight matches in each of two teams."""
    shares = {other: np.array([[[k < won, 0, k >= won]] * 2 for k in range(100)]) for other, won in wins.items()}
    outcomes = {("mine", other): share for other, share in shares.items()}
    return Table("toy", "table", None, "0", 7, 200, 1, ("blue", "red"), tuple(wins), outcomes, 2)


@pytest.mark.parametrize(
    ("wins", "said"),
    [
        (
            {"uniform": 30, "might": 80},
            "`mine` is weaker than `uniform`: it wins 30.0 % of their fights, where 50 % is even; train longer, with "
            "a larger --total-samples and --fresh. It loses to `uniform`.",
        ),
        (
            {"uniform": 51, "might": 10, "random": 20},
            "`mine` is no stronger than `uniform`, as far as 200 fights tell: it wins 51.0 % of their fights, where "
            "50 % is even; train longer, with a larger --total-samples and --fresh. It loses to `might`, `random`.",
        ),
        (
            {"uniform": 80},
            "`mine` is stronger than `uniform`: it wins 80.0 % of their fights, where 50 % is even. "
            "No other agent here beats it with certainty.",
        ),
        ({"might": 80}, "`mine`: No other agent here beats it with certainty."),
    ],
)
def test_the_verdict_is_a_sentence(wins: dict[str, int], said: str) -> None:
    assert verdict(table(**wins), "mine") == said


@pytest.mark.parametrize(
    ("wins", "said"),
    [
        (80, "It beats `tactician` here: it wins 80.0 % of their fights over both sides (71."),  # Wilson: 71.1 to 86.7
        (52, "It does not beat `tactician` here: it wins 52.0 % of their fights over both sides (42."),
        (20, "It does not beat `tactician` here: it wins 20.0 % of their fights over both sides (13."),
    ],
)
def test_the_verdict_says_whether_it_beats_the_tactician(wins: int, said: str) -> None:
    assert said in verdict(table(tactician=wins), "mine")


@pytest.mark.parametrize(
    ("scenario", "rules", "recipe"),
    [
        ("duel", {}, "ppo_self_play"),
        ("duel", {"profile": "plain"}, "shapley"),
        ("brawl", {"profile": "plain"}, "imitate"),
        ("skirmish", {}, "imitate"),
    ],
)
def test_the_scenario_chooses_the_recipe(scenario: str, rules: dict[str, Any], recipe: str) -> None:
    found, options = usual_recipe(open_game({"scenario": scenario, "rules": rules}))
    assert found == recipe
    assert all(options.get(name, 0) == (recipe == "imitate") for name in ("foresight", "only_stances"))


def test_how_predictable_it_is_in_words() -> None:
    found: dict[str, Any] = {
        "first_stance": {"thug": {"usual": "might", "percent": 97.2, "bits": 0.2}},
        "looking_back": 2, "foreseen": 61.0, "by_chance": 44.0,
    }  # fmt: skip
    assert habits_text("`mine`", found) == (
        "`mine` opens with might in 97 % of its fights as thug. 61 % of its stances can be predicted from its last 2 "
        "stances; if its stances are shuffled, 44 % can be predicted."
    )
    assert "predicted from how often it takes each stance;" in habits_text("`mine`", {**found, "looking_back": 0})


@pytest.mark.parametrize(("samples", "fights"), [(16_000_000, 4000), (5_000_000, 1200), (100_000, 400), (10**9, 4000)])
def test_a_short_training_is_rated_in_few_fights(samples: int, fights: int) -> None:
    assert rated_fights(samples, HeartRush("duel")) == fights
    assert rated_fights(samples, HeartRush("skirmish")) == 100


def test_durations() -> None:
    assert [duration(seconds) for seconds in (0.4, 61, 3599.6, 7325)] == ["0:00", "1:01", "1:00:00", "2:02:05"]


def one_side(**wins: int) -> Table:
    """Return a rating of red: each agent's wins in 100 one-fight matches against the tactician."""
    outcomes = {(id, "tactician"): np.array([[[k < won, 0, k >= won]] for k in range(100)]) for id, won in wins.items()}
    return Table("toy", "table", None, "0", 7, 100, 1, ("red",), ("tactician",), outcomes, 2)


@pytest.mark.parametrize(
    ("mine", "usual", "said"),
    [
        (60, 20, "`mine` is better, because the intervals do not overlap."),
        (25, 20, "100 fights show no difference;"),
        (5, 30, "`mine` is worse, because the intervals do not overlap; train longer"),
    ],
)
def test_a_side_is_compared_with_the_tactician_on_that_side(mine: int, usual: int, said: str) -> None:
    """Wilson's intervals: 20 of 100 are 13.3 to 28.9 %, 60 of 100 are 50.2 to 69.1 %."""
    text = side_verdict(one_side(mine=mine, tactician=usual), "mine")
    assert text.startswith(f"As red, `mine` wins {mine}.0 % (") and said in text
    assert f"and `tactician` wins {usual}.0 % (" in text
    if (mine, usual) == (60, 20):
        assert "60.0 % (50.2 to 69.1)" in text and "20.0 % (13.3 to 28.9)" in text


def test_a_side_is_trained_by_imitation_against_the_tactician() -> None:
    for scenario in ("duel", "skirmish"):
        recipe, options = usual_recipe(open_game({"scenario": scenario}), side=True)
        assert recipe == "imitate" and options["opponents"] == ("tactician",) and options["foresight"] == 1


def test_an_unknown_side_is_refused_in_a_sentence(tmp_path: Path, capsys: Out) -> None:
    said = refusal(capsys, "train duel --side green --total-samples 2048 --out", tmp_path / "run")
    assert "side: expected a team of 'duel' (blue or red), got 'green'." in said


def test_a_side_is_rated_alone(capsys: Out) -> None:
    """Both agents play red only, and cunning also fights against itself."""
    words = "rate duel --agents might,cunning --against cunning --side red --fights 6 --processes 1"
    found = as_json(capsys, words)
    assert found["teams"] == ["red"] and found["even"] == 0.5
    cells = [(cell["row"], cell["column"], cell["fights"]) for cell in found["cells"]]
    assert cells == [("might", "cunning", 6), ("cunning", "cunning", 6)]
