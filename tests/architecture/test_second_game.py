"""A second game adds its own folders and files, and one line in the registry."""

from __future__ import annotations

import re
from pathlib import Path

from tests.architecture.layout import ROOT

OWN = (
    "heartrush_env/games/heretics/", "heartrush_env/heretics_v0.py", "agents/heartrush_agents/heretics/",
    "tests/games/heretics/", "tests/reference/heretics/", "docs/heretics.md",
    "agents/heartrush_agents/cards/heretics_",
    "heartrush_env/research/beats/",  # the solver of its duels in beats, which reads its figures
    "train/heartrush_train/beats/",  # the recipe that teaches a network their solutions
)  # fmt: skip
# One line in the registry, the row of a benchmark, the settings of a checker, the lists of pages, and the changelog.
NAMED_ONCE = {
    "heartrush_env/games/__init__.py", "pyproject.toml", "README.md", "docs/README.md", "docs-site/mkdocs.yml",
    "benchmarks/contests.py", "tests/games/test_registry.py", "tests/architecture/test_second_game.py", "CHANGELOG.md",
}  # fmt: skip
TEXT = {".py", ".md", ".toml", ".yml", ".json", ".html", ".js"}
MOST_LINES = 4_000  # of Python
FOLDERS = ("heartrush_env", "agents", "train", "tests", "docs", "docs-site", "examples", "benchmarks", "clients")


def sources() -> list[Path]:
    """Return all text files of the project."""
    inside = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    return [path for path in (*inside, *ROOT.glob("*")) if path.is_file() and path.suffix in TEXT]


def test_nothing_outside_its_own_folders_names_the_second_game() -> None:
    named = set()
    for path in sources():
        place = path.relative_to(ROOT).as_posix()
        if place.startswith(OWN) or "node_modules" in place:
            continue
        if re.search("heretics", path.read_text(encoding="utf-8", errors="ignore"), re.IGNORECASE):
            named.add(place)
    assert named - NAMED_ONCE == set()


def test_the_registry_names_it_in_one_line() -> None:
    text = (ROOT / "heartrush_env" / "games" / "__init__.py").read_text(encoding="utf-8")
    assert sum("heretics" in line for line in text.splitlines()) == 1


def test_its_folder_stays_small() -> None:
    folder = ROOT / "heartrush_env" / "games" / "heretics"
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in folder.rglob("*.py"))
    assert lines <= MOST_LINES
