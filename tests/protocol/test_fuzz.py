"""An engine under arbitrary input: every line is answered or skipped as documented, and the next valid one as usual."""

import copy
import io
import json
import random
from typing import Any

from heartrush_agents import load
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from heartrush_env.app.engine import MAX_GAMES, MAX_MATCHES, MAX_SEALED, Engine, serve
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.protocol.messages import MAX_LINE, decode_answer
from heartrush_env.protocol.requests import act_request
from tests.app.test_engine import ACT
from tests.random_play import begin

GOOD = {**ACT, "id": "good"}
CODES = {
    "bad_json", "too_long", "unknown_type", "bad_field", "bad_option", "bad_view", "illegal", "not_played",
    "nothing_sealed", "too_much",
}  # fmt: skip
ATTACK = settings(
    max_examples=400,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    phases=(Phase.explicit, Phase.generate),
)
WORDS = st.sampled_from(
    "type id game seat view legal seed match fight sealed hello set act act_batch open end quit name value requests "
    "temperature mistakes scenario rules fighter duel brawl knight_0 self enemies observation window stance "
    "round".split()
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | WORDS
TREES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | st.text(max_size=8), inner, max_size=5),
    max_leaves=15,
)

# One engine for all examples: the effects of one line must not harm the next.
ENGINE = Engine(load("turtle"))


def thrown(lines: bytes) -> list[dict[str, Any]]:
    """Return the answers to some lines, after checking that the engine still answers a valid request."""
    written = io.BytesIO()
    serve(ENGINE, io.BytesIO(lines + b'\n{"type":"set","name":"temperature","value":1}\n'), written)
    ENGINE.left = False
    *answers, _ = [json.loads(line) for line in written.getvalue().splitlines()] or [None]
    for line in written.getvalue().splitlines():
        assert len(line) <= MAX_LINE
        decode_answer(line)
    (good,) = [json.loads(line) for line in ENGINE.answer(json.dumps(GOOD).encode())]
    assert good["type"] == "choice" and good["choice"] in GOOD["legal"]
    assert len(ENGINE._matches) <= MAX_MATCHES and len(ENGINE._sealed) <= MAX_SEALED
    assert len(ENGINE._tables) <= MAX_GAMES
    return answers


def check(answers: list[dict[str, Any]]) -> None:
    """Check that every answer is a documented one, and that none reports an internal error."""
    for answer in answers:
        if answer["type"] == "choices":
            check(answer["choices"])
        elif answer["type"] == "error":
            assert answer["code"] in CODES, answer
            assert answer["message"].endswith(".") and answer["message"].isprintable(), answer
        elif answer["type"] == "choice":
            assert answer["policy"][answer["choice"]] > 0
            assert abs(sum(answer["policy"].values()) - 1) < 1e-6
        else:
            assert answer["type"] in ("identity", "ready", "sealed")


@ATTACK
@given(st.binary(max_size=300))
def test_arbitrary_bytes(given_bytes: bytes) -> None:
    assume(not any(word in given_bytes for word in (b"quit", b"end")))  # these have no answer
    answers = thrown(given_bytes)
    check(answers)
    told = [line for line in given_bytes.split(b"\n") if line.strip()]
    assert len(answers) == len(told), "each line that is not empty has its answer"


@ATTACK
@given(st.lists(TREES, min_size=1, max_size=3))
def test_arbitrary_json(trees: list[Any]) -> None:
    check(thrown(b"\n".join(json.dumps(tree).encode() for tree in trees)))


def mutated(value: Any, rng: random.Random, spare: list[Any]) -> Any:
    """Return a copy of a value in which one part is replaced, removed, repeated or changed."""
    value = copy.deepcopy(value)
    place, key = value, None
    while True:
        if not isinstance(place, dict | list) or not place:
            break
        parent, key = place, rng.choice(list(place) if isinstance(place, dict) else range(len(place)))
        place = parent[key]
        if rng.random() < 0.4:
            break
    if key is None:
        return value
    kind = rng.randrange(4)
    if kind == 0:
        del parent[key]
    elif kind == 1 and isinstance(parent, list):
        parent.extend(parent[:50])
    elif kind == 2 and isinstance(place, int | float) and not isinstance(place, bool):
        parent[key] = rng.choice([-place, place + 1, place * 1e9, 2**63, -(2**63), 2**64, 1e308, 0, -0.0, 0.1, 10**30])
    else:
        parent[key] = rng.choice(spare)
    return value


def valid_requests() -> list[dict[str, Any]]:
    """Return requests of every kind, with all fields that they may have."""
    whole = []
    for scenario in ("duel", "brawl"):
        game = HeartRush(scenario)
        fights = begin(game, 7)
        seen: Any = {"observation": fights.observations[0, 0], "action_mask": fights.masks[0, 0]}
        request = act_request(game, "knight_0", seen, id="a", seed=7, match="m", fight=1, budget_ms=50, sealed=True)
        whole += [request, {**request, "view": {**request["view"], "observation": None}, "sealed": False}]
    table = {"fighter": [
        {"id": "a", "team": "blue", "from": "knight", "conditions": {"dazed": 1}, "wounds": [3]},
        {"id": "b", "team": "red", "from": "duelist", "weapon": {"size": "light", "attack_type": "melee"}},
    ]}  # fmt: skip
    whole.append({**GOOD, "seat": "a_0", "game": {"scenario": table, "rules": {"talk": "open"}, "memory": 3}})
    return [
        *whole,
        {"type": "act_batch", "id": "b", "requests": [GOOD, whole[1]]},
        {"type": "hello", "protocol": 1},
        {"type": "set", "id": "s", "name": "mistakes", "value": 0.0},
        {"type": "open", "id": "a"},
        {"type": "end", "match": "m", "result": {"won": True}},
    ]


REQUESTS = valid_requests()


def test_what_is_mutated_is_taken_before() -> None:
    for request in REQUESTS:
        answers = thrown(json.dumps(request).encode())
        check(answers)
        assert all(answer["type"] != "error" for answer in answers), answers


@ATTACK
@given(st.integers(0, 2**32 - 1), st.sampled_from(REQUESTS), st.integers(1, 3), st.lists(TREES, min_size=1, max_size=3))
def test_mutated_requests(seed: int, request: dict[str, Any], times: int, spare: list[Any]) -> None:
    rng = random.Random(seed)
    for _ in range(times):
        request = mutated(request, rng, spare)
    check(thrown(json.dumps(request).encode()))


@ATTACK
@given(st.integers(0, 2**32 - 1), st.sampled_from(REQUESTS))
def test_damaged_lines(seed: int, request: dict[str, Any]) -> None:
    rng = random.Random(seed)
    line = bytearray(json.dumps(request).encode())
    for _ in range(rng.randint(1, 4)):
        place, kind = rng.randrange(len(line)), rng.randrange(3)
        if kind == 0:
            line[place] = rng.randrange(256)
        elif kind == 1:
            del line[place:]
            line += b"}"
        else:
            line[place:place] = bytes(rng.randrange(256) for _ in range(3))
    check(thrown(bytes(line)))


def test_deep_nesting_is_answered() -> None:
    good = json.dumps(GOOD)
    for opening in ("[", '{"a":', '[{"a":'):
        for depth in (10, 500, 5_000, 100_000):
            for line in (
                opening * depth,
                '{"type":"hello","x":' + opening * depth,
                f'{{"type":"set","name":"mistakes","value":{"[" * depth}{"]" * depth}}}',
                good.replace('"duel"', '{"fighter":' + "[" * depth + "]" * depth + "}"),
                good.replace('{"round"', '{"x":' + "[" * depth + "]" * depth + ',"round"'),
            ):
                answers = thrown(line.encode())
                check(answers)
                assert len(answers) in (1, 2)


def test_oversized_lines_are_answered_and_skipped() -> None:
    for content in (b"x", b"[", b'{"a":', b"\\", b'"', b"\xff", b"0", b" "):
        for length in (MAX_LINE + 1, MAX_LINE + 2, MAX_LINE + 3, MAX_LINE + 200_000):
            (answer,) = thrown(content * (length // len(content) + 1))
            assert answer["code"] == "too_long"
    check(thrown(b'{"type":"act","id":"' + b"x" * (MAX_LINE - 100) + b'"}'))
    check(thrown(json.dumps({**GOOD, "legal": ["stance might"] * 60_000}).encode()))
    check(thrown(json.dumps({**GOOD, "view": {"observation": [0] * 300_000}}).encode()))
    reveals = [{"round": k, "stances": {"knight_0": "might"}} for k in range(10_000)]
    check(thrown(json.dumps({**GOOD, "view": {"round": 1, "window": "stance", "reveals": reveals}}).encode()))
    check(thrown(json.dumps({**GOOD, "game": {"scenario": {"fighter": [{}] * 100_000}}}).encode()))
    check(thrown(b'{"type":"set","name":"mistakes","value":' + b"9" * 100_000 + b"}"))
