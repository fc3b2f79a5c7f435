"""Encounters of a game with no desk of its own: the toy game of the tests, and counts made by hand."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from heartrush_env.app.encounters.findings import findings
from heartrush_env.app.encounters.sides import encounter
from heartrush_env.app.encounters.tally import Counting
from heartrush_env.app.encounters.text_report import as_text
from heartrush_env.tabletop import registry
from heartrush_env.tabletop.registry import register_game
from tests.app.cli.running import Out, as_json, printed, refusal

GAME = "hidden_hands"
TOY = f"encounter simulate table --game {GAME} --party red --seed 1 --processes 1"


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the game while a test runs."""
    monkeypatch.setenv(registry.VARIABLE, "")
    register_game(GAME, "tests.toy_game")
    yield


def test_fights_of_any_game_are_counted(capsys: Out) -> None:
    """Of two seats, the party has won where the other one is down, and lost where its own one is."""
    found = as_json(capsys, f"{TOY} -n 40")
    assert (found["game"], found["party"], found["monsters"]) == (GAME, ["hand_1"], ["hand_0"])
    assert found["agents"] == {"blue": "uniform", "red": "uniform"}
    assert 0 < found["win"]["share"] == found["fighters"]["hand_0"]["ends"]["down"]
    assert 0 < found["loss"]["share"] == found["fighters"]["hand_1"]["ends"]["down"] == found["out"]["share"]
    assert found["win"]["count"] + found["loss"]["count"] + found["draw"]["count"] == 40
    lines = printed(capsys, f"{TOY} -n 40").splitlines()
    assert lines[:2] == [
        "table: hand against hand",
        "40 fights, seed 1; all played by uniform; 95 % intervals in brackets",
    ]
    assert f"  the party wins         {100 * found['win']['share']:.1f} %" in "\n".join(lines)
    assert not any("hit points" in line for line in lines), "the game does not tell them"


def test_a_field_of_any_games_scenario_is_swept(capsys: Out) -> None:
    two, many = as_json(capsys, f"{TOY} -n 10 --sweep rounds=2,9")
    assert (two["values"], many["values"]) == ({"rounds": 2}, {"rounds": 9})
    assert two["rounds"]["mean"] <= 2 < many["rounds"]["mean"]
    text = printed(capsys, f"{TOY} -n 10 --sweep rounds=2,9")
    assert text.splitlines()[2].split("  ")[0] == "rounds" and "hp spent" not in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (f"{TOY} --report x.html", f"--report: expected a game whose answers have a page, got {GAME}"),
        (
            TOY.replace("table", "table three"),
            f"simulate: expected a single scenario, because {GAME} has no rests between fights",
        ),
        (f"encounter simulate table --game {GAME}", "name the party's team (blue or red)"),
        (f"encounter balance table --game {GAME} --wish 60%", f"got {GAME}"),
        ("encounter simulate table --game chess", "game: expected heart_rush"),
    ],
)
def test_what_a_game_lacks_is_said_in_one_sentence(words: str, says: str, capsys: Out) -> None:
    assert says in refusal(capsys, words)


def test_counts_by_hand() -> None:
    """Two fights in one slot and another: red wins in 3 rounds with 4 of 8 hit points, and loses in 5 rounds."""
    views = [{"round": 3, "hands": 0}, {"round": 5}]
    starts = [{"fighter": "hand_0", "hp": 6}, {"fighter": "hand_1", "hp": 8}]
    batch: Any = SimpleNamespace(
        describe=lambda slot: {"fighters": starts},
        out=np.array([[1, 0], [0, 1]]),
        events=lambda slot: [{"type": "round"}, {"winners": [["red"], ["blue"]][slot], "cause": "round_cap"}],
    )
    met = encounter("table", game=GAME, party="red")
    counting, slots = Counting(met, 2), np.arange(2)
    counting.begin(slots, slots, batch)
    ends = [[0, 4], [3, -2]]
    named = ("hand_0", "hand_1")
    batch.describe = lambda slot: {
        **views[slot],
        "fighters": [{"fighter": name, "hp": hp} for name, hp in zip(named, ends[slot], strict=True)],
    }
    counting.end(slots, batch, slots)
    found = findings(met, counting.tally, 7)
    assert counting.tally.result.tolist() == [1, -1] and found["round_cap"]["count"] == 2
    assert found["rounds"]["mean"] == 4 and found["hp_spent"]["mean"] == (4 / 8 + 1) / 2
    assert found["fighters"]["hand_1"]["hp_left"] == 2 and found["fighters"]["hand_0"]["hp"] == 6
    rows = [line.split() for line in as_text(found).splitlines()]
    assert ["hp", "left", "able", "down"] in rows
    assert ["hand_0", "25", "%", "50", "%", "50", "%"] in rows
