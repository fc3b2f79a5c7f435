"""The page of monsters: every stat block as the book prints it, under its source."""

from __future__ import annotations

import re

from pages.bestiary import SECTIONS, bestiary

from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import abilities


def section(title: str) -> str:
    """The part of the page below a heading."""
    return f"\n{bestiary()}".split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_a_stat_block_of_the_guide() -> None:
    # The guide's worked example: M; 10/6/10/8, heart d10, 50 hit points, w 15; A +6; D +8, +4 against magic.
    guide = section("The game master's guide")
    assert "```text\nM\n10/6/10/8, HD 10, HP 50, w 15\nA 6, D 8 (physical 8, magic 4)\n```\n" in guide
    assert guide.count("### ") == 1 and guide.count("\n- **") == 4
    assert "Not played yet: the defense by kind of damage (fights use D 8 against all)." in guide


def test_every_monster_stands_under_its_source_once() -> None:
    page = bestiary()
    assert len(re.findall("^### ", page, re.M)) == len(catalog.monsters())
    for title, origin, _, _ in SECTIONS:
        for id in re.findall("^`([a-z_]+)`", section(title), re.M):
            assert catalog.stat_block(id)["origin"] == origin
            assert (f"`{id}`, " in section(title) and ", ours\n" in section(title)) == (origin == "ours")
    assert section("Ours").count(", ours\n") == section("Ours").count("### ") == 14


def test_every_ability_of_a_playable_monster_is_explained() -> None:
    page = bestiary()
    for id in catalog.monsters():
        for ability in catalog.stat_block(id)["abilities"]:
            assert f"- **{abilities()[ability].name}** (`{ability}`): {abilities()[ability].effect}\n" in page


def test_those_that_wait_are_listed_with_the_reason() -> None:
    waiting = section("Not playable yet")
    assert "| Elephant | L3 | 12/4/6/- | 10 | 200 | 40 | riding; " in waiting
    assert waiting.count("\n| ") - 2 == len(catalog.data("monsters.toml")["waiting"])


def test_the_tiers_are_the_guides() -> None:
    assert "| elite | 40 to 60 | 12 to 15 | 2 to 3 | 10 to 15 |" in section("Tiers")
    assert "| boss | 60 or more | 15 or more | 3 or more | 15 to 20 |" in section("Tiers")
