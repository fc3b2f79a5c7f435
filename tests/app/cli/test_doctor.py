"""`heartrush machine doctor`: what it reports about an installation, and what it clears."""

import importlib.util
import platform
from pathlib import Path

import pytest

from heartrush_env import __version__
from heartrush_env.app.cli import doctor
from heartrush_env.app.cli.main import main
from heartrush_env.games.heart_rush import SOURCES
from heartrush_env.tabletop import registry
from heartrush_env.tabletop.kernels import PLAIN
from tests.app.cli.running import Out, as_json, printed


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache folder with code of these and of other sources, a stray file and unrelated folders."""
    folder = tmp_path / "cache"
    held: dict[str, tuple[int, ...]] = {
        f"heart_rush-{SOURCES.digest}": (1_000_000, 250_000), "heart_rush-0123456789abcdef": (500_000,),
        "chess-0123456789abcdef": (200_000,), "0123456789abcdef": (300_000,), "photos": (7,), "my photos-1": (7,),
    }  # fmt: skip
    for name, sizes in held.items():
        (folder / name).mkdir(parents=True)
        for number, size in enumerate(sizes):
            (folder / name / f"{number}.nbc").write_bytes(b"x" * size)
    (folder / "note.txt").write_text("mine")
    monkeypatch.setenv("HEARTRUSH_CACHE_DIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    return folder


def test_it_prints_version_platform_machine_code_and_caches(cache: Path, capsys: Out) -> None:
    told = printed(capsys, "machine doctor")
    assert told.startswith(f"heartrush-env {__version__} in ")
    assert platform.python_version() in told and platform.platform() in told
    assert "machine code of heart_rush: " in told and "numpy " in told
    first = told.index(f"compiled code in {cache}: ")
    assert told[first:].splitlines()[:4] == [
        f"compiled code in {cache}: 2.2 MB in 5 files", "  older versions: 0.3 MB", "  chess: 0.2 MB",
        "  heart_rush: 1.8 MB, 1.2 MB of them for this version",
    ]  # fmt: skip
    assert f"setting: HEARTRUSH_CACHE_DIR={cache}" in told
    assert "`heartrush machine doctor --clear` deletes compiled code" in told


def test_programs_read_the_facts_as_json(cache: Path, capsys: Out) -> None:
    found = as_json(capsys, "machine doctor")
    assert found["caches"][0] == {
        "folder": str(cache), "files": 5, "bytes": 2_250_000,
        "packages": {
            "older versions": {"bytes": 300_000, "current_bytes": 0},
            "chess": {"bytes": 200_000, "current_bytes": 0},
            "heart_rush": {"bytes": 1_750_000, "current_bytes": 1_250_000},
        },
    }  # fmt: skip
    assert found["machine_code"]["heart_rush"]["source"] in ("library", "numba", "python")
    assert set(found["extras"]).isdisjoint(found["missing"])


def test_clearing_deletes_compiled_code_and_nothing_else(cache: Path, capsys: Out) -> None:
    found = as_json(capsys, "machine doctor --clear")
    assert (found["cleared"], found["caches"][0]["bytes"]) == (2_250_000, 0)
    assert sorted(path.name for path in cache.iterdir()) == ["my photos-1", "note.txt", "photos"]
    assert (cache / "photos" / "0.nbc").is_file()


@pytest.mark.skipif(PLAIN, reason="plain Python needs no machine code")
def test_an_installation_that_cannot_play_fails(cache: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    assert main(["machine", "doctor"]) == doctor.NO_CODE
    assert "no fight can be played" in (told := capsys.readouterr().out) and "heartrush-env[jit]" in told
    assert importlib.util.find_spec("numba") is not None  # it is only hidden here


def test_a_game_of_another_package_that_cannot_be_imported_is_named(
    cache: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(registry.VARIABLE, "chess=no_such_package.chess")
    assert main(["machine", "doctor"]) == doctor.NO_CODE
    said = capsys.readouterr().out
    assert "machine code of chess: none, because the game cannot be imported: game: expected a module " in said
