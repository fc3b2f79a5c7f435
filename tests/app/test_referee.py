"""Matches: fair seats, equal dice, clocks, and a referee that no program can stop."""

import json
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from heartrush_agents import load

from heartrush_env.app import referee
from heartrush_env.app.referee import Side, match, read_side
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.protocol import program as running
from heartrush_env.records.record import read_record
from heartrush_env.records.replay import check
from heartrush_env.tabletop.errors import HeartRushError

ENGINE = Path(__file__).resolve().parents[2] / "clients" / "python" / "engine.py"
STARTER = Side("starter", command=(sys.executable, str(ENGINE)))
HOSTILE = """
import json, sys, time
def say(**answer):
    print(json.dumps(answer), flush=True)
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "hello":
        say(type="identity", name="it"); say(type="ready")
    elif m["type"] == "act":
        {deed}
"""


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "SECONDS_TO_LEAVE", 0.1)


@pytest.fixture(scope="module")
def duel() -> HeartRush:
    """Return a short duel."""
    return HeartRush({**_table("duel"), "max_rounds": 12})


def _table(name: str) -> dict[str, Any]:
    from heartrush_env.games.heart_rush.scenario.load import load_scenario
    from heartrush_env.games.heart_rush.tables import scenario_table

    return scenario_table(load_scenario(name))


def agent(id: str) -> Side:
    """Return a side played by one of the package's agents."""
    return Side(id, load(id))


def hostile(deed: str) -> Side:
    """Return a side whose program says that it is ready, and then executes `deed` when it is asked."""
    return Side("hostile", command=(sys.executable, "-c", HOSTILE.format(deed=deed)))


def test_both_sides_have_both_places_and_the_same_dice(duel: HeartRush) -> None:
    result = match(agent("might"), agent("cunning"), duel, fights=6, seed=5)
    assert [fought.fight for fought in result.fights] == [0, 0, 1, 1, 2, 2]
    assert [fought.teams["knight_0"] for fought in result.fights] == [0, 1, 0, 1, 0, 1]
    assert result.wins(0) + result.wins(1) + result.draws == 6
    again = match(agent("cunning"), agent("might"), duel, fights=6, seed=5)  # equal seats, with the sides exchanged
    for one, other in zip((0, 1, 2, 3, 4, 5), (1, 0, 3, 2, 5, 4), strict=True):
        assert result.fights[one].rounds == again.fights[other].rounds
        assert result.fights[one].winner == {0: 1, 1: 0, None: None}[again.fights[other].winner]
    assert (result.wins(0), result.draws) == (again.wins(1), again.draws)


def test_the_winner_is_the_side_and_not_the_team(duel: HeartRush) -> None:
    # The defensive side never strikes, so it never wins against a side that strikes.
    result = match(agent("defensive"), agent("might"), HeartRush("duel"), fights=4, seed=5)
    assert result.wins(0) == 0 and result.wins(1) == 4


def test_a_program_plays_and_nothing_is_found_fault_with(duel: HeartRush) -> None:
    result = match(STARTER, agent("uniform"), duel, fights=4, seed=5)
    assert len(result.fights) == 4 and result.faults(0) == result.faults(1) == {}
    again = match(STARTER, agent("uniform"), duel, fights=4, seed=5)
    assert result.fights == again.fights


def test_four_fighters_of_two_teams_are_asked_for_their_sides() -> None:
    game = HeartRush({**_table("brawl"), "max_rounds": 4})
    result = match(STARTER, agent("random"), game, fights=2, seed=5)
    assert result.faults(0) == {} and result.fights[0].teams == {
        "knight_0": 0, "rogue_0": 0, "barbarian_0": 1, "duelist_0": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("deed", "fault", "words"),
    [
        ("pass", "late", "did not answer in time"),
        ("sys.exit(3)", "dead", "exited with code 3"),
        ("print('x' * 10**5, flush=True)", "malformed", "not JSON"),
        ("say(type='choice', id='other', choice='take')", "malformed", "the id other, which no request has"),
        ("say(type='choice', id=m['id'], choice='stance perplexed')", "illegal", "It chose stance perplexed"),
        ("say(type='choice', id=m['id'], choice=['stance might'])", "illegal", "It chose something else"),
        ("say(type='choice', id=m['id'])", "illegal", "It chose something else"),
        ("say(type='error', id=m['id'], code='not_played', message='No.')", "refused", "refused (not_played: No)"),
        ("\n        while True: say(type='choice', id='x')", "malformed", "the id x"),
    ],
)
def test_a_hostile_program_gets_the_stand_in_and_the_fight_goes_on(
    duel: HeartRush, tmp_path: Path, deed: str, fault: str, words: str
) -> None:
    budget = 30 if fault == "late" else 600_000  # a wrong answer is waited for
    result = match(hostile(deed), agent("might"), duel, fights=1, seed=5, budget_ms=budget, record=tmp_path)
    faults = result.faults(0)
    assert faults.pop(fault) > 0 and (not faults or (fault == "late" and set(faults) == {"dead"}))
    assert words in result.said[0][fault] and "\n" not in result.said[0][fault]
    assert result.faults(1) == {}
    record = read_record(tmp_path / "0000.hrr")
    assert all(step.fallback in ((), ("knight_0",)) for step in record.steps)
    assert sum(step.fallback == ("knight_0",) for step in record.steps) == sum(result.faults(0).values())
    assert record.seats["knight_0"]["faults"] == result.faults(0) and "faults" not in record.seats["duelist_0"]
    stances = [event["stances"] for step in record.steps for event in step.events if event["type"] == "reveal"]
    assert stances and all(taken == {"knight_0": "defensive", "duelist_0": "might"} for taken in stances)


YARD = {
    "name": "yard",
    "fighter": [
        {"id": id, "team": team, "at": at, "might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 9,
         "weapon": "shortsword", "speed": 20}
        for id, team, at in (("knight", "blue", [0, 0]), ("rogue", "red", [15, 0]))
    ],
    "battlefield": {"map": ["................"] * 3},
    "max_rounds": 1,
}  # fmt: skip


def test_a_program_walks(tmp_path: Path) -> None:
    """The program walks two squares south by its own route; whatever else it sends is ignored."""
    side = hostile(
        "told = globals().setdefault('told', [])\n"
        "        wanted = ('walk', 'sidestep se', 'sidestep sw', 'pass')[len(told):][:1]\n"
        "        told.extend(wanted)\n"
        "        choice = wanted[0] if wanted else m['legal'][0]\n"
        "        say(type='choice', id=m['id'], choice=choice, details={'route': 7})"
    )
    result = match(side, agent("defensive"), HeartRush(YARD), fights=1, seed=5, budget_ms=600_000, record=tmp_path)
    assert result.faults(0) == {}
    record = read_record(tmp_path / "0000.hrr")
    check(record)
    chosen = [step.actions.get("knight_0") for step in record.steps[1:5]]
    assert chosen == ["walk", "sidestep se", "sidestep sw", "pass"]
    moves = [event for step in record.steps for event in step.events if event["type"] == "move"]
    assert [event["path"] for event in moves if event["fighter"] == "knight_0"] == [[[1, 1], [0, 2]]]


def test_one_that_is_late_too_often_in_a_row_is_ended(duel: HeartRush) -> None:
    result = match(hostile("pass"), agent("might"), duel, fights=4, seed=5, budget_ms=20)
    assert result.faults(0)["late"] == referee.MOST_LATE and result.faults(0)["dead"] > 0
    assert result.said[0]["dead"] == "It was ended after 10 late answers in a row."


def test_one_that_is_sometimes_late_loses_those_choices_alone(duel: HeartRush, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "MOST_LATE", 2)
    ask, number = running.Program.ask, count(1)

    def in_a_hurry(program: running.Program, message: Any, kind: str, seconds: float) -> Any:
        return ask(program, message, kind, 0.05 if next(number) in (2, 4) else seconds)

    monkeypatch.setattr(running.Program, "ask", in_a_hurry)
    deed = (
        "asked = globals().get('asked', 0) + 1; time.sleep(1 if asked in (2, 4) else 0); "
        "say(type='choice', id=m['id'], choice=m['legal'][0])"
    )
    result = match(hostile(deed), agent("might"), duel, fights=1, seed=5, budget_ms=600_000)
    assert result.faults(0) == {"late": 2}
    assert result.fights[0].rounds > 3


def test_one_that_is_never_ready_is_dead(duel: HeartRush) -> None:
    mute = Side("mute", command=(sys.executable, "-c", "import time; time.sleep(600)"))
    result = match(mute, mute, duel, fights=1, seed=5, start_seconds=0.2)
    assert set(result.faults(0)) == set(result.faults(1)) == {"dead"}
    assert result.said[0]["dead"].startswith("It never said that it is ready: ")


def test_no_program_is_left_running(duel: HeartRush) -> None:
    before = set(running._OPEN)
    with pytest.raises(HeartRushError, match="no_such_program cannot be started"):
        match(STARTER, Side("none", command=("no_such_program",)), duel)
    match(STARTER, agent("might"), duel, fights=1)
    assert set(running._OPEN) == before


def test_a_request_tells_what_the_protocol_says(duel: HeartRush, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    deed = f"open({str(heard)!r}, 'a').write(line); say(type='choice', id=m['id'], choice=m['legal'][0])"
    match(hostile(deed), agent("might"), duel, fights=2, seed=5, budget_ms=700_000)
    requests = [json.loads(line) for line in heard.read_text().splitlines()]
    assert {request["budget_ms"] for request in requests} == {700_000}
    assert {(request["seat"], request["match"]) for request in requests} == {("knight_0", "0"), ("duelist_0", "1")}
    for field in ("id", "seed"):
        assert len({request[field] for request in requests}) == len(requests)
    assert all(0 <= request["seed"] < 2**53 and len(request["legal"]) > 1 for request in requests)
    later = next(request for request in requests if request["view"]["round"] == 3)
    assert [reveal["round"] for reveal in later["view"]["reveals"]] == [1, 2]


def test_records_replay_byte_for_byte(duel: HeartRush, tmp_path: Path) -> None:
    result = match(STARTER, hostile("say(type='error', id=m['id'], code='internal', message='Oh.')"), duel, fights=2,
                   seed=5, record=tmp_path / "new" / "folder")  # fmt: skip
    for fought in result.fights:
        assert fought.record is not None
        check(read_record(fought.record))
    with pytest.raises(HeartRushError, match=r"got one with 0000.hrr"):
        match(agent("might"), agent("might"), duel, record=tmp_path / "new" / "folder")


def test_sides_are_read_from_words_and_are_two_teams() -> None:
    assert read_side("uniform").agent is load("uniform")
    side = read_side("exec:node 'my engine.mjs' --quick")
    assert side.command == ("node", "my engine.mjs", "--quick") and side.name == "node 'my engine.mjs' --quick"
    for text, words in {
        "exec:": "Expected a program, as in",
        "exec:'": "Expected a command line",
        "nobody": "Unknown agent 'nobody'",
    }.items():
        with pytest.raises(HeartRushError, match=words):
            read_side(text)
    with pytest.raises(HeartRushError, match="either an agent or the command"):
        Side("neither")
    with pytest.raises(HeartRushError, match="'free_for_all' has 5"):
        match(agent("might"), agent("might"), HeartRush("free_for_all"))
