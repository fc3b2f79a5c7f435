"""A full disk and a damaged store: requests are refused in one sentence, no choice is lost, and fights go on later."""

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.app.server.hosting.host import SECONDS_TO_TRY_AGAIN, Host
from heartrush_env.records import check, parse_record
from heartrush_env.tabletop.errors import HeartRushError
from tests.app.server.serving import COMMAND, post, served
from tests.app.server.test_host import AGENTS, DUEL, SEED, Table, after_a_kill, answered, at_random
from tests.processes import finished

NEW = {**DUEL, "title": "x" * 80}


def full(host: Host, *, is_full: bool) -> None:
    """Stop the file of a host's store from growing, or let it grow again."""
    [(pages,)] = host._store._file.execute("PRAGMA page_count").fetchall()
    host._store._file.execute(f"PRAGMA max_page_count = {pages if is_full else 2**30}")


def until_refused(act: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    for _ in range(2000):
        answer = act()
        if answer["type"] == "error":
            return answer
    pytest.fail("the disk was never full")


def test_a_choice_that_a_full_disk_refuses_changes_nothing_and_counts_when_space_is_free(tmp_path: Path) -> None:
    whole = Table(Host(agents=AGENTS), seed=SEED, agents={"duelist_0": "uniform"})
    table = Table(Host(tmp_path / "f", AGENTS), seed=SEED, agents={"duelist_0": "uniform"})
    choose, refused = at_random(), 0
    while not table.look()["over"]:
        choice = choose("knight_0", table.legal("knight_0"))
        full(table.host, is_full=True)
        before = table.look("knight_0"), table.events()
        answer = table.act("knight_0", choice)
        if answer["type"] == "error":
            refused += 1
            assert answer["code"] == "not_kept" and "full" in answer["message"] and answer["message"].endswith(".")
            assert (table.look("knight_0"), table.events()) == before
            full(table.host, is_full=False)
            assert table.act("knight_0", choice)["type"] == "accepted"
        full(table.host, is_full=False)
    whole.play(at_random())
    until_refused(lambda: _new_while_full(table.host))
    assert table.events() == whole.events()
    table.host = after_a_kill(table.host, tmp_path / "f")
    assert table.events() == whole.events()
    check(parse_record(table.ask(type="save", fight=table.fight)["record"].encode(), "The record"))


def _new_while_full(host: Host) -> dict[str, Any]:
    full(host, is_full=True)
    answer = answered(host, **NEW)
    full(host, is_full=False)
    return answer


def test_a_fight_that_a_full_disk_refuses_is_not_in_the_store(tmp_path: Path) -> None:
    host = Host(tmp_path / "f", AGENTS)
    full(host, is_full=True)
    made = []
    refused = until_refused(lambda: made.append(found := answered(host, **NEW)) or found)
    assert refused["code"] == "not_kept"
    full(host, is_full=False)
    assert host._store.count() == len(made) - 1
    assert Table(host).look()["type"] == "state"


def test_time_that_passes_while_the_disk_is_full_has_the_fallback_played_when_space_is_free(tmp_path: Path) -> None:
    now = [0.0]
    host = Host(tmp_path / "f", AGENTS, clock=lambda: now[0])
    table = Table(host, seed=SEED, seconds=30)
    full(host, is_full=True)
    until_refused(lambda: answered(host, **NEW))
    windows = []
    for _ in range(200):  # fallback choices fill the rest of the last pages
        now[0] += 30
        host.play_late()
        windows.append(table.look()["window"])
        if len(windows) > 2 and windows[-1] == windows[-3]:
            break
    else:
        pytest.fail("the disk was never full")
    assert host.next_due() in (0, SECONDS_TO_TRY_AGAIN)
    full(host, is_full=False)
    now[0] += SECONDS_TO_TRY_AGAIN
    host.play_late()
    assert table.look()["window"] > windows[-1]


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="limits the files of another process")
def test_a_server_whose_disk_is_full_loses_no_accepted_choice_and_goes_on_when_space_is_free(tmp_path: Path) -> None:
    import resource

    store, rng = tmp_path / "fights", random.Random(3)
    with served("uniform", "--rate", "0", "--store", str(store)) as (process, address):
        _, made = post(address, **DUEL, seed=SEED, agents={"duelist_0": "uniform"})
        seat = {"fight": made["fight"]}
        seat["token"] = post(address, type="join", fight=made["fight"], seat="knight_0")[1]["token"]
        accepted: dict[int, str] = {}
        refused = 0
        while not (state := post(address, type="look", **seat)[1])["over"]:
            if not state["mine"][
                "legal"
            ]:  # the agent's choice took longer than a turn, so that it is made a little later
                continue
            size = store.with_name("fights-wal").stat().st_size
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
            choice = rng.choice(state["mine"]["legal"])["name"]
            status, answer = post(address, type="choose", **seat, window=state["window"], choice=choice)
            if status == 507:
                refused += 1
                assert answer["code"] == "not_kept"
                status, same = post(address, type="look", **seat)
                assert status == 200 and same == state
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            if answer["type"] == "error":
                status, answer = post(address, type="choose", **seat, window=state["window"], choice=choice)
            assert status == 200, answer
            accepted[state["window"]] = choice
        assert refused
        _, saved = post(address, type="save", fight=made["fight"])
        process.kill()
        assert process.stderr is not None and process.stderr.read() == ""
    record = parse_record(saved["record"].encode(), "The record")
    check(record)
    played = {step.number: step.actions["knight_0"] for step in record.steps if "knight_0" in step.actions}
    assert accepted.items() <= played.items()


def test_a_damaged_store_is_refused_in_a_sentence(tmp_path: Path) -> None:
    store = tmp_path / "f"
    host = Host(store, AGENTS)
    for _ in range(30):
        answered(host, **NEW)
    host.close()
    content = bytearray(store.read_bytes())
    content[4096 * 3 : 4096 * 6] = b"\x7f" * (4096 * 3)
    store.write_bytes(content)
    for _ in range(2):
        with pytest.raises(HeartRushError, match=r"f: it (is a damaged|cannot be used as a) store of fights"):
            Host(store, AGENTS)
    refused = finished(*COMMAND, "serve", "uniform", "--port", "0", "--store", str(store), text=True)
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1
