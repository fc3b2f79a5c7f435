"""The tables of what was measured of the agents."""

from __future__ import annotations

import json
from pathlib import Path

import heartrush_agents
from heartrush_agents.cards import measured_ids, ratings
from pages import agents

from heartrush_env.app.cli.card_page import card_page


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
