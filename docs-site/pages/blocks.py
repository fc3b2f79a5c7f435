"""The generated blocks of the pages in docs/, and the other generated files of the repository.

The repository holds the short tables, which `make docs` writes. The long tables are filled in only on the site; in the
repository, a sentence in place of each table names the command that prints it.
"""

from __future__ import annotations

import argparse
import io
import re
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path

from heartrush_env.app.cli import fight
from heartrush_env.app.cli.command import fill
from pages import agents, lists
from pages.abilities import ability_tables
from pages.bestiary import bestiary
from pages.kits import written_kits
from pages.markdown import filled
from pages.moments import sample_moments
from pages.worth import worth_lists, worth_table

ROOT = Path(__file__).resolve().parents[2]
FIGHT = "heartrush fight duel --red uniform --blue random --seed 1"
ROUNDS = 2  # the number of rounds shown from the start; the last round follows


def sample_fight() -> str:
    """Return a fight as shown in a terminal, with its middle cut out."""
    parser = argparse.ArgumentParser()
    fill(parser.add_subparsers().add_parser("fight"), fight)
    given, teams = fight.split_teams(FIGHT.split()[1:])
    arguments = parser.parse_args(given)
    arguments.teams = teams
    printed = io.StringIO()
    with redirect_stdout(printed):
        fight.run(arguments)
    head, *rounds = re.split(r"(?m)^(?=Round \d+$)", printed.getvalue())
    shown = [*rounds[:ROUNDS], "...\n\n", rounds[-1]]
    return f"```console\n$ {FIGHT}\n{head}{''.join(shown)}```\n"


# The blocks that the repository holds, by name.
KEPT: dict[str, Callable[[], str]] = {
    "fight": sample_fight,
    "fields": lists.scenario_fields,
    "settings": lists.settings,
    "levels": agents.levels,
    "ten-levels": agents.ten_levels,
    "strengths": agents.strengths,
    "rankings": agents.rankings,
    "characters": agents.characters,
    "personalities": agents.personalities,
    "worth-lists": worth_lists,
    **{id: partial(agents.scores, id) for id in ("duelist", "classic_duelist")},
}
# The blocks that are filled in on the site alone.
ON_SITE: dict[str, Callable[[], str]] = {
    "abilities": ability_tables,
    "actions": lists.actions,
    "bestiary": bestiary,
    "cards": agents.card_links,
    "entities": lists.entities,
    "features": lists.feature_tables,
    "names": lists.scenario_names,
    "rules": lists.rule_headings,
    "worth": worth_table,
    "schema": lambda: "The [JSON Schema](protocol.schema.json) of the messages describes each field.\n",
}


def written() -> dict[Path, str]:
    """Return, by path, the correct content of every file of the repository with generated parts."""
    pages = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md"))}
    found = {path: filled(text, KEPT) for path, text in pages.items() if ":begin -->" in text}
    found |= written_kits(ROOT / "clients")
    found[ROOT / "heartrush_env/protocol/transcripts/moments.jsonl"] = sample_moments()
    return found
