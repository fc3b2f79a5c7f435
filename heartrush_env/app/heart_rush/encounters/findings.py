"""The answer of a simulation as JSON-able data: fractions with intervals, and what each fighter did and suffered."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from heartrush_env.app.encounters.findings import Finding, about, mean, results, share
from heartrush_env.app.encounters.sides import Encounter
from heartrush_env.app.encounters.tally import spent_shares
from heartrush_env.app.heart_rush.encounters.difficulty import band_of, in_words, never_in_doubt
from heartrush_env.app.heart_rush.encounters.tally import Tally
from heartrush_env.games.heart_rush.abilities.all import name_of, number_of
from heartrush_env.games.heart_rush.abilities.unit import FOUND
from heartrush_env.games.heart_rush.game import as_heart_rush
from heartrush_env.games.heart_rush.rules.terms import (
    DEAD,
    DEEDS,
    DIE_LADDER,
    FROM_ATTACK,
    HIT_CAUSES,
    STANCES,
    STANDING,
    UNCONSCIOUS,
)
from heartrush_env.games.heart_rush.scenario.homebrew import Homebrew
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet


def sheets(encounter: Encounter) -> tuple[FighterSheet, ...]:
    """Return the sheets of an encounter's fighters, in agent order."""
    return as_heart_rush(encounter.game).scenario.fighters


def findings(encounter: Encounter, tally: Tally, seed: int) -> Finding:
    """Return all findings of a simulation; docs/encounters.md explains each number."""
    party = encounter.in_party
    spent = spent_shares(tally, party)
    dead = (tally.status[:, party] == DEAD).any(axis=1)
    doubtless = never_in_doubt(tally)
    band = band_of(float((tally.result > 0).mean()), float(spent.mean()), float(dead.mean()))
    return {
        **about(encounter, tally, seed),
        "heroes_choose": as_heart_rush(encounter.game).scenario.settings.zero_hp != "all_out",
        "difficulty": band.name,
        "limits": in_words(band),
        **results(tally),
        "hp_spent": mean(spent),
        "heart_spent": float(np.mean(1 - _heart_left(encounter, tally)[:, party])),
        "death": share(dead),
        "down": share((tally.status[:, party] != STANDING).any(axis=1)),
        "never_in_doubt": share(doubtless),
        "won_without_doubt": share(doubtless & (tally.result > 0)),
        "course": _course(tally),
        "spent_by_fights": np.histogram(spent, 10, (0, 1))[0].tolist(),
        "fighters": {sheet.agent: _fighter(encounter, tally, i) for i, sheet in enumerate(sheets(encounter))},
        "damage_by_nobody": _deals(tally, len(sheets(encounter))),
    }


def _heart_left(encounter: Encounter, tally: Tally) -> NDArray[np.float64]:
    """Return the fraction of heart die sizes left to each fighter, 1 if the die cannot shrink, (fights, n)."""
    ladder = np.zeros(DIE_LADDER[-1] + 1)
    ladder[list(DIE_LADDER)] = range(len(DIE_LADDER))
    most = ladder[[sheet.heart for sheet in sheets(encounter)]]
    left: NDArray[np.float64] = np.where(most > 0, ladder[tally.heart] / np.maximum(1, most), 1)
    return left


def _course(tally: Tally) -> list[list[float]]:
    """Return both sides' mean hit point fractions after each round, until 95 % of the fights have ended."""
    shown = int(np.quantile(tally.rounds, 0.95, method="higher"))
    shares = (tally.course[: shown + 1] / tally.fights).tolist()
    return [[1.0, 1.0], *shares[1:]]


def _fighter(encounter: Encounter, tally: Tally, i: int) -> Finding:
    """Return a fighter's state at the end, and what it did and suffered in an average fight."""
    sheet, status = sheets(encounter)[i], tally.status[:, i]
    stances = tally.stances[i] / max(1, tally.stances[i].sum())
    return {
        "name": sheet.name,
        "team": sheet.team,
        "hp": sheet.hp,
        "heart": sheet.heart,
        "hp_left": float(np.maximum(0, tally.hp[:, i]).mean()),
        "heart_left": float(_heart_left(encounter, tally)[:, i].mean()),
        "standing": float((status == STANDING).mean()),
        "unconscious": float((status == UNCONSCIOUS).mean()),
        "dead": float((status == DEAD).mean()),
        "defeated": float(((status != STANDING) & (status != UNCONSCIOUS) & (status != DEAD)).mean()),
        "wounds": float(tally.wounds[:, i].mean()),
        "wound_ranks": float(tally.ranks[:, i].mean()),
        "hp_lost": float((tally.hp_before[:, i] - tally.hp[:, i]).mean()),
        "damage": float(tally.damage[i].sum() / tally.fights),
        "healed": float(tally.healed[i] / tally.fights),
        "abilities": {
            name_of(int(number), sheet.abilities): float(tally.uses[i, number] / tally.fights)
            for number in np.flatnonzero(tally.uses[i])
        },
        "unused": [
            owned.name
            for slot, owned in enumerate(sheet.abilities)
            if is_usable(owned.name, owned.made) and not tally.uses[i, number_of(owned, slot)]
        ],
        "stances": {name: float(part) for name, part in zip(STANCES, stances, strict=True)},
        "deals": _deals(tally, i),
        "deeds": {
            DEEDS[deed]: {
                "times": float(tally.deeds[i, deed] / tally.fights),
                "worked": float(tally.worked[i, deed] / tally.fights),
            }
            for deed in np.flatnonzero(tally.deeds[i])
        },
    }


def is_usable(name: str, made: Homebrew | None = None) -> bool:
    """Return whether the owner decides when to use an ability; other abilities act by themselves."""
    return "do" in FOUND[name].functions if made is None else bool(made.use)


def _deals(tally: Tally, i: int) -> list[Finding]:
    """Return fighter i's damage per fight by source, largest first; the last i is for damage without an attacker."""
    found = [
        {
            "by": source_name(cause, stance),
            "damage": float(tally.damage[i, cause, stance] / tally.fights),
            "hits": float(tally.blows[i, cause, stance] / tally.fights),
            "attacks": float(tally.attacks[i, cause, stance] / tally.fights) if i < len(tally.attacks) else 0.0,
        }
        for cause, stance in _used(tally, i)
    ]
    return sorted(found, key=lambda entry: -float(str(entry["damage"])))


def _used(tally: Tally, i: int) -> Iterator[tuple[int, int]]:
    """Yield the sources of damage that a fighter used, as (cause, stance)."""
    used = tally.blows[i] > 0
    if i < len(tally.attacks):
        used = used | (tally.attacks[i] > 0)
    for cause, stance in np.argwhere(used):
        yield int(cause), int(stance)


def source_name(cause: int, stance: int) -> str:
    """Return the name of a source of damage: "might", "might opportunity", "burning"."""
    words = [STANCES[stance]] if stance < len(STANCES) else []
    if cause != FROM_ATTACK or not words:
        words.append(HIT_CAUSES[cause])
    return " ".join(words)
