"""Sweeps: the same fights with each of several values of a field, as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from heartrush_agents.tournament.play import Progress

from heartrush_env.app.cli.terminal import aligned
from heartrush_env.app.encounters.amounts import Amount
from heartrush_env.app.encounters.answers import answers
from heartrush_env.app.encounters.changes import Sweep, variants
from heartrush_env.app.encounters.desk import Table
from heartrush_env.app.encounters.findings import Finding
from heartrush_env.app.encounters.sides import Encounter
from heartrush_env.app.encounters.text_report import desk_for, summary_rows
from heartrush_env.tabletop.registry import DEFAULT_GAME


def sweep(
    table: Mapping[str, Any],
    sweeps: Sequence[Sweep],
    seats: Callable[[Table], Mapping[str, Encounter]],
    amount: Amount,
    progress: Progress = lambda done, total: None,
    game: str = DEFAULT_GAME,
) -> list[Finding]:
    """Simulate every combination of values with the same dice.

    Args:
        table: The scenario's table.
        sweeps: The fields with their values.
        seats: Makes the encounters of a changed table, by player of the party.
        amount: The number of fights of each combination and player.
        progress: Called with the number of finished fights and the number planned so far.
        game: The name of the game.

    Returns:
        The findings of each combination, with its values by path under "values". If several players play the party,
        each player has its own findings, and "values" names its agent under "heroes".
    """
    encounters: dict[int, Encounter] = {}
    values: list[dict[str, Any]] = []
    for given, changed in variants(table, sweeps, game):  # all variants are checked before the first fight
        players = seats(changed)
        for encounter in players.values():
            encounters[len(values)] = encounter
            who = {"heroes": encounter.agents[encounter.party[0]].id} if len(players) > 1 else {}
            values.append({**given, **who})
    found = answers(encounters, amount, progress)
    return [{"values": each, **found[place]} for place, each in enumerate(values)]


def sweep_rows(found: Sequence[Finding]) -> list[list[str]]:
    """Return the heads of the columns, then a row for each combination of values."""
    named = ((", ".join(str(value) for value in each["values"].values()), each) for each in found)
    return summary_rows(", ".join(found[0]["values"]), named, desk_for(found[0]).of_sweeps)


def sweep_text(found: Sequence[Finding]) -> str:
    """Return the sweep as a text table, one row for each combination."""
    first = found[0]
    counts = [each["fights"] for each in found]
    fights = f"{min(counts)} to {max(counts)}" if min(counts) < max(counts) else f"{counts[0]}"
    about = f"{first['scenario']}: {fights} fights each, seed {first['seed']}; 95 % intervals in brackets"
    return "\n".join([about, "", *aligned(sweep_rows(found))])
