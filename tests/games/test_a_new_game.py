"""A game of another package passes through every part without a line in any of them: the toy game of the tests.

It has no words and no views of its own, so it is told in plain words, and a seat sees only its vector.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import available, load, population
from heartrush_agents.tournament.tournament import tournament

from heartrush_env.app.cli.main import main
from heartrush_env.app.engine import Engine
from heartrush_env.app.server import lobby
from heartrush_env.app.server.hosting.host import Host
from heartrush_env.app.server.recorded.showing import shown
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.protocol.requests import act_request
from heartrush_env.records import check, parse_record, read_record
from heartrush_env.tabletop import registry
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Observation, tables_digest
from heartrush_env.tabletop.registry import brief_table, register_game, scenario_names, usual_scenario
from tests.toy_game import FEATURES, ToyGame

GAME = "hidden_hands"
Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the game while a test runs."""
    monkeypatch.setenv(registry.VARIABLE, "")
    register_game(GAME, "tests.toy_game")
    monkeypatch.setattr(lobby, "_game", lobby._game.__wrapped__)  # nothing of it is kept for other tests
    yield


def said(capsys: Out, *words: str) -> str:
    """Return what a command prints."""
    assert main([*words]) == 0
    return capsys.readouterr().out


# -- the registry ------------------------------------------------------------------------------------------------------


def test_a_game_that_does_not_say_how_to_be_brief_is_told_by_its_whole_table() -> None:
    game = ToyGame(rounds=3, coins=2)
    assert brief_table(game) == game.as_table()
    assert scenario_names(GAME) == ("table", "three") and usual_scenario(GAME) == "table"
    assert usual_scenario() == "duel" and "duel" in scenario_names()


def test_an_agent_claims_a_game_by_whose_rules_it_plays() -> None:
    game = ToyGame()
    claiming = {id for id in (*available(), *population()) if load(id).plays(game) is None}
    assert claiming == {"random", "uniform"}
    for refusing in ("default", "thinker", "thinker:uniform", "best_response:uniform", "berserker@3"):
        assert load(refusing).plays(game) == "it plays heart_rush, not hidden_hands", refusing
    assert load("duelist").plays(game) == "its weights are for the shape duel, but this is table"
    mask = np.array([1, 0, 0, 0, 1], np.int8)
    seen: Observation = {"observation": np.zeros(len(FEATURES), np.float32), "action_mask": mask}
    assert load("uniform").seat(game).policy(seen).tolist() == [0.5, 0, 0, 0, 0.5]


# -- the command line --------------------------------------------------------------------------------------------------


def test_a_fight_is_told_recorded_and_replayed(tmp_path: Path, capsys: Out) -> None:
    place = tmp_path / "hands.hrr"
    told = said(capsys, "fight", "three", "--game", GAME, "--seed", "7", "--red", "random",
                "--record", str(place)).splitlines()  # fmt: skip
    assert told[0] == "three, a scenario of hidden_hands"
    assert told[2:5] == [
        "hand_0 (blue, played by uniform)",
        "hand_1 (red, played by random)",
        "hand_2 (blue, played by uniform)",
    ]
    assert told[5] == "round: round 1"
    events = check_and_events(place)
    first = next(event for event in events if event["type"] == "reveal")
    hands = " and ".join(f"{seat} {hand}" for seat, hand in first["hands"].items())
    raisers = " and ".join(first["raisers"]) or "none"
    assert told[6] == f"  reveal: hands {hands}, raisers {raisers}"
    end = events[-1]
    assert told[-2] == f"  end: cause {end['cause']}, winners {' and '.join(end['winners']) or 'none'}"
    assert said(capsys, "replay", str(place)).splitlines()[:-1] == told[:-1]
    rounds = said(capsys, "replay", "--rounds", str(place)).splitlines()[6:-1]
    assert len(rounds) == sum(event["type"] == "round" for event in events)
    assert rounds[0].startswith("round: round 1; reveal: hands ")
    assert json.loads(said(capsys, "replay", "--check", str(place), "--json"))["same"]
    facts = json.loads(said(capsys, "replay", str(place), "--json"))
    assert facts["fighters"] == {"hand_0": "blue", "hand_1": "red", "hand_2": "blue"} and facts["events"] == events


def check_and_events(place: Path) -> list[dict[str, Any]]:
    """Check a record against the rules, and return its events."""
    record = read_record(place)
    check(record)
    return [event for step in record.steps for event in step.events]


def test_fights_are_counted(capsys: Out) -> None:
    counted = json.loads(
        said(capsys, "fight", "table", "--game", GAME, "--fights", "20", "--red", "random", "--blue", "random",
             "--json")
    )  # fmt: skip
    assert counted["fights"] == 20 and counted["digest"] == ToyGame().scenario_digest
    assert sum(share["count"] for share in (*counted["teams"].values(), counted["draws"])) == 20


def test_agents_are_rated(capsys: Out) -> None:
    table = json.loads(
        said(capsys, "rate", "--game", GAME, "--agents", "random,uniform", "--fights", "40", "--match",
             "10", "--processes", "1", "--json")
    )  # fmt: skip
    assert table["game"] == GAME and table["scenario"] == "table"


def test_a_duel_of_another_game_is_solved_only_if_it_is_in_beats(capsys: Out) -> None:
    assert main(["duel", "solve", "--game", GAME]) == 2
    assert "expected a duel in beats" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        "duel analyse",
        "encounter compare duel",
    ],
)
def test_a_command_that_is_about_heart_rush_refuses_another_game(command: str, capsys: Out) -> None:
    with pytest.raises(SystemExit) as refused:
        main([*command.replace("'", "").split(), "--game", GAME])
    assert refused.value.code == 2
    assert "expected heart_rush, which this command is about, got 'hidden_hands'" in capsys.readouterr().err


def test_an_arena_is_of_those_that_play_it(capsys: Out) -> None:
    found = json.loads(said(capsys, *"arena --json --duels 2 --matches 2 --processes 1 --game".split(), GAME))
    assert found["population"] == ["random", "uniform"] and found["left_out"] == {}
    assert {agent["id"] for agent in found["agents"]} == {"random", "uniform"} and found["scenario"] == "table"


def test_an_unknown_game_is_refused_in_a_sentence(capsys: Out) -> None:
    assert main(["fight", "table", "--game", "chess"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("heartrush: game: expected heart_rush, ")
    assert said.endswith(" or hidden_hands, got 'chess'.\n")


@pytest.mark.long
def test_an_agent_is_trained_rated_and_fights(tmp_path: Path, capsys: Out) -> None:
    pytest.importorskip("torch")
    folder = tmp_path / "hands"
    words = ["train", "--game", GAME, "--id", "hands", "--out", str(folder), "--total-samples", "2048"]
    words += ["--n-envs", "16", "--n-steps", "8", "--batch-size", "64", "--sparring", "random", "--rate-fights", "40"]
    said(capsys, *words)
    card = json.loads((folder / "card.json").read_text())
    assert card["fits"]["tables"] == tables_digest(ToyGame()) and card["training"]["config"]["game_name"] == GAME
    assert card["scores"]["by_team"].keys() == {"blue", "red"} and card["habits"] is None
    assert f"--game {GAME}" in card["training"]["command"] and f"--game {GAME}" in card["scores"]["command"]
    assert load(str(folder)).plays(ToyGame()) is None
    said(capsys, "fight", "table", "--game", GAME, "--blue", str(folder), "--red", "random")


# -- programs ----------------------------------------------------------------------------------------------------------


def requests(game: ToyGame, seed: int) -> Iterator[tuple[dict[str, Any], list[str]]]:
    """Yield each request of a fight of random choices, with the legal actions."""
    env, rng = ParallelFights(game), np.random.default_rng(seed)
    observations, infos = env.reset(seed=seed)
    while env.agents:
        for seat in env.agents:
            legal = [game.action_names[k] for k in np.flatnonzero(infos[seat]["action_mask"])]
            yield act_request(game, seat, observations[seat], id=seat, seed=int(rng.integers(1000))), legal
        actions = {seat: int(rng.choice(np.flatnonzero(infos[seat]["action_mask"]))) for seat in env.agents}
        observations, _, _, _, infos = env.step(actions)


def ask(engine: Engine, message: dict[str, Any]) -> dict[str, Any]:
    """Return the last answer to a message."""
    answer: dict[str, Any] = json.loads(engine.answer(json.dumps(message).encode())[-1])
    return answer


def test_an_engine_answers_for_a_seat() -> None:
    engine, chosen = Engine(load("random"), game=GAME), set()
    assert json.loads(engine.answer(b'{"type":"hello"}')[0])["plays"] == {
        "game": GAME, "shapes": ["table"], "tables": {"table": tables_digest(ToyGame())},
    }  # fmt: skip
    for request, legal in requests(ToyGame(coins=2), 3):
        answer = ask(engine, request)
        assert answer["type"] == "choice", answer
        assert answer["policy"] == pytest.approx(dict.fromkeys(legal, 1 / len(legal)))
        chosen.add(answer["choice"])
    assert chosen >= {"rock", "paper", "scissors", "raise"}


@pytest.mark.parametrize(
    ("change", "code", "why"),
    [
        ({"game": {"game": "chess", "scenario": "x"}}, "not_played", "game: expected heart_rush, "),
        ({"game": {"game": GAME, "scenario": "/etc/passwd"}}, "bad_field", "scenario: expected table, three"),
        ({"game": {"game": GAME, "scenario": "table", "options": {"bets": 3}}}, "bad_field", "unknown field 'bets'"),
        ({"view": {"round": 1}}, "bad_view", "observation is missing, and hidden_hands has no named fields"),
        ({"view": {"observation": [0, 1]}}, "bad_view", f"observation: expected {len(FEATURES)} numbers, got 2"),
        ({"view": {"observation": [2] * len(FEATURES)}}, "bad_view", "hands window: expected 0 to 1, got 2"),
        ({"legal": ["stance might"]}, "illegal", "got 'stance might'"),
    ],
)  # fmt: skip
def test_an_engine_refuses_what_does_not_fit_the_game(change: dict[str, Any], code: str, why: str) -> None:
    request, _ = next(requests(ToyGame(), 3))
    answer = ask(Engine(load("random")), {**request, **change})
    assert (answer["type"], answer["code"]) == ("error", code) and why in answer["message"]


def test_a_hosted_fight_is_played_saved_and_shown() -> None:
    host = Host(agents=("random",))

    def tell(**message: Any) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(host.answer(json.dumps(message).encode()))
        return answer

    new = tell(type="new", game={"game": GAME, "scenario": "table", "options": {"coins": 2}},
               agents={"hand_1": "random"}, seed=5)  # fmt: skip
    assert new["type"] == "created" and new["open"] == ["hand_0"], new
    joined = tell(type="join", fight=new["fight"], seat="hand_0")
    while not (state := tell(type="look", fight=new["fight"], token=joined["token"]))["over"]:
        mine = state["mine"]
        assert mine["view"]["observation"][2] == pytest.approx(state["public"]["round"] / 6)
        assert {offer["name"] for offer in mine["legal"]} <= {"rock", "paper", "scissors", "pass", "raise"}
        made = tell(type="choose", fight=new["fight"], token=joined["token"], window=state["window"],
                    choice=mine["legal"][-1]["name"])  # fmt: skip
        assert made["type"] == "accepted", made
    record = tell(type="save", fight=new["fight"])["record"].encode()
    check(parse_record(record))
    events = [event for step in parse_record(record).steps for event in step.events]
    windows = shown(record)["windows"]
    assert [told["event"] for window in windows for told in window["events"]] == events
    assert windows[0]["events"][0]["lines"] == ["round: round 1"]


def test_a_server_lists_its_scenarios_and_who_plays_them() -> None:
    assert lobby.scenarios(GAME) == [
        {"name": "table", "game": GAME, "map": False, "seats": [
            {"seat": "hand_0", "name": "hand_0", "team": "blue"}, {"seat": "hand_1", "name": "hand_1", "team": "red"},
        ]},
        {"name": "three", "game": GAME, "map": False, "seats": [
            {"seat": "hand_0", "name": "hand_0", "team": "blue"}, {"seat": "hand_1", "name": "hand_1", "team": "red"},
            {"seat": "hand_2", "name": "hand_2", "team": "blue"},
        ]},
    ]  # fmt: skip
    agents = {id: load(id) for id in ("random", "tactician")}
    assert [agent["id"] for agent in lobby.who_plays(agents, "three", GAME)["agents"]] == ["random"]
    with pytest.raises(HeartRushError, match="expected table or three, got 'duel'"):
        lobby.who_plays(agents, "duel", GAME)


def test_a_tournament_is_about_one_game() -> None:
    found = tournament(
        ["random", "random@temperature=0.5"], ["table", "three"], game=GAME, fights=40, match=10, processes=1
    )
    assert found.as_dict()["game"] == GAME and [table.game for table in found.tables] == [GAME, GAME]
