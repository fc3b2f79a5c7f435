"""Untrusted files and names: each is refused in one sentence, at a cost that does not grow with the attack."""

import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.learned.agent import CARD, WEIGHTS, read_agent, shipped
from safetensors.numpy import load as read_arrays

from heartrush_env import heart_rush_v0
from heartrush_env.app.cli.main import BAD_INPUT, main
from heartrush_env.games.heart_rush.scenario.load import load_scenario, shipped_scenarios
from heartrush_env.research.checkpoint import Checkpoint
from heartrush_env.tabletop.errors import HeartRushError, ScenarioError
from heartrush_env.tabletop.files import MOST_KEY_PARTS, load_arrays, parse_json, parse_toml, read_file
from heartrush_env.tabletop.scenario.reading import LARGEST_FILE
from heartrush_env.tabletop.text import escaped
from tests.envs.test_bad_input import RED, fight, fighter

MIB = 2**20
LONG = 10**5000  # Python refuses to convert it to text
LINUX = pytest.mark.skipif(sys.platform == "win32", reason="devices and pipes of POSIX")


def refusal(call: Callable[[], Any], *parts: str) -> str:
    """Return the one-line message of the error that the call must raise, which must contain all these parts."""
    with pytest.raises(HeartRushError) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message and message.endswith("."), message
    assert len(message) < 8000
    for part in parts:
        assert part in message, message
    return message


@pytest.fixture
def peak() -> Iterator[Callable[[], float]]:
    """Yield a function that returns the peak memory of Python objects since the test began, in MiB."""
    tracemalloc.start()
    try:
        yield lambda: tracemalloc.get_traced_memory()[1] / MIB
    finally:
        tracemalloc.stop()


# -- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    ["{key} = 1", "[{key}]", "[[{key}]]", "x = {{ {key} = 1 }}", "x = [{{ {key} = 1 }}]", "y = '''\n'' '''\n{key} = 1"],
)
@pytest.mark.parametrize("part", ["a", '"a"', "'a b'", " a\t"])
def test_dotted_keys_are_counted_before_they_are_parsed(
    line: str, part: str, tmp_path: Path, peak: Callable[[], float]
) -> None:
    file = tmp_path / "dots.toml"
    file.write_text(line.format(key=".".join([part] * (40_000 // (len(part) + 1)))))
    refusal(lambda: load_scenario(file), str(file), "broken TOML", f"a key of more than {MOST_KEY_PARTS} parts")
    assert peak() < 20


def test_dots_in_texts_and_comments_are_no_keys() -> None:
    dots = ".".join("a" * 50)
    deep = ".".join("abcdefgh"[:MOST_KEY_PARTS])
    text = f"""# {dots}
basic = "{dots}\\" {dots}"
literal = '{dots}'  # {dots}
many = ["{dots}", '{dots}', 1.5, 2.5, 1979-05-27T07:32:00.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5]
lines = \"\"\"
{dots} "" \\\"\"\" {dots}\"\"\"\"
more = '''
{dots} '' {dots}'''
{deep} = 1
"""
    table = parse_toml(text)
    assert table["basic"] == f'{dots}" {dots}' and table["many"][:2] == [dots, dots]
    assert table["lines"] == f'{dots} "" """ {dots}"' and table["more"] == f"{dots} '' {dots}"
    for _ in range(MOST_KEY_PARTS - 1):
        table = table[min(table, key=len)]
    assert table == {"h": 1}


def test_a_file_may_be_large_and_no_larger(tmp_path: Path) -> None:
    file = tmp_path / "large.toml"
    content = (Path(str(load_scenario.__globals__["catalog"].scenarios()["duel"]))).read_bytes()
    file.write_bytes(content + b"#" * (LARGEST_FILE - len(content)))
    assert load_scenario(file).digest == load_scenario("duel").digest
    file.write_bytes(file.read_bytes() + b"#")
    refusal(lambda: load_scenario(file), str(file), "of at most 256 KiB, got a larger file")


# Calls of each reader that run in a process with little memory, since they could exhaust the machine's memory.
READERS = """
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]), int(sys.argv[2])))
from heartrush_agents.learned.agent import read_agent
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.files import read_file
from heartrush_env.games.heart_rush.scenario.load import load_scenario
from heartrush_env.records import read_record
from heartrush_env.research.checkpoint import Checkpoint
folder = Path(sys.argv[1])
for file in sorted(folder.iterdir()):
    card = folder.parent / f"agent_{file.name}"
    for read in (load_scenario, read_record, lambda path: Checkpoint(path, {}), lambda path: read_agent(card)):
        try:
            read(file)
        except HeartRushError as refusal:
            print(refusal)
        else:
            print("TAKEN", file)
"""


@LINUX
def test_devices_pipes_and_sparse_files_take_no_memory_and_no_time(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "device.toml").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.toml")
    (folder / "folder.toml").mkdir()
    with (folder / "sparse.toml").open("wb") as file:
        file.truncate(2**41)
    for file in folder.iterdir():
        agent = tmp_path / f"agent_{file.name}"
        agent.mkdir()
        (agent / CARD).symlink_to(file)
    done = subprocess.run(
        [sys.executable, "-c", READERS, str(folder), str(3 * 2**30)],
        capture_output=True, text=True, timeout=300, check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 16 and all(line.endswith(".") for line in lines), lines
    assert sum("not a regular file" in line for line in lines) == 12
    assert sum("got a larger file" in line for line in lines) == 4
    assert (folder / "pipe.toml").is_fifo() and (folder / "device.toml").is_symlink()


@LINUX
def test_a_file_that_says_it_is_empty_is_read_no_further_than_allowed() -> None:
    refusal(
        lambda: read_file("/proc/self/smaps", 100, HeartRushError, "a small file"),
        "of at most 100 bytes, got a larger file",
    )


@pytest.mark.parametrize("name", ["a\0b.toml", "a\ud800/b.toml", "a" * 5000 + ".toml", "a/" * 3000 + "b.toml"])
def test_names_that_are_no_paths_are_refused(name: str) -> None:
    for read in (load_scenario, load, lambda name: load_scenario(Path(name))):
        refusal(lambda read=read: read(name))


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path, peak: Callable[[], float]) -> None:
    bomb = tmp_path / "bomb.npz"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("header.npy", "w") as member:
        np.lib.format.write_array_header_1_0(member, {"descr": "|u1", "fortran_order": False, "shape": (64 * MIB,)})
        for _ in range(64):
            member.write(bytes(MIB))
    assert bomb.stat().st_size < MIB
    with bomb.open("rb") as file:
        refusal(
            lambda: load_arrays(file, 2 * MIB, "bomb.npz", HeartRushError), "bomb.npz: expected at most 2 MiB unpacked"
        )
    assert peak() < 8


# -- numbers and names -----------------------------------------------------------------------------------------------


DIGITS: dict[str, Callable[[], Any]] = {
    "a random scenario": lambda: load_scenario("random:" + "9" * 5000),
    "a random scenario of noughts": lambda: load_scenario("random:" + "0" * 5000),
    "a field": lambda: load_scenario(fight(fighter(hp=LONG), RED)),
    "a hexadecimal field": lambda: load_scenario(fight(fighter(**parse_toml(f"hp = 0x{'f' * 9000}")), RED)),
    "a list": lambda: load_scenario(fight(fighter(wounds=[-LONG]), RED)),
    "a key": lambda: load_scenario({**fight(fighter(), RED), LONG: 1}),
    "a setting": lambda: load_scenario("duel", {"advantage_cap": LONG}),
    "a glyph": lambda: load_scenario(fight(fighter(), RED, battlefield={"map": [LONG]})),
    "a seed": lambda: heart_rush_v0.parallel_env().reset(seed=LONG),
    "a fight": lambda: heart_rush_v0.parallel_env().reset(seed=1, options={"fight": -LONG}),
    "a die": lambda: heart_rush_v0.parallel_env().reset(seed=1, options={"dice": [LONG]}),
    "dice": lambda: heart_rush_v0.parallel_env().reset(seed=1, options={"dice": LONG}),
    "options": lambda: heart_rush_v0.parallel_env().reset(seed=1, options=[LONG]),
    "max_cycles": lambda: heart_rush_v0.parallel_env(max_cycles=LONG),
    "memory": lambda: heart_rush_v0.parallel_env(memory=LONG),
    "num_envs": lambda: heart_rush_v0.make_vec(LONG),
    "num_threads": lambda: heart_rush_v0.make_vec(1, num_threads=LONG),
    "a share": lambda: load("restricted_nash:uniform@" + "9" * 5000),
}


@pytest.mark.parametrize("case", DIGITS)
def test_whole_numbers_of_thousands_of_digits_are_refused(case: str) -> None:
    refusal(DIGITS[case])


@pytest.mark.parametrize(
    "arguments",
    [
        ["fight", "duel", "--seed", "9" * 5000],
        ["fight", "duel", "--rule", "advantage_cap=" + "9" * 5000],
        ["fight", "random:" + "9" * 5000],
        ["fight", "duel", "--red", "a" * 300],
        ["fight", "duel", "--red", "best_response:" * 2000 + "uniform"],
        ["fight", "a\0b.toml"],
        ["train", "duel", "--id", "a" * 300],
        ["train", "duel", "--id", "7"],
        ["replay", "a\0b.hrr"],
        ["replay", "a" * 300],
    ],
    ids=lambda words: " ".join(words)[:40].replace("\0", "NUL"),
)
def test_the_command_line_says_so_in_a_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(arguments)
    except SystemExit as leaving:
        code = leaving.code  # type: ignore[assignment]
    printed = capsys.readouterr()
    assert code == BAD_INPUT and printed.out == ""
    assert printed.err.count("\n") == 1 and printed.err[:-1].isprintable(), printed.err


def test_ids_of_three_hundred_letters_are_refused() -> None:
    refusal(lambda: load_scenario(fight(fighter(id="a" * 300), RED)), "id: expected", "at most 100", "got 'aaa")
    refusal(lambda: load_scenario(fight(fighter(team="a" * 300), RED)), "team: expected", "at most 100", "got 'aaa")
    refusal(
        lambda: load_scenario(fight(fighter(name="a" * 300), RED)),
        "name: expected",
        "at most 100 characters",
        "got 'aaa",
    )
    refusal(lambda: load("a" * 300), "Unknown agent 'aaa")
    assert load_scenario(fight(fighter(id="a" * 100), RED)).fighters[0].agent == "a" * 100 + "_0"


@pytest.mark.parametrize("prefix", ["best_response:", "restricted_nash:", "best_response:restricted_nash:", "thinker:"])
def test_answers_to_answers_end(prefix: str) -> None:
    refusal(lambda: load(prefix * 2000 + "uniform"), "There is no agent", "at most 4 deep")
    assert load("best_response:" * 4 + "uniform").id == "best_response:" * 4 + "uniform"


def test_as_many_wounds_as_hit_points_are_refused() -> None:
    refusal(
        lambda: load_scenario(fight(fighter(hp=1000, wounds=[1] * 1000), RED)),
        "expected a sum below the 1000 hp, got 1000",
    )
    assert len(load_scenario(fight(fighter(hp=1000, wounds=[1] * 999), RED)).fighters[0].wounds) == 999


@pytest.mark.parametrize("place", ["weapon", "conditions", "at", "wounds", "hp"])
def test_tables_within_tables_are_refused(place: str) -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = {"a": deep} if place in ("weapon", "conditions") else [deep]
    try:
        refusal(lambda: load_scenario(fight(fighter(**{place: deep}), RED)), place)
    finally:
        while deep:  # freed level by level, since Python would free the inner levels recursively
            deep = next(iter(deep.values())) if isinstance(deep, dict) else deep[0]


# -- trained agents --------------------------------------------------------------------------------------------------


def agent_folder(folder: Path, weights: bytes | None = None, **changes: Any) -> Path:
    """Copy the shipped duelist's folder with different weights or card entries, and return the folder."""
    shutil.copytree(shipped()["duelist"], folder)
    if weights is not None:
        (folder / WEIGHTS).write_bytes(weights)
    card = json.loads((folder / CARD).read_text())
    card |= {"sha256": hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest(), **changes}
    (folder / CARD).write_text(json.dumps(card))
    return folder


@pytest.mark.parametrize(("kind", "size"), [("BF16", 2), ("F8_E4M3", 1), ("F8_E5M2", 1), ("F16", 2), ("I64", 8)])
def test_weights_of_another_kind_are_refused(kind: str, size: int, tmp_path: Path) -> None:
    arrays = read_arrays((shipped()["duelist"] / WEIGHTS).read_bytes())
    head, end = {}, 0
    for name, array in arrays.items():
        begin, end = end, end + array.size * size
        head[name] = {"dtype": kind, "shape": array.shape, "data_offsets": [begin, end]}
    text = json.dumps(head).encode()
    folder = agent_folder(tmp_path / "odd", struct.pack("<Q", len(text)) + text + bytes(end))
    refusal(lambda: read_agent(folder), WEIGHTS)


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{"version":' + b"9" * 5000 + b"}", "a whole number of thousands of digits"),
        (b'{"a": 1, "a": 2}', "an object has a key twice"),
        (b'{"version": NaN}', "NaN is not a number"),
        (b'\xff{"version": 1}', "not UTF-8"),
        (b" " * (MIB + 1), "of at most 1 MiB, got a larger file"),
    ],
)
def test_cards_that_are_none_are_refused(card: bytes, said: str, tmp_path: Path) -> None:
    folder = agent_folder(tmp_path / "odd")
    (folder / CARD).write_bytes(card)
    refusal(lambda: load(folder), str(folder / CARD), said)


def test_control_characters_of_a_card_are_shown_escaped(tmp_path: Path) -> None:
    said = "\x1b]0;title\x07 \x1b[2J\u202egood\r\n\x9b31m"
    agent = load(agent_folder(tmp_path / "odd", description=said))
    assert agent.description == r"\x1b]0;title\x07 \x1b[2J\u202egood\r\n\x9b31m"
    refusal(lambda: load(agent_folder(tmp_path / "id", id="a\x1b[2J")), "missing or invalid field")
    refusal(lambda: load(agent_folder(tmp_path / "version", version="\x1b[2J")), r"\x1b[2J")


def test_control_characters_of_a_refusal_are_shown_escaped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fight", str(tmp_path / "\x1b[2J.toml")]) == BAD_INPUT
    assert r"\x1b[2J.toml" in capsys.readouterr().err


def test_what_is_printable_is_shown_as_it_is() -> None:
    assert escaped("Jean d'Arc, Höhle, 剣") == "Jean d'Arc, Höhle, 剣"


def test_no_checkpoint_takes_the_place_of_a_device(tmp_path: Path) -> None:
    refusal(lambda: Checkpoint(tmp_path, {}), "not a regular file")
    assert tmp_path.is_dir()


def test_json_within_bounds_is_read() -> None:
    assert parse_json(b'{"a": [1, 2.5, "x", null, true]}') == {"a": [1, 2.5, "x", None, True]}
    with pytest.raises(ValueError, match="a number is too large"):
        parse_json("[1e999]")


def test_every_shipped_scenario_passes_the_count_of_keys() -> None:
    for name in shipped_scenarios():
        load_scenario(name)
    with pytest.raises(ScenarioError):
        load_scenario("none")
