"""Records uploaded to a server: shown as live fights are, judged by the equilibrium, and not trusted."""

import json
import sys
from collections.abc import Iterator
from typing import Any

import jsonschema
import numpy as np
import pytest

from heartrush_env.app.server.description import openapi
from heartrush_env.app.server.hosting.host import Host
from heartrush_env.app.server.recorded import review, routes, showing
from heartrush_env.app.server.recorded.review import reviewed
from heartrush_env.app.server.recorded.showing import shown
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.analysis import judging
from heartrush_env.research.analysis.judging import LIKE_IT, SAME_DUEL
from heartrush_env.research.analysis.stance_values import shrug_values, stance_values
from heartrush_env.research.solve import solve
from heartrush_env.tabletop.errors import HeartRushError
from tests.app.server.serving import ask, serving
from tests.app.server.test_host import AGENTS, SEED, Table, at_random
from tests.processes import finished

GIFTED: dict[str, Any] = {
    "name": "gifted",
    "max_rounds": 3,
    "fighter": [
        {"from": "knight", "team": "blue", "talents": ["exert"], "destiny_talents": ["dodge_and_weave"]},
        {"from": "duelist", "team": "red", "talents": ["baited_attack"]},
    ],
}
PLAIN: dict[str, Any] = {"scenario": "duel", "rules": {"profile": "plain"}}


def a_fight(**new: Any) -> tuple[Table, bytes]:
    """Return a hosted fight that a person has played, and its record."""
    table = Table(Host(agents=AGENTS), seed=SEED, **{"agents": {"duelist_0": "uniform"}, **new})
    table.play(at_random())
    return table, table.ask(type="save", fight=table.fight)["record"].encode()


@pytest.fixture(scope="module")
def record() -> bytes:
    return a_fight(game=PLAIN)[1]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(agents=("uniform",)) as address:
        yield address


def fits(path: str, status: int, answer: dict[str, Any]) -> None:
    schema = openapi()["paths"][path]["post"]["responses"][str(status)]["content"]["application/json"]["schema"]
    jsonschema.Draft202012Validator({**schema, "components": openapi()["components"]}).validate(answer)


# -- showing ---------------------------------------------------------------------------------------------------------


def test_a_record_is_shown_as_the_fight_was_watched() -> None:
    now = Table(Host(agents=AGENTS), seed=SEED, agents={"duelist_0": "uniform"})
    watched, choose = {0: now.look()}, at_random()
    while not now.look()["over"]:
        now.play(choose, windows=1)
        watched[now.look()["window"]] = now.look()
    found = shown(now.ask(type="save", fight=now.fight)["record"].encode())
    assert [each for window in found["windows"] for each in window["events"]] == now.events()
    public: dict[str, Any] = {"fighters": {}}
    for number, window in enumerate(found["windows"]):
        public |= {**window["public"], "fighters": public["fighters"] | window["public"]["fighters"]}
        if number in watched:
            state = watched[number]
            assert (public, window["standing"]) == (state["public"], state["standing"])
    assert len(watched) > 10
    assert found["winners"] == now.look()["winners"]
    seats = [(each["seat"], each["holder"], each["fighter"]) for each in found["seats"]]
    assert seats == [("knight_0", "person", "Knight"), ("duelist_0", "uniform", "Duelist")]


def test_a_record_is_shown_over_http(address: str, record: bytes) -> None:
    status, _, body = ask(address, "/v1/replay", record)
    assert status == 200 and json.loads(body) == json.loads(json.dumps(shown(record)))
    fits("/v1/replay", 200, json.loads(body))


@pytest.mark.long
def test_a_fight_with_talents_is_saved_shown_and_judged(address: str) -> None:
    table, record = a_fight(game={"scenario": GIFTED})
    status, _, body = ask(address, "/v1/replay", record)
    assert status == 200, body
    found = json.loads(body)
    fits("/v1/replay", 200, found)
    assert [each for window in found["windows"] for each in window["events"]] == table.events()
    status, _, body = ask(address, "/v1/review", record)
    assert status == 200, body
    found = json.loads(body)
    fits("/v1/review", 200, found)
    assert list(found["seats"]) == ["knight_0"]
    assert found["basis"] == LIKE_IT and "without abilities" in LIKE_IT
    assert {each["kind"] for each in found["seats"]["knight_0"]["choices"]} == {"stance"}
    _, record = a_fight(game={"scenario": GIFTED, "rules": {"profile": "plain"}})
    assert reviewed(record)["basis"] == LIKE_IT  # and never as solved exactly


def broken(record: bytes) -> list[tuple[bytes, str]]:
    lines = record.split(b"\n")
    head = json.loads(lines[0])
    elsewhere = {**head, "game": {**head["game"], "scenario": "/etc/passwd"}}
    return [
        (b"", "expected the first line of a record"),
        (b"{", "expected the first line of a record"),
        (b"\xff\xfe\n", "invalid JSON"),
        (b"[" * 100_000 + b"\n", "invalid JSON"),
        (b'{"format": "other"}\n', "format: expected"),
        (b'{"fight": "193a2b1e94d4"}\n', "format: expected"),
        (b"\n".join(lines[:3]) + b"\n", "got only a part"),
        (record.replace(b'"stance might"', b'"stance cunning"', 1), "line"),
        (b"\n".join([json.dumps(elsewhere).encode(), *lines[1:]]), "scenario"),
        (record + b"{}\n", "after the end"),
    ]


def test_what_is_no_record_is_one_sentence(address: str, record: bytes) -> None:
    for content, why in broken(record):
        status, _, body = ask(address, "/v1/replay", content)
        error = json.loads(body)
        assert status == 400 and error["code"] == "bad_record", (content[:40], error)
        assert why in error["message"] and error["message"].endswith(".") and "\n" not in error["message"]
        with pytest.raises(HeartRushError):
            reviewed(content)


def test_a_record_that_is_too_long_or_takes_too_long_is_refused(
    address: str, record: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask(address, "/v1/replay", b" " * (routes.LARGEST_RECORD + 1))[0] == 413
    ticks = iter(range(0, 10_000, 10))
    with pytest.raises(HeartRushError, match="longer than 30 seconds"):
        shown(record, clock=lambda: float(next(ticks)))
    monkeypatch.setattr(showing, "LARGEST_ANSWER", len(json.dumps(shown(record))) // 2)
    with pytest.raises(HeartRushError, match="window by window"):
        shown(record)


def test_no_more_records_wait_than_allowed(address: str, record: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "MOST_WAITING", 0)
    for path in ("/v1/replay", "/v1/review"):
        status, _, body = ask(address, path, record)
        assert status == 503 and json.loads(body)["code"] == "full"


# -- judging ---------------------------------------------------------------------------------------------------------


def test_costs_of_stances_are_what_the_value_falls_by(record: bytes) -> None:
    found = reviewed(record)
    assert (found["basis"], found["why_not"], list(found["seats"])) == (SAME_DUEL, None, ["knight_0"])
    mine = found["seats"]["knight_0"]
    choices = [each for each in mine["choices"] if each["kind"] == "stance"]
    table = solve(HeartRush("duel", rules={"profile": "plain"}, memory=0))
    states = list(states_of(record))
    assert [(each["choice"], each["facing"]) for each in choices] == [
        (stances["knight_0"], stances["duelist_0"]) for _, stances in states
    ]
    for choice, (state, _) in zip(choices, states, strict=True):
        value = float(table.values[0][table.place(state)])
        worth = float(stance_values(table, state).worth[STANCES.index(choice["choice"])])
        assert choice["cost"] == pytest.approx(max(0.0, value - worth) / 2, abs=1e-9)
        assert sum(choice["mix"].values()) == pytest.approx(1)
        assert choice["mix"][choice["choice"]] < 1e-6 or choice["cost"] < 1e-9, "the equilibrium's stances are free"
    assert mine["cost"] == pytest.approx(sum(each["cost"] for each in mine["choices"])) and mine["cost"] > 0
    assert mine["habits"][0].startswith("Stances: ") and "Easiest guess: " in mine["habits"][-2]


def states_of(record: bytes) -> Iterator[tuple[tuple[int, int, int, int], dict[str, str]]]:
    """Yield the state before each reveal, read from events alone, and the revealed stances."""
    hp, hearts = [40, 40], {"knight_0": 8, "duelist_0": 10}
    for event in (each["event"] for window in shown(record)["windows"] for each in window["events"]):
        if event["type"] == "reveal":
            yield (hp[0], hp[1], hearts["knight_0"], hearts["duelist_0"]), event["stances"]
        elif event["type"] == "damage":
            hp[event["fighter"] == "duelist_0"] = event["hp"]
        elif event["type"] == "shrug":
            hearts[event["fighter"]] = event["heart_to"]


def test_costs_of_attacks_and_shrugs_are_those_of_the_solver_for_both_seats() -> None:
    """Attacks and passes agree with the solver's own matrix of the stance game, and shrugs with its rule."""
    record = a_fight(game=PLAIN, agents={})[1]
    table = solve(HeartRush("duel", rules={"profile": "plain"}, memory=0))
    kinds, seats = set(), reviewed(record)["seats"]
    for place, (seat, enemy) in enumerate((("knight_0", "duelist_0"), ("duelist_0", "knight_0"))):
        states = dict(enumerate(states_of(record), 1))
        for each in seats[seat]["choices"]:
            state, stances = states[each["round"]]
            own, other = STANCES.index(stances[seat]), STANCES.index(stances[enemy])
            kinds.add((each["kind"], each["choice"], each["cost"] > 1e-6))
            if each["kind"] == "attack":
                assert each["facing"] == stances[enemy] and each["mix"]["attack"] == pytest.approx(1)
                if each["choice"] == "attack":
                    assert each["cost"] < 1e-9
                elif own == other:  # the enemy alone may hit
                    continue
                else:  # neither may hit
                    gain = stance_values(table, state, place).matrix[own, other]
                    gain -= (1, -1)[place] * float(table.values[0][table.place(state)])
                    assert each["cost"] == pytest.approx(gain / 2, abs=1e-9)
            elif each["kind"] == "shrug":
                damage = int(each["facing"].split()[0])
                found = shrug_values(table, state, place)
                (at,) = np.flatnonzero(found.damage == damage)
                gain = float(found.shrugged[at] - found.taken[at]) * (1 if each["choice"] == "take" else -1)
                assert each["cost"] == pytest.approx(max(0.0, gain) / 2, abs=1e-9)
                assert each["mix"]["shrug"] == table.shrugs(place, state, damage)
    made = {f"{kind} {choice}" for kind, choice, _ in kinds}
    assert made >= {"attack attack", "attack pass", "shrug shrug", "shrug take"}
    assert {kind for kind, _, costly in kinds if costly} == {"stance", "attack", "shrug"}


def test_an_order_that_gives_away_is_told_from_one_that_does_not() -> None:
    assert "gave you away" in judging._order(["might", "agility", "cunning"] * 10)
    random = ["might", "agility", "cunning", "agility", "might", "might", "cunning", "cunning", "agility", "might"]
    assert "did not give you away" in judging._order([*random, *random[::-1], "cunning", "might"])
    assert judging._order(["might"] * 19).startswith("Fewer than 20")


def test_other_rules_are_judged_by_the_plain_ones_and_other_fights_not_at_all() -> None:
    full = reviewed(a_fight()[1])
    assert full["basis"] == LIKE_IT and {each["kind"] for each in full["seats"]["knight_0"]["choices"]} == {"stance"}
    fighters = [
        {"id": id, "team": "red" if id == "a" else "blue", "hp": 3, "heart": 4, "weapon": "longsword"}
        | dict.fromkeys(("might", "agility", "cunning", "presence"), 4)
        for id in "abc"
    ]
    agents = {f"{id}_0": "uniform" for id in "abc"}
    three = reviewed(a_fight(game={"scenario": {"name": "three", "fighter": fighters}}, agents=agents)[1])
    assert three["basis"] is None and "3 fighters" in three["why_not"] and three["why_not"].endswith(".")
    assert all(each == {"choices": [], "cost": 0, "habits": []} for each in three["seats"].values())


@pytest.mark.long
def test_a_judgement_comes_from_a_process_beside_the_server(address: str, record: bytes) -> None:
    status, _, body = ask(address, "/v1/review", record)
    assert status == 200 and json.loads(body) == json.loads(json.dumps(reviewed(record)))
    fits("/v1/review", 200, json.loads(body))
    status, _, body = ask(address, "/v1/review", b"{}\n")
    assert status == 400 and json.loads(body)["message"].startswith("The record, line 1: ")
    fits("/v1/review", 400, json.loads(body))


def test_a_judgement_that_takes_too_long_is_ended_and_the_next_one_begins(
    address: str, record: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for program, found, code in (
        ("import time; time.sleep(3600)", 503, "too_much"),
        ("raise SystemExit(3)", 500, "internal"),
        ('print(\'{"type": "review"}\')', 200, None),
    ):
        monkeypatch.setattr(routes, "PROGRAM", (sys.executable, "-S", "-c", program))
        monkeypatch.setattr(routes, "SECONDS_TO_JUDGE", 0.5 if found == 503 else 60)
        status, _, body = ask(address, "/v1/review", record)
        assert (status, json.loads(body).get("code")) == (found, code)
        assert ask(address, "/health")[0] == 200


def test_there_is_no_judgement_before_the_end(address: str) -> None:
    new = {"type": "new", "game": PLAIN}
    fight = json.loads(ask(address, "/v1/host", new)[2])["fight"]
    assert json.loads(ask(address, "/v1/host", {"type": "save", "fight": fight})[2])["code"] == "not_over"
    for body in ({"fight": fight}, {"type": "save", "fight": fight}, fight.encode()):
        assert ask(address, "/v1/review", body)[0] == 400


def test_the_program_that_judges_reads_no_file_and_says_what_is_wrong() -> None:
    done = finished(sys.executable, "-m", review.__name__, input=b"/etc/passwd\n")
    assert done.returncode == 0 and json.loads(done.stdout)["code"] == "bad_record"
    assert showing.NAME in json.loads(done.stdout)["message"]
