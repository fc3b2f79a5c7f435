"""The tables of pages: lists, abilities, agents and the bestiary."""

import json
import re
from pathlib import Path

import heartrush_agents
import pytest
from heartrush_agents.cards import measured_ids, ratings
from pages import agents, lists
from pages.abilities import ability_tables
from pages.bestiary import SECTIONS, bestiary

from heartrush_env.app.cli.card_page import card_page
from heartrush_env.app.heart_rush.commands.listings import LISTINGS, all_fields
from heartrush_env.games.heart_rush.abilities.coverage import implemented_ids
from heartrush_env.games.heart_rush.encoding.features import feature_parts
from heartrush_env.games.heart_rush.encoding.shapes import SHAPES
from heartrush_env.games.heart_rush.engine.offers import CHOICES
from heartrush_env.games.heart_rush.headings import BOOK
from heartrush_env.games.heart_rush.rules.choices import Target
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import abilities

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


def test_ranks_are_in_the_tables_and_on_cards() -> None:
    page = agents.rankings()
    for found in ratings():
        for result in found["results"]:
            rows = [line for line in page.splitlines() if line.startswith("| ")]
            for row in result["ranking"]:
                assert any(line.startswith(f"| {row['rank']} |") and f"`{row['id']}`" in line for line in rows)
                if row["id"] in measured_ids():
                    assert f"on `{result['scenario']}` its rank is {row['rank']} of" in card_page(row["id"])


def test_the_levels_are_those_of_the_card() -> None:
    card = json.loads((Path(heartrush_agents.__file__).parent / "weights" / "duelist" / "card.json").read_text("utf-8"))
    easy = card["levels"]["levels"]["easy"]
    assert easy["temperature"] == 1
    won = ["{} ({} to {})".format(*easy["against"][other]) for other in ("uniform", "duelist")]
    assert f"| `duelist@easy` | {easy['mistakes']} | 1 | {won[0]} | {won[1]} |" in agents.levels().splitlines()


def test_every_card_is_linked() -> None:
    assert agents.card_links().count("](cards/") == len(measured_ids())


def section(title: str) -> str:
    """Return the part of the bestiary page under a heading."""
    return f"\n{bestiary()}".split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_a_stat_block_of_the_guide() -> None:
    # The guide's worked example: M; 10/6/10/8, heart d10, 50 hit points, w 15; A +6; D +8, +4 against magic.
    guide = section("The game master's guide")
    assert "```text\nM\n10/6/10/8, HD 10, HP 50, w 15\nA 6, D 8 (physical 8, magic 4)\n```\n" in guide
    assert guide.count("### ") == 1 and guide.count("\n- **") == 4
    assert "Not played yet" not in guide


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
