"""Fights in short: a line for each round."""

from __future__ import annotations

from collections.abc import Sequence

from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.games.heart_rush.words.words import ending
from heartrush_env.tabletop.game import Event


def by_round(scenario: Scenario, events: Sequence[Event]) -> list[str]:
    """Describe each round in one line: the stances, then every fighter's state."""
    narrator, number = Narrator(scenario), 0
    lines: list[str] = []
    stances: list[str] = []  # one text for each reveal of the round
    for event in events:
        narrator.tell([event])
        if event["type"] == "reveal":
            chosen = event["stances"].items()
            shown = (f"{narrator.name(agent)} {stance}" for agent, stance in chosen if stance is not None)
            stances.append(", ".join(shown))
        if event["type"] in ("round", "end") and stances:
            lines.append(f"Round {number}: {'; then '.join(stances)}. {narrator.standing()}.")
            stances = []
        number = event.get("round", number)
    return [*lines, ending(events[-1])]
