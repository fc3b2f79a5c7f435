"""What the README shows is what runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from heartrush_agents import available

from heartrush_env.heart_rush.scenario import shipped_scenarios

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def table(heading: str) -> set[str]:
    """The names in code type in the first column of the table below a heading."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return {
        name for row in re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    }


def test_there_is_an_example_of_ten_lines() -> None:
    assert len(EXAMPLES) == 1
    assert len([line for line in EXAMPLES[0].splitlines() if line.strip()]) == 10


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_run_as_printed(example: str, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    exec(compile(example, "README.md", "exec"), names)
    assert capsys.readouterr().out.startswith("{'type': 'end', ")
    assert names["rewards"] in ({"knight_0": 1.0, "duelist_0": -1.0}, {"knight_0": -1.0, "duelist_0": 1.0})


def test_every_shipped_scenario_and_agent_is_named() -> None:
    assert table("Scenarios") == set(shipped_scenarios())
    assert table("Agents") == set(available())


def test_what_is_linked_exists() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []


def test_the_fight_is_shown_and_the_speed_has_its_place() -> None:
    """The fight itself is held fresh by `heartrush docs --check`, as the other pages are."""
    fight = README.split("<!-- fight:begin -->")[1].split("<!-- fight:end -->")[0]
    assert fight.startswith("\n```console\n$ heartrush fight duel --red uniform --blue random")
    assert "Round 1\n  Stances: " in fight and " wins: " in fight
    assert "<!-- speed:begin -->" in README.split("<!-- speed:end -->")[0]
