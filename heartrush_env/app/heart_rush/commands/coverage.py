"""The number of abilities of Heart Rush that are implemented, for `heartrush rules --coverage`."""

from __future__ import annotations

import json
from dataclasses import asdict

from heartrush_env.app.cli.terminal import table
from heartrush_env.games.heart_rush.abilities import coverage
from heartrush_env.games.heart_rush.scenario.abilities import abilities


def print_coverage(*, as_json: bool) -> None:
    """Print how many of the abilities are implemented, by chapter and kind."""
    every, in_part = coverage.coverage(), len(coverage.left_out())
    if as_json:
        print(json.dumps({"coverage": [asdict(line) for line in every]}, indent=1))
        return
    rows = [[line.chapter, line.kind.replace("_", " "), f"{line.implemented} of {line.total}"] for line in every]
    implemented, total = sum(line.implemented for line in every), sum(line.total for line in every)
    outside = sum(bool(entry.outside) for entry in abilities().values())
    print("\n".join(table(("chapter", "kind", "implemented"), rows)))
    counted = f"{implemented} of {total} abilities implemented, {in_part} of them in part"
    print(f"{counted}; {outside} more have nothing to play in a fight.")
