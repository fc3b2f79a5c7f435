"""Export of a trained network to an agent's folder: weights as safetensors, and a card that describes them."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from heartrush_agents.heart_rush.learned.entity_network import EntityNetwork
from heartrush_agents.learned.agent import CARD, FORMAT, FORMAT_VERSION, WEIGHTS, claims
from heartrush_agents.learned.network import Layers, Network
from heartrush_agents.tournament.cross_table import Score, Table
from safetensors.numpy import save

from heartrush_env.tabletop.game import Game, memory_columns
from heartrush_env.tabletop.writing import make_folder, replace_file
from heartrush_train.config import TrainingError

# Allowed difference in percentage points when the card's command is run on another kind of machine: floating-point sums
# round differently there, so training diverges. On the same kind, with the same versions, the weights are identical.
TOLERANCE = {"each": 15.0, "mean": 6.0}
PACKAGES = ("heartrush-env", "numpy", "torch", "stable-baselines3", "sb3-contrib")


def write_agent(
    folder: Path,
    id: str,
    description: str,
    network: Network | EntityNetwork,
    game: Game,
    training: Mapping[str, Any],
    fits: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Write the weights and a card without scores, and return the card.

    Args:
        folder: The agent's folder, created if missing.
        id: The agent's id.
        description: One sentence about the agent.
        network: The trained network.
        game: The game it was trained on.
        training: JSON-able facts about the training run.
        fits: The games that the weights fit, as `Run.fits` returns them; by default games like `game`.
    """
    content = save({name: np.ascontiguousarray(array) for name, array in network.arrays().items()})
    card = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "id": id,
        "description": description,
        "fits": fits or claims(game),
        "network": network.sizes,
        "sha256": hashlib.sha256(content).hexdigest(),
        "training": {**training, "versions": versions()},
        "scores": None,
    }
    make_folder(folder, TrainingError)
    replace_file(folder / WEIGHTS, content, TrainingError)
    write_card(folder, card)
    return card


def without_memory(network: Network, game: Game) -> Network:
    """Return the network with weight 0 for all memory features; in games with memory=0, it plays as before."""
    rows = list(memory_columns(game))
    halves = []
    for layers in (network.policy, network.value):
        first = layers.weights[0].copy()
        first[rows] = 0.0
        halves.append(Layers((first, *layers.weights[1:]), layers.biases))
    return Network(*halves)


def write_card(folder: Path, card: Mapping[str, Any]) -> None:
    """Write the card, replacing any earlier one."""
    replace_file(folder / CARD, (json.dumps(card, indent=2) + "\n").encode(), TrainingError)


def scores(table: Table, id: str, command: str) -> dict[str, Any]:
    """Return an agent's scores in the format of its card, in percent, with the ends of 95 % confidence intervals.

    The scores of the table's other rows are included for comparison.
    """
    return {
        "command": command,
        "scenario": table.scenario,
        "fights": table.fights,
        "match": table.match,
        "seed": table.seed,
        "even": percent(table.even),
        "tolerance": TOLERANCE,
        **_row(table, id),
        "beside": {other: _row(table, other) for other in table.rows if other != id},
    }


def _row(table: Table, id: str) -> dict[str, Any]:
    against = {column: table.cell(id, column) for column in table.columns}
    return {
        "mean": percent(table.mean(id).score),
        "by_team": {team: percent(score) for team, score in table.by_team(id).items()},
        "against": {column: in_percent(score) for column, score in against.items() if score},
    }


def percent(share: float) -> float:
    """Return a fraction in percent, with one decimal."""
    return round(100 * share, 1)


def in_percent(score: Score) -> list[float]:
    """Return a score in percent, with the ends of its 95 % interval."""
    return [percent(number) for number in (score.score, score.low, score.high)]


def versions() -> dict[str, str]:
    """Return the versions of software and machine that the result may depend on."""
    found = {}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):  # the lean learner needs no Stable-Baselines3
            found[package] = version(package)
    return {"python": platform.python_version(), **found, "machine": f"{platform.system()} {platform.machine()}"}
