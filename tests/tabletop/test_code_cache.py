"""The folder of compiled code: nothing prevents a start, be it damaged, full, another user's, read-only or missing."""

import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from heartrush_env.tabletop import waiting
from heartrush_env.tabletop.compiling import code_cache
from heartrush_env.tabletop.kernels import PLAIN
from tests.processes import PATIENCE, finished, started, wait_until
from tests.tabletop import toy_program

pytestmark = pytest.mark.skipif(PLAIN, reason="plain Python compiles nothing")
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (sys.executable, "-m", "tests.tabletop.toy_program")
COMPILED, FOUND = "10 3.0 compiled compiled", "10 3.0 found found"
Toy = Callable[[Path], tuple[str, str]]
posix = pytest.mark.skipif(os.name != "posix", reason="files belong to users there")
as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become others")
NOBODY_KNOWN = 54321  # a user id without a name


@pytest.fixture
def tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder for temporary files."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path / "tmp"


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch, tmp: Path, capsys: pytest.CaptureFixture[str]) -> Toy:
    """Return a function that runs the toy with a cache folder, as in a new process, for its answer and stderr."""
    monkeypatch.delenv("HEARTRUSH_QUIET", raising=False)
    monkeypatch.setattr(waiting, "SECONDS_UNTOLD", PATIENCE)

    def start(folder: Path) -> tuple[str, str]:
        monkeypatch.setenv("HEARTRUSH_CACHE_DIR", str(folder))
        monkeypatch.setattr(code_cache, "_told", set())
        return toy_program.answer(), capsys.readouterr().err

    return start


def environment(folder: Path | None, tmp: Path) -> dict[str, str]:
    """Return the variables of a process with this cache folder and this folder for temporary files."""
    left_out = ("HEARTRUSH_CACHE_DIR", "HEARTRUSH_QUIET", "XDG_CACHE_HOME", "HOME")
    ours = {name: value for name, value in os.environ.items() if name not in left_out}
    chosen = {} if folder is None else {"HEARTRUSH_CACHE_DIR": str(folder)}
    return {**ours, "TMPDIR": str(tmp), "PYTHONPATH": os.pathsep.join(sys.path), **chosen}


def process(folder: Path | None, tmp: Path, *words: str, **options: Any) -> tuple[str, str]:
    """Run the toy in a process of its own; return its answer and its standard error."""
    done = finished(*PROGRAM, *words, cwd=ROOT, text=True, env=environment(folder, tmp), **options)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr


def kept_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.nbc"))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a cache folder that another process has filled."""
    folder = tmp_path_factory.mktemp("code")
    assert process(folder / "cache", folder) == (COMPILED, "")
    return folder / "cache"


@pytest.fixture
def warm(tmp_path: Path, template: Path) -> Path:
    """Return a copy of the filled cache folder."""
    shutil.copytree(template, tmp_path / "cache")
    return tmp_path / "cache"


# -- what is kept ------------------------------------------------------------------------------------------------------


def test_the_next_process_finds_what_was_compiled(warm: Path, toy: Toy) -> None:
    before = {path: path.stat().st_mtime_ns for path in kept_files(warm)}
    assert len(before) == 2
    assert toy(warm) == (FOUND, "")
    assert {path: path.stat().st_mtime_ns for path in kept_files(warm)} == before


# A kernel that sums up, and whether it was compiled, and Numba's types for Python's callers were loaded, for that.
SUMS = """
import sys
import numpy as np
from heartrush_env.tabletop.compiling.code_cache import USED
from heartrush_env.tabletop.kernels import Kernel
from heartrush_env.tabletop.sources import Sources
from tests.tabletop import toy_program

def sums(numbers, results):
    for number in numbers:
        results[0] += number

results = np.zeros(1, np.int64)
Kernel(sums, Sources(toy_program.__file__, "a toy"))(np.arange(5), results)
print(results[0], USED[-1].compiled, "numba.np.arraymath" in sys.modules)
"""


def test_a_kernel_that_was_compiled_before_starts_without_what_only_python_needs(tmp_path: Path) -> None:
    program = (sys.executable, "-c", SUMS)
    said = [finished(*program, cwd=ROOT, text=True, env=environment(tmp_path, tmp_path)).stdout for _ in range(2)]
    assert said == ["10 True True\n", "10 False False\n"]


@posix
def test_only_this_user_may_look_at_it(template: Path) -> None:
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (template, *template.rglob("*")) if path.is_dir()}
    assert modes == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept_files(template)} == {0o600}


@pytest.mark.parametrize("length", [0, 10, 60, 200, -1])
def test_a_truncated_file_is_compiled_again(length: int, warm: Path, toy: Toy) -> None:
    whole = [path.read_bytes() for path in kept_files(warm)]
    for path, content in zip(kept_files(warm), whole, strict=True):
        path.write_bytes(content[:length])
    assert toy(warm) == (COMPILED, "")
    assert toy(warm) == (FOUND, "")


@pytest.mark.parametrize("garbage", [b"\0" * 5000, b"garbage " * 1000, b"\x80\x05."], ids=["zeros", "words", "pickle"])
def test_garbage_is_compiled_again(garbage: bytes, warm: Path, toy: Toy) -> None:
    for path in kept_files(warm):
        path.write_bytes(garbage)
    assert toy(warm) == (COMPILED, "")
    assert toy(warm) == (FOUND, "")


def test_one_changed_byte_is_noticed(warm: Path, toy: Toy) -> None:
    one = kept_files(warm)[0]
    content = bytearray(one.read_bytes())
    content[len(content) // 2] ^= 1
    one.write_bytes(content)
    out, _ = toy(warm)
    assert sorted(out.split()[2:]) == ["compiled", "found"]


def test_a_file_under_the_name_of_another_is_not_taken(warm: Path, toy: Toy) -> None:
    one, other = kept_files(warm)
    shutil.copyfile(one, other)
    out, _ = toy(warm)
    assert sorted(out.split()[2:]) == ["compiled", "found"]


def test_a_file_is_read_only_whole_and_under_its_own_name(tmp_path: Path) -> None:
    """The file is read without the check by whatever unpickles it."""
    code_cache._write(tmp_path, "digest", "one.nbc", b"compiled code")
    one, other = (tmp_path / "digest" / name for name in ("one.nbc", "two.nbc"))
    whole = one.read_bytes()
    assert code_cache._read(one) == b"compiled code"
    changed = [whole[:k] + bytes([whole[k] ^ 1]) + whole[k + 1 :] for k in range(len(whole))]
    for path, content in [(other, whole), (one, whole[:-1]), (one, whole + b"x"), *((one, each) for each in changed)]:
        path.touch(0o600)
        path.write_bytes(content)
        assert code_cache._read(path) is None and not path.exists()


def test_what_no_pickle_can_be_made_of_is_dropped_whatever_its_checksum(warm: Path, toy: Toy) -> None:
    for path in kept_files(warm):
        base, digest, name = path.parents[1], path.parent.name, path.name
        code_cache._write(base, digest, name, b"no pickle")
    assert toy(warm) == (COMPILED, "")
    assert toy(warm) == (FOUND, "")


def test_a_folder_in_the_place_of_a_file_is_passed_by(warm: Path, toy: Toy) -> None:
    one = kept_files(warm)[0]
    one.unlink()
    one.mkdir()
    out, told = toy(warm)
    assert sorted(out.split()[2:]) == ["compiled", "found"]
    assert told.count("\n") == 1 and "HEARTRUSH_CACHE_DIR" in told


def test_the_folder_may_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HEARTRUSH_CACHE_DIR", str(tmp_path))
    assert code_cache.cache_directory() == tmp_path
    monkeypatch.setenv("HEARTRUSH_CACHE_DIR", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert sys.platform in ("win32", "darwin") or code_cache.cache_directory() == tmp_path / "heartrush-env"


# -- where it cannot be kept -------------------------------------------------------------------------------------------


def said(told: str, why: str, instead: str) -> None:
    """Check that one sentence was printed, with the reason, the substitute, and the variable."""
    assert told.startswith("heartrush-env: ") and told.count("\n") == 1, told
    assert why in told and instead in told and told.endswith("; HEARTRUSH_CACHE_DIR names another folder.\n"), told


def test_a_file_in_the_place_of_the_folder_is_told_of_once(tmp_path: Path, toy: Toy, tmp: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    out, told = toy(tmp_path / "cache")
    assert out == COMPILED
    said(told, "(File exists)", f"it is kept in {tmp}/heartrush-env-{os.geteuid()}")
    assert toy(tmp_path / "cache") == (FOUND, "")
    assert (tmp_path / "cache").read_text() == "a file"


def test_without_any_folder_every_start_compiles(tmp_path: Path, toy: Toy, tmp: Path) -> None:
    """A file is in the place of the temporary folder as well, so nothing can be kept."""
    (tmp_path / "cache").write_text("a file")
    (tmp / f"heartrush-env-{os.geteuid()}").write_text("another file")
    for _ in range(2):
        out, told = toy(tmp_path / "cache")
        assert out == COMPILED
        said(told, "(File exists)", "every start compiles again")


@posix
def test_a_full_disk_is_told_of_after_the_work(tmp_path: Path, toy: Toy, tmp: Path) -> None:
    """The test limits how much a process may write into a file; the kernel enforces that in the middle of the file."""
    import resource

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    out, told = process(tmp_path / "cache", tmp, preexec_fn=limit)
    assert out == COMPILED
    said(told, "(File too large)", "every start compiles again")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()], "no half-written file is left"
    assert toy(tmp_path / "cache") == (COMPILED, "")
    assert toy(tmp_path / "cache") == (FOUND, "")


def test_a_user_without_a_home_has_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HEARTRUSH_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)

    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", home)
    assert code_cache.cache_directory() is None


@posix
@as_root
def test_a_user_without_name_home_and_folder_starts() -> None:
    """A container may be run with any user id."""
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to other users
        tmp = Path(name)
        tmp.chmod(0o1777)
        own = tmp / f"heartrush-env-{NOBODY_KNOWN}"
        runs = [process(None, tmp, "600", str(NOBODY_KNOWN)) for _ in range(2)]
        assert [out for out, _ in runs] == [COMPILED, FOUND]
        said(runs[0][1], "there is no home folder", f"it is kept in {own}")
        assert runs[1][1] == "" and stat.S_IMODE(own.stat().st_mode) == 0o700


# -- whom it trusts ----------------------------------------------------------------------------------------------------


@posix
@as_root
@pytest.mark.parametrize("whose", ["folder", "files"])
def test_what_belongs_to_another_user_is_not_read(whose: str, warm: Path, toy: Toy) -> None:
    (folder,) = warm.iterdir()
    for path in [folder] if whose == "folder" else kept_files(warm):
        os.chown(path, NOBODY_KNOWN, NOBODY_KNOWN)
    out, told = toy(warm)
    assert out == COMPILED
    if whose == "folder":
        said(told, f"(it belongs to the user id {NOBODY_KNOWN})", "it is kept in")
    else:
        assert told == "" and {path.stat().st_uid for path in kept_files(warm)} == {0}


@posix
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o702], ids=oct)
def test_a_folder_that_others_may_write_to_is_not_used(mode: int, warm: Path, toy: Toy) -> None:
    (folder,) = warm.iterdir()
    folder.chmod(mode)
    out, told = toy(warm)
    assert out == COMPILED
    said(told, "(other users may write to it)", "it is kept in")


@posix
def test_a_file_that_others_may_write_to_is_replaced(warm: Path, toy: Toy) -> None:
    for path in kept_files(warm):
        path.chmod(0o666)
    assert toy(warm) == (COMPILED, "")
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept_files(warm)} == {0o600}


@posix
@pytest.mark.parametrize("trap", ["open to all", "a link"])
def test_a_prepared_temporary_folder_is_not_used(
    trap: str, tmp_path: Path, toy: Toy, tmp: Path, template: Path
) -> None:
    """In a folder open to all users, another user may have made the folder of that name first."""
    (tmp_path / "cache").write_text("a file")
    prepared = tmp / f"heartrush-env-{os.geteuid()}"
    if trap == "a link":
        (tmp_path / "theirs").mkdir(0o700)
        prepared.symlink_to(tmp_path / "theirs")
    else:
        prepared.mkdir()
        prepared.chmod(0o777)
    out, told = toy(tmp_path / "cache")
    assert out == COMPILED
    said(told, "(File exists)", "every start compiles again")
    assert not kept_files(tmp_path)


# -- many at once ------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_processes_that_compile_at_once_do_no_harm(tmp_path: Path, toy: Toy, tmp: Path) -> None:
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    ours = environment(tmp_path / "cache", tmp)
    with ExitStack() as stack:
        many = [stack.enter_context(started(*PROGRAM, cwd=ROOT, env=ours, **pipes)) for _ in range(4)]
        answers = [process.communicate(timeout=PATIENCE) for process in many]
    assert all(out.startswith("10 3.0 ") and told == "" for out, told in answers)
    assert toy(tmp_path / "cache") == (FOUND, "")
    assert len(kept_files(tmp_path)) == 2 and not list(tmp_path.rglob("*.new"))


# -- the wait ----------------------------------------------------------------------------------------------------------


class Terminal:
    """A standard error stream that is or is not a terminal."""

    def __init__(self, terminal: bool) -> None:
        self.text, self.terminal = "", terminal

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        """Do nothing, because nothing is buffered."""

    def isatty(self) -> bool:
        return self.terminal


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HEARTRUSH_QUIET", raising=False)
    for name in ("SECONDS_UNTOLD", "SECONDS_ON_TERMINALS", "SECONDS_ELSEWHERE"):
        monkeypatch.setattr(waiting, name, 0.01)


def wait(monkeypatch: pytest.MonkeyPatch, terminal: bool, fails: bool = False) -> str:
    """Return what is printed during a compilation that ends as soon as its time has been printed twice."""
    stream = Terminal(terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    try:
        with waiting.compiling("the toy"), waiting.compiling("what the toy calls"):
            wait_until(lambda: len(re.findall(r"\d s", stream.text)) >= 2, "the time was not told")
            if fails:
                raise KeyError
    except KeyError:
        assert fails
    return stream.text


@pytest.mark.usefixtures("impatient")
def test_logs_hold_a_line_for_the_start_the_time_and_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = wait(monkeypatch, terminal=False).splitlines()
    assert lines[0] == "heartrush-env: compiling the toy, once per version"
    assert len(lines) > 3
    assert all(re.fullmatch(r"heartrush-env: compiling the toy, once per version: \d+ s", line) for line in lines[1:-1])
    assert re.fullmatch(r"heartrush-env: compiled the toy after \d+ s", lines[-1])


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("terminal", [False, True])
def test_a_long_wait_is_estimated_in_seconds_of_this_machine(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that takes twice as long for a little Python takes twice as long for a compilation."""
    monkeypatch.setattr(waiting, "_measured", lambda: 2 * waiting.PACE_SECONDS)
    stream = Terminal(terminal)
    monkeypatch.setattr(sys, "stderr", stream)
    with waiting.compiling("the toy", 15.0):
        wait_until(lambda: "30 s of one core" in stream.text, "no estimate was told")
    assert "compiling the toy, once per version; about 30 s of one core here" in stream.text


def test_a_machine_is_measured() -> None:
    assert waiting.seconds_here(0.0) == 0.0 and waiting.seconds_here(10.0) > 0.1


@pytest.mark.usefixtures("impatient")
def test_a_terminal_shows_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    told = wait(monkeypatch, terminal=True)
    assert told.count("\n") == 1 and told.startswith("\r") and told.endswith("\n")
    last = told.split("\r")[-1].rstrip("\n")
    assert re.fullmatch(r"heartrush-env: compiled the toy after \d+ s", last.rstrip())
    assert len(last) >= len("heartrush-env: compiling the toy, once per version: 0 s"), "nothing stays behind it"


@pytest.mark.usefixtures("impatient")
def test_another_notice_stands_on_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal(terminal=True)
    monkeypatch.setattr(sys, "stderr", stream)
    waiting._count("a longer line that counts")
    waiting.tell("a notice")
    assert stream.text == "\ra longer line that counts\ra notice                 \n"


@pytest.mark.usefixtures("impatient")
def test_an_interrupted_compilation_is_not_called_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    told = wait(monkeypatch, terminal=False, fails=True)
    assert re.fullmatch(r"heartrush-env: stopped compiling the toy after \d+ s", told.splitlines()[-1])


@pytest.mark.usefixtures("impatient")
def test_it_can_be_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEARTRUSH_QUIET", "1")
    stream = Terminal(terminal=False)
    monkeypatch.setattr(sys, "stderr", stream)
    wait_ = waiting._Wait("the toy")
    wait_.begin()
    wait_._over.wait(0.1)
    wait_.end()
    assert stream.text == ""


def test_whoever_waits_is_told_and_whoever_does_not_is_not(tmp_path: Path, tmp: Path) -> None:
    """The messages come through the one path of all compilation, and none goes to standard output."""
    runs = [process(tmp_path / "cache", tmp, "0") for _ in range(2)]
    assert [out for out, _ in runs] == [COMPILED, FOUND]
    begun = "heartrush-env: compiling the rules of tabletop (total), once per version\n"
    ended = r"heartrush-env: compiled the rules of tabletop \(total\) after \d+ s\n"
    assert runs[0][1].count(begun) == len(re.findall(ended, runs[0][1])) == 2
    assert runs[1][1] == ""
