"""The tables of names, fields, settings, actions, features and headings hold everything that there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pages import lists

from heartrush_env.app.heart_rush.commands.listings import LISTINGS, all_fields
from heartrush_env.games.heart_rush.encoding.features import feature_parts
from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
from heartrush_env.games.heart_rush.engine.offers import CHOICES
from heartrush_env.games.heart_rush.headings import BOOK
from heartrush_env.games.heart_rush.rules.choices import Target

DOCS = Path(__file__).parents[2] / "docs"


def test_every_field_and_name_of_a_scenario_has_a_row() -> None:
    tables = lists.scenario_fields() + lists.scenario_names()
    names = [key for table in all_fields().values() for key in table]
    names += [row[0] for name in lists.NAMES for row in LISTINGS[name].rows()]
    assert len(names) > 150
    for name in names:
        assert f"| `{name}` |" in tables
    assert "| `|` |" not in tables, "no terrain's glyph breaks the table"


def test_a_row_has_the_figures_of_the_data() -> None:
    # The guide's phantom knight: M; 10/6/10/8, heart d10, 50 hit points, w 15; A +6; D +8.
    row = "| `phantom_knight` | medium | 10  6 10  8 10 | 50 | 6 | 8 | 15 | elite | 60 | rulebook |"
    assert row in lists.scenario_names()


def test_every_action_of_a_shape_has_a_row_and_dashes_share_one() -> None:
    duel, rest = lists.actions().split("## Shape `team`")
    assert [int(number) for number in re.findall(r"^\| (\d+) \|", duel, re.M)] == list(range(55))
    on_map = rest.split("## Shape `map`")[1].split("## Shape")[0]
    (dashes,) = re.findall(r"^\| (\d+) to (\d+) \| `dash -12,-12` to `dash 12,12`, row by row", on_map, re.M)
    assert int(dashes[1]) - int(dashes[0]) + 1 == 25 * 25, "each square at most 12 away"


def test_the_page_of_actions_names_those_for_allies() -> None:
    said = re.search(r"an ally's in (.*?), an enemy's", (DOCS / "actions.md").read_text(encoding="utf-8"))
    assert said is not None
    assert re.findall("`(.*?)`", said[1]) == [choice.name for choice in CHOICES if choice.target == Target.ALLY]


@pytest.mark.parametrize("part", feature_parts())
def test_every_part_of_an_observation_has_a_section(part: str) -> None:
    section = lists.feature_tables().split(f"## {lists.PARTS[part]}\n")[1].split("\n## ")[0]
    names = [feature.name for feature in feature_parts()[part]]
    assert names and re.findall(r"^\| `(.*?)` \|", section, re.M) == names


def test_the_sizes_of_entities_are_given_for_each_shape() -> None:
    (head,) = [line for line in lists.entities().splitlines() if line.startswith("| array |")]
    assert re.findall("`(.*?)`", head) == list(SHAPES)


def test_every_heading_has_a_row() -> None:
    rows = [line.split(" | ") for line in lists.rule_headings().splitlines() if line.startswith("| ")][2:]
    assert [row[0].removeprefix("| ") for row in rows] == [heading.path for heading in BOOK.headings()]
    contest = next(row for row in rows if row[0].endswith("Same Stance Combat"))
    assert "rules/attack_rolls.py: is_contest" in contest[3] and "R-9" in contest[4]
