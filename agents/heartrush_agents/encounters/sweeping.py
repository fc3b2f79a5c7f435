"""Sweeps: the same fights with each of several values of a field, as a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from heartrush_agents.encounters.changes import Sweep, Table, variants
from heartrush_agents.encounters.findings import Finding, findings
from heartrush_agents.encounters.sides import Encounter
from heartrush_agents.encounters.simulator import simulate
from heartrush_agents.encounters.telling import aligned, in_percent
from heartrush_agents.tournament.play import Progress


def sweep(
    table: Mapping[str, Any],
    sweeps: Sequence[Sweep],
    seat: Callable[[Table], Encounter],
    fights: int,
    seed: int,
    processes: int | None = None,
    progress: Progress = lambda done, total: None,
) -> list[Finding]:
    """Simulate every combination of values with the same dice.

    Args:
        table: The scenario's table.
        sweeps: The fields with their values.
        seat: Makes the encounter of a changed table.
        fights: The number of fights of each combination.
        seed: The seed of all of them.
        processes: The number of worker processes; one per core by default.
        progress: Called with the fights that are done, and their total.

    Returns:
        The findings of each combination, with its values by path under "values".
    """
    tables = variants(table, sweeps)
    encounters = [seat(changed) for _, changed in tables]  # all are checked before the first fight
    found = []
    for place, (values, encounter) in enumerate(zip((given for given, _ in tables), encounters, strict=True)):

        def shifted(done: int, total: int, before: int = place * fights) -> None:
            progress(before + done, len(tables) * fights)

        tally = simulate(encounter, fights, seed, processes, shifted)
        found.append({"values": values, **findings(encounter, tally, seed)})
    return found


def sweep_text(found: Sequence[Finding]) -> str:
    """A line for each combination."""
    head = [", ".join(found[0]["values"]), "band", "the party wins", "hp spent", "a death", "no doubt", "rounds"]
    rows = [head]
    for each in found:
        rows.append(
            [
                ", ".join(str(value) for value in each["values"].values()),
                each["difficulty"],
                in_percent(each["win"]),
                f"{100 * each['hp_spent']['mean']:.1f} %",
                in_percent(each["death"]),
                f"{100 * each['never_in_doubt']['share']:.1f} %",
                f"{each['rounds']['mean']:.1f}",
            ]
        )
    first = found[0]
    about = f"{first['scenario']}: {first['fights']} fights each, seed {first['seed']}; 95 % intervals in brackets"
    return "\n".join([about, "", *aligned(rows)])
