"""Messages: what a line may contain, what is ignored, and what is refused and how."""

import json
import sys
from typing import Any, get_args

import msgspec
import pytest

from heartrush_env.protocol import messages
from heartrush_env.protocol.messages import (
    MAX_BATCH,
    MAX_ID,
    MAX_LINE,
    Act,
    ActBatch,
    Choice,
    Error,
    Hello,
    ProtocolError,
    Quit,
    Ready,
    decode_answer,
    decode_batch,
    decode_request,
    encode,
    json_schema,
)
from heartrush_env.protocol.sealing import fits, new_nonce, seal
from tests.processes import finished

ACT: dict[str, Any] = {
    "type": "act",
    "id": "1",
    "game": {"scenario": "duel"},
    "seat": "knight_0",
    "view": {"round": 1, "window": "stance", "self": {"hp": 31}},
    "legal": ["stance might"],
    "seed": 7,
}


def line(message: Any) -> bytes:
    return json.dumps(message).encode()


def refused(given: bytes) -> ProtocolError:
    with pytest.raises(ProtocolError) as refusal:
        decode_request(given)
    assert str(refusal.value).endswith(".") and "\n" not in str(refusal.value)
    return refusal.value


# -- what is taken -------------------------------------------------------------------------------------------------


def test_a_request_is_read_field_by_field() -> None:
    request = decode_request(line(ACT))
    assert isinstance(request, Act)
    assert (request.id, request.seat, request.seed, request.legal) == ("1", "knight_0", 7, ["stance might"])
    assert request.game.scenario == "duel" and request.game.memory is None and request.game.decisions is None
    assert request.view.own is not None and request.view.own.hp == 31 and request.view.observation is None


def test_unknown_fields_white_space_and_the_order_of_fields_do_not_matter() -> None:
    more = json.loads(line(ACT))
    for place in (more, more["game"], more["view"], more["view"]["self"]):
        place["mood"] = {"deep": [1, {"er": None}]}
    assert decode_request(line(more)) == decode_request(line(ACT))
    turned = dict(reversed(ACT.items()))
    assert decode_request(b"  " + line(turned) + b" \r\n") == decode_request(line(ACT))


@pytest.mark.parametrize("message", [Hello(), Quit(), Ready(id="x"), Error(code="internal", message="It broke.")])
def test_what_is_written_is_one_line_and_is_read_back(message: msgspec.Struct) -> None:
    written = encode(message)
    assert written.endswith(b"\n") and written.count(b"\n") == 1
    decode = decode_request if isinstance(message, Hello | Quit) else decode_answer
    assert decode(written) == message


def test_a_nonce_is_written_only_where_there_is_one() -> None:
    choice = Choice(id="1", choice="take", policy={"take": 1.0}, reason="plays take", ms=0.1)
    assert json.loads(encode(choice)) == {
        "type": "choice", "id": "1", "choice": "take", "policy": {"take": 1.0}, "value": None,
        "reason": "plays take", "ms": 0.1,
    }  # fmt: skip
    choice.nonce = "0" * 32
    assert json.loads(encode(choice))["nonce"] == "0" * 32


def test_a_batch_with_a_bad_request_keeps_the_good_ones() -> None:
    batch = {"type": "act_batch", "id": "b", "requests": [ACT, {**ACT, "id": "2", "seat": 3}, 4]}
    assert refused(line(batch)).code == "bad_field"
    id, (good, bad, none) = decode_batch(line(batch))
    assert id == "b" and good == decode_request(line(ACT))
    assert isinstance(bad, ProtocolError) and (bad.code, bad.id) == ("bad_field", "2")
    assert isinstance(none, ProtocolError) and (none.code, none.id) == ("bad_json", None)
    whole = decode_request(line({"type": "act_batch", "id": "b", "requests": [ACT, ACT]}))
    assert isinstance(whole, ActBatch) and whole.requests == [good, good]


# -- what is refused -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "code", "id", "said"),
    [
        (b"", "bad_json", None, "not JSON"),
        (b"hello", "bad_json", None, "not JSON"),
        (b'{"type":"hello"} x', "bad_json", None, "trailing"),
        (b'{"type":"hello","protocol":NaN}', "bad_json", None, "not JSON"),
        (b"[1, 2]", "bad_json", None, "expected a JSON object, got [1, 2]"),
        (b'"hello"', "bad_json", None, 'got "hello"'),
        (b'{"type":"hello","x":"\xff"}', "bad_json", None, "not UTF-8: byte 21"),
        (b'{"type":"hello","x":' + b"[" * 100_000, "bad_json", None, "nested too deeply"),
        (b"[" * 100_000, "bad_json", None, "expected a JSON object"),
        (b"{}", "unknown_type", None, "type: expected hello, set"),
        (b'{"type":7,"id":"x"}', "unknown_type", "x", "got 7"),
        (b'{"type":"helo","id":"x"}', "unknown_type", "x", 'got "helo"'),
        (b'{"type":"choice","id":"x"}', "unknown_type", "x", 'got "choice"'),
        (b'{"type":"act","id":"x"}', "bad_field", "x", "missing required field"),
        (b'{"type":"open","id":7}', "bad_field", None, "open: id: expected str, got int"),
        (b'{"type":"hello","protocol":0}', "bad_field", None, "hello: protocol"),
        (line({**ACT, "seed": -1}), "bad_field", "1", "act: seed: expected int >= 0"),
        (line({**ACT, "seed": 2**63}), "bad_field", "1", "act: seed"),
        (line({**ACT, "seed": 1.5}), "bad_field", "1", "act: seed: expected int | null, got float"),
        (line({**ACT, "seed": "7"}), "bad_field", "1", "act: seed: expected int | null, got str"),
        (line({**ACT, "seed": True}), "bad_field", "1", "act: seed"),
        (line({**ACT, "budget_ms": -1}), "bad_field", "1", "act: budget_ms"),
        (line({**ACT, "id": "x" * (MAX_ID + 1)}), "bad_field", None, f"length <= {MAX_ID}"),
        (line({**ACT, "view": {"self": {"hp": "31"}}}), "bad_field", "1", "act: view.self.hp"),
        (line({**ACT, "view": {"observation": [0, "x"]}}), "bad_field", "1", "act: view.observation[1]"),
        (line({**ACT, "view": {"observation": [7]}}).replace(b"[7]", b"[1e400]"), "bad_field", "1", "observation[0]"),
        (line({**ACT, "game": {"scenario": "duel", "memory": 9}}), "bad_field", "1", "act: game.memory"),
        (line({"type": "act_batch", "id": "b", "requests": [1] * (MAX_BATCH + 1)}), "bad_field", "b", "act_batch"),
    ],
)
def test_a_line_that_is_not_taken_says_why(given: bytes, code: str, id: str | None, said: str) -> None:
    refusal = refused(given)
    assert (refusal.code, refusal.id) == (code, id)
    assert said in str(refusal), str(refusal)


def test_what_was_found_is_cut_short_and_stays_on_its_line() -> None:
    refusal = refused(b'{"type":"' + b"\\u001b" * 500 + b'"}')
    assert refusal.code == "unknown_type" and len(str(refusal)) < 200 and str(refusal).isprintable()
    refusal = refused(line({**ACT, "seed": 1, "game": {"scenario": "duel", "decisions": "x" * 5_000}}))
    assert refusal.code == "bad_field" and len(str(refusal)) < 300


def test_the_longest_line_is_read_and_a_longer_one_is_not() -> None:
    padding = MAX_LINE - len(b'{"type":"hello","x":""}')
    assert decode_request(b'{"type":"hello","x":"' + b"x" * padding + b'"}') == Hello()
    assert refused(b'{"type":"hello","x":"' + b"x" * (padding + 1) + b'"}').code == "too_long"


# -- sealing -------------------------------------------------------------------------------------------------------


def test_a_seal_fits_its_choice_and_no_other() -> None:
    # printf '00112233445566778899aabbccddeeff:stance might' | sha256sum
    nonce = "00112233445566778899aabbccddeeff"
    sealed = "f4974342555d39a58eb762eb52d161f3669f0cb94e0fa14270b5a594fcb0fb6c"
    assert seal("stance might", nonce) == sealed
    assert fits(sealed, "stance might", nonce)
    assert not fits(sealed, "stance agility", nonce)
    assert not fits(sealed, "stance might", nonce[::-1])
    for bad in ("", "7", "0" * 31, "g" * 32, "0" * 33):
        assert not fits(seal("stance might", bad), "stance might", bad), "too short, too long or no number"


def test_nonces_are_long_and_differ() -> None:
    nonces = {new_nonce() for _ in range(100)}
    assert len(nonces) == 100 and {len(nonce) for nonce in nonces} == {32}


# -- the schema ----------------------------------------------------------------------------------------------------


def test_the_schema_names_every_message_and_what_it_needs() -> None:
    schema = json_schema()
    kinds = [*schema["$defs"]["request"]["oneOf"], *schema["$defs"]["answer"]["oneOf"]]
    named = [schema["$defs"][kind["$ref"].rsplit("/", 1)[1]] for kind in kinds]
    kinds = [kind["properties"]["type"]["enum"] for kind in named]
    assert kinds == [[name] for name in (*messages.REQUESTS, *messages.ANSWERS)]
    assert set(schema["$defs"]["Act"]["required"]) == {"type", "id", "game", "seat", "view", "legal"}
    assert schema["$defs"]["Error"]["properties"]["code"]["enum"] == sorted(get_args(messages.Code))
    assert all(kind["description"] for kind in named)


def test_the_schema_takes_what_is_taken_and_refuses_what_is_refused() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator({**schema, "oneOf": [{"$ref": "#/$defs/request"}]})
    for good in (ACT, {"type": "hello"}, {**ACT, "mood": 1}, {"type": "act_batch", "id": "b", "requests": [ACT]}):
        assert validator.is_valid(good)
    for bad in ({**ACT, "seed": -1}, {"type": "act"}, {**ACT, "view": {"self": {"hp": "31"}}}, {"type": "helo"}, []):
        assert not validator.is_valid(bad)


@pytest.mark.parametrize("module", ["fields", "messages", "requests", "views"])
def test_a_module_that_needs_msgspec_names_the_extra(module: str) -> None:
    script = f"import sys; sys.modules['msgspec'] = None; import heartrush_env.protocol.{module}"
    ended = finished(sys.executable, "-c", script, text=True)
    assert ended.stderr.splitlines()[-1] == (
        "heartrush_env.tabletop.errors.HeartRushError: The engine protocol needs msgspec, which is not installed: "
        "pip install 'heartrush-env[protocol]'."
    )
