"""Clients do not decide how long a server thinks: ceilings, turns by time, and an end within two seconds."""

import asyncio
import json
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from heartrush_agents import register
from heartrush_agents.base import Agent, Player
from heartrush_agents.learned import agent as learned

from heartrush_env.app.engine import Engine
from heartrush_env.app.server.games import Games
from heartrush_env.app.server.hosting import fight as fights
from heartrush_env.app.server.hosting import host as hosts
from heartrush_env.app.server.hosting import seating
from heartrush_env.app.server.hosting.host import Host
from heartrush_env.app.server.hosting.messages import Look
from heartrush_env.app.server.hosting.seating import Seating
from heartrush_env.app.server.limits import Limits
from tests.app.server.serving import ask, post, served, serving
from tests.app.server.test_host import AGENTS, DUEL, SEED, Table, after_a_kill, answered, still
from tests.processes import PATIENCE, started

NOW = [0.0]


class Slow(Player):
    """A player that takes a second of the tests' clock for each decision."""

    def policy(self, observation: Any) -> Any:
        NOW[0] += 1
        return observation["action_mask"]


SLOW = Agent("slow", "Takes its time.", Slow)


def new(host: Host, agent: str) -> dict[str, Any]:
    return answered(host, **DUEL, seed=SEED, agents={"duelist_0": agent})


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("think_ms=600000", "agents.duelist_0: think_ms: expected a number from 0 to 1000, got 600000.0."),
        ("rollouts=10000000", "agents.duelist_0: rollouts: expected a number from 0 to 2000, got 10000000.0."),
        ("think_ms=1,rollouts=2001", "agents.duelist_0: rollouts: expected a number from 0 to 2000, got 2001.0."),
    ],
)
def test_a_client_may_not_ask_an_agent_to_think_for_minutes(words: str, sentence: str) -> None:
    answer = new(Host(agents=("thinker", "uniform")), f"thinker@{words}")
    assert (answer["type"], answer["code"], answer["message"]) == ("error", "bad_field", sentence)


def test_a_client_may_ask_for_less_and_the_owner_of_the_server_for_more() -> None:
    assert new(Host(agents=("thinker",)), "thinker@think_ms=1000,trust=0")["type"] == "created"
    assert new(Host(agents=("thinker",), most_asked={"think_ms": 5}), "thinker@think_ms=6")["type"] == "error"
    host = Host(agents=("thinker@think_ms=2500",))
    assert new(host, "thinker@think_ms=2500")["type"] == "created"
    assert new(host, "thinker@think_ms=2501")["type"] == "error"


def test_a_stored_fight_whose_agent_would_think_for_minutes_is_not_played(tmp_path: Path) -> None:
    agents = ("thinker", "uniform")
    table = Table(Host(tmp_path / "f", agents, most_asked={}), agents={"duelist_0": "thinker@think_ms=600000"})
    table.host.close()
    table.host = Host(tmp_path / "f", agents)
    assert table.look()["code"] == "unplayable" and "from 0 to 1000" in table.look()["message"]


def test_slow_agents_make_one_decision_in_a_turn() -> None:
    register(SLOW)
    host = Host(agents=("slow",), clock=lambda: NOW[0])
    scenario = {"scenario": "melee"}
    seats = answered(host, type="new", game=scenario)["open"]
    table, before = Table(host, game=scenario, agents=dict.fromkeys(seats, "slow")), NOW[0]
    assert len(seats) > 3
    for turn in range(1, 12):
        host.play_late()
        assert NOW[0] == before + turn
    assert table.look()["type"] == "state"


def test_slow_agents_choose_the_same_when_the_host_is_killed_between_their_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = {"duelist_0": "frequency", "knight_0": "duelist"}
    whole = Table(Host(agents=AGENTS, clock=still), seed=SEED, agents=agents)
    monkeypatch.setattr(hosts, "SECONDS_AT_ONCE", 0)
    table = Table(Host(tmp_path / "f", AGENTS), seed=SEED, agents=agents)
    for turn in range(1000):
        if table.look()["over"]:
            break
        table.host.play_late()
        if turn % 7 == 0:
            table.host = after_a_kill(table.host, tmp_path / "f")
    assert table.events() == whole.events()


def test_fights_are_at_hand_once_their_agents_choose_quickly_and_until_one_is_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, milliseconds = [0.0], iter([20, 1, 1, 1, 6])

    class Timed(Player):
        def act(self, observation: Any, rng: Any) -> int:
            now[0] += next(milliseconds) / 1000
            return int(observation["action_mask"].argmax())

        def policy(self, observation: Any) -> Any:
            raise NotImplementedError

    monkeypatch.setattr(fights, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    monkeypatch.setattr(seating, "ships", lambda id: True)
    register(Agent("timed", "Takes so many milliseconds.", lambda game: Timed(game)))
    table = Table(Host(agents=("timed",)), agents={"duelist_0": "timed"})
    host, fight = table.host, table.host._live[table.fight].fight
    assert not host.is_at_hand(table.fight) and not host.is_at_hand("another")
    found = []
    for _ in range(5):
        fight.choice_of_agent("duelist_0")
        found.append((round(1000 * fight.seconds_of_a_choice, 3), host.is_at_hand(table.fight)))
    assert found == [(20, False), (10, False), (5, False), (2.5, True), (6, False)]
    assert host.is_at_hand(Table(Host(agents=("timed",))).fight) is False  # of another host
    people = Table(host)
    assert host.is_at_hand(people.fight)


def test_agents_that_think_or_that_the_package_does_not_ship_are_never_quick(tmp_path: Path) -> None:
    register(Agent("yours", "Might do anything.", Slow))
    shutil.copytree(learned.shipped()["duelist"], tmp_path / "duelist")  # an agent of yours with an id of the package's
    quick = {"uniform": "uniform", "tactician@nearer=0.03": "tactician@nearer=0.03", "duelist": "duelist@easy"}
    others = {"thinker": "thinker@think_ms=5", "thinker@rollouts=9": "thinker@rollouts=9", "searcher": "searcher",
              "berserker": "berserker@7", "best_response:uniform": "best_response:uniform", "yours": "yours",
              str(tmp_path / "duelist"): "duelist"}  # fmt: skip
    found = {given: Seating([given], {}).is_quick(asked) for given, asked in (quick | others).items()}
    assert found == dict.fromkeys(quick, True) | dict.fromkeys(others, False)


def test_work_about_a_fight_that_other_work_has_evicted_is_not_done_in_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three fights of people are at hand; the memory shrinks to two, so a look at the first evicts the second."""
    host, threads = Host(agents=AGENTS), []
    first, second, _ = (Table(host).fight for _ in range(3))
    carrier, restore = Games(host, Limits()), host._restore

    def replayed(stored: Any) -> Any:
        threads.append(threading.current_thread())
        return restore(stored)

    async def looks() -> list[Any]:
        asked = [carrier._answer(Look(fight=fight), lambda look: host.obey(look)) for fight in (first, second)]
        return await asyncio.gather(*asked)

    monkeypatch.setattr(host, "_restore", replayed)
    monkeypatch.setattr(hosts, "MOST_IN_MEMORY", 2)
    assert [state.fight for state in asyncio.run(looks())] == [first, second]
    assert len(threads) == 1 and threads[0] is not threading.main_thread()


@pytest.mark.parametrize("quick", [0, 3])
def test_a_server_answers_others_while_an_agent_thinks(quick: int) -> None:
    """Let the agent think at its first choice, or after quick choices."""
    thinks, may_choose, chosen = threading.Event(), threading.Event(), [0]

    class Waiting(Player):
        def policy(self, observation: Any) -> Any:
            chosen[0] += 1
            if chosen[0] > quick:
                thinks.set()
                assert may_choose.wait(PATIENCE)
            return observation["action_mask"]

    register(Agent("waiting", "Waits for the test.", Waiting))
    with serving(agents=("waiting",)) as address:
        _, made = post(address, **DUEL, agents={"duelist_0": "waiting"})
        _, joined = post(address, type="join", fight=made["fight"], seat="knight_0")
        seat = {"fight": made["fight"], "token": joined["token"]}

        def play() -> None:
            while not thinks.is_set():
                state = post(address, type="look", **seat)[1]
                choice = {"window": state["window"], "choice": state["mine"]["legal"][0]["name"]}
                answers.append(post(address, type="choose", **seat, **choice)[1]["type"])

        answers: list[str] = []
        plays = threading.Thread(target=play)
        plays.start()
        try:
            assert thinks.wait(PATIENCE)
            before = len(answers)
            assert ask(address, "/health")[0] == 200 and len(answers) == before
            assert before > 0 or not quick, "the agent may choose several times after one answer"
        finally:
            may_choose.set()
        plays.join(PATIENCE)
        assert answers == ["accepted"] * (before + 1)


def test_an_agent_keeps_its_turn_when_a_person_is_late() -> None:
    now = [0.0]
    table = Table(Host(agents=("uniform", "might"), clock=lambda: now[0]), seconds=5, agents={"duelist_0": "might"})
    now[0] = 5
    table.host.play_late()
    reveal = next(each["event"] for each in table.events() if each["event"]["type"] == "reveal")
    assert reveal["stances"] == {"knight_0": "defensive", "duelist_0": "might"}


def test_a_batch_has_a_time_after_which_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    request = {"game": {"scenario": "duel"}, "seat": "duelist_0", "view": {"round": 1, "window": "stance"}}
    request["legal"] = ["stance might", "stance agility"]
    line = json.dumps({"type": "act_batch", "id": "b", "requests": [{**request, "id": str(n)} for n in range(4)]})
    kinds = [
        [each["type"] for each in json.loads(Engine(Slow, most_seconds=most).answer(line.encode())[0])["choices"]]
        for most in (None, 0)
    ]
    assert kinds == [["choice"] * 4, ["choice", "error", "error", "error"]]


SERVER = """
import sys, time
from heartrush_agents import register
from heartrush_agents.base import Agent, Player
from heartrush_env.app.cli.main import main

class Sleeper(Player):
    def policy(self, observation):
        time.sleep(30)
        return observation["action_mask"]

register(Agent("sleeper", "Sleeps.", Sleeper))
sys.exit(main(["serve", "sleeper", *sys.argv[1:]]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("kind", [pytest.param("host", marks=pytest.mark.long), "act"])
def test_a_server_whose_agent_thinks_ends_within_two_seconds(number: int, code: int, kind: str, tmp_path: Path) -> None:
    words = ("--store", str(tmp_path / "fights"))
    with served(*words, command=(sys.executable, "-c", SERVER)) as (process, address):
        legal = ["stance might", "stance agility"]
        body = json.dumps({"seat": "duelist_0", "game": {"scenario": "duel"}, "view": {}, "legal": legal})
        if kind == "host":
            body = json.dumps({**DUEL, "agents": {"knight_0": "sleeper", "duelist_0": "sleeper"}})
        asking = ["-c", f"import urllib.request as u; u.urlopen({f'{address}/v1/{kind}'!r}, {body.encode()!r})"]
        with started(sys.executable, *asking, stderr=subprocess.DEVNULL):
            while ask(address, "/health")[0] != 200 or not _thinks(process.pid):
                time.sleep(0.05)
            began = time.monotonic()
            process.send_signal(number)
            assert process.wait(PATIENCE) == code
            assert time.monotonic() - began < 2
        assert process.stderr is not None and process.stderr.read() == ""


def _thinks(process: int) -> bool:
    """Return whether the thread for hosted fights or the one for engines has started."""
    names = [path.read_text() for path in Path(f"/proc/{process}/task").glob("*/comm")]
    return len(names) > 1
