"""README and the pages in docs/ show what really runs; tests/docs_site/test_hooks.py follows their links."""

import re
import shutil
import subprocess
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
from heartrush_agents import available

from heartrush_env.games.heart_rush.abilities.coverage import coverage
from heartrush_env.games.heart_rush.scenario.load import shipped_scenarios
from heartrush_env.tabletop.kernels import noting

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text(encoding="utf-8")
WITH_EXAMPLES = ("environments.md", "enemies.md", "entities.md")  # those of the tutorial are run by test_tutorial.py


def examples(text: str) -> list[str]:
    """Return the Python code blocks of a page."""
    return re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 100


def test_there_is_an_example_of_ten_lines() -> None:
    (example,) = examples(README)
    assert len([line for line in example.splitlines() if line.strip()]) == 10


def test_the_example_runs_as_printed(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    exec(compile(examples(README)[0], "README.md", "exec"), names)
    assert capsys.readouterr().out.startswith("{'type': 'end', ")
    assert names["rewards"] in ({"knight_0": 1.0, "duelist_0": -1.0}, {"knight_0": -1.0, "duelist_0": 1.0})


@pytest.mark.parametrize("page", WITH_EXAMPLES)
def test_the_examples_of_a_page_run_one_after_another(page: str) -> None:
    found = examples((DOCS / page).read_text(encoding="utf-8"))
    assert found
    names: dict[str, object] = {}
    for example in found:
        plain = "observations=" in example  # in plain Python, as no other test compiles these observations
        with noting() if plain else nullcontext(), np.errstate(over="ignore"):
            exec(compile(example.replace("learn(100_000)", "learn(512)"), page, "exec"), names)


def test_it_says_how_many_abilities_fights_play() -> None:
    counted = coverage()
    played, listed = sum(kind.implemented for kind in counted), sum(kind.total for kind in counted)
    assert f"{played} of {listed} abilities" in README


def named(text: str) -> set[str]:
    """Return the names in code type in the first column of the tables of a page."""
    rows = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def test_every_agent_and_every_scenario_is_named() -> None:
    assert named((DOCS / "enemies.md").read_text(encoding="utf-8")) >= set(available())
    page = (DOCS / "play.md").read_text(encoding="utf-8")
    assert named(page.split("## Scenarios")[1]) == set(shipped_scenarios())


@pytest.mark.parametrize(
    ("page", "block"),
    [("play.md", "fight"), ("training.md", "duelist"), ("training.md", "classic_duelist"), ("speed.md", "speed")],
)
def test_each_written_table_says_how_to_reproduce_it(block: str, page: str) -> None:
    """The tables themselves are kept up to date by tests/docs_site and the tests of the benchmarks."""
    rest = (DOCS / page).read_text(encoding="utf-8").split(f"<!-- {block}:begin -->")[1]
    written, after = rest.split(f"<!-- {block}:end -->")
    assert len(written.splitlines()) > 10 and "Reproduce this" in after


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize("target", ["test", "train"])
def test_the_first_thing_it_says_is_how_long_it_takes(target: str) -> None:
    """make prints this before it installs anything; a dry run shows what it would print."""
    command = ["make", "--dry-run", "--no-print-directory", target, "VENV=missing"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.match(rf'echo "make {target}: .*\d+ minutes', told), told[:200]
