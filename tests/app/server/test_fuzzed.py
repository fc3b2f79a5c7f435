"""Servers under random requests: each answer is complete and polite, no file is opened, and no secret is revealed."""

import io
import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from heartrush_agents import load
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from heartrush_env.app.cli.host import serve
from heartrush_env.app.engine import Engine
from heartrush_env.app.server.app import PAGE, application
from heartrush_env.app.server.hosting.host import Host
from heartrush_env.app.server.limits import Limits
from tests.app.server.fuzz import PATHS, lines
from tests.app.server.serving import ask, serving
from tests.app.server.test_engines import ACT
from tests.app.server.test_host import AGENTS, DUEL, SEED, Table

QUICK = settings(
    max_examples=30, phases=[Phase.explicit, Phase.generate], derandomize=True, deadline=None, database=None,
    suppress_health_check=[*HealthCheck],
)  # fmt: skip
LONG = settings(QUICK, max_examples=600)
BOTH = pytest.mark.parametrize(
    "_", [pytest.param(QUICK, id="few"), pytest.param(LONG, id="many", marks=pytest.mark.long)]
)

DICE = {"might": 8, "agility": 6, "cunning": 6, "presence": 4, "heart": 8}
F = {**DICE, "hp": 9, "weapon": "longsword", "armor": "medium"}
OWN = {"name": "own", "fighter": [{"id": "a", "team": "blue", **F}, {"id": "b", "team": "red", **F}]}
ENGINE_MESSAGES: tuple[dict[str, Any], ...] = (
    {"type": "hello", "protocol": 1},
    {"type": "set", "name": "mistakes", "value": 0.5, "id": "s"},
    {**ACT, "budget_ms": 5, "match": "m", "fight": 1, "sealed": False},
    {**ACT, "view": {**ACT["view"], "self": {"hp": 38, "stance": None}, "enemies": [{"stance": None}]}},
    {**ACT, "view": {"round": 2, "window": "shrug", "self": {"hit": 3}}, "legal": ["shrug", "take"]},
    {"type": "act_batch", "id": "b", "requests": [ACT, {**ACT, "id": "2"}]},
    {"type": "open", "id": "1"},
    {"type": "end", "match": "m", "result": {}},
)
SEATED = {"fight": "FIGHT", "token": "TOKEN"}
HOST_MESSAGES: tuple[dict[str, Any], ...] = (
    {**DUEL, "agents": {"duelist_0": "uniform"}, "seconds": 5, "seed": 3, "title": "t"},
    {"type": "new", "game": {"scenario": OWN, "rules": {"profile": "plain"}, "decisions": "stance"}},
    {"type": "join", "fight": "FIGHT", "seat": "knight_0", "name": "Ann"},
    {"type": "look", **SEATED},
    {"type": "choose", **SEATED, "window": 0, "choice": "stance might"},
    {"type": "events", "fight": "FIGHT", "since": 0},
    {"type": "watch", "fight": "FIGHT", "token": None},
    {"type": "save", "fight": "FIGHT"},
    {"type": "close", "fight": "FIGHT", "token": "OWNER"},
    {"type": "fights", "id": "f"},
)


def polite(answer: bytes) -> dict[str, Any]:
    """Check that an answer is one line of strict JSON without an internal error, and return it."""
    assert answer.endswith(b"\n") and answer.count(b"\n") == 1
    found: dict[str, Any] = json.loads(answer, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert found.get("code") != "internal", found
    if found["type"] == "error":
        assert found["message"].endswith(".") and len(found["message"]) < 5_000, found
    return found


@contextmanager
def opening(*allowed: Path) -> Iterator[None]:
    """Fail if a file under one of the paths named in the attacks is opened."""
    _OPENED.append([])
    try:
        yield
    finally:
        opened = _OPENED.pop()
    wanted = [each for each in opened if any(path.strip("~./\\\0") and path.strip("~./\\") in each for path in PATHS)]
    assert wanted == []


_OPENED: list[list[str]] = []
sys.addaudithook(lambda event, words: _OPENED[-1].append(str(words[0])) if event == "open" and _OPENED else None)


# -- the protocols -------------------------------------------------------------------------------------------------


@BOTH
def test_an_engine_answers_anything(_: settings) -> None:
    engine = Engine(load("uniform"))

    @_
    @given(lines(st.sampled_from(ENGINE_MESSAGES)))
    def attack(line: bytes) -> None:
        with opening():
            for answer in engine.answer(line):
                polite(answer)
        assert [polite(each)["type"] for each in engine.answer(json.dumps(ACT).encode())] == ["choice"]

    attack()


@BOTH
def test_a_host_answers_anything_and_goes_on(_: settings) -> None:
    table = Table(Host(agents=("uniform",), most_fights=8), seed=SEED, agents={"duelist_0": "uniform"})
    known = {"FIGHT": table.fight, "TOKEN": table.tokens["knight_0"], "OWNER": "not the owner's"}

    @_
    @given(st.lists(lines(st.sampled_from(HOST_MESSAGES)), min_size=1, max_size=4))
    def attack(batch: list[bytes]) -> None:
        with opening():
            for line in batch:
                for word, value in known.items():
                    line = line.replace(word.encode(), value.encode())
                polite(table.host.answer(line))
        assert table.look("knight_0")["type"] == "state"
        assert len(table.host._live) <= 8

    attack()


@BOTH
def test_a_host_at_standard_input_survives_any_bytes(_: settings) -> None:
    @_
    @given(st.lists(st.binary(max_size=60) | lines(st.sampled_from(HOST_MESSAGES)), max_size=6))
    def attack(batch: list[bytes]) -> None:
        answers = io.BytesIO()
        serve(Host(agents=("uniform",)), io.BytesIO(b"\n".join([*batch, b'{"type":"fights","id":"last"}'])), answers)
        said = answers.getvalue().splitlines(keepends=True)
        assert polite(said[-1])["id"] == "last"
        for answer in said:
            polite(answer)

    attack()


# -- hidden choices --------------------------------------------------------------------------------------------------


class Pair:
    """Two hosts with equal histories, apart from one choice that is still hidden."""

    def __init__(self, agents: Mapping[str, str], decisions: str) -> None:
        game = {"scenario": "duel", "decisions": decisions}
        self.tables = [Table(Host(agents=AGENTS), seed=SEED, agents=agents, game=game) for _ in range(2)]

    def ask(self, asking: str | None, message: dict[str, Any]) -> list[str]:
        """Return both hosts' answers, without their ids and tokens, which are random on purpose."""
        return [self.told(table, asking, message) for table in self.tables]

    def told(self, table: Table, seat: str | None, message: dict[str, Any]) -> str:
        words = {"fight": table.fight, **({} if seat is None else {"token": table.tokens[seat]}), **message}
        answer = json.dumps(table.ask(**words), sort_keys=True)
        for secret in (table.fight, table.owner, *table.tokens.values()):
            answer = answer.replace(secret, "*")
        return answer


PROBES: tuple[dict[str, Any], ...] = (
    *({"type": kind} for kind in ("look", "watch", "save", "fights", "events")),
    {"type": "choose", "window": 0, "choice": "pass"},
    {"type": "choose", "window": 1, "choice": "stance might"},
    {"type": "choose", "choice": "no such choice"},
    {"type": "join", "seat": "knight_0"},
    {"type": "close", "token": "x"},
)


@BOTH
def test_a_hidden_choice_is_in_no_answer_to_anybody_else(_: settings) -> None:
    choice = st.integers(0, 30)

    @_
    @given(
        first=st.sampled_from(["knight_0", "duelist_0"]),
        decisions=st.sampled_from(["full", "stance"]),
        played=st.lists(st.tuples(choice, choice), max_size=6),
        hidden=st.tuples(choice, choice),
        probes=st.lists(st.tuples(st.booleans(), st.sampled_from(PROBES)), min_size=1, max_size=6),
    )
    def attack(first: str, decisions: str, played: Any, hidden: Any, probes: Any) -> None:
        pair = Pair({}, decisions)
        for picks in played:
            for table in pair.tables:
                for seat, legal in [(seat, table.legal(seat)) for seat in table.tokens]:
                    if legal:
                        table.act(seat, legal[picks[seat == first] % len(legal)])
        other = next(seat for seat in pair.tables[0].tokens if seat != first)
        if pair.tables[0].look()["over"] or not all(pair.tables[0].legal(seat) for seat in (first, other)):
            return  # no seat waits for another
        for table, pick in zip(pair.tables, hidden, strict=True):
            legal = table.legal(first)
            assert table.act(first, legal[pick % len(legal)])["type"] == "accepted"
        window = pair.tables[0].look()["window"]
        always = [(True, {"type": "look"}), (False, {"type": "watch"}), (False, {"type": "events"})]
        for as_other, probe in [*probes, *always]:
            if probe.get("window") == window:
                continue  # by the rules, this message would reveal the hidden choice
            words = {**({"window": window} if probe.get("choice") == "no such choice" else {}), **probe}
            one, two = pair.ask(other if as_other else None, words)
            assert one == two

    attack()


def test_an_agent_does_not_know_the_choice_of_the_player_who_chose_first() -> None:
    for agent in AGENTS:
        told = []
        for choice in ("stance might", "stance agility", "stance cunning", "stance defensive"):
            table = Table(Host(agents=AGENTS), seed=SEED, agents={"duelist_0": agent})
            table.act("knight_0", choice)
            told.append(next(each["event"]["stances"] for each in table.events() if each["event"]["type"] == "reveal"))
        assert len({each["duelist_0"] for each in told}) == 1 and len({each["knight_0"] for each in told}) == 4


# -- HTTP ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def app() -> Any:
    limits = Limits(rate=0, hosts=("testserver", "127.0.0.1"))
    return application([load("uniform")], Host(agents=("uniform",), most_fights=50), limits)


@BOTH
def test_the_addresses_do_what_their_description_says(_: settings, app: Any) -> None:
    schemathesis = pytest.importorskip("schemathesis")
    conformances = [f"{what}_conformance" for what in ("status_code", "content_type", "response_schema")]
    wanted = [getattr(schemathesis.checks, name) for name in ("not_a_server_error", *conformances)]
    schema = schemathesis.openapi.from_asgi("/openapi.json", app)
    few = settings(_, max_examples=_.max_examples // 6)
    for operation in schema.get_all_operations():

        @few
        @given(operation.ok().as_strategy())
        def attack(case: Any) -> None:
            with opening():
                answer = case.call()
            if 101 not in [int(status) for status in case.operation.definition.raw["responses"]]:
                case.validate_response(answer, checks=wanted)

        attack()


@BOTH
def test_no_path_leads_out_of_the_folder_of_the_page(_: settings) -> None:
    ours = {file.read_bytes() for file in PAGE.iterdir() if file.is_file()}
    words = ".. %2e%2e . %2f / %5c %00 page app.py etc passwd index.html ..%2f..%2fapp.py ~ C: %c0%ae %e2%80%ae"

    @_
    @given(st.lists(st.sampled_from(words.split()), min_size=1, max_size=6))
    def attack(parts: list[str]) -> None:
        status, _, content = ask(address, f"/{'/'.join(parts)}")
        assert status in (200, 307, 400, 404, 405)
        assert status != 200 or content in ours

    with serving() as address:
        attack()
