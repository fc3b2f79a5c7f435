"""The tables of abilities: every ability under its kind, and a mark of those that fights play."""

from __future__ import annotations

import re

from pages.abilities import ability_tables

from heartrush_env.games.heart_rush.abilities.coverage import implemented_ids
from heartrush_env.games.heart_rush.scenario.abilities import abilities


def test_the_page_has_every_ability_under_its_kind() -> None:
    page = ability_tables()
    rows = [line for line in page.splitlines() if "` |" in line]
    assert sorted(row.partition("`")[2].partition("`")[0] for row in rows) == sorted(abilities())
    paragons = page.split("### Paragon")[1].split("### ")[0]
    # Assassinate: major, instant, after Devastation Strike and from bloodmark 6.
    row = r"^\| Assassinate `assassinate` \| .*major, instant \| .* \| `devastation_strike` and bloodmark 6 \|$"
    assert re.search(row, paragons, re.M)
    legacy = page.split("## Combat Legacy")[1].split("## Monsters")[0]
    assert "| Versatile Training `versatile_training` | never: prices only | passive |" in legacy


def test_the_page_marks_those_that_are_played() -> None:
    played = re.compile(r"` \| (yes|in part: not [^|]+) \| ")
    marked = {row.partition("`")[2].partition("`")[0] for row in ability_tables().splitlines() if played.search(row)}
    assert "| in part: not its second sidestep |" in ability_tables()
    assert marked == implemented_ids() and "kick_em_while_theyre_down" in marked
