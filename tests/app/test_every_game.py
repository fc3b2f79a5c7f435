"""Every game runs with each command in turn: the games of the package, and a game of another package."""

import io
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load

from heartrush_env.app.cli.main import main
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.protocol.requests import act_request
from heartrush_env.records import check, read_record
from heartrush_env.tabletop import registry
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.registry import game_names, open_game, register_game, scenario_names, usual_scenario
from heartrush_env.tabletop.views import views_of
from tests.app.server.serving import ask, serving
from tests.browsing import DESKTOP, flawless_page, launched, needs_browser
from tests.processes import PATIENCE

OUTSIDE = "stones"
GAMES = (*game_names(), OUTSIDE)
FIRST_OF_ALL = [pytest.param(name, marks=[pytest.mark.long] * (name != GAMES[0])) for name in GAMES]
Out = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the game of another package while a test runs."""
    monkeypatch.setenv(registry.VARIABLE, "")
    register_game(OUTSIDE, "tests.outside_game.opening")
    yield


def said(capsys: Out, *words: str) -> str:
    """Run a command, and return what it prints."""
    assert main([*words]) == 0
    return capsys.readouterr().out


def usual_game(name: str) -> Game:
    return open_game({"game": name, "scenario": usual_scenario(name)})


class Input(io.TextIOWrapper):
    """Standard input with the given lines."""

    def __init__(self, *lines: str) -> None:
        super().__init__(io.BytesIO("".join(f"{line}\n" for line in lines).encode()))


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] * (name != GAMES[0])) for name in GAMES])
def test_a_game_passes_the_commands(name: str, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    game, scenario, place = usual_game(name), usual_scenario(name), tmp_path / "fight.hrr"
    seat, enemies = game.agents[0], [team for team in dict.fromkeys(game.teams) if team != game.teams[0]]

    # list
    listed = json.loads(said(capsys, "list", "scenarios", "--game", name, "--json"))["scenarios"]
    assert tuple(each["name"] for each in listed) == scenario_names(name)
    agents = {each["id"] for each in json.loads(said(capsys, "list", "agents", "--game", name, "--json"))["agents"]}
    assert {"random", "uniform"} <= agents and ("tactician" in agents) == (name == registry.DEFAULT_GAME)
    for what in ("actions", "features", "settings"):
        assert len(said(capsys, "list", what, "--game", name).splitlines()) > 1

    # record, replay
    told = said(
        capsys, "fight", scenario, "--game", name, "--seed", "7", f"--{enemies[0]}", "random", "--record", str(place)
    ).splitlines()
    record = read_record(place)
    check(record)
    assert record.game.digest == game.digest
    assert said(capsys, "replay", str(place)).splitlines()[:-1] == told[:-1]
    assert json.loads(said(capsys, "replay", "--check", str(place), "--json"))["same"]

    # rate, match
    few = ("--game", name, "--fights", "4", "--processes", "1", "--json")
    table = json.loads(said(capsys, "rate", "--agents", "random,uniform", "--match", "2", *few))
    assert (table["game"], table["scenario"]) == (name, scenario)

    # play: the first choice of every menu, until the fight ends
    monkeypatch.setattr(sys, "stdin", Input(*["1"] * 3000))
    played = tmp_path / "played.hrr"
    words = ("play", scenario, "--game", name, "--seat", seat, "--enemy", "uniform", "--seed", "3", "--scripted")
    shown = said(capsys, *words, "--record", str(played))
    assert any(ending in shown for ending in ("You win", "You lose", "A draw"))
    record = read_record(played)
    check(record)
    assert record.seats[seat]["agent"] == "person" and f"Recorded: {played}" in shown

    # engine: it answers by the named fields of a view as by its vector
    env = ParallelFights(game)
    observations, _ = env.reset(seed=5)
    asked = next(agent for agent in env.agents if observations[agent]["action_mask"].sum() > 1)
    request = act_request(game, asked, observations[asked], id="1", seed=5)
    requests = [request]
    if views_of(game).named:
        requests.append({**request, "view": {k: v for k, v in request["view"].items() if k != "observation"}})
    monkeypatch.setattr(sys, "stdin", Input(*map(json.dumps, requests)))
    answers = [json.loads(line) for line in said(capsys, "engine", "random", "--game", name).splitlines()]
    assert [answer["type"] for answer in answers] == ["choice"] * len(requests)
    assert len({answer["choice"] for answer in answers}) == 1

    # host
    new = {"type": "new", "game": {"game": name, "scenario": scenario}, "agents": dict.fromkeys(game.agents, "random")}
    monkeypatch.setattr(sys, "stdin", Input(json.dumps(new), '{"type": "fights"}'))
    created, listed = (json.loads(line) for line in said(capsys, "host", "random").splitlines())
    assert (created["type"], created["open"], listed["type"]) == ("created", [], "fights")


@pytest.mark.parametrize("name", FIRST_OF_ALL)
def test_a_server_lists_hosts_and_shows_a_game(name: str, tmp_path: Path, capsys: Out) -> None:
    scenario, place = usual_scenario(name), tmp_path / "fight.hrr"
    said(capsys, "fight", scenario, "--game", name, "--seed", "7", "--record", str(place))

    def host(**message: Any) -> dict[str, Any]:
        status, _, answer = ask(address, "/v1/host", message)
        assert status == 200, answer
        return dict(json.loads(answer))

    with serving(agents=("random",), game=name) as address:
        listed = json.loads(ask(address, "/v1/scenarios")[2])
        assert [(each["game"], each["name"]) for each in listed] == [(name, each) for each in scenario_names(name)]
        assert json.loads(ask(address, f"/v1/scenarios/{scenario}")[2])["usual"] == "random"
        assert ask(address, "/")[0] == 200

        chosen = next(each for each in listed if each["name"] == scenario)
        (mine, *others) = [seat["seat"] for seat in chosen["seats"]]
        played = {"game": name, "scenario": scenario}
        new = host(type="new", game=played, agents=dict.fromkeys(others, "random"), seed=5)
        token = host(type="join", fight=new["fight"], seat=mine)["token"]
        until = time.monotonic() + PATIENCE
        while not (state := host(type="look", fight=new["fight"], token=token))["mine"]["legal"]:
            assert time.monotonic() < until and not state["over"]  # the other side acts first
            time.sleep(0.05)
        assert bool(state.get("picture")) != (mine in state["public"].get("fighters", {}))
        assert all(offer["words"] for offer in state["mine"]["legal"])
        choice = state["mine"]["legal"][0]["name"]
        made = host(type="choose", fight=new["fight"], token=token, window=state["window"], choice=choice)
        assert made["type"] == "accepted"

        status, _, answer = ask(address, "/v1/replay", place.read_bytes())
        shown = json.loads(answer)
        assert status == 200 and [seat["seat"] for seat in shown["seats"]] == [mine, *others]
        assert all(bool(each.get("picture")) == bool(state.get("picture")) for each in shown["windows"])
        if name != registry.DEFAULT_GAME:  # its reviews, which solve duels, have tests of their own
            status, _, answer = ask(address, "/v1/review", place.read_bytes())
            assert status == 200 and json.loads(answer)["seats"].keys() == {mine, *others}


@needs_browser
@pytest.mark.parametrize("name", [name for name in GAMES if name != registry.DEFAULT_GAME])
def test_the_page_plays_a_game(name: str) -> None:
    """Other games are played here; the page of the default game has tests of its own."""
    scenario = usual_scenario(name)
    with (
        serving(agents=("random",), game=name) as address,
        launched() as browser,
        flawless_page(browser, DESKTOP) as page,
    ):
        page.goto(address)
        page.locator(f"#scenario option[value='{scenario}']").wait_for(state="attached")
        assert page.title() == page.locator("h1").inner_text() == name.replace("_", " ").title()
        page.select_option("#scenario", scenario)
        page.click("#begin")
        choices, over = page.locator("#offers > button:enabled"), page.get_by_text("The fight is over.")
        while choices.or_(over).locator("visible=true").first.wait_for() or not over.is_visible():
            pictured = page.locator("#picture").inner_text()
            assert "round" in pictured
            choices.first.click()
        page.get_by_text("Replay the fight").click()
        page.get_by_text("A recorded fight").wait_for()


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_an_agent_is_trained_rated_and_measured(name: str, tmp_path: Path, capsys: Out) -> None:
    pytest.importorskip("torch")
    folder, scenario = tmp_path / "mine", usual_scenario(name)
    words = ["train", scenario, "--game", name, "--id", "mine", "--out", str(folder), "--total-samples", "2048"]
    words += ["--n-envs", "16", "--n-steps", "8", "--batch-size", "64", "--sparring", "random", "--rate-fights", "40"]
    said(capsys, *words)
    assert load(str(folder)).plays(usual_game(name)) is None
    said(capsys, "rate", scenario, "--game", name, "--agents", f"{folder},random", "--fights", "4", "--processes", "1")
    said(capsys, "agent", "card", str(folder), "--game", name, "--measure")
    words = ["duel", "exploit", "random", "--game", name, "--method", "learned", "--total-samples", "128"]
    bound = json.loads(said(capsys, *words, "--fights", "4", "--processes", "1", "--json"))
    assert bound["method"] == "learned" and len(bound["seats"]) == 2
    card = said(capsys, "agent", "card", str(folder))
    assert card.startswith("# `mine`") and f"`{scenario}`" in card


@pytest.mark.parametrize("name", GAMES)
def test_named_fields_describe_the_vector(name: str) -> None:
    """A view without its vector is enough to restore the vector, in every window of a fight of random choices."""
    game, rng = usual_game(name), np.random.default_rng(1)
    views, env = views_of(game), ParallelFights(game)
    observations, _ = env.reset(seed=11)
    for _ in range(40 if views.named else 0):
        if not env.agents:
            break
        for seat in env.agents:
            view = views.read(seat, observations[seat]["observation"])
            del view["observation"]
            assert np.array_equal(views.write(seat, json.loads(json.dumps(view))), observations[seat]["observation"])
        actions = {seat: int(rng.choice(np.flatnonzero(observations[seat]["action_mask"]))) for seat in env.agents}
        observations, *_ = env.step(actions)
