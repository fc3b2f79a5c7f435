"""The game server over HTTP and WebSocket: equal messages, watchers, and a server that restarts."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from heartrush_env.app.server import app
from heartrush_env.app.server.games import Games
from heartrush_env.app.server.hosting import watching
from heartrush_env.app.server.limits import Limits
from tests.app.server.serving import post, serving
from tests.processes import PATIENCE

NEW: dict[str, Any] = {"type": "new", "game": {"scenario": "duel"}}


def socket(address: str) -> ClientConnection:
    return connect(f"{address.replace('http', 'ws')}/v1/host", max_size=None)


def send(client: ClientConnection, **message: Any) -> None:
    client.send(json.dumps(message))


def said(client: ClientConnection) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(client.recv(PATIENCE))
    return answer


def test_a_fight_is_played_over_http_alone(address: str) -> None:
    _, made = post(address, **NEW, agents={"duelist_0": "uniform"})
    _, joined = post(address, type="join", fight=made["fight"], seat="knight_0")
    seat = {"fight": made["fight"], "token": joined["token"]}
    while not (state := post(address, type="look", **seat)[1])["over"]:
        choice = state["mine"]["legal"][0]["name"]
        status, answer = post(address, type="choose", **seat, window=state["window"], choice=choice)
        assert status == 200 and answer["type"] == "accepted"
    assert post(address, type="events", fight=made["fight"])[1]["events"][-1]["event"]["type"] == "end"
    assert post(address, type="save", fight=made["fight"])[0] == 200


@pytest.mark.parametrize(
    ("message", "status"),
    [
        ({"type": "look", "fight": "none"}, 404),
        ({"type": "fly"}, 400),
        ({"type": "watch", "fight": "none"}, 400),
        ({"type": "new", "game": {"scenario": "../x"}}, 400),
    ],
)
def test_refusals_have_a_status(address: str, message: dict[str, Any], status: int) -> None:
    found, answer = post(address, **message)
    assert found == status and answer["type"] == "error" and answer["message"].endswith(".")


def test_a_token_of_nobody_is_forbidden_and_a_taken_seat_a_conflict(address: str) -> None:
    _, made = post(address, **NEW)
    join = {"type": "join", "fight": made["fight"], "seat": "knight_0"}
    assert [post(address, **join)[0] for _ in range(2)] == [200, 409]
    assert post(address, type="look", fight=made["fight"], token=made["token"])[0] == 403


def test_players_and_spectators_see_each_change_and_no_secret(address: str) -> None:
    with socket(address) as one, socket(address) as other, socket(address) as spectator:
        send(one, **NEW)
        fight = said(one)["fight"]
        tokens = []
        for client, seat in ((one, "knight_0"), (other, "duelist_0")):
            send(client, type="join", fight=fight, seat=seat)
            tokens.append(said(client)["token"])
        for client, token in ((one, tokens[0]), (other, tokens[1]), (spectator, None)):
            send(client, type="watch", fight=fight, token=token)
            assert said(client)["window"] == 0
        send(one, type="choose", fight=fight, token=tokens[0], window=0, choice="stance might")
        assert {said(one)["type"], said(one)["type"]} == {"accepted", "state"}
        for client in (other, spectator):
            state = said(client)
            assert [seat["chosen"] for seat in state["seats"]] == [True, False]
            assert state["public"]["fighters"]["knight_0"]["stance"] is None
            assert "might" not in json.dumps(state.get("mine", {}).get("view", {}).get("reveals", []))
        send(other, type="choose", fight=fight, token=tokens[1], window=0, choice="stance might")
        assert said(spectator)["window"] >= 1
        send(one, type="close", fight=fight, token="x")
        while said(one).get("code") != "bad_token":
            pass


def seated(address: str) -> dict[str, str]:
    """Start a duel against an agent; return what a request of its player names."""
    fight = post(address, **NEW, agents={"duelist_0": "uniform"}, seed=5)[1]["fight"]
    return {"fight": fight, "token": post(address, type="join", fight=fight, seat="knight_0")[1]["token"]}


def test_messages_sent_without_waiting_are_answered_in_order(address: str) -> None:
    """Some are answered at once, some wait for the host's thread, and some come while an earlier one waits."""
    seat = seated(address)
    with socket(address) as client:
        messages: list[dict[str, Any]] = [
            {"type": "look", **seat}, NEW, {"type": "look", **seat}, {"type": "fights"}, {"type": "fly"},
            {"type": "choose", **seat, "window": 0, "choice": "stance might"}, {"type": "look", **seat},
            {"type": "watch", **seat}, {"type": "events", **seat}, {"type": "look", "fight": "none"},
        ]  # fmt: skip
        for number, message in enumerate(3 * messages):
            send(client, **message, id=str(number))
        answers = [said(client) for _ in range(3 * len(messages))]
    assert [answer["id"] for answer in answers] == [str(number) for number in range(3 * len(messages))]
    kinds = ["state", "created", "state", "fights", "error", "accepted", "state", "state", "events", "error"]
    assert [answer["type"] for answer in answers[: len(messages)]] == kinds


def test_the_new_state_follows_the_answer_and_others_get_it_too(address: str) -> None:
    seat = seated(address)
    with socket(address) as player, socket(address) as spectator:
        for client, watched in ((player, seat), (spectator, {"fight": seat["fight"]})):
            send(client, type="watch", **watched)
            assert said(client)["type"] == "state"
        send(player, type="choose", **seat, window=0, choice="stance might", id="c")
        accepted, state, seen = said(player), said(player), said(spectator)
        assert (accepted["type"], accepted["id"]) == ("accepted", "c")
        assert state["window"] == seen["window"] > 0
        assert state["mine"]["seat"] == "knight_0" and "mine" not in seen


def test_messages_at_hand_wait_beyond_the_rate_and_keep_their_order() -> None:
    with serving(Limits(rate=10)) as address:
        seat = seated(address)
        with socket(address) as player:
            for _ in range(10):  # after a few choices the host knows that the agent is quick
                send(player, type="look", **seat)
                state = said(player)
                send(player, type="choose", **seat, window=state["window"], choice=state["mine"]["legal"][0]["name"])
                assert said(player)["type"] == "accepted"
        with socket(address) as client:
            began = time.monotonic()
            for number in range(25):
                send(client, type="look", **seat, id=str(number))
            assert [said(client)["id"] for _ in range(25)] == [str(number) for number in range(25)]
            assert time.monotonic() - began > 0.4  # 20 at once, and the rest at the rate


def test_text_that_is_not_utf8_closes_the_socket(address: str) -> None:
    seat = seated(address)
    with socket(address) as client:
        send(client, type="look", **seat)
        assert said(client)["type"] == "state"
        client.protocol.send_text(json.dumps({"type": "look", **seat, "x": "?"}).encode().replace(b"?", b"\xff"))
        client.socket.sendall(b"".join(client.protocol.data_to_send()))
        with pytest.raises(ConnectionClosed) as end:
            client.recv(PATIENCE)
        assert end.value.rcvd is not None and end.value.rcvd.code == 1007


def test_a_closed_fight_is_told_to_those_who_watch(address: str) -> None:
    with socket(address) as client:
        send(client, **NEW)
        made = said(client)
        send(client, type="watch", fight=made["fight"])
        said(client)
        assert post(address, type="close", fight=made["fight"], token=made["token"])[0] == 200
        assert said(client) == {"type": "closed", "fight": made["fight"]}


def test_time_runs_without_anybody_asking() -> None:
    with serving() as address, socket(address) as client:
        send(client, **NEW, seconds=0.2, agents={"duelist_0": "uniform"})
        fight = said(client)["fight"]
        send(client, type="watch", fight=fight)
        said(client)
        send(client, type="join", fight=fight, seat="knight_0")
        while not said(client).get("window"):
            pass


def test_a_server_comes_back_with_its_fights(tmp_path: Path) -> None:
    with serving(store=tmp_path / "fights") as address:
        _, made = post(address, **NEW)
        _, joined = post(address, type="join", fight=made["fight"], seat="knight_0")
        seat = {"fight": made["fight"], "token": joined["token"]}
        post(address, type="choose", **seat, window=0, choice="stance might")
        before = post(address, type="look", **seat)
    with serving(store=tmp_path / "fights") as address:
        assert post(address, type="look", **seat) == before


def test_changes_are_noted_for_the_connections_that_watch_a_fight_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    carriers: list[Games] = []

    class Seen(Games):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given)
            carriers.append(self)

    monkeypatch.setattr(app, "Games", Seen)
    with serving() as address:
        made = [post(address, **NEW)[1] for _ in range(2)]
        with socket(address) as client, socket(address) as other:
            for connection in (client, other):
                send(connection, type="watch", fight="none")
                assert said(connection)["code"] == "no_fight"
            for each in made:
                send(client, type="watch", fight=each["fight"])
                assert said(client)["type"] == "state"
            assert {fight: len(noting) for fight, noting in carriers[0]._following.items()} == {
                each["fight"]: 1 for each in made
            }
            post(address, type="close", fight=made[0]["fight"], token=made[0]["token"])
            assert said(client)["type"] == "closed"
            send(client, type="look", fight="none")
            assert said(client)["code"] == "no_fight"
            assert [*carriers[0]._following] == [made[1]["fight"]]
        end = time.monotonic() + PATIENCE
        while carriers[0]._following and time.monotonic() < end:
            time.sleep(0.01)
        assert not carriers[0]._following


def test_a_connection_watches_so_many_fights_and_no_more(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "MOST_WATCHED", 1)
    with socket(address) as client:
        fights = [post(address, **NEW)[1]["fight"] for _ in range(2)]
        for fight, kind in ((fights[0], "state"), (fights[0], "state"), (fights[1], "error")):
            send(client, type="watch", fight=fight)
            assert said(client)["type"] == kind


def test_a_spectator_stays_while_states_come_and_is_cut_after_silence() -> None:
    with serving(Limits(rate=0, idle_seconds=1.0)) as address:
        new = {"type": "new", "game": {"scenario": "duel"}, "agents": {"duelist_0": "uniform"}, "seed": 5}
        fight = post(address, **new)[1]["fight"]
        token = post(address, type="join", fight=fight, seat="knight_0")[1]["token"]
        with socket(address) as spectator:
            send(spectator, type="watch", fight=fight)
            seen = [said(spectator)["window"]]
            began = time.monotonic()
            while time.monotonic() < began + 4:
                state = post(address, type="look", fight=fight, token=token)[1]
                assert not state["over"]
                time.sleep(0.3)
                if legal := state["mine"]["legal"]:
                    names = [each["name"] for each in legal]
                    choice = "stance defensive" if "stance defensive" in names else names[0]
                    post(address, type="choose", fight=fight, token=token, window=state["window"], choice=choice)
                    seen.append(said(spectator)["window"])
            assert len(seen) > 5 and seen == sorted(seen)
            with pytest.raises(ConnectionClosed) as end:
                while True:
                    spectator.recv(PATIENCE)
            assert end.value.rcvd is not None and end.value.rcvd.code == 1001


def test_bytes_and_silence_close_the_socket() -> None:
    with serving(Limits(rate=0, idle_seconds=0.3)) as address:
        for message, code in ((b"{}", 1003), ("x" * (2**20 + 1), 1009), (None, 1001)):
            with socket(address) as client:
                if message is not None:
                    client.send(message)
                with pytest.raises(ConnectionClosed) as end:
                    client.recv(PATIENCE)
                assert end.value.rcvd is not None and end.value.rcvd.code == code
