"""The answer of a simulation as JSON-able data: fractions of fights with intervals, and how each fighter ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env import __version__
from heartrush_env.app.encounters.sides import Encounter
from heartrush_env.app.encounters.tally import Tally, spent_shares, time_unit
from heartrush_env.tabletop.intervals import mean_of, share_of
from heartrush_env.tabletop.words import words_of

Finding = dict[str, Any]


def about(encounter: Encounter, tally: Tally, seed: int) -> Finding:
    """Return what was played."""
    return {
        "scenario": encounter.game.scenario_name,
        "digest": encounter.game.scenario_digest,
        "version": __version__,
        "seed": seed,
        "fights": tally.fights,
        "agents": {team: agent.id for team, agent in encounter.agents.items()},
        "party": list(encounter.heroes),
        "monsters": list(encounter.monsters),
    }


def results(tally: Tally) -> Finding:
    """Return how the fights ended, and how long they took."""
    return {
        "win": share(tally.result > 0),
        "loss": share(tally.result < 0),
        "draw": share(tally.result == 0),
        "round_cap": share(tally.capped),
        "rounds": mean(tally.rounds),
    }


def findings(encounter: Encounter, tally: Tally, seed: int) -> Finding:
    """Return all findings from fights of any game; docs/encounters.md explains each number."""
    game, party = encounter.game, encounter.in_party
    names = words_of(game).names
    spent = {"hp_spent": mean(spent_shares(tally, party))} if tally.tells_hp else {}
    return {
        "game": game.name,
        **about(encounter, tally, seed),
        **results(tally),
        "time_unit": time_unit(game),
        **spent,
        "out": share((tally.status[:, party] != 0).any(axis=1)),
        "fighters": {
            agent: {"name": names[agent], "team": game.teams[i], **_ends(game.out_causes, tally, i)}
            for i, agent in enumerate(game.agents)
        },
    }


def _ends(causes: Sequence[str], tally: Tally, i: int) -> Finding:
    """Return a fighter's mean hit points at the start and at the end, and the share of fights with each end of it."""
    status = tally.status[:, i]
    hp = {"hp": float(tally.hp_before[:, i].mean()), "hp_left": float(np.maximum(0, tally.hp[:, i]).mean())}
    ends = {cause or "able": float((status == number).mean()) for number, cause in enumerate(causes)}
    return {**(hp if tally.tells_hp else {}), "ends": ends}


def several(players: Mapping[str, Finding], key: str) -> Finding:
    """Return the answers for several players of one party: the range of a fraction over all of them, and each answer.

    Args:
        players: The answer for each player, by its name.
        key: The fraction's key, "win" for a fight or "won" for a day.
    """
    first, shares = next(iter(players.values())), [each[key]["share"] for each in players.values()]
    names = ("game", "scenario", "day", "version", "seed", "seconds", "interrupted")
    about: Finding = {name: first[name] for name in names if name in first}
    return {**about, "range": {"low": min(shares), "high": max(shares)}, "players": dict(players)}


def share(flags: NDArray[np.bool_]) -> Finding:
    """Return the count and the fraction of flagged fights, with a 95 % interval."""
    return share_of(int(flags.sum()), len(flags))


def mean(numbers: NDArray[Any]) -> Finding:
    """Return the mean with its 95 % interval, and the 10th and 90th percentiles of the numbers."""
    found = mean_of(numbers.tolist()) if len(numbers) > 1 else None
    average = float(numbers.mean())
    tenth, ninth = np.quantile(numbers, [0.1, 0.9])
    low, high = (found.low, found.high) if found else (average, average)
    return {"mean": average, "low": low, "high": high, "tenth": float(tenth), "ninetieth": float(ninth)}


def sides(found: Finding) -> tuple[Sequence[Finding], Sequence[Finding]]:
    """Return the fighters of the party, and all other fighters."""
    fighters = found["fighters"]
    return [fighters[agent] for agent in found["party"]], [fighters[agent] for agent in found["monsters"]]
