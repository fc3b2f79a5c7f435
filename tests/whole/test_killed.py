"""Real runs killed by `kill -9` at random moments and started again: their files equal those of undisturbed runs.

A run is a command of the command line in a folder of its own. Measured times are the one thing that may differ between
runs, so they are left out of what is compared. `pytest -m long -s tests/whole/test_killed.py` prints each moment.
"""

import json
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from safetensors import safe_open

from heartrush_env.records.record import read_record
from tests.processes import PATIENCE, started

pytestmark = [pytest.mark.long, pytest.mark.skipif(sys.platform == "win32", reason="kills processes")]

MOMENTS = 20
IN_A_ROW = 4  # the number of kills before the command may finish
ALLEY = """
name = "alley"
victory = "first_down"
max_rounds = 2000
[rules]
cunning_split = false
[[fighter]]
id = "thug"
team = "street"
might = 6
agility = 4
cunning = 4
presence = 4
hp = 8
heart = 6
[[fighter]]
id = "guard"
team = "watch"
might = 4
agility = 4
cunning = 6
presence = 4
hp = 6
heart = 6
"""
SMALL = (
    "--n-envs 16 --n-steps 8 --batch-size 64 --checkpoint-every 20 --net-arch 8 "
    "--sparring might --total-samples 40000 --rate-fights 2"
)
COMMANDS = {
    "train": f"train alley.toml --id pupil --out run {SMALL}",
    "solve": "duel solve alley.toml --rule profile=levels --checkpoint alley.part --out alley.npz --json",
    "rate": "rate alley.toml --agents uniform,might,random --fights 400 --processes 2 --json",
    "match": "match uniform random --scenario alley.toml --seed 3 --fights 100 --record records --json",
}
# Files that are complete after a kill, but not yet final.
GROWING = {"alley.part", "checkpoint.safetensors", "progress.jsonl", "card.json"}
TIMES = {"seconds", "samples_per_second"}


def without_times(value: Any) -> Any:
    """Return a value from JSON without the measured times."""
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if key not in TIMES}
    return value


def written(path: Path) -> Any:
    """Return the content of a file without measured times; fail if the file is damaged."""
    if path.name == "card.json":
        return without_times(json.loads(path.read_text()))
    if path.name == "progress.jsonl":
        return [without_times(json.loads(line)) for line in path.read_text().splitlines()]
    if path.name == "checkpoint.safetensors":
        with safe_open(path, framework="numpy") as file:
            facts = without_times(json.loads(file.metadata()["facts"]))
            return facts, {name: file.get_tensor(name).tobytes() for name in sorted(file.keys())}
    if path.suffix == ".hrr":
        read_record(path)
    return path.read_bytes()


def files_of(folder: Path) -> dict[str, Path]:
    """Return the files of a run by path, except those of TensorBoard, whose names contain times."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.parent.name != "tensorboard"]
    return {path.relative_to(folder).as_posix(): path for path in paths}


def run(command: str, folder: Path, kill_after: float | None = None) -> tuple[str | None, float]:
    """Run a command in a folder; return its output, or None if it was killed, and the seconds that it took."""
    folder.mkdir(exist_ok=True)
    (folder / "alley.toml").write_text(ALLEY)
    words = (sys.executable, "-m", "heartrush_env.app.cli.main", *command.split())
    begun = time.monotonic()
    with started(*words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        if kill_after is not None:
            try:
                process.wait(kill_after)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
        out, err = process.communicate(timeout=PATIENCE)  # this waits for workers, too
        assert process.returncode in ((0, -9) if kill_after is not None else (0,)), err
        return out if process.returncode == 0 else None, time.monotonic() - begun


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_was_killed_comes_to_the_same_bytes_when_it_is_given_again(name: str, tmp_path: Path) -> None:
    command, chance = COMMANDS[name], random.Random(name)
    run(command, tmp_path / "compiling")
    out, whole = run(command, tmp_path / "undisturbed")
    wanted = {place: written(path) for place, path in files_of(tmp_path / "undisturbed").items()}
    assert not [place for place in wanted if re.search(r"(^|/)\.", place)]  # no lock and no partial file is left
    moments, folder, number = 0, tmp_path / "killed", 0
    while moments < MOMENTS:
        folder = tmp_path / f"killed {number}"
        number += 1
        for _ in range(min(IN_A_ROW, MOMENTS - moments)):
            after = chance.uniform(0.1, 1.0) * whole
            again, _ = run(command, folder, after)
            if again is not None:  # it was done before
                break
            moments += 1
            left = {place: path for place, path in files_of(folder).items() if not path.name.startswith(".")}
            for place, path in left.items():
                found = written(path)
                assert path.name in GROWING or found == wanted[place], f"{place} is half-written"
            print(
                f"{name} {moments}: killed after {after:.1f} s of {whole:.1f}, {len(left) - 1} files there, none torn"
            )
        else:
            again, _ = run(command, folder)
        files = {place: written(path) for place, path in files_of(folder).items()}
        assert list(files) == list(wanted)
        for place, content in files.items():
            assert content == wanted[place], f"{place} differs"
        assert again == out
        print(f"{name}: given again, the same bytes in {len(files) - 1} files and in what it prints")
