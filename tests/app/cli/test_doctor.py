"""`heartrush doctor`: what it says of an installation, and what it clears."""

from __future__ import annotations

import importlib.util
import json
import platform
from pathlib import Path

import pytest

from heartrush_env import __version__
from heartrush_env.app.cli import doctor
from heartrush_env.app.cli.main import main
from heartrush_env.tabletop.kernels import PLAIN
from heartrush_env.tabletop.sources import source_digest

Out = pytest.CaptureFixture[str]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder with code of these sources and of others, a stray file and a folder that is not ours."""
    folder = tmp_path / "cache"
    for name, sizes in ((source_digest(), (1_000_000, 250_000)), ("0123456789abcdef", (500_000,)), ("photos", (7,))):
        (folder / name).mkdir(parents=True)
        for number, size in enumerate(sizes):
            (folder / name / f"{number}.nbc").write_bytes(b"x" * size)
    (folder / "note.txt").write_text("mine")
    monkeypatch.setenv("HEARTRUSH_CACHE_DIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    return folder


def test_it_prints_version_platform_machine_code_and_caches(cache: Path, capsys: Out) -> None:
    assert main(["doctor"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"heartrush-env {__version__} in ")
    assert platform.python_version() in told and platform.platform() in told
    assert "machine code: " in told and "numpy " in told
    assert f"compiled code in {cache}: 1.8 MB in 3 files, 1.2 MB of them for this version" in told
    assert f"setting: HEARTRUSH_CACHE_DIR={cache}" in told
    assert "`heartrush doctor --clear` deletes compiled code" in told


def test_programs_read_the_facts_as_json(cache: Path, capsys: Out) -> None:
    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["caches"][0] == {
        "folder": str(cache), "files": 3, "bytes": 1_750_000, "current_bytes": 1_250_000,
    }  # fmt: skip
    assert found["machine_code"]["source"] in ("library", "numba", "python")
    assert set(found["extras"]).isdisjoint(found["missing"])


def test_clearing_deletes_compiled_code_and_nothing_else(cache: Path, capsys: Out) -> None:
    assert main(["doctor", "--clear", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["cleared"], found["caches"][0]["bytes"]) == (1_750_000, 0)
    assert sorted(path.name for path in cache.iterdir()) == ["note.txt", "photos"]
    assert (cache / "photos" / "0.nbc").is_file()


@pytest.mark.skipif(PLAIN, reason="plain Python needs no machine code")
def test_an_installation_that_cannot_play_is_named_and_fails(
    cache: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    assert main(["doctor"]) == doctor.NO_CODE
    assert "no fight can be played" in (told := capsys.readouterr().out) and "heartrush-env[jit]" in told
    assert importlib.util.find_spec("numba") is not None  # which is only hidden here
