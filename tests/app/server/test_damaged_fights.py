"""Stored fights that cannot be replayed are listed with the reason, and all other fights go on."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from heartrush_env.app.server.hosting.host import Host
from tests.app.server.serving import ask, serving
from tests.app.server.test_host import AGENTS, SEED, Table

DAMAGE = {
    "an unknown choice": "UPDATE choices SET choice = 'fly' WHERE fight = ?",
    "a choice that was not legal": "UPDATE choices SET choice = 'attack 1' WHERE fight = ? AND window = 0",
    "a lost window": "DELETE FROM choices WHERE fight = ? AND window = 0",
    "a choice of a stranger": "UPDATE choices SET seat = 'dragon_0' WHERE fight = ? AND seat = 'knight_0'",
    "a path of an earlier version": "UPDATE choices SET details = '{}' WHERE fight = ?",
    "a choice that is not text": "UPDATE choices SET choice = x'ff00' WHERE fight = ?",
    "a game that is not JSON": "UPDATE fights SET game = '{' WHERE fight = ?",
    "a game of bytes": "UPDATE fights SET game = x'ff' WHERE fight = ?",
    "a game of another kind": "UPDATE fights SET game = '[]' WHERE fight = ?",
    "a scenario that is no longer shipped": 'UPDATE fights SET game = \'{"scenario": "arena"}\' WHERE fight = ?',
    "an agent that is no longer here": "UPDATE seats SET agent = 'oracle_9' WHERE fight = ? AND seat = 'duelist_0'",
    "a lost seat": "DELETE FROM seats WHERE fight = ? AND seat = 'duelist_0'",
    "another version": "UPDATE fights SET digest = 'other' WHERE fight = ?",
    "a seed that is no number": "UPDATE fights SET seed = 'seven' WHERE fight = ?",
    "a time that is no number": "UPDATE fights SET seconds = 'soon' WHERE fight = ?",
    "a title of bytes": "UPDATE fights SET title = x'ff' WHERE fight = ?",
}


def damaged(store: Path, damage: str) -> tuple[Table, Table]:
    """Write a store with a sound and a damaged fight, both begun and with a time limit, and close its host."""
    host = Host(store, AGENTS)
    sound, bad = (Table(host, seed=SEED, seconds=60, title=title) for title in ("sound", "bad"))
    for table in (sound, bad):
        table.play(lambda seat, legal: legal[0], windows=3)
    host.close()
    with closing(sqlite3.connect(store)) as file, file:
        file.execute(damage, (bad.fight,))
    return sound, bad


@pytest.fixture(params=DAMAGE.values(), ids=DAMAGE.keys())
def tables(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Table, Table]]:
    """Yield the sound fight and the damaged one, on a newly started host."""
    sound, bad = damaged(tmp_path / "f", request.param)
    host = Host(tmp_path / "f", AGENTS)
    host.resume()
    while host.next_due() == 0:
        host.play_late()
    sound.host = bad.host = host
    yield sound, bad
    host.close()


def test_a_fight_that_cannot_be_replayed_is_listed_with_its_reason(tables: tuple[Table, Table]) -> None:
    sound, bad = tables
    for _ in range(2):
        answer = sound.ask(type="fights")
        assert answer["type"] == "fights", answer
        listed = {each["fight"]: each for each in answer["fights"]}
        assert "unplayable" not in listed[sound.fight]
        reason = listed[bad.fight]["unplayable"]
        assert reason.endswith(".") and "\n" not in reason and len(reason) > 20


def test_a_fight_that_cannot_be_replayed_is_refused_and_others_go_on(tables: tuple[Table, Table]) -> None:
    sound, bad = tables
    for request in ("look", "events", "watch", "save"):
        answer = bad.ask(type=request, fight=bad.fight)
        assert answer.get("code") in ("unplayable", "other_version"), answer
        assert answer["message"].endswith(".")
    assert sound.look()["seconds_left"] == pytest.approx(60, abs=5)
    sound.play(lambda seat, legal: legal[0])
    assert sound.look()["over"]


def test_the_owner_of_a_fight_that_cannot_be_replayed_closes_it(tables: tuple[Table, Table]) -> None:
    sound, bad = tables
    assert bad.ask(type="close", fight=bad.fight, token="x")["code"] == "bad_token"
    assert bad.ask(type="close", fight=bad.fight, token=bad.owner)["type"] == "closed"
    assert [each["fight"] for each in sound.ask(type="fights")["fights"]] == [sound.fight]


@pytest.mark.parametrize("damage", ["an unknown choice", "a scenario that is no longer shipped"])
def test_a_server_starts_with_a_fight_that_cannot_be_replayed(damage: str, tmp_path: Path) -> None:
    sound, bad = damaged(tmp_path / "f", DAMAGE[damage])
    with serving(store=tmp_path / "f", agents=AGENTS) as address:
        status, _, body = ask(address, "/v1/host", {"type": "fights"})
        assert status == 200
        assert {each["fight"] for each in json.loads(body)["fights"]} == {sound.fight, bad.fight}
        assert ask(address, "/v1/host", {"type": "look", "fight": bad.fight})[0] == 409
        assert ask(address, "/v1/host", {"type": "look", "fight": sound.fight})[0] == 200
