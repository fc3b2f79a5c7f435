"""The installation commands on the pages work in an empty environment, and the installed program plays fights."""

import json
import os
import re
import resource
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.app.server.serving import ask
from tests.processes import PATIENCE, finished, started

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FROM_A_CLONE = re.compile(r"^\$ (pip install '?\.(?:\[([\w,-]+)\]'?)?(?: [\w.-]+)*)", re.MULTILINE)
FIRST = ("README.md", "docs/players.md", "docs/install.md", "docs/kits/")  # the pages that a new user begins with
SECONDS = 120  # of one core, from the end of the installation to the end of a fight


def lines_of(*pages: Path) -> dict[str, tuple[str, ...]]:
    """Return the commands on pages that install from a clone, each with its extras."""
    found = {}
    for page in pages:
        for line in FROM_A_CLONE.finditer(page.read_text(encoding="utf-8")):
            found[line[1]] = tuple(line[2].split(",")) if line[2] else ()
    return found


LINES = lines_of(*(page for page in PAGES if page.relative_to(ROOT).as_posix().startswith(FIRST)))


def test_the_first_pages_say_what_to_install() -> None:
    for page in PAGES:
        if page.relative_to(ROOT).as_posix().startswith(FIRST) and page.name != "README.md":
            assert lines_of(page), page
    assert lines_of(ROOT / "README.md")
    assert {extra for extras in LINES.values() for extra in extras} >= {"play", "server", "protocol"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_page_installs_from_an_index_that_has_no_such_package(page: Path) -> None:
    """Nothing is published yet: `pip install 'heartrush-env[...]'` only works where the package is installed."""
    first = re.findall(r"^\$ pip install .*heartrush-env.*", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert first == []


@pytest.mark.parametrize(("line", "extras"), lines_of(*PAGES).items(), ids=lambda value: str(value))
def test_what_a_page_installs_brings_what_compiles_the_rules(line: str, extras: tuple[str, ...]) -> None:
    needs = {Requirement(need).name for extra in extras for need in EXTRAS[extra]}
    assert "numba" in needs, f"after `{line}` no fight can be played"


@pytest.mark.long
@pytest.mark.parametrize(("line", "extras"), LINES.items(), ids=lambda value: str(value))
def test_a_line_installs_in_an_empty_environment_and_plays(line: str, extras: tuple[str, ...], tmp_path: Path) -> None:
    """The command runs as printed, with pip's isolated build; the program then plays, and hosts a fight if it can."""
    names = ("PYTHON", "NUMBA", "HEARTRUSH", "VIRTUAL_ENV", "XDG")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(names)}
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True, env=clean)
    binaries = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    environment = {**clean, "PATH": f"{binaries}{os.pathsep}{clean['PATH']}", "HOME": str(tmp_path)}
    installed = subprocess.run(line, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert installed.returncode == 0, installed.stderr

    def heartrush(*words: str) -> Any:
        done = finished(str(binaries / "heartrush"), *words, text=True, env=environment, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    fight = heartrush("fight", "duel", "--seed", "1", "--json")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert '"end"' in fight.stdout or json.loads(fight.stdout.splitlines()[-1])
    assert "compiling the rules" in fight.stderr  # it says what it is doing
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < SECONDS
    doctor = json.loads(heartrush("machine", "doctor", "--json").stdout)
    assert doctor["machine_code"]["heart_rush"]["source"] == "numba" and set(doctor["extras"]) >= set(extras)
    if "server" in extras:
        host_a_fight(binaries / "heartrush", environment, tmp_path)
    if "protocol" in extras:
        heartrush("match", "uniform", "random", "--fights", "2")


def host_a_fight(command: Path, environment: dict[str, str], folder: Path) -> None:
    """Start a server, and watch a fight of two agents until it ends."""
    words = (str(command), "serve", "--port", "0")
    with started(*words, text=True, stdout=subprocess.PIPE, env=environment, cwd=folder) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split(" at ")[1].split(";")[0]
        agents = {"knight_0": "uniform", "duelist_0": "random"}
        new = {"type": "new", "game": {"scenario": "duel"}, "agents": agents, "seed": 1}
        fight = json.loads(ask(address, "/v1/host", new)[2])["fight"]
        for _ in range(int(PATIENCE)):
            state = json.loads(ask(address, "/v1/host", {"type": "look", "fight": fight})[2])
            if state["over"]:
                return
            server.poll()
    pytest.fail(f"the fight has not ended: {state}")
