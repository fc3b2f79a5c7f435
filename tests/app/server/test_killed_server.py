"""A server that is killed in the middle of many fights: no choice that it accepted is lost, and every fight goes on."""

import json
import random
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from heartrush_env.app.server.hosting.fight import HostedFight
from heartrush_env.app.server.hosting.host import Host
from heartrush_env.records import check, read_record
from tests.app.server.serving import served
from tests.app.server.test_host import AGENTS, SEED, Table, after_a_kill
from tests.processes import PATIENCE

CLIENTS = 4  # threads, each with a connection and its share of the fights
SHORT, WHOLE = {"scenario": "duel", "decisions": "stance"}, {"scenario": "duel"}


class Player:
    """A client that plays its fights in turn, and records which of its choices were accepted."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.fights: dict[str, dict[str, str]] = {}  # the tokens of their players, by seat
        self.accepted: dict[tuple[str, int, str], str] = {}  # by fight, window and seat
        self.records: dict[str, str] = {}

    def make(self, client: ClientConnection, fights: int, games: tuple[Any, ...]) -> None:
        for number in range(fights):
            agents = {"duelist_0": "uniform"} if number % 2 else {}
            made = ask(client, type="new", game=games[number % len(games)], agents=agents)
            seats = {seat: ask(client, type="join", fight=made["fight"], seat=seat)["token"] for seat in made["open"]}
            self.fights[made["fight"]] = seats

    def play(self, client: ClientConnection) -> None:
        """Choose once for each player of each fight, and repeat until all fights are over."""
        while going_on := [fight for fight in self.fights if fight not in self.records]:
            for fight in going_on:
                for seat, token in self.fights[fight].items():
                    state = ask(client, type="look", fight=fight, token=token)
                    if state["over"]:
                        self.records[fight] = ask(client, type="save", fight=fight)["record"]
                        break
                    if legal := state["mine"]["legal"]:
                        self.choose(client, fight, seat, state["window"], self.rng.choice(legal)["name"])

    def choose(self, client: ClientConnection, fight: str, seat: str, window: int, choice: str) -> None:
        token = self.fights[fight][seat]
        answer = ask(client, type="choose", fight=fight, token=token, window=window, choice=choice)
        assert answer["type"] == "accepted", answer
        self.accepted[fight, window, seat] = choice


def ask(client: ClientConnection, **message: Any) -> dict[str, Any]:
    client.send(json.dumps(message))
    answer: dict[str, Any] = json.loads(client.recv(PATIENCE))
    assert answer["type"] != "error", answer
    return answer


def at_once(players: list[Player], address: str, work: Any) -> None:
    """Let each player work on its own connection until its work is done or the server is gone."""

    def run(player: Player) -> None:
        try:
            with connect(f"{address.replace('http', 'ws')}/v1/host", max_size=None) as client:
                work(player, client)
        except (ConnectionClosed, OSError):
            lost.append(player)
        except BaseException as problem:
            wrong.append(problem)

    lost: list[Player] = []
    wrong: list[BaseException] = []
    threads = [threading.Thread(target=run, args=(player,)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert wrong == []


@pytest.mark.parametrize(
    ("fights", "kills", "games"),
    [(8, 1, (SHORT,)), pytest.param(200, 3, (WHOLE, SHORT, SHORT), marks=pytest.mark.long)],
    ids=["8", "200"],
)
def test_a_server_killed_in_the_middle_of_fights_loses_no_accepted_choice(
    fights: int, kills: int, games: tuple[Any, ...], tmp_path: Path
) -> None:
    players = [Player(seed) for seed in range(CLIENTS)]
    words = ("uniform", "--rate", "0", "--store", str(tmp_path / "fights.sqlite"))
    for life in range(kills):
        with served(*words) as (process, address):
            if not life:
                at_once(players, address, lambda player, client: player.make(client, fights // CLIENTS, games))
            before = [len(player.accepted) for player in players]
            playing = threading.Thread(target=at_once, args=(players, address, Player.play))
            playing.start()
            while sum(len(player.accepted) for player in players) < sum(before) + 3 * fights:
                assert playing.is_alive()
                time.sleep(0.002)
            process.send_signal(signal.SIGKILL)
            playing.join(PATIENCE)
        assert all(now > then for now, then in zip([len(each.accepted) for each in players], before, strict=True))
        assert sum(len(player.records) for player in players) < fights, "the kill came too late"
    with served(*words) as (_, address):
        at_once(players, address, Player.play)
    for player in players:
        assert set(player.records) == set(player.fights)
        played = {}
        for fight, text in player.records.items():
            path = tmp_path / f"{fight}.hrr"
            path.write_text(text, encoding="utf-8")
            record = read_record(path)
            check(record)
            played |= {
                (fight, step.number, seat): choice for step in record.steps for seat, choice in step.actions.items()
            }
        assert player.accepted.items() <= played.items()


@pytest.mark.parametrize("killed_in", ["choice_of_agent", "play"])
def test_a_choice_whose_window_a_kill_interrupts_was_not_accepted_and_is_made_again(
    killed_in: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Table(Host(agents=AGENTS), seed=SEED, agents={"duelist_0": "uniform"})
    table = Table(Host(tmp_path / "fights", AGENTS), seed=SEED, agents={"duelist_0": "uniform"})

    def kill(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(HostedFight, killed_in, kill)
        with pytest.raises(KeyboardInterrupt):
            table.act("knight_0", "stance might")
    table.host = after_a_kill(table.host, tmp_path / "fights")
    assert table.look()["window"] == 0 and "stance might" in table.legal("knight_0")
    assert table.act("knight_0", "stance might")["type"] == "accepted"
    whole.act("knight_0", "stance might")
    assert table.look()["window"] == whole.look()["window"] > 0
    assert table.events() == whole.events()
