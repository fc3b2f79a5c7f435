"""Files that are whole or absent, and folders in which only one process writes at a time."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.writing import replace_file, replaced, sole_writer
from tests.processes import finished, started

HOLD = """
import sys
from pathlib import Path
from heartrush_env.tabletop.writing import replaced, sole_writer
place = Path(sys.argv[1])
with sole_writer(place), replaced(place / "result") as part:
    part.write_bytes(b"half")
    print(part.name, flush=True)
    sys.stdin.read()
"""

CONTEND = """
import sys
from pathlib import Path
from heartrush_env.tabletop.writing import replaced, sole_writer
place, letter = Path(sys.argv[1]), sys.argv[2]
refused = 0
for _ in range(300):
    try:
        with sole_writer(place):
            (place / "inside").touch(exist_ok=False)  # fails where another process is inside, too
            with replaced(place / "result") as part:
                part.write_text(letter * 100_000)
            (place / "inside").unlink()
    except ValueError as error:
        assert "is writing there" in str(error)
        refused += 1
print(refused)
"""


class Stop(Exception):
    """An error in the middle of a block."""


def test_a_file_is_replaced_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "result"
    replace_file(target, b"first")
    with pytest.raises(Stop), replaced(target) as part:
        part.write_bytes(b"half")
        assert target.read_bytes() == b"first"
        raise Stop
    assert target.read_bytes() == b"first" and os.listdir(tmp_path) == ["result"]
    replace_file(target, b"second")
    assert target.read_bytes() == b"second" and os.listdir(tmp_path) == ["result"]


def test_a_full_disk_is_told_in_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    with (
        pytest.raises(HeartRushError, match=r"/result: it cannot be written \(No space left on device\)\.$"),
        replaced(tmp_path / "result") as part,
    ):
        part.write_bytes(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert os.listdir(tmp_path) == []


def test_a_missing_folder_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(HeartRushError, match=r"it cannot be written \(No such file or directory\)\.$"):
        replace_file(tmp_path / "none" / "result", b"")
    with (
        pytest.raises(HeartRushError, match=r"it cannot be written \(No such file or directory\)\.$"),
        sole_writer(tmp_path / "none" / "result"),
    ):
        pytest.fail("it was entered")


def test_a_second_writer_is_refused_with_the_number_of_the_first_until_that_is_killed(tmp_path: Path) -> None:
    with started(
        sys.executable, "-c", HOLD, str(tmp_path), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        part = tmp_path / holder.stdout.readline().strip()
        with (
            pytest.raises(
                HeartRushError, match=f"expected one process at a time, but the process {holder.pid} is writing there"
            ),
            sole_writer(tmp_path),
        ):
            pytest.fail("it was entered")
        elsewhere = (
            f"from heartrush_env.tabletop.writing import replace_file; replace_file({str(tmp_path / 'other')!r}, b'')"
        )
        assert finished(sys.executable, "-c", elsewhere).returncode == 0
        assert part.read_bytes() == b"half"  # another process does not take it for a dead one's
        holder.kill()
        holder.wait()
    assert part.exists()
    with sole_writer(tmp_path):
        assert (tmp_path / ".lock").read_text() == f"{os.getpid()}\n"
        replace_file(tmp_path / "result", b"whole")
    assert sorted(os.listdir(tmp_path)) == ["other", "result"]


def test_a_file_has_its_lock_beside_it_and_blocks_may_stand_within_each_other(tmp_path: Path) -> None:
    with sole_writer(tmp_path / "duel.part"):
        assert os.listdir(tmp_path) == [".duel.part.lock"]
        with sole_writer(tmp_path / "duel.part"):
            pass
        assert os.listdir(tmp_path) == [".duel.part.lock"]
    assert os.listdir(tmp_path) == []


def test_two_processes_that_write_to_one_place_are_never_inside_together(tmp_path: Path) -> None:
    with (
        started(sys.executable, "-c", CONTEND, str(tmp_path), "a", stdout=subprocess.PIPE) as one,
        started(sys.executable, "-c", CONTEND, str(tmp_path), "b", stdout=subprocess.PIPE) as other,
    ):
        assert one.wait(600) == other.wait(600) == 0
    assert sorted(os.listdir(tmp_path)) == ["result"]
    content = (tmp_path / "result").read_text()
    assert content in ("a" * 100_000, "b" * 100_000)
