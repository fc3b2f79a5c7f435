"""A record read back is the same fight, in another process too; a damaged or false record is refused."""

import hashlib
import json
import random
import sys
from collections.abc import Callable, Iterable
from functools import reduce
from operator import delitem, getitem, setitem
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.settings import BEFORE
from heartrush_env.games.heart_rush.tables import scenario_table
from heartrush_env.records import record as module
from heartrush_env.records.record import RecordError, read_record
from heartrush_env.records.replay import check, replay
from heartrush_env.tabletop.game import Event
from tests.processes import ROOT, finished
from tests.records.recorded import SHORT, Lines, lines_of, record, summed, with_dice, write
from tests.reference.scenarios import random_scenario
from tests.shipped import ON_MAP, USUAL, WITHOUT_MAP
from tests.shipped import short as cut_short

CHANGED = ": the record was changed after it was written: its SHA-256 does not match."
INVALID = "expected a line that a recorder wrote, got invalid JSON ("
BROKEN_OFF = ": expected all lines up to the record's end, got only a part."
READ = """
import json, sys
from heartrush_env.records import read_record, replay
for path in sys.argv[1:]:
    record = read_record(path)
    events = [moment.events for moment in replay(record)]
    print(json.dumps([events, record.cause, record.winners, record.rewards]))
"""


def kinds(scenarios: Iterable[str]) -> list[tuple[str, HeartRush, dict[str, Any]]]:
    """Return fights of all kinds with their names and options."""
    found: list[tuple[str, HeartRush, dict[str, Any]]] = []
    for scenario in scenarios:
        for control in ("fighter", "team"):
            for decisions in ("full", "stance"):
                game = HeartRush(cut_short(scenario), decisions=decisions, control=control)
                found.append((f"{scenario} {control} {decisions}", game, {"forced": control == "team"}))
        found.append((f"{scenario} late", HeartRush(cut_short(scenario)), {"stand_ins": 0.3, "fight": 12}))
    options = {"shape": "team", "memory": 2, "reward": "hp_change", "max_cycles": 40}
    found.append(("options", HeartRush("duel", {"edition": "december2025", "talk": "open"}, **options), {}))
    for seed in range(4):
        found.append((f"random {seed}", HeartRush(random_scenario(random.Random(seed)), reward="hp_margin"), {}))
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    "scenarios",
    [
        ("duel",),
        pytest.param((*WITHOUT_MAP, USUAL), marks=pytest.mark.long),
        pytest.param(ON_MAP, marks=pytest.mark.long),
    ],
    ids=["duel", "usual", "maps"],
)
def test_recorded_fights_are_the_same_in_another_process(scenarios: tuple[str, ...], tmp_path: Path) -> None:
    """Another process that has only the files reproduces the fights byte for byte."""
    expected, files = [], []
    fights = [(name, *record(game, 7, **how)) for name, game, how in kinds(scenarios)]
    fights.append(("given dice", *with_dice(HeartRush("duel"), 7)[:2]))
    for name, recorder, happened in fights:
        end = lines_of(recorder)[-1]["end"]
        expected.append(json.dumps([happened, end["cause"], end["winners"], end["rewards"]]))
        files.append(str(recorder.write(tmp_path / f"{name}.hrr")))
    assert {json.loads(told)[1] for told in expected} >= {"victory", "max_cycles", "round_cap"}
    other = finished(sys.executable, "-c", READ, *files, cwd=ROOT, text=True)
    assert other.stderr == ""
    for (name, *_), told, again in zip(fights, expected, other.stdout.splitlines(), strict=True):
        assert again == told, name


def test_given_dice_are_thrown_again(tmp_path: Path) -> None:
    recorder, happened, dice = with_dice(HeartRush("duel"), 7)
    plain = record(HeartRush("duel"), 7)[1]
    assert happened != plain
    read = read_record(recorder.write(tmp_path / "fight.hrr"))
    assert read.dice == tuple(dice)
    assert [moment.events for moment in replay(read)] == happened
    first = next(event for events in happened for event in events if "attack_dice" in event)
    assert first["attack_dice"][0] in dice


def test_the_game_comes_from_the_file_and_from_nowhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record still replays after its custom scenario has been deleted."""
    own = tmp_path / "own.toml"
    duel = ROOT / "heartrush_env/games/heart_rush/data/scenarios/duel.toml"
    own.write_text(duel.read_text().replace("hp = 40", "hp = 9"))
    recorder, happened = record(HeartRush(own), 7)
    path = recorder.write(tmp_path / "fight.hrr")
    own.unlink()
    assert str(tmp_path) not in recorder.content.decode()
    read = read_record(path)
    assert read.game == recorder.game
    assert [moment.events for moment in replay(read)] == happened


def test_moments_show_what_was_seen_and_played(tmp_path: Path) -> None:
    recorder, _ = record(HeartRush("duel"), 7, fight=3, stand_ins=0.3)
    beginning, *moments = replay(read_record(recorder.write(tmp_path / "fight.hrr")))
    assert (beginning.observations, beginning.actions) == ({}, {})
    for moment in moments:
        assert set(moment.actions) == {"knight_0", "duelist_0"} - set(moment.step.fallback)
        for agent, action in moment.actions.items():
            assert moment.observations[agent]["action_mask"][action]
            name = recorder.game.action_names[action]
            assert moment.step.actions.get(agent, name) == name
    assert any(moment.step.fallback for moment in moments)


# -- what is refused ---------------------------------------------------------------------------------------------------


def refused(path: Path) -> str:
    """Return the sentence with which a record is refused, on reading or on replay."""
    with pytest.raises(RecordError) as refusal:
        check(read_record(path))
    sentence = str(refusal.value)
    assert sentence.startswith(str(path)) and sentence.endswith(".") and "\n" not in sentence
    return sentence.removeprefix(str(path))


@pytest.fixture(scope="module")
def duel() -> tuple[Lines, bytes]:
    recorder, _ = record(HeartRush("duel"), 7)
    return lines_of(recorder), recorder.content


def put(*way: Any, value: Any) -> Callable[[Lines], None]:
    """Return a change that replaces one value of the lines."""
    return lambda lines: setitem(reduce(getitem, way[:-1], lines), way[-1], value)


def drop(*way: Any) -> Callable[[Lines], None]:
    """Return a change that removes one value of the lines."""
    return lambda lines: delitem(reduce(getitem, way[:-1], lines), way[-1])


def go_on(lines: Lines) -> None:
    """Add a window after the fight is over."""
    lines.insert(-1, {"step": len(lines) - 3, "actions": {}, "events": []})
    lines[-1]["steps"] += 1


def stop_early(lines: Lines) -> None:
    del lines[-2]
    lines[-1]["steps"] -= 1


def rename_first_event_field(lines: Lines) -> None:
    event = lines[2]["events"][0]
    lines[2]["events"][0] = dict(reversed(event.items()))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            put(0, "format", value="heartrush-policy"),
            ", line 1: format: expected 'heartrush-record', got 'heartrush-policy'.",
        ),
        (drop(0, "format"), ", line 1: format: expected 'heartrush-record', got None."),
        (put(0, "version", value=2), ", line 1: version: expected 1, got 2."),
        (put(0, "version", value=True), ", line 1: version: expected 1, got true."),
        (put(0, "version", value="1"), ", line 1: version: expected 1, got '1'."),
        (put(0, "extra", value=1), ", line 1: unknown field 'extra', expected "),
        (drop(0, "tables"), ", line 1: tables is missing; expected "),
        (put(0, "game", value="duel"), ", line 1: game: expected a table, got 'duel'."),
        (put(0, "game", "game", value="chess"), ", line 1, game: game: expected heart_rush"),
        (drop(0, "game", "reward"), ", line 1, game: reward is missing; expected "),
        (put(0, "game", "memory", value=1.0), ", line 1, game: memory: expected a whole number or null, got 1.0."),
        (put(0, "game", "memory", value=9), ", line 1, game: memory: expected None, 0"),
        (put(0, "game", "rules", value={}), ", line 1, game: unknown field 'rules'"),
        (put(0, "game", "scenario", value="duel"), ", line 1, game: scenario: expected a table, got 'duel'."),
        (
            put(0, "game", "scenario", value="/etc/passwd"),
            ", line 1, game: scenario: expected a table, got '/etc/passwd'.",
        ),
        (put(0, "game", "scenario", "victory", value="luck"), ", line 1, game: scenario dict: victory: expected "),
        (put(0, "game", "scenario", "fighter", 0, "hp", value=41), ", line 1: digest: expected '"),
        (put(0, "game", "decisions", value="stance"), ", line 1: digest: expected '"),
        (put(0, "game", "max_cycles", value=0), ", line 1, game: max_cycles: expected None or"),
        (put(0, "digest", value="0"), ", line 1: digest: expected '"),
        (put(0, "tables", value="0"), ", line 1: the tables of actions and features are not those of heartrush-env "),
        (put(0, "seed", value=-1), ", line 1: seed: expected a whole number from 0"),
        (put(0, "seed", value=8), ", line 4: event "),
        (put(0, "fight", value=1.5), ", line 1: fight: expected a whole number from 0"),
        (put(0, "dice", value=[True]), ", line 1: dice: expected a list of whole numbers"),
        (put(0, "dice", value=[21]), ", line 2: given dice: expected whole numbers from 1 to 20, got 21"),
        (put(0, "dice", value=[20]), ", line 4: given dice, number 1: expected 1 to "),
        (put(0, "dice", value=[1] * 513), ", line 2: given dice: expected at most 512, got 513."),
        (
            drop(0, "seats", "knight_0"),
            ", line 1: seats: expected one each for knight_0, duelist_0, got ['duelist_0'].",
        ),
        (put(0, "seats", "knight_0", value=7), ", line 1: seats: knight_0: expected a table, got 7."),
        (put(0, "seats", "knight_0", "agent", value=7), ", line 1: seats: knight_0: agent: expected a line of text"),
        (put(0, "started", value="today"), ", line 1: started: expected an ISO 8601 time, or null, got 'today'."),
        (put(0, value=[]), ", line 1: expected a JSON object, got []."),
        (put(1, value=7), ", line 2: expected a JSON object, got 7."),
        (put(1, "step", value=0), ", line 2: step: expected -1, got 0."),
        (
            put(1, "actions", value={}),
            ", line 2: expected step and events at the start, got ['step', 'events', 'actions'].",
        ),
        (
            put(1, "events", value=[{"type": "round", "round": 2}]),
            ", line 2: event 1: expected round 1 by the rules, got 2.",
        ),
        (drop(2), ", line 3: step: expected 0, got 1."),
        (drop(1), ", line 2: step: expected -1, got 0."),
        (put(2, "step", value=0.0), ", line 3: step: expected a whole number, got 0.0"),
        (put(2, "events", value=[{}]), ", line 3: events: expected a list of events, each with a type, got [{}]."),
        (drop(2, "events"), ", line 3: events: expected a list of events, each with a type, got None."),
        (drop(2, "actions"), ", line 3: actions: expected a table, got None."),
        (
            put(2, "extra", value=1),
            ", line 3: unknown field 'extra', expected step, actions, events or fallback.",
        ),
        (
            put(2, "actions", "wolf_0", value="pass"),
            ", line 3: expected each of knight_0, duelist_0 at most once, got ['knight_0', 'duelist_0', 'wolf_0']",
        ),
        (put(2, "actions", "knight_0", value="win"), ", line 3: knight_0: expected the name of an action, got 'win'."),
        (put(2, "actions", "knight_0", value=3), ", line 3: knight_0: expected the name of an action, got 3."),
        (
            put(2, "actions", "knight_0", value="take"),
            ", line 3: knight_0 may not choose 'take' now; the legal actions are ",
        ),
        (drop(2, "actions", "knight_0"), ", line 3: knight_0: expected the action that it chose, since it had "),
        (
            put(2, "fallback", value=["knight_0"]),
            ", line 3: expected each of knight_0, duelist_0 at most once, got ['knight_0', 'duelist_0', 'knight_0'].",
        ),
        (
            put(2, "fallback", value=[7]),
            ", line 3: expected each of knight_0, duelist_0 at most once, got ['knight_0', 'duelist_0', 7]",
        ),
        (put(2, "fallback", value="knight_0"), ", line 3: fallback: expected a list of seats, got 'knight_0'."),
        (put(2, "events", value=[]), " events by the rules, got 0."),
        (rename_first_event_field, ", line 3: event 1: expected its fields in the order of the rules"),
        (go_on, ": expected the end of the record, because the fight is over, got a further window."),
        (stop_early, ": the record ends, but the fight continues."),
        (put(-1, "steps", value=1), ": steps: expected "),
        (drop(-1, "steps"), ": steps is missing; expected end, steps and sha256."),
        (put(-1, "end", "cause", value="round_cap"), ": the end: expected cause "),
        (put(-1, "end", "winners", value=["blue", "red"]), " by the rules, got 'victory' and winners ['blue', 'red']."),
        (put(-1, "end", "winners", value=[[]]), ", end: winners: expected a list of teams, got [[]]."),
        (put(-1, "end", "rewards", "knight_0", value=0.5), ": the reward of knight_0: expected "),
        (put(-1, "end", "rewards", "knight_0", value=True), ": the reward of knight_0: expected a number, got true."),
        (
            drop(-1, "end", "rewards", "knight_0"),
            ": rewards: expected one each for knight_0, duelist_0, got ['duelist_0'].",
        ),
        (put(-1, "end", "note", value="x"), ", end: unknown field 'note', expected cause, winners or rewards."),
    ],
)
def test_a_record_that_lies_is_refused_though_its_sum_fits(
    change: Callable[[Lines], None], said: str, duel: tuple[Lines, bytes], tmp_path: Path
) -> None:
    lines = json.loads(json.dumps(duel[0]))
    change(lines)
    assert said in refused(write(tmp_path, summed(lines)))


def test_the_same_lines_summed_again_are_the_same_file(duel: tuple[Lines, bytes]) -> None:
    """Unchanged lines give the original file, so the test above sees nothing but its changes refused."""
    assert summed(duel[0]) == duel[1]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda old: b"", ", line 1: expected the first line of a record, with format 'heartrush-record'."),
        (lambda old: b"PAR1\x00", ", line 1: expected the first line of a record, with format"),
        (lambda old: b"\xff\xfe\n", f", line 1: {INVALID}"),
        (lambda old: old[: old.rindex(b"\n", 0, -1) + 1], BROKEN_OFF),
        (lambda old: old[:-2], BROKEN_OFF),
        (lambda old: old[: len(old) // 2], BROKEN_OFF),
        (lambda old: old + b"\n", ": expected nothing after the end, got more content."),
        (lambda old: old.replace(b'"hp":', b'"hp": ', 1), CHANGED),
        (lambda old: old.replace(b'"random"', b'"rigged"', 1), CHANGED),
        (lambda old: old.replace(b'"steps":', b'"steps": '), CHANGED),
        (lambda old: old[:-2] + b" }\n", CHANGED),
        (
            lambda old: old.replace(b'{"step":0,', b'{"step":0,"step":0,'),
            f", line 3: {INVALID}an object has a key twice).",
        ),
        (lambda old: old.replace(b'"step":0,', b'"step":NaN,'), f", line 3: {INVALID}NaN is not a number)."),
        (lambda old: old.replace(b'"step":0,', b'"step":1e999,'), f", line 3: {INVALID}a number is too large)."),
        (lambda old: old.replace(b'"step":0,', b'"step":%b,' % (b"9" * 5000)), f", line 3: {INVALID}"),
        (
            lambda old: old.replace(b'"step":0,', b'"step":%b%b,' % (b"[" * 9000, b"]" * 9000)),
            f", line 3: {INVALID}nested too deeply).",
        ),
        (
            lambda old: old.replace(b'"step":0,', b'"step":0,' + b" " * 2**20),
            ", line 3: expected at most 1048576 bytes, got more.",
        ),
        (lambda old: old.replace(b"\n", b"\n\n", 1), f", line 2: {INVALID}"),
    ],
)
def test_a_damaged_file_is_refused(
    damage: Callable[[bytes], bytes], said: str, duel: tuple[Lines, bytes], tmp_path: Path
) -> None:
    damaged = damage(duel[1])
    assert damaged != duel[1]
    assert said in refused(write(tmp_path, damaged))


def test_a_sum_in_another_place_or_in_large_letters_does_not_fit(duel: tuple[Lines, bytes], tmp_path: Path) -> None:
    content = duel[1]
    digits = content[-67:-3]
    assert "does not match" in refused(write(tmp_path, content[:-67] + digits.upper() + b'"}\n'))
    last = dict(reversed(duel[0][-1].items()))
    before = content[: content.rindex(b"\n", 0, -1) + 1]
    last["sha256"] = hashlib.sha256(before).hexdigest()
    assert "does not match" in refused(write(tmp_path, before + json.dumps(last).encode() + b"\n"))


def test_files_that_are_none_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, duel: tuple[Lines, bytes]
) -> None:
    assert refused(tmp_path / "no.hrr") == ": expected a record, but there is no such file."
    assert refused(tmp_path) == ": expected a record, but it is not a regular file."
    assert refused(Path("/dev/zero")) == ": expected a record, but it is not a regular file."
    assert refused(tmp_path / ("x" * 500)) == ": expected a record, but it cannot be read (File name too long)."
    monkeypatch.setattr(module, "MAX_FILE", 100)
    assert refused(write(tmp_path, duel[1])) == ": expected a record, of at most 100 bytes, got a larger file."


# -- under attack ------------------------------------------------------------------------------------------------------


ATTACK = settings(
    max_examples=250,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
PLACE = st.floats(0, 1)


def with_plain_breaks(content: bytes) -> bytes:
    """Return the content without a byte-order mark and carriage returns, and with a final line break."""
    plain = content.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    return plain if plain.endswith(b"\n") else plain + b"\n"


@ATTACK
@given(
    st.sampled_from(["flip", "cut", "insert", "end", "swap"]),
    PLACE,
    st.integers(1, 255),
    st.binary(min_size=1, max_size=9),
)
@example("flip", 1.0, 4, b"x")
@example("cut", 1.0, 1, b"x")
def test_bytes_changed_anywhere_are_refused(
    duel: tuple[Lines, bytes], tmp_path: Path, how: str, where: float, mask: int, more: bytes
) -> None:
    content = duel[1]
    place = min(int(where * len(content)), len(content) - 1)
    if how == "flip":
        damaged = content[:place] + bytes([content[place] ^ mask]) + content[place + 1 :]
    elif how == "cut":
        damaged = content[:place] + content[place + mask :]
    elif how == "insert":
        damaged = content[:place] + more + content[place:]
    elif how == "end":
        damaged = content[:place]
    else:
        damaged = content[place:] + content[:place]
    path = write(tmp_path, damaged)
    if with_plain_breaks(damaged) == content:  # mail programs and editors change line breaks
        assert read_record(path).sha256
    else:
        assert refused(path)


@pytest.fixture(scope="module")
def short() -> tuple[Lines, list[list[Event]]]:
    recorder, happened = record(HeartRush(**SHORT), 7, stand_ins=0.2)
    return lines_of(recorder), happened


def ways(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path to each part of a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [*([way] if way else []), *(found for key, part in inner for found in ways(part, (*way, key)))]


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5)
    | st.sampled_from(["", "duel", "pass", "knight_0", "blue", 0, 1, 2, 8, -1, 2**63, "stance might", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@ATTACK
@given(st.data())
def test_whatever_a_summed_file_says_it_is_refused_or_the_same_fight(
    short: tuple[Lines, list[list[Event]]], tmp_path: Path, data: st.DataObject
) -> None:
    lines = json.loads(json.dumps(short[0]))
    way = data.draw(st.sampled_from(ways(lines)))
    change = data.draw(st.sampled_from(["put", "drop"]))
    (drop(*way) if change == "drop" else put(*way, value=data.draw(JUNK)))(lines)
    path = write(tmp_path, summed(lines) if lines else b"")
    try:
        read = read_record(path)
        events = [moment.events for moment in replay(read)]
    except RecordError as refusal:
        head, *faults = str(refusal).splitlines()  # a sentence, or a line for each of several faults
        assert head.startswith(str(path)) and head.endswith(":" if faults else ".")
        assert all(fault.startswith("  ") and fault.endswith(".") for fault in faults)
    else:
        assert events == short[1]
        assert scenario_table(read.game.scenario) == scenario_table(HeartRush(**SHORT).scenario) or way[1] == "game"


def as_earlier(game: HeartRush, lines: Lines) -> Lines:
    """Return the lines of a record as an earlier version, without the later settings, wrote them."""
    head, *rest = lines
    rules = {key: value for key, value in head["game"]["scenario"]["rules"].items() if key not in BEFORE}
    usual = HeartRush(game.scenario_name, {"windows_per_round": 8, "talk": rules["talk"]})  # digests leave out defaults
    scenario = {**head["game"]["scenario"], "rules": rules}
    return [{**head, "game": {**head["game"], "scenario": scenario}, "digest": usual.digest}, *rest]


def test_a_record_of_an_earlier_version_is_replayed_by_the_rules_of_that_version(tmp_path: Path) -> None:
    """In an ambush enemies are open; earlier versions let quicker fighters act before an opportunity attack."""
    game = HeartRush("ambush", {**BEFORE, "windows_per_round": 8}, max_cycles=12)
    lines = lines_of(record(game, 4)[0])
    usual = HeartRush("ambush", {"windows_per_round": 8}, max_cycles=12)
    older = as_earlier(game, lines)
    older[0]["digest"] = usual.digest
    found = read_record(write(tmp_path, summed(older)))
    assert {key: found.game.rules[key] for key in BEFORE} == BEFORE
    check(found)
    now = [{**lines[0], "game": usual.as_table(), "digest": usual.digest}, *lines[1:]]
    with pytest.raises(RecordError, match="by the rules"):
        check(read_record(write(tmp_path, summed(now))))


def test_a_record_of_an_earlier_version_with_talk_is_refused_in_a_sentence(tmp_path: Path) -> None:
    game = HeartRush("duel", {**BEFORE, "windows_per_round": 8, "talk": "open"})
    older = as_earlier(game, lines_of(record(game, 3)[0]))
    with pytest.raises(RecordError, match="in that version, talk came before the action phase; give talk = 'none'"):
        read_record(write(tmp_path, summed(older)))
