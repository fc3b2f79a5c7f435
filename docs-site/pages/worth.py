"""The measured worth of abilities: the lists of docs/balance.md in the repository, and the table on the site."""

from __future__ import annotations

from pathlib import Path

from heartrush_env.app.heart_rush.commands.abilities import remarks, table
from heartrush_env.app.heart_rush.encounters.worth import Worth, read_results, versions
from heartrush_env.games.heart_rush.abilities.all import NUMBERS
from pages import markdown

RESULTS = Path(__file__).parents[1] / "worth.json"


def _found() -> list[Worth]:
    """Return the results, the largest gain first."""
    return sorted(read_results(RESULTS)[1], key=lambda one: -one.gain.mean)


def worth_table() -> str:
    """Return the table of all versions of abilities."""
    head, *rows = table(_found())
    return markdown.lines(markdown.table(head, rows))


def worth_lists() -> str:
    """Return how the abilities were measured, and the lists of those that stand out."""
    plan, found = read_results(RESULTS)[0], _found()
    where = "with and without a map" if plan.maps else "without a map, where the ability does not need one"
    how = (
        f"{len(found)} of {len(versions(NUMBERS))} versions of abilities, {where}: {plan.fights} fights with each kit "
        f"and the owner on either side, played by {plan.agent}, seed {plan.seed}."
    )
    lists = [
        f"- **{what}** ({len(names)}): {', '.join(f'`{name}`' for name in names) or 'none'}."
        for what, names in remarks(found).items()
    ]
    return markdown.lines([how, "", *lists])
